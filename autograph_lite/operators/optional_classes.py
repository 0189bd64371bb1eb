"""`type(x)` of what may be `None` when the graph runs."""
from __future__ import annotations

from types import NoneType
from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..pyct.asking import has_attribute
from .is_none import is_none
from .logic import and_, not_, or_


class PerhapsNoneType:
    """The class of what may be None: it can be compared with others.

    Attributes:
      of: the value.
      there: its class where it is there.
    """

    __slots__ = ('of', 'there')

    def __init__(self, of: Any, there: type[Any]) -> None:
        self.of = of
        self.there = there

    def is_class(self, other: Any) -> Any:
        """Whether it is this class; a symbolic bool."""
        if isinstance(other, PerhapsNoneType):
            both_none = and_(is_none(self.of), lambda: is_none(other.of))
            if self.there is not other.there:
                return both_none
            return or_(
                both_none, lambda: and_(not_(is_none(self.of)), lambda: not_(is_none(other.of))))
        if other is NoneType:
            return is_none(self.of)
        return not_(is_none(self.of)) if other is self.there else False

    def __eq__(self, other: object) -> Any:
        return self.is_class(other)

    def __ne__(self, other: object) -> Any:
        return not_(self.is_class(other))

    def __hash__(self) -> int:
        raise self._unknown()

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise self._unknown()

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__') and not has_attribute(self.there, name):
            raise AttributeError(name)
        raise self._unknown()

    def _unknown(self) -> StagingError:
        there = self.there.__name__
        what = f'This is the class of what may be None when the graph runs: NoneType or {there}.'
        fix = 'Compare it with a class, or ask for more where it is known: `if x is not None:`.'
        return StagingError(describe(what, user_location(), fix))
