"""`explain`: what becomes of each `if`, loop, comprehension and call of a function, and why."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .conversion import own_decisions
from .converters.decisions import Decision
from .function import Function

_HEAD = ('line', 'construct', 'what', 'why')
_CONTROL_FLOW = ('cond', 'while_loop', 'for_loop')


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
            (node.op.name, node.site.line)
            for concrete in f.traces
            for node in concrete.graph.walk()
            if node.site is not None and node.site.filename == filename
        ]
        happened = [_happened(decision, nodes) for decision in found]
    return Explanation(name, filename, found, happened)


def _happened(decision: Decision, nodes: Sequence[tuple[str, int]]) -> str:
    """What the nodes that a construct's lines have made tell of it."""
    made = [name for name, line in nodes if decision.line <= line <= decision.end_line]
    if decision.is_control_flow:
        return 'staged' if any(name in _CONTROL_FLOW for name in made) else 'Python'
    return 'in the graph' if made else 'Python'
