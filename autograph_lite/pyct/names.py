"""Names that are in use, and new ones that are not."""
from __future__ import annotations

from collections.abc import Iterable, Iterator

from autograph_lite.pyct.tree import Node, walk


class Namer:
    """Gives names that nothing else in a function has."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def fresh(self, name: str) -> str:
        """The name itself if it is free, otherwise with the first number that makes it so."""
        candidate, number = name, 0
        while candidate in self._taken:
            number += 1
            candidate = f'{name}_{number}'
        self._taken.add(candidate)
        return candidate


def names_in(tree: Node) -> tuple[str, ...]:
    """Every variable name that a tree mentions in any role, in the order of the tree.

    Names of attributes and of keyword arguments are not variables and are left out.
    """
    return tuple(dict.fromkeys(name for node in walk(tree) for name in _own_names(node)))


def _own_names(node: Node) -> Iterator[str]:
    match type(node).__name__:
        case 'Name':
            yield node.id
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
