"""A `GraphDef` as text, in the form in which TensorFlow prints one."""
from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .types import TensorType

if TYPE_CHECKING:
    from .graph_def import FunctionDef, Library, NodeDef

_LONGEST = 100


def of_node(node: NodeDef) -> Iterator[str]:
    """The lines of a node."""
    yield f'name: "{node.name}"'
    yield f'op: "{node.op}"'
    yield from (f'input: "{name}"' for name in node.input)
    yield from (f'output: "{name}: {type_}"' for name, type_ in node.output)
    yield from _block('attr', (f'{key}: {_brief(value)}' for key, value in node.attr.items()))
    if node.location is not None:
        place = node.location.location
        yield f'location: "{os.path.basename(place.filename)}, line {place.line}"'


def of_function(function: FunctionDef) -> Iterator[str]:
    """The lines of a function."""
    yield f'name: "{function.name}"'
    for node in function.node:
        yield from _block('node', of_node(node))
    yield from (f'ret: "{name}"' for name in function.ret)


def of_library(library: Library) -> Iterator[str]:
    """The lines of a library."""
    for function in library.function:
        yield from _block('function', of_function(function))


def _block(name: str, lines: Iterator[str]) -> Iterator[str]:
    """Lines in braces; nothing where there are none."""
    inside = [f'  {line}' for line in lines]
    if inside:
        yield from (f'{name} {{', *inside, '}')


def of_whole(function: FunctionDef, library: Library) -> Iterator[str]:
    """The lines of a graph, with those that its nodes own."""
    yield from of_function(function)
    yield from _block('library', of_library(library))


def _brief(value: Any) -> str:
    """A value on one line, the same in every process."""
    text = re.sub(r' at 0x[0-9a-fA-F]+', '', ' '.join(_shown(value).split()))
    return text if len(text) <= _LONGEST else f'{text[: _LONGEST - 3]}...'


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return f'[{", ".join(map(_shown, value))}]'
    return str(value) if isinstance(value, TensorType) else repr(value)
