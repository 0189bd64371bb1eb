"""What functions of Python say of a text of the graph, said as the graph says it."""
from __future__ import annotations

import re

from ..errors import (
    AutographError,
    StagingError,
    describe,
    is_users,
    location_at,
    traceback_entries,
)

_STAND_INS = re.compile(r"\bStaged(?:String|Bytes)\b")


def as_staging_error(error: Exception) -> Exception:
    """The error; where a function of Python's is given a text of the graph, one that says so."""
    is_pythons = isinstance(error, TypeError) and not isinstance(error, AutographError)
    if not is_pythons or not _STAND_INS.search(str(error)):
        return error
    entries = [e for e in traceback_entries(error.__traceback__) if is_users(e.tb_frame)]
    if not entries:
        return error
    code = entries[-1].tb_frame.f_code
    told = describe(
        'A function of Python\'s needs the characters of a text that only the running graph knows.',
        location_at(code, entries[-1].tb_lasti, entries[-1].tb_lineno),
        'Call it for each of the texts before one of them is chosen, or write '
        '`str(ag.py_function(f, [text], str))` for `f(text)`.')
    return StagingError(told).with_traceback(error.__traceback__)
