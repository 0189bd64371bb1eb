"""The methods of arrays, NumPy scalars and Python numbers, each a call of its own method."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..graph.dispatch import method
from ..graph.tensor import Tensor
from .calls import call, carrier, no_attribute


def _method(name: str) -> Callable[..., Any]:
    def run(x: Tensor, *args: Any, **kwargs: Any) -> Any:
        if not hasattr(carrier(x.type.present), name):
            raise no_attribute(x, name)
        return call(f'ndarray.{name}', (x, *args), kwargs)

    return run


_CLASSES = (np.ndarray, np.float64, np.int64, np.str_, np.bytes_, float, int)
METHODS = sorted(
    {
        name
        for class_ in _CLASSES
        for name in dir(class_)
        if not name.startswith('_') and callable(getattr(class_, name))
    }
)
for _name in METHODS:
    method(_name)(_method(_name))
