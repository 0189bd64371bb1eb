"""`warnings.warn` while a graph is traced: what it says may have tensors in it."""
from __future__ import annotations

import sys
import warnings
from types import FrameType
from typing import Any

from ..errors import is_internal
from ..graph.dispatch import replaces
from ..ops.strings import StagedString


@replaces(warnings.warn)
def _warn(
    message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **kwargs: Any
) -> None:
    """`warnings.warn`, which counts the user's frames alone; a text shows its tensors by name."""
    text = str(message) if isinstance(message, StagedString) else message
    depth, left = 0, max(stacklevel, 1)
    frame: FrameType | None = sys._getframe(0)
    while frame is not None and left:
        left -= not is_internal(frame.f_code.co_filename)
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, category, depth + left, *args, **kwargs)
