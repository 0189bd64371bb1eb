"""Running functions before and after some passes, and telling whether they did the same."""
from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Sequence
from types import FunctionType, SimpleNamespace
from typing import Any

import autograph_lite as ag
from autograph_lite import converters
from autograph_lite.converters.context import Context, context_of
from autograph_lite.pyct.loader import load_function
from autograph_lite.pyct.parser import Parsed, parse_function
from autograph_lite.pyct.unparser import unparse


def after(function: FunctionType, passes: Sequence[converters.Pass]) -> FunctionType:
    """The function after some passes."""
    parsed, tree, context = _passed(function, passes)
    return load_function(tree, function, parsed.source, {context.ag: ag})


def text_after(function: FunctionType, passes: Sequence[converters.Pass]) -> str:
    """The text of the function after some passes."""
    parsed, tree, _ = _passed(function, passes)
    return unparse(tree, parsed.source).text


def _passed(
    function: FunctionType, passes: Sequence[converters.Pass]
) -> tuple[Parsed, Any, Context]:
    parsed = parse_function(function)
    in_class = parsed.enclosing_class is not None
    context = context_of(function, parsed.node, parsed.source, in_class)
    return parsed, converters.passed(parsed.node, context, passes), context


class TooLong(Exception):
    """A program did not end in time."""


class World:
    """What a random program can touch, and a record of what it did."""

    def __init__(self) -> None:
        self.record: list[Any] = []
        self.turns = 0

    def note(self, value: Any) -> Any:
        """Record a value."""
        self.record.append(copy.deepcopy(value))
        return value

    def turn(self) -> int:
        """Count a turn of a loop."""
        self.turns += 1
        if self.turns > 60:
            raise TooLong
        return self.turns

    @contextlib.contextmanager
    def context(self) -> Iterator[None]:
        """Record that a block begins and ends."""
        self.record.append('enter')
        yield
        self.record.append('leave')


def effects(function: FunctionType, a: int, b: int) -> Any:
    """What a random program does: its result or exception, its record, what it changed."""
    world = World()
    o, xs = SimpleNamespace(n=1, t={'k': 2}), [3, 0, 5]
    function.__globals__.update(
        note=world.note, turn=world.turn, context=world.context, g=4)
    result: tuple[str, Any]
    try:
        result = 'returns', function(a, b, o, xs)
    except TooLong:
        return None
    except Exception as error:
        result = 'raises', error
    return (*result, world.record, o, xs, function.__globals__['g'])


def same_effects(one: Any, other: Any) -> bool:
    """Whether a random program did the same twice.

    A subclass of an exception counts for it. What attributes are after one is left open: those that
    a block sets are set when it ends.
    """
    if one is None or other is None:
        return one is other
    if one[0] == other[0] == 'raises':
        errors = [type(one[1]), type(other[1])]
        is_unbound = all(issubclass(each, NameError) for each in errors)
        if not is_unbound and errors[0] is not errors[1]:
            return False
        return bool(one[2] == other[2] and one[4] == other[4])
    return bool(one == other)
