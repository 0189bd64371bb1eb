"""What stands for an exception that the running graph catches."""
from __future__ import annotations

from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..graph.tensor import Tensor
from ..graph.tracing import emit_one
from ..ops.effects import IS_CAUGHT
from ..ops.strings import message


def _has_no_value(*_: Any) -> NoReturn:
    raise StagingError(
        describe(
            'What the graph catches has no value while tracing.',
            user_location(),
            'In its handler, ask for its class by `isinstance` or `type(e).__name__`, for its '
            'message by `str`, raise it again, or raise another exception from it: `raise '
            'Other(...) from e`. Keep its message for later: `message = str(e)`. What it was made '
            'of, ask of the variables that were set before: `v` for `e.v` of `raise Other(v)`.',
        )
    )


def _has_none_of_it(*_: Any) -> NoReturn:
    raise StagingError(
        describe(
            'Of what the graph catches, only its class and its message are known.',
            user_location(),
            'Let the message say what is to be known of another exception: `raise '
            "Other(f'...: {e}') from e`.",
        )
    )


def caught_at(level: int) -> str:
    """What the lowered program calls what a handler catches that stands in so many others."""
    return f'caught_{level}' if level else 'caught'


class _Unknown(type):
    """What stands for a class that only the running graph knows."""

    __name__ = property(_has_no_value)


_TRACEBACK: Any = BaseException.__traceback__


class Caught(Exception, metaclass=_Unknown):
    """The exception that a handler is for: it can be raised again, and others from it.

    Attributes:
      variable: what it is called in the lowered program.
    """

    def __init__(self, variable: str) -> None:
        super().__init__()
        vars(self)['variable'] = variable

    __str__ = __repr__ = __format__ = __reduce__ = _has_no_value
    args = property(_has_no_value)
    __cause__ = __context__ = __suppress_context__ = property(_has_none_of_it)
    __notes__ = add_note = with_traceback = property(_has_none_of_it)
    __traceback__ = property(_has_none_of_it, _TRACEBACK.__set__)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != '__traceback__':  # which what leaves a `with` sets
            _has_none_of_it()
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        _has_no_value()


class ClassOfCaught:
    """What stands for the class of what is caught: only its name is known, when the graph runs."""

    __slots__ = ('_caught',)

    def __init__(self, caught: Caught) -> None:
        self._caught = caught

    @property
    def __name__(self) -> Any:
        """Its name, a text of the graph."""
        return message(self._caught.variable, '__name__')

    def __getattr__(self, name: str) -> Any:
        _has_no_value()

    __eq__ = __ne__ = __call__ = __str__ = __repr__ = __format__ = _has_no_value
    __hash__ = _has_no_value


def is_caught(caught: Caught, classes: Any) -> Tensor:
    """`isinstance(caught, classes)`."""
    kinds = classes if isinstance(classes, tuple) else (classes,)
    if any(isinstance(kind, ClassOfCaught) for kind in kinds):
        _has_no_value()
    return emit_one(IS_CAUGHT, [], {'errors': kinds, 'caught': caught.variable})
