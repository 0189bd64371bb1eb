"""One trace: the function is run once with tensors in the place of arrays."""
from __future__ import annotations

import weakref
from collections import UserDict, UserList
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any

from .changed import Change, no_change
from .concrete import ConcreteFunction
from .config import numerics_are_checked
from .errors import leaves_debugger, standing_at
from .graph import nest
from .graph.given import given
from .graph.graph import Graph
from .graph.storage import Storage
from .graph.tensor import Tensor
from .graph.tracing import called_by_nobody, tracing_into
from .graph.trials import for_good
from .graph.types import TensorType
from .keys import identities, is_container, leaf_key
from .left_behind import LeftBehind
from .lent import Lent
from .modified import Modification, memories, modifications
from .numerics import check_numerics
from .operators import (  # noqa: F401  they say what becomes of some functions
    breakpoints,
    bytes_made,
    callbacks,
    called_by_python,
    dict_forms,
    elementwise,
    endless,
    extremes,
    heaps,
    index_iterators,
    math_functions,
    operations,
    optional_operators,
    ordering,
    own_builtins,
    own_methods,
    polynomials,
    printing,
    raised,
    reducing,
    selections,
    sets,
    showing,
    slice_bounds,
    spelled_out,
    summing,
    uncounted,
    warned,
)
from .operators.activations import calls_of_a_trace
from .operators.anew import begin_anew, may_begin_anew
from .operators.contents import content
from .operators.context_variables import OwnContext
from .operators.dataclass_guards import leave_variables
from .operators.done_once import from_the_start
from .operators.effects import ends_trace, names_tensors, raises_when_run
from .operators.files import noting_files
from .operators.given_containers import standing_for, stands_for_given
from .operators.guards import Guard, recording
from .operators.held_states import hold_states
from .operators.holders import Held
from .operators.left_outside import undoing
from .operators.made_functions import puts_functions
from .operators.named_results import with_values
from .operators.outer_variables import place_reads
from .operators.outside import (
    called_functions,
    does_what_lasts,
    note,
    note_function,
    note_given,
    world_now,
)
from .operators.places import GoneError
from .operators.printing import print_traced
from .operators.python_refusals import as_staging_error
from .operators.reaches import refusing_the_rest
from .operators.recursion import enter
from .operators.refused import check_refusals, noting_refusals
from .operators.returned_objects import make_shared
from .operators.row_names import telling_rows
from .operators.settled_variables import settle_variables
from .operators.staging import identifier
from .operators.taken_ways import noting_ways
from .operators.unconverted import record_library_names
from .operators.variable_creation import Creation, creating
from .optimize import optimize
from .results import check_end, give, results
from .signatures import Arguments, Signature


@dataclass(frozen=True)
class Call:
    """A call that is traced.

    Attributes:
      name: the graph's.
      function: what is run: the converted function.
      signature: says which argument goes where.
      arguments: what it is traced for.
      may_create: whether it may create variables.
      is_run: whether it is run at once, with these arguments.
    """

    name: str
    function: Callable[..., Any]
    signature: Signature
    arguments: Arguments
    may_create: bool
    is_run: bool


def trace_once(
    call: Call, context: OwnContext, read: list[str] | None, expected: Collection[Hashable]
) -> ConcreteFunction | None:
    """Runs the function once, tracing; what `attempts` may do several times.

    Args:
      call: of which function, for which arguments.
      context: in which it runs.
      read: takes the names of the variables outside that the graph reads; None if it may read none.
      expected: attributes and items outside that it is known to set.

    Returns:
      The trace, for this call alone if it created variables. None if it did and is not run: they
      have their first values now, and the function is to be traced once more, creating none.
    """
    from_the_start()
    graph = Graph(call.name)
    operands = _operands(graph, call.signature, call.arguments)
    lent = memories(operands)
    with (
        given(_told(call.arguments)),
        recording(read, expected) as guards,
        tracing_into(graph),
        creating(graph, call.may_create, call.is_run) as creation,
        noting_ways() as ways,
        telling_rows(),
        noting_files(),
        noting_refusals(),
        for_good(),
        may_begin_anew(),
    ):
        parts = [standing_for(x, expected) for x in operands]
        values = nest.unflatten(call.arguments.structure, parts)
        containers = _noted(call, values, parts)
        left = LeftBehind(graph, operands, lent, call.arguments, containers, call.name)
        returned, has_returned = _run(call, values, graph, left, creation)
        modified = modifications(operands, lent, graph)
        with standing_at(call.function):
            left.end(modified)
            check_end(graph, returned)
            context.check()
            make_shared(returned)
            memory = [storage for each in modified for storage in each.memory]
            settle_variables(graph, memory, is_run=call.is_run or not creation.created)
            leave_variables(guards)
            outside = _Outside(graph)
            result, changes = _given_out(
                call, graph, containers, modified, returned, has_returned)
        hold_states(graph)
        _forget_handles(graph)
        if creation.created and not call.is_run:
            creation.initialize(call.arguments)
            return None
    lasting = [guard for guard in guards.values() if not _is_the_traces(guard)]
    concrete = _lowered(call, graph, result, lasting, modified, changes)
    concrete.taken, concrete.untaken = ways.taken, ways.untaken
    concrete.created = tuple(creation.variables)
    outside.tell(concrete)
    return concrete


def _noted(call: Call, values: Any, parts: Sequence[Any]) -> Lent:
    """The containers that the function is given; what it is and is given is told from the rest."""
    before = [held for leaf in values for held in _held(leaf)]
    containers = Lent(call.arguments.structure, values, before, parts)
    note_given([*(held.owner for held in before), *filter(stands_for_given, parts)])
    note(*(x for x in nest.flatten(values)[0] if not stands_for_given(x)))
    note_function(call.function)
    record_library_names(call.signature.function)
    return containers


def _run(
    call: Call, values: Any, graph: Graph, left: LeftBehind, creation: Creation
) -> tuple[Any, bool]:
    """Runs the function: what it returns, and whether it does.

    Where it raises once the graph has done something, so does the graph, at every call.

    Raises:
      BaseException: what the function raises before.
    """
    try:
        with calls_of_a_trace(), called_by_nobody(), refusing_the_rest():
            returned = call.signature.call(partial(enter, call.function), values)
            returned = with_values(returned, values)
        begin_anew()
    except BaseException as found:
        if not (isinstance(found, KeyboardInterrupt) or leaves_debugger(found)):
            begin_anew(found)
        if ends_trace(found):
            raise
        check_refusals()
        error = as_staging_error(found)
        print_traced(graph)
        if graph.effect or names_tensors(error) or left.is_changed:
            raises_when_run(error, graph)
            return None, False
        place_reads(graph)
        creation.initialize(call.arguments)
        if error is found:
            raise
        raise error from None
    print_traced(graph)
    return returned, True


def _given_out(
    call: Call,
    graph: Graph,
    containers: Lent,
    modified: list[Modification],
    returned: Any,
    has_returned: bool,
) -> tuple[Any, list[Change]]:
    """Lets the graph give what the function returns; that, and what containers come to hold."""
    given_out = partial(results, graph=graph, arguments=call.arguments, modified=modified)
    changed = containers.changed(call.name)
    standing_for = partial(containers.standing, is_put=bool(changed))
    result = given_out(standing_for(returned), returned=returned, standing_for=standing_for)
    changes = [containers.change(held, own, given_out) for held, own in changed if has_returned]
    changes += map(no_change, containers.told_apart(world_now().told_apart))
    place_reads(graph)
    give(graph, [result[1], *(change.leaves for change in changes)], modified)
    return result, changes


def _lowered(
    call: Call,
    graph: Graph,
    returned: tuple[nest.Structure, list[Any]],
    guards: Sequence[Guard],
    modified: list[Modification],
    changes: list[Change],
) -> ConcreteFunction:
    """What runs the graph: it is optimised, and a program is written for it."""
    optimize(graph)
    if numerics_are_checked():
        check_numerics(graph)
    return ConcreteFunction(
        call.name, call.signature.parameters, call.arguments, graph, returned, guards,
        call.signature.bound, [each.target for each in modified], changes,
    )  # fmt: skip


class _Outside:
    """What a trace has called and taken from outside, and how that is undone."""

    def __init__(self, graph: Graph) -> None:
        called = called_functions()
        self._called = tuple(map(weakref.ref, called))
        self._called_at = tuple(
            (f.__code__.co_filename, f.__code__.co_firstlineno)
            for f in called if isinstance(f, FunctionType))
        self._lasts, self._undo = does_what_lasts(), undoing()
        self._world, self._puts_functions = world_now(), puts_functions(graph)

    def tell(self, concrete: ConcreteFunction) -> None:
        """Puts it into what the trace has become."""
        concrete.called, concrete.called_at = self._called, self._called_at
        concrete.lasts, concrete.undo = self._lasts, self._undo
        concrete.done_by_python = self._world.done_by_python or (
            'changed what holds a function outside' if self._puts_functions else '')


def _told(arguments: Arguments) -> Iterator[Any]:
    """The objects that tell these arguments from others."""
    for leaf, type_ in zip(arguments.leaves, arguments.types(), strict=True):
        if type_ is None:
            yield from (known.value() for known in identities(leaf_key(leaf)))


def _is_the_traces(guard: Guard) -> bool:
    """Whether the guard is of an object that the trace made, or of a container that it fills.

    What Python does while tracing is done once, so the next call must not find it changed.
    """
    try:
        found = guard.read()
        is_container = isinstance(found, list | dict | set)
        return is_container and id(found) == guard.identity and not guard.holds()
    except GoneError:
        return True
    except Exception:
        return False


def _operands(graph: Graph, signature: Signature, arguments: Arguments) -> list[Any]:
    """The leaves as the traced function sees them."""
    operands: list[Any] = []
    paths = signature.names(arguments.structure)
    for leaf, spec, type_, path in zip(
        arguments.leaves, arguments.declared, arguments.types(), paths, strict=True
    ):
        if type_ is None:
            operands.append(leaf)
            continue
        name = getattr(leaf if spec is None else spec, 'name', None) or identifier(path)
        operands.append(_operand(graph, type_, name, path))
    return operands


def _operand(graph: Graph, type_: TensorType, name: str, path: str) -> Tensor:
    name_of_it = path if path.isidentifier() else ''
    storage = Storage(graph, f'argument {path!r}', name_of_it, is_lent=True)
    return Tensor(graph.param(type_, name), (storage,))


def _forget_handles(graph: Graph) -> None:
    """Drops what only tracing needed."""
    graph.reads.clear()
    graph.returned.clear()
    graph.joined.clear()
    graph.states.clear()
    for node in graph.walk():
        for inner in node.graphs.values():
            inner.reads.clear()


def _held(value: Any) -> Iterator[Held]:
    """The lists, dicts, sets and dataclasses in an argument, and what they hold."""
    if stands_for_given(value):
        return
    if (is_container(value) or isinstance(value, list | dict)) and not isinstance(value, tuple):
        found = content(value)
        if found is not None:
            yield Held(value, '', found)
    inside = [value.data] if isinstance(value, UserList | UserDict) else nest.children(value)
    for part in inside:
        yield from _held(part)
