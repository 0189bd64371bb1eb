"""What becomes live, and what stands for it."""
from __future__ import annotations

import dataclasses
import itertools
from functools import partial
from typing import Any

from ..converters.callees import is_of_library
from ..errors import OwnershipError, describe, user_location
from ..graph import nest, nest_contents
from ..graph.state import State, valued
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value
from ..graph.types import LiveType
from ..ops.control_flow import MISSING
from ..ops.live import ASK_LIVE, NEW_LIVE
from ..pyct.asking import attributes
from .blocks_around import is_from_around
from .contents import is_object
from .lists import StagedList
from .live import Live, put_value, value_in_graph, wrapped
from .live_lists import LiveList, LiveTuple
from .live_objects import become, can_be_of_program, class_for, has_dict
from .live_types import (
    EACH,
    KEYS,
    are_lists_live,
    are_live,
    check_class,
    check_lists,
    is_live_class,
    is_on,
    joined_type,
    let_grow,
    type_of_new,
    with_part_of_place,
)
from .living_lists import LivingList
from .moved import leave
from .nest_lists import NestList
from .other_names import is_reached
from .outside import is_outside
from .progress import Collection, Progress
from .unbound import Unbound
from .watched import is_joined


def kind_for(kind: type[Any]) -> type[Live]:
    """The class of what stands for what is of a class."""
    if kind in (dict, set):
        from .live_dicts import LiveDict, LiveSet  # they need what is here

        return LiveDict if kind is dict else LiveSet
    if kind in (list, tuple):
        return LiveList if kind is list else LiveTuple
    return class_for(kind)


def as_element(x: Any) -> Any:
    """What is put into a list or dict of the running graph: live where it can be changed in place.

    What it was is live from now on under every name.

    Raises:
      KnownAnew: a trace did not know that its class is live.
      StagingError: it cannot be live.
    """
    x = nest.actual(x)
    if isinstance(x, Live) or (isinstance(x, Tensor) and not isinstance(x, StagedList)):
        return x
    if not _can_be_live(x):
        return nest.map_children(as_element, x) if type(x) is tuple else x
    if not is_on():
        return x
    made = with_part_of_place('in it', partial(made_live, x))
    if type(x) in (list, dict):
        leave(x, made)
    return made


def as_leaf(x: Any) -> Any:
    """The same as a value of the graph, where it is one."""
    x = as_element(x)
    return value_in_graph(x) if isinstance(x, Live) else x


def as_part(x: Any) -> Any:
    """What is put into what is live: the value that stands for it."""
    x = nest.actual(x)
    is_tuple = type(x) is tuple
    x = with_part_of_place('in it', partial(made_live, x)) if is_tuple else as_element(x)
    return value_in_graph(x) if isinstance(x, Live) else valued(x)


def _can_be_live(x: Any) -> bool:
    if type(x) in (list, dict, set) or isinstance(x, StagedList | NestList):
        return True
    if isinstance(x, Collection) and x.python_class is set:
        return True
    if isinstance(x, type | State | Progress | BaseException | nest.Nest | tuple):
        return False
    return is_object(x) and not is_of_library(type(x))


def made_live(x: Any) -> Any:
    """A list, tuple, dict or object as one of the running program, of which no name knows yet.

    Raises:
      StagingError: it cannot be one.
      OwnershipError: it has names already.
    """
    if is_outside(x) or isinstance(x, LivingList):
        raise refused(x, 'lives outside the function')
    if is_joined(x):
        raise refused(x, 'stands for one of several, which would not follow it')
    kind = type(x)
    if isinstance(x, StagedList | NestList):
        check_lists()
        if is_reached(x):
            raise refused(x, 'was made where it was not known that it is put into a list')
        return live_list(x)
    if kind is set or isinstance(x, Collection):
        return _set(x)
    if kind not in (list, tuple, dict):
        return _object(x)
    keys = tuple(x) if kind is dict else tuple(range(len(x)))
    return new(type_of_new(kind, keys), keys, list(x.values()) if kind is dict else list(x))


def _set(x: Any) -> Any:
    items = x.listed if isinstance(x, Collection) else x
    if is_reached(x) or isinstance(items, StagedList | NestList):
        raise refused(x, 'was made where it was not known that it is put into a list')
    return new(type_of_new(set, ()), tuple(items), list(items))


def live_list(x: Any) -> Any:
    """What stands for a list of the graph that has just been made."""
    if isinstance(x, NestList):
        raise refused(x, 'has tuples in it')
    type_ = type_of_new(list, ())
    element = getattr(x.type, 'element', None)
    if element is not None:
        joined_type(type_, EACH, element)
    attrs = {'type': type_, 'how': 'function', 'asked': 'list'}
    return wrapped(emit(ASK_LIVE, [x], attrs, value_of=held_value)[0].held)


def of_comprehension(x: Any) -> Any:
    """What a comprehension gives: live, where all lists are that grow."""
    is_list = are_lists_live() and isinstance(x, StagedList | NestList)
    return live_list(x) if is_list else x


def _object(x: Any) -> Any:
    if not is_object(x) or not can_be_of_program(type(x)):
        raise refused(x, 'is no list, dict or plain object')
    check_class(type(x))
    _check_new(x)
    return live_object(x)


def _check_new(x: Any) -> None:
    """An object was not there before a block that is traced.

    Raises:
      Restage: the block was passed it.
      OwnershipError: the block has it otherwise.
    """
    graph = current_graph()
    here = [] if graph is None else [one for one, _ in graph.passed]
    for number, one in enumerate(here):
        if one is x:
            from .restaging import Restage  # it needs what is here

            raise Restage(partial(_with_live, number))
    while graph is not None and not any(x is one for one, _ in graph.passed):
        graph = graph.parent
    if graph is not None or is_from_around(x):
        raise refused(x, 'was made before the branch or the loop')


def _with_live(number: int, operands: Any) -> Any:
    """What a block is given, with the object of this number in it live."""
    chosen = nest_contents.contents(operands)[number][0]
    return nest.map_children(partial(_or_live, chosen), operands)


def _or_live(x: Any, part: Any) -> Any:
    part = nest.actual(part)
    return _object(x) if part is x else nest.map_children(partial(_or_live, x), part)


def live_object(x: Any) -> Any:
    """An object that has just been made, which is live from now on."""
    held = attributes(x)
    first = dict(itertools.takewhile(lambda item: _leads_nowhere(item[1]), held.items()))
    become(x, value_in_graph(new(type_of_new(type(x), ()), tuple(first), list(first.values()))))
    for name, value in held.items():
        if name not in first:
            setattr(x, name, value)
    return x


def _leads_nowhere(x: Any) -> bool:
    """Whether what an object has does not lead to that object."""
    return isinstance(x, Live | Tensor) or type(x) in nest.LEAVES


def live_from_birth(kind: type[Any]) -> Any:
    """What stands for an object that has no attributes yet; None where it can become live later."""
    is_one = not has_dict(kind) and is_live_class(kind)
    return new(type_of_new(kind, ()), (), []) if is_one else None


def of_live_class(x: Any) -> Any:
    """What a call of a class has made: live, where all objects of the class are."""
    is_one = not isinstance(x, Live) and is_live_class(type(x))
    return live_object(x) if is_one and not is_outside(x) else x


def new(type_: LiveType, keys: tuple[Any, ...], items: list[Any]) -> Any:
    """What the running program makes of these items."""
    if type_.of is dict and type_.keys is None:
        for key in keys:
            put_value(key, type_, KEYS)
    one = (KEYS if type_.of is set else EACH) if type_.of in (list, dict, set) else None
    values = [
        Tensor(put_value(item, type_, key if one is None or type_.keys is not None else one))
        for key, item in zip(keys, items, strict=True)]
    attrs = {'type': type_, 'keys': keys}
    (made,) = emit(NEW_LIVE, values, attrs, value_of=held_value)
    return wrapped(made.held)


def nothing_like(x: Any) -> Any:
    """None, in the place of one of these."""
    keys = tuple(x) if type(x) is dict else tuple(range(len(x))) if type(x) is list else ()
    known = value_in_graph(x).type if isinstance(x, Live) else type_of_new(type(x), keys)
    type_ = dataclasses.replace(known, maybe=True)
    return wrapped(emit(MISSING, [], {'type': type_})[0].held)


def refused(x: Any, why: str) -> Exception:
    """The error of what is put into a list of the running graph, which cannot be: `why` says."""
    kind = nest.kind_of(x).__name__
    return OwnershipError(describe(
        f'A {kind} is put into a list of the running graph that {why}.', user_location(),
        'Put a new one there.'))


def growing(x: list[Any]) -> Any:
    """A list, live, which gets more."""
    let_grow(type_of_new(list, tuple(range(len(x)))))
    return made_live(x)


def can_become_live(before: Any, after: Any) -> bool:
    """Whether it is what one of the running program stands beside, on another way."""
    if not are_live() or isinstance(before, Live):
        return False
    if before is None:
        return isinstance(after, Live) or _is_optional(after)
    if isinstance(before, StagedList):
        return isinstance(after, LiveList) and are_lists_live()
    is_one = _is_optional(before)
    return (is_one and after is None) or (
        isinstance(after, Live) and type(before) is type(after)._kind)


def meet(a: Any, b: Any) -> None:
    """An object beside another one of its class, or none, is live, in a trace in which it can be.

    Raises:
      KnownAnew: that was not known.
    """
    a, b = nest.actual(a), nest.actual(b)
    if a is b or isinstance(a, Live) or isinstance(b, Live):
        return
    met = [x for x in (a, b) if not (x is None or isinstance(x, Unbound))]
    if met and all(map(_can_be_met, met)) and len({type(x) for x in met}) == 1:
        if is_on():
            check_class(type(met[0]))
        return
    for one, other in zip(nest.children(a), nest.children(b), strict=False):
        meet(one, other)


def _can_be_met(x: Any) -> bool:
    """Whether it is an object that can be live from where it is made."""
    is_one = _can_be_live(x) and is_object(x) and nest.is_leaf(x)
    return is_one and can_be_of_program(type(x)) and not is_outside(x)


def _is_optional(x: Any) -> bool:
    """Whether it is live where it may be None."""
    return type(x) in (list, dict) or (type(x) is not set and _can_be_live(x) and is_object(x))


def become_live(before: Any, after: Any) -> Any:
    """The same, live."""
    if before is None and not isinstance(after, Live) and is_object(after):
        check_class(type(after))
    if isinstance(before, StagedList):
        return live_list(before)
    return nothing_like(after) if before is None else made_live(before)


def form_put(x: Any) -> nest.Structure:
    """The form that something has as an element of a list of the running graph."""
    x = nest.actual(x)
    if are_live() and (isinstance(x, Live) or _can_be_live(x)):
        return nest.LEAF
    return live_form(nest.flatten(x)[1])


def can_be_put(x: Any) -> bool:
    """Whether it is, or becomes, live as an element of a list of the running graph."""
    return are_live() and (isinstance(x, Live) or _can_be_live(nest.actual(x)))


def form_in_list(element: Any) -> nest.Structure:
    """The form of the elements of a list of the graph, of this type."""
    if not isinstance(element, LiveType):
        return nest.LEAF
    return nest.Structure(kind_for(element.of), (), (nest.LEAF,))


def live_form(form: nest.Structure) -> nest.Structure:
    """The form that something of this form has as an element of a list of the running graph."""
    if form.type is tuple:
        children = tuple(map(live_form, form.children))
        return nest.Structure(form.type, form.keys, children)
    if form.type is None or not are_live() or issubclass(form.type, _OTHERS):
        return form
    kind = list if issubclass(form.type, NestList) else form.type
    return nest.Structure(kind_for(kind), (), (nest.LEAF,))


_OTHERS = (Live, nest.Nest)
