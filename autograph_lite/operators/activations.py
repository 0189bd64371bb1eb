"""Which of the user's functions are being traced, what they were called with, and which call again.

What a call is given is compared leaf by leaf: a tensor by its type, anything else by its value. A
call that is given no more than what a call around it was given would be traced for ever.
"""
from __future__ import annotations

import functools
import inspect
import sys
import threading
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.joins import JoinError, join
from ..graph.tensor import Tensor
from ..graph.tracing import depth
from ..graph.types import ListType, ObjectType, TensorType, array_type, type_of
from ..pyct.codes import once_by_code
from ..pyct.deep import users_limit
from .holders import Holder
from .leaves import same_static
from .local_code import defaults


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
        # Of calls of one function, the leaves are what differs.
        return all(map(_covers, self.leaves, other.leaves)) and self.structure == other.structure

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
    if isinstance(a, Static):
        return isinstance(b, Static) and is_same(a.value, b.value)
    return a is b or _widened(a, b) == a


def _widened(a: Known, b: Known) -> Known | None:
    if isinstance(a, Static) and isinstance(b, Static) and is_same(a.value, b.value):
        return a
    if isinstance(a, Static) and isinstance(b, Static) and bool in (type(a.value), type(b.value)):
        return None  # a flag says what the function is to do
    one, other = type_known(a), type_known(b)
    if one is None or other is None:
        return None
    if isinstance(one, ObjectType) or isinstance(other, ObjectType):
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
    other = _kept(b)
    return (
        a.__code__ is b.__code__
        and all(other.get(name) is value for name, value in _kept(a).items())
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
      places: what it changes without being given it; a function of the graph is given that, too.
      definition: the function of the graph that it becomes, where it calls itself.
      taken: what it was called with, and what the places held.
      repeated: how often its function was called within it so far.
    """

    def __init__(
        self, function: types.FunctionType, arguments: Mapping[str, Any], depth: int
    ) -> None:
        self.function = function
        self.depth = depth
        self.repeated = 0
        self.places: tuple[Holder, ...] = ()
        self.definition: Any = None
        self.take(self.operands(arguments))

    def take(self, operands: Mapping[str, Any]) -> None:
        """It is traced for these."""
        self.taken = as_it_is(operands)
        self.given = given_by(operands, len(self.places))

    def operands(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """What a call of it is given here: the arguments, and what the places hold."""
        held: dict[str, Any] = {}
        parameters = {**defaults(self.function), **arguments}
        for place in self.places:
            name = place.name
            while name in parameters or name in held:
                name += '_'
            held[name] = place.read()
        return {**arguments, **held}


def as_it_is(operands: Mapping[str, Any]) -> Any:
    """The same leaves in containers of their own: what is called may change those of the user."""
    return nest.map_leaves(lambda leaf: leaf, operands)


def given_by(operands: Mapping[str, Any], places: int = 0) -> Given:
    """What is known of what a function is called with.

    Args:
      operands: by name; the places that it changes come last.
      places: how many those are. Of a number that is there, no more than the type is known.
    """
    leaves, structure = nest.flatten(operands)
    changed = nest.flatten(list(operands.values())[len(operands) - places :])[0]
    given = list(map(known, leaves))
    start = len(given) - len(changed)
    given[start:] = [type_known(leaf) or leaf for leaf in given[start:]]
    return Given(structure, tuple(given))


class Again(BaseException):
    """A call is traced again, as a function of the graph: it was found to call itself.

    It is no Exception, so that the user's handlers let it pass.

    Attributes:
      activation: the call.
      given: what it is to be traced for.
      like: a nest in the form of which it is to be given its lists; None for their own.
    """

    def __init__(self, activation: Activation, given: Given, like: Any = None) -> None:
        super().__init__()
        self.activation = activation
        self.given = given
        self.like = like


class _Calls(threading.local):
    """The calls that this thread is tracing, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Activation] = []
        # Functions for which widening what they are given has failed.
        self.fixed: set[types.CodeType] = set()
        self.handled: BaseException | None = None
        self.is_recursive = False


_calls = _Calls()


@contextmanager
def calls_of_a_trace() -> Iterator[None]:
    """Around a trace, which knows only its own calls, and handles only what they raise."""
    outer = vars(_calls).copy()
    _calls.stack, _calls.fixed, _calls.handled = [], set(), sys.exc_info()[1]
    _calls.is_recursive = False
    try:
        yield
    finally:
        vars(_calls).update(outer)


def is_handled_outside(error: BaseException) -> bool:
    """Whether the trace was begun while this exception was handled."""
    return error is _calls.handled


@contextmanager
def active(activation: Activation) -> Iterator[None]:
    """While a call is traced.

    Raises:
      RecursionError: plain Python would not go as deep either.
    """
    if len(_calls.stack) >= users_limit():
        raise RecursionError('maximum recursion depth exceeded')
    code = activation.function.__code__
    _calls.is_recursive |= any(each.function.__code__ is code for each in _calls.stack)
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


def is_recursive() -> bool:
    """Whether a function was called within itself so far: then blocks are found one by one.

    How they are traced tells which of the calls becomes a function of the graph.
    """
    return _calls.is_recursive


def calls_of(function: types.FunctionType) -> list[Activation]:
    """The calls of a function that are being traced, the innermost last."""
    return [call for call in _calls.stack if same_function(call.function, function)]


def keep(function: types.FunctionType) -> None:
    """What the function is given is not widened any more."""
    _calls.fixed.add(function.__code__)


def is_kept(function: types.FunctionType) -> bool:
    """Whether what the function is given is not widened any more."""
    return function.__code__ in _calls.fixed


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
    is_staged = depth() > 1
    return is_staged or any(isinstance(x, Tensor) for x in nest.flatten((args, kwargs))[0])


# What generated code calls functions of the user by.
_CALLS = frozenset({'call', 'local_call'})
_MAKING = frozenset({'__init__', '__new__', '__post_init__'})


@once_by_code
def _calls_others(code: types.CodeType) -> bool:
    """Whether converted code calls functions of the user: a method such as `__add__` may do so by
    an operator.
    """
    is_special = code.co_name.startswith('__') and code.co_name not in _MAKING
    return is_special or not _CALLS.isdisjoint(code.co_names) or any(
        isinstance(const, types.CodeType) and _calls_others(const) for const in code.co_consts
    )


def bound_arguments(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> inspect.BoundArguments | None:
    """The arguments by the function's parameters, defaults included; None if they do not fit.

    What a function of the trace has by default, and may change, it finds where it keeps that.
    """
    try:
        signature = inspect.signature(function, follow_wrapped=False)
        bound = signature.bind(*args, **kwargs)
    except TypeError:
        return None
    kept = _kept(function).keys() - bound.arguments.keys()
    bound.apply_defaults()
    for name in kept:
        del bound.arguments[name]
    return bound


def _kept(function: types.FunctionType) -> dict[str, Any]:
    """The lists and dicts, by parameter, that a function of the trace has by default."""
    found = defaults(function)
    return {name: value for name, value in found.items() if not _is_plain(value)}


def _is_plain(value: Any) -> bool:
    is_staged = isinstance(value, Tensor) and isinstance(value.type, ListType)
    return nest.is_leaf(value) and not is_staged
