"""The nodes that call a function of the graph, in itself and from outside, and what they give."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Node, Op, Value
from ..graph.sites import Site
from ..graph.storage import Memory, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import check_owner, note_writes, rewrite, site, tracing_into
from ..graph.types import TensorType
from ..ops.control_flow import FUNCTION, RECURSE
from .activations import Static, argument_paths, definitions, is_called
from .changed_by_calls import put_back
from .definitions import Definition
from .effects import Diverged
from .given_to_callers import given_back, modify_perhaps, parts
from .leaves import leaf_of, result, value_of
from .living_lists import LivingList
from .staging import graph_now, identifier


def recurse(definition: Definition, operands: dict[str, Any]) -> Any:
    """What a call in the function itself returns.

    Raises:
      Diverged: nothing is known yet of the result.
      Reaches: the function has changed what this call of it would find.
    """
    definition.reached.check_so_far()
    inner = definitions()
    for each in inner[inner.index(definition) + 1 :]:
        each.waits |= definition.result is None
    captures = [graph_now().local(value) for value in definition.captures]
    leaves = nest.flatten(operands)[0]
    node = _node(definition, RECURSE, leaves, captures, {}, site())
    node.attrs['effect'] = True  # until it is known that there is none
    return _returned(definition, node, operands)


def call_defined(definition: Definition, operands: dict[str, Any]) -> Any:
    """What the call returns that the function was traced for.

    Raises:
      Diverged: it never returns.
    """
    leaves = nest.flatten(operands)[0]
    graph = definition.graph
    joins = definition.result.joins if definition.result else ()
    with tracing_into(graph):
        graph.outputs = [
            value_of(leaf, join.type, graph)
            for leaf, join in zip(definition.leaves, joins, strict=True)
            if join.type is not None
        ]
        graph.outputs += definition.modified
    own = [n for n in graph.walk() if n.op is RECURSE and n.attrs['name'] == definition.name]
    others = [node for node in graph.walk() if node not in own and not node.graphs]
    # What it modifies others read before it is called, as the graph is written.
    effect = bool(definition.modifies or definition.consumes) or any(node.effect for node in others)
    for node in own:
        node.attrs['effect'] = effect
    # What it needs from around it, it is given at every call.
    captures, graph.captures = graph.captures, []
    place = site() if is_called() else None
    node = _node(definition, FUNCTION, leaves, captures, {'function': graph}, place)
    return _returned(definition, node, operands)


def _node(
    definition: Definition,
    op: Op,
    leaves: Sequence[Any],
    captures: Sequence[Value],
    graphs: dict[str, Graph],
    place: Site | None,
) -> Node:
    graph = graph_now()
    inputs = [
        value_of(leaf_of(x, graph), type_, graph)
        for x, type_ in zip(leaves, definition.given.leaves, strict=True)
        if not isinstance(type_, Static)
    ]
    types: list[TensorType] = []
    names: list[str] = []
    if definition.result is not None:
        paths = nest.paths(definition.result.structure, definition.name)
        for join, path in zip(definition.result.joins, paths, strict=True):
            if join.type is not None:
                types.append(join.type)
                names.append(identifier(path))
    paths = argument_paths(definition.given.structure)
    types += definition.modifies.values()
    names += [identifier(paths[i]) for i in definition.modifies]
    attrs = {'name': definition.name, 'types': types}
    return graph.add(op, [*inputs, *captures], attrs, graphs, place, names)


def _returned(definition: Definition, node: Node, operands: dict[str, Any]) -> Any:
    """What a call gives, whose node gives what only the running graph knows."""
    if definition.result is None:
        raise Diverged
    graph, leaves = graph_now(), nest.flatten(operands)[0]
    _modify(definition, leaves, node.outputs[len(node.outputs) - len(definition.modifies) :])
    fresh: dict[Any, Storage] = {}

    def memory(places: frozenset[Any]) -> Memory:
        found: dict[Storage, None] = {}
        for place in sorted(places, key=_order):
            if isinstance(place, Storage):
                found[place] = None
            elif place[0] == 'new':
                found[fresh.setdefault(place, Storage(graph))] = None
            else:
                given = leaves[place[1]]
                found.update(dict.fromkeys(given.memory if isinstance(given, Tensor) else ()))
        return tuple(found) or (Storage(graph),)

    outputs = iter(node.outputs)
    results = [
        result(join, next(outputs) if join.type is not None else None, memory(places))
        for join, places in zip(definition.result.joins, definition.result.memories, strict=True)
    ]
    everything = nest.unflatten(definition.result.structure, results)
    given = list(parts(operands))
    modify_perhaps(definition.name, definition.perhaps_modifies, operands, given)
    returned, *changed = given_back(everything, definition.result.origins, given)
    if changed:
        values = dict(zip(sorted(definition.changes), changed, strict=True))
        put_back(definition.function, definition.places, operands, values)
    return returned


def _modify(definition: Definition, leaves: Sequence[Any], values: Sequence[Value]) -> None:
    """Lets the arrays that a call modifies hold what they hold after it.

    Raises:
      OwnershipError: one is the caller's, or the function reads it by another name.
    """
    for i in definition.consumes:
        _check_own(definition, i, leaves)
        note_writes(leaves[i].consume())
    for i, value in zip(definition.modifies, values, strict=True):
        _check_own(definition, i, leaves)
        rewrite(leaves[i], value)


def _check_own(definition: Definition, i: int, leaves: Sequence[Any]) -> None:
    """An array that a call modifies has no other name in it.

    Raises:
      OwnershipError: it has, or is a list that lives outside.
    """
    given = leaves[i]
    if isinstance(given, LivingList):
        raise _is_outside(definition)
    others = [*leaves[:i], *leaves[i + 1 :], *definition.graph.reads]
    if not isinstance(given, Tensor) or any(
        isinstance(x, Tensor) and not set(given.memory).isdisjoint(x.memory)
        for x in others
    ):
        raise _has_another_name(definition, argument_paths(definition.given.structure)[i])
    check_owner(graph_now(), given)


def _is_outside(definition: Definition) -> OwnershipError:
    what = f'{definition.name}, which calls itself, changes a list outside that it is given.'
    fix = (
        'Change it by the name that it has outside, as `rows.append(v)` of a global; or give it a '
        'copy, `own = rows.copy()`, and put that back after the call: `rows[:] = own`.')
    return OwnershipError(describe(what, user_location(), fix))


def _has_another_name(definition: Definition, path: str) -> OwnershipError:
    around = list(definition.given.structure.keys)[-len(definition.places) :]
    fix = 'Call it with an array of its own: `x = x.copy()`.'
    if definition.places and path in around:
        path = definition.places[around.index(path)].name
        fix = (
            f'Modify it by that name alone, without `global`: `{path}[...] = {path} * 2` for '
            f'`{path} = {path} * 2`.')
    what = f'{definition.name!r} modifies {path!r}, which has another name for it'
    return OwnershipError(describe(f'{what}.', user_location(), fix))


def _order(place: Any) -> tuple[bool, Any]:
    return (True, 0) if isinstance(place, Storage) else (False, place)
