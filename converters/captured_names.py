"""Which of the names that a pattern binds are read, and where."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import gast

from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.liveness import Liveness, liveness
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.pyct.tree import Node, walk


@dataclass(frozen=True)
class CapturedNames:
    """The names that are read later, of those that a pattern may bind.

    in_body      where the body begins
    after_guard  where the guard does not hold: in a later case, or after the `match`
    """

    in_body: frozenset[str]
    after_guard: frozenset[str]


def captured_names(tree: Node) -> dict[Node, CapturedNames]:
    """What is read of each `case` of a function, and of those that are nested in it."""
    found: dict[Node, CapturedNames] = {}
    for function in functions(tree):
        if not any(isinstance(node, gast.Match) for node in walk(function)):
            continue
        live = liveness(build(function))
        for match, caught in _matches(function.body, live, frozenset()):
            for case, missed in zip(match.cases, [*match.cases[1:], None], strict=True):
                after = live.live_out[match] if missed is None else live.live_in[missed]
                found[case] = CapturedNames(
                    _roots(live.live_into(case.body)), _roots(after) | caught)
    return found


def _matches(
    block: Sequence[Node], live: Liveness, caught: frozenset[str]
) -> Iterator[tuple[Node, frozenset[str]]]:
    """Each `match` in a block, and what is read where an exception that its guards raise ends."""
    for statement in block:
        if isinstance(statement, gast.Match):
            yield statement, caught
        for inner in blocks(statement):
            ends = caught
            if isinstance(statement, gast.Try | gast.TryStar) and inner is statement.body:
                ends = caught.union(
                    _roots(live.live_into(statement.finalbody)),
                    *(_roots(live.live_in[handler]) for handler in statement.handlers))
            yield from _matches(inner, live, ends)


def _roots(names: Iterable[QualName]) -> frozenset[str]:
    return frozenset(name.root for name in names)
