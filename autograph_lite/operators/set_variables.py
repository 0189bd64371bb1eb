"""The variables of its module, and of the functions around it, that a function sets.

Attributes of classes, modules and functions are variables, too: everybody shares them.
"""
from __future__ import annotations

import dis
import types
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..converters.callees import is_of_library
from ..errors import is_internal
from ..ops.outer_variables import UNSET
from ..pyct.asking import attributes, get_attribute, in_dict, in_slots
from ..pyct.codes import once_by_code
from .contents import content, is_of_attributes
from .holders import Holder, note_own
from .unbound import NOTHING, Unbound


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable of a module or of an enclosing function that a function sets.

    Attributes:
      name: its name, or the key of an item.
      holder: what holds it: the namespace of a module, a cell, an object, a dict, or what `owner`
        is.
      owner: the class, module or function of which it is an attribute.
      path: what the user calls it, where that is not its name.
      has: whether the holder has it itself, and does not read it of a class.
      is_of_class: whether it did so when the trace began.
      is_in_content: whether it is part of what `content` gives of the holder.
    """

    name: Any
    holder: Any
    read: Callable[[], Any]
    put: Callable[[Any], None]
    owner: Any = None
    path: str = ''
    has: Callable[[], bool] = lambda: True
    is_of_class: bool = False
    is_in_content: bool = False

    def held(self) -> Any:
        """What the holder has itself."""
        return self.read() if self.has() else UNSET

    @property
    def shown(self) -> str:
        """What the user calls it."""
        return self.path or str(self.name)

    @property
    def where(self) -> Hashable:
        """Which one it is: equal for the same variable."""
        return self.name, id(self.holder)

    @property
    def is_global(self) -> bool:
        """Whether it is one of a module, by its name there."""
        return not self.path and isinstance(self.holder, dict)


def variables_set_by(f: types.FunctionType) -> list[Variable]:
    """The variables of its module and of the functions around it that a function sets."""
    return _variables(f, *_sets(f.__code__))


def _variables(
    f: types.FunctionType, globals_: Iterable[str], nonlocals: Iterable[str]
) -> list[Variable]:
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    found = [in_cell(name, cells[name]) for name in nonlocals if name in cells]
    return found + [in_module(name, f.__globals__) for name in globals_]


def variables_set_by_block(block: Any) -> list[Variable]:
    """The variables that a staged block sets itself, which it is passed and gives back."""
    return [
        variable for f in _code_of(block) for variable in _variables(f, *_sets_itself(f.__code__))
        if _is_passed(variable.name, f.__code__)]


def _is_passed(name: str, code: types.CodeType) -> bool:
    """Whether a block is passed a variable, or is a handler, which finds it as it is."""
    given = code.co_varnames[: code.co_argcount]
    is_given = any(each.rstrip('0123456789') == f'{name}_' for each in given)
    return is_given or code.co_name.rstrip('_0123456789') == 'handler'


def sets_itself(name: str, code: types.CodeType) -> bool:
    """Whether a function, other than by those in it, sets a variable of others."""
    return any(name in names for names in _sets_itself(code))


def variables_within_reach(f: types.FunctionType, seen: set[int]) -> Iterator[Variable]:
    """The variables that a function sets, or one that it may call as far as its names tell.

    Args:
      f: the function.
      seen: by identity, functions that were looked at.
    """
    waiting = [f]
    while waiting:
        each = waiting.pop()
        if id(each) in seen or is_of_library(each):
            continue
        seen.add(id(each))
        yield from variables_set_by(each)
        cells = [cell.cell_contents for cell in each.__closure__ or () if is_set(cell)]
        named = [each.__globals__.get(name) for name in names_in(each.__code__)]
        for x in (*cells, *named):
            inner = get_attribute(x, 'python_function', x)
            if isinstance(inner, types.FunctionType):
                waiting.append(inner)


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
    """An attribute of a class, a module or a function, that Python sets while tracing."""
    shared = shared_attribute(owner, name, '')
    return replace(shared, owner=owner)


def shared_attribute(owner: Any, name: str, path: str) -> Variable:
    """An attribute of a class, a module or a function."""
    is_own = name in vars(owner)
    kind = owner if isinstance(owner, type) else type(owner)

    def read() -> Any:
        return vars(owner).get(name, UNSET if is_own else _inherited(kind, name))

    def put(value: Any) -> None:
        if not is_own and value is _inherited(kind, name):
            value = UNSET
        if value is not UNSET:
            if name not in vars(owner):
                note_own(owner, name)
            setattr(owner, name, value)
        elif name in vars(owner):
            delattr(owner, name)

    return Variable(
        name, owner, read, put, path=path, has=lambda: name in vars(owner), is_of_class=not is_own)


def _inherited(kind: type, name: str) -> Any:
    """What a class reads of those it is derived from."""
    return next((vars(each)[name] for each in kind.__mro__[1:] if name in vars(each)), UNSET)


def class_member(kind: type, name: str) -> Any:
    """What a class has for an attribute, as it stands there; None if it has nothing."""
    return next((vars(each)[name] for each in kind.__mro__ if name in vars(each)), None)


def names_set_by(code: types.CodeType) -> frozenset[str]:
    """The attributes that a function sets, or one in it."""
    return _names_set_by(code)


def may_set(f: types.FunctionType, variable: Variable) -> bool:
    """Whether a function, or a method that it calls, sets an attribute or an item of that name."""
    if isinstance(variable.holder, dict):
        return any(each.opname == 'STORE_SUBSCR' for each in dis.get_instructions(f.__code__))
    steps = (each[1:] for each in f.__code__.co_consts if isinstance(each, str))  # as in '.add'
    names = (*names_in(f.__code__), *steps)
    methods = (class_member(type(variable.holder), name) for name in names)
    codes = (f.__code__, *(x.__code__ for x in methods if isinstance(x, types.FunctionType)))
    return any(variable.name in names_set_by(code) for code in codes)


def part_of(owner: Any, key: Any, path: str) -> Variable:
    """An attribute of an object, or an item of a dict."""
    place = Holder(owner, key, path)
    is_own = isinstance(owner, dict) or key in attributes(owner)
    is_in_dict = is_of_attributes(owner) and key not in in_slots(owner)

    def read() -> Any:
        value = in_dict(owner).get(key, UNSET) if is_in_dict else UNSET
        if value is UNSET:
            value = owner.get(key, UNSET) if isinstance(owner, dict) else place.read()
        return UNSET if isinstance(value, Unbound) and value.there is NOTHING else value

    def put(value: Any) -> None:
        if not is_own and value is class_member(type(owner), key):
            value = UNSET  # an object reads it of its class
        if value is not UNSET:
            place.put(value)
        elif isinstance(owner, dict):
            owner.pop(key, None)
        else:
            place.put(Unbound(path))

    if isinstance(owner, dict):
        return Variable(key, owner, read, put, path=path, is_in_content=True)
    return Variable(
        key, owner, read, put, path=path, has=lambda: key in attributes(owner),
        is_of_class=not is_own, is_in_content=is_of_attributes(owner))


def is_namespace(x: Any) -> bool:
    """Whether it is the namespace of a module, as `globals()` gives it."""
    return type(x) is dict and '__builtins__' in x and '__name__' in x


def in_cell(name: str, cell: types.CellType) -> Variable:
    """A variable of a function around."""

    def put(value: Any) -> None:
        if value is not UNSET:
            cell.cell_contents = value
        elif is_set(cell):
            del cell.cell_contents

    def read() -> Any:
        return cell.cell_contents if is_set(cell) else UNSET

    return Variable(name, cell, read, put)


def in_module(name: str, module: dict[str, Any]) -> Variable:
    """A variable of a module."""

    def put(value: Any) -> None:
        if value is not UNSET:
            module[name] = value
        else:
            module.pop(name, None)

    return Variable(name, module, lambda: module.get(name, UNSET), put)


def names_in(code: types.CodeType) -> list[str]:
    """The global names in a function and in those that are defined in it."""
    inner = [name for const in code.co_consts if isinstance(const, types.CodeType)
             for name in names_in(const)]  # fmt: skip
    return list(dict.fromkeys([*code.co_names, *inner]))


@once_by_code
def _sets(code: types.CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The global and the nonlocal names that a function, or one in it, sets or deletes."""
    found: tuple[dict[str, None], ...] = ({}, {})
    inner = (_sets(const) for const in code.co_consts if isinstance(const, types.CodeType))
    for names in (_sets_itself(code), *inner):
        for known, more in zip(found, names, strict=True):
            known.update(dict.fromkeys(more))
    globals_, nonlocals = map(tuple, found)
    return globals_, nonlocals


@once_by_code
def _sets_itself(code: types.CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The same, without those that only functions in it set."""
    globals_: dict[str, None] = {}
    nonlocals: dict[str, None] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in ('STORE_GLOBAL', 'DELETE_GLOBAL'):
            globals_[instruction.argval] = None
        elif instruction.opname in ('STORE_DEREF', 'DELETE_DEREF'):
            nonlocals[instruction.argval] = None
    return tuple(globals_), tuple(nonlocals)


@once_by_code
def _names_set_by(code: types.CodeType) -> frozenset[str]:
    inner = (_names_set_by(const) for const in code.co_consts if isinstance(const, types.CodeType))
    own = (each.argval for each in dis.get_instructions(code) if each.opname == 'STORE_ATTR')
    return frozenset(own).union(*inner)


def is_set(cell: types.CellType) -> bool:
    """Whether a variable of an enclosing function has a value."""
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
