"""`a is b` where one of them is a value of the running graph."""
from __future__ import annotations

from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT
from ..graph.types import python_text, text_type, type_of
from ..ops.control_flow import CAST
from ..ops.view_calls import VIEW_CALL
from .caught import Caught
from .members import Member, is_one
from .watched import is_watched


def identical(a: Any, b: Any) -> Any:
    """`a is b`; a symbolic bool for what may be `True` or `False`.

    Raises:
      StagingError: only the running graph knows whether two names stand for one list, object,
        array, number or bool.
    """
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Member):
            return is_one(one, other)
        if one is Caught:
            one.__name__  # noqa: B018  `type(e) is ValueError`: only the running graph knows
    if a is b or not any(isinstance(x, Tensor) or is_watched(x) for x in (a, b)):
        return a is b
    if any(isinstance(x, Tensor) and x.may_be_state for x in (a, b)):
        raise _unknown()
    if _is_python_bool(a) and _is_python_bool(b):
        from .comparing import compared  # it needs what is here

        return compared(a, '==', b)
    if any(_is_python_bool(x) for x in (a, b)) and any(_may_be_bool(x) for x in (a, b)):
        what = 'A bool may be NumPy\'s or Python\'s here, and only the running graph knows which.'
        raise StagingError(describe(what, user_location(), 'Ask for its truth: `if flag`.'))
    if _are_captured(a, b):
        return a.held.node.attrs['value'] is b.held.node.attrs['value']
    if (is_watched(a) and is_watched(b)) or may_be_one_array(a, b):
        raise _unknown()
    if _are_numbers(a, b):
        what = 'Whether two numbers or texts are one object Python does not promise.'
        raise StagingError(describe(what, user_location(), 'Compare them: `a == b`.'))
    return False


def identity(x: Any) -> int:
    """`id(x)`.

    Raises:
      StagingError: it is a value of the running graph.
    """
    if isinstance(x, Tensor):
        raise _unknown('The identity of an array or a number')
    return id(x)


def _unknown(what: str = 'Whether the two are one object,') -> StagingError:
    fix = 'Compare what they hold, or keep a variable that tells which of them it is.'
    return StagingError(describe(f'{what} only the running graph knows.', user_location(), fix))


def _is_python_bool(x: Any) -> bool:
    """Whether it is one of the two that Python has, or may be."""
    if not isinstance(x, Tensor):
        return isinstance(x, bool)
    return x.type.weak and x.type.dtype == bool


def _may_be_bool(x: Any) -> bool:
    """Whether it is NumPy's bool as far as is known; where ways met, it may be Python's."""
    if not isinstance(x, Tensor) or x.type.weak or x.type.dtype != bool or x.type.kind == 'array':
        return False
    value = x.held
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
    if a.type.dtype != b.type.dtype or not _may_be_one(a.type.shape, b.type.shape):
        return False
    if any(x.place and (x.held.node is None or x.held.node.op is not VIEW_CALL) for x in (a, b)):
        return False  # `x[...]` is a new array; `np.atleast_1d(x)` may be `x`
    are_given = all(any(storage.owner for storage in x.memory) for x in (a, b))
    return are_given or not set(a.memory).isdisjoint(b.memory)


def _may_be_one(shape: Any, other: Any) -> bool:
    if shape is None or other is None:
        return True
    return len(shape) == len(other) and all(
        n == m or n is None or m is None for n, m in zip(shape, other, strict=True))
