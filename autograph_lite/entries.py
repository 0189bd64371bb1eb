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
import weakref
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from .backends.failures import relocated
from .binding import function_like, parameter_names
from .concrete import ConcreteFunction, Parameter
from .graph import nest
from .graph.graph import Value
from .miss import MISS
from .operators.captures import Guard, PartOfObject
from .signatures import Identity, leaf_key

Entry = Callable[..., Any]


_PLAIN = (int, bool, str, bytes, type(None), type(...))
# What a change in place cannot change.
_FIXED = (int, float, complex, bool, str, bytes, type(None), type(...), type, ModuleType,
          BuiltinFunctionType, np.ufunc, np.dtype, np.generic)  # fmt: skip


# A longer list or dict that was read from outside is compared in the general way.
_MOST_PARTS = 32


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
        used = {'type': type, 'len': len, 'tuple': tuple, 'key_of': leaf_key}
        self._names: dict[str, Any] = {f'.{name}': value for name, value in used.items()}
        self._leaves = iter(concrete.leaves)
        self._body: list[ast.stmt] = []
        self._staged: list[ast.expr] = []

    def entry(self, function: FunctionType) -> Entry:
        parameters = parameter_names(function)
        structures = self._concrete.structure.children
        for name, structure in zip(parameters, structures, strict=True):
            self._nest(_name(name), structure)
        guards = [self._guard(guard) for guard in self._concrete.guards]
        guards += self._defaults(function)
        if guards:
            self._body.append(self._guarded(guards))
        self._run()
        return function_like(function, self._body, self._names)

    # Arguments.

    def _nest(self, value: ast.expr, structure: nest.Structure) -> None:
        if structure.type is None:
            self._leaf(value, next(self._leaves))
            return
        kind, size = structure.type, len(structure.children)
        is_dict, is_object = issubclass(kind, dict), not issubclass(kind, (dict, tuple, list))
        if is_object and '__dict__' not in dir(kind):
            raise NoEntryError
        held = _attribute(value, '__dict__') if is_object else value
        tests = [self._has_type(value, kind), _compare(self._call('len', held), ast.Eq(), size)]
        if is_dict:
            keys = self._bind('keys', structure.keys)
            tests.append(_compare(self._call('tuple', value), ast.Eq(), keys))
        self._require(tests)
        if not size:
            return
        parts = [f'.part_{len(self._body)}_{i}' for i in range(size)]
        targets = ast.Tuple([ast.Name(part, ast.Store()) for part in parts], ast.Store())
        source = _method(value, 'values') if is_dict else value
        if is_object:
            fields = [_attribute(value, key) for key in structure.keys]
            source = ast.Tuple(fields, ast.Load())
        self._body.append(ast.Assign([targets], source))
        for part, child in zip(parts, structure.children, strict=True):
            self._nest(_name(part), child)

    def _leaf(self, value: ast.expr, leaf: Parameter) -> None:
        if leaf.type is not None:
            self._staged.append(value)
            self._require(list(self._array_tests(value, leaf)))
        elif isinstance(leaf.key, Identity):
            self._require([self._is_held(value, leaf.key)])
        else:
            self._require(self._value_tests(value, leaf))

    def _value_tests(self, value: ast.expr, leaf: Parameter) -> list[ast.expr]:
        known = leaf.value
        if known is None or known is ... or isinstance(known, bool):
            return [_compare(value, ast.Is(), ast.Constant(known))]
        if type(known) in _PLAIN or (type(known) is float and known and known == known):
            return [
                self._has_type(value, type(known)),
                _compare(value, ast.Eq(), self._bind('value', known)),
            ]
        return [self._has_key(value, leaf.key)]

    def _has_key(self, value: ast.expr, key: Any) -> ast.expr:
        """The general test of a leaf."""
        return _compare(self._call('key_of', value), ast.Eq(), self._bind('key', key))

    def _array_tests(self, value: ast.expr, leaf: Parameter) -> Iterator[ast.expr]:
        type_ = leaf.type
        assert type_ is not None
        # There is one dtype object for each of the common numbers.
        common = type_.dtype.kind in 'biufc' and type_.dtype.isnative
        kind = np.ndarray if type_.kind == 'array' else type_.dtype.type
        yield self._has_type(value, kind)
        if type_.kind != 'array' and common:
            return
        same = ast.Is() if common else ast.Eq()
        dtype = self._bind('dtype', type_.dtype)
        yield _compare(ast.Attribute(value, 'dtype', ast.Load()), same, dtype)
        shape = ast.Attribute(value, 'shape', ast.Load())
        if type_.shape is None:
            return
        if None not in type_.shape:
            yield _compare(shape, ast.Eq(), self._bind('shape', type_.shape))
            return
        ndim = ast.Attribute(value, 'ndim', ast.Load())
        yield _compare(ndim, ast.Eq(), len(type_.shape))
        for axis, length in enumerate(type_.shape):
            if length is not None:
                found = ast.Subscript(shape, ast.Constant(axis), ast.Load())
                yield _compare(found, ast.Eq(), length)

    # What was read from outside.

    def _guard(self, guard: Guard) -> ast.expr:
        """`read() is value or holds()`."""
        holds = self._call('holds', name=self._bind_name('holds', guard.holds))
        try:
            value = guard.read()
        except (AttributeError, NameError, LookupError, TypeError):
            return holds
        if isinstance(guard.read, weakref.ref):
            # An argument, which must not be kept alive.
            return holds
        if not guard.holds():  # the function itself has changed it while it was traced
            return holds
        tests = self._same(self._read(guard.read), value)
        return holds if tests is None else ast.BoolOp(ast.Or(), [_all(tests), holds])

    def _read(self, read: Any) -> ast.expr:
        """Reads again: an attribute or item as it was written, anything else by a call."""
        if not isinstance(read, PartOfObject):
            return self._call('read', name=self._bind_name('read', read))
        root = self._call('root', name=self._bind_name('root', read.root))
        return _Rooted(root).visit(ast.parse('_' + read.steps, mode='eval').body)  # type: ignore[no-any-return]

    def _same(self, read: ast.expr, value: Any) -> list[ast.expr] | None:
        """Tests that what is read is this value, unchanged; None if only the guard can tell."""
        if isinstance(value, _FIXED):
            return [_compare(read, ast.Is(), self._bind('known', value))]
        if type(value) is np.ndarray:
            array = self._bind('known', value)
            return [
                _compare(read, ast.Is(), array),
                _compare(_attribute(array, 'shape'), ast.Eq(), self._bind('shape', value.shape)),
                _compare(_attribute(array, 'dtype'), ast.Is(), self._bind('dtype', value.dtype)),
            ]
        if isinstance(value, FunctionType) and value.__kwdefaults__ is None:
            known = self._bind('known', value)
            parts = [
                (_attribute(known, name), self._bind('part', getattr(value, name)))
                for name in ('__code__', '__defaults__', '__kwdefaults__')
            ]
            return [_compare(a, ast.Is(), b) for a, b in [(read, known), *parts]]
        if type(value) in (tuple, list, dict):
            return self._same_parts(read, value)
        told_by_more = isinstance(value, MethodType | FunctionType) or not nest.is_leaf(value)
        key = None if told_by_more else leaf_key(value)
        return [self._is_held(read, key)] if isinstance(key, Identity) else None

    def _same_parts(self, read: ast.expr, value: Any) -> list[ast.expr] | None:
        """The same for a nest: its type, its keys or length, and each of its parts."""
        kind = type(value)
        keys = list(value) if kind is dict else list(range(len(value)))
        if len(keys) > _MOST_PARTS:
            return None
        name = f'.nest_{len(self._names)}'
        found = ast.NamedExpr(ast.Name(name, ast.Store()), read)
        tests = [self._has_type(found, kind)]
        if kind is dict:
            known = self._bind('keys', tuple(keys))
            tests.append(_compare(self._call('tuple', _name(name)), ast.Eq(), known))
        else:
            tests.append(_compare(self._call('len', _name(name)), ast.Eq(), len(keys)))
        for key in keys:
            part = ast.Subscript(_name(name), self._bind('key', key), ast.Load())
            same = self._same(part, value[key])
            if same is None:
                return None
            tests += same
        return tests

    def _is_held(self, value: ast.expr, identity: Identity) -> ast.expr:
        """`value is held() is not None`: nothing is an object that is gone."""
        held = self._call('held', name=self._bind_name('held', identity.value))
        return ast.Compare(value, [ast.Is(), ast.IsNot()], [held, ast.Constant(None)])

    def _defaults(self, function: FunctionType) -> list[ast.expr]:
        """An entry has the defaults that the function had when it was made."""
        mine = self._bind('function', function)
        found = []
        for name in ('__defaults__', '__kwdefaults__'):
            value = getattr(function, name)
            if value is not None:
                known = self._bind('known', value)
                found.append(_compare(_attribute(mine, name), ast.Is(), known))
        return found

    def _guarded(self, guards: list[ast.expr]) -> ast.stmt:
        """Reading may fail where what was read is gone."""
        check = ast.If(ast.UnaryOp(ast.Not(), _all(guards)), [self._return_miss()], [])
        errors = ast.Tuple(
            [self._bind('error', e) for e in (AttributeError, NameError, LookupError, TypeError)],
            ast.Load(),
        )
        handler = ast.ExceptHandler(errors, None, [self._return_miss()])
        return ast.Try([check], [handler], [], [])

    # The call.

    def _run(self) -> None:
        """`try: return program(...)`, with the structure of what is returned around it."""
        program = self._concrete.program
        call = ast.Call(self._bind('program', program.function), self._staged, [])
        relocate = self._bind('relocated', _relocating(program))
        handler = ast.ExceptHandler(
            self._bind('exception', Exception),
            '.failure',
            [ast.Raise(ast.Call(relocate, [_name('.failure')], []), None)],
        )
        structure, leaves = self._concrete.returned
        statements: list[ast.stmt]
        if structure.type is None and isinstance(leaves[0], Value):
            statements = [ast.Return(call)]
        else:
            statements = [ast.Assign([ast.Name('.results', ast.Store())], call)]
        self._body.append(ast.Try(statements, [handler], [], []))
        if len(statements) == 1 and isinstance(statements[0], ast.Return):
            return
        self._body.append(ast.Return(self._returned(structure, leaves)))

    def _returned(self, structure: nest.Structure, leaves: list[Any]) -> ast.expr:
        count = sum(isinstance(leaf, Value) for leaf in leaves)
        results = _name('.results')
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

    def _bind_name(self, wish: str, value: Any) -> str:
        name = f'.{wish}_{len(self._names)}'
        self._names[name] = value
        return name

    def _bind(self, wish: str, value: Any) -> ast.expr:
        return _name(self._bind_name(wish, value))

    def _call(self, function: str, *args: ast.expr, name: str = '') -> ast.expr:
        return ast.Call(_name(name or f'.{function}'), list(args), [])

    def _has_type(self, value: ast.expr, kind: type[Any]) -> ast.expr:
        return _compare(self._call('type', value), ast.Is(), self._bind('kind', kind))

    def _require(self, tests: list[ast.expr]) -> None:
        negated = ast.UnaryOp(ast.Not(), _all(tests))
        self._body.append(ast.If(negated, [self._return_miss()], []))

    def _return_miss(self) -> ast.stmt:
        return ast.Return(self._bind('miss', MISS))


class _Rooted(ast.NodeTransformer):
    """Puts an expression in the place of the one name in another."""

    def __init__(self, root: ast.expr) -> None:
        self._root = root

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._root


def _relocating(program: Any) -> Callable[[Exception], Exception]:
    """What raises in the program's place: the same error, at the user's line."""

    def relocate(error: Exception) -> Exception:
        return relocated(program.filename, program.code, program.lines, error)

    return relocate


def _name(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def _attribute(value: ast.expr, name: str) -> ast.expr:
    return ast.Attribute(value, name, ast.Load())


def _method(value: ast.expr, name: str) -> ast.expr:
    return ast.Call(_attribute(value, name), [], [])


def _compare(left: ast.expr, operator: ast.cmpop, right: Any) -> ast.expr:
    right = right if isinstance(right, ast.expr) else ast.Constant(right)
    return ast.Compare(left, [operator], [right])


def _all(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
