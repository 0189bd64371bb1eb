"""Tracing: running a function once with tensors, so that what it does to them becomes a graph."""
from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import numpy as np

from .. import config
from ..errors import StagingError, describe, is_users, user_frame, user_location
from ..pyct.asking import called
from . import dispatch
from .advice import as_dataclass
from .graph import Attrs, Graph, Node, Op, Value, declared_type
from .held_filters import begin, end
from .ownership import NotOwnedError
from .run_state import state_in_force
from .sites import CodeSite, SavedSite, Site, alone, is_returned_at, unpacked_at
from .storage import CapturedStorage, Storage
from .tensor import Tensor, Write
from .types import ListType, TensorType, type_of


class _Traces(threading.local):
    """The graphs that this thread is tracing, the innermost last."""

    def __init__(self) -> None:
        self.stack: list[Graph] = []
        self.writes: list[Write] = []
        self.handlers = 0
        self.callers: tuple[Site, ...] = ()
        self.caller: FrameType | None = None


_traces = _Traces()
# Of a recursion the innermost calls say enough.
MOST_CALLERS = 8


def current_graph() -> Graph | None:
    """The graph that is being traced in this thread."""
    return _traces.stack[-1] if _traces.stack else None


def is_in_no_block() -> bool:
    """Whether the graph that is being traced is that of a whole function, which nothing is around.
    """
    return len(_traces.stack) == 1


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
    held = begin() if first else {}
    if graph.state is None:
        graph.state = state_in_force()
    if first:
        config.tracing(True)
    _traces.stack.append(graph)
    try:
        yield graph
    finally:
        _traces.stack.pop()
        if first:
            _traces.writes.clear()
            config.tracing(False)
            end(held)


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


def site() -> Site | None:
    """Where in the user's code we are."""
    frame = user_frame()
    if frame is None:
        return None
    return _site_of(frame)


def _site_of(frame: FrameType) -> CodeSite:
    """Where a frame is, with the calls around it.

    A function that is defined in another is called by Python itself: its caller's frame is next.
    """
    calls: list[CodeSite] = []
    returned, is_returned = 0, True
    inner, outer = frame, frame.f_back
    while outer is not None and is_users(outer) and len(calls) < MOST_CALLERS:
        if inner.f_code.co_name not in COMPREHENSIONS:
            calls.append(CodeSite(outer.f_code, outer.f_lasti, outer.f_lineno))
            is_returned = is_returned and is_returned_at(inner.f_code, inner.f_lasti)
            returned += is_returned
        inner, outer = outer, outer.f_back
    callers = (*calls, *_traces.callers)[:MOST_CALLERS] if calls else _traces.callers
    return CodeSite(
        frame.f_code, frame.f_lasti, frame.f_lineno, callers=callers, returned=returned
    )


# Up to Python 3.11 these have frames of their own.
COMPREHENSIONS = frozenset({'<listcomp>', '<setcomp>', '<dictcomp>', '<genexpr>'})


@contextmanager
def called_here() -> Iterator[Callable[[Any], Any]]:
    """What is made inside is of the user's call around, too; what that returns is to be passed on.

    It leaves no frame on the stack, which a recursion of the user's needs.
    """
    before, caller, frame = _traces.callers, _traces.caller, user_frame()
    if frame is not None and frame is not caller:  # else what the call runs calls another function
        here = _site_of(frame)
        _traces.callers = (alone(here), *here.callers)[:MOST_CALLERS]
        _traces.caller = frame
    try:
        yield _noted
    finally:
        _traces.callers, _traces.caller = before, caller


@contextmanager
def called_by_nobody() -> Iterator[None]:
    """What runs inside is a trace of its own, whoever called it first."""
    before, caller = _traces.callers, _traces.caller
    _traces.callers, _traces.caller = (), None
    try:
        yield
    finally:
        _traces.callers, _traces.caller = before, caller


def callers() -> tuple[Site, ...]:
    """The calls of the user's functions that are being traced, the innermost first."""
    return _traces.callers


def _noted(result: Any) -> Any:
    """The result of the user's call, of which its node knows now if it was made there."""
    if isinstance(result, Tensor):
        _note(result)
    elif type(result) is tuple and _traces.callers:
        call = _traces.callers[0]
        names = unpacked_at(call) if isinstance(call, CodeSite) else []
        for part, name in itertools.zip_longest(result, names[: len(result)]):
            _note(part, name)
    return result


def _note(result: Any, name: str | None = None) -> None:
    """A result of the user's call, or a part of it, which a variable gets by unpacking."""
    node = result.held.node if isinstance(result, Tensor) and result.is_found else None
    if node is None or not isinstance(here := node.site, CodeSite | SavedSite):
        return
    inner, calls = here.callers[: here.returned], here.callers[here.returned :]
    if calls == _traces.callers:
        call, *others = calls
        if name is not None and isinstance(call, CodeSite):
            call = replace(call, variable=name)
        node.site = replace(here, callers=(*inner, call, *others), returned=here.returned + 1)


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
        raise _no_value(x)
    return graph.add(CONSTANT, (), {'value': x, 'type': type_}, site=site()).outputs[0]


def _no_value(x: Any) -> StagingError:
    kind = type(x).__name__
    fix = (
        'What a branch or a loop gives, and what is put into its lists, holds arrays, numbers and '
        'texts: call or ask for what is needed of it there.')
    if '__dict__' in dir(x) and not isinstance(x, type) and not callable(x):
        fix += (
            f' Objects it holds as dataclasses: {as_dataclass(kind)}.')
    what = f'{called(x)} ({kind}) cannot become an array of the graph.'
    return StagingError(describe(what, user_location(), fix))


def held_value(x: Any) -> Value:
    """The same as Python holds it: a list as a list, and None where it is missing."""
    if not isinstance(x, Tensor):
        return as_value(x)
    graph = _traces.stack[-1]
    value = x.read()
    if value.graph is not graph:
        _check_scope(x, value)
        graph.reads.append(x)
    return graph.local(value)


def _check_scope(x: Tensor, value: Value) -> None:
    if not is_in_scope(value):
        raise used_outside(x)


def is_in_scope(x: Tensor | Value) -> bool:
    """Whether it is of the graph that is traced into, or of one around it."""
    return any(graph is x.graph for graph in _traces.stack)


def used_outside(x: Tensor) -> StagingError:
    """The error for a tensor of a block that has ended."""
    return StagingError(
        describe(
            f'{x!r} is used outside the staged block or the trace that made it.',
            user_location(),
            'Return it from there, or keep state in an `ag.Variable`.',
        )
    )


def check_owner(graph: Graph, x: Tensor) -> None:
    """Only what is traced into the graph of a handle moves the handle on.

    Raises:
      NotOwnedError: it is of a graph around this one.
    """
    if x.read().graph is not graph:
        raise NotOwnedError(x)


def rewrite(x: Tensor, value: Value) -> None:
    """Moves a handle on to what a node has put into its memory."""
    if x.place is not None:
        x.place.store(value)
    _traces.writes += x.write(value)
    pass_on(x)


def pass_on(x: Tensor) -> None:
    """Gives what was written to an array to what it may be of before a choice."""
    if x.chosen is not None:
        x.chosen.pass_on(x)


def unwrap(x: Tensor, name: str = '', sure: bool = False, says: str = '') -> Tensor:
    """The tensor where it must not be missing; checked when the graph runs unless it is sure.

    Args:
      x: a tensor that may be missing.
      name: the name that would be without a value; empty where the missing value is None.
      sure: whether a flag that the generated code tests rules it out.
      says: what Python says of None here; empty where nothing but that it is None is known.
    """
    graph = _traces.stack[-1]
    attrs = {'name': name, 'sure': sure, **({'says': says} if says else {})}
    node = graph.add(UNWRAP, (graph.local(x.read()),), attrs, site=site())
    return type(x)(node.outputs[0], x.memory)


def emit(
    op: Op,
    inputs: Sequence[Any] = (),
    attrs: Attrs | None = None,
    graphs: dict[str, Graph] | None = None,
    names: Sequence[str] = (),
    value_of: Callable[[Any], Value] = as_value,
) -> tuple[Tensor, ...]:
    """Appends a node to the graph that is traced; its outputs as new handles.

    Outputs of a view op share the storage of input 0. An op that updates input 0 must be given a
    Tensor there; the handle moves on and is the output.
    """
    graph = _traces.stack[-1]
    values = [value_of(x) for x in inputs]
    if op.updates:
        check_owner(graph, inputs[0])
    node = graph.add(op, values, attrs, graphs, site(), names)
    if op.updates:
        rewrite(inputs[0], node.outputs[0])
        return (inputs[0],)
    memory = inputs[0].memory if op.view and isinstance(inputs[0], Tensor) else None
    return tuple(Tensor(value, memory) for value in node.outputs)


def emit_one(op: Op, inputs: Sequence[Any] = (), attrs: Attrs | None = None) -> Tensor:
    """`emit` for an op with one output."""
    return emit(op, inputs, attrs)[0]


def constant(value: Any, name: str = '', is_lent: bool = False, path: str = '') -> Tensor:
    """A tensor for an array (read when the graph runs), NumPy scalar or Python number.

    Args:
      value: the value.
      name: what the user calls it.
      is_lent: whether the array is one that the graph may modify.
      path: what the user calls it in messages, where that is no name.
    """
    is_array = isinstance(value, np.ndarray)
    called = f'the captured array {path or name!r}' if path or name else 'a captured array'
    owner = called if is_array else ''
    kind = CapturedStorage if is_array else Storage
    graph = _traces.stack[-1]
    attrs = {'value': value, 'type': type_of(value)}
    node = graph.add(CONSTANT, (), attrs, site=site(), names=[name] if name.isidentifier() else ())
    return Tensor(node.outputs[0], (kind(graph, owner, path or name, is_lent),))


def note_writes(writes: list[Write]) -> None:
    """Remembers writes, so that they can be taken back."""
    _traces.writes += writes


def writes() -> list[Write]:
    """The writes of this thread's trace that can be taken back, in order: see `checkpoints`."""
    return _traces.writes


def _infer_unwrap(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return types[0].present


# The two ops that tracing itself needs; `ops/` adds the rest.
CONSTANT = Op('constant', declared_type)
UNWRAP = Op('unwrap', _infer_unwrap)


def static_value(x: Any) -> Any:
    """The value of a constant, or of anything that is no tensor; None where it is not known."""
    if not isinstance(x, Tensor):
        return x
    node: Node | None = x.read().node
    return node.attrs['value'] if node is not None and node.op is CONSTANT else None
