"""`x in container` and `container[i]` where `x` or `i` is a tensor, the container Python's."""
from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.state import ReadAsValue, looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import as_value, emit, held_value, is_tracing
from ..graph.types import ListType, TensorType, type_of
from ..ops.calls import call
from ..ops.exceptions import ClassOfError
from ..ops.list_functions import CONTAINS
from ..ops.made import own as own_array
from ..ops.strings import in_text, item_of_text, text_constant
from .checking import check
from .chosen_functions import OneFunction, one_function
from .chosen_keys import can_choose, chosen, missing
from .chosen_parts import place_at, place_of_key
from .comparing import equal
from .comprehensions import each
from .conditionals import cond
from .dict_errors import missing_key
from .dicts import StagedDict
from .effects import raises_of_container
from .folding import Folding
from .growing_dicts import GrowingDict
from .growing_views import GrowingView
from .grown_dicts import is_open
from .hashed import check_keys
from .identical import is_told_by_identity
from .iterables import Range, as_range
from .keys_and_values import form_of_key
from .lists import StagedList, list_of_lists, new_list
from .live_lists import LiveContainer
from .living_dicts import let_live_read
from .logic import and_, not_, or_
from .member_lookups import members_by_name
from .members import Member
from .members import each as each_member
from .nest_lists import NestList, new_nest_list
from .numbers_made import bool as bool_
from .numbers_made import int as int_
from .optional_classes import PerhapsNoneType
from .optional_nests import Perhaps
from .own_iterators import GOING_THROUGH
from .own_methods import own_method
from .own_operators import user_comparison
from .places import contains
from .progress import Collection
from .quantifiers import any as any_
from .same_objects import check_without_nan, held_by, is_row_of
from .staged_iterable import Staged
from .staging import graph_now
from .tuples import StagedTuple
from .unsupported_operands import is_optional_member
from .watched import watch_parts
from .whole_reads import check_inside


def in_(item: Any, container: Any) -> Any:
    """`item in container`; a symbolic bool where only the running graph knows."""
    container = nest.actual(container)
    if isinstance(container, LiveContainer):
        return container.has(item)
    item = item if is_told_by_identity(item) else looked_at(item)
    container = looked_at(container)
    check_keys(container, item)
    check_inside(item, None if isinstance(container, dict) else container)
    own = own_method(container, '__contains__')
    if own is not None:
        return bool_(own(item))
    if isinstance(container, Perhaps):
        container = container.checked(TypeError, "argument of type 'NoneType' is not iterable")
    if any(own_method(container, name) is not None for name in GOING_THROUGH):
        return any_(each(lambda element: equal(element, item), container))
    return _in_stand_in(item, container)


def _in_stand_in(item: Any, container: Any) -> Any:
    """The same, where no class of the user's has code for it: of what stands for a container."""
    if isinstance(container, GrowingView):
        container = container.owner if container.part == 'keys' else container.listed()
    if isinstance(container, Collection):
        if container.python_class is set:
            form_of_key(item)
        found = container.has(item)
        if found is not NotImplemented:
            return found
        container = container.listed
    if isinstance(container, StagedTuple):
        container = container.items
    if isinstance(container, GrowingDict):
        form_of_key(item)
        return container.has(item)
    if is_open(container, item):
        return False
    if isinstance(container, StagedDict):
        return container.has(item)
    if isinstance(container, Range):
        if _is_whole(item):
            return _in_running_range(int_(item), container)
        container = container.numbers()
    if isinstance(container, Folding | Staged):
        elements: Any = container
        return any_(each(lambda element: equal(element, item), elements))
    if isinstance(item, Member) and isinstance(container, (dict, set, frozenset, type)):
        members: Any = container
        return each_member(item, lambda member: member in members)
    return _in_elements(item, container)


def _in_elements(item: Any, container: Any) -> Any:
    """The same of what has its elements: they are compared where a tensor is among them."""
    if isinstance(container, _VIEWS) and is_tracing():
        container = list(container)
    if not is_tracing() or not (_has_tensors(item) or _has_tensors(container)):
        return contains(container, item)
    if isinstance(container, NestList):
        return any_(each(lambda element: equal(element, item), container))
    if isinstance(container, StagedList):
        return _in_list(item, container)
    if isinstance(container, Tensor):
        if container.type.kind == 'scalar':
            return call('operator.contains', (container, item), {})
        return any_((container == item).reshape(-1))
    if isinstance(container, range):
        return _in_range(item, container)
    if isinstance(container, str | bytes):
        return in_text(item, container)
    if not isinstance(container, (tuple, list, set, frozenset, dict)):
        return item in container
    if not isinstance(container, tuple | list):
        form_of_key(item)  # what Python cannot hash it does not look for
    first, *rest = (_equals(item, element) for element in container) if container else (_no,)
    return or_(first(), *rest)


def _in_list(item: Any, items: StagedList) -> Any:
    element = items.type.element if isinstance(items.type, ListType) else None
    if element is None:
        return False
    if isinstance(element, ListType) and type(item) is list:
        item = list_of_lists(item)
    if isinstance(element, ListType) and isinstance(item, StagedList):
        return is_row_of(items, item) or emit(CONTAINS, [items, item], value_of=held_value)[0]
    if not _are_numbers(element, item):
        elements: Any = items
        return any_(each(lambda element: equal(element, item), elements))
    is_held = held_by(items, item)
    if is_held:
        return True
    if is_held is None:
        check_without_nan(items, item)
    (found,) = emit(CONTAINS, [items, item], value_of=held_value)
    # Python takes an object for equal to itself, and these are not the user's objects.
    is_inexact = as_value(item).type.dtype.kind in 'fc'
    return and_(bool_(item == item), lambda: found) if is_inexact else found


def _are_numbers(element: TensorType, item: Any) -> bool:
    """Whether both are numbers, of Python's or NumPy's, none of which is None."""
    type_ = item.type if isinstance(item, Tensor) else type_of(item)
    return all(
        each is not None and each.kind != 'array' and not each.maybe and each.dtype.kind in 'biufc'
        for each in (element, type_))


_VIEWS: tuple[type[Any], ...] = (type({}.values()), type({}.items()))


@replaces(operator.truth)
def _truth(x: Any) -> Any:
    return bool_(x)


@replaces(operator.not_)
def _not(x: Any) -> Any:
    return not_(x)


@replaces(operator.contains)
def _contains(container: Any, x: Any) -> Any:
    return in_(x, container)


_STAGED = (ClassOfError, Member, NestList, OneFunction, Perhaps, PerhapsNoneType, Tensor)


def _has_tensors(container: Any) -> bool:
    """Whether it is a tensor, or a list or tuple with one somewhere in it."""
    if isinstance(container, (list, tuple)):
        return any(map(_has_tensors, container))
    value = valued(container)
    return isinstance(value, _STAGED) or user_comparison(value, '__eq__') is not None


def _in_range(item: Any, numbers: range) -> Any:
    if not numbers:
        return False
    first, last = sorted((numbers[0], numbers[-1]))
    item = int_(item) if _is_whole(item) else item  # so that no difference overflows
    return and_(
        bool_(first <= item),
        lambda: bool_(item <= last),
        lambda: bool_((item - first) % abs(numbers.step) == 0),
    )


def _is_whole(x: Any) -> bool:
    """Whether it is an integer, or True or False, of Python's or of the running graph."""
    if isinstance(x, Tensor):
        return x.type.shape == () and x.dtype.kind in 'biu' and not x.type.maybe
    return type(x) in (int, bool)


def _in_running_range(item: Any, numbers: Range) -> Any:
    """The same of a range of which only the running graph knows the end, for an integer."""
    index, rest = divmod(item - int_(numbers.start), int_(numbers.step))
    return and_(
        bool_(rest == 0), lambda: bool_(index >= 0), lambda: bool_(index < numbers.size()))


def _equals(item: Any, element: Any) -> Any:
    return lambda: equal(element, item)  # as Python asks


def _no() -> bool:
    return False


def _of_members(container: Any, index: Member) -> Any:
    """What a dict or a list has for a member; of functions, the right one."""
    if isinstance(container, dict) and container and all(map(callable, container.values())):
        places = {key: place for place, key in enumerate(container)}
        return one_function(list(container.values()), lambda answer: each_member(
            index, lambda member: answer(_of_member(places, member))))
    return each_member(index, lambda member: _of_member(container, member))


def _of_member(container: Any, member: Any) -> Any:
    if isinstance(container, dict) and member not in container:
        return missing_key(member)
    try:
        return item(container, member)
    except Exception as error:
        raises_of_container(error, graph_now())


def _says_of_none(kind: type[Any]) -> str:
    """What Python says of None as an index."""
    try:
        kind()[None]
    except TypeError as error:
        return str(error)
    return ''


def item(container: Any, index: Any) -> Any:
    """`container[index]`; by a tensor for a list or tuple of numbers, arrays or like nests."""
    container = members_by_name(nest.actual(container), index)
    if isinstance(container, LiveContainer):
        return container[index]
    if isinstance(container, ReadAsValue):
        return place_at(container, index).kept()
    if is_optional_member(index) and type(container) in (list, tuple, str):
        index = index.checked(TypeError, _says_of_none(type(container)))
    if isinstance(index, Member):
        return _of_members(container, index)
    let_live_read(container, index)
    check_keys(container, index)
    own = own_method(container, '__getitem__')
    if own is not None:
        return own(index)
    place = place_of_key(container, index)
    if place is not None:
        return place.kept()
    container = nest.actual(container)
    if can_choose(container, valued(index)):
        return chosen(container, valued(index))
    kind = type(container)
    if kind is Range and isinstance(index, int):
        return _number_at(container, index)
    if kind in (range, Range) and _is_integer(valued(index)):
        return _number_at(container, int_(valued(index)))
    if kind in (str, bytes) and isinstance(valued(index), Tensor):
        return item_of_text(text_constant(container), valued(index))
    if isinstance(valued(index), Tensor) and kind in (list, tuple):
        leaves, structure = nest.flatten(list(container))
        kinds = set(structure.children)
        if kinds <= {nest.LEAF}:
            return new_list(leaves, kind)[valued(index)]
        if leaves and len(kinds) == 1:
            found = new_nest_list(list(container), structure.children[0], kind)[valued(index)]
            watch_parts(found)  # which of these it is, only the running graph knows
            return found
    if is_open(container, index):
        return missing(container, index)
    found = container[index]
    if isinstance(container, np.number | np.bool_) and is_tracing():
        return own_array(found, 'array')  # `x[None]` makes one
    return found


def _is_integer(index: Any) -> bool:
    return isinstance(index, Tensor) and index.type.shape == () and index.dtype.kind in 'iu'


def _number_at(numbers: range | Range, index: Any) -> Any:
    """An item of a range, of which only the running graph knows which, or how many there are."""
    size = numbers.size() if isinstance(numbers, Range) else len(numbers)
    place = cond(index < 0, lambda: index + size, lambda: index)
    is_out = or_(place < 0, lambda: place >= size)
    check(is_out, 'range object index out of range', IndexError)
    return (as_range(numbers) if isinstance(numbers, range) else numbers).at(place)
