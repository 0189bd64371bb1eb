"""The tests that an entry makes of what its trace read from outside.

Each is the cheapest that is sufficient: what is read is the very object that it was, which nothing
can have changed. Where that fails the guard itself decides, which knows what is equal.
"""
from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterator
from functools import partial
from types import CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

from .entry_names import Names, attribute, both, compare, name
from .graph.types import TensorType
from .keys import Identity, is_bound_builtin, is_container, leaf_key
from .operators.guards import Guard, SameGuard, TypeGuard
from .operators.places import (
    Attribute,
    HeldItem,
    Item,
    KeptAttribute,
    Place,
    Question,
    Step,
    kept_in,
)
from .quick_tests import is_fixed, quick_test

# A longer list or dict is compared in a loop, not in code of its own.
_MOST_PARTS = 16


def _defaults_that_count(code: CodeType) -> Iterator[str]:
    """The attributes with the default values of the parameters that there are."""
    if code.co_argcount:
        yield '__defaults__'
    if code.co_kwonlyargcount:
        yield '__kwdefaults__'


class GuardTests:
    """Writes the tests of the guards of one trace."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._roots: dict[Any, str] = {}

    def test(self, guard: Guard) -> ast.expr:
        """`read() is value or holds()`."""
        place = guard.read
        if isinstance(guard, TypeGuard) and isinstance(place, Place):
            return self._of_type(self._read(place), guard.key)
        if isinstance(guard, SameGuard) and isinstance(place, Place):
            return self._names.is_held(self._read(place), guard.key)
        holds = self._names.call('holds', guard.holds)
        if not isinstance(place, Place) or not guard.holds():
            # An argument, or what the function itself changed while it was traced.
            return holds
        gone = [compare(self._root(place), ast.Is(), None)] if place.is_object else []
        try:
            value = place()
        except Exception:
            tests = self._absent(place)
        else:
            is_named = isinstance(value, FunctionType) and not place.steps and not place.is_object
            same = self._same_named if is_named else self._same
            tests = self._answer(place, value) or same(self._read(place), value)
        ways = [*gone, *([both(tests)] if tests else []), holds]
        return ways[0] if len(ways) == 1 else ast.BoolOp(ast.Or(), ways)

    def _of_type(self, read: ast.expr, type_: TensorType) -> ast.expr:
        """Tests that what is read is an array or a number of this type."""
        if type_.kind != 'array':
            kind = type_.python_type if type_.weak else type_.dtype.type
            return self._names.has_type(read, kind)
        kept = self._names.fresh('array')
        parts = {'dtype': type_.dtype, 'shape': type_.shape}
        return both([
            self._names.has_type(ast.NamedExpr(ast.Name(kept, ast.Store()), read), np.ndarray),
            *(compare(attribute(name(kept), part), ast.Eq(), self._names.bind(part, known))
              for part, known in parts.items()),
        ])

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
        found = kept_in(place.root)
        if found is None:
            read = self._names.call('read', place.root)
        else:
            owner, step = found
            read = self._step(self._names.bind('owner', owner), step)
        return ast.NamedExpr(ast.Name(kept, ast.Store()), read)

    def _step(self, value: ast.expr, step: Step) -> ast.expr:
        match step:
            case HeldItem() | KeptAttribute():
                return self._names.call('held', step, value)
            case Attribute(known):
                return attribute(value, known)
            case Item(key):
                is_text = type(key) is str
                item = ast.Constant(key) if is_text else self._names.bind('key', key)
                return ast.Subscript(value, item, ast.Load())
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
            case Attribute(known) if not isinstance(last, KeptAttribute):
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
        if value is None:
            return [compare(read, ast.Is(), None)]
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
        held = self._names.is_held(found, Identity(f))
        return self._same_but_for_identity(name(kept), f, held)

    def _same_named(self, read: ast.expr, f: FunctionType) -> list[ast.expr] | None:
        """The same for what a variable names: a function that holds nothing is held itself."""
        if f.__closure__ is not None:
            return self._same_function(read, f)
        function = self._names.bind('function', f)
        return self._same_but_for_identity(function, f, compare(read, ast.Is(), function))

    def _same_but_for_identity(
        self, function: ast.expr, f: FunctionType, is_f: ast.expr
    ) -> list[ast.expr] | None:
        code = self._names.bind('code', f.__code__)
        tests = [is_f, compare(attribute(function, '__code__'), ast.Is(), code)]
        for part in _defaults_that_count(f.__code__):
            same = self._same(attribute(function, part), getattr(f, part))
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
            test = quick_test(value)
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
