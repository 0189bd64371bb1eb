"""`check=True`: plain Python beside the graph, and where the two part."""
from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from .changed import containers
from .concrete import ConcreteFunction
from .config import plain_python
from .description import brief
from .errors import (
    AutographError,
    Location,
    describe,
    is_internal,
    kind_of,
    leaves_debugger,
    location_at,
    traceback_entries,
)
from .following import LAMBDA
from .graph import nest
from .graph.graph import Graph, Value
from .keys import copied
from .modified import Modified
from .operators.given_containers import is_own
from .ops.control_flow import COND
from .parting import Parting, find
from .pyct.statements import RETURNED
from .pyct.written import function_behind
from .replay import Tape
from .sameness import same
from .signatures import Arguments, Signature
from .state import LastingState, Snapshot


class DifferenceError(AutographError, AssertionError):
    """A graph gives another result than plain Python."""


def compare(
    function: Callable[..., Any],
    signature: Signature,
    concrete: ConcreteFunction,
    arguments: Arguments,
    values: Any,
    undo: Sequence[Callable[[], None]] = (),
) -> Any:
    """Runs plain Python and the graph, each on copies of the arguments; what the graph gives.

    Args:
      function: the plain function.
      signature: its signature.
      concrete: the trace.
      arguments: what it is called with.
      values: the same as it was passed, one a parameter.
      undo: takes back what the function did when it was traced now, which plain Python does, too.

    Raises:
      DifferenceError: the two differ in value, dtype, shape or type, or leave variables or arrays
        that they are given different.
    """
    concrete.modified.check(concrete.name, arguments.leaves)
    state = LastingState(concrete.graph, arguments.leaves, concrete.modified.captured)
    plain = _PlainPython(function, signature, arguments, state)
    given = _given(arguments.structure, values, arguments.leaves) if concrete.changed else []

    with plain.tape.recorded():
        kept = [*concrete.modified.positions, *concrete.changed.positions]
        got = _outcome(lambda: concrete.run(_copies(arguments.leaves, kept), values))
    after = state.snapshot()
    for take_back in undo:
        take_back()
    with plain.again():
        expected = _outcome(plain.run)
    problem = (
        _problem(concrete, expected, got)
        or _problem_of_variables(state, after)
        or _problem_of_arrays(concrete.modified, state.arrays, after[2])
        or _problem_of_arguments(concrete, plain.left, arguments.leaves, got)
        or _problem_of_containers(plain.owners, given, got)
    )
    if problem:
        staged = zip(plain.unmodified, concrete.leaves, strict=True)
        given = _copies([leaf for leaf, parameter in staged if parameter.type is not None])
        filename = function_behind(function).__code__.co_filename
        parting, returned_at = find(concrete.graph, given, filename, plain.run, plain.again)
        state.restore(after)
        raise _differs(concrete, problem, expected, got, parting, returned_at)
    state.restore(after)
    if isinstance(got, _Raised):
        raise got.error
    return got


class _PlainPython:
    """Runs a function as plain Python from where its graph began, as often as it is asked to.

    Attributes:
      unmodified: the arguments, leaf by leaf, as the function is given them.
      left: what the last run has made of them.
      owners: the containers that it was given.
      tape: what Python functions gave the graph, which they give plain Python again.
    """

    def __init__(
        self,
        function: Callable[..., Any],
        signature: Signature,
        arguments: Arguments,
        state: LastingState,
    ) -> None:
        self._function = function
        self._signature = signature
        self._structure = arguments.structure
        self._state = state
        self._before = state.snapshot()
        self.unmodified = list(map(copied, _copies(arguments.leaves)))
        self.left: list[Any] = []
        self.owners: list[Any] = []
        self.tape = Tape()

    @contextmanager
    def again(self) -> Iterator[None]:
        """Around a run: variables and arrays are as they were before the graph ran."""
        self._state.restore(self._before)
        with self.tape.played():
            yield

    def run(self) -> Any:
        """Runs it once, on copies of the arguments; what it returns."""
        self.left = list(map(copied, _copies(self.unmodified)))
        with plain_python():
            given = nest.unflatten(self._structure, self.left)
            self.owners = _given(self._structure, given, self.left)
            return self._signature.call(self._function, given)


def _given(structure: nest.Structure, values: Any, leaves: Sequence[Any]) -> list[Any]:
    """What a function is given that it may change: containers, and leaves that are some, too."""
    return [*containers(structure, values), *filter(is_own, leaves)]


def _differs(
    concrete: ConcreteFunction,
    problem: str,
    expected: Any,
    got: Any,
    parting: Parting | None,
    returned_at: Location | None,
) -> DifferenceError:
    """The error, at the line that tells most: where the two part, raise, compute or return."""
    if parting is not None:
        what = f'{concrete.name}: {problem}\n{_told(parting)}'
        return DifferenceError(describe(what, parting.location))
    computed_at = _result_at(concrete.graph) if _is_computed(expected, got) else None
    location = _raised_at(got, expected) or computed_at or returned_at
    return DifferenceError(describe(f'{concrete.name}: {problem}', location))


def _told(parting: Parting) -> str:
    """What a message says of the first thing that differs."""
    what = {
        '': 'whether the block of this line runs',
        RETURNED: 'what this line returns',
        LAMBDA: 'what the lambda on this line returns',
    }.get(parting.name, f'`{parting.name}` at this line')
    which = f', the {_ordinal(parting.run)} time' if parting.runs > 1 else ''
    return _differing(f'The first to differ is {what}{which}:', *parting.values)


def _ordinal(number: int) -> str:
    """The first is 1."""
    endings = {1: 'st', 2: 'nd', 3: 'rd'}
    return f'{number}{"th" if 10 < number % 100 < 14 else endings.get(number % 10, "th")}'


def _raised_at(*outcomes: Any) -> Location | None:
    """Where one of them raised, if it did."""
    for outcome in outcomes:
        if isinstance(outcome, _Raised):
            entries = traceback_entries(outcome.error.__traceback__)
            theirs = [e for e in entries if not is_internal(e.tb_frame.f_code.co_filename)]
            if theirs:
                last = theirs[-1]
                return location_at(last.tb_frame.f_code, last.tb_lasti, last.tb_lineno)
    return None


def _is_computed(expected: Any, got: Any) -> bool:
    """Whether the two are of one form, so that a value differs which the graph computes."""
    return nest.flatten(expected)[1] == nest.flatten(got)[1]


def _result_at(graph: Graph) -> Location | None:
    """Where a result is computed, unless branches do: these run one line or another."""
    nodes = [value.node for value in reversed(graph.outputs) if value.node is not None]
    sites = [node.site for node in nodes if node.site is not None and node.op is not COND]
    return sites[0].location if sites else None


class _Raised:
    """The exception that a way ended with."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f'raises {type(self.error).__name__}: {self.error}'


def _outcome(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        if leaves_debugger(error):
            raise
        return _Raised(error)


def _copies(leaves: list[Any], kept: Iterable[int] = ()) -> list[Any]:
    """The leaves, with arrays of their own but for those at some positions."""
    copies: dict[int, Any] = {id(leaves[i]): leaves[i] for i in kept}
    return [
        copies.setdefault(id(x), x.copy('K')) if isinstance(x, np.ndarray) else x for x in leaves
    ]


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
    if a != b and str(a) != str(b):  # a class may be made anew by each of the two
        return f'plain Python returns the structure {a}, the graph {b}'
    paths = nest.paths(a, 'the result')
    for path, x, y, output in zip(paths, mine, others, _outputs(concrete, got), strict=True):
        if not same(x, y) and not _joined(x, y, output):
            return _difference(path, x, y)
    return ''


def _problem_of_variables(state: LastingState, after: Snapshot) -> str:
    """What differs of the variables that plain Python has left, and that the graph has."""
    for cell, value in zip(state.cells, after[0], strict=True):
        if not same(cell.value, value):
            return _difference(f'variable {cell.name!r}', cell.value, value)
    for variable, value in zip(state.outer, after[3], strict=True):
        left = variable.get()
        if not same(left, value) and not _is_joined(left, value):
            return _difference(f'the variable {variable.name!r}', left, value)
    for container, value in zip(state.containers, after[4], strict=True):
        (mine, a), (others, b) = nest.flatten(container), nest.flatten(value)
        pairs = zip(mine, others, strict=False)
        if a != b or not all(same(x, y) or _is_joined(x, y) for x, y in pairs):
            return _difference(f'{kind_of(container)} outside', container, value)
    return ''


def _problem_of_arrays(modified: Modified, arrays: Sequence[Any], after: Sequence[Any]) -> str:
    """What differs of the captured arrays that plain Python and the graph have modified."""
    names = [each.name for each in modified.targets if not isinstance(each.place, int)]
    for name, array, value in zip(names, arrays, after, strict=True):
        if not same(array, value):
            return _difference(name, array, value)
    return ''


def _problem_of_arguments(
    concrete: ConcreteFunction, expected: Sequence[Any], leaves: Sequence[Any], got: Any
) -> str:
    """What differs of the arguments that plain Python has modified, and that the graph has."""
    for i in concrete.modified.positions:
        if not isinstance(got, _Raised) and not same(expected[i], leaves[i]):
            path = concrete.leaves[i].path
            return _difference(f'the argument {path!r}', expected[i], leaves[i])
    return ''


def _problem_of_containers(expected: Sequence[Any], found: Sequence[Any], got: Any) -> str:
    """What differs of the lists, dicts and dataclasses that both were given."""
    if found and not isinstance(got, _Raised):
        for one, other in zip(expected, found, strict=True):
            if not same(one, other):
                return _difference('an argument', one, other)
    return ''


def _outputs(concrete: ConcreteFunction, got: Any) -> list[Value | None]:
    """The graph's output that each leaf of a result is of, as far as is known; None for none."""
    structure, leaves = concrete.returned
    outputs = iter(concrete.graph.outputs)
    of_leaves = iter([next(outputs) if isinstance(leaf, Value) else None for leaf in leaves])

    def found(structure: nest.Structure, part: Any) -> Iterator[Value | None]:
        children = nest.children(part)
        if structure.type is None:
            yield from [next(of_leaves)] * len(nest.flatten(part)[0])
        elif type(part) is structure.type and len(children) == len(structure.children):
            for inner, child in zip(structure.children, children, strict=True):
                yield from found(inner, child)
        else:  # what stood for it while tracing has other parts
            held = list(itertools.islice(of_leaves, len(nest.paths(structure, ''))))
            joined = [value for value in held if value and _comes_from_a_block(value)]
            yield from [joined[0] if joined else None] * len(nest.flatten(part)[0])

    return list(found(structure, got))


def _joined(x: Any, y: Any, output: Value | None) -> bool:
    """Whether a number took the type in which it meets that of the other way of a staged block."""
    return output is not None and _comes_from_a_block(output) and _is_joined(x, y)


def _is_joined(x: Any, y: Any) -> bool:
    """Whether the two are one number, of another type."""
    is_number = isinstance(x, complex | int | float | np.number) and np.shape(y) == ()
    return is_number and bool(x == y)


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
    return _differing(f'{what} differs.', expected, got)


def _differing(what: str, expected: Any, got: Any) -> str:
    lines = [what]
    for way, value in (('plain Python', expected), ('the graph', got)):
        kind = ''
        if isinstance(value, np.ndarray | np.generic):
            kind = f' ({type(value).__name__} {value.dtype}{list(value.shape)})'
        lines.append(f'  {way + ":":<14}{brief(value, 200)}{kind}')
    return '\n'.join(lines)
