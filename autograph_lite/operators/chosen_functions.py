"""Functions of which only the running graph knows which one it is.

    step = np.sin if x > 0 else np.cos
    return step(x)

It is the number of the function, among those that it may be: a call has a branch for each. What the
graph returns is the function.
"""
from __future__ import annotations

import functools
import types
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..graph.types import ListType, type_of
from ..pyct.asking import called, get_attribute
from .logic import not_
from .optional_nests import Perhaps
from .reentry import cond
from .staging import graph_now


class OneFunction(nest.Nest):
    """One of several functions.

    Attributes:
      _functions: those that it may be.
      _number: which of them it is.
    """

    __slots__ = ('_functions', '_number')

    def __init__(self, functions: tuple[Any, ...], number: Any) -> None:
        self._functions = functions
        self._number = number

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return tuple(map(_Known, self._functions)), [self._number]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (number,), functions = parts, tuple(key.function for key in keys)
        if is_tracing():
            return cls(functions, number)
        return None if number is None else functions[number]

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return ' or '.join(called(key.function) for key in keys)

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']

    def as_condition(self) -> bool:
        """A function is true."""
        return True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from .chosen_parts import called_one  # it needs what is here

        return called_one(self._chosen(), *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__') and name not in ('__name__', '__doc__'):
            raise AttributeError(name)
        return self._chosen().then(lambda function: _attribute(function, name)).value()

    def __eq__(self, other: object) -> Any:
        return is_function(self, other)

    def __ne__(self, other: object) -> Any:
        return not_(self == other)

    def __hash__(self) -> int:
        raise _unsupported('using it as a key')

    def __repr__(self) -> str:
        return f'<{" or ".join(map(called, self._functions))}>'

    def python_class(self) -> type[Any]:
        """The class that they all have.

        Raises:
          StagingError: they are of several.
        """
        kinds = set(map(type, self._functions))
        if len(kinds) > 1:
            raise _unsupported('asking for its class')
        return kinds.pop()

    def each(self, function: Callable[[Any], Any]) -> Any:
        """What a function gives for the one that it is."""
        return self._chosen().told(lambda number: function(self._functions[number]))

    def _chosen(self) -> Any:
        from .chosen_parts import Chosen  # it needs what is here
        from .comparing import equal

        if isinstance(self._number, Tensor):
            return Chosen(self._number, self._functions)
        asks = [functools.partial(equal, self._number, i) for i in range(len(self._functions))]
        return Chosen(asks, self._functions)


class _Known:
    """A function in the form of a nest: itself, whatever its class says of equality."""

    __slots__ = ('function',)

    def __init__(self, function: Any) -> None:
        self.function = function

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and _is_same(self.function, other.function)

    def __hash__(self) -> int:
        return hash(type(self.function))


def functions_within(x: Any) -> Iterator[Any]:
    """The functions that may be chosen in a nest."""
    x = nest.actual(x)
    if isinstance(x, OneFunction):
        yield from x._functions
    for part in nest.children(x):
        yield from functions_within(part)


def one_function(functions: Sequence[Any], told: Callable[[Callable[[int], Any]], Any]) -> Any:
    """One of these functions.

    Args:
      functions: these; each may be there more than once.
      told: gives what a function says of the place of the right one among them.
    """
    distinct = functions_of(*functions)
    return OneFunction(distinct, told(lambda place: _number_of(distinct, functions[place])))


def can_be_chosen(x: Any) -> bool:
    """Whether it can be one of several functions: no method of a list or another container."""
    if isinstance(x, types.MethodType | types.BuiltinMethodType):
        owner = x.__self__
        is_list = isinstance(owner, Tensor) and isinstance(owner.type, ListType)
        return not (is_list or isinstance(owner, nest.Nest | list | dict | set | deque))
    if isinstance(x, type):
        return not issubclass(x, np.generic)
    return isinstance(x, (OneFunction, *_FUNCTIONS)) or type(x) is _class_of_functions()


_FUNCTIONS = (types.FunctionType, functools.partial, np.ufunc, type(np.sum))


def _class_of_functions() -> type[Any]:
    from ..function import Function  # it imports what is here

    return Function


def are_functions(a: Any, b: Any) -> bool:
    """Whether two ways give two functions, or one of them one by its number."""
    a, b = _where_there(a), _where_there(b)
    if not (can_be_chosen(a) and can_be_chosen(b)):
        return False
    mine, others = functions_of(a), functions_of(b)
    is_like = len(mine) == len(others) and all(map(_is_same, mine, others))
    return not is_like or isinstance(a, OneFunction) is not isinstance(b, OneFunction)


def chosen_among(*each: Any) -> tuple[Any, ...]:
    """The functions that two ways give; none where they give something else."""
    return functions_of(*filter(can_be_chosen, map(_where_there, each)))


def functions_of(*each: Any) -> tuple[Any, ...]:
    """The functions that these may be, each of them once."""
    found: list[Any] = []
    for x in map(_where_there, each):
        for function in x._functions if isinstance(x, OneFunction) else (x,):
            if callable(function) and _number_in(found, function) is None:
                found.append(function)
    return tuple(found)


def _where_there(x: Any) -> Any:
    """The function, of one that may be None."""
    return x.nest if isinstance(x, Perhaps) and isinstance(x.nest, OneFunction) else x


def is_to_choose(before: Any, after: Any) -> bool:
    """Whether it is a function, or one of several, beside one that is not among these."""
    if not are_functions(before, after):
        return False
    known, others = functions_of(before), functions_of(after)
    is_known = all(_number_in(known, each) is not None for each in others)
    if not (is_known and isinstance(_where_there(before), OneFunction)):
        return True
    return len(known) == len(others) and _rank(known) > _rank(others)


def _rank(functions: Sequence[Any]) -> list[tuple[str, int]]:
    """What tells which of two orders of the same functions both ways take."""
    return [(called(each), id(each)) for each in functions]


def chosen_beside(before: Any, after: Any) -> Any:
    """A function as one of those that it and the other may be, in the order of the wider."""
    functions = functions_of(before, after)
    others = functions_of(after)
    return as_one_of(others if len(others) == len(functions) else functions, before)


def as_one_of(functions: tuple[Any, ...], x: Any) -> Any:
    """A function, or one that may be None, as one of these.

    Raises:
      StagingError: it is another one whenever the block that makes it is traced.
    """
    for each in functions_of(x):
        if _number_in(functions, each) is None or _holds_values(each):
            raise StagingError(
                describe(
                    f'Which function this is only the running graph knows, and {called(each)} '
                    'holds values of the block that makes it.',
                    user_location(),
                    'Call it where it is made, or make it before, and give it these as arguments.',
                )
            )
    if isinstance(x, Perhaps):
        return cond(x.present, lambda: as_one_of(functions, x.sure()), lambda: None)
    return OneFunction(functions, _number_of(functions, x))


def _number_of(functions: Sequence[Any], x: Any) -> Any:
    """The number of a function among these."""
    if not isinstance(x, OneFunction):
        return _number_in(functions, x)
    numbers = [_number_in(functions, each) for each in x._functions]
    if numbers == list(range(len(numbers))):
        return x._number
    return x._chosen().told(lambda number: numbers[number])


def closed_function(x: OneFunction) -> Any:
    """The function, where it is known while tracing."""
    return x._functions[x._number] if type(x._number) is int else x


def is_function(x: OneFunction, other: Any) -> Any:
    """Whether it is this function."""
    if isinstance(other, OneFunction):
        return other._chosen().told(lambda number: is_function(x, other._functions[number]))
    number = _number_in(x._functions, other)
    return False if number is None else x._number == number


def _number_in(functions: Sequence[Any], x: Any) -> int | None:
    return next((i for i, each in enumerate(functions) if _is_same(each, x)), None)


def _is_same(a: Any, b: Any) -> bool:
    """Whether two functions are one, or of one definition in a block that was traced twice."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, types.MethodType):
        return a.__func__ is b.__func__ and a.__self__ is b.__self__
    if isinstance(a, types.BuiltinMethodType):
        return a.__name__ == b.__name__ and a.__self__ is b.__self__
    if isinstance(a, functools.partial):
        return (
            _is_same(a.func, b.func) and len(a.args) == len(b.args)
            and list(a.keywords) == list(b.keywords)
            and all(map(_is_same_value, _given(a), _given(b))))
    if not isinstance(a, types.FunctionType) or a.__code__ is not b.__code__:
        return False
    return all(map(_is_same_value, _held(a), _held(b)))


def _is_same_value(a: Any, b: Any) -> bool:
    if a is b or (type_of(a) is not None and type(a) is type(b) and repr(a) == repr(b)):
        return True
    return isinstance(a, types.FunctionType) and _is_same(a, b)


def _given(f: functools.partial[Any]) -> list[Any]:
    return [*f.args, *f.keywords.values()]


def _held(f: types.FunctionType) -> list[Any]:
    """What a function holds: its defaults, and what is in the variables that it closes over."""
    defaults = *(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()
    cells = f.__closure__ or ()
    return [*defaults, *(get_attribute(cell, 'cell_contents') for cell in cells)]


def _holds_values(x: Any) -> bool:
    """Whether a function holds a value of the block that is being traced."""
    held = _held(x) if isinstance(x, types.FunctionType) else []
    held = _given(x) if isinstance(x, functools.partial) else held
    held = [x.__self__] if isinstance(x, types.MethodType) else held
    return any(
        isinstance(leaf, Tensor) and leaf.held.graph is graph_now()
        for value in held for leaf in nest.flatten(value)[0])


def _attribute(function: Any, name: str) -> Any:
    from .captures import part

    return part(function, f'.{name}')


def _unsupported(what: str) -> StagingError:
    return StagingError(
        describe(
            f'A function that only the running graph knows does not support {what}.',
            user_location(),
            'Ask which one it is, `if step is np.sin`, or keep numbers instead.',
        )
    )
