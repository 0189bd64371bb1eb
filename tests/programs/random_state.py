"""Random programs that change what they reach: attributes, items, lists, arrays, globals, closures.

Each program is a module: classes with methods, global variables, helpers, and a function `f` that
is called several times. It changes places in branches, loops, methods, helpers and nested
functions, also by other names. Plain Python's results and what it leaves outside must come out, or
a refusal. From the root of the repository:

    PYTHONPATH=tests python -m programs.random_state --count 3000
"""
from __future__ import annotations

import argparse
import collections
import linecache
import random
import sys
import types
import warnings
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from differential import Difference, Program, compare
from programs.reduction import reduced

import autograph_lite as ag

INDENT = '    '
FAULTS = ('wrong', 'internal error', 'refused without a line')
GLOBALS = 'global GX, COUNT, ARRAY'

HEAD = """\
from dataclasses import dataclass
import numpy as np


@dataclass
class Point:
    x: float
    y: float


GX = np.float64(1.5)
COUNT = 0
TABLE = {'x': np.float64(2.0), 'y': np.float64(-1.0), 'k': 0}
LOG = []
ARRAY = np.array([1.0, -2.0, 0.5, 3.0])


class Node:
    total = np.float64(0.0)

    def __init__(self, x, child=None):
        self.x = x + np.float64(0)
        self.y = np.float64(1.0)
        self.k = 0
        self.v = np.array([1.0, 2.0, -3.0, 4.0]) * x
        self.items = []
        self.best = None
        self.mode = 'slow'
        self.child = child

    @property
    def larger(self):
        return self.x if self.x > self.y else self.y
"""
TAIL = """\

NODE = Node(2.0)
GIVEN = Node(1.0, Node(-1.0))
XS = [np.float64(1.0), np.float64(-2.0)]
POINT = Point(np.float64(1.0), np.float64(2.0))
D = {'x': np.float64(0.5), 'y': np.float64(3.0), 'k': 1, 'p': POINT}
V = np.array([0.5, -1.5, 2.5, 1.0])
CALLS = [
    (np.float64(1.0), np.int64(3), V, GIVEN, XS, D),
    (np.float64(-2.0), np.int64(2), V, GIVEN, XS, D),
    (np.float64(5.0), np.int64(0), V, GIVEN, XS, D),
    (np.float64(0.25), np.int64(4), V, GIVEN, XS, D),
]
"""


@dataclass
class Scope:
    """The names that a statement can use, by what they hold."""

    floats: list[str] = field(default_factory=list)
    ints: list[str] = field(default_factory=list)
    arrays: list[str] = field(default_factory=list)
    lists: list[str] = field(default_factory=list)
    nodes: list[str] = field(default_factory=list)
    dicts: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    methods: list[str] = field(default_factory=list)

    def inner(self, **more: list[str]) -> Scope:
        """The same names for a nested block, which may add names of its own."""
        copied = {key: [*value, *more.get(key, ())] for key, value in vars(self).items()}
        return replace(self, **copied)

    def all_floats(self) -> list[str]:
        parts = [f'{node}.{name}' for node in self.nodes for name in 'xy']
        return [*self.floats, *parts, *(f"{d}['{key}']" for d in self.dicts for key in 'xy')]

    def all_ints(self) -> list[str]:
        parts = [f'{node}.k' for node in self.nodes]
        return [*self.ints, *parts, *(f"{d}['k']" for d in self.dicts)]

    def all_arrays(self) -> list[str]:
        return [*self.arrays, *(f'{node}.v' for node in self.nodes)]

    def all_lists(self) -> list[str]:
        return [*self.lists, *(f'{node}.items' for node in self.nodes)]


# What every second program changes is made in the function, and returned.
INSIDE = """\
    o, NODE, v = Node(1.0, Node(x)), Node(2.0), v * 2
    xs = [x, np.float64(-2.0)]
    d = {'x': x, 'y': np.float64(3.0), 'k': 1, 'p': Point(x, np.float64(2.0))}\
"""
ALL = (
    'o.x, o.y, o.k, o.v, o.items, o.best, o.mode, o.child.x, o.child.v, o.child.items, NODE.x, '
    'v, xs, d')


class Writer:
    """Writes one random module."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.left = self.pick(4, 8, 14)
        self.names = 0
        self.inside = bool(seed % 2)

    def outside(self) -> Scope:
        """What every function of the module can reach."""
        if self.inside:
            return Scope()
        return Scope(['GX'], ['COUNT'], ['ARRAY'], ['LOG'], [], ['TABLE'])

    def pick(self, *options: Any) -> Any:
        return self.random.choice(options)

    def new(self, stem: str) -> str:
        self.names += 1
        return f'{stem}{self.names}'

    # The module.

    def module(self) -> str:
        methods, functions = [], []
        lines = [HEAD]
        for name in ('step', 'put')[: self.pick(0, 1, 2)]:
            scope = self.outside().inner(floats=['r'], nodes=['self'], methods=list(methods))
            lines += self.function(name, 'self, r', scope, 1)
            methods.append(name)
        lines.append(TAIL.replace('V, GIVEN, XS, D)', 'V)') if self.inside else TAIL)
        for name in ('helper', 'other')[: self.pick(0, 1, 2)]:
            scope = self.outside().inner(floats=['r'], nodes=['node'], functions=list(functions))
            scope.nodes += [] if self.inside else ['NODE']
            scope.methods = list(methods)
            lines += self.function(name, 'node, r', scope, 0)
            functions.append(name)
        return '\n'.join([*lines, *self.main(methods, functions)]) + '\n'

    def function(self, name: str, parameters: str, scope: Scope, indent: int) -> list[str]:
        self.left += 2
        head = [f'def {name}({parameters}):', INDENT + GLOBALS]
        body = self.block(scope, indent + 1, 1, False)
        result = f'{INDENT * (indent + 1)}return {self.float(scope)}'
        return ['', *(INDENT * indent + line for line in head), *body, result, '']

    def main(self, methods: list[str], functions: list[str]) -> list[str]:
        scope = self.outside().inner(
            floats=['x', 'y'], ints=['k'], arrays=['v'], lists=['xs', 'out'],
            nodes=['o', 'o.child', 'NODE'], dicts=['d'], functions=functions, methods=methods)
        scope.floats += ["d['p'].x", "d['p'].y"]
        lines = [
            f'def f(x, n, {"v" if self.inside else "v, o, xs, d"}):', INDENT + GLOBALS,
            *([INSIDE] if self.inside else []), '    y = x * 0.5', '    k = 0', '    out = [x]']
        if self.pick(True, False):
            nested = scope.inner(floats=['r'])
            body = self.block(nested, 2, 1, False)
            lines += [
                '    def bump(node, r):', INDENT * 2 + GLOBALS, '        nonlocal x, y, k, v',
                *body, f'        return {self.float(nested)}']
            scope.functions = [*scope.functions, 'bump']
        lines += self.block(scope, 1, 3, False)
        results = ', '.join(self.random.sample([*scope.all_floats(), *scope.all_ints()], 3))
        return [*lines, f'    return x, y, k, out, {ALL if self.inside else results}']

    # Expressions.

    def float(self, scope: Scope) -> str:
        a, b = self.pick(*scope.all_floats()), self.pick(*scope.all_floats())
        array, values = self.pick(*scope.all_arrays()), self.pick(*scope.all_lists())
        node = self.pick(*(scope.nodes))
        return self.pick(
            a, a, f'{a} + {b}', f'{a} - {b} * 0.5', f'{a} * 0.5', f'np.abs({a})',
            f'{array}[{self.pick(0, 1, -1)}]', f'{array}.sum()', f'np.minimum({a}, {b})',
            f'np.float64(len({values}))', f'np.float64(sum({values}))', f'{node}.larger',
            f'np.float64({self.pick(*scope.all_ints())})', 'np.float64(1.25)')

    def test(self, scope: Scope) -> str:
        a, b = self.pick(*scope.all_floats()), self.pick(*scope.all_floats())
        node = self.pick(*(scope.nodes))
        compared = f'{a} {self.pick("<", ">")} {self.pick(b, "1.0", "0.0")}'
        return self.pick(
            compared, compared, compared, f'{compared} and {b} > 0', f'not {compared}',
            f"{node}.mode == 'fast'", f'len({self.pick(*scope.all_lists())}) > 2',
            f'{node}.best is None', f'{self.pick(*scope.all_ints())} > 1')

    # Statements.

    def block(self, scope: Scope, indent: int, depth: int, in_loop: bool) -> list[str]:
        inner = scope.inner()
        lines: list[str] = []
        for _ in range(self.pick(1, 2, 3)):
            lines += self.statement(inner, indent, depth, in_loop)
        return lines

    def statement(self, scope: Scope, indent: int, depth: int, in_loop: bool) -> list[str]:
        tab = INDENT * indent
        self.left -= 1
        nests = depth > 0 and self.left > 0
        kinds = ['number'] * 4 + ['item', 'array', 'grow', 'grow', 'call', 'call', 'node', 'alias']
        kinds += ['swap', 'leave'] if in_loop else []
        kinds += ['branch', 'branch', 'branch', 'loop', 'loop', 'guarded'] if nests else []
        kind = self.pick(*kinds)
        if kind in ('branch', 'loop', 'guarded'):
            return getattr(self, kind)(scope, indent, depth, in_loop)
        return [tab + line for line in getattr(self, kind)(scope)]

    def number(self, scope: Scope) -> list[str]:
        a, k = self.pick(*scope.all_floats()), self.pick(*scope.all_ints())
        value = self.float(scope)
        return [self.pick(
            f'{a} = {value}', f'{a} = {value}', f'{a} += {value}', f'{a} *= 0.5', f'{k} += 1',
            f'{k} = {k} + 2')]

    def swap(self, scope: Scope) -> list[str]:
        a, b = self.pick(*scope.all_floats()), self.pick(*scope.all_floats())
        return [f'{a}, {b} = {b}, {a}']

    def item(self, scope: Scope) -> list[str]:
        array, values = self.pick(*scope.all_arrays()), self.pick(*scope.all_lists())
        i, value = self.pick('0', '1', '-1'), self.float(scope)
        return self.pick(
            [f'{array}[{i}] = {value}'], [f'{array}[{i}] += {value}'], [f'{array}[1:3] = {value}'],
            [f'if {values}:', f'    {values}[-1] = {value}'],
            [f'if {values}:', f'    {values}[0] += {value}'])

    def array(self, scope: Scope) -> list[str]:
        array, other = self.pick(*scope.all_arrays()), self.pick(*scope.all_arrays())
        return [self.pick(
            f'{array} += {self.float(scope)}', f'{array} *= 0.5', f'{array}[{array} > 1.0] = 0.5',
            f'np.add({array}, {other}, out={array})', f'{array}[:] = {other}',
            f'{array}[1:] = {array}[:-1].copy()')]

    def grow(self, scope: Scope) -> list[str]:
        values, a = self.pick(*scope.all_lists()), self.pick(*scope.all_floats())
        return self.pick(
            [f'{values}.append({self.float(scope)})'], [f'{values}.append({self.float(scope)})'],
            [f'if len({values}) > 1:', f'    {a} = {values}.pop()'],
            [f'{values} += [{a}]' if '.' in values else f'{values}.extend([{a}])'])

    def call(self, scope: Scope) -> list[str]:
        node = self.pick(*(scope.nodes))
        calls = [f'{name}({node}, {self.float(scope)})' for name in scope.functions]
        calls += [f'{node}.{name}({self.float(scope)})' for name in scope.methods]
        if not calls:
            return self.number(scope)
        call = self.pick(*calls)
        return [self.pick(call, f'{self.pick(*scope.all_floats())} = {call}')]

    def node(self, scope: Scope) -> list[str]:
        node = self.pick(*(scope.nodes))
        a, array = self.pick(*scope.all_floats()), self.pick(*scope.all_arrays())
        return self.pick(
            [f"{node}.mode = {self.pick(repr('fast'), repr('slow'))}"],
            [f'{node}.best = {self.float(scope)}'], [f'{node}.best = None'],
            [f'if {node}.best is None or {a} > {node}.best:', f'    {node}.best = {a}'],
            [f'{node}.v = {array} * 0.5'], [f'{node}.v = {array} + {a}'])

    def alias(self, scope: Scope) -> list[str]:
        """A second name for what another one holds."""
        kind = self.pick('nodes', 'lists', 'arrays', 'arrays', 'dicts')
        places = {
            'nodes': scope.nodes, 'lists': scope.all_lists(),
            'arrays': scope.all_arrays(), 'dicts': scope.dicts}[kind]
        if not places:
            return self.number(scope)
        name, place = self.new(kind[0]), self.pick(*places)
        getattr(scope, kind).append(name)
        return [f'{name} = {place}' + (self.pick('', '[:]') if kind == 'arrays' else '')]

    def leave(self, scope: Scope) -> list[str]:
        return [f'if {self.test(scope)}:', INDENT + self.pick('break', 'continue')]

    def branch(self, scope: Scope, indent: int, depth: int, in_loop: bool) -> list[str]:
        tab = INDENT * indent
        lines = [f'{tab}if {self.test(scope)}:', *self.block(scope, indent + 1, depth - 1, in_loop)]
        if self.pick(True, False, False):
            lines += [f'{tab}elif {self.test(scope)}:']
            lines += self.block(scope, indent + 1, depth - 1, in_loop)
        if self.pick(True, False):
            lines += [f'{tab}else:', *self.block(scope, indent + 1, depth - 1, in_loop)]
        return lines

    def guarded(self, scope: Scope, indent: int, depth: int, in_loop: bool) -> list[str]:
        tab = INDENT * indent
        return [
            f'{tab}try:', *self.block(scope, indent + 1, depth - 1, in_loop), f'{tab}finally:',
            *(tab + INDENT + line for line in self.number(scope))]

    def loop(self, scope: Scope, indent: int, depth: int, in_loop: bool) -> list[str]:
        tab, name = INDENT * indent, self.new('i')
        n = 'n' if 'v' in scope.arrays else 'np.int64(2)'
        array = self.pick(*scope.all_arrays())
        head, floats = self.pick(
            (f'for {name} in range({n}):', []), (f'for {name} in range(2):', []),
            (f'for {name} in {array}.copy():', [name]), (f'for {name} in {array}:', [name]),
            (f'for {name} in range(len({self.pick(*scope.all_lists())})):', []), ('while', []))
        inner = scope.inner(floats=floats)
        lines = [f'{tab}{head}']
        if head == 'while':
            lines = [f'{tab}{name} = 0', f'{tab}while {name} < 3 and {self.test(scope)}:']
            lines += [f'{tab}{INDENT}{name} += 1']
        return [*lines, *self.block(inner, indent + 1, depth - 1, True)]


def load(text: str) -> Program:
    """A random module, run anew: its function, the calls, its namespace."""
    filename, name = f'<random state {zlib.crc32(text.encode())}>', 'random_state_program'
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(text, filename, 'exec'), vars(module))
    return Program(module.f, module.CALLS, vars(module))


def differences(text: str) -> list[Difference]:
    """How the ways to run a random module differ from plain Python."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        ways = {'converted': ag.to_graph, 'graph': ag.function}
        return list(compare(lambda: load(text), ways, joins=True))


def main(arguments: Iterable[str] | None = None) -> int:
    """Tries many programs, and prints those that differ and what is refused how often."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').splitlines()[0])
    parser.add_argument('--count', type=int, default=300)
    parser.add_argument('--start', type=int, default=0)
    parser.add_argument('--show', action='store_true', help='also what is refused')
    parser.add_argument('--reduce', action='store_true', help='make the programs small')
    options = parser.parse_args(None if arguments is None else list(arguments))
    tally: collections.Counter[str] = collections.Counter()
    for seed in range(options.start, options.start + options.count):
        text = Writer(seed).module()
        found = differences(text)
        tally.update({each.kind for each in found} or {'same'})
        for each in found:
            if each.kind in FAULTS or options.show:
                shown = reduced(text, each, differences) if options.reduce else ''
                print(f'seed {seed}: {each}\n{shown}', flush=True)
    print(dict(tally))
    return int(any(tally[kind] for kind in FAULTS))


if __name__ == '__main__':
    sys.exit(main())
