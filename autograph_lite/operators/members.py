"""Members of an `Enum` of which only the running graph knows which one it is.

    state = State.IDLE
    for x in xs:
        if x > 0:
            state = State.BUSY

It is the number of the member, in the order of the class. What the graph returns is the member.
"""
from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, Flag
from inspect import getattr_static
from types import FunctionType
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import FALLBACKS, UNREACHED
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..graph.types import ObjectType
from ..ops.calls import carrier
from .logic import not_
from .reentry import call, cond


class Member(nest.Nest):
    """One of the members of an `Enum`.

    Attributes:
      _kind: the class.
      _number: which of them it is.
    """

    __slots__ = ('_kind', '_number')

    def __init__(self, kind: type[Enum], number: Any) -> None:
        object.__setattr__(self, '_kind', kind)
        object.__setattr__(self, '_number', number)

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self._kind,), [self._number]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (kind,), (number,) = keys, parts
        if is_tracing():
            return cls(kind, number)
        return None if number is None else _members(kind)[number]  # of one that may be None

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'a {keys[0].__name__}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']

    def as_condition(self) -> Any:
        """A member is true, unless its class says otherwise."""
        if '__bool__' in dir(self._kind) or issubclass(self._kind, int | str):
            return each(self, bool)
        return True

    def __eq__(self, other: object) -> Any:
        return _compared(self, other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return _compared(self, other, operator.ne)

    def __hash__(self) -> int:
        raise _unsupported('using it as a key in this way')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not can_be_called(self):
            raise TypeError(f'{self._kind.__name__!r} object is not callable')
        return each(self, lambda member: _called(member, '__call__', args, kwargs))

    def __getattribute__(self, name: str) -> Any:
        if name in OF_NESTS:  # the user's classes may have such names, too
            return Member.__getattr__(self, name)
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        found = getattr_static(self._kind, name, None)
        if isinstance(found, classmethod | staticmethod):
            return getattr(self._kind, name)
        if not isinstance(found, FunctionType):
            return each(self, lambda member: _attribute(member, name))
        return lambda *args, **kwargs: each(self,
            lambda member: _called(member, name, args, kwargs))

    def __setattr__(self, name: str, value: Any) -> None:
        raise _unsupported(f'setting `{name}`')

    def stacked(self) -> Any:
        """What it is for `math`."""
        if not issubclass(self._kind, (*_NUMBERS, str)):
            raise _unsupported('taking it for a number')
        return data_of(self)

    def for_numpy(self) -> Any:
        """What it is for NumPy, to which a number of a class derived from Python's is its own."""
        if not issubclass(self._kind, _NUMBERS):
            return self.stacked()
        return each(self, lambda one: np.asarray(one._value_)[()])

    def as_index(self) -> Any:
        return self.stacked()

    def __getitem__(self, key: Any) -> Any:
        if not issubclass(self._kind, str):
            raise TypeError(f'{self._kind.__name__!r} object is not subscriptable')
        return data_of(self)[key]

    def __iter__(self) -> Iterator[Any]:
        if not issubclass(self._kind, str):
            raise TypeError(f'{self._kind.__name__!r} object is not iterable')
        return iter(data_of(self))

    def __contains__(self, item: Any) -> bool:
        return item in data_of(self)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        inputs = tuple(x.for_numpy() if isinstance(x, Member) else x for x in inputs)
        return getattr(ufunc, method)(*inputs, **kwargs)

    def __array_function__(self, f: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return FALLBACKS['function'](f, args, kwargs)

    def __index__(self) -> int:
        fix = 'Make a number of it: `int(state)`.' if issubclass(self._kind, int) else _FIX
        raise _unsupported('using it as an index', fix)

    def __bool__(self) -> bool:
        raise _unsupported('asking Python for its truth value')

    def __repr__(self) -> str:
        return f'<a {self._kind.__name__}>'


# What the library asks the class of a nest, so that its objects may have such names of the user's.
OF_NESTS = frozenset({'as_condition', 'of', 'parts', 'shown', 'steps'})
_NUMBERS = (int, float, complex)


def can_be_called(member: Member) -> bool:
    """Whether its class says what calling a member does."""
    return any('__call__' in vars(each) for each in member._kind.__mro__)


def each(member: Member, function: Callable[[Any], Any]) -> Any:
    """What the function gives for the member that it is."""
    members = _members(member._kind)

    def choose(number: int) -> Any:
        here = members[number]
        if number == len(members) - 1:
            return function(here)
        return cond(member._number == number, lambda: function(here), lambda: choose(number + 1))

    return choose(0)


def closed_member(member: Member) -> Any:
    """The member, where it is known while tracing."""
    number = member._number
    return _members(member._kind)[number] if type(number) is int else member


def is_one(member: Member, other: Any) -> Any:
    """Whether it is this member."""
    if isinstance(other, Member) and other._kind is member._kind:
        return member._number == other._number
    kind = member._kind
    return type(other) is kind and member._number == _members(kind).index(other)


def _compared(member: Member, other: Any, function: Callable[..., Any]) -> Any:
    """`member == other` or `member != other`."""
    equal = member._kind.__eq__
    if equal is object.__eq__ and _is_numpys(other):
        raise _unsupported('`==` with an array or a number of NumPy\'s')
    if equal is object.__eq__ or (
        equal in _EQUALITIES and is_member(other) and kind_of(other) is member._kind
    ):
        alike = is_one(member, other)
        return alike if function is operator.eq else not_(alike)
    if equal not in _EQUALITIES:
        raise _unsupported('`==` as its class defines it')
    if _is_numpys(other) and issubclass(member._kind, _NUMBERS):
        return _beside_numpys(member, function, other)
    return function(data_of(member), other)


def data_of(member: Member) -> Any:
    """The number or text that a member of an `IntEnum` or a `StrEnum` is."""
    return each(member, lambda one: one._value_)


def _attribute(member: Enum, name: str) -> Any:
    from .captures import part

    return part(member, f'.{name}')


def _called(member: Enum, name: str, args: Any, kwargs: Any) -> Any:
    return call(getattr(member, name), *args, **kwargs)


def _forwarded(name: str, function: Callable[..., Any]) -> Any:
    """An operator, which members of an `IntEnum` have from the numbers that they are."""

    def method(self: Member, *others: Any) -> Any:
        kind = self._kind
        if getattr(kind, name, None) is getattr(object, name, None):
            is_of_text = name == '__radd__' and issubclass(kind, str)  # `str` adds what follows
            if not others:
                raise TypeError(f"bad operand type for {_UNARY[name]}: '{kind.__name__}'")
            if not is_of_text:
                return NotImplemented
            return function(data_of(self), *others)
        if getattr(kind, name) is not getattr(kind._member_type_, name, None):
            raise _unsupported(f'`{name}` as its class defines it')
        if any(map(_is_numpys, others)):
            return _beside_numpys(self, function, *others)
        data = (data_of(other) if isinstance(other, Member) else other for other in others)
        return function(data_of(self), *data)

    return method


def _is_numpys(x: Any) -> bool:
    """Whether it is an array or a number of NumPy's."""
    if isinstance(x, Tensor):
        return not (x.type.weak or isinstance(x.type.present, ObjectType))
    return isinstance(x, np.ndarray | np.generic)


def _beside_numpys(member: Member, function: Callable[..., Any], other: Any) -> Any:
    """An operator of a member that is a number, and of an array or a number of NumPy's."""
    kind = carrier(other.type) if isinstance(other, Tensor) else type(other)
    if issubclass(member._kind, float) and kind is np.float64:
        return function(data_of(member), UNREACHED[float](other))  # a Python float to a float
    return function(member.for_numpy(), other)


# The comparisons of what members of an `IntEnum` or a `StrEnum` are.
_EQUALITIES = (int.__eq__, float.__eq__, str.__eq__)
_BINARY = (
    'add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'and', 'or', 'xor', 'lshift',
    'rshift',
)  # fmt: skip
_OTHERS = ('lt', 'le', 'gt', 'ge', 'neg', 'pos', 'abs', 'invert')
_BUILTINS: dict[str, Callable[..., Any]] = {
    '__pow__': pow, '__divmod__': divmod, '__rdivmod__': lambda a, b: divmod(b, a),
    '__round__': round, '__floor__': math.floor, '__ceil__': math.ceil, '__trunc__': math.trunc,
}
_UNARY = {
    '__neg__': 'unary -', '__pos__': 'unary +', '__invert__': 'unary ~', '__abs__': 'abs()',
    '__round__': 'round()', '__floor__': 'math.floor()', '__ceil__': 'math.ceil()',
    '__trunc__': 'math.trunc()',
}  # fmt: skip
# The functions that do what the methods say.
_OPERATIONS = {f'__{name}__': getattr(operator, f'__{name}__') for name in (*_BINARY, *_OTHERS)}
_REFLECTED = {f'__r{name}__': getattr(operator, f'__{name}__') for name in _BINARY}

for _name, _function in (_OPERATIONS | _BUILTINS).items():
    setattr(Member, _name, _forwarded(_name, _function))
for _name, _function in _REFLECTED.items():
    setattr(Member, _name, _forwarded(_name, lambda a, b, f=_function: f(b, a)))


def _members(kind: type[Enum]) -> list[Enum]:
    return list(kind.__members__.values())


def member(x: Any) -> Any:
    """A member of an `Enum` by its number."""
    return Member(type(x), _members(type(x)).index(x)) if isinstance(x, Enum) else x


def is_member(x: Any) -> bool:
    """Whether it is a member of an `Enum`, and not a combination of some."""
    return isinstance(x, Member) or (isinstance(x, Enum) and not isinstance(x, Flag))


def are_members(a: Any, b: Any) -> bool:
    """Whether two ways give members of one class."""
    if not (is_member(a) and is_member(b)):
        return False
    return kind_of(a) is kind_of(b) and not (isinstance(a, Member) and isinstance(b, Member))


def kind_of(x: Any) -> Any:
    """The class of a member."""
    return x._kind if isinstance(x, Member) else type(x)


_FIX = 'Ask which one it is, `if state is State.IDLE`, or keep numbers instead.'


def _unsupported(what: str, fix: str = _FIX) -> StagingError:
    return StagingError(
        describe(
            f'A member of an Enum that only the running graph knows does not support {what}.',
            user_location(),
            fix,
        )
    )
