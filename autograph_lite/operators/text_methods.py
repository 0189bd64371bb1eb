"""Methods of a given text that are given what only the running graph knows: `'abc'.find(t)`."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..graph.state import valued
from ..graph.tensor import Tensor
from ..ops.strings import text_constant
from .text import formatted_template, join


def method_of_text(
    owner: str | bytes, name: str, given: tuple[Any, ...]
) -> Callable[..., Any] | None:
    """What to call instead of a method of a text; None for the method itself."""
    if name == 'format' and isinstance(owner, str):
        return functools.partial(formatted_template, owner)
    if name == 'join':
        return functools.partial(join, owner)
    if name.startswith('__') or not any(map(_is_staged, given)):
        return None
    return getattr(text_constant(owner), name)  # type: ignore[no-any-return]


def _is_staged(x: Any) -> bool:
    """Whether it is a tensor, or a tuple or a table of `translate` with one in it."""
    if isinstance(x, dict):
        return any(map(_is_staged, x.values()))
    return any(map(_is_staged, x)) if isinstance(x, tuple) else isinstance(valued(x), Tensor)
