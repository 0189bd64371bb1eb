"""Python's builtins where they mean something for a tensor; for anything else, Python's own."""
from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch
from ..graph.tensor import Tensor, valued
from ..graph.tracing import emit, is_tracing
from ..ops.attributes import DIM
from ..ops.calls import call as call_operation
from ..ops.calls import carrier
from ..ops.strings import StagedString
from .calls import call
from .caught import Caught, is_caught
from .comprehensions import Each, each, list_of
from .iterables import Enumerate, Range, Reversed, Staged, Zip, as_range, staged
from .lists import StagedList
from .logic import and_, not_, or_
from .loops import for_loop
from .nest_lists import NestList
from .replacements import stages
from .staging import condition

divmod = builtins.divmod
pow = builtins.pow
abs = builtins.abs
round = builtins.round


def len(x: Any) -> Any:
    """`len(x)`; a symbolic integer where the length is known only when the graph runs."""
    x = valued(x) if is_tracing() else x
    if isinstance_(x, (StagedList, NestList, StagedString)):
        return x.length()
    if isinstance_(x, Tensor) and x.type.shape:
        return x.shape[0]
    if isinstance_(x, Tensor) and x.type.kind == 'scalar':  # a text has a length
        return call_operation('builtins.len', (x,), {})
    if isinstance_(x, Tensor) and x.type.shape is None:
        return emit(DIM, [x], {'axis': 0})[0]
    return builtins.len(x)


def listed(iterable: Any = ()) -> Any:
    """`list(iterable)`; a staged list where only the running graph knows its elements."""
    iterable = valued(iterable)
    if isinstance_(iterable, (StagedList, NestList)):
        return iterable.copy()
    if is_tracing() and isinstance_(iterable, Each):
        return iterable.listed()
    rows = iterable if isinstance_(iterable, Staged) else None
    if rows is not None and rows.length() is None:
        return list_of(lambda item: item, rows)
    return builtins.list(iterable)


def range(*bounds: Any) -> Any:
    """`range(...)`; a bound that is a tensor makes it one that only a staged loop runs over."""
    bounds = tuple(valued(b) for b in bounds)
    if not builtins.any(isinstance_(b, Tensor) for b in bounds):
        return builtins.range(*bounds)
    for bound in bounds:
        if isinstance_(bound, Tensor) and (bound.dtype.kind not in 'iub' or bound.type.shape):
            raise TypeError(f'{bound.type} cannot be interpreted as an integer')
    start, stop, step = (0, bounds[0], 1) if builtins.len(bounds) == 1 else (*bounds, 1)[:3]
    return Range(start, stop, step)


def enumerate(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(iterable, start)`."""
    inner = staged(iterable)
    if inner is None:
        return builtins.enumerate(iterable, start)
    return Enumerate(inner, start)


def zip(*iterables: Any, strict: builtins.bool = False) -> Any:
    """`zip(*iterables)`; staged where every part can be."""
    parts = [staged(as_range(i) if isinstance_(i, builtins.range) else i) for i in iterables]
    if not builtins.any(staged(i) for i in iterables) or None in parts:
        return builtins.zip(*iterables, strict=strict)
    if strict:
        _check_lengths(parts)
    return Zip(tuple(part for part in parts if part is not None))


def _check_lengths(parts: list[Staged | None]) -> None:
    lengths = {part.length() for part in parts if part is not None}
    if builtins.len(lengths) > 1 or None in lengths:
        raise StagingError(
            describe(
                'zip(strict=True) needs arrays whose lengths are known to be equal while tracing.',
                user_location(),
                'Leave strict out, or compare the lengths yourself.',
            )
        )


def reversed(iterable: Any) -> Any:
    """`reversed(iterable)`."""
    inner = staged(iterable)
    return builtins.reversed(iterable) if inner is None else Reversed(inner)


def map(function: Callable[..., Any], *iterables: Any) -> Any:
    """`map(function, *iterables)`, with the function converted while a graph is traced."""
    if not is_tracing():
        return builtins.map(function, *iterables)
    if builtins.len(iterables) == 1:
        return each(lambda item: call(function, item), iterables[0])
    return each(lambda items: call(function, *items), zip(*iterables))


def filter(function: Callable[..., Any] | None, iterable: Any) -> Any:
    """`filter(function, iterable)`, with the function converted while a graph is traced."""
    if not is_tracing():
        return builtins.filter(function, iterable)
    if function is None:
        return each(_itself, iterable, where=_itself)
    return each(_itself, iterable, where=lambda item: call(function, item))


def _itself(x: Any) -> Any:
    return x


def sum(iterable: Any, start: Any = 0) -> Any:
    """`sum(iterable, start)`, added up in order as Python does."""
    iterable = valued(iterable)
    if is_tracing() and isinstance_(iterable, Each):
        return iterable.summed(start)
    rows = staged(iterable)
    if rows is None:
        return builtins.sum(iterable, start)
    if isinstance_(iterable, Tensor) and iterable.static_shape[0]:
        return for_loop(iterable[1:], lambda x, total: total + x, start + iterable[0])
    return for_loop(rows, lambda x, total: total + x, start)


def any(iterable: Any) -> Any:
    """`any(iterable)`; of a vector, whether an element is true."""
    return _truths('any', builtins.any, iterable)


def all(iterable: Any) -> Any:
    """`all(iterable)`; of a vector, whether every element is true."""
    return _truths('all', builtins.all, iterable)


def _truths(name: str, python: Callable[..., Any], iterable: Any) -> Any:
    iterable = valued(iterable)
    if is_tracing() and isinstance_(iterable, Each):
        return _truths_of_each(iterable, name == 'any')
    if isinstance_(iterable, Tensor) and builtins.len(iterable.static_shape) == 1:
        return bool(dispatch.METHODS[name](iterable))
    if isinstance_(iterable, Staged) or not is_tracing():
        return python(iterable)
    items = [bool(item) for item in iterable]
    if not builtins.any(isinstance_(item, Tensor) for item in items):
        return python(items)
    join = or_ if name == 'any' else and_
    return join(items[0], *(_constant(item) for item in items[1:]))


def _truths_of_each(elements: Each, ending: builtins.bool) -> Any:
    """Whether an element has the truth value that ends the search, or that none has."""
    def going_on(found: Any) -> Any:
        return not_(found) if ending else found

    return elements.fold(lambda element, _: bool(element), not ending, test=going_on)


def _constant(x: Any) -> Callable[[], Any]:
    return lambda: x


def int(*args: Any, **kwargs: Any) -> Any:
    """`int(x)`; of a tensor, a symbolic Python int."""
    return _number(builtins.int, args, kwargs)


def float(*args: Any) -> Any:
    """`float(x)`; of a tensor, a symbolic Python float."""
    return _number(builtins.float, args, {})


def bool(*args: Any) -> Any:
    """`bool(x)`; of a tensor, a symbolic Python bool."""
    if is_tracing():
        args = tuple(map(condition, args))
    return _number(builtins.bool, args, {})


def complex(*args: Any, **kwargs: Any) -> Any:
    """`complex(x)`; of a tensor, a symbolic Python complex."""
    return _number(builtins.complex, args, kwargs)


def _number(python: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args = tuple(valued(x) for x in args)
    if builtins.any(isinstance_(x, Tensor) for x in args):
        return dispatch.UNREACHED[python](*args, **kwargs)
    return python(*args, **kwargs)


isinstance_ = builtins.isinstance


def isinstance(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)`; a tensor is what it stands for, or `ag.Tensor` itself."""
    if isinstance_(x, Caught):
        return is_caught(x, classes)
    if not isinstance_(x, Tensor):
        return builtins.isinstance(x, classes)
    kinds = classes if builtins.isinstance(classes, tuple) else (classes,)
    # Not `isinstance(x, classes)`: a tensor has a length and can be iterated over, a scalar cannot.
    return type(x) in kinds or Tensor in kinds or issubclass(carrier(x.type), classes)


def type_of(x: Any) -> Any:
    """`type(x)`; of a tensor, the class of what it stands for."""
    x = valued(x) if is_tracing() else x
    return carrier(x.type) if isinstance_(x, Tensor) else type(x)


for _name in (
    'len', 'range', 'enumerate', 'zip', 'map', 'filter', 'reversed', 'sum', 'any', 'all', 'int',
    'float', 'bool', 'complex', 'isinstance',
):
    stages(getattr(builtins, _name), globals()[_name])
stages(list, listed)
