"""`check=True`: plain Python beside the graph, and where the two part."""
from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any

import numpy as np

from .backends.numpy import lower, run
from .concrete import ConcreteFunction
from .config import plain_python
from .description import brief
from .errors import (
    AutographError,
    Location,
    describe,
    is_internal,
    location_at,
    traceback_entries,
)
from .graph import nest
from .graph.graph import Graph, Node, Value
from .graph.graph_def import graph_def, graph_from_def
from .graph.names import stored_name
from .graph.tracing import CONSTANT
from .graph.types import is_generator
from .ops.effects import PRINT
from .ops.variables import Cell
from .optimize.facts import Facts
from .replay import Tape
from .signatures import Arguments, Signature


class DifferenceError(AutographError, AssertionError):
    """A graph gives another result than plain Python."""


def compare(
    function: Callable[..., Any],
    signature: Signature,
    concrete: ConcreteFunction,
    arguments: Arguments,
) -> Any:
    """Runs plain Python and the graph, each on copies of the arguments; what the graph gives.

    Raises:
      DifferenceError: the two differ in value, dtype, shape or type, or leave variables different.
    """
    state = _LastingState(concrete.graph, arguments.leaves)
    before, tape = state.snapshot(), Tape()
    with tape.recorded():
        got = _outcome(lambda: concrete.run(_copies(arguments.leaves)))
    after = state.snapshot()
    state.restore(before)
    with tape.played():
        expected = _outcome(lambda: _plainly(function, signature, arguments))
    problem = _problem(concrete, expected, got)
    for cell, value in zip(state.cells, after[0], strict=True):
        if not problem and not same(cell.value, value):
            problem = _difference(f'variable {cell.name!r}', cell.value, value)
    if problem:
        location = _raised_at(expected) or _raised_at(got)
        if location is None:
            parting = _Parting(function, signature, concrete, arguments)
            location = parting.location(lambda: state.restore(before), tape)
        state.restore(after)
        raise DifferenceError(describe(f'{concrete.name}: {problem}', location))
    state.restore(after)
    if isinstance(got, _Raised):
        raise got.error
    return got


class _Raised:
    """The exception that a way ended with."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f'raises {type(self.error).__name__}: {self.error}'


def _raised_at(outcome: Any) -> Location | None:
    """The user's line that raised, if that ended the run."""
    if not isinstance(outcome, _Raised):
        return None
    location = None
    for entry in traceback_entries(outcome.error.__traceback__):
        code = entry.tb_frame.f_code
        if not is_internal(code.co_filename):
            location = location_at(code, entry.tb_lasti, entry.tb_lineno)
    return location


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return _Raised(error)


def _plainly(function: Callable[..., Any], signature: Signature, arguments: Arguments) -> Any:
    with plain_python():
        leaves = _copies(arguments.leaves)
        return signature.call(function, nest.unflatten(arguments.structure, leaves))


def _copies(leaves: list[Any]) -> list[Any]:
    """The leaves, with arrays of their own."""
    copies: dict[int, Any] = {}
    return [
        copies.setdefault(id(x), x.copy('K')) if isinstance(x, np.ndarray) else x for x in leaves
    ]


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal in value, dtype, shape and type; NaN equals NaN."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic):
        alike: bool = a.dtype == b.dtype and a.shape == b.shape
        return alike and bool(a.tobytes() == b.tobytes())
    if isinstance(a, int | float | complex | str | bytes | None):
        return repr(a) == repr(b)
    try:
        return a is b or bool(a == b)
    except Exception:
        return False


def _problem(concrete: ConcreteFunction, expected: Any, got: Any) -> str:
    """What differs; empty if nothing does."""
    if isinstance(expected, _Raised) or isinstance(got, _Raised):
        raised = [type(x.error) if isinstance(x, _Raised) else None for x in (expected, got)]
        if raised[0] is None or raised[1] is None:
            return _difference('the outcome', expected, got)
        if issubclass(raised[1], (raised[0], AutographError)):
            return ''
        return _difference('the outcome', expected, got)
    (mine, a), (others, b) = nest.flatten(expected), nest.flatten(got)
    if a != b:
        return f'plain Python returns the structure {a}, the graph {b}'
    paths = nest.paths(a, 'the result')
    for path, x, y, output in zip(paths, mine, others, _outputs(concrete, len(mine)), strict=True):
        if not same(x, y) and not _joined(x, y, output):
            return _difference(path, x, y)
    return ''


def _outputs(concrete: ConcreteFunction, count: int) -> list[Value | None]:
    """The graph's output for each leaf; None where it is no output, or all are parts of a list."""
    leaves = concrete.returned[1]
    if len(leaves) != count:
        return [None] * count
    outputs = iter(concrete.graph.outputs)
    return [next(outputs) if isinstance(leaf, Value) else None for leaf in leaves]


def _joined(x: Any, y: Any, output: Value | None) -> bool:
    """Whether a number took the type in which it meets that of the other way of a staged block."""
    if not isinstance(x, complex | int | float | np.number) or np.shape(y) != ():
        return False
    return output is not None and _comes_from_a_block(output) and bool(x == y)


def _comes_from_a_block(value: Value) -> bool:
    """Whether a value depends on what a branch or a loop gives."""
    waiting, seen = [value], {value}
    while waiting:
        node = waiting.pop().node
        if node is None:
            continue
        if node.graphs:
            return True
        waiting += [x for x in node.inputs if x not in seen]
        seen.update(node.inputs)
    return False


def _difference(what: str, expected: Any, got: Any) -> str:
    lines = [f'{what} differs.']
    for way, value in (('plain Python', expected), ('the graph', got)):
        kind = ''
        if isinstance(value, np.ndarray | np.generic):
            kind = f' ({type(value).__name__} {value.dtype}{list(value.shape)})'
        lines.append(f'  {way + ":":<14}{brief(value, 200)}{kind}')
    return '\n'.join(lines)


class _Parting:
    """Finds the user's line at which the values of the two ways part."""

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Signature,
        concrete: ConcreteFunction,
        arguments: Arguments,
    ) -> None:
        self._function = function
        self._signature = signature
        self._returned_at: Location | None = None
        self._graph = graph_from_def(graph_def(concrete.graph))
        _silence(self._graph)
        self._arguments = arguments
        staged = concrete.leaves
        self._given = [
            x for x, leaf in zip(arguments.leaves, staged, strict=True) if leaf.type is not None
        ]

    def location(self, restore: Callable[[], None], tape: Tape) -> Location | None:
        """The first line whose variable differs; else the line of the result, or of the return."""
        nodes = self._named_nodes()
        restore()
        with tape.played():
            plain = self._plain_values()
        restore()
        with tape.played():
            graph = self._graph_values(nodes)
        for node, value in zip(nodes, graph, strict=False):
            site: Any = node.site
            known = plain.get((site.location.line, site.stored), _UNKNOWN)
            if known is not _UNKNOWN and not same(known, value):
                return _place(node)
        results = [value.node for value in self._graph.outputs if value.node is not None]
        places = [_place(node) for node in reversed(results)]
        return next((place for place in places if place is not None), self._returned_at)

    def _named_nodes(self) -> list[Node]:
        """What the user stored in variables, and nothing modified later."""
        facts = Facts(self._graph)
        changed = {facts.buffer(n.inputs[0]) for n in self._graph.walk() if n.op.updates}
        return [
            node
            for node in self._graph.nodes
            if stored_name(node.site) is not None
            and len(node.outputs) == 1
            and not node.op.updates
            and node.op is not CONSTANT
            and facts.buffer(node.outputs[0]) not in changed
        ]

    def _graph_values(self, nodes: list[Node]) -> Any:
        outputs, self._graph.outputs = self._graph.outputs, [n.outputs[0] for n in nodes]
        try:
            return run(lower(self._graph), _copies(self._given)) if nodes else ()
        except Exception:
            return ()
        finally:
            self._graph.outputs = outputs

    def _plain_values(self) -> dict[tuple[int, str], Any]:
        """What plain Python stored at each line, the first time that it came there."""
        code = getattr(self._function, '__code__', None)
        recorder = _Recorder(code)
        before = sys.gettrace()
        sys.settrace(recorder.call)
        try:
            _plainly(self._function, self._signature, self._arguments)
        except Exception:
            return recorder.values
        finally:
            sys.settrace(before)
        if code is not None:
            self._returned_at = Location(code.co_filename, recorder.line, code.co_name)
        return recorder.values


def _silence(graph: Graph) -> None:
    """Takes out, in place, what prints."""
    graph.nodes = [node for node in graph.nodes if node.op is not PRINT]
    for node in graph.nodes:
        for inner in node.graphs.values():
            _silence(inner)


_UNKNOWN = object()


def _place(node: Node) -> Location | None:
    return None if node.site is None else node.site.location


class _Recorder:
    """Notes the variables of one function after every line that it runs."""

    def __init__(self, code: CodeType | None) -> None:
        self.values: dict[tuple[int, str], Any] = {}
        self._code = code
        self.line = 0

    def call(self, frame: FrameType, event: str, arg: Any) -> Any:
        if frame.f_code is not self._code:
            return None
        self.line = frame.f_lineno
        return self._step

    def _step(self, frame: FrameType, event: str, arg: Any) -> Any:
        for name, value in frame.f_locals.items():
            if (self.line, name) not in self.values:
                self.values[self.line, name] = _kept(value)
        self.line = frame.f_lineno
        return self._step


_Snapshot = tuple[list[Any], list[Any]]


class _LastingState:
    """The variables that a graph uses, and the random generators that it draws from.

    Args:
      graph: the graph.
      arguments: what it is called with.
    """

    def __init__(self, graph: Graph, arguments: Sequence[Any]) -> None:
        attrs = [value for node in graph.walk() for value in node.attrs.values()]
        cells = [value for value in attrs if isinstance(value, Cell)]
        generators = [value for value in (*attrs, *arguments) if is_generator(value)]
        self.cells = list({id(cell): cell for cell in cells}.values())
        self._generators = list({id(rng): rng for rng in generators}.values())

    def snapshot(self) -> _Snapshot:
        """What it is now."""
        states = [_state(rng) for rng in self._generators]
        return [cell.value for cell in self.cells], [np.random.get_state(legacy=False), *states]

    def restore(self, snapshot: _Snapshot) -> None:
        """Makes it what it was."""
        values, (of_numpy, *states) = snapshot
        for cell, value in zip(self.cells, values, strict=True):
            cell.initialize(value)
        np.random.set_state(of_numpy)
        for rng, state in zip(self._generators, states, strict=True):
            _bits(rng).state = state


def _bits(rng: Any) -> Any:
    return rng.bit_generator if isinstance(rng, np.random.Generator) else rng._bit_generator


def _state(rng: Any) -> Any:
    return _bits(rng).state


def _kept(value: Any) -> Any:
    """A value that later lines may modify."""
    return value.copy('K') if isinstance(value, np.ndarray) else value
