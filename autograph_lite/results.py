"""What a traced function returned, as values of its graph and what stands for the rest."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .errors import StagingError, describe, user_location
from .graph import nest
from .graph.graph import Graph, Value
from .graph.tensor import Tensor
from .modified import Modification, set_apart
from .operators.folding import Folding
from .operators.guarded import bound, is_lacking
from .operators.leaves import leaf_of
from .operators.named_results import check_value
from .operators.nest_lists import NestList
from .operators.outside import check_handed
from .operators.python_functions import found_result
from .operators.refused import check_refusals
from .operators.repeated_results import with_repeated
from .operators.returned_objects import opened_results
from .operators.staged_iterable import Staged
from .operators.tensor_array import TensorArray, check_kept
from .operators.watched import check_watched
from .ops.outer_variables import OuterVariable
from .pyct.returns import only_return
from .returned import Given, static_output
from .signatures import Arguments


def give(
    graph: Graph, results: Sequence[Sequence[Any]], modified: Sequence[Modification]
) -> None:
    """Lets the graph give these leaves and the arrays that it modifies, of which it has copies."""
    graph.outputs = [x for leaves in results for x in leaves if isinstance(x, Value)]
    graph.outputs += [each.after for each in modified]
    set_apart(modified, graph)


def check_end(graph: Graph, returned: Any) -> None:
    """At the end of a trace there is nothing that the graph would not do or give."""
    check_watched(graph)
    check_handed()
    check_refusals()
    _check_returned(returned)


def results(
    standing: Any, graph: Graph, arguments: Arguments, modified: Sequence[Modification],
    returned: Any = None, standing_for: Callable[[Any], Any] = lambda x: x,
) -> tuple[nest.Structure, list[Any]]:
    """What the function returns: its structure, and its leaves.

    Args:
      standing: that, with what stands for what is the caller's, or outside, in its place.
      graph: the graph of the function.
      arguments: what it is traced for.
      modified: the caller's arrays that it modifies.
      returned: what it returns itself; None for what it puts elsewhere.
      standing_for: gives what stands so for an attribute of an object.
    """
    opened = opened_results(nest.map_leaves(found_result, standing), standing=standing_for)
    leaves, structure = nest.flatten(with_repeated(returned, opened))
    places = {each.after: each.target.place for each in modified}
    own = {
        after: Given(x) if isinstance(x, int) else x
        for after, x in places.items() if not isinstance(x, OuterVariable)}
    return structure, [_output(x, graph, arguments.leaves, own) for x in leaves]


def _output(x: Any, graph: Graph, leaves: Sequence[Any], own: dict[Value, Any]) -> Any:
    """A returned leaf: a value of the graph, or what stands for one of Python's or the caller's."""
    if is_lacking(x):
        return x
    x = bound(x)
    check_value(x)
    leaf = leaf_of(x, graph)
    return static_output(x, leaves) if leaf.value is None else own.get(leaf.value, leaf.value)


def _check_returned(returned: Any) -> None:
    """What is returned is there when the graph has run.

    Raises:
      StagingError: it is an iterator over what only the running graph knows.
      OwnershipError: it is a TensorArray whose elements another one has taken.
    """
    if isinstance(returned, TensorArray):
        check_kept(returned, 'return')
    is_of_iterators = isinstance(returned, NestList) and _has_iterators(returned.element)
    if isinstance(returned, Staged | Folding) or is_of_iterators:
        what = 'An iterator is returned over what only the running graph knows.'
        fix = 'Return a list: `list(...)`.'
        raise StagingError(describe(what, only_return(user_location()), fix))
    if isinstance(returned, slice):
        bounds = returned.start, returned.stop, returned.step
        if any(isinstance(bound, Tensor) for bound in bounds):
            what = 'A slice is returned of which only the running graph knows the bounds.'
            fix = 'Return them: `return start, stop`.'
            raise StagingError(describe(what, only_return(user_location()), fix))
    for part in nest.children(returned):
        _check_returned(part)


def _has_iterators(structure: nest.Structure) -> bool:
    is_one = structure.type is not None and issubclass(structure.type, Staged)
    return is_one or any(map(_has_iterators, structure.children))
