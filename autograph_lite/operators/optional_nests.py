"""`Perhaps`: a tuple or another nest that only the running graph knows to be there, or `None`.

    best = None
    for i, x in enumerate(xs):
        if best is None or x > best[1]:
            best = i, x

Its leaves are values that may be missing, beside one that tells whether the nest is there. What the
graph returns of it is the nest itself or `None`.
"""
from __future__ import annotations

import copy
import functools
import inspect
import operator
import types
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location, with_article
from ..graph import nest, nest_contents
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, constant, emit_one, unwrap
from ..graph.types import ListType, type_of
from ..ops.control_flow import MISSING
from ..pyct.asking import package_of
from .handles import handle
from .lists import StagedList, new_list
from .logic import and_
from .members import OF_NESTS, Member
from .optional_objects import (
    called_unchanged,
    class_of,
    closed_object,
    truth_of_object,
    unchanged_by,
    unsupported,
)
from .reentry import cond
from .unbound import NOTHING, Unbound, unbound


class Perhaps(nest.Nest):
    """A nest that may be `None` when the graph runs.

    Attributes:
      present: whether it is there; a symbolic bool.
      nest: what it is then.
    """

    __slots__ = ('nest', 'present', 'successor')

    def __init__(self, present: Any, value: Any) -> None:
        object.__setattr__(self, 'present', present)
        object.__setattr__(self, 'nest', value)
        object.__setattr__(self, 'successor', None)

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (), [self.present, self.nest]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        present, value = parts
        if isinstance(present, (bool, np.bool_)):
            return value if present else None
        return cls(present, value)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'{parts[1]} or None'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['', '']

    def as_condition(self) -> Any:
        """Whether it is there, and not empty."""
        held = nest.actual(self.nest)
        if _is_one_value(self) and type(held).as_condition(self.sure()) is True:
            return self.present
        if hasattr(type(held), 'as_condition'):
            from .numbers_made import bool as bool_

            return and_(self.present, lambda: bool_(self.sure()))
        truth = truth_of_object(self)
        if truth is not None:
            return and_(self.present, truth)
        return self.present if not hasattr(type(held), '__len__') or len(held) else False

    def as_list(self) -> Any:
        """A list, or None, as a value of the graph."""
        if is_never(self.present):
            return _no_list()

        def there() -> Any:
            sure = self.sure()
            return sure if isinstance(sure, StagedList) else new_list(sure)

        return cond(self.present, there, lambda: None)

    def become(self, successor: Any) -> None:
        """Every name for it stands for something else from now on; for itself again if for None."""
        object.__setattr__(self, 'successor', successor)

    def sure(self) -> Any:
        """The nest, in a block that runs only where it is there."""
        return nest.map_leaves(present_leaf, self.nest)

    def __copy__(self) -> Any:
        return self._copied(copy.copy)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        return self._copied(copy.deepcopy)

    def _copied(self, copied: Callable[[Any], Any]) -> Any:
        return cond(self.present, lambda: copied(self.sure()), lambda: None)

    def checked(self, error: type[Exception], message: str) -> Any:
        """The nest; where it is not there when the graph runs, that raises what Python does."""
        from .needed import check_there

        check_there(self, error, message)
        return self.sure()

    def to_change(self, error: type[Exception], message: str) -> Any:
        """The same, itself: what changes it, every name for it sees."""
        from .nest_lists import NestList
        from .watched import is_container, put_what_is_read

        sure, held = self.checked(error, message), nest.actual(self.nest)
        if isinstance(held, NestList):
            held.columns[:] = sure.columns
            return held
        if not is_container(held):
            return sure
        put_what_is_read(held, nest_contents.content(sure))
        return held

    def _check_operator(self, sign: str) -> None:
        """Refuses what a class of the user's says of its objects in code of its own.

        Raises:
          StagingError: it is an object of such a class.
        """
        if class_of(self.nest) is not type(self.nest):
            raise unsupported(f'`{sign}` as its class defines it')

    def __getitem__(self, index: Any) -> Any:
        self._check_operator('[...]')
        return self.checked(TypeError, "'NoneType' object is not subscriptable")[index]

    def __iter__(self) -> Iterator[Any]:
        self._check_operator('iter')
        return iter(self.checked(TypeError, "'NoneType' object is not iterable"))

    def __len__(self) -> int:
        self._check_operator('len')
        return len(self.checked(TypeError, "object of type 'NoneType' has no len()"))

    def __getattr__(self, name: str) -> Any:
        if name.startswith('__'):
            raise AttributeError(name)
        from .own_attributes import own_read

        lacking = AttributeError, f"'NoneType' object has no attribute {name!r}"
        if _is_one_value(self):
            from .one_of_few import has_attribute

            if not has_attribute(self.nest, name):
                return getattr(self.nest, name)  # which has none
            return getattr(self.checked(*lacking), name)
        own = inspect.getattr_static(class_of(self.nest), name, None)
        is_method = isinstance(own, types.FunctionType) and name not in _READING
        is_read = isinstance(own, property) or is_method or name in _READING
        if not is_read and callable(_part(self.nest, name)):
            return getattr(self.to_change(*lacking), name)
        there = closed_object(self.checked(*lacking))
        if is_method:
            return functools.partial(called_unchanged, there, name)
        read = own_read(there, name)
        return getattr(there, name) if read is None else unchanged_by(there, name, read)

    def __getattribute__(self, name: str) -> Any:
        if name in OF_NESTS:  # the user's classes may have such names, too
            return Perhaps.__getattr__(self, name)
        return super().__getattribute__(name)

    def __setattr__(self, name: str, value: Any) -> None:
        raise unsupported(f'setting `{name}`')

    def __delattr__(self, name: str) -> None:
        raise unsupported(f'deleting `{name}`')

    def __setitem__(self, index: Any, value: Any) -> None:
        self._check_operator('[...] =')
        message = "'NoneType' object does not support item assignment"
        self.to_change(TypeError, message)[index] = value

    def __delitem__(self, index: Any) -> None:
        self._check_operator('del')
        del self.to_change(TypeError, "'NoneType' object doesn't support item deletion")[index]

    def __bool__(self) -> bool:
        raise unsupported('asking Python for its truth value')

    def __eq__(self, other: object) -> Any:
        raise unsupported('`==`')

    def __hash__(self) -> int:
        raise unsupported('using it as a key, or an element of a set, in this way')

    def stacked(self) -> Any:
        return self._for_numpy(nest.Stackable.stacked)

    def for_numpy(self) -> Any:
        return self._for_numpy(nest.Stackable.for_numpy)

    def _for_numpy(self, taken: Callable[[nest.Stackable], Any]) -> Any:
        from .known import is_there

        if not _is_one_value(self) and not is_there(self):
            return self
        sure = self.known_there('using it as an array')
        return taken(sure) if isinstance(sure, nest.Stackable) else sure

    def as_index(self) -> Any:
        self.known_there('using it as an index')
        sure = nest.map_leaves(_index_leaf, self.nest)
        return sure.as_index() if isinstance(sure, nest.Stackable) else sure

    def known_there(self, what: str) -> Any:
        """The nest, in a block that runs only where it is there.

        Args:
          what: what is done with it.

        Raises:
          StagingError: it may be None in this block.
        """
        from .known import is_there

        if not is_there(self):
            raise unsupported(what, _ASK)
        return self.sure()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise unsupported('using it as an array')

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        what = f'`np.{ufunc.__name__}`'
        inputs = tuple(x.known_there(what) if isinstance(x, Perhaps) else x for x in inputs)
        return getattr(ufunc, method)(*inputs, **kwargs)

    def __repr__(self) -> str:
        return f'<{nest.flatten(self)[1]}>'


_ASK = 'Ask `if x is not None:` before: there it is what else it may be.'
# What reads a nest and changes nothing.
_READING = {'items', 'keys', 'values', 'get', '_asdict', '_replace'}


def perhaps(value: Any, like: Any) -> Perhaps:
    """A nest, or None, as one that may be None.

    Args:
      value: a nest; None for one of the form of `like` that is not there.
      like: a nest of the same form, or one that may be None.
    """
    if value is None and isinstance(like, Perhaps):
        return Perhaps(constant(False), nest.map_leaves(_nothing_of_optional, like.nest))
    if value is None:
        return Perhaps(constant(False), nest.map_leaves(_nothing, like))
    _check_names(value)
    leaves, structure = nest.flatten(value)
    there = list(map(_there, leaves))
    if all(map(operator.is_, there, leaves)):
        return Perhaps(constant(True), value)
    from .watched import is_container, watch

    made = nest.unflatten(structure, there)
    if is_container(value):
        watch(value, made)  # the names that there are stand for the one, and this for the other
    return Perhaps(constant(True), made)


def _check_names(value: Any) -> None:
    """What is asked of the value itself is not what stands for it says.

    Raises:
      StagingError: it has an attribute that this has, too.
    """
    kind = value._kind if isinstance(value, Member) else class_of(value)
    if package_of(kind) == package_of(Perhaps):
        return
    fields = getattr(kind, '__dataclass_fields__', getattr(value, 'names', ()))
    name = next((each for each in _OWN_NAMES if each in fields or hasattr(kind, each)), None)
    if name is not None:
        kind_named = with_article(kind.__name__, begins=True)
        what = f'{kind_named} that may be None when the graph runs has an attribute {name!r}.'
        fix = f'Call that something else, `{name}_`: what stands for it has one of that name, too.'
        raise StagingError(describe(what, user_location(), fix))


_OWN_NAMES = [name for name in dir(Perhaps) if name[0] != '_' and name not in OF_NESTS]


def _part(held: Any, name: str) -> Any:
    """An attribute of what is there, and not of what stands for it."""
    if class_of(held) is type(held):
        return getattr(held, name)
    return type(held).__getattr__(held, name)


def _is_one_value(x: Perhaps) -> bool:
    """Whether it is a member of an `Enum` or a function, which nothing can change."""
    from .one_of_few import is_one_of_few

    return is_one_of_few(x)


def can_be_filled(x: Any) -> bool:
    """Whether it is a list or a dict, or what stands for one, which is changed where it is."""
    return issubclass(nest.kind_of(nest.actual(x)), (list, dict))


def is_never(condition: Any) -> bool:
    """Whether a condition is known to be false."""
    node = condition.held.node if isinstance(condition, Tensor) else None
    return node is not None and node.op is CONSTANT and not node.attrs['value']


def present(x: Any) -> Any:
    """What may be None, in a block that runs only where it is there."""
    return x.sure() if isinstance(x, Perhaps) else unwrap(x, sure=True)


def can_be_none(x: Any) -> bool:
    """Whether a nest can be one that may be None: nothing inside it can be changed in place."""
    if isinstance(x, Perhaps):
        return True
    return not nest.is_leaf(x) and all(map(_is_fixed, nest.children(x)))


def _is_fixed(x: Any) -> bool:
    return nest.is_leaf(x) or (
        isinstance(x, (tuple, Perhaps)) and all(map(_is_fixed, nest.children(x)))
    )


def _nothing(leaf: Any) -> Any:
    """What stands for a leaf that is not there; a text or the like is known all the same.

    For one that may be None where it is there, it is no None.
    """
    if isinstance(leaf, Unbound) or _may_be_none(leaf):
        return unbound()
    if _is_list(leaf):
        return _no_list()
    return None if isinstance(leaf, Tensor) or type_of(leaf) is not None else leaf


def _nothing_of_optional(leaf: Any) -> Any:
    """The same, for a leaf of what may be None itself: what may be None where that is, is told."""
    if _is_list(leaf):
        return _no_list()
    return None if isinstance(leaf, Tensor) else _nothing(leaf)


def _is_list(leaf: Any) -> bool:
    return isinstance(leaf, Tensor) and isinstance(leaf.type, ListType)


def _no_list() -> Any:
    """A list of the graph that is not there."""
    return handle(emit_one(MISSING, [], {'type': ListType(maybe=True)}).held)


def _there(leaf: Any) -> Any:
    return Unbound('', there=leaf, optional=True) if _may_be_none(leaf) else leaf


def _may_be_none(leaf: Any) -> bool:
    return leaf is None or (isinstance(leaf, Tensor) and leaf.type.maybe)


def _index_leaf(leaf: Any) -> Any:
    """The same, where it is a part of an index: None there is one axis more."""
    is_yet_unknown = leaf is None  # a loop has put in nothing so far
    return constant(0) if is_yet_unknown else present_leaf(leaf)


def present_leaf(leaf: Any) -> Any:
    """A leaf of such a nest, where that is there."""
    if isinstance(leaf, Tensor) and leaf.type.maybe:
        return unwrap(leaf, sure=True)
    if not isinstance(leaf, Unbound) or leaf.name:
        return leaf
    if leaf.there is NOTHING:
        return None
    return leaf.there if leaf.tensor is None or leaf.optional else unwrap(leaf.tensor, sure=True)
