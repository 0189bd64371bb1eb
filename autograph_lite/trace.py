"""One trace: the function is run once with tensors in the place of arrays."""
from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType
from typing import Any

import numpy as np

from .concrete import ConcreteFunction
from .config import numerics_are_checked
from .errors import AutographError, standing_at
from .graph import dispatch, nest
from .graph.graph import Graph, Value
from .graph.tensor import Storage, Tensor
from .graph.tracing import tracing_into
from .graph.types import TensorType

# They say what functions of Python and NumPy become.
from .operators import builtins, callbacks, formatting, ordering  # noqa: F401
from .operators.activations import calls_of_a_trace
from .operators.effects import names_tensors, raises_when_run
from .operators.guards import Guard, recording, value_key
from .operators.leaves import leaf_of
from .operators.lists import handle
from .operators.outside import (
    OutsidePlace,
    World,
    called_functions,
    finish,
    note_arguments,
    note_function,
    outside_world,
    tensor_for,
)
from .operators.places import GoneError
from .operators.python_functions import found_result
from .operators.recursion import enter
from .operators.staging import identifier
from .operators.state import ABSENT, Snapshot
from .operators.unbound import bound
from .operators.unconverted import record_library_names
from .operators.variable_creation import creating
from .operators.watched import check_watched
from .optimize import optimize
from .optimize.check_numerics import check_numerics
from .signatures import Arguments, Signature


def trace(
    name: str,
    function: Callable[..., Any],
    signature: Signature,
    arguments: Arguments,
    may_create: bool,
) -> ConcreteFunction | None:
    """Traces a function.

    Args:
      name: the graph's.
      function: what is run: the converted function.
      signature: says which argument goes where.
      arguments: what it is traced for.
      may_create: whether it may create variables.

    Returns:
      The trace; None if it created variables: they have their first values now, and the function
      is to be traced once more, without creating any.
    """
    found: ConcreteFunction | None = None
    lifted: dict[Any, OutsidePlace] = {}
    while True:
        try:
            once = _trace_once(name, function, signature, arguments, may_create, lifted)
        except AutographError:
            if found is None:
                raise
            return found  # with the numbers outside as they are: the next ones are another trace
        if once is None:
            return None
        found, changed = once
        more = {place.identity: place for place in changed if place.identity not in lifted}
        if not more:
            return found
        lifted |= more


def _trace_once(
    name: str,
    function: Callable[..., Any],
    signature: Signature,
    arguments: Arguments,
    may_create: bool,
    lifted: dict[Any, OutsidePlace],
) -> tuple[ConcreteFunction, list[OutsidePlace]] | None:
    """One trace, and the places of numbers outside that the function changes.

    Args:
      lifted: those of such places that are inputs of the graph.
    """
    graph = Graph(name)
    operands = _operands(graph, signature, arguments)
    values = nest.unflatten(arguments.structure, operands)
    names = [parameter.name for parameter in signature.parameters]
    with (
        outside_world(graph) as world, recording() as guards, tracing_into(graph),
        creating(graph, may_create) as creation,
    ):
        note_arguments(values, names)
        note_function(function)
        record_library_names(function)
        _lift(world, lifted, arguments.values)
        try:
            with calls_of_a_trace():
                returned = signature.call(partial(enter, function), values)
        except Exception as error:
            if not graph.effect and not names_tensors(error):
                creation.initialize(arguments)
                if creation.created:
                    world.snapshot = Snapshot()  # what holds the variables stays
                raise
            # What the graph does before it raises is done at every call.
            raises_when_run(error, graph)
            returned = None
        with standing_at(function):
            check_watched(graph)
            called = tuple(weakref.ref(f) for f in called_functions())
            outputs, structure = nest.flatten(nest.map_leaves(found_result, returned))
            outputs = [_output(x, graph) for x in outputs]
            made = [each for each in world.changes() if not isinstance(each.after, Tensor)]
            if not creation.created:
                state = finish(world, operands, partial(_output, graph=graph))
    _forget_handles(graph)
    if creation.created:
        creation.initialize(arguments)
        for each in made:
            each.place.put(each.after)
        return None
    graph.outputs = [x for x in (*outputs, *state.values()) if isinstance(x, Value)]
    state.drop_unused(graph)
    optimize(graph)
    if numerics_are_checked():
        check_numerics(graph)
    parameters = signature.parameters
    lasting = [guard for guard in guards.values() if not _is_the_traces(guard)]
    lasting += _guards_of_functions(signature, arguments)
    lasting += [Guard(place.name, place.read, value_key(x)) for place, x in state.guards]
    concrete = ConcreteFunction(
        name, parameters, arguments, graph, (structure, outputs), lasting, state)
    concrete.called = called
    return concrete, state.numbers


def _lift(world: World, lifted: dict[Any, OutsidePlace], arguments: Sequence[Any]) -> None:
    """Lets numbers outside that the function changes be inputs of the graph."""
    for located in lifted.values():
        value = located.read(arguments)
        place = located.place(arguments)
        if value is not ABSENT and world.snapshot.holds(place.owner):
            place.put(world.lift(place, value))


def _guards_of_functions(signature: Signature, arguments: Arguments) -> list[Guard]:
    """An argument that is a function is told by identity; its code and defaults may change."""
    paths = signature.names(arguments.structure)
    return [
        Guard(path, weakref.ref(leaf), value_key(leaf))
        for path, leaf in zip(paths, arguments.leaves, strict=True)
        if isinstance(leaf, FunctionType)
    ]


def _is_the_traces(guard: Guard) -> bool:
    """Whether the guard is of an object that the trace made, or of a container that it fills.

    What Python does while tracing is done once, so the next call must not find it changed.
    """
    try:
        return isinstance(guard.read(), list | dict | set) and not guard.holds()
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
        operands.append(_operand(graph, type_, name))
    return operands


def _operand(graph: Graph, type_: TensorType, name: str) -> Tensor:
    return handle(graph.param(type_, name), (Storage(graph),))


def _output(x: Any, graph: Graph) -> Any:
    """A returned leaf: a value of the graph, or the Python value itself."""
    x = bound(x)
    if isinstance(x, np.ndarray):
        x = dispatch.METHODS['copy'](tensor_for(x))  # each call returns an array of its own
    leaf = leaf_of(x, graph)
    return x if leaf.value is None else leaf.value


def _forget_handles(graph: Graph) -> None:
    """Drops what only tracing needed."""
    graph.reads.clear()
    for node in graph.walk():
        for inner in node.graphs.values():
            inner.reads.clear()
