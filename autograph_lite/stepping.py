"""Stepping through a traced function in a debugger of Python's: it stays in the user's code."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from .errors import is_internal, is_users

_PACKAGES = (__package__, 'astunparse', 'gast')
# Python's own code, and what dataclasses and named tuples have written.
_UNWRITTEN = ('<frozen', '<string>')


@contextmanager
def in_users_code() -> Iterator[None]:
    """Lets `pdb` not step into the library, where a branch or a loop's body ends.

    Where it has a breakpoint it stops all the same; and so it does in what the user's code calls.
    """
    told = sys.gettrace()
    debugger = getattr(told, '__self__', None)
    bdb = sys.modules.get('bdb')
    if bdb is None or told is None or not isinstance(debugger, bdb.Bdb):
        yield
        return
    # It gives every frame this method, also those that it returns to.
    debugger.trace_dispatch = filtered = _filtered(told, debugger)
    sys.settrace(filtered)
    try:
        yield
    finally:
        debugger.trace_dispatch = told
        if sys.gettrace() is filtered:  # it may have been left in between
            sys.settrace(told)


def debugger() -> Any:
    """A debugger of Python's that stops in the user's code, and in what that calls."""
    import pdb

    class Stepping(pdb.Pdb):
        def stop_here(self, frame: FrameType) -> bool:
            return _is_stepped_through(frame) and bool(super().stop_here(frame))

        def interaction(self, frame: FrameType | None, *args: Any) -> None:
            if frame is not None:
                _show_variables_around(frame)
            super().interaction(frame, *args)

    return Stepping()


def _filtered(told: Callable[..., Any], debugger: Any) -> Callable[..., Any]:
    def tell(frame: FrameType, event: str, argument: Any) -> Any:
        if _is_stepped_through(frame) or debugger.break_anywhere(frame):
            if event == 'line':
                _show_variables_around(frame)
            return told(frame, event, argument)
        return None

    return tell


def _show_variables_around(frame: FrameType) -> None:
    """Lets the debugger see, in a branch or a loop's body, what the user's function has there.

    A block that does not use a variable is not given it. The names of the block's own are left
    alone: Python would give the block what is put there.
    """
    block, around = frame.f_code, frame.f_back
    own = {*block.co_varnames, *block.co_cellvars, *block.co_freevars}
    while around is not None:
        code = around.f_code
        if block in code.co_consts and block.co_name == code.co_name:
            for name, value in around.f_locals.items():
                if name not in own:
                    frame.f_locals.setdefault(name, value)
            block = code
        around = around.f_back


def _is_stepped_through(frame: FrameType) -> bool:
    """Whether a frame is of the user's code, or was called by what is stepped through."""
    filename, module = frame.f_code.co_filename, str(frame.f_globals.get('__name__'))
    if module.partition('.')[0] in _PACKAGES or is_internal(filename):
        return False
    if is_users(frame) and (module == '__main__' or not filename.startswith(_UNWRITTEN)):
        return True
    caller = frame.f_back
    return caller is not None and caller.f_trace is not None and _is_stepped_through(caller)
