"""The fast way into a trace: one small function that checks the arguments of a call and runs it.

An entry has the parameters of the user's function, so that Python itself binds the arguments. It
tests what the trace depends on, the cheapest test for each argument and for each thing read from
outside, and calls the lowered program; where a test fails it gives `MISS`, and the call goes the
general way. For `def f(x, n=2)`, traced with a vector and 2, it does this:

    def f(x, n):
        if not (type(x) is ndarray and x.dtype is float64 and x.shape == (3,) and n is 2):
            return MISS
        if f.__defaults__ is not defaults or read_rate() is not rate:
            return MISS
        return program(x)

What it tests is sufficient, not necessary: an equal value that is another object may miss.
"""
from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np

from .backends.failures import relocated
from .binding import MISS, function_like, parameter_names
from .concrete import ConcreteFunction, Parameter
from .entry_guards import GuardTests
from .entry_names import Names, attribute, both, compare, name
from .graph import nest
from .graph.graph import Value
from .graph.types import ObjectType
from .signatures import Identity

Entry = Callable[..., Any]


_PLAIN = (int, bool, str, bytes, type(None), type(...))


class NoEntryError(Exception):
    """There is no fast way into a trace."""


def entry_of(function: FunctionType, concrete: ConcreteFunction) -> Entry:
    """The entry of a trace of a function.

    Raises:
      NoEntryError: its arguments need tests that only the general way makes.
    """
    return _Writer(concrete).entry(function)


class _Writer:
    """Writes one entry. Names that begin with a dot cannot clash with the user's parameters."""

    def __init__(self, concrete: ConcreteFunction) -> None:
        self._concrete = concrete
        self._names = Names()
        self._leaves = iter(concrete.leaves)
        self._body: list[ast.stmt] = []
        self._staged: list[ast.expr] = []

    def entry(self, function: FunctionType) -> Entry:
        self._parameters = parameters = parameter_names(function)
        structures = self._concrete.structure.children
        for parameter, structure in zip(parameters, structures, strict=True):
            self._nest(name(parameter), structure)
        tests = GuardTests(self._names)
        guards = [tests.test(guard) for guard in self._concrete.guards]
        guards += self._defaults(function)
        if guards:
            self._body.append(self._guarded(guards))
        self._run()
        return function_like(function, self._body, self._names.values)

    # Arguments.

    def _nest(self, value: ast.expr, structure: nest.Structure) -> None:
        if structure.type is None:
            self._leaf(value, next(self._leaves))
            return
        kind, size = structure.type, len(structure.children)
        is_dict, is_object = issubclass(kind, dict), not issubclass(kind, (dict, tuple, list))
        if is_object and '__dict__' not in dir(kind):
            raise NoEntryError
        held = attribute(value, '__dict__') if is_object else value
        tests = [self._has_type(value, kind), compare(self._call('len', held), ast.Eq(), size)]
        if is_dict:
            keys = self._bind('keys', structure.keys)
            tests.append(compare(self._call('tuple', value), ast.Eq(), keys))
        self._require(tests)
        if not size:
            return
        parts = [f'.part_{len(self._body)}_{i}' for i in range(size)]
        targets = ast.Tuple([ast.Name(part, ast.Store()) for part in parts], ast.Store())
        source = ast.Call(attribute(value, 'values'), [], []) if is_dict else value
        if is_object:
            fields = [attribute(value, key) for key in structure.keys]
            source = ast.Tuple(fields, ast.Load())
        self._body.append(ast.Assign([targets], source))
        for part, child in zip(parts, structure.children, strict=True):
            self._nest(name(part), child)

    def _leaf(self, value: ast.expr, leaf: Parameter) -> None:
        if leaf.type is not None:
            self._staged.append(value)
            self._require(list(self._array_tests(value, leaf)))
        elif isinstance(leaf.key, Identity):
            self._require([self._names.is_held(value, leaf.key)])
        else:
            self._require(self._value_tests(value, leaf))

    def _value_tests(self, value: ast.expr, leaf: Parameter) -> list[ast.expr]:
        known = leaf.value
        if known is None or known is ... or isinstance(known, bool):
            return [compare(value, ast.Is(), ast.Constant(known))]
        if type(known) in _PLAIN or (type(known) is float and known and known == known):
            return [
                self._has_type(value, type(known)),
                compare(value, ast.Eq(), self._bind('value', known)),
            ]
        return [self._has_key(value, leaf.key)]

    def _has_key(self, value: ast.expr, key: Any) -> ast.expr:
        """The general test of a leaf."""
        return compare(self._call('key_of', value), ast.Eq(), self._bind('key', key))

    def _array_tests(self, value: ast.expr, leaf: Parameter) -> Iterator[ast.expr]:
        type_ = leaf.type
        assert type_ is not None
        if isinstance(type_, ObjectType):
            yield self._has_type(value, type_.of)
            return
        # There is one dtype object for each of the common numbers.
        common = type_.dtype.kind in 'biufc' and type_.dtype.isnative
        kind = np.ndarray if type_.kind == 'array' else type_.dtype.type
        yield self._has_type(value, kind)
        if type_.kind != 'array' and common:
            return
        same = ast.Is() if common else ast.Eq()
        dtype = self._bind('dtype', type_.dtype)
        yield compare(ast.Attribute(value, 'dtype', ast.Load()), same, dtype)
        shape = ast.Attribute(value, 'shape', ast.Load())
        if type_.shape is None:
            return
        if None not in type_.shape:
            yield compare(shape, ast.Eq(), self._bind('shape', type_.shape))
            return
        ndim = ast.Attribute(value, 'ndim', ast.Load())
        yield compare(ndim, ast.Eq(), len(type_.shape))
        for axis, length in enumerate(type_.shape):
            if length is not None:
                found = ast.Subscript(shape, ast.Constant(axis), ast.Load())
                yield compare(found, ast.Eq(), length)

    # What was read from outside.

    def _defaults(self, function: FunctionType) -> list[ast.expr]:
        """An entry has the defaults that the function had when it was made."""
        mine = self._bind('function', function)
        found = []
        for part in ('__defaults__', '__kwdefaults__'):
            value = getattr(function, part)
            if value is not None:
                known = self._bind('known', value)
                found.append(compare(attribute(mine, part), ast.Is(), known))
        return found

    def _guarded(self, guards: list[ast.expr]) -> ast.stmt:
        """Reading may fail where what was read is gone."""
        check = ast.If(ast.UnaryOp(ast.Not(), both(guards)), [self._return_miss()], [])
        errors = ast.Tuple(
            [self._bind('error', e) for e in (AttributeError, NameError, LookupError, TypeError)],
            ast.Load(),
        )
        handler = ast.ExceptHandler(errors, None, [self._return_miss()])
        return ast.Try([check], [handler], [], [])

    # The call.

    def _run(self) -> None:
        """`try: return program(...)`, with the structure of what is returned around it."""
        program, state = self._concrete.program, self._concrete.state
        call = ast.Call(self._bind('program', program.function), list(self._staged), [])
        arguments = ast.Tuple([name(each) for each in self._parameters], ast.Load())
        if state.inputs:
            gather = ast.Call(self._bind('gather', state.gather), [arguments], [])
            self._body.append(ast.Assign([ast.Name('.given', ast.Store())], gather))
            missing = compare(name('.given'), ast.Is(), None)
            self._body.append(ast.If(missing, [self._return_miss()], []))
            call.args.append(ast.Starred(name('.given'), ast.Load()))
        relocate = self._bind('relocated', _relocating(program))
        handler = ast.ExceptHandler(
            self._bind('exception', Exception),
            '.failure',
            [ast.Raise(ast.Call(relocate, [name('.failure')], []), None)],
        )
        structure, leaves = self._concrete.returned
        statements: list[ast.stmt]
        if structure.type is None and isinstance(leaves[0], Value) and not state.values():
            statements = [ast.Return(call)]
        else:
            statements = [ast.Assign([ast.Name('.results', ast.Store())], call)]
        self._body.append(ast.Try(statements, [handler], [], []))
        if len(statements) == 1 and isinstance(statements[0], ast.Return):
            return
        if state.values():
            count = sum(isinstance(leaf, Value) for leaf in leaves)
            settle = self._bind('settle', _settling(self._concrete, count))
            given = name('.given') if state.inputs else ast.Tuple([], ast.Load())
            staged = ast.Tuple(list(self._staged), ast.Load())
            done = ast.Call(settle, [name('.results'), arguments, staged, given], [])
            self._body.append(ast.Expr(done))
        self._body.append(ast.Return(self._returned(structure, leaves)))

    def _returned(self, structure: nest.Structure, leaves: list[Any]) -> ast.expr:
        count = len(self._concrete.graph.outputs)
        results = name('.results')
        places = iter(range(count))
        exprs = iter(
            [
                self._bind('static', leaf)
                if not isinstance(leaf, Value)
                else results
                if count == 1
                else ast.Subscript(results, ast.Constant(next(places)), ast.Load())
                for leaf in leaves
            ]
        )
        return self._built(structure, exprs)

    def _built(self, structure: nest.Structure, exprs: Iterator[ast.expr]) -> ast.expr:
        kind = structure.type
        if kind is None:
            return next(exprs)
        parts = [self._built(child, exprs) for child in structure.children]
        if kind is tuple:
            return ast.Tuple(parts, ast.Load())
        if kind is list:
            return ast.List(parts, ast.Load())
        if kind is dict:
            return ast.Dict([self._bind('key', key) for key in structure.keys], parts)
        flat = nest.Structure(kind, structure.keys, (nest.LEAF,) * len(parts))
        build = self._bind('build', lambda *values: nest.unflatten(flat, values))
        return ast.Call(build, parts, [])

    # Small trees.

    def _bind(self, wish: str, value: Any) -> ast.expr:
        return self._names.bind(wish, value)

    def _call(self, function: str, *args: ast.expr) -> ast.expr:
        return ast.Call(name(f'.{function}'), list(args), [])

    def _has_type(self, value: ast.expr, kind: type[Any]) -> ast.expr:
        return self._names.has_type(value, kind)

    def _require(self, tests: list[ast.expr]) -> None:
        negated = ast.UnaryOp(ast.Not(), both(tests))
        self._body.append(ast.If(negated, [self._return_miss()], []))

    def _return_miss(self) -> ast.stmt:
        return ast.Return(self._bind('miss', MISS))


def _settling(concrete: ConcreteFunction, skip: int) -> Callable[..., None]:
    """What lets the places outside have what a call gave them."""
    state, is_one = concrete.state, len(concrete.graph.outputs) == 1

    def settle(results: Any, arguments: Any, staged: Any, given: Any) -> None:
        outputs = iter((results,) if is_one else results or ())
        state.settle(itertools.islice(outputs, skip, None), arguments, staged, given)

    return settle


def _relocating(program: Any) -> Callable[[Exception], Exception]:
    """What raises in the program's place: the same error, at the user's line."""

    def relocate(error: Exception) -> Exception:
        return relocated(program, error)

    return relocate
