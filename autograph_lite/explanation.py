"""`explain`: what becomes of each `if`, loop, comprehension and call of a function, and why."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .concrete import ConcreteFunction
from .conversion import own_decisions
from .converters.decisions import PYTHON, Decision
from .errors import Location
from .function import Function
from .graph.sites import Site
from .graph.tracing import CONSTANT
from .methods import BoundFunction
from .report.labels import DONE
from .report.untaken import calls, untaken_calls
from .watching import Stop, stop_of

_HEAD = ('line', 'construct', 'what', 'why')
_CONTROL_FLOW = ('cond', 'while_loop', 'for_loop', 'try')
_NOT_REACHED = 'not reached'
_GONE = (
    'None of its traces is kept: each was for one call alone, or for an object that is gone.')


@dataclass(frozen=True)
class Explanation:
    """A table that prints itself.

    Attributes:
      name: the function.
      filename: the file that it stands in.
      decisions: what is decided of each construct.
      happened: what the traces made of each; empty before one was begun.
      stop: where the last trace stopped and why; None if it did not.
      are_gone: whether there were traces, and none is left.
    """

    name: str
    filename: str
    decisions: Sequence[Decision]
    happened: Sequence[str]
    stop: Stop | None = None
    are_gone: bool = False

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
        if self.stop is not None:
            place = self.stop.location
            where = '' if place is None else f'line {place.line}: '
            yield f'{where}The last trace stopped{" here" if where else ""}. {self.stop.error}'
        if self.are_gone:
            yield _GONE

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for i, each in enumerate(self.decisions):
            row = str(each.line), each.text, each.outcome, each.why
            yield (*row, self.happened[i]) if self.happened else row


def explain(f: Callable[..., Any]) -> Explanation:
    """What becomes of each `if`, loop, comprehension and call of a function, and why.

    Args:
      f: a function, a method or a lambda; of an `ag.Function` that was called, the table also says
        what its traces made of each, and where the last one stopped if it did.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    name, filename, found = own_decisions(f)
    function = f.__func__ if isinstance(f, BoundFunction) else f
    if not isinstance(function, Function):
        return Explanation(name, filename, found, [])
    stop = stop_of(function)
    if not function.traces and stop is None:
        return Explanation(name, filename, found, [], are_gone=function.tracing_count > 0)
    traces = [_Trace.of(concrete, filename) for concrete in function.traces]
    happened = [_in_all(traces, decision) for decision in found]
    if stop is not None and stop.location is not None:
        for i in _at(stop.location, found):
            happened[i] = 'stopped here'
    return Explanation(name, filename, found, happened, stop)


def _in_all(traces: Sequence[_Trace], decision: Decision) -> str:
    """What became of a construct, for people: what one trace did not reach, another may have."""
    happened = dict.fromkeys(trace.happened(decision) for trace in traces)
    reached = [each for each in happened if _NOT_REACHED not in each]
    return ' and '.join(reached or list(happened)[:1])


@dataclass
class _Trace:
    """What a trace of a function tells.

    Attributes:
      filename: the file that the function stands in.
      made: the operations, where they were made, and what became of those that are no more.
      reached: calls in the ways that Python took.
      not_reached: where it never went.
    """

    filename: str
    made: list[tuple[str, Site, str]]
    reached: set[Location]
    not_reached: set[Location]

    @classmethod
    def of(cls, concrete: ConcreteFunction, filename: str) -> _Trace:
        made = [(node.op.name, site, '') for node in concrete.graph.walk() for site in node.sites]
        made += [
            (change.op, change.site, DONE.get(change.rewrite, ''))
            for change in concrete.program.changes]
        taken = set(concrete.taken)
        untaken = [code for code in concrete.untaken if code not in taken]
        reached = {place for code in taken for place in calls(code)}
        return cls(filename, made, reached, untaken_calls(taken, untaken))

    def happened(self, decision: Decision) -> str:
        """What became of a construct."""
        is_staged = decision.is_control_flow
        labels = [
            label for op, site, label in self.made
            if not is_staged or (op in _CONTROL_FLOW and decision.outcome != PYTHON)
            if any(self._is_there(each, decision)
                   for each in ((site,) if is_staged else (site, *site.callers)))]
        if '' in labels:
            return 'staged' if is_staged else 'in the graph'
        if decision.is_exit and not labels:
            labels = [
                label for op, site, label in self.made
                if op != CONSTANT.name and self._is_there(site, decision)]
        if labels:
            return 'staged' if '' in labels else labels[-1]
        if any(_begins_at(place, decision) for place in self.not_reached):
            return _NOT_REACHED
        is_known = any(_begins_at(place, decision) for place in self.reached)
        return 'Python' if is_known or not decision.is_perhaps else f'Python or {_NOT_REACHED}'

    def _is_there(self, site: Site, decision: Decision) -> bool:
        """Whether something was made in a construct, or in what it calls."""
        is_within = decision.line <= site.line <= decision.end_line or site.line in decision.cases
        if site.filename != self.filename or not is_within:
            return False
        location = site.location
        if decision.columns is None or location.column is None or location.end_column is None:
            return True
        start, end = decision.columns
        return start <= location.column and location.end_column <= end


def _at(place: Location, found: Sequence[Decision]) -> list[int]:
    """The constructs that begin at a place, or else those of its line."""
    exact = [i for i, each in enumerate(found) if _begins_at(place, each)]
    return exact or [
        i for i, each in enumerate(found) if each.line <= place.line <= each.end_line]


def _begins_at(place: Location, decision: Decision) -> bool:
    return place.line == decision.line and place.column in (None, decision.column)
