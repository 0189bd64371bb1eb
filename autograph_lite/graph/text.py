"""A graph as text: one line a node, with its name, its type and what it does.

    graph norm(x: float64[3], limit: float) -> float64:
      multiply: float64[3] = multiply(x, x)
      sum_: float64 = sum(multiply)
      greater: bool = greater(sum_, limit)
      result: float64 = cond(greater):
        true:
          sqrt: float64 = sqrt(sum_)
          return sqrt
        false:
          return sum_
      return result

Every value has a name of its own throughout the text, the user's where the user has one; what a
subgraph captures has the name that it has outside. Numbers stand where they are used.
`x_1 = x after x[0] = 1` is x with new contents.
"""
from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .graph import FORMS, Graph, Node, Value
from .names import base_name, given_names

_INDENT = '  '


@dataclass(frozen=True)
class Line:
    """A line of the text.

    Attributes:
      node: the node that it shows, or that owns the graph that it shows a part of.
      role: which of the node's graphs that is; '' where it is the node, or the head of the whole.
      returns: the graph whose results it shows.
    """

    text: str
    node: Node | None = None
    role: str = ''
    returns: Graph | None = None



def text(graph: Graph) -> str:
    """The graph as a person reads it."""
    return '\n'.join(line.text for line in lines(graph))


def lines(graph: Graph) -> Iterator[Line]:
    """The lines of the text, each with what it shows."""
    return _Text(given_names(graph)).graph(graph)


def operation(node: Node, names: Sequence[str]) -> str:
    """What a node does, with these names for its inputs."""
    args: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
    # Operators are shown by the name of what they call.
    named = Node(node.op, node.inputs, {**node.attrs, 'operator': ''}, node.outputs)
    if node.op.statement is not None:
        done = '; '.join(map(_source, node.op.statement(named, args)))
        return f'{names[0]} after {done}' if node.op.updates else done
    if node.op.expression is not None:
        return _source(node.op.expression(named, args))
    return f'{node.op.name}({", ".join([*names, *_options(node.attrs)])})'


def brief(node: Node) -> str:
    """One node by itself, in a line."""
    names = [value.name for value in node.inputs]
    if 'value' in node.attrs and not node.inputs:
        what = 'captured array' if isinstance(node.attrs['value'], np.ndarray) else str(
            node.attrs['value']
        )
    elif node.graphs:
        what = f'{node.op.name}({", ".join(names)})'
    else:
        what = ' '.join(operation(node, names).split())
    results = ', '.join(f'{value.name}: {value.type}' for value in node.outputs)
    return f'{results} = {what}' if results else what


class _Text:
    """Writes one graph and its subgraphs.

    Args:
      given: what the user calls the values that have a name.
    """

    def __init__(self, given: Mapping[Value, str]) -> None:
        self._given = given
        self._names: dict[Value, str] = {}
        self._counts: dict[str, int] = {}
        self._taken: set[str] = set()

    def graph(self, graph: Graph) -> Iterator[Line]:
        params = ', '.join(self._declared(param) for param in graph.params)
        results = ', '.join(str(value.type) for value in graph.outputs) or 'None'
        yield Line(f'graph {graph.name}({params}) -> {results}:')
        yield from self._body(graph, _INDENT)

    def _body(
        self, graph: Graph, margin: str, owner: Node | None = None, role: str = 'return'
    ) -> Iterator[Line]:
        for node in graph.nodes:
            yield from self._node(node, margin)
        results = ', '.join(self._name(value) for value in graph.outputs)
        yield Line(f'{margin}return {results}'.rstrip(), owner, role, graph)

    def _node(self, node: Node, margin: str) -> Iterator[Line]:
        if 'value' in node.attrs and not node.inputs:
            yield from self._constant(node, margin)
        elif node.graphs:
            yield from self._control(node, margin)
        else:
            what = ' '.join(operation(node, list(map(self._name, node.inputs))).split())
            yield Line(f'{margin}{self._results(node)}{what}', node)

    def _constant(self, node: Node, margin: str) -> Iterator[Line]:
        """A number stands where it is used; an array that the function reads has a line."""
        value, output = node.attrs['value'], node.outputs[0]
        if isinstance(value, np.ndarray):
            yield Line(f'{margin}{self._declared(output)} = captured array', node)
        else:
            self._names[output] = _bare(repr(value))

    def _results(self, node: Node) -> str:
        declared = ', '.join(self._declared(output) for output in node.outputs)
        return f'{declared} = ' if declared else ''

    # Control flow.

    def _control(self, node: Node, margin: str) -> Iterator[Line]:
        """The line of a node that owns subgraphs, and they, indented."""
        first = next(iter(node.graphs.values()))
        inputs = [self._name(v) for v in node.inputs[: len(node.inputs) - len(first.captures)]]
        for graph in node.graphs.values():
            params = graph.params[len(graph.own_params) :]
            for param, value in zip(params, graph.captures, strict=True):
                self._names[param] = self._name(value)
        results, name = self._results(node), node.op.name
        header = ', '.join(inputs)
        if 'body' in node.graphs:
            header = self._loop(node, inputs)
        elif 'function' in node.graphs:
            given = zip(map(self._declared, first.params), inputs, strict=True)
            header = ', '.join(f'{param} = {value}' for param, value in given)
            name = node.attrs['name']
        yield Line(f'{margin}{results}{name}({header}):', node)
        for role, graph in sorted(node.graphs.items(), key=lambda item: item[0] == 'body'):
            yield Line(f'{margin}{_INDENT}{role}:', node, role)
            yield from self._body(graph, margin + 2 * _INDENT, node, role)

    def _loop(self, node: Node, inputs: Sequence[str]) -> str:
        """What the loop runs over, and the names of its state with what it is before the loop."""
        own = node.graphs['body'].own_params
        first = len(own) - len(node.outputs)
        parts = []
        if first:
            items = ', '.join(self._declared(item) for item in own[:first])
            parts.append(f'{items} in {iterated(node.attrs["iterable"], inputs)}')
        before = inputs[len(inputs) - len(node.outputs) :]
        for i, (param, value) in enumerate(zip(own[first:], before, strict=True)):
            parts.append(f'{self._name(param)} = {value}')
            if 'test' in node.graphs:
                self._names[node.graphs['test'].params[i]] = self._name(param)
        return ', '.join(parts)

    # Names.

    def _declared(self, value: Value) -> str:
        return f'{self._name(value)}: {value.type}'

    def _name(self, value: Value) -> str:
        if value not in self._names:
            self._names[value] = self._unique(self._given.get(value) or base_name(value))
        return self._names[value]

    def _unique(self, base: str) -> str:
        base += '_' * keyword.iskeyword(base)
        count = self._counts.get(base, 0)
        name = f'{base}_{count}' if count else base
        while name in self._taken:
            count += 1
            name = f'{base}_{count}'
        self._counts[base] = count + 1
        self._taken.add(name)
        return name


def _source(tree: ast.AST) -> str:
    """The tree as source, with NumPy's functions by their bare names."""
    return _bare(ast.unparse(ast.fix_missing_locations(tree)))


def _bare(code: str) -> str:
    return re.sub(r'\b(?:np|math)\.(?=\w)', '', code)


def _options(attrs: Mapping[str, object]) -> list[str]:
    """What is worth telling of the attributes; the type stands before the node."""
    return [f'{name}={value}' for name, value in attrs.items() if value and name != 'type']


def iterated(iterable: Sequence[Any], sources: Sequence[str]) -> str:
    """`enumerate(xs)`: the template of what a loop runs over, with the names of its sources."""
    kind, *parts = iterable
    args = [
        iterated(part, sources) if isinstance(part, tuple) else sources[part] for part in parts
    ]
    return args[0] if kind == 'rows' else f'{kind}({", ".join(args)})'


FORMS['text'] = text
FORMS['line'] = brief
