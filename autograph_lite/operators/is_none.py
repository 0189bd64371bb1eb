"""`x is None` where only the running graph knows."""
from __future__ import annotations

from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..graph.tracing import emit_one
from ..graph.types import ObjectType
from ..ops.control_flow import NOT
from .live import Live, is_absent
from .living_lists import LivingList
from .optional_nests import Perhaps
from .perhaps_missing import asked_of
from .unbound import is_missing


def is_optional(x: Any) -> bool:
    """Whether only the running graph knows if it is None."""
    return isinstance(x, Perhaps) or (
        isinstance(x, Tensor) and not isinstance(x, LivingList) and x.type.maybe)


def is_none(x: Any) -> Any:
    """`x is None`; a symbolic bool for a value that may be missing."""
    x = asked_of(x)
    if isinstance(x, Perhaps):
        return emit_one(NOT, [x.present])
    if isinstance(x, Live):
        return is_absent(x)
    if isinstance(x, ReadAsValue):
        return x.is_one(None)
    check_class_known(x)
    return is_missing(x) if is_optional(x) else x is None


def check_class_known(x: Any) -> None:
    """Raises StagingError for an element of an array of objects, which may be of any class."""
    if not isinstance(x, Tensor) or isinstance(x.type, ObjectType) or x.type.kind != 'scalar':
        return
    if x.type.dtype is not None and x.type.dtype.kind == 'O':
        raise StagingError(
            describe(
                'What an element of an array of objects is, only the running graph knows.',
                user_location(),
                'Ask a function under `ag.py_function`, as by `ag.py_function(lambda x: x is None, '
                '[x], bool)`; or use an array of numbers, with `np.nan` where there is none.',
            )
        )
