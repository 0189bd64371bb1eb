"""The picture of a graph for other programs: Graphviz's dot, and Mermaid."""
from __future__ import annotations

import re
from collections.abc import Iterator

from ..graph.graph import Graph
from .diagram import ROLES, Box, Diagram, diagram

_DOT_SHAPES = {'input': 'oval', 'operation': 'box', 'output': 'oval'}
_MERMAID_SHAPES = {'input': '(["{}"])', 'operation': '["{}"]', 'output': '(["{}"])'}


def dot(graph: Graph) -> str:
    """The graph for Graphviz: `dot -Tsvg`."""
    drawn = diagram(graph)
    lines = [
        f'digraph {_quoted(graph.name)} {{',
        '  graph [fontname="monospace", fontsize=10]',
        '  node [fontname="monospace", fontsize=10, style=rounded]',
        '  edge [fontname="monospace", fontsize=8]',
        *_dot(drawn, _numbered(drawn), '  '),
        '}',
    ]
    return '\n'.join(lines) + '\n'


def mermaid(graph: Graph) -> str:
    """The graph for Mermaid, which many sites draw inside Markdown."""
    drawn = diagram(graph)
    return '\n'.join(['flowchart TB', *_mermaid(drawn, _numbered(drawn), '  ')]) + '\n'


def _numbered(drawn: Diagram) -> dict[Box, int]:
    return {box: i for i, box in enumerate(drawn)}


def _dot(drawn: Diagram, numbers: dict[Box, int], margin: str) -> Iterator[str]:
    for box in drawn.boxes:
        number = numbers[box]
        if not box.inner:
            label = _quoted('\n'.join(filter(None, [box.name, box.shown])))
            yield f'{margin}n{number} [label={label}, shape={_DOT_SHAPES[box.kind]}]'
            continue
        yield f'{margin}subgraph cluster_{number} {{'
        yield f'{margin}  label={_quoted(box.shown)}'
        # Edges need a node to go to.
        end = f'label={_quoted(box.name)}, shape=plaintext' if box.name else 'shape=point'
        yield f'{margin}  n{number} [{end}]'
        for role, inner in box.inner.items():
            yield f'{margin}  subgraph cluster_{number}_{role} {{'
            yield f'{margin}    label={_quoted(ROLES.get(role, role))}'
            yield from _dot(inner, numbers, margin + '    ')
            yield f'{margin}  }}'
        yield f'{margin}}}'
    for edge in drawn.edges:
        ends = f'n{numbers[edge.source]} -> n{numbers[edge.target]}'
        yield f'{margin}{ends} [label={_quoted(edge.label)}]'


def _mermaid(drawn: Diagram, numbers: dict[Box, int], margin: str) -> Iterator[str]:
    for box in drawn.boxes:
        number = numbers[box]
        title = _entities(' '.join(filter(None, [box.shown, box.gives])))
        if not box.inner:
            label = '<br>'.join(map(_entities, filter(None, [box.name, box.shown])))
            yield f'{margin}n{number}{_MERMAID_SHAPES[box.kind].format(label)}'
            continue
        yield f'{margin}subgraph n{number} ["{title}"]'
        for role, inner in box.inner.items():
            yield f'{margin}  subgraph n{number}_{role} ["{ROLES.get(role, role)}"]'
            yield from _mermaid(inner, numbers, margin + '    ')
            yield f'{margin}  end'
        yield f'{margin}end'
    for edge in drawn.edges:
        label = _entities(edge.label)
        yield f'{margin}n{numbers[edge.source]} -->|"{label}"| n{numbers[edge.target]}'


def _quoted(text: str) -> str:
    escaped = text.replace('\\', '\\\\').replace('"', '\\"').replace('\n', '\\n')
    return f'"{escaped}"'


def _entities(text: str) -> str:
    """What Mermaid would read as its own syntax, as entities."""
    return re.sub(r'["<>&#`]', lambda found: f'#{ord(found[0])};', text)
