"""`isinstance`, `issubclass` and `type`: what stands for something else is of its class."""
from __future__ import annotations

import builtins
from typing import Any

from ..graph.dispatch import replaces
from ..graph.nest import actual
from ..graph.state import ReadAsValue, looked_at
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import carrier
from ..ops.exceptions import ClassOfError, StagedError, is_error
from .chosen_functions import OneFunction
from .chosen_variables import is_chosen_variable
from .conditionals import cond
from .dicts import StagedDict
from .folding import Folding
from .growing_dicts import GrowingDict
from .is_none import check_class_known, is_none, is_optional
from .known import known_there
from .live import Live, is_absent
from .live import kind_of as kind_of_live
from .members import Member, kind_of
from .nest_lists import NestList
from .one_of_few import for_each, is_one_of_few, there
from .optional_classes import PerhapsNoneType
from .optional_nests import Perhaps, present
from .optional_objects import class_of
from .perhaps_missing import asked_of
from .progress import Collection
from .staged_iterable import Staged
from .tuples import StagedTuple
from .variables import Variable

isinstance_ = builtins.isinstance


@replaces(builtins.isinstance)
def isinstance(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)`; a tensor is what it stands for, or `ag.Tensor` itself."""
    x = actual(x)
    if isinstance_(x, Live):
        is_one = builtins.issubclass(kind_of_live(x), classes)
        return _unless_none(is_one, is_absent(x), classes)
    x = asked_of(x.looked_at if isinstance_(x, ReadAsValue) else x)
    if is_one_of_few(classes):
        message = 'isinstance() arg 2 must be a type, a tuple of types, or a union'
        return for_each(there(classes, TypeError, message), lambda kind: isinstance(x, kind))
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
    if isinstance_(x, OneFunction):
        return x.each(lambda function: isinstance(function, classes))
    if isinstance_(x, PerhapsNoneType):
        return isinstance(x.there, classes)
    if is_optional(x):
        return _is_there_and(x, classes)
    if not isinstance_(x, Tensor):
        return isinstance_(x, classes)
    kinds = classes if isinstance_(classes, tuple) else (classes,)
    if is_chosen_variable(x):
        return builtins.issubclass(Variable, kinds)
    check_class_known(x)
    # Not `isinstance(x, classes)`: a tensor has a length and can be iterated over, a scalar cannot.
    return type(x) in kinds or Tensor in kinds or builtins.issubclass(carrier(x.type), classes)


def issubclass(kind: Any, classes: Any) -> Any:
    """`issubclass(kind, classes)`, also of the class of an exception that the graph has caught."""
    if is_one_of_few(kind):
        kind = there(kind, TypeError, 'issubclass() arg 1 must be a class')
        return for_each(kind, lambda one: issubclass(one, classes))
    if is_one_of_few(classes):
        message = 'issubclass() arg 2 must be a class, a tuple of classes, or a union'
        return for_each(there(classes, TypeError, message), lambda one: issubclass(kind, one))
    asked = isinstance_(kind, ClassOfError)
    return kind.is_subclass(classes) if asked else builtins.issubclass(kind, classes)


def _is_there_and(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)` of what may be None."""
    if isinstance_(x, Perhaps) and class_of(x.nest) is not type(x.nest):
        is_one: Any = builtins.issubclass(class_of(x.nest), classes)
    else:
        is_one = isinstance(present(x), classes)
    return _unless_none(is_one, is_none(x), classes)


def _unless_none(is_one: Any, absent: Any, classes: Any) -> Any:
    """The same, where it is known of what is there, and whether it is None."""
    is_none_one = isinstance_(None, classes)
    if absent is False or is_one is is_none_one:
        return is_one
    return cond(absent, lambda: is_none_one, lambda: is_one)


def type_of(x: Any) -> Any:
    """`type(x)`; of a tensor, the class of what it stands for."""
    x = actual(x)
    if isinstance_(x, Live):
        kind = kind_of_live(x)
        return kind if is_absent(x) is False else PerhapsNoneType(x, kind)
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
    if isinstance_(x, OneFunction):
        return x.python_class()
    check_class_known(x)
    return carrier(x.type) if isinstance_(x, Tensor) else type(x)


def _class_if_there(x: Any) -> Any:
    if not isinstance_(x, Perhaps):
        return carrier(x.type.present)
    kind = class_of(x.nest)
    return type_of(x.nest) if kind is type(x.nest) else kind
