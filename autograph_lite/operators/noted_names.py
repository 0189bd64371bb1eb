"""What names outside stood for before code went on that Python runs as it is.

    class Counted:
        def __copy__(self):
            global calls
            calls += 1
            Counted.copies += 1

    copy.copy(counted)

Of modules, classes, functions and the variables that functions close over, those names are looked
at which such code sets.
"""
from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from typing import Any

from ..errors import Location
from ..ops.outer_variables import UNSET
from ..pyct.codes import once_by_code
from .contents import Content
from .set_variables import Variable, attribute_of, in_cell, in_module


class NotedNames:
    """The names that such code may set, and what they stood for.

    Args:
      told: takes the variables that traced code sets, too, of which it tells.
    """

    def __init__(self, told: list[tuple[Variable, Any]]) -> None:
        self._told = told
        # What has them, and what that had; a variable that functions close over is there itself.
        self._owners: dict[int, tuple[Any, Content]] = {}
        # Where they are set.
        self._settings: dict[str, Location] = {}
        # Whether such code sets names that it computes, perhaps.
        self._is_any = False

    def note_code(self, f: types.FunctionType) -> None:
        """Notes what a function may set."""
        settings, is_any = _settings(f.__code__)
        self._settings = settings | self._settings
        self._is_any = self._is_any or is_any
        self.note_owner(f)
        self.note_owner(f.__globals__)
        for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
            self._owners.setdefault(id(cell), (in_cell(name, cell), _held(in_cell(name, cell))))

    def note_owner(self, owner: Any) -> None:
        """Notes what a class, a function, a module or the namespace of one has."""
        if id(owner) not in self._owners:
            self._owners[id(owner)] = owner, _held(owner)

    def now(self) -> dict[int, Content]:
        """What they all have now, for `changed`."""
        is_needed = self._settings or self._is_any
        return {key: _held(owner) for key, (owner, _) in self._owners.items()} if is_needed else {}

    def changed(
        self, before: dict[int, Content] | None = None, untold: bool = False
    ) -> Iterator[tuple[Variable, Any]]:
        """The names that stand for something else now, and what they stood for.

        Args:
          before: what `now` gave; what they stood for when they became known, unless given.
          untold: only those of which traced code does not tell.
        """
        told = {variable.where for variable, _ in self._told} if untold else set()
        for key, now in self.now().items():
            owner, begun = self._owners[key]
            held = (before or {}).get(key, begun)
            for name in held.keys() | now.keys():
                old = held.get(name, UNSET)
                if now.get(name, UNSET) is old or not self._may_be_set(name):
                    continue
                variable = _variable(owner, name)
                if not any((name, each) in told for each in _holders(variable)):
                    yield variable, old

    def set_at(self, name: str) -> Location | None:
        """Where such code sets a name, if its text tells."""
        return self._settings.get(name)

    def _may_be_set(self, name: str) -> bool:
        return name in self._settings or (self._is_any and not name.startswith('__'))


def _held(owner: Any) -> Content:
    """What it has, by name."""
    if isinstance(owner, Variable):
        return {owner.name: owner.read()}
    return dict(owner if isinstance(owner, dict) else vars(owner))


def _variable(owner: Any, name: str) -> Variable:
    if isinstance(owner, Variable):
        return owner
    return in_module(name, owner) if isinstance(owner, dict) else attribute_of(owner, name)


def _holders(variable: Variable) -> Iterator[int]:
    """Identifies what holds a variable: a module, and its namespace."""
    yield id(variable.holder)
    if isinstance(variable.holder, types.ModuleType):
        yield id(vars(variable.holder))


@once_by_code
def _settings(code: types.CodeType) -> tuple[dict[str, Location], bool]:
    """The names outside and attributes that a function, or one in it, sets, and where; whether it
    may set others.
    """
    found: dict[str, Location] = {}
    line, starts = code.co_firstlineno, dict(dis.findlinestarts(code))
    for step in dis.get_instructions(code):
        line = starts.get(step.offset) or line
        if step.opname in _SETTING:
            found.setdefault(step.argval, Location(code.co_filename, line, code.co_name))
    is_any = not _COMPUTING.isdisjoint(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            more, is_any_more = _settings(inner)
            found, is_any = more | found, is_any or is_any_more
    return found, is_any


_SETTING = frozenset({
    'DELETE_ATTR', 'DELETE_DEREF', 'DELETE_GLOBAL', 'STORE_ATTR', 'STORE_DEREF', 'STORE_GLOBAL'})
# What sets names that are computed.
_COMPUTING = frozenset({
    '__delattr__', '__dict__', '__setattr__', 'delattr', 'exec', 'globals', 'setattr', 'vars'})
