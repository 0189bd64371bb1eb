"""`breakpoint()` in traced code: Python's debugger stays in the user's code from there on."""
from __future__ import annotations

import builtins
from typing import Any

from ..converters.method_calls import has_pythons_debugger
from ..errors import user_frame
from ..graph.dispatch import replaces
from ..stepping import debugger


@replaces(builtins.breakpoint)
def _breakpoint(*args: Any, **kwargs: Any) -> Any:
    frame = user_frame() if has_pythons_debugger() else None
    if frame is None or args or kwargs:
        return builtins.breakpoint(*args, **kwargs)
    return debugger().set_trace(frame)
