"""The public names of functions: `numpy.linalg.inv`, `math.sqrt`, `ndarray.sum` for a method."""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from .call_text import ROOTS, is_method
from .refusals import refuse

# Modules whose functions say that they are from another one.
_RENAMED = {'numpy.lib.scimath': 'numpy.emath', 'numpy.lib._scimath_impl': 'numpy.emath'}


def public_name(function: Callable[..., Any]) -> str:
    """The public name of a function: 'numpy.linalg.inv'.

    Raises:
      StagingError: it has none.
    """
    found = _public_name(function)
    if found is None:
        raise refuse(
            getattr(function, '__name__', None) or repr(function),
            'is not a public function of NumPy.',
            'Call it under `ag.py_function`.',
        )
    return found


def has_public_name(function: Callable[..., Any]) -> bool:
    """Whether a program can call a function by name."""
    return _public_name(function) is not None


def _public_name(function: Callable[..., Any]) -> str | None:
    module = getattr(function, '__module__', None) or ''
    module = _RENAMED.get(module, module)
    name = getattr(function, '__qualname__', None) or getattr(function, '__name__', '')
    if module.split('.')[0] in ROOTS:
        full = f'{module}.{name}'
        if _find(full) is function:
            return full
    for module in ('numpy', 'numpy.strings', 'numpy.linalg', 'numpy.char'):
        public = str(getattr(function, '__name__', '')).lstrip('_')  # `np.char.join` is a `_join`
        if getattr(_find(module), public, None) is function:
            return f'{module}.{public}'
    return None


def _find(name: str) -> Any:
    """The object with a public name; None if there is none."""
    first, *rest = name.split('.')
    found: Any = ROOTS[first]
    for attribute in rest:
        found = getattr(found, attribute, None)
    return found


@functools.cache
def target(name: str) -> Callable[..., Any]:
    """The function with a public name; by 'ndarray.', what it does to its first argument."""
    root, _, attribute = name.partition('.')
    if root in ROOTS:
        function: Callable[..., Any] = _find(name)
        return function
    if not is_method(attribute):
        return operator.attrgetter(attribute)
    return lambda first, *args, **kwargs: getattr(first, attribute)(*args, **kwargs)


def value_name(name: str) -> str:
    """What the results of a function are called in the program."""
    return name.removesuffix('.__getitem__').rpartition('.')[2].rstrip('_')


def get_attribute(x: Any, name: str) -> Any:
    """An attribute of any object; None where its class raises whatever it likes."""
    try:
        return getattr(x, name, None)
    except Exception:
        return None
