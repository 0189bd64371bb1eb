"""Text with tensors in it: an f-string whose values only the running graph knows."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..graph.tensor import Tensor, valued
from ..graph.tracing import is_tracing
from ..ops.strings import Part, formatted, message
from ..ops.strings import percent as staged_percent
from .caught import Caught
from .replacements import stages

_CONVERSIONS: dict[int, Callable[[Any], str]] = {
    ord('s'): str,
    ord('r'): repr,
    ord('a'): ascii,
}


def text(*parts: Part) -> Any:
    """What an f-string of these parts gives; a staged string where a tensor is among them."""
    if is_tracing():
        parts = tuple(part if isinstance(part, str) else _shown(*part) for part in parts)
    written = [
        part if isinstance(part, str) or isinstance(part[0], Tensor) else _format(*part)
        for part in parts
    ]
    staged = any(isinstance(part, tuple) for part in written)
    return formatted(written) if staged else ''.join(map(str, written))


def _shown(value: Any, conversion: int, spec: str) -> Part:
    if isinstance(value, Caught):
        said = message(value.variable, 'repr' if conversion == ord('r') else 'str')
        return said, -1, spec
    return valued(value), conversion, spec


def percent(template: Any, values: Any) -> Any:
    """`template % values`."""
    parts = values if isinstance(values, tuple) else (values,)
    if isinstance(template, str) and any(isinstance(valued(part), Tensor) for part in parts):
        return staged_percent(template, tuple(map(valued, parts)))
    return template % values


def _format(value: Any, conversion: int, spec: str) -> str:
    if conversion != -1:
        value = _CONVERSIONS[conversion](value)
    return format(value, spec)


def _as_text(function: Callable[..., Any], conversion: int) -> Callable[..., Any]:
    """`str` and the like, where they come as values."""
    def form(*args: Any, **kwargs: Any) -> Any:
        if len(args) != 1 or kwargs:
            return function(*args, **kwargs)
        return text((args[0], conversion, ''))

    return form


for _function, _conversion in ((str, 's'), (repr, 'r'), (ascii, 'a')):
    stages(_function, _as_text(_function, ord(_conversion)))
stages(format, _as_text(format, -1))
