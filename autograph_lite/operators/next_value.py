"""Which variables of a function get their next value from the call that it makes now.

    acc = extend(acc, x)  # while `extend` runs, `acc` is a name of what it was, that ends with it
"""
from __future__ import annotations

import dis
import types
from bisect import bisect_right
from itertools import islice

from ..pyct.codes import once_by_code


def is_over(frame: types.FrameType, name: str) -> bool:
    """Whether what the call gives is put into the variable at once, and nothing waits beside it."""
    instructions, offsets = _instructions(frame.f_code)
    now = bisect_right(offsets, frame.f_lasti)  # after the call, which may be at what it caches
    for each in islice(instructions, now, None):
        if not each.opname.startswith(_STORES):
            return False
        names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
        if name in names:
            # Newer interpreters have instructions that store one variable and read another.
            return 'LOAD' not in each.opname or name == names[0]
    return False


_STORES = ('UNPACK_SEQUENCE', 'STORE_FAST', 'STORE_DEREF', 'STORE_NAME', 'STORE_GLOBAL')


@once_by_code
def _instructions(code: types.CodeType) -> tuple[list[dis.Instruction], list[int]]:
    """Those of a function, and their places."""
    instructions = list(dis.get_instructions(code))
    return instructions, [each.offset for each in instructions]
