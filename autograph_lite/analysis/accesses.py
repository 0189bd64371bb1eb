"""What a program does to names, one access at a time."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

import gast

from autograph_lite.analysis.qualnames import Attribute, QualName, qualname_of
from autograph_lite.pyct.tree import Node


class Kind(Enum):
    """What happens to a name."""

    READ = 'its value is used, with everything that can be reached from it'
    REACH = 'its value is used only to get at a place in it'
    WRITE = 'it is bound to another value'
    MODIFY = 'its value is used and changed in place'
    DELETE = 'it is unbound'
    CAPTURE = 'a closure that was just made will use it when it is called'
    PEEK = 'a closure that may be called here reads it'
    POKE = 'a closure that may be called here binds or changes it'
    HOLD = 'a closure that reads it may be called here, and from here on by anybody'

    __hash__ = object.__hash__  # by identity: Enum's own is slow, and this is asked all the time


# The accesses after which a name, or what it is bound to, is not what it was.
CHANGES = frozenset({Kind.WRITE, Kind.MODIFY, Kind.DELETE, Kind.POKE})


class Access(NamedTuple):
    """One access; the node is that of the plain name, or what implies the access if none is."""

    kind: Kind
    name: QualName
    node: Node


@dataclass(frozen=True)
class Captures:
    """What calling a closure does outside it.

    `kept` are the names that closures made by the call go on using after it.
    """

    reads: tuple[QualName, ...] = ()
    writes: tuple[QualName, ...] = ()
    kept: tuple[QualName, ...] = ()

    def __or__(self, other: Captures) -> Captures:
        return Captures(
            merged(self.reads, other.reads),
            merged(self.writes, other.writes),
            merged(self.kept, other.kept),
        )


def merged(*groups: tuple[QualName, ...]) -> tuple[QualName, ...]:
    """All names of the groups, each once, in order of first appearance."""
    return tuple(dict.fromkeys(name for group in groups for name in group))


# Methods of lists, dicts, sets, deques and arrays that change the object they are called on.
MUTATING_METHODS = frozenset({
    'append', 'extend', 'insert', 'remove', 'pop', 'clear', 'sort', 'reverse',
    'update', 'setdefault', 'popitem',
    'add', 'discard', 'difference_update', 'intersection_update', 'symmetric_difference_update',
    'appendleft', 'extendleft', 'popleft', 'rotate',
    'fill', 'put', 'resize', 'setfield', 'setflags', 'itemset',
})  # fmt: skip

# Functions of NumPy, random, heapq, bisect that change their first argument; `at`: `np.add.at`.
MUTATING_FUNCTIONS = frozenset({
    'copyto', 'place', 'putmask', 'put_along_axis', 'fill_diagonal', 'at', 'shuffle',
    'heappush', 'heappop', 'heapify', 'heapreplace', 'heappushpop', 'insort', 'insort_left',
    'insort_right',
})  # fmt: skip

# Attributes and methods of arrays that give views: what is set in one of them is set in the array.
VIEWS = frozenset({'T', 'mT', 'real', 'imag', 'flat'})
VIEW_METHODS = frozenset({
    'reshape', 'ravel', 'view', 'transpose', 'swapaxes', 'squeeze', 'diagonal',
})  # fmt: skip

# Functions that are done with a closure or a generator given to them when they return.
BORROWING = frozenset({
    'cond', 'while_loop', 'for_loop', 'and_', 'or_', 'switch_case',
    'sum', 'min', 'max', 'any', 'all', 'sorted', 'sort', 'list', 'tuple', 'set', 'dict',
    'frozenset', 'join', 'reduce',
})  # fmt: skip

# Context managers that swallow exceptions, so that what follows runs although the body did not end.
SUPPRESSING = frozenset({
    'suppress', 'raises', 'assertRaises', 'assertRaisesRegex', 'ExitStack', 'AsyncExitStack',
})  # fmt: skip


def last_name(function: Node) -> str:
    """The last part of a called function's name: `sum` for `sum`, `np.sum` and `f(x).sum`."""
    if isinstance(function, gast.Name):
        return str(function.id)
    return str(function.attr) if isinstance(function, gast.Attribute) else ''


def place_of(node: Node) -> QualName | None:
    """The place whose value changes when something in the value of this expression is set."""
    while True:
        match node:
            case gast.Call(func=gast.Attribute(value=base, attr=method)) if method in VIEW_METHODS:
                node = base
            case gast.Name() | gast.Attribute() | gast.Subscript():
                name = qualname_of(node)
                if name is not None and not _is_view(name):
                    return name
                node = node.value
            case _:
                return None


def _is_view(name: QualName) -> bool:
    """Whether it is `x.T` or the like; `self.T` is an attribute that somebody called T."""
    match name.steps:
        case [Attribute(last)]:
            return last in VIEWS and name.root != 'self'
        case _:
            return False
