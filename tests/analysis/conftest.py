"""One helper for all tests of the analyses: the expected answer stands beside each line.

A comment such as `# live: x y` at the line on which a statement begins says what an analysis must
answer for it; several answers are parted by `;`. No names are written as `-`.
"""
from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import gast
import pytest

from autograph_lite.analysis.liveness import Liveness, liveness
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.reaching import ReachingDefinitions, Source, reaching_definitions
from autograph_lite.analysis.scopes import Scopes, scopes
from autograph_lite.pyct.tree import Node


@dataclass(frozen=True)
class Analysed:
    """A function and everything that the analyses say about it."""

    function: Node
    scopes: Scopes
    liveness: Liveness
    reaching: ReachingDefinitions

    def names(self) -> list[QualName]:
        """Every plain name that the function touches, in order of first appearance."""
        found = dict.fromkeys(access.name for access in self.scopes.cfg.accesses)
        return [name for name in found if name.is_simple]


def analyse(source: str) -> Analysed:
    """Parse the first function of a text and analyse it."""
    function = gast.parse(textwrap.dedent(source)).body[0]
    if isinstance(function, (gast.Assign, gast.Expr)):
        function = function.value
    found = scopes(function)
    return Analysed(
        function, found, liveness(found.cfg, found), reaching_definitions(found.cfg, found)
    )


ANSWERS: dict[str, Callable[[Analysed, Node], Iterable[Any]]] = {
    'reads': lambda whole, node: whole.scopes[node].read,
    'modifies': lambda whole, node: whole.scopes[node].modified,
    'binds': lambda whole, node: whole.scopes[node].bound,
    'deletes': lambda whole, node: whole.scopes[node].deleted,
    'free': lambda whole, node: whole.scopes[node].free,
    'captures': lambda whole, node: whole.scopes[node].captured,
    'live': lambda whole, node: whole.liveness.live_out[node],
    'needs': lambda whole, node: whole.liveness.live_in[node],
    'turn': lambda whole, node: whole.liveness.live_at_turn[node],
    'body': lambda whole, node: whole.liveness.live_into(node.body),
    'else': lambda whole, node: whole.liveness.live_into(node.orelse),
    'maybe': lambda whole, node: [
        name for name in whole.names() if whole.reaching.maybe_unbound(node, name)
    ],
    'unbound': lambda whole, node: [
        name for name in whole.names() if whole.reaching.surely_unbound(node, name)
    ],
    'maybe_after': lambda whole, node: [
        name
        for name in whole.names()
        if any(each.source is Source.UNBOUND for each in whole.reaching.after(node, name))
    ],
    'fails': lambda whole, node: [
        read.id for read in whole.reaching.surely_unbound_reads if read.lineno == node.lineno
    ],
    'may_fail': lambda whole, node: [
        read.id for read in whole.reaching.unbound_reads if read.lineno == node.lineno
    ],
}


def check(source: str) -> None:
    """Compare the answers in the comments of a function's text with those of the analyses."""
    source = textwrap.dedent(source).strip('\n')
    whole = analyse(source)
    places: dict[int, Node] = {}
    for node in (whole.function, *whole.scopes.cfg.spans):
        if hasattr(node, 'lineno') and isinstance(node, (gast.stmt, gast.excepthandler)):
            places.setdefault(node.lineno, node)
        elif isinstance(node, gast.match_case):
            places.setdefault(node.pattern.lineno, node)
    assert re.search(r'# \w+:', source), 'no answer is written in this text'
    answered = []
    for number, line in enumerate(source.split('\n'), 1):
        code, mark, comment = line.partition('  # ')
        if mark:
            labels = [part.split(':')[0].strip() for part in comment.split(';')]
            answers = [(label, ANSWERS[label](whole, places[number])) for label in labels]
            comment = '; '.join(
                f'{label}: {" ".join(map(str, names)) or "-"}' for label, names in answers
            )
        answered.append(code + mark + comment)
    assert '\n'.join(answered) == source


@pytest.fixture(name='check', scope='session')
def _check() -> Callable[[str], None]:
    return check


@pytest.fixture(name='analyse', scope='session')
def _analyse() -> Callable[[str], Analysed]:
    return analyse
