"""Which variables of a function are not read any more, from the call on that it makes now.

    acc = extend(acc, x)  # while `extend` runs, `acc` is a name of what it was, that ends with it
"""
from __future__ import annotations

import dis
import types
from bisect import bisect_right
from itertools import islice

from ..pyct.codes import once_by_code


def is_over(frame: types.FrameType, name: str) -> bool:
    """Whether the function surely returns, or gives the variable a value, before it reads it."""
    code = frame.f_code
    instructions, offsets = _instructions(code)
    now = bisect_right(offsets, frame.f_lasti)  # after the call, which may be at what it caches
    for each in islice(instructions, now, None):
        if each.opname == 'RETURN_VALUE':
            return name not in (*code.co_cellvars, *code.co_freevars)
        if each.opcode in _JUMPS:
            return False
        names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
        if name in names and each.opname.partition('_')[2].startswith(_VARIABLES):
            # Newer interpreters have instructions that store one variable and read another.
            reads = 'LOAD' in each.opname and name != names[0]
            return each.opname.startswith('STORE') and not reads
    return False


_VARIABLES = ('FAST', 'DEREF', 'CLOSURE', 'CLASSDEREF', 'NAME', 'GLOBAL')
_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


@once_by_code
def _instructions(code: types.CodeType) -> tuple[list[dis.Instruction], list[int]]:
    """Those of a function, and their places."""
    instructions = list(dis.get_instructions(code))
    return instructions, [each.offset for each in instructions]
