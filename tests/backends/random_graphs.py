"""Random graphs with control flow, updates in place and effects; and what they mean.

`evaluate` is the meaning: it knows no variables and copies an array before it updates it. A program
that reuses a name or a buffer wrongly gives another answer.
"""
from __future__ import annotations

import ast
import random
from dataclasses import dataclass, field

import numpy as np

from autograph_lite.graph.graph import Graph, Op, Value
from autograph_lite.graph.tracing import CONSTANT
from autograph_lite.graph.types import array_type, python_scalar, type_of
from autograph_lite.ops.control_flow import COND, FOR_LOOP, WHILE_LOOP

INT, BOOL, ARRAY = python_scalar(int), python_scalar(bool), array_type(np.int64, (3,))
LOG: list[int] = []


def record(x):
    """An effect: notes the number."""
    LOG.append(x)


def tick(x):
    """An effect with a result."""
    LOG.append(x)
    return (x + len(LOG)) % 97


def _op(name, result, source, **options):
    """An op whose expression or statement is the source, with `a`, `b`, `c` for its inputs."""
    tree = ast.parse(source).body[0]

    def fill(args):
        holes = dict(zip('abc', args, strict=False))

        class Fill(ast.NodeTransformer):
            def visit_Name(self, node):
                if node.id in ('record', 'tick'):
                    return ast.Constant(globals()[node.id])
                return holes.get(node.id, node)

        return Fill().visit(ast.parse(source).body[0])

    if isinstance(tree, ast.Expr) and result is not None:
        options['expression'] = lambda node, args: fill(args).value
    else:
        options['statement'] = lambda node, args: [fill(args)]
    return Op(name, lambda types, attrs: result if result is not None else (), **options)


ADD = _op('add', INT, '(a + b) % 97')
MULTIPLY = _op('multiply', INT, 'a * b % 89')
LESS = _op('less', BOOL, 'a < b')
NOT = _op('not', BOOL, 'not a')
TOTAL = _op('total', INT, 'int(a.sum() % 97)')
SUM = _op('plus', ARRAY, '(a + b) % 97')
SCALE = _op('times', ARRAY, 'a * b % 89')
REVERSE = _op('reverse', ARRAY, 'a[::-1]', view=True)
NEW = _op('new', ARRAY, 'np.arange(3)')
COPY = _op('copy', ARRAY, 'a.copy()')
SET = _op('setitem', ARRAY, 'a[b % 3] = c', updates=True)
RECORD = _op('record', None, 'record(a)', effect=True)
TICK = _op('tick', INT, 'tick(a)', effect=True)
PURE = [
    (ADD, (INT, INT)), (MULTIPLY, (INT, INT)), (LESS, (INT, INT)), (NOT, (BOOL,)),
    (TOTAL, (ARRAY,)), (SUM, (ARRAY, ARRAY)), (SCALE, (ARRAY, INT)), (REVERSE, (ARRAY,)),
    (COPY, (ARRAY,)),
]


@dataclass
class Scope:
    """What a generator knows of the graph that it fills.

    `values` holds each value that may still be read, with the memory that it may name; `owned` is
    the memory that may be modified here, `written` that which was.
    """

    graph: Graph
    values: list[tuple[Value, frozenset]] = field(default_factory=list)
    owned: set = field(default_factory=set)
    written: set = field(default_factory=set)


class Generator:
    """Builds one graph from a seed."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.left = size
        self.names = list('abcdex')
        self.memories = 0

    def build(self) -> Graph:
        """A graph of two numbers, a truth and an array."""
        graph = Graph('f')
        scope = Scope(graph)
        for name, type_ in (('a', INT), ('b', INT), ('p', BOOL), ('x', ARRAY)):
            scope.values.append((graph.param(type_, name), frozenset([self.memory()])))
        self.fill(scope, 0)
        outputs = self.random.sample(scope.values, min(len(scope.values), 4))
        graph.outputs = [value for value, _ in outputs] + [outputs[0][0]]
        return graph

    def memory(self) -> int:
        self.memories += 1
        return self.memories

    def fill(self, scope: Scope, depth: int) -> None:
        for _ in range(self.random.randint(1, 7)):
            if self.left <= 0:
                return
            self.left -= 1
            kind = self.random.random()
            if kind < 0.15:
                self.update(scope)
            elif kind < 0.22:
                self.effect(scope)
            elif kind < 0.36 and depth < 4:
                self.cond(scope, depth)
            elif kind < 0.5 and depth < 3:
                self.loop(scope, depth)
            else:
                self.pure(scope)

    def pick(self, scope: Scope, type_):
        """A value that may be read, as the graph of the scope sees it, and its memory."""
        found = [(v, m) for v, m in scope.values if v.type == type_]
        if not found or (type_ is not ARRAY and self.random.random() < 0.2):
            return self.constant(scope, type_)
        value, memory = self.random.choice(found)
        return scope.graph.local(value), memory

    def constant(self, scope: Scope, type_):
        if type_ is ARRAY:
            node = scope.graph.add(NEW)
            memory = self.memory()
            scope.owned.add(memory)
            return node.outputs[0], frozenset([memory])
        value = self.random.random() < 0.5 if type_ is BOOL else self.random.randint(0, 5)
        node = scope.graph.add(CONSTANT, (), {'value': value, 'type': type_of(value)})
        return node.outputs[0], frozenset()

    def pure(self, scope: Scope) -> None:
        op, types = self.random.choice(PURE)
        args = [self.pick(scope, type_) for type_ in types]
        node = scope.graph.add(op, [value for value, _ in args], names=[self.name()])
        memory = args[0][1]
        if not op.view:
            memory = frozenset([self.memory()])
            scope.owned |= memory
        scope.values.append((node.outputs[0], memory))

    def name(self) -> str:
        return self.random.choice(self.names)

    def update(self, scope: Scope) -> None:
        found = [
            (v, m) for v, m in scope.values if v.type is ARRAY and m and m <= scope.owned
        ]
        if not found:
            return
        value, memory = self.random.choice(found)
        local = scope.graph.local(value)
        index, new = self.pick(scope, INT)[0], self.pick(scope, INT)[0]
        node = scope.graph.add(SET, [local, index, new])
        self.stale(scope, memory)
        scope.values.append((node.outputs[0], memory))

    def stale(self, scope: Scope, memory) -> None:
        scope.written |= memory
        scope.values = [(v, m) for v, m in scope.values if not m & memory]

    def effect(self, scope: Scope) -> None:
        op = self.random.choice([RECORD, TICK])
        node = scope.graph.add(op, [self.pick(scope, INT)[0]])
        scope.values += [(value, frozenset()) for value in node.outputs]

    def cond(self, scope: Scope, depth: int) -> None:
        pred = self.pick(scope, BOOL)[0]
        types = self.random.choices([INT, ARRAY, BOOL], k=self.random.randint(1, 3))
        branches = []
        for role in ('true', 'false'):
            inner = Scope(Graph(role, scope.graph), list(scope.values), set(scope.owned))
            if self.random.random() < 0.8:
                self.fill(inner, depth + 1)
            results = [self.pick(inner, type_) for type_ in types]
            inner.graph.outputs = [value for value, _ in results]
            branches.append((inner, [memory for _, memory in results]))
        graphs = {inner.graph.name: inner.graph for inner, _ in branches}
        captures = agree(graphs)
        names = [self.name() for _ in types]
        node = scope.graph.add(COND, [pred, *captures], {'types': types}, graphs, None, names)
        for inner, _ in branches:
            scope.owned |= inner.owned
        for inner, _ in branches:
            self.stale(scope, inner.written)
        memories = zip(*(memories for _, memories in branches), strict=True)
        for value, (true, false) in zip(node.outputs, memories, strict=True):
            scope.values.append((value, true | false))

    def loop(self, scope: Scope, depth: int) -> None:
        kind = self.random.choice(['range', 'rows', 'while', 'until'])
        types = self.random.choices([INT, ARRAY, BOOL], k=self.random.randint(1, 4))
        names = [self.name() for _ in types]
        initial, memories = [], []
        for type_ in types:
            value, memory = self.pick(scope, type_)
            if type_ is ARRAY:
                value = scope.graph.add(COPY, [value]).outputs[0]
                memory = frozenset([self.memory()])
            initial.append(value)
            memories.append(memory)
        body = Scope(Graph('body', scope.graph), list(scope.values))
        sources, attrs = [], {}
        if kind in ('range', 'until'):
            numbers = [self.constant(scope, INT)[0], self.pick(scope, INT)[0]]
            step = scope.graph.add(CONSTANT, (), {'value': 9, 'type': INT}).outputs[0]
            sources, attrs = [*numbers, step], {'iterable': ('range', 0, 1, 2)}
            body.values.append((body.graph.param(INT, 'i'), frozenset()))
        elif kind == 'rows':
            sources = [self.pick(scope, ARRAY)[0], self.constant(scope, INT)[0]]
            attrs = {'iterable': ('enumerate', ('zip', ('rows', 0), ('rows', 0)), 1)}
            body.values.append((body.graph.param(INT, 'i'), frozenset()))
            body.graph.param(type_of(np.int64(0)), 'row')
            body.graph.param(type_of(np.int64(0)), 'row')
        else:
            types.append(INT)
            names.append('turns')
            initial.append(self.constant(scope, INT)[0])
            memories.append(frozenset())
        if kind == 'until':
            types.append(BOOL)
            names.append('done')
            initial.append(scope.graph.add(CONSTANT, (), {'value': False, 'type': BOOL}).outputs[0])
            memories.append(frozenset())
        params = [body.graph.param(t, n) for t, n in zip(types, names, strict=True)]
        body.values += list(zip(params, memories, strict=True))
        body.owned = {m for t, ms in zip(types, memories, strict=True) if t is ARRAY for m in ms}
        state_memory = set(body.owned)
        self.fill(body, depth + 1)
        results, seen = [], set()
        for type_ in types:
            value, memory = self.pick(body, type_)
            if type_ is ARRAY and (memory & seen or not memory <= body.owned):
                value = body.graph.add(COPY, [value]).outputs[0]
                memory = frozenset([self.memory()])
            seen |= memory
            results.append(value)
        graphs = {'body': body.graph}
        if kind == 'while':
            one = body.graph.add(CONSTANT, (), {'value': 1, 'type': INT}).outputs[0]
            results[-1] = body.graph.add(_INCREMENT, [params[-1], one]).outputs[0]
        body.graph.outputs = results
        if kind in ('while', 'until'):
            graphs['test'] = self.test(scope, kind, types, names)
        captures = agree(graphs)
        attrs |= {'types': types, 'state': len(types)}
        op = WHILE_LOOP if kind == 'while' else FOR_LOOP
        node = scope.graph.add(op, [*sources, *initial, *captures], attrs, graphs, None, names)
        assert not body.written - body.owned, state_memory
        for value in node.outputs:
            memory = frozenset([self.memory()])
            scope.owned |= memory
            scope.values.append((value, memory))

    def test(self, scope: Scope, kind: str, types, names) -> Graph:
        test = Scope(Graph('test', scope.graph), [])
        params = [test.graph.param(t, n) for t, n in zip(types, names, strict=True)]
        if kind == 'until':
            test.graph.outputs = [test.graph.add(NOT, [params[-1]]).outputs[0]]
            return test.graph
        test.values = [(p, frozenset([-1])) for p in params]
        limit = self.constant(test, INT)[0]
        going_on = test.graph.add(LESS, [params[-1], limit]).outputs[0]
        if self.random.random() < 0.4:
            self.pure(test)
            more = self.pick(test, BOOL)[0]
            both = Graph('true', test.graph)
            both.outputs = [both.local(more)]
            none = Graph('false', test.graph)
            none.outputs = [none.local(going_on)]
            graphs = {'true': both, 'false': none}
            captures = agree(graphs)
            node = test.graph.add(COND, [going_on, *captures], {'types': [BOOL]}, graphs)
            going_on = node.outputs[0]
        test.graph.outputs = [going_on]
        return test.graph


_INCREMENT = _op('increment', INT, 'a + b')


def agree(graphs: dict[str, Graph]) -> list[Value]:
    """Gives the subgraphs of one node the same captures."""
    used = list(dict.fromkeys(v for graph in graphs.values() for v in graph.captures))
    for graph in graphs.values():
        count = len(graph.captures)
        own, params = graph.own_params, graph.params[len(graph.params) - count :]
        known = dict(zip(graph.captures, params, strict=True))
        graph.params = own
        graph.captures = list(used)
        for value in used:
            if value in known:
                graph.params.append(known[value])
            else:
                graph.param(value.type, value.name)
    return used


def evaluate(graph: Graph, args) -> list:
    """The outputs of a graph for these values of its parameters."""
    values = dict(zip(graph.params, args, strict=True))
    for node in graph.nodes:
        inputs = [values[v] for v in node.inputs]
        results = _evaluate_node(node, inputs)
        values.update(zip(node.outputs, results, strict=True))
    return [values[v] for v in graph.outputs]


def _evaluate_node(node, inputs):
    if node.op is CONSTANT:
        return [node.attrs['value']]
    if node.op is COND:
        pred, *captures = inputs
        return evaluate(node.graphs['true' if pred else 'false'], captures)
    if node.graphs:
        return _evaluate_loop(node, inputs)
    if node.op.updates:
        inputs[0] = inputs[0].copy()
    namespace = {'np': np, 'int': int, **{f'v{i}': v for i, v in enumerate(inputs)}}
    args = [ast.Name(f'v{i}', ast.Load()) for i in range(len(inputs))]
    if node.op.statement is not None:
        statements = node.op.statement(node, args)
        _run(statements, namespace)
        return [inputs[0]] if node.op.updates else []
    _run([ast.Assign([ast.Name('result', ast.Store())], node.op.expression(node, args))], namespace)
    return [namespace['result']]


def _run(statements, namespace):
    for statement in statements:
        for inner in ast.walk(statement):
            if isinstance(inner, ast.Constant) and callable(inner.value):
                namespace[inner.value.__name__] = inner.value

    class Bind(ast.NodeTransformer):
        def visit_Constant(self, node):
            return ast.Name(node.value.__name__, ast.Load()) if callable(node.value) else node

    module = ast.Module([Bind().visit(s) for s in statements], [])
    exec(compile(ast.fix_missing_locations(module), '<reference>', 'exec'), namespace)


def _evaluate_loop(node, inputs):
    body, test = node.graphs['body'], node.graphs.get('test')
    count = len(node.outputs)
    header = len(inputs) - len(body.captures)
    sources, state = inputs[: header - count], inputs[header - count : header]
    captures = inputs[header:]
    turns = iter(_items(node, sources))
    while test is None or evaluate(test, state + captures)[0]:
        item = next(turns, None)
        if item is None:
            break
        state = evaluate(body, [*item, *state, *captures])
    return state


def _items(node, sources):
    if node.op is WHILE_LOOP:
        while True:
            yield []
    elif node.attrs['iterable'][0] == 'range':
        for i in range(*sources):
            yield [i]
    else:
        for i, row in enumerate(sources[0], sources[1]):
            yield [i, row, row]
