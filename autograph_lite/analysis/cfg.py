"""The control-flow graph of a function, and what the functions nested in it do to its names."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import gast

from autograph_lite.analysis.accesses import CHANGES, Access, Captures, Kind
from autograph_lite.analysis.expressions import Evaluator
from autograph_lite.analysis.flow import Flow, Jump
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.statements import Statements
from autograph_lite.analysis.symbols import Symbols, symbols
from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.tree import Node


@dataclass(frozen=True)
class Point:
    """A stretch of accesses made one after the other.

    `held` are the names that closures which may be called by anybody read from here on;
    `reachable` is false for what stands after a `return` and the like.
    """

    accesses: tuple[Access, ...]
    held: frozenset[QualName]
    successors: tuple[int, ...]
    reachable: bool


@dataclass(frozen=True, eq=False)
class CFG:
    """Points in the order of the text, and where in them the nodes of the tree lie.

    `before` and `after` lead from a statement, test, iterable, subject or guard to the points at
    which it begins and ends, `turns` from a loop to the points at which it decides on another turn;
    `spans` leads to the stretch of `accesses` that it makes, nested statements included.
    """

    function: Node
    symbols: Symbols
    accesses: tuple[Access, ...]
    points: tuple[Point, ...]
    before: Mapping[Node, tuple[int, ...]]
    after: Mapping[Node, tuple[int, ...]]
    turns: Mapping[Node, tuple[int, ...]]
    spans: Mapping[Node, tuple[int, int]]
    entry: int
    exit: int


def build(function: Node) -> CFG:
    """The control-flow graph of a function or lambda, without those that are nested in it."""
    return deeply(_build, function, frozenset())


def _build(scope: Node, around: frozenset[str]) -> CFG:
    """The graph of a function, lambda or class body; `around` are variables it may use freely."""
    found, flow = symbols(scope), Flow()
    declared = {*found.globals_, *found.nonlocals}
    variables = ((around | declared) - found.locals) | (found.locals - found.modules)

    @cache
    def captures(closure: Node) -> Captures:
        return _captures(_build(closure, variables))

    statements = Statements(flow, Evaluator(flow, found, variables, captures))
    entry = flow.point()
    flow.end_point()
    if isinstance(scope, gast.Lambda):
        statements.expression(scope.body)
    else:
        statements.block(scope.body)
    flow.resume(flow.frontier + flow.jumps[Jump.RETURN])
    last = flow.point()
    ends = [*flow.starts[1:], len(flow.accesses)]
    parts = zip(flow.starts, ends, flow.held, flow.successors, flow.reachable, strict=True)
    return CFG(
        function=scope,
        symbols=found,
        accesses=tuple(flow.accesses),
        points=tuple(
            Point(tuple(flow.accesses[start:end]), held, tuple(successors), reachable)
            for start, end, held, successors, reachable in parts
        ),
        before={node: tuple(points) for node, points in flow.before.items()},
        after={node: tuple(points) for node, points in flow.after.items()},
        turns={node: tuple(points) for node, points in flow.turns.items()},
        spans=flow.spans,
        entry=entry,
        exit=last,
    )


def _captures(closure: CFG) -> Captures:
    """What calling a nested function, or running a class body, does to the names around it."""
    is_class = isinstance(closure.function, gast.ClassDef)
    hidden = {each.name for each in getattr(closure.function, 'type_params', [])}
    if is_class:
        hidden.add('__class__')
    reads: dict[QualName, None] = {}
    writes: dict[QualName, None] = {}
    kept: dict[QualName, None] = {}
    for access in closure.accesses:
        name, kind = access.name, access.kind
        # Methods look past the names of their class.
        own = name.root in closure.symbols.locals and not (is_class and kind is Kind.CAPTURE)
        if own or name.root in hidden:
            continue
        if kind in CHANGES:
            writes[name] = None
        if kind not in (Kind.WRITE, Kind.DELETE, Kind.POKE):
            reads[name] = None
        if kind in (Kind.CAPTURE, Kind.HOLD) or closure.symbols.yields:
            kept[name] = None
    return Captures(tuple(reads), tuple(writes), tuple(kept))
