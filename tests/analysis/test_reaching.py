"""Which definitions of a name reach a statement."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.reaching import Source


def test_definitions(analyse: Callable[[str], Any]) -> None:
    whole = analyse('''
        def f(self, x):
            y = 1
            while x:
                y += x
                self.z = y
            self = h(x.append(y), self.z)
            return y
    ''')
    first, loop, last, end = whole.function.body
    reaching = whole.reaching

    def sources(table: Any, node: Any, name: QualName) -> list[tuple[Source, int]]:
        return [(found.source, found.node.lineno) for found in table(node, name)]

    z = whole.scopes[loop].modified[1]
    assert sources(reaching.before, first, QualName('y')) == [(Source.UNBOUND, 2)]
    assert sources(reaching.after, first, QualName('y')) == [(Source.BINDING, 3)]
    assert sources(reaching.before, end, QualName('y')) == [
        (Source.BINDING, 3), (Source.BINDING, 5)
    ]  # fmt: skip
    assert sources(reaching.before, end, QualName('x')) == [(Source.BINDING, 7)]
    assert sources(reaching.before, last, QualName('x')) == [(Source.PARAMETER, 2)]
    assert sources(reaching.before, last, QualName('h')) == [(Source.OUTSIDE, 2)]
    assert sources(reaching.before, last, z) == [(Source.OUTSIDE, 2), (Source.BINDING, 6)]
    assert sources(reaching.after, last, z) == [(Source.BINDING, 7)]
