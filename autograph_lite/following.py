"""Following plain Python line by line: what its variables become, and which ways it goes."""
from __future__ import annotations

import ast
import sys
from collections import ChainMap
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any

import numpy as np

from .errors import Location, location_at
from .graph.state import State
from .ops.variables import Cell
from .pyct.statements import (
    RETURNED,
    bound_by,
    head_of,
    is_compound,
    is_on_one_line,
    lines_of,
    named_in,
    statements_at,
    turns_at,
    value_of,
)

LAMBDA = '<lambda>'  # what Python calls one


@dataclass(frozen=True)
class Place:
    """A statement, and one of the things that become known when it has run.

    Attributes:
      filename: the file.
      line: where the statement begins.
      name: the variable that it gives a value; RETURNED, or LAMBDA, for what is returned; empty for
        the way that a branch or a loop goes.
      is_named: whether `:=` gives it.
    """

    filename: str
    line: int
    name: str = ''
    is_named: bool = False


@dataclass(frozen=True)
class Event:
    """What became known at a place, and where a variable got that value."""

    place: Place
    value: Any
    location: Location | None = None


class Follower:
    """Follows every call of functions in a file, and in those that have places of interest.

    Attributes:
      events: what became known, in order; UNKNOWN for a variable without a value.
      returned_at: where the last call returned: the outermost, when all has run.
    """

    def __init__(self, filename: str, places: Collection[Place]) -> None:
        self._places = set(places)
        self._names: dict[tuple[str, int], list[str]] = {}
        for place in places:
            if place.name:
                self._names.setdefault((place.filename, place.line), []).append(place.name)
        self._files = {filename, *(place.filename for place in self._places)}
        self._statements: dict[tuple[str, int], Sequence[ast.stmt]] = {}
        self.events: list[Event] = []
        self.returned_at: Location | None = None

    def run(self, call: Callable[[], Any]) -> None:
        """Follows a call, whatever it ends with."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            call()
        except Exception:
            pass  # the lines before it tell
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._files:
            return None
        if code.co_name.startswith('<'):  # it runs in a statement of another's
            return self._step_of_lambda if code.co_name == LAMBDA else None
        return _Call(self).step

    def _step_of_lambda(self, frame: FrameType, event: str, arg: Any) -> Any:
        filename, line = frame.f_code.co_filename, frame.f_lineno
        for statement in self.around(filename, line)[:1] if event == 'return' else ():
            here = Location(filename, statement.lineno, LAMBDA)
            self.note(statement, LAMBDA, arg, here)
        return self._step_of_lambda

    def around(self, filename: str, line: int) -> Sequence[ast.stmt]:
        """The statements around a line, the innermost first."""
        key = filename, line
        if key not in self._statements:
            self._statements[key] = statements_at(*key)
        return self._statements[key]

    def names(self, location: Location) -> Sequence[str]:
        """The variables that are of interest at the statement that begins there."""
        return self._names.get((location.filename, location.line), ())

    def note(
        self, statement: ast.stmt, name: str, value: Any, location: Location,
        is_named: bool = False,
    ) -> None:
        """Notes what became known at a statement, if it is of interest."""
        place = Place(location.filename, statement.lineno, name, is_named)
        if place in self._places:
            self.events.append(Event(place, kept(value), location))


class _Call:
    """One call of a function."""

    def __init__(self, follower: Follower) -> None:
        self._follower = follower
        self._line = 0
        self._raises = False
        self._bound: dict[str, Location] = {}  # where each variable got its value

    def step(self, frame: FrameType, event: str, arg: Any) -> Any:
        """What Python calls at each line, and where the call ends."""
        if event == 'line':
            if not self._raises:
                self._leave(frame, frame.f_lineno)
            self._line, self._raises = frame.f_lineno, False
        elif event == 'exception':
            self._raises = True
        elif event == 'return' and not self._raises:
            self._leave(frame, 0, arg)
            self._follower.returned_at = location_at(frame.f_code, -1, frame.f_lineno)
        return self.step

    def _leave(self, frame: FrameType, line: int, returned: Any = None) -> None:
        """What is known when Python goes from one line to another, 0 being outside."""
        code, before = frame.f_code, self._line
        for statement in self._follower.around(code.co_filename, before)[:1]:
            if before in head_of(statement) and line not in head_of(statement):
                here = Location(code.co_filename, statement.lineno, code.co_name)
                for name in named_in(statement):
                    self._follower.note(statement, name, _value(frame, name), here, True)
        for statement, way in _ways(self._follower, code.co_filename, before, line):
            head = Location(code.co_filename, statement.lineno, code.co_name)
            self._follower.note(statement, '', way, head)
        for statement in self._follower.around(code.co_filename, before):
            if line in lines_of(statement):
                continue
            here = Location(code.co_filename, statement.lineno, code.co_name)
            for name in bound_by(statement):
                self._bound[name] = here
                value = returned if name == RETURNED else _value(frame, name)
                self._follower.note(statement, name, value, here)
            for name in self._follower.names(here) if is_compound(statement) else ():
                where = self._bound.get(name, here)
                inside = where if where.line in lines_of(statement) else here
                self._follower.note(statement, name, _value(frame, name), inside)


def _ways(
    follower: Follower, filename: str, before: int, line: int
) -> Iterator[tuple[ast.stmt, bool]]:
    """The branches and loops whose body begins, or is not come to any more."""
    for statement in follower.around(filename, before):
        if is_on_one_line(statement):
            continue
        if isinstance(statement, ast.If) and before in head_of(statement):
            if line not in head_of(statement):
                yield statement, turns_at(statement, before, line)
        elif isinstance(statement, ast.For | ast.While) and line not in lines_of(statement):
            yield statement, False
    for statement in follower.around(filename, line):
        if not isinstance(statement, ast.For | ast.While) or is_on_one_line(statement):
            continue
        if turns_at(statement, before, line):
            yield statement, True


def _value(frame: FrameType, name: str) -> Any:
    """What a variable, or an attribute or item of one, is."""
    try:
        return value_of(name, ChainMap(frame.f_locals, frame.f_globals))
    except Exception:
        return UNKNOWN


UNKNOWN = object()  # what a variable is that has no value


def kept(value: Any) -> Any:
    """A value that later lines may modify; of a variable of a graph, what it holds now."""
    if isinstance(value, State | Cell):
        return value.value
    if isinstance(value, list):
        return [kept(each) for each in value]
    return value.copy('K') if isinstance(value, np.ndarray) else value
