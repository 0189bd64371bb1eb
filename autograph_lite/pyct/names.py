"""Names that are in use, and new ones that are not."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograph_lite.pyct.tree import Node, walk


class Namer:
    """Gives names that nothing else in a function has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}  # the last that was tried of each name

    def fresh(self, name: str) -> str:
        """The name itself if it is free, otherwise with the first number that makes it so."""
        number = self._numbers.get(name, 0)
        candidate = f'{name}_{number}' if number else name
        while candidate in self._taken:
            number += 1
            candidate = f'{name}_{number}'
        self._numbers[name] = number
        self._taken.add(candidate)
        return candidate


def names_in(tree: Node) -> tuple[str, ...]:
    """Every variable name that a tree mentions in any role, in the order of the tree.

    Names of attributes and of keyword arguments are not variables and are left out.
    """
    return names_of(walk(tree))


def names_of(nodes: Iterable[Node]) -> tuple[str, ...]:
    """Every variable name that nodes mention themselves, and not what is in them."""
    found: dict[str, None] = {}
    for node in nodes:
        if type(node).__name__ == 'Name':  # most of them are
            found[node.id] = None
        else:
            found.update(dict.fromkeys(_own_names(node)))
    return tuple(found)


def _own_names(node: Node) -> Iterator[str]:
    match type(node).__name__:
        case 'arg':
            yield node.arg
        case 'FunctionDef' | 'AsyncFunctionDef' | 'ClassDef':
            yield node.name
        case 'TypeVar' | 'ParamSpec' | 'TypeVarTuple':
            yield node.name
        case 'MatchAs' | 'MatchStar' if node.name:
            yield node.name
        case 'MatchMapping' if node.rest:
            yield node.rest
        case 'ExceptHandler' if isinstance(node.name, str):
            yield node.name
        case 'Global' | 'Nonlocal':
            yield from node.names
        case 'alias':
            yield node.asname or node.name.split('.')[0]


def mangled(name: str, class_name: str | None) -> str:
    """A private name as it is called inside a class."""
    stripped = (class_name or '').lstrip('_')
    if not stripped or not name.startswith('__') or name.endswith('__') or '.' in name:
        return name
    return f'_{stripped}{name}'
