"""Stepping through a traced function in a debugger of Python's: it stays in the user's code."""
from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from types import FrameType, MethodType
from typing import Any

from .config import active_debugger
from .errors import is_internal, is_users

_PACKAGES = (__package__, 'astunparse', 'gast')
_SKIPPED = tuple(pattern for name in _PACKAGES for pattern in (name, f'{name}.*'))
# Python's own code, and what dataclasses and named tuples have written.
_UNWRITTEN = ('<frozen', '<string>')


def in_users_code(debugger: Any, function: Callable[..., Any], *args: Any) -> Any:
    """Calls a function of the library, into which a debugger does not step.

    Where it has a breakpoint it stops all the same; and so it does in what the user's code calls.

    Args:
      debugger: one of Python's, such as `pdb`, to which nothing is told now.
      function: the function.
      *args: what it is given.
    """
    told = debugger.trace_dispatch
    if told.__module__ == __name__:  # it is told of the user's code alone already
        sys.settrace(told)
        return function(*args)
    _skip(debugger)
    # It gives every frame this method, also those that it returns to.
    debugger.trace_dispatch = filtered = _filtered(told, debugger)
    sys.settrace(filtered)
    try:
        return function(*args)
    finally:
        debugger.trace_dispatch = told
        if sys.gettrace() is filtered:  # it may have been left in between
            sys.settrace(told)


def skip_library() -> None:
    """Lets the debugger that steps through this, if one does, not stop in the library."""
    told, stepping = sys.gettrace(), active_debugger()
    if stepping is None:
        return
    sys.settrace(None)  # nor while that is loaded
    library = sys.modules[str(__package__)]
    for name in library.__all__:
        getattr(library, name)
    _skip(stepping)
    sys.settrace(told)


def _skip(debugger: Any) -> None:
    """From here on a debugger neither stops in the library nor shows it, nor in later calls."""
    debugger.skip = {*(debugger.skip or ()), *_SKIPPED}
    if 'get_stack' not in vars(debugger):
        debugger.get_stack = functools.partial(_users_stack, debugger.get_stack)


def _users_stack(
    get_stack: Callable[..., Any], frame: FrameType | None, *traceback: Any
) -> tuple[list[tuple[FrameType, int]], int]:
    """The stack that a debugger shows, and where in it it is: without the library's frames.

    Nor are there those around a branch or a loop's body, of which it is a part in Python. Where the
    library itself is looked at, it is shown.
    """
    stack, current = get_stack(frame, *traceback)
    if is_internal(stack[current][0].f_code.co_filename):
        return stack, current
    around = {outer for inner, _ in stack for outer in _frames_around(inner)}
    kept = [
        not is_internal(frame.f_code.co_filename) and frame not in around for frame, _ in stack]
    return list(itertools.compress(stack, kept)), sum(kept[:current])


def debugger() -> Any:
    """A debugger of Python's that stops in the user's code, and in what that calls."""
    import pdb

    made = pdb.Pdb()
    _skip(made)
    made.trace_dispatch = _filtered(made.trace_dispatch, made)  # type: ignore[method-assign]
    return made


def _filtered(told: Callable[..., Any], debugger: Any) -> Callable[..., Any]:
    """What tells a debugger of what happens in frames that are stepped through."""

    def tell(_: Any, frame: FrameType, event: str, argument: Any) -> Any:
        if not _is_stepped_through(frame) and not debugger.break_anywhere(frame):
            return None
        around = next(_frames_around(frame), None)
        if around is not None and event in ('call', 'return'):
            _pass_on(debugger, frame, around, event)
            return debugger.trace_dispatch
        if around is not None:
            _show_variables_around(frame)
        then = told(frame, event, argument)
        if event == 'return' and debugger.returnframe is frame:
            _return_to_user(debugger, debugger.stopframe)
        return then

    return MethodType(tell, debugger)


def _return_to_user(debugger: Any, frame: FrameType | None) -> None:
    """Lets `return` stop where the user's code goes on, and not where the library does."""
    if frame is None or not is_internal(frame.f_code.co_filename):
        return
    while frame is not None and is_internal(frame.f_code.co_filename):
        frame = frame.f_back
    debugger.set_next(frame)


def _pass_on(debugger: Any, block: FrameType, around: FrameType, event: str) -> None:
    """Lets `next`, `until` and `return` go into a branch or a loop's body, and out of it."""
    here, there = (around, block) if event == 'call' else (block, around)
    if debugger.stopframe is here and debugger.stoplineno > 0:
        debugger.set_until(there, debugger.stoplineno)
    elif debugger.stopframe is here and debugger.stoplineno == 0:
        debugger.set_next(there)
    elif debugger.returnframe is here and event == 'return':
        debugger.set_return(there)


def _show_variables_around(frame: FrameType) -> None:
    """Lets the debugger see, in a branch or a loop's body, what the user's function has there.

    A block that does not use a variable is not given it. The names of the block's own are left
    alone: Python would give the block what is put there.
    """
    block = frame.f_code
    own = {*block.co_varnames, *block.co_cellvars, *block.co_freevars}
    for around in _frames_around(frame):
        for name, value in around.f_locals.items():
            if name not in own:
                frame.f_locals.setdefault(name, value)


def _frames_around(frame: FrameType) -> Iterator[FrameType]:
    """Of a branch or a loop's body, the blocks around, up to the user's function."""
    block, around = frame.f_code, frame.f_back
    while around is not None:
        code = around.f_code
        if block in code.co_consts and block.co_name == code.co_name:
            yield around
            block = code
        around = around.f_back


def _is_stepped_through(frame: FrameType) -> bool:
    """Whether a frame is of the user's code, or was called by what is stepped through."""
    filename, module = frame.f_code.co_filename, str(frame.f_globals.get('__name__'))
    if module.partition('.')[0] in _PACKAGES or is_internal(filename):
        return False
    if is_users(frame) and (module == '__main__' or not filename.startswith(_UNWRITTEN)):
        return not _is_imported_by_library(frame)
    caller = frame.f_back
    return caller is not None and caller.f_trace is not None and _is_stepped_through(caller)


def _is_imported_by_library(frame: FrameType) -> bool:
    """Whether a frame belongs to an import of the library's own, such as that of `astunparse`."""
    is_import, around = False, frame.f_back
    while around is not None and not is_internal(around.f_code.co_filename):
        is_import = is_import or around.f_code.co_filename.startswith('<frozen importlib')
        around = around.f_back
    return is_import and around is not None
