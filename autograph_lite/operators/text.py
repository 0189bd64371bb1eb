"""Text with tensors in it: an f-string whose values only the running graph knows."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.tensor import Tensor, valued
from ..graph.tracing import is_tracing

_CONVERSIONS: dict[int, Callable[[Any], str]] = {
    ord('s'): str,
    ord('r'): repr,
    ord('a'): ascii,
}

# A literal, or a value with its conversion and format.
Part = str | tuple[Any, int, str]


class Text(str):
    """An f-string with tensors in it.

    While tracing it reads as the tensors print; a message that is raised or printed by the running
    graph has their values.
    """

    parts: tuple[Part, ...]

    def __hash__(self) -> int:
        raise StagingError(
            describe(
                f'The text {str(self)!r} has no value while tracing; it is used as a key.',
                user_location(),
                'Use a Python value.',
            )
        )

    def __eq__(self, other: object) -> bool:
        raise StagingError(
            describe(
                f'The text {str(self)!r} has no value while tracing; it is compared.',
                user_location(),
                'Compare the values in it.',
            )
        )


def text(*parts: Part) -> str:
    """What an f-string of these parts gives."""
    if is_tracing():
        parts = tuple(p if isinstance(p, str) else (valued(p[0]), p[1], p[2]) for p in parts)
    written = ''.join(part if isinstance(part, str) else _format(*part) for part in parts)
    if not any(isinstance(part, tuple) and isinstance(part[0], Tensor) for part in parts):
        return written
    result = Text(written)
    result.parts = parts
    return result


def _format(value: Any, conversion: int, spec: str) -> str:
    if isinstance(value, Tensor):
        return repr(value)
    if conversion != -1:
        value = _CONVERSIONS[conversion](value)
    return format(value, spec)
