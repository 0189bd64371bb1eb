"""Which of the user's functions are being traced, what they were called with, and which call again.

What a call is given is compared leaf by leaf: a tensor by its type, anything else by its value. A
call that is given no more than what a call around it was given would be traced for ever.
"""
from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.joins import JoinError, join
from ..graph.tensor import Tensor
from ..graph.types import ListType, ObjectType, TensorType, array_type, type_of
from .leaves import same_static


@dataclass(frozen=True)
class Static:
    """A leaf that is known while tracing."""

    value: Any


Known = TensorType | Static


@dataclass(frozen=True)
class Given:
    """What a function was called with: the form, and what is known of each leaf."""

    structure: nest.Structure
    leaves: tuple[Known, ...]

    def covers(self, other: Given) -> bool:
        """Whether a function that takes this takes the other, too."""
        return self.structure == other.structure and all(
            map(_covers, self.leaves, other.leaves)
        )

    def widened(self, other: Given, weakly: bool = False) -> Given | None:
        """What covers both; None if nothing does.

        Args:
          other: what another call was given.
          weakly: whether no leaf may change its dtype for it.
        """
        if self.structure != other.structure:
            return None
        leaves = [_widened(a, b) for a, b in zip(self.leaves, other.leaves, strict=True)]
        found = tuple(leaf for leaf in leaves if leaf is not None)
        if len(found) < len(leaves):
            return None
        if weakly and any(map(_strengthens, self.leaves + other.leaves, found + found)):
            return None
        return Given(self.structure, found)

    @property
    def has_tensors(self) -> bool:
        """Whether a leaf is a tensor."""
        return any(isinstance(leaf, TensorType) for leaf in self.leaves)


def known(leaf: Any) -> Known:
    """What is known of a leaf."""
    if isinstance(leaf, Tensor):
        return leaf.type
    if isinstance(leaf, np.ndarray):
        return array_type(leaf.dtype, leaf.shape)
    return (type_of(leaf) if isinstance(leaf, np.generic) else None) or Static(leaf)


def type_known(leaf: Known) -> TensorType | None:
    """The type of a leaf; None for what is neither an array nor a number."""
    return type_of(leaf.value) if isinstance(leaf, Static) else leaf


def _covers(a: Known, b: Known) -> bool:
    return _widened(a, b) == a


def _widened(a: Known, b: Known) -> Known | None:
    if isinstance(a, Static) and isinstance(b, Static) and is_same(a.value, b.value):
        return a
    if isinstance(a, Static) and isinstance(b, Static) and bool in (type(a.value), type(b.value)):
        return None  # a flag says what the function is to do
    one, other = type_known(a), type_known(b)
    if one is None or other is None:
        return None
    if isinstance(one, ObjectType | ListType) or isinstance(other, ObjectType | ListType):
        return one if one == other else None
    try:
        return join(one, other)
    except JoinError:
        return None


def _strengthens(before: Known, after: Known) -> bool:
    """Whether a Python number becomes one of NumPy's."""
    one, other = type_known(before), type_known(after)
    return one is not None and other is not None and one.weak and not other.weak


def is_same(a: Any, b: Any) -> bool:
    """Whether two Python values are the same to whoever is given them."""
    if isinstance(a, types.FunctionType) and isinstance(b, types.FunctionType):
        return same_function(a, b)
    if isinstance(a, types.MethodType) and isinstance(b, types.MethodType):
        return a.__self__ is b.__self__ and is_same(a.__func__, b.__func__)
    return same_static(a, b)


def same_function(a: types.FunctionType, b: types.FunctionType) -> bool:
    """Whether two functions are of the same code and see the same variables."""
    if a is b:
        return True
    cells = zip(a.__closure__ or (), b.__closure__ or (), strict=False)
    return (
        a.__code__ is b.__code__
        and a.__globals__ is b.__globals__
        and all(one is other or _content(one) is _content(other) for one, other in cells)
    )


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it has no value yet
        return cell


class Activation:
    """A call of one of the user's functions that is being traced.

    Attributes:
      function: the converted function.
      given: what it was called with; what it is traced for where it becomes a function of the
        graph.
      depth: how many graphs were being traced when it was called.
      definition: the function of the graph that it becomes, where it calls itself.
    """

    def __init__(self, function: types.FunctionType, given: Given, depth: int) -> None:
        self.function = function
        self.given = given
        self.depth = depth
        self.definition: Any = None


class Again(BaseException):
    """A call is traced again, as a function of the graph: it was found to call itself.

    It is no Exception, so that the user's handlers let it pass.
    """

    def __init__(self, activation: Activation, given: Given) -> None:
        super().__init__()
        self.activation = activation
        self.given = given


class _Calls(threading.local):
    """The calls that this thread is tracing, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Activation] = []
        # Functions for which widening what they are given has failed.
        self.fixed: set[types.CodeType] = set()


_calls = _Calls()


@contextmanager
def calls_of_a_trace() -> Iterator[None]:
    """Around a trace, which knows only its own calls."""
    outer = _calls.stack, _calls.fixed
    _calls.stack, _calls.fixed = [], set()
    try:
        yield
    finally:
        _calls.stack, _calls.fixed = outer


@contextmanager
def active(activation: Activation) -> Iterator[None]:
    """While a call is traced."""
    _calls.stack.append(activation)
    try:
        yield
    finally:
        _calls.stack.pop()


def definitions() -> list[Any]:
    """The functions of the graph that are being traced, the innermost last."""
    return [call.definition for call in _calls.stack if call.definition is not None]


def is_called() -> bool:
    """Whether the innermost call stands in a function that is traced, too."""
    return len(_calls.stack) > 1


def keep(function: types.FunctionType) -> None:
    """What the function is given is not widened any more."""
    _calls.fixed.add(function.__code__)


# A function that was called so often, each time inside another staged block, is traced for what
# covers all that it was given; one that Python alone calls again and again, after more calls.
_LEVELS = 3
_PYTHON_LEVELS = 64


def find(function: types.FunctionType, given: Given, depth: int) -> Activation | None:
    """The call that is repeated by calling its function with what is given; None if there is none.

    Raises:
      Again: there is one that has to be traced again for that.
    """
    same = [call for call in _calls.stack if same_function(call.function, function)]
    for call in reversed(same):
        if call.definition is not None and call.given.covers(given):
            return call
        if call.definition is None and call.depth < depth and call.given.covers(given):
            raise Again(call, call.given)
    if not given.has_tensors:
        return None
    if len(same) > _PYTHON_LEVELS:
        for call in same:
            if call.definition is None and call.given.covers(given):
                raise Again(call, call.given)
    if same and function.__code__ not in _calls.fixed:
        _widen(same, given, depth)
    return None


def _widen(same: list[Activation], given: Given, depth: int) -> None:
    """Has a call traced again for what covers it and what a call inside it is given."""
    last = same[-1]
    if last.definition is not None:
        wider = last.given.widened(given)
        if wider is not None:
            raise Again(last, wider)
    levels = len({call.depth for call in same if call.depth < depth})
    if levels < _LEVELS and len(same) <= _PYTHON_LEVELS:
        return
    first: Activation | None = None
    for call in reversed(same):
        wider = call.given.widened(given, weakly=True)
        if wider is None or call.definition is not None:
            break
        first, given = call, wider
    if first is not None:
        raise Again(first, given)


def endless_recursion() -> str:
    """What to say of calls that go ever deeper: which function, and what differs between calls."""
    by_code: dict[types.CodeType, list[Activation]] = {}
    for each in _calls.stack:
        by_code.setdefault(each.function.__code__, []).append(each)
    calls = max(by_code.values(), key=len, default=[])
    if len(calls) < 2:
        return ''
    before, after = calls[-2].given, calls[-1].given
    name = calls[-1].function.__name__
    what = f'{name!r} calls itself ever deeper inside branches whose condition is a tensor'
    if before.structure != after.structure:
        return f'{what}; its arguments are {before.structure}, then {after.structure}.'
    paths = argument_paths(after.structure)
    for path, one, other in zip(paths, before.leaves, after.leaves, strict=True):
        if one != other:
            return f'{what}; {path} is {_shown(one)}, then {_shown(other)}.'
    return f'{what}.'


def _shown(leaf: Known) -> str:
    return repr(leaf.value) if isinstance(leaf, Static) else str(leaf)


def argument_paths(structure: nest.Structure) -> list[str]:
    """What the user would write for each leaf of the arguments."""
    return [
        path
        for name, part in zip(structure.keys, structure.children, strict=True)
        for path in nest.paths(part, name)
    ]


def may_be_repeated(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> bool:
    """Whether a call may come to be repeated on tensors inside itself."""
    while isinstance(function, functools.partial | types.MethodType):
        if isinstance(function, functools.partial):
            args, function = (*args, function.args, function.keywords), function.func
        else:
            args, function = (*args, function.__self__), function.__func__
    if not isinstance(function, types.FunctionType) or not _calls_others(function.__code__):
        return False
    return any(isinstance(leaf, Tensor) for leaf in nest.flatten((args, kwargs))[0])


# What generated code calls functions of the user by.
_CALLS = frozenset({'call', 'local_call'})


@lru_cache(maxsize=1024)
def _calls_others(code: types.CodeType) -> bool:
    """Whether converted code calls functions of the user."""
    return not _CALLS.isdisjoint(code.co_names) or any(
        isinstance(const, types.CodeType) and _calls_others(const) for const in code.co_consts
    )


def bound_arguments(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments | None:
    """The arguments by the function's parameters, defaults included; None if they do not fit."""
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return bound
