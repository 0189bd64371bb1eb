"""`ag.np` and `ag.math`: the functions of NumPy and `math` that no protocol lets a tensor reach.

Outside a trace, and for every other name, they are NumPy's and Python's own.
"""
from __future__ import annotations

import functools
import math as python_math
from collections.abc import Hashable
from types import ModuleType
from typing import Any

import numpy

from ..graph.dispatch import UNREACHED
from ..graph.tensor import valued
from ..graph.tracing import is_tracing


class Namespace:
    """A module whose functions are staged while a graph is traced."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._module, name)
        if not isinstance(found, Hashable) or found not in UNREACHED:
            return found
        staged = UNREACHED[found]
        if not callable(found):  # such as `np.r_`
            return staged if is_tracing() else found

        @functools.wraps(found, updated=())
        def function(*args: Any, **kwargs: Any) -> Any:
            if not is_tracing():
                return found(*args, **kwargs)
            return staged(*map(valued, args), **{k: valued(v) for k, v in kwargs.items()})

        self.__dict__[name] = function
        return function

    def __dir__(self) -> list[str]:
        return dir(self._module)

    def __repr__(self) -> str:
        return f'<{self._module.__name__}, staged while tracing>'


np = Namespace(numpy)
math = Namespace(python_math)
