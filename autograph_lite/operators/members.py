"""Members of an `Enum` of which only the running graph knows which one it is.

    state = State.IDLE
    for x in xs:
        if x > 0:
            state = State.BUSY

It is the number of the member, in the order of the class. What the graph returns is the member.
"""
from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, Flag
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tracing import is_tracing
from .watched import is_watched


class Member(nest.Nest):
    """One of the members of an `Enum`.

    Attributes:
      kind: the class.
      number: which of them it is.
    """

    __slots__ = ('kind', 'number')

    def __init__(self, kind: type[Enum], number: Any) -> None:
        object.__setattr__(self, 'kind', kind)
        object.__setattr__(self, 'number', number)

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.kind,), [self.number]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (kind,), (number,) = keys, parts
        return cls(kind, number) if is_tracing() else _members(kind)[number]

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'a {keys[0].__name__}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']

    def closed(self) -> Any:
        """The member, where it is known while tracing."""
        return _members(self.kind)[self.number] if type(self.number) is int else self

    def is_(self, other: Any) -> Any:
        """Whether it is this member."""
        if isinstance(other, Member) and other.kind is self.kind:
            return self.number == other.number
        return type(other) is self.kind and self.number == _members(self.kind).index(other)

    def as_condition(self) -> Any:
        """A member is true, unless its class says otherwise."""
        if '__bool__' in dir(self.kind) or issubclass(self.kind, int | str):
            raise _unsupported('asking for its truth value')
        return True

    def __eq__(self, other: object) -> Any:
        is_alike = self.kind.__eq__ is object.__eq__ or (
            self.kind.__eq__ in (int.__eq__, str.__eq__) and is_member(other)
            and kind_of(other) is self.kind)
        if not is_alike:
            raise _unsupported('`==` as its class defines it')
        return self.is_(other)

    def __ne__(self, other: object) -> Any:
        from .logic import not_

        return not_(self == other)

    __hash__ = None  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        raise _unsupported(f'`{name}`')

    def __setattr__(self, name: str, value: Any) -> None:
        raise _unsupported(f'setting `{name}`')

    def __bool__(self) -> bool:
        raise _unsupported('asking Python for its truth value')

    def __repr__(self) -> str:
        return f'<a {self.kind.__name__}>'


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
    return x.kind if isinstance(x, Member) else type(x)


def identical(a: Any, b: Any) -> Any:
    """`a is b`.

    Raises:
      StagingError: only the running graph knows whether two names stand for one list or object.
    """
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Member):
            return one.is_(other)
    if a is not b and is_watched(a) and is_watched(b):
        what = 'Whether the two are one object, only the running graph knows.'
        fix = 'Compare what they hold, or keep a variable that tells which of them it is.'
        raise StagingError(describe(what, user_location(), fix))
    return a is b


def _unsupported(what: str) -> StagingError:
    return StagingError(
        describe(
            f'A member of an Enum that only the running graph knows does not support {what}.',
            user_location(),
            'Ask which one it is, `if state is State.IDLE`, or keep numbers instead.',
        )
    )
