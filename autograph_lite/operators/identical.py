"""`a is b` where only the running graph knows what they are."""
from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator, Sequence
from types import MethodType
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.state import ReadAsValue, looked_at
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, UNWRAP
from ..graph.types import python_text, text_type, type_of
from ..keys import is_container
from ..ops.calls import carrier
from ..ops.control_flow import CAST
from ..ops.exceptions import ClassOfError
from ..ops.view_calls import VIEW_CALL
from .block_ways import has_identity
from .blocks_around import (
    before_blocks,
    note_told_apart,
    stands_for_another,
    stands_for_watched,
    unknown_identity,
)
from .cached_results import is_computed_anew
from .chosen_functions import OneFunction, functions_of, is_function
from .conditionals import cond
from .contents import is_object
from .guards import is_read_whole, record_asked, recorded_places
from .is_none import is_none, is_optional
from .known import root
from .leaves import same_static
from .live import Live
from .live_objects import LiveObject
from .living_lists import LivingList
from .logic import and_
from .members import Member, is_one
from .numbers_made import bool as bool_
from .optional_classes import PerhapsNoneType
from .optional_nests import Perhaps, present
from .optional_objects import class_of
from .outer_variables import as_before
from .outside import rebound, without_tensors
from .perhaps_missing import asked_of
from .places import Place, found_at
from .watched import is_joined


def identical(a: Any, b: Any) -> Any:
    """`a is b`; a symbolic bool for what may be `None`, `True` or `False`.

    Raises:
      StagingError: only the running graph knows whether two names stand for one list, object,
        array, number or bool.
    """
    given = a, b = asked_of(a), asked_of(b)
    a, b = without_tensors(a), without_tensors(b)
    _guard_which(a, b)
    if a is b:
        return True
    if _is_one_before_blocks(a, b):
        return True
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ReadAsValue | Live):
            return one.is_one(other)
        if other is None:
            return is_none(one)
        if isinstance(one, LivingList) and one.is_held:
            return one.is_one(other)
    for one, other in ((a, b), (b, a)):
        if is_optional(one):
            return _of_optional(one, other)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Member):
            return is_one(one, other)
        if isinstance(one, OneFunction):
            if any(isinstance(f, MethodType) for f in functions_of(other)):
                raise unknown_identity()  # Python makes another one each time that it is asked for
            return is_function(one, other)
        if isinstance(one, PerhapsNoneType):
            return one.is_class(other)
        if isinstance(one, ClassOfError):
            return one.is_class(other)
    if _may_be_one_tuple(a, b):
        raise unknown_identity()  # blocks and lists of the graph make another one of what it holds
    if _may_be_one(a, b) or _may_be_outside(*given) or _are_computed_anew(a, b):
        raise unknown_identity()
    if not any(isinstance(x, Tensor) for x in (a, b)):
        return False
    if any(isinstance(x, Tensor) and x.may_be_state for x in (a, b)):
        raise unknown_identity()
    if _bool_class(a) and _bool_class(b):
        return _is_this_bool(a, b)
    if _are_captured(a, b):
        return a.held.node.attrs['value'] is b.held.node.attrs['value']
    if may_be_one_array(a, b):
        raise unknown_identity()
    if _are_numbers(a, b):
        what = 'Whether two numbers or texts are one object Python does not promise.'
        raise StagingError(describe(what, user_location(), 'Compare them: `a == b`.'))
    return False


def _guard_which(a: Any, b: Any) -> None:
    """Guards which places hold one container where two from outside are compared."""
    if not (is_container(a) and is_container(b)) or rebound() is None:
        return
    if a is not b:
        note_told_apart(a)
        note_told_apart(b)
    with as_before():
        found = [(place, found_at(place)) for place in recorded_places()]
    places = [
        place for place, x in found
        if x is a or x is b
        or (is_read_whole(place) and any(each is a or each is b for each in _containers(x)))]
    if places:
        what = f'which containers in {", ".join(map(str, places))} are one'
        record_asked(what, functools.partial(_which_are_one, places))


def _which_are_one(places: Sequence[Place]) -> Hashable:
    """For each container that is there, the number of the first that is the same."""
    held = [x for place in places for x in _containers(found_at(place))]
    first: dict[int, int] = {}
    return tuple(first.setdefault(id(x), n) for n, x in enumerate(held))


def _containers(x: Any) -> Iterator[Any]:
    if is_container(x):
        yield x
        for part in nest.children(x):
            yield from _containers(part)


def _is_one_before_blocks(a: Any, b: Any) -> bool:
    """Whether staged blocks are passed the two for one list, dict, object or array."""
    if type(a) is not type(b) or not all(
        has_identity(x) or (isinstance(x, Tensor) and x.memory) for x in (a, b)
    ):
        return False
    return before_blocks(a) is before_blocks(b)


def _may_be_one_tuple(a: Any, b: Any) -> bool:
    """Whether two tuples may be one that a staged block was given, or gave."""
    if not isinstance(a, tuple) or type(a) is not type(b) or len(a) != len(b):
        return False
    return not any(map(_differ, a, b))


def _differ(a: Any, b: Any) -> bool:
    """Whether two parts of tuples surely are two."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return not _may_be_one_tuple(a, b)
    if any(isinstance(x, Tensor) or type(x) not in nest.LEAVES for x in (a, b)):
        return False
    return not same_static(a, b)


def _may_be_one(a: Any, b: Any) -> bool:
    """Whether ways through a block may have given both names one list, dict or object."""
    if type(a) is type(b) and (is_joined(a) or is_joined(b)):
        return True
    return (has_identity(a) or has_identity(b)) and all(map(stands_for_watched, (a, b)))


def _may_be_outside(a: Any, b: Any) -> bool:
    """Whether one may be the dataclass outside for which the other stands, with its tensors."""
    stand_in = [without_tensors(x) is not x for x in (a, b)]
    chosen = a if stand_in[1] else b
    return stand_in[0] is not stand_in[1] and type(a) is type(b) and stands_for_watched(chosen)


def _are_computed_anew(a: Any, b: Any) -> bool:
    """Whether they are what a cache keeps for numbers, which may be one number."""
    return type(a) is type(b) and is_computed_anew(a) and is_computed_anew(b)


def is_compared_by_identity(x: Any, method: str = '__eq__') -> bool:
    """Whether it is an object that Python tells from others by what it is.

    Args:
      x: the object, or what stands for one of several.
      method: by which Python asks, `__eq__` or `__hash__`.
    """
    x = looked_at(x)
    is_one = isinstance(x, LiveObject) or is_object(x)
    return is_one and getattr(type(x), method) is getattr(object, method)


def is_told_by_identity(x: Any, method: str = '__eq__') -> bool:
    """The same, where tracing may not know which object it is."""
    if not is_compared_by_identity(x, method):
        return False
    is_passed = has_identity(x) and stands_for_another(x)
    return looked_at(x) is not x or _may_be_another(x) or is_passed


def _may_be_another(x: Any) -> bool:
    is_one = isinstance(x, LiveObject) or is_joined(x)
    return is_one or (has_identity(x) and stands_for_watched(x))


# What is another object than the one that the program has, or may be.
_STANDING_FOR = ClassOfError, PerhapsNoneType, ReadAsValue, nest.Nest, tuple


def identity(x: Any) -> int:
    """`id(x)`.

    Raises:
      StagingError: it is a value of the running graph.
    """
    x = asked_of(x)
    if isinstance(x, Tensor):
        raise unknown_identity('The identity of an array or a number')
    if isinstance(x, _STANDING_FOR) or _may_be_another(x):
        raise unknown_identity('Which object it is,')
    return id(without_tensors(before_blocks(x)))


def _of_optional(x: Any, other: Any) -> Any:
    """`x is other`, where `x` may be None.

    Raises:
      StagingError: both are tuples or objects, of which a graph has no more than what they hold.
    """
    if isinstance(x, Perhaps) and isinstance(x.nest, Member | OneFunction):
        return cond(is_none(x), lambda: is_none(other), lambda: identical(present(x), other))
    if isinstance(x, Perhaps):
        if _class_there(x) is _class_there(other):
            raise unknown_identity()
        return and_(is_none(other), lambda: is_none(x))
    return cond(is_none(x), lambda: is_none(other), lambda: identical(present(x), other))


def _class_there(x: Any) -> type[Any]:
    """The class of something, where it is there."""
    there = x.nest if isinstance(x, Perhaps) else x
    kind = class_of(there)
    return nest.kind_of(there) if kind is type(there) else kind


def _bool_class(x: Any) -> type[Any] | None:
    """`bool` or `np.bool_`, of which there are two objects each; None for anything else."""
    kind = carrier(x.type) if isinstance(x, Tensor) else type(x)
    return kind if kind in (bool, np.bool_) else None


def _is_this_bool(a: Any, b: Any) -> Any:
    """Whether two bools are one.

    Raises:
      StagingError: only the running graph knows whether one of them is Python's.
    """
    if _may_be_pythons(a) or _may_be_pythons(b):
        what = 'A bool may be NumPy\'s or Python\'s here, and only the running graph knows which.'
        raise StagingError(describe(what, user_location(), 'Ask for its truth: `if flag`.'))
    return bool_(a == b) if _bool_class(a) is _bool_class(b) else False


def _may_be_pythons(x: Any) -> bool:
    """Whether a bool of NumPy's may be Python's, since ways met of which one gives that."""
    if not isinstance(x, Tensor) or x.type.weak:
        return False
    value = root(x.held)
    if value.node is not None and value.node.op is UNWRAP:
        value = root(value.node.inputs[0])
    if value.node is None:
        return value.graph.parent is not None  # not what the caller gives
    return bool(value.node.graphs) or value.node.op is CAST


def _are_numbers(a: Any, b: Any) -> bool:
    """Whether they are numbers of one type, or texts, which may be one object."""
    kinds = [_kind(x) for x in (a, b)]
    return None not in kinds and kinds[0] == kinds[1]


def _kind(x: Any) -> Any:
    """What a number or a text is; None for anything else."""
    type_ = x.type if isinstance(x, Tensor) else text_type(x) or type_of(x)
    if type_ is None:
        return None
    return python_text(type_) or (None if type_.kind == 'array' else (type_.weak, type_.dtype))


def _are_captured(a: Any, b: Any) -> bool:
    """Whether they are arrays that are read where they are."""
    return all(
        isinstance(x, Tensor) and x.type.kind == 'array' and x.held.node is not None
        and x.held.node.op is CONSTANT for x in (a, b))


def may_be_one_array(a: Any, b: Any) -> bool:
    """Whether the caller, a branch, a loop or NumPy may have given both names one array or list."""
    if not (isinstance(a, Tensor) and isinstance(b, Tensor)) or not (a.memory and b.memory):
        return False
    if a.type.dtype != b.type.dtype or not _may_be_one_shape(a.type.shape, b.type.shape):
        return False
    if any(_is_view(x) and not _is_of_block(other) for x, other in ((a, b), (b, a))):
        return False
    are_given = all(any(storage.owner for storage in x.memory) for x in (a, b))
    return are_given or not set(a.memory).isdisjoint(b.memory)


def _is_view(x: Tensor) -> bool:
    """Whether it is a new array, as `x[...]` is; `np.atleast_1d(x)` may be `x`."""
    return bool(x.place) and (x.held.node is None or x.held.node.op is not VIEW_CALL)


def _is_of_block(x: Tensor) -> bool:
    """Whether a branch or a loop was given it, or gave it."""
    node = root(x.held).node
    return len(x.memory) > 1 or (x.graph.parent is not None if node is None else bool(node.graphs))


def _may_be_one_shape(shape: Any, other: Any) -> bool:
    if shape is None or other is None:
        return True
    return len(shape) == len(other) and all(
        n == m or n is None or m is None for n, m in zip(shape, other, strict=True))
