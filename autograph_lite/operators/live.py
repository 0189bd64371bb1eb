"""`Live`: a list, tuple, dict, set or object that the running program has itself.

    last = rows[-1]
    last[1] += 1

A list that the running graph fills has values, and a name for one of them has the same value. Where
one of them is changed, so that names would tell, the function is traced anew: then the list holds
what the running program makes and changes as Python does, and a name is for that one.
"""
from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from ..errors import describe, user_location, with_article
from ..graph import nest
from ..graph.graph import Op, Value
from ..graph.joins import JoinError
from ..graph.state import State
from ..graph.storage import ELEMENT, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..graph.types import ListType, LiveType, TensorType, python_scalar
from ..ops.live import ASK_LIVE, GET_LIVE, SET_LIVE, TELL_LIVE
from .handles import handle
from .leaves import leaf_of, value_of
from .lists import held_element, raw_value
from .live_types import (
    NotOfLiveError,
    changes_of,
    joined_type,
    note_change,
    type_at,
)
from .staging import graph_now
from .unbound import Unbound, is_missing


class Live(nest.Nest):
    """One of them; it may be None when the graph runs.

    Its `_held` is the value that stands for it in the graph.
    """

    __slots__ = ()

    _kind: type[Any]  # the class of what it stands for

    @classmethod
    def standing_for(cls, held: Tensor) -> Live:
        """The one for which this value stands."""
        raise NotImplementedError

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (), [value_in_graph(self)]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (held,) = parts
        if isinstance(held, Live):
            return held
        if not isinstance(held, Tensor | State | Unbound):
            return held
        known: Any = held
        return cls.standing_for(known)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'a {cls._kind.__name__}'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['']

    def is_one(self, x: Any) -> Any:
        """Whether it is the same object as something else."""
        x = nest.actual(x)
        if x is None:
            return is_absent(self)
        return sign_of(self, 'is', value_in_graph(x)) if isinstance(x, Live) else False

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        from .live_copies import copied_whole  # it needs what is here

        return copied_whole(value_in_graph(self), memo)

    def __repr__(self) -> str:
        return f'<a {kind_of(self).__name__} of the running graph>'


def value_in_graph(x: Live) -> Tensor:
    """What stands for it in the graph."""
    found: Tensor = object.__getattribute__(x, '_held')
    return found


def form_of(x: Live) -> LiveType:
    """What is known of what it holds."""
    type_ = value_in_graph(x).type.present
    assert isinstance(type_, LiveType)
    return type_


def kind_of(x: Live) -> type[Any]:
    """The class of what it stands for."""
    return type(x)._kind


def is_absent(x: Live) -> Any:
    """Whether it is None."""
    held = value_in_graph(x)
    return is_missing(held) if held.type.maybe else False


def unsupported(
    x: Live, what: str, fix: str = 'Take what is in it: `row[0]`, `p.x`, `for x in row`.'
) -> NotOfLiveError:
    """The error for what is not done with it."""
    kind = with_article(kind_of(x).__name__, begins=True)
    return NotOfLiveError(describe(
        f'{kind} of which only the running graph knows which one it is does not support {what}.',
        user_location(), fix))


def wrapped(value: Value) -> Any:
    """What stands for a value of the graph: a nest for what is live."""
    from .live_kinds import kind_for

    type_ = value.type
    if isinstance(type_, LiveType):
        return kind_for(type_.of).standing_for(handle(value))
    is_array = type_.kind == 'array' and not isinstance(type_, ListType)
    return handle(value, (Storage(graph_now(), ELEMENT),) if is_array else None)


def put_value(x: Any, type_: LiveType, key: Hashable) -> Value:
    """The value of what is put into what has this form, at a key; of the type that fits all there.

    Raises:
      StagingError: no type does, or it is no value of the graph.
    """
    from .live_kinds import as_part

    value = raw_value(held_element(as_part(x)))
    try:
        known = joined_type(type_, key, value.type)
    except JoinError as error:
        raise NotOfLiveError(describe(
            f'What is at one place of a {type_} is of several types: {error}.', user_location(),
            'Put values of one type there.')) from None
    return value_of(leaf_of(Tensor(value), graph_now()), known, graph_now())


def load(x: Live, key: Hashable, *index: Any, **attrs: Any) -> Any:
    """What it holds at a key.

    Raises:
      IndexError: nothing is known to be there; as yet, where a turn of a loop puts it there.
    """
    type_ = type_at(form_of(x), key)
    if type_ is None:
        raise IndexError(f'{kind_of(x).__name__} index out of range')
    return ask(x, GET_LIVE, *index, type=type_, **attrs)


def store(x: Live, key: Hashable, value: Any, *index: Any, **attrs: Any) -> None:
    """Puts something there."""
    put = Tensor(put_value(value, form_of(x), key))
    note_change(form_of(x))
    emit(SET_LIVE, [value_in_graph(x), *index, put], attrs, value_of=raw_value)


def ask(x: Live, op: Op, *args: Any, **attrs: Any) -> Any:
    """What an operation that reads it, and perhaps changes it, gives."""
    (made,) = emit(op, [value_in_graph(x), *args], attrs, value_of=raw_value)
    return wrapped(made.held)


def call_of(x: Live, name: str, type_: TensorType | None, *args: Any) -> Any:
    """What a method of Python's gives that changes it, of this type; None for nothing."""
    attrs = {'how': 'method', 'asked': name}
    note_change(form_of(x))
    if type_ is not None:
        return ask(x, ASK_LIVE, *args, type=type_, **attrs)
    emit(TELL_LIVE, [value_in_graph(x), *args], attrs, value_of=raw_value)
    return None


def number_of(x: Live, name: str, kind: type[Any] = int) -> Any:
    """What a builtin gives of it: a number of Python's."""
    return ask(x, ASK_LIVE, type=python_scalar(kind), how='function', asked=name)


def sign_of(x: Live, sign: str, other: Any) -> Any:
    """Whether a comparison of it with something holds."""
    return ask(x, ASK_LIVE, other, type=python_scalar(bool), how='sign', asked=sign)


def list_of_all(x: Live, element: TensorType | None) -> Any:
    """The list of what is in it now."""
    return ask(x, ASK_LIVE, type=ListType(element=element), how='function', asked='list')


def check_unchanged(x: Live, run: Callable[[], Any]) -> Any:
    """What goes over it gives, which changes nothing of its form.

    Raises:
      StagingError: it does.
    """
    form = form_of(x)
    before = changes_of(form)
    result = run()
    if changes_of(form) != before:
        kind = kind_of(x).__name__
        raise NotOfLiveError(describe(
            f'The loop runs over a {kind} while it, or another one like it, is changed.',
            user_location(), 'Run over a copy: `for x in list(row):`.'))
    return result
