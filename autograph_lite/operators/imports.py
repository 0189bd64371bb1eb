"""What a traced function imports is read from outside, where modules are."""
from __future__ import annotations

import sys
from typing import Any

from ..graph.tracing import is_tracing
from .captures import part
from .places import Item, Place

__all__ = ['imported']


def imported(value: Any, module: str, *steps: str) -> Any:
    """What was imported: guarded, an array as a tensor.

    Args:
      value: what `import` gave.
      module: where it is from.
      *steps: what leads to it from there: nothing, or `.name`.
    """
    if not is_tracing():
        return value
    try:
        return part(Place(_modules, ('modules',), 'sys.modules', (Item(module),)), *steps)
    except (AttributeError, KeyError):  # `import` knows more places
        return value


def _modules() -> Any:
    return sys.modules
