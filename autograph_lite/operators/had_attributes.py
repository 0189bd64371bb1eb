"""`hasattr` of tensors and of what may be None: what stands for a value has what that has."""
from __future__ import annotations

from typing import Any

from ..graph.dispatch import METHODS
from ..graph.tensor import Tensor
from ..ops.calls import carrier
from .chosen_variables import is_chosen_variable
from .is_none import is_none, is_optional
from .logic import not_
from .optional_nests import Perhaps
from .variables import Variable


def has_attribute(value: Tensor | Perhaps, name: str) -> Any:
    """Whether it has an attribute, which the running graph may have to say."""
    if isinstance(value, Perhaps):
        there = hasattr(value.nest, name)
    else:
        kind = Variable if is_chosen_variable(value) else carrier(value.type.present)
        there = hasattr(kind, name)
    if not is_optional(value) or there is hasattr(None, name):
        return there
    return not_(is_none(value)) if there else is_none(value)


def lacks_method(value: Tensor, name: str) -> bool:
    """Whether tensors have a method of this name, and what this one stands for surely has not."""
    return (name.startswith('__') or name in METHODS) and has_attribute(value, name) is False
