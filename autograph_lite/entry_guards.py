"""The tests that an entry makes of what its trace read from outside.

Each is the cheapest that is sufficient: what is read is the very object that it was, which nothing
can have changed. Where that fails the guard itself decides, which knows what is equal.
"""
from __future__ import annotations

import ast
import dataclasses
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from .entry_names import Names, attribute, both, compare, name
from .operators.guards import Guard, is_bound_builtin, is_container
from .operators.places import Attribute, Item, Place, Question, Step
from .operators.unchanged import is_fixed, unchanged
from .signatures import Identity, leaf_key

# A longer list or dict is compared in a loop, not in code of its own.
_MOST_PARTS = 16


class GuardTests:
    """Writes the tests of the guards of one trace."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._roots: dict[Any, str] = {}

    def test(self, guard: Guard) -> ast.expr:
        """`read() is value or holds()`."""
        holds = self._names.call('holds', guard.holds)
        place = guard.read
        if not isinstance(place, Place) or not guard.holds():
            # An argument, or what the function itself changed while it was traced.
            return holds
        gone = [compare(self._root(place), ast.Is(), None)] if place.is_object else []
        try:
            value = place()
        except Exception:
            tests = self._absent(place)
        else:
            tests = self._answer(place, value) or self._same(self._read(place), value)
        ways = [*gone, *([both(tests)] if tests else []), holds]
        return ways[0] if len(ways) == 1 else ast.BoolOp(ast.Or(), ways)

    # Reading again.

    def _read(self, place: Place) -> ast.expr:
        value = self._root(place)
        for step in place.steps:
            value = self._step(value, step)
        return value

    def _root(self, place: Place) -> ast.expr:
        """What the place starts from, which is asked for once."""
        if place.where in self._roots:
            return name(self._roots[place.where])
        self._roots[place.where] = kept = self._names.fresh('root')
        return ast.NamedExpr(ast.Name(kept, ast.Store()), self._names.call('read', place.root))

    def _step(self, value: ast.expr, step: Step) -> ast.expr:
        match step:
            case Attribute(known):
                return attribute(value, known)
            case Item(key):
                return ast.Subscript(value, self._names.bind('key', key), ast.Load())
            case Question():
                args = [self._names.bind('argument', x) for x in step.args]
                return self._names.call('ask', step.function, value, *args)
        raise TypeError(step)

    def _answer(self, place: Place, value: Any) -> list[ast.expr] | None:
        """Tests that a question has the same answer, which may be a number made for it."""
        if not place.steps or not isinstance(place.steps[-1], Question):
            return None
        is_number = type(value) in (int, bool)
        return [compare(self._read(place), ast.Eq(), value)] if is_number else None

    def _absent(self, place: Place) -> list[ast.expr] | None:
        """Tests that an attribute or item is still not there."""
        if not place.steps:
            return None
        *steps, last = place.steps
        before = dataclasses.replace(place, steps=tuple(steps))
        owner = self._read(before)
        match last:
            case Attribute(known):
                has = self._names.call('has', hasattr, owner, ast.Constant(known))
                return [ast.UnaryOp(ast.Not(), has)]
            case Item(key) if isinstance(before(), dict):
                return [compare(self._names.bind('key', key), ast.NotIn(), owner)]
        return None

    # Comparing.

    def _same(self, read: ast.expr, value: Any) -> list[ast.expr] | None:
        """Tests that what is read is this value, unchanged; None if only the guard can tell."""
        if is_bound_builtin(value):
            return [compare(read, ast.Eq(), self._names.bind('known', value))]
        if is_fixed(value):
            return [compare(read, ast.Is(), self._names.bind('known', value))]
        if type(value) is np.ndarray:
            array = self._names.bind('known', value)
            dtype, shape = (self._names.bind(x, getattr(value, x)) for x in ('dtype', 'shape'))
            return [
                compare(read, ast.Is(), array),
                compare(attribute(array, 'shape'), ast.Eq(), shape),
                compare(attribute(array, 'dtype'), ast.Is(), dtype),
            ]
        if isinstance(value, FunctionType):
            return self._same_function(read, value)
        if isinstance(value, MethodType):
            return self._same_method(read, value)
        if is_container(value):
            return self._same_parts(read, value)
        key = leaf_key(value)
        if not isinstance(key, Identity) or isinstance(value, list | dict | partial):
            return None
        kept = self._names.fresh('object')
        found = ast.NamedExpr(ast.Name(kept, ast.Store()), read)
        return [self._names.is_held(found, key), self._names.has_type(name(kept), type(value))]

    def _same_function(self, read: ast.expr, f: FunctionType) -> list[ast.expr] | None:
        """Tests that it is the function, with the code and the default values that it had."""
        kept = self._names.fresh('function')
        found = ast.NamedExpr(ast.Name(kept, ast.Store()), read)
        code = self._names.bind('code', f.__code__)
        tests = [
            self._names.is_held(found, Identity(f)),
            compare(attribute(name(kept), '__code__'), ast.Is(), code),
        ]
        for part in ('__defaults__', '__kwdefaults__'):
            same = self._same(attribute(name(kept), part), getattr(f, part))
            if same is None:
                return None
            tests += same
        return tests

    def _same_method(self, read: ast.expr, value: MethodType) -> list[ast.expr] | None:
        if not isinstance(value.__func__, FunctionType):
            return None
        kept = self._names.fresh('method')
        found = ast.NamedExpr(ast.Name(kept, ast.Store()), read)
        owner = self._names.is_held(attribute(found, '__self__'), Identity(value.__self__))
        same = self._same_function(attribute(name(kept), '__func__'), value.__func__)
        return None if same is None else [owner, *same]

    def _same_parts(self, read: ast.expr, value: Any) -> list[ast.expr] | None:
        """The same for a container: its type, its keys or length, and each of its parts."""
        kind = type(value)
        if dataclasses.is_dataclass(kind):
            return self._same_fields(read, value)
        if kind not in (tuple, list, dict) or len(value) > _MOST_PARTS:
            test = unchanged(value)
            return None if test is None else [self._names.call('unchanged', test, read)]
        kept = self._names.fresh('nest')
        found = ast.NamedExpr(ast.Name(kept, ast.Store()), read)
        tests = [self._names.has_type(found, kind)]
        if kind is dict:
            known = self._names.bind('keys', tuple(value))
            tests.append(compare(ast.Call(name('.tuple'), [name(kept)], []), ast.Eq(), known))
        else:
            length = ast.Call(name('.len'), [name(kept)], [])
            tests.append(compare(length, ast.Eq(), len(value)))
        for key, part in value.items() if kind is dict else enumerate(value):
            place = ast.Subscript(name(kept), self._names.bind('key', key), ast.Load())
            same = self._same(place, part)
            if same is None:
                return None
            tests += same
        return tests

    def _same_fields(self, read: ast.expr, value: Any) -> list[ast.expr] | None:
        """The same for a dataclass."""
        kept = self._names.fresh('object')
        found = ast.NamedExpr(ast.Name(kept, ast.Store()), read)
        tests = [self._names.has_type(found, type(value))]
        fields = dataclasses.fields(value)
        if hasattr(value, '__dict__'):
            length = ast.Call(name('.len'), [attribute(name(kept), '__dict__')], [])
            tests.append(compare(length, ast.Eq(), len(fields)))
        for field in fields:
            part = attribute(name(kept), field.name)
            same = self._same(part, getattr(value, field.name))
            if same is None:
                return None
            tests += same
        return tests
