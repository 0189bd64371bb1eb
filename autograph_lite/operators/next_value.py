"""Which variables of a function end with the call that it makes now.

    acc = extend(acc, x)  # while `extend` runs, `acc` is a name of what it was, that ends with it
"""
from __future__ import annotations

import dis
import types
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from ..pyct.codes import once_by_code


def is_over(frame: types.FrameType, name: str) -> bool:
    """Whether a variable is none after the call: it gets what that gives, or the function ends.

    Nothing else waits for what the call gives then.
    """
    for each in _unpacked(_following(frame)):
        if each.opname == 'RETURN_VALUE':
            code = frame.f_code
            return name not in code.co_cellvars and name not in code.co_freevars
        if not each.opname.startswith(_STORES):
            return False
        names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
        if name in names:
            # Newer interpreters have instructions that store one variable and read another.
            return 'LOAD' not in each.opname or name == names[0]
    return False


def places_filled(frame: types.FrameType) -> list[tuple[int, Any]]:
    """What may identify the attribute or item that what the call gives is put into at once."""
    known = {**frame.f_globals, **frame.f_locals}
    loaded: list[Any] = []
    key: Any = None
    for each in _following(frame):
        if each.opname == 'LOAD_CONST':
            loaded.append(each.argval)
        elif each.opname.startswith(_LOADS):
            names = each.argval if isinstance(each.argval, tuple) else (each.argval,)
            loaded += map(known.get, names)
        elif each.opname not in _CALLS and each.argval != _SETTING:
            key = each.argval if each.opname == 'STORE_ATTR' else None
            if each.opname == 'STORE_SUBSCR':
                key = loaded[-1]
            break
    return [(id(owner), key) for owner in loaded] if isinstance(key, int | str) else []


def _following(frame: types.FrameType) -> Iterator[dis.Instruction]:
    """The instructions after the call, which may be at what it caches."""
    instructions, offsets = _instructions(frame.f_code)
    return islice(instructions, bisect_right(offsets, frame.f_lasti), None)


def _unpacked(following: Iterator[dis.Instruction]) -> Iterator[dis.Instruction]:
    """The same without the call that unpacks what a block gives, for the variables of its state."""
    first = list(islice(following, 4))
    for i, each in enumerate(first):
        if each.opname == 'UNPACK_SEQUENCE' and i and isinstance(first[0].argval, tuple):
            if all(call.opname in _CALLS for call in first[1:i]):
                first = first[i:]
            break
    return chain(first, following)


_LOADS = ('LOAD_FAST', 'LOAD_DEREF', 'LOAD_NAME', 'LOAD_GLOBAL')
# Before `o.x = ...`, converted code asks the library about `o`, by this method.
_SETTING = 'setting'
_CALLS = ('CALL', 'CALL_FUNCTION', 'CALL_METHOD', 'PRECALL', 'PUSH_NULL')
_STORES = ('UNPACK_SEQUENCE', 'STORE_FAST', 'STORE_DEREF', 'STORE_NAME', 'STORE_GLOBAL')


@once_by_code
def _instructions(code: types.CodeType) -> tuple[list[dis.Instruction], list[int]]:
    """Those of a function, and their places."""
    instructions = list(dis.get_instructions(code))
    return instructions, [each.offset for each in instructions]
