"""Python numbers made of tensors: `float(x)`, `int(x)`, and all of `math`."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dispatch import replaces
from ..graph.tensor import Tensor
from .calls import call
from .template import holds_array


def _call(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Python's own for what is known, a node for a tensor or an array."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if not holds_array((*args, *kwargs.values())):
            return function(*args, **kwargs)
        return call(name, args, kwargs)

    return run


for _type in (int, float, bool, complex):
    replaces(_type)(_call(_type, f'builtins.{_type.__name__}'))

MATH = [name for name in dir(math) if callable(getattr(math, name)) and not name.startswith('_')]
for _name in MATH:
    replaces(getattr(math, _name))(_call(getattr(math, _name), f'math.{_name}'))


for _function in (np.base_repr, np.binary_repr, np.format_float_positional,
                  np.format_float_scientific):  # fmt: skip
    replaces(_function)(_call(_function, f'numpy.{_function.__name__}'))


@replaces(np.isscalar)
def _isscalar(element: Any) -> bool:
    """Whether the value is a NumPy scalar or a Python number."""
    return element.type.kind != 'array' if isinstance(element, Tensor) else np.isscalar(element)
