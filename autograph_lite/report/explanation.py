"""`explain`: what becomes of each `if`, loop, comprehension and call of a function, and why."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..concrete import ConcreteFunction
from ..conversion import own_decisions
from ..converters.decisions import PYTHON, Decision
from ..function import BoundFunction, Function
from ..graph.tracing import CONSTANT
from .correspondence import lines_of
from .labels import DONE

_HEAD = ('line', 'construct', 'what', 'why')
_CONTROL_FLOW = ('cond', 'while_loop', 'for_loop', 'try')


@dataclass(frozen=True)
class Explanation:
    """A table that prints itself.

    Attributes:
      name: the function.
      filename: the file that it stands in.
      decisions: what is decided of each construct.
      happened: what the traces made of each; empty before there is one.
    """

    name: str
    filename: str
    decisions: Sequence[Decision]
    happened: Sequence[str]

    def __str__(self) -> str:
        return '\n'.join(self._lines())

    __repr__ = __str__

    def _lines(self) -> Iterator[str]:
        yield f'{self.name}, {self.filename}'
        head = (*_HEAD, 'in the traces') if self.happened else _HEAD
        rows = [head, *self._rows()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
            yield '  '.join(cells).rstrip()
        for decision in self.decisions:
            if decision.fix:
                yield f'line {decision.line}: {decision.fix}'

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for i, each in enumerate(self.decisions):
            row = str(each.line), each.text, each.outcome, each.why
            yield (*row, self.happened[i]) if self.happened else row


def explanation(f: Callable[..., Any]) -> Explanation:
    """What `ag.explain` returns."""
    name, filename, found = own_decisions(f)
    function = f.__func__ if isinstance(f, BoundFunction) else f
    traces = function.traces if isinstance(function, Function) else []
    made = [list(_made(concrete, filename)) for concrete in traces]
    happened = [' and '.join(dict.fromkeys(_happened(each, m) for m in made)) for each in found]
    return Explanation(name, filename, found, happened if made else [])


# The op of a node, a line that it comes from, whether that is one of a call around it, and what
# became of it if it is no more.
_Made = tuple[str, int, bool, str]


def _made(concrete: ConcreteFunction, filename: str) -> Iterator[_Made]:
    """What a trace made at the lines of a file."""
    nodes = [node for node in concrete.graph.walk() if node.op is not CONSTANT]
    found = [(node.op.name, site, '') for node in nodes for site in node.sites]
    found += [
        (change.op, change.site, DONE.get(change.rewrite, ''))
        for change in concrete.program.changes if change.op != CONSTANT.name]
    for op, site, label in found:
        for i, (file, line) in enumerate(lines_of(site)):
            if file == filename:
                yield op, line, i > 0, label


def _happened(decision: Decision, made: Sequence[_Made]) -> str:
    """What became of a construct in one trace."""
    if decision.is_control_flow:
        made = [each for each in made if each[0] in _CONTROL_FLOW and not each[2]]
        if decision.outcome == PYTHON:
            return 'Python'
    labels = [label for _, line, _, label in made if decision.line <= line <= decision.end_line]
    if '' in labels:
        return 'staged' if decision.is_control_flow else 'in the graph'
    return labels[-1] if labels else 'Python'
