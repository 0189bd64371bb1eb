"""Python's builtins where they mean something for a tensor; for anything else, Python's own."""
from __future__ import annotations

import builtins
import dis
from collections import deque
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch
from ..graph.nest import actual
from ..graph.state import ReadAsValue, looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, is_tracing, unwrap
from ..graph.types import TensorType
from ..ops.attributes import DIM
from ..ops.calls import call, carrier, class_name
from ..ops.exceptions import ClassOfError, StagedError, is_error
from ..ops.strings import StagedText
from ..pyct.codes import once_by_code
from .chosen_variables import is_chosen_variable
from .comprehensions import each
from .dicts import StagedDict
from .folding import Folding
from .growing_dicts import GrowingDict
from .growing_views import as_listed
from .is_none import is_none, is_optional
from .iterables import (
    Elements,
    Enumerate,
    FlatRow,
    Once,
    Range,
    Reversed,
    Staged,
    Zip,
    as_range,
    staged,
)
from .known import known_there
from .lists import StagedList
from .live import Live
from .live import kind_of as kind_of_live
from .live_lists import LiveContainer
from .logic import and_, is_true, not_, or_
from .loops import for_loop
from .members import Member, data_of, kind_of
from .moved import check_held
from .needed import check_length
from .nest_lists import NestList
from .optional_classes import PerhapsNoneType
from .optional_nests import Perhaps
from .own_iterators import backwards, iterated
from .own_methods import own_length, own_method
from .perhaps_missing import asked_of
from .progress import Collection
from .staging import condition
from .tuples import StagedTuple
from .variables import Variable
from .view_sets import SetOfView
from .whole_reads import check_whole

# The builtins that generated code asks of `ag`.
STAGED = frozenset(
    {
        'len', 'range', 'enumerate', 'zip', 'map', 'filter', 'reversed', 'sorted', 'min', 'max',
        'sum', 'any', 'all', 'int', 'float', 'bool', 'complex', 'isinstance',
    }
)  # fmt: skip


def len(x: Any) -> Any:
    """`len(x)`; a symbolic integer where the length is known only when the graph runs."""
    if isinstance_(x, LiveContainer):
        return x.length()
    x = looked_at(x) if is_tracing() else x
    if isinstance_(x, Collection):
        return len(x.listed)
    if isinstance_(x, Range):
        return len(x.numbers())
    if isinstance_(x, (Staged, Folding)) and x.stands_for:
        raise TypeError(f'object of type {x.stands_for.__name__!r} has no len()')
    own = own_length(x) if isinstance_(x, Perhaps) else None
    if own is not None:
        return own
    check_length(x)
    if isinstance_(x, Perhaps):
        x = x.sure()
    check_whole(x)
    if isinstance_(x, (StagedList, NestList, StagedDict, GrowingDict, SetOfView, StagedText,
                      StagedTuple)):
        return x.length()
    if isinstance_(x, Tensor) and x.type.shape:
        return x.shape[0]
    if isinstance_(x, Tensor) and x.type.kind == 'scalar':  # a text has a length
        return call('builtins.len', (x,), {})
    if isinstance_(x, Tensor) and x.type.shape is None:
        return emit(DIM, [x], {'axis': 0})[0]
    if isinstance_(x, Member):
        return len(data_of(x))
    check_held(x)
    own = own_length(x)
    return builtins.len(x) if own is None else own


def range(*bounds: Any) -> Any:
    """`range(...)`; a bound that is a tensor makes it one that only a staged loop runs over."""
    bounds = tuple(valued(b) for b in bounds)
    if not builtins.any(isinstance_(b, Tensor) for b in bounds):
        return builtins.range(*bounds)
    for bound in bounds:
        if isinstance_(bound, Tensor) and not _is_integer(bound.type):
            raise TypeError(f'{class_name(bound)} object cannot be interpreted as an integer')
    start, stop, step = (0, bounds[0], 1) if builtins.len(bounds) == 1 else (*bounds, 1)[:3]
    return Range(start, stop, step)


def _is_integer(type_: TensorType) -> Any:
    kinds = 'iub' if type_.weak else 'iu'  # Python's bool is an integer, NumPy's is none
    return type_.dtype.kind in kinds and not type_.shape


def enumerate(iterable: Any, start: Any = 0) -> Any:
    """`enumerate(iterable, start)`."""
    from .endless import Count, Endless, Together

    iterable = iterated(iterable)
    if isinstance_(iterable, Endless):
        return Together((Count(start, 1), iterable))
    if is_tracing() and isinstance_(iterable, Folding):
        from .zipping import Numbered

        return Numbered(iterable, start)
    inner = staged(iterable)
    if inner is None:
        return builtins.enumerate(iterable, start)
    return Enumerate(inner, start)


def zip(*iterables: Any, strict: builtins.bool = False) -> Any:
    """`zip(*iterables)`; staged where every part can be."""
    from .endless import Endless, Together

    iterables = tuple(builtins.map(iterated, iterables))
    if iterables and builtins.all(isinstance_(i, Endless) for i in iterables):
        return Together(iterables)
    parts = [staged(as_range(i) if isinstance_(i, builtins.range) else i) for i in iterables]
    if None in parts and is_tracing():
        from .zipping import zipped

        found = zipped(iterables, strict)
        if found is not None:
            return found
    if not builtins.any(staged(i) for i in iterables) or None in parts:
        return builtins.zip(*iterables, strict=strict)
    found = tuple(part for part in parts if part is not None)
    lengths = {part.length() for part in found}
    return Zip(found, strict=strict and (None in lengths or builtins.len(lengths) > 1))


def reversed(iterable: Any) -> Any:
    """`reversed(iterable)`."""
    if type(iterable) is Tensor and iterable.type.kind == 'scalar':
        raise TypeError(f'{class_name(iterable)} object is not reversible')
    if type(iterable) is Tensor and iterable.type.shape == ():
        len(iterable)  # which says that it has none
    iterable = as_listed(actual(iterable))
    if isinstance_(iterable, Collection) and iterable.python_class is deque:
        iterable = iterable.listed
    inner: Any = staged(iterable)
    if isinstance_(inner, Elements):
        return Elements(tuple(builtins.map(Reversed, inner.inner)), inner.element)
    if isinstance_(inner, FlatRow):
        raise TypeError("'numpy.flatiter' object is not reversible")
    if isinstance_(inner, Once):
        raise TypeError(f'{type_of(inner).__name__.lower()!r} object is not reversible')
    if isinstance_(iterable, Folding) and iterable.stands_for:
        raise TypeError(f'{iterable.stands_for.__name__!r} object is not reversible')
    if inner is not None:
        return Reversed(inner)
    own = backwards(iterable)
    return builtins.reversed(iterable) if own is None else own


def map(function: Callable[..., Any], *iterables: Any) -> Any:
    """`map(function, *iterables)`, with the function converted while a graph is traced."""
    from .calls import call

    if not is_tracing():
        return builtins.map(function, *iterables)
    if builtins.len(iterables) == 1:
        found = each(lambda item: call(function, item), iterables[0])
    else:
        found = each(lambda items: call(function, *items), zip(*iterables))
    found.stands_for = builtins.map
    return found


def filter(function: Callable[..., Any] | None, iterable: Any) -> Any:
    """`filter(function, iterable)`, with the function converted while a graph is traced."""
    from .calls import call

    if not is_tracing():
        return builtins.filter(function, iterable)
    chosen = _itself if function is None else lambda item: call(function, item)
    found = each(_itself, iterable, where=chosen)
    found.stands_for = builtins.filter
    return found


def _itself(x: Any) -> Any:
    return x


def any(iterable: Any) -> Any:
    """`any(iterable)`; of a vector, whether an element is true."""
    return _truths('any', builtins.any, iterable)


def all(iterable: Any) -> Any:
    """`all(iterable)`; of a vector, whether every element is true."""
    return _truths('all', builtins.all, iterable)


def _truths(name: str, python: Callable[..., Any], iterable: Any) -> Any:
    iterable = iterated(looked_at(iterable))
    if not is_tracing():
        return python(iterable)
    if isinstance_(iterable, StagedList) and iterable.holds_numbers:
        return iterable.truths(name)
    if type(iterable) is Tensor and builtins.len(iterable.static_shape) == 1:
        return bool(dispatch.METHODS[name](iterable))
    if isinstance_(iterable, Folding) or staged(iterable) is not None or _is_asked(iterable):
        return _truths_one_by_one(iterable, name == 'any')
    items = [bool(item) for item in iterable]
    if not builtins.any(isinstance_(item, Tensor) for item in items):
        return python(items)
    _check_binds_nothing(iterable, name)
    join = or_ if name == 'any' else and_
    return join(items[0], *(_constant(item) for item in items[1:]))


def _is_asked(iterable: Any) -> builtins.bool:
    """Whether code of the user's may give the elements, or say which of them are true."""
    if isinstance_(iterable, Iterator):
        return getattr(getattr(iterable, 'gi_code', None), 'co_name', '') != '<genexpr>'
    return builtins.any(
        own_method(item, name) is not None for item in iterable for name in _TELLING_TRUTH)


_TELLING_TRUTH = ('__bool__', '__len__')


def _check_binds_nothing(elements: Any, name: str) -> None:
    """That all elements were evaluated, and not only those up to the one that decides, is unseen.

    Raises:
      StagingError: they are of a generator that gives values to variables of others.
    """
    code = getattr(elements, 'gi_code', None)
    if code is not None and _binds_outside(code):
        raise StagingError(
            describe(
                f'How many elements `{name}` asks for only the running graph knows, and each gives '
                'a variable a value.',
                user_location(),
                'Ask in an `if` statement in a `for` loop, and `break` there.',
            )
        )


@once_by_code
def _binds_outside(code: CodeType) -> builtins.bool:
    """Whether a generator gives values to variables of the functions around it, or to globals."""
    return builtins.any(
        each.opname == 'STORE_GLOBAL'
        or (each.opname == 'STORE_DEREF' and each.argval in code.co_freevars)
        for each in dis.get_instructions(code)
    )


def _truths_one_by_one(elements: Any, ending: builtins.bool) -> Any:
    """Whether an element has the truth value that ends the search, or that none has."""
    def going_on(found: Any) -> Any:
        return not_(found) if ending else found

    return for_loop(elements, lambda element, _: bool(element), not ending, test=going_on)


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
        if builtins.len(args) == 1 and is_optional(args[0]):
            return is_true(args[0])
    return _number(builtins.bool, args, {})


def complex(*args: Any, **kwargs: Any) -> Any:
    """`complex(x)`; of a tensor, a symbolic Python complex."""
    return _number(builtins.complex, args, kwargs)


def _number(python: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    args = tuple(_data(valued(x), _CONVERTING[python]) for x in args)
    kwargs = {name: valued(x) for name, x in kwargs.items()}
    if builtins.any(isinstance_(x, Tensor) for x in (*args, *kwargs.values())):
        return dispatch.UNREACHED[python](*args, **kwargs)
    if builtins.len(args) == 1:
        for name in _CONVERTING[python]:
            own = own_method(args[0], name)
            if own is not None:
                return _number(python, (own(),), kwargs)
    return python(*args, **kwargs)


def _data(x: Any, names: tuple[str, ...]) -> Any:
    """The number that a member of an `IntEnum` is, unless its class has such a method itself."""
    if not isinstance_(x, Member):
        return x
    of_int = builtins.all(
        getattr(kind_of(x), name, None) is getattr(builtins.int, name, None) for name in names)
    return data_of(x) if of_int else x


# The methods by which Python makes a number of an object, in order.
_CONVERTING: dict[Any, tuple[str, ...]] = {
    builtins.bool: (),  # see `condition`
    builtins.complex: ('__complex__', '__float__', '__index__'),
    builtins.float: ('__float__', '__index__'),
    builtins.int: ('__int__', '__index__', '__trunc__'),
}

isinstance_ = builtins.isinstance


def isinstance(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)`; a tensor is what it stands for, or `ag.Tensor` itself."""
    if isinstance_(x, Live):
        return issubclass(kind_of_live(x), classes)
    x = asked_of(x.looked_at if isinstance_(x, ReadAsValue) else x)
    if isinstance_(x, StagedError):
        return is_error(x, classes)
    if isinstance_(x, Collection):
        return builtins.issubclass(x.python_class, classes)
    if isinstance_(x, (Staged, Folding)) and x.stands_for:
        return builtins.issubclass(x.stands_for, classes)
    if isinstance_(x, StagedDict | GrowingDict):
        return builtins.issubclass(x.kind, classes)
    if isinstance_(x, NestList | StagedTuple):
        return builtins.issubclass(tuple if isinstance_(x, StagedTuple) else list, classes)
    if isinstance_(x, Member):
        return builtins.issubclass(kind_of(x), classes)
    if isinstance_(x, PerhapsNoneType):
        return isinstance(x.there, classes)
    if is_optional(x):
        return _is_there_and(x, classes)
    if not isinstance_(x, Tensor):
        return builtins.isinstance(x, classes)
    kinds = classes if builtins.isinstance(classes, tuple) else (classes,)
    if is_chosen_variable(x):
        return builtins.issubclass(Variable, kinds)
    # Not `isinstance(x, classes)`: a tensor has a length and can be iterated over, a scalar cannot.
    return type(x) in kinds or Tensor in kinds or builtins.issubclass(carrier(x.type), classes)


def issubclass(kind: Any, classes: Any) -> Any:
    """`issubclass(kind, classes)`, also of the class of an exception that the graph has caught."""
    asked = builtins.isinstance(kind, ClassOfError)
    return kind.is_subclass(classes) if asked else builtins.issubclass(kind, classes)


def _is_there_and(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)` of what may be None."""
    there = isinstance(x.nest if isinstance_(x, Perhaps) else unwrap(x, sure=True), classes)
    if there is builtins.isinstance(None, classes):
        return there
    return not_(is_none(x)) if there else is_none(x)


def type_of(x: Any) -> Any:
    """`type(x)`; of a tensor, the class of what it stands for."""
    if isinstance_(x, Live):
        return kind_of_live(x)
    x = looked_at(x) if is_tracing() else x
    if isinstance_(x, StagedError):
        return ClassOfError(x)
    if is_optional(x):
        there = known_there(x)
        return type_of(there) if there is not x else PerhapsNoneType(x, _class_if_there(x))
    if isinstance_(x, Collection):
        return x.python_class
    if isinstance_(x, (Staged, Folding)) and x.stands_for:
        return x.stands_for
    if isinstance_(x, Member):
        return kind_of(x)
    if isinstance_(x, StagedDict | GrowingDict):
        return x.kind
    if isinstance_(x, NestList | StagedTuple):
        return tuple if isinstance_(x, StagedTuple) else list
    return carrier(x.type) if isinstance_(x, Tensor) else type(x)


def _class_if_there(x: Any) -> Any:
    return type_of(x.nest) if isinstance_(x, Perhaps) else carrier(x.type.present)
