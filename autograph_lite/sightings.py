"""Which arrays the running graph may find in lists, sets and dicts outside that it asks or changes.

    self.total[0] += x
    self.rows.append(row)
    return np.stack(self.rows)

The graph works on copies of the arrays that it modifies. In a list that holds such an array it
would find what that was before the call, so the list is looked through when a call begins.
"""
from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from .graph.graph import Graph, Node
from .graph.types import ListType, LiveType, TensorType
from .operators.cached import Asking
from .operators.outer_calls import Changing
from .operators.running_reads import Reading
from .operators.unconverted import names_in
from .ops.outer_variables import UNSET, OuterVariable
from .ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION

Array = np.ndarray[Any, Any]

# Methods of lists that compare nothing in them.
_COMPARING_NOTHING = (
    'append', 'appendleft', 'clear', 'insert', 'pop', 'popleft', 'reverse', 'rotate', '__delitem__',
    '__imul__', '__setitem__', 'getitem', 'len', 'list')
# Those that do not, either, and go through what they are given.
_FILLING = ('extend', 'extendleft', '__iadd__')
# Classes of what shares no memory, and is compared by no code of the user's.
_PLAIN = frozenset([
    bool, int, float, complex, str, bytes, slice, range, type(None),
    *(kind for kind in np.sctypeDict.values() if kind not in (np.object_, np.void))])
_CONTAINERS = (list, tuple, deque, set, frozenset, dict)
_WORK = 10_000


def runs_any_code(node: Node) -> bool:
    """Whether it calls code that may read whatever there is."""
    if node.op not in (PYTHON_FUNCTION, PYTHON_ACTION):
        return False
    run = node.attrs['run']
    if isinstance(run, Asking):
        return False
    return not isinstance(run, Changing | Reading) or any(
        callable(x) and not _reads_no_more_than_it_is_given(x) for x in run.given)


def _reads_no_more_than_it_is_given(f: Any) -> bool:
    if isinstance(f, types.FunctionType):
        has_values = f.__defaults__ or f.__kwdefaults__ or any(map(_has_value, f.__closure__ or ()))
        return not has_values and f.__globals__.keys().isdisjoint(names_in(f.__code__))
    return isinstance(f, types.BuiltinFunctionType) or type(f).__module__ == 'operator'


def _has_value(cell: types.CellType) -> bool:
    return cell == types.CellType() or not isinstance(cell.cell_contents, types.ModuleType)


class Sightings:
    """Where a graph may find arrays that live outside.

    Args:
      graph: the graph, in which nothing runs any code.
    """

    def __init__(self, graph: Graph) -> None:
        runs = (Changing, Reading)
        nodes = [node for node in graph.walk() if isinstance(node.attrs.get('run'), runs)]
        self._places = [node.attrs['run'].container for node in nodes if _looks(node)]
        if self._places:  # what is in them by then may come from there
            self._places += [x for node in nodes for x in node.attrs['run'].given]

    def found(self) -> list[Any]:
        """What may share memory, or be compared by code of the user's, as it is now."""
        held = [x.get() if isinstance(x, OuterVariable) else x for x in self._places]
        return list(_found([x for x in held if x is not UNSET], set()))


def _looks(node: Node) -> bool:
    """Whether it looks at arrays in the container that it is of, if there are any."""
    run = node.attrs['run']
    if any(map(_may_hold_arrays, node.attrs['types'])):
        return True
    is_safe = isinstance(run, Changing) and run.never_raises
    if is_safe or isinstance(run.container, set | dict):
        return False
    name = _name(run.function)
    return name not in _COMPARING_NOTHING and (name not in _FILLING or bool(run.given))


def _name(function: Any) -> str:
    while isinstance(function, functools.partial):
        function = function.func
    return str(getattr(function, '__name__', ''))


def _may_hold_arrays(type_: TensorType) -> bool:
    if isinstance(type_, ListType):
        return type_.element is not None and _may_hold_arrays(type_.element)
    return type_.kind == 'array' or isinstance(type_, LiveType)


def _found(values: Collection[Any], known: set[int]) -> Iterator[Any]:
    if _PLAIN.issuperset(map(type, values)):
        return
    for x in values:
        if isinstance(x, _CONTAINERS):
            if id(x) not in known:
                known.add(id(x))
                yield from _found([*x, *x.values()] if isinstance(x, dict) else x, known)
        elif type(x) not in _PLAIN and not callable(x):
            yield x


def overlap(a: Array, b: Array) -> bool:
    """Whether two arrays share memory, or it is too hard to tell."""
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=_WORK)  # type: ignore[arg-type]  # NumPy's is wrong
    except np.exceptions.TooHardError:
        return True


def lie_apart(some: Iterable[Array], others: Iterable[Array]) -> bool:
    """Whether arrays lie in pieces of memory of their own, those of each group each counted once.

    Then no two of them overlap.
    """
    pieces = sorted(
        byte_bounds(x) for group in (some, others) for x in {id(x): x for x in group}.values())
    return all(end <= begin for (_, end), (begin, _) in pairwise(pieces))
