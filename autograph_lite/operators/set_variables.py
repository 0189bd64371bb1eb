"""The variables of its module, and of the functions around it, that a function sets.

Attributes of classes, modules and functions are variables, too: everybody shares them.
"""
from __future__ import annotations

import dis
import types
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from ..errors import is_internal
from ..pyct.codes import once_by_code
from .holders import content


@dataclass(frozen=True)
class Variable:
    """A variable of a module or of an enclosing function that a function sets.

    Attributes:
      key: which one it is.
      owner: the class, module or function of which it is an attribute.
    """

    key: Hashable
    name: str
    read: Callable[[], Any]
    put: Callable[[Any], None]
    is_global: bool
    owner: Any = None


def variables_set_by(f: types.FunctionType) -> list[Variable]:
    """The variables of its module and of the functions around it that a function sets."""
    globals_, nonlocals = _sets(f.__code__)
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    found = [_in_cell(name, cells[name]) for name in nonlocals if name in cells]
    return found + [_in_module(name, f.__globals__) for name in globals_]


def variables_set_by_block(block: Any) -> list[Variable]:
    """The variables that the code of a staged block itself sets."""
    return [variable for f in _code_of(block) for variable in variables_set_by(f)]


def _code_of(block: Any) -> Iterator[types.FunctionType]:
    """The functions that are the block: one that the library has wrapped up is in the wrapper."""
    waiting, seen = [block], {id(block)}
    while waiting:
        f = waiting.pop()
        if isinstance(f, types.FunctionType):
            yield f
            if is_internal(f.__code__.co_filename):
                inner = [g for g in content(f).values() if id(g) not in seen]
                seen.update(map(id, inner))
                waiting += inner


def attribute_of(owner: Any, name: str) -> Variable:
    """An attribute of a class, a module or a function."""

    def put(value: Any) -> None:
        if value is not _UNSET:
            setattr(owner, name, value)
        elif name in vars(owner):
            delattr(owner, name)

    return Variable(
        (id(owner), name), name, lambda: vars(owner).get(name, _UNSET), put, False, owner)


def is_namespace(x: Any) -> bool:
    """Whether it is the namespace of a module, as `globals()` gives it."""
    return type(x) is dict and '__builtins__' in x and '__name__' in x


_UNSET = object()


def _in_cell(name: str, cell: types.CellType) -> Variable:
    def put(value: Any) -> None:
        if value is not _UNSET:
            cell.cell_contents = value
        elif is_set(cell):
            del cell.cell_contents

    def read() -> Any:
        return cell.cell_contents if is_set(cell) else _UNSET

    return Variable((types.CellType, id(cell)), name, read, put, False)


def _in_module(name: str, module: dict[str, Any]) -> Variable:
    def put(value: Any) -> None:
        if value is not _UNSET:
            module[name] = value
        else:
            module.pop(name, None)

    return Variable((id(module), name), name, lambda: module.get(name, _UNSET), put, True)


@once_by_code
def _sets(code: types.CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The global and the nonlocal names that a function, or one in it, sets or deletes."""
    globals_: dict[str, None] = {}
    nonlocals: dict[str, None] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in ('STORE_GLOBAL', 'DELETE_GLOBAL'):
            globals_[instruction.argval] = None
        elif instruction.opname in ('STORE_DEREF', 'DELETE_DEREF'):
            nonlocals[instruction.argval] = None
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            for found, inner in zip((globals_, nonlocals), _sets(const), strict=True):
                found.update(dict.fromkeys(inner))
    return tuple(globals_), tuple(nonlocals)


def is_set(cell: types.CellType) -> bool:
    """Whether a variable of an enclosing function has a value."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
