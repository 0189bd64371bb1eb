"""`explain`: what becomes of each `if`, loop, comprehension and call of a function, and why."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .conversion import own_decisions
from .converters.decisions import Decision
from .function import Function
from .graph.sites import Site

_HEAD = ('line', 'construct', 'what', 'why')
_CONTROL_FLOW = ('cond', 'while_loop', 'for_loop', 'try')


@dataclass(frozen=True)
class Explanation:
    """A table that prints itself.

    Attributes:
      name: the function.
      filename: the file that it stands in.
      decisions: what is decided of each construct.
      happened: what a trace made of each; empty before there is one.
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


def explain(f: Callable[..., Any]) -> Explanation:
    """What becomes of each `if`, loop, comprehension and call of a function, and why.

    Args:
      f: a function, a method or a lambda; of an `ag.Function` that was called, the table also says
        what its traces have staged.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    name, filename, found = own_decisions(f)
    happened: list[str] = []
    if isinstance(f, Function) and f.traces:
        nodes = [
            (node.op.name, site, site.callers)
            for concrete in f.traces
            for node in concrete.graph.walk()
            for site in node.sites
        ]
        happened = [_happened(decision, filename, nodes) for decision in found]
    return Explanation(name, filename, found, happened)


def _happened(
    decision: Decision, filename: str, nodes: Sequence[tuple[str, Site, Sequence[Site]]]
) -> str:
    """What the nodes that a construct's lines have made tell of it.

    What a call has made may stand elsewhere: in the function that is called.
    """

    def is_there(site: Site) -> bool:
        if site.filename != filename or not decision.line <= site.line <= decision.end_line:
            return False
        location = site.location
        if decision.columns is None or location.column is None or location.end_column is None:
            return True
        start, end = decision.columns
        return start <= location.column and location.end_column <= end

    if decision.is_control_flow:
        is_staged = any(name in _CONTROL_FLOW and is_there(site) for name, site, _ in nodes)
        return 'staged' if is_staged else 'Python'
    is_in_graph = any(any(map(is_there, (site, *callers))) for _, site, callers in nodes)
    return 'in the graph' if is_in_graph else 'Python'
