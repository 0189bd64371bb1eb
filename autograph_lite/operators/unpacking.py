"""`a, b = x` and `f(*x)` where only the running graph knows how long `x` is."""
from __future__ import annotations

import itertools
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.state import looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing
from ..graph.types import ListType, TensorType
from ..ops.calls import class_name
from ..ops.effects import RAISE, Pieces, Shown, Starred
from ..ops.strings import StagedText
from .conditionals import cond
from .folding import Folding
from .lists import StagedList
from .nest_lists import NestList
from .optional_nests import Perhaps
from .own_iterators import iterated, through
from .python_functions import found_result
from .reentry import gathered, listed
from .staged_iterable import Staged
from .staging import unchanged
from .tuples import StagedTuple

Form = tuple[Any, ...]


def unpacked(value: Any, form: Form) -> Any:
    """The value as a tuple of items, of which one may be the list of all that the others leave.

    Args:
      value: what is unpacked.
      form: the form of each item, in turn: None for what is not unpacked, `...` for that list.
    """
    value = _gathered(value)
    if isinstance(value, Perhaps):
        value = value.checked(TypeError, 'cannot unpack non-iterable NoneType object')
    items = _items(value, form)
    if items is None:
        return value
    pairs = zip(items, form, strict=True)
    return tuple(unpacked(item, each) if type(each) is tuple else item for item, each in pairs)


def several(value: Any, count: int) -> Any:
    """What a block gives for several names, as a tuple of so many items.

    Raises:
      TypeError: it has no items.
      ValueError: it has fewer or more.
    """
    if type(value) is tuple or not is_tracing():
        return value
    found = unpacked(value, (None,) * count)
    if type(found) is tuple:
        return found
    try:
        items = tuple(itertools.islice(found, count + 1))
    except TypeError:
        raise TypeError(f'cannot unpack non-iterable {type(value).__name__} object') from None
    if len(items) < count:
        raise ValueError(f'{_FEW} (expected {count}, got {len(items)})')
    if len(items) > count:
        raise ValueError(f'{_MANY} (expected {count})')
    return items


def spread(value: Any, is_printed: bool = False) -> Any:
    """The value, whose items are the arguments of a call.

    Args:
      value: what has the items.
      is_printed: whether `print` is called, which the running graph does.

    Raises:
      StagingError: only the running graph knows how many that are.
    """
    if not is_tracing():
        return value
    actual = _gathered(value)
    if is_printed:
        return [Starred(actual)] if isinstance(_length(actual), Tensor) else actual
    if isinstance(_length(actual), Tensor):
        raise StagingError(
            describe(
                'A call is given as many arguments as only the running graph knows.',
                user_location(),
                'Pass the list itself and run over it in the function; `max(items)`, '
                '`np.stack(items)` and their like take it whole. What `zip(*pairs)` would give '
                'is `[a for a, b in pairs]` and `[b for a, b in pairs]`.',
            )
        )
    return actual


def _gathered(value: Any) -> Any:
    """The value; where only the running graph knows how many items it gives, the list of them."""
    if not is_tracing():
        return value
    value = nest.actual(value)
    actual = iterated(found_result(looked_at(value)))
    is_counted = actual.is_pythons if isinstance(actual, Folding) else (
        not isinstance(actual, Staged) or actual.length() is not None)
    if is_counted and not isinstance(actual, StagedText):
        return value if actual is value else through(value)

    return gathered(actual)


def _items(value: Any, form: Form) -> list[Any] | None:
    """The items; None where Python finds them."""
    actual = iterated(found_result(valued(value))) if is_tracing() else value
    length = _length(actual) if is_tracing() else None
    star = form.index(...) if ... in form else None
    if isinstance(actual, Tensor) and _is_number(actual.type):
        raise TypeError(f'cannot unpack non-iterable {class_name(actual)[1:-1]} object')
    if isinstance(length, Tensor):
        return _taken(actual, length, len(form), star)
    if star is not None:
        [*items] = value
        least, end = len(form) - 1, len(items) - (len(form) - 1 - star)
        if len(items) < least:
            raise ValueError(f'{_FEW} (expected at least {least}, got {len(items)})')
        return [*items[:star], items[star:end], *items[end:]]
    is_known = type(actual) in (tuple, list) and len(actual) == len(form)
    return list(actual) if is_known else None


def _is_number(type_: TensorType) -> bool:
    is_one = type_.kind != 'array' and not type_.maybe and not isinstance(type_, ListType)
    return is_one and type_.dtype.kind in 'biufc'


def _taken(value: Any, length: Any, count: int, star: int | None) -> list[Any]:
    """The items of what has a length that only the running graph knows."""
    if star is None:
        _check(length < count, f'{_FEW} (expected {count}, got ', length)
        _check(length > count, f'{_MANY} (expected {count}')
        return [value[i] for i in range(count)]
    least = count - 1
    _check(length < least, f'{_FEW} (expected at least {least}, got ', length)
    after = [value[i - least] for i in range(star, least)]
    rest = value[star : length - (least - star)]
    return [*(value[i] for i in range(star)), listed(rest), *after]


_FEW = 'not enough values to unpack'
_MANY = 'too many values to unpack'


def _length(value: Any) -> Any:
    """How long an array or a staged list is."""
    if isinstance(value, StagedList | NestList | StagedTuple):
        return value.length()
    return value.shape[0] if isinstance(value, Tensor) and value.type.shape else None


def _check(is_wrong: Any, what: str, *length: Tensor) -> None:
    """Raises a ValueError if there are not as many items."""

    def fail() -> None:
        pieces = Pieces((what, *(Shown(i) for i in range(len(length))), ')'))
        emit(RAISE, length, {'error': ValueError, 'parts': [pieces]})

    cond(is_wrong, fail, unchanged)
