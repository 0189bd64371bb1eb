"""What code outside names that Python itself may call while a function is traced.

    class Counted:
        def __copy__(self):
            CALLS[0] += 1           # an array, or a list

    copy.copy(counted)

Nothing tells when such code runs. What it may change is compared at the end of the trace: of
arrays, which may be large, those that code names which writes to something.
"""
from __future__ import annotations

import dis
import re
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..converted import is_in_converted
from ..converters.callees import is_of_library
from ..pyct.asking import get_attribute
from ..pyct.codes import once_by_code
from .holders import MOST, Held, walk
from .local_code import functions_of
from .noted_arrays import NotedArrays
from .noted_names import NotedNames
from .set_variables import Variable, is_set, names_in

_Arrays = Iterable[tuple[str, np.ndarray[Any, Any]]]

_FUNCTIONS = (types.FunctionType, types.MethodType)
_CODE = (*_FUNCTIONS, types.BuiltinFunctionType, types.ModuleType, type)
_DESCRIPTORS = (staticmethod, classmethod, property)
_PLAIN = frozenset((bool, int, float, complex, str, bytes, type(None)))
# Lists and dicts with more items are not compared.
_MOST_ITEMS = 1000
# In `.rows[0]`, what an item is found by.
_INDEX = re.compile(r'\[.*\]')


class NamedByCode:
    """What such code may change.

    Args:
      held: takes what lists, dicts and objects held.
      arrays: takes what arrays held.
      told: takes the variables that traced code sets, of which it tells.
    """

    def __init__(
        self, held: dict[int, Held], arrays: NotedArrays, told: list[tuple[Variable, Any]]
    ) -> None:
        self._held = held
        self._arrays = arrays
        self.names = NotedNames(told)
        self._seen: dict[int, Any] = {}
        self._waiting: list[types.FunctionType] = []
        # The names of functions that may write to an array; those that do not, as far as is known.
        self._writing: set[str] = set()
        self._reading: list[types.CodeType] = []
        # What the first name; the arrays that none of them names.
        self._names: set[str] = set()
        self._others: list[tuple[str, np.ndarray[Any, Any]]] = []

    def note(self, *values: Any) -> None:
        """Notes what code names that comes with functions, classes and objects."""
        for x in values:
            self._wait_for(x)
        if not self._waiting:
            return
        while self._waiting:
            f = self._waiting.pop()
            self._reading.append(f.__code__)
            self.names.note_code(f)
            for name, x in _variables(f):
                self._note_variable(name, x)
        self._find_writing()

    def _find_writing(self) -> None:
        """Finds out which code may write to an array, or hands it to what may."""
        known, is_found = len(self._names), True
        while is_found:
            is_found = False
            waiting, self._reading = self._reading, []
            for code in waiting:
                names = _names_in(code)
                if _writes(code) or not self._writing.isdisjoint(names):
                    is_found = True
                    self._writing.add(code.co_name)
                    self._names.update(names)
                else:
                    self._reading.append(code)
        if len(self._names) > known:
            others, self._others = self._others, []
            self._note_arrays(others)

    def note_held(self, held: Held, variable: str = '') -> None:
        """Notes the arrays that something holds, and the code that comes with it.

        Args:
          held: what it is, and holds.
          variable: the name of the variable that leads to it, if one does.
        """
        self._wait_for(held.owner)
        found = [(key, x) for key, x in held.content.items() if type(x) is np.ndarray]
        if found:
            owner = _INDEX.sub('', held.path).rpartition('.')[2] or variable
            is_item = not held.is_object and not isinstance(held.owner, type)
            self._note_arrays((owner if is_item else key, x) for key, x in found)

    def _note_variable(self, name: str, x: Any) -> None:
        """Notes what a variable of such code holds."""
        if isinstance(x, types.ModuleType) and not is_of_library(x):
            self.names.note_owner(x)
        elif isinstance(x, _CODE):
            self._wait_for(x)
        elif type(x) is np.ndarray:
            self._note_arrays([(name, x)])
        elif type(x) not in _PLAIN and self._is_new(x):
            for held in walk(('', x)):
                if len(held.content) <= _MOST_ITEMS and not isinstance(held.owner, Iterator):
                    self._held.setdefault(id(held.owner), held)
                    self.note_held(held, name)

    def _note_arrays(self, found: _Arrays) -> None:
        for name, x in found:
            if name in self._names:
                self._arrays.note_named(x)
            else:
                self._others.append((name, x))

    def _wait_for(self, x: Any) -> None:
        """The code that comes with a function, a class or an object is to be looked at."""
        x = x.__func__ if isinstance(x, types.MethodType) else x
        x = get_attribute(x, 'python_function', x) if callable(x) else x
        if isinstance(x, types.FunctionType):
            if self._is_new(x) and not (is_of_library(x) or is_in_converted(x.__code__)):
                self._waiting.append(x)
            return
        if id(type(x)) in self._seen and not isinstance(x, type):
            return
        for kind in (*(x.__mro__ if isinstance(x, type) else ()), *type(x).__mro__):
            if self._is_new(kind) and not is_of_library(kind):
                self.names.note_owner(kind)
                for name, member in list(vars(kind).items()):
                    self._note_member(name, member)

    def _note_member(self, name: str, member: Any) -> None:
        """Notes what a class has."""
        parts = functions_of(member).values() if isinstance(member, _DESCRIPTORS) else (member,)
        for part in parts:
            if isinstance(part, types.FunctionType):
                self._wait_for(part)
            elif not (name.startswith('__') or _is_of_librarys_own(part)):
                self._note_variable(name, part)

    def _is_new(self, x: Any) -> bool:
        """Whether it was not looked at, and is to be."""
        if id(x) in self._seen or len(self._seen) >= MOST:
            return False
        self._seen[id(x)] = x
        return True


def _variables(f: types.FunctionType) -> Iterator[tuple[str, Any]]:
    """The variables outside that a function names, and what they hold."""
    cells = zip(f.__code__.co_freevars, f.__closure__ or (), strict=True)
    yield from [(name, cell.cell_contents) for name, cell in cells if is_set(cell)]
    module = f.__globals__
    yield from [(name, module[name]) for name in _names_in(f.__code__) if name in module]


@once_by_code
def _names_in(code: types.CodeType) -> tuple[str, ...]:
    """The variables outside, and the attributes, that a function names."""
    return (*names_in(code), *code.co_freevars)


@once_by_code
def _writes(code: types.CodeType) -> bool:
    """Whether a function itself, or one in it, may write to an array."""
    inner = [const for const in code.co_consts if isinstance(const, types.CodeType)]
    keywords = (x for const in code.co_consts if isinstance(const, tuple) for x in const)
    return (
        not _WRITING.isdisjoint((*_names_in(code), *keywords))
        or any(map(_is_writing, dis.get_instructions(code))) or any(map(_writes, inner)))


def _is_writing(step: dis.Instruction) -> bool:
    """Whether an instruction is `a[i] = v` or `a += v`."""
    is_in_place = step.opname == 'BINARY_OP' and step.argrepr.endswith('=')
    return is_in_place or step.opname.startswith(('INPLACE_', 'STORE_SUBSCR', 'STORE_SLICE'))


# What else may write to an array: methods, functions and the argument of NumPy's.
_WRITING = frozenset({
    'at', 'byteswap', 'copyto', 'fill', 'fill_diagonal', 'itemset', 'out', 'partition', 'place',
    'put', 'put_along_axis', 'putmask', 'resize', 'setfield', 'shuffle', 'sort'})


def _is_of_librarys_own(member: Any) -> bool:
    """Whether Python's library reads an attribute by it, as `singledispatchmethod`: it may remember
    what it has found.
    """
    return hasattr(type(member), '__get__') and is_of_library(type(member))
