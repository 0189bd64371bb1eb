"""Tracing: running a function once with tensors, so that what it does to them becomes a graph."""
from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import config
from ..errors import Location, StagingError, describe, user_frame, user_location
from . import dispatch
from .graph import Attrs, Graph, Node, Op, Value, declared_type
from .sites import CodeSite, Site
from .tensor import Storage, Tensor, Write
from .types import ListType, type_of


class _Traces(threading.local):
    """The graphs that this thread is tracing, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Graph] = []
        self.writes: list[Write] = []
        self.handlers = 0
        self.callers: tuple[Site, ...] = ()


_traces = _Traces()
# Of a recursion the innermost calls say enough.
_MOST_CALLERS = 8


def current_graph() -> Graph | None:
    """The graph that is being traced in this thread."""
    return _traces.stack[-1] if _traces.stack else None


def is_tracing() -> bool:
    """Whether a graph is being traced in this thread."""
    return bool(_traces.stack)


def depth() -> int:
    """How many graphs this thread is tracing, each inside the one before."""
    return len(_traces.stack)


@contextmanager
def tracing_into(graph: Graph) -> Iterator[Graph]:
    """What runs inside is traced into the graph."""
    first = not _traces.stack
    callers = _traces.callers
    if graph.parent is None:  # a trace of its own, whoever called it first
        _traces.callers = ()
    if first:
        config.tracing(True)
    _traces.stack.append(graph)
    try:
        yield graph
    finally:
        _traces.stack.pop()
        _traces.callers = callers
        if first:
            _traces.writes.clear()
            config.tracing(False)


@contextmanager
def not_tracing() -> Iterator[None]:
    """What runs inside is plain Python, although a graph is being traced."""
    stack, _traces.stack = _traces.stack, []
    try:
        yield
    finally:
        _traces.stack = stack


@contextmanager
def handling() -> Iterator[None]:
    """What an operation is known to raise is raised while tracing: the user's code handles it."""
    _traces.handlers += 1
    try:
        yield
    finally:
        _traces.handlers -= 1


def is_handled() -> bool:
    """Whether the user's code handles what is raised while tracing."""
    return _traces.handlers > 0


def site() -> CodeSite | None:
    """Where in the user's code we are."""
    frame = user_frame()
    if frame is None:
        return None
    return CodeSite(frame.f_code, frame.f_lasti, frame.f_lineno, callers=_traces.callers)


class called_here:
    """`with called_here():` what is made inside is of the user's call around, too."""

    def __enter__(self) -> None:
        self._before, frame = _traces.callers, user_frame()
        if frame is not None:
            here = CodeSite(frame.f_code, frame.f_lasti, frame.f_lineno)
            if here not in self._before[:1]:
                _traces.callers = (here, *self._before)[:_MOST_CALLERS]

    def __exit__(self, *error: object) -> None:
        _traces.callers = self._before


def callers() -> tuple[Site, ...]:
    """The calls of the user's functions that are being traced, the innermost first."""
    return _traces.callers


def as_value(x: Any) -> Value:
    """The value of a tensor, array, NumPy scalar or Python number in the graph that is traced.

    Raises:
      StagingError: it is none of these, or a tensor of a trace that has ended.
    """
    graph = _traces.stack[-1]
    if isinstance(x, Tensor):
        value = x.read()
        if value.graph is not graph:
            _check_scope(x, value)
            value = graph.local(value)
            graph.reads.append(x)
        if value.type.maybe:
            return unwrap(x).read()
        if isinstance(value.type, ListType):
            array: Tensor = dispatch.FALLBACKS['stack'](x)
            return array.read()
        return value
    type_ = type_of(x)
    if type_ is None:
        raise StagingError(
            describe(
                f'{x!r} ({type(x).__name__}) cannot become an array of the graph.', user_location()
            )
        )
    return graph.add(CONSTANT, (), {'value': x, 'type': type_}, site=site()).outputs[0]


def held_value(x: Tensor) -> Value:
    """The value of a tensor as Python holds it: a list as a list, and None where it is missing."""
    graph = _traces.stack[-1]
    value = x.read()
    if value.graph is not graph:
        _check_scope(x, value)
        graph.reads.append(x)
    return graph.local(value)


def _check_scope(x: Tensor, value: Value) -> None:
    if not any(graph is value.graph for graph in _traces.stack):
        raise StagingError(
            describe(
                f'{x!r} is used outside the staged block or the trace that made it.',
                user_location(),
                'Return it from there, or keep state in an `ag.Variable`.',
            )
        )


def unwrap(x: Tensor, name: str = '', sure: bool = False) -> Tensor:
    """The tensor where it must not be missing; checked when the graph runs unless it is sure.

    Args:
      x: a tensor that may be missing.
      name: the name that would be without a value; empty where the missing value is None.
      sure: whether a flag that the generated code tests rules it out.
    """
    graph = _traces.stack[-1]
    node = graph.add(UNWRAP, (graph.local(x.read()),), {'name': name, 'sure': sure}, site=site())
    return Tensor(node.outputs[0], x.memory)


def emit(
    op: Op,
    inputs: Sequence[Any] = (),
    attrs: Attrs | None = None,
    graphs: dict[str, Graph] | None = None,
    names: Sequence[str] = (),
) -> tuple[Tensor, ...]:
    """Appends a node to the graph that is traced; its outputs as new handles.

    Outputs of a view op share the storage of input 0. An op that updates input 0 must be given a
    Tensor there; the handle moves on and is the output.
    """
    graph = _traces.stack[-1]
    values = [as_value(x) for x in inputs]
    node = graph.add(op, values, attrs, graphs, site(), names)
    if op.updates:
        if inputs[0].place is not None:
            inputs[0].place.store(node.outputs[0])
        _traces.writes += inputs[0].write(node.outputs[0])
        return (inputs[0],)
    memory = inputs[0].memory if op.view and isinstance(inputs[0], Tensor) else None
    return tuple(Tensor(value, memory) for value in node.outputs)


def emit_one(op: Op, inputs: Sequence[Any] = (), attrs: Attrs | None = None) -> Tensor:
    """`emit` for an op with one output."""
    return emit(op, inputs, attrs)[0]


def constant(value: Any, name: str = '') -> Tensor:
    """A tensor for an array (read when the graph runs), NumPy scalar or Python number.

    Args:
      value: the value.
      name: what the user calls it.
    """
    owner = f'the captured array {name!r}' if isinstance(value, np.ndarray) else ''
    graph = _traces.stack[-1]
    attrs = {'value': value, 'type': type_of(value)}
    node = graph.add(CONSTANT, (), attrs, site=site(), names=[name] if name else ())
    return Tensor(node.outputs[0], (Storage(graph, owner),))


@dataclass(frozen=True)
class Checkpoint:
    """A point in a trace to which it can go back."""

    nodes: int
    writes: int
    watched: int


def checkpoint() -> Checkpoint:
    """Where the trace stands now."""
    graph = _traces.stack[-1]
    return Checkpoint(len(graph.nodes), len(_traces.writes), len(graph.watched))


def undo_writes(since: Checkpoint) -> dict[Storage, Location | None]:
    """Takes back every write since then; the storages that were written, and where."""
    written: dict[Storage, Location | None] = {}
    for target, old, more in reversed(_traces.writes[since.writes :]):
        if isinstance(target, Storage):
            written.setdefault(target, target.written)
            target.version, target.written = old, more
        else:
            target.restore(old, more)
    del _traces.writes[since.writes :]
    return written


def writes_since(since: Checkpoint) -> list[Write]:
    """The writes since then, in order."""
    return _traces.writes[since.writes :]


def undo(since: Checkpoint) -> None:
    """Takes back everything since then, nodes and writes."""
    undo_writes(since)
    del _traces.stack[-1].nodes[since.nodes :]
    del _traces.stack[-1].watched[since.watched :]


def note_writes(writes: list[Write]) -> None:
    """Remembers writes, so that they can be taken back."""
    _traces.writes += writes


def mark_written(written: dict[Storage, Location | None]) -> None:
    """Makes every handle onto these storages stale."""
    for storage, location in written.items():
        _traces.writes.append((storage, storage.version, storage.written))
        storage.version += 1
        storage.written = location


# The two ops that tracing itself needs; `ops/` adds the rest.
CONSTANT = Op('constant', declared_type)
UNWRAP = Op('unwrap', lambda types, _: types[0].present)


def static_value(x: Any) -> Any:
    """The value of a constant, or of anything that is no tensor; None where it is not known."""
    if not isinstance(x, Tensor):
        return x
    node: Node | None = x.read().node
    return node.attrs['value'] if node is not None and node.op is CONSTANT else None
