"""`isinstance`, `issubclass` and `type`: what stands for something else is of its class."""
from __future__ import annotations

import builtins
from typing import Any

from ..graph.dispatch import replaces
from ..graph.state import ReadAsValue, looked_at
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing, unwrap
from ..ops.calls import carrier
from ..ops.exceptions import ClassOfError, StagedError, is_error
from .chosen_variables import is_chosen_variable
from .dicts import StagedDict
from .folding import Folding
from .growing_dicts import GrowingDict
from .is_none import check_class_known, is_none, is_optional
from .known import known_there
from .live import Live
from .live import kind_of as kind_of_live
from .logic import not_
from .members import Member, kind_of
from .nest_lists import NestList
from .optional_classes import PerhapsNoneType
from .optional_nests import Perhaps
from .perhaps_missing import asked_of
from .progress import Collection
from .staged_iterable import Staged
from .tuples import StagedTuple
from .variables import Variable

isinstance_ = builtins.isinstance


@replaces(builtins.isinstance)
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
        return isinstance_(x, classes)
    kinds = classes if isinstance_(classes, tuple) else (classes,)
    if is_chosen_variable(x):
        return builtins.issubclass(Variable, kinds)
    check_class_known(x)
    # Not `isinstance(x, classes)`: a tensor has a length and can be iterated over, a scalar cannot.
    return type(x) in kinds or Tensor in kinds or builtins.issubclass(carrier(x.type), classes)


def issubclass(kind: Any, classes: Any) -> Any:
    """`issubclass(kind, classes)`, also of the class of an exception that the graph has caught."""
    asked = isinstance_(kind, ClassOfError)
    return kind.is_subclass(classes) if asked else builtins.issubclass(kind, classes)


def _is_there_and(x: Any, classes: Any) -> Any:
    """`isinstance(x, classes)` of what may be None."""
    there = isinstance(x.nest if isinstance_(x, Perhaps) else unwrap(x, sure=True), classes)
    if there is isinstance_(None, classes):
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
    check_class_known(x)
    return carrier(x.type) if isinstance_(x, Tensor) else type(x)


def _class_if_there(x: Any) -> Any:
    return type_of(x.nest) if isinstance_(x, Perhaps) else carrier(x.type.present)
