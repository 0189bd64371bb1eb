"""Where the user's code raised while it was traced, with the calls around it."""
from __future__ import annotations

from dataclasses import replace
from dis import opname

from ..errors import is_internal, traceback_entries
from ..graph.sites import CodeSite, Site, alone
from ..graph.tracing import (
    COMPREHENSIONS,
    MOST_CALLERS,
    called_here,
    is_in_no_block,
    site,
)

# What NumPy and Python raise for values that do not fit: which ones do, a branch may depend on.
_OF_VALUES = (
    ArithmeticError, AssertionError, IndexError, StopIteration, SystemExit, TypeError, ValueError,
)  # fmt: skip

# Where functions are called, and attributes, items and variables read or deleted for the user's
# code.
_READING = (
    'calls.py', 'captures.py', 'chosen_parts.py', 'dicts.py', 'guarded.py', 'library_code.py',
    'membership.py', 'operations.py', 'outer_parts.py', 'own_methods.py', 'places.py', 'reentry.py',
    'setting.py', 'steps.py', 'unbound.py', 'unconverted.py',
)  # fmt: skip


def raised_by_user(error: BaseException) -> Site | None:
    """Where the user's code raised, or called what raised; None if the library itself is wrong."""
    is_users = True  # whether what follows does no more than read what the user's code reads
    for entry in traceback_entries(error.__traceback__):
        code = entry.tb_frame.f_code
        if not is_internal(code.co_filename):
            is_users = True
        elif not code.co_filename.endswith(_READING) and code.co_name != '__getattr__':
            is_users = False
    return _raised_at(error) if is_users or isinstance(error, _OF_VALUES) else None


def raised_here(error: BaseException) -> Site | None:
    """Where the user's code raised; where the block stands that did, if it was by no code of it."""
    return _raised_at(error) or site()


def is_by_raise(error: BaseException) -> bool:
    """Whether a `raise` of the user's code has raised it, and not who presses Ctrl-C."""
    *_, (code, last) = [
        (each.tb_frame.f_code, each.tb_lasti) for each in traceback_entries(error.__traceback__)]
    return not is_internal(code.co_filename) and opname[code.co_code[last]] == 'RAISE_VARARGS'


def _raised_at(error: BaseException) -> Site | None:
    here = None if is_in_no_block() else site()  # else it would be of who calls the function
    callers = () if here is None else here.callers
    found: CodeSite | None = None
    is_called = is_direct = False
    for entry in traceback_entries(error.__traceback__):
        code = entry.tb_frame.f_code
        if is_internal(code.co_filename):
            is_called, is_direct = is_called or called_here.__name__ in code.co_names, False
            continue
        # A function that is defined in another is called by Python itself.
        if is_called or (is_direct and code.co_name not in COMPREHENSIONS):
            call = found or here
            if call is not None and (alone(call),) != callers[:1]:
                callers = (alone(call), *callers)[:MOST_CALLERS]
        found = CodeSite(code, entry.tb_lasti, entry.tb_lineno)
        is_called, is_direct = False, True
    return found and replace(found, callers=callers)
