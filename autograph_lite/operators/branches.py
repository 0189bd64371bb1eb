"""The two branches of a choice: what tracing them gives, and how that comes to have one form."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..graph import nest, nest_contents
from ..graph.checkpoints import checkpoint, undo_writes
from ..graph.graph import Graph
from ..graph.tensor import IndexedByTensorError
from ..graph.tracing import tracing_into
from .becoming_live import check_becoming
from .block_ways import Passed, Way
from .chosen_functions import functions_within
from .chosen_within import differing, with_chosen
from .effects import raises_when_run
from .given_back import block_names, check_given_back, held_by
from .known import containers_there, known_there
from .leaves import Leaf, inner_operands, leaf_after, leaf_of, read_state
from .outside import modified
from .reachable import Reachable
from .refused import check_refusals
from .restaging import change, indexed
from .traced_block import TracedBlock
from .unbound import NotYetError
from .watched import check_watched
from .watched_results import check_unsure
from .whole_reads import check_of_block


@dataclass(frozen=True)
class Branch(TracedBlock):
    """A traced branch.

    Attributes:
      structure: that of what it returned.
      diverges: whether it never returns.
    """

    structure: nest.Structure = nest.LEAF
    diverges: bool = False

    def back(self) -> Way:
        """What it did to what was given."""
        assert self.reached is not None
        assert self.as_it_was is not None
        origins, holders = self.as_it_was.origins, self.reached.holders
        return Way(self.gave, origins, self.modified_here(), holders)

    def returned(self) -> Any:
        """What it returned, with handles of its own."""
        return nest.unflatten(self.structure, [leaf.held() for leaf in self.leaves])


def trace_branch(
    branch: Callable[..., Any],
    operands: tuple[Any, ...],
    given: tuple[Any, ...],
    graph: Graph,
    names: Sequence[str],
    paths: Sequence[str],
) -> Branch:
    """Traces one branch and takes back what it wrote, so that the other starts where it did.

    Args:
      branch: the function.
      operands: what it is called with.
      given: what that stands for.
      graph: what it is traced into.
      names: what the user calls the results.
      paths: what the user calls the leaves of the operands.
    """
    start = checkpoint()
    with tracing_into(graph):
        mine = inner_operands(operands, graph)
        held = graph.passed = nest_contents.contents(mine)
        others, values = nest.flatten(mine)[0], held_by(mine)
        as_it_was = Passed(given, mine)
        around = Reachable(
            branch, *others, names=names, paths=paths, graph=graph, passed=as_it_was,
            functions=functions_within(mine),
        )
        with around as reached:
            try:
                gave = branch(*mine)
            except IndexedByTensorError as error:
                raise indexed(error, operands) from None
            except NotYetError:
                reached.restore()
                return Branch(graph, [], undo_writes(start), diverges=True)
            except BaseException as error:
                raises_when_run(error, graph)
                reached.leave(given, mine, [held[i] for i in modified(held)])
                return Branch(graph, [], undo_writes(start), diverges=True)
            check_of_block(gave, others)
            gave, parts = containers_there(nest.actual(gave))
            leaves, structure = nest.flatten(gave)
            leaves = [_leaf_of(x, graph, part) for x, part in zip(leaves, parts, strict=True)]
            check_refusals()
            check_watched(graph)
            check_unsure(graph, as_it_was)
            reached.check()
            changed = [held[i][0] for i in modified(held)]
            own = [i for i, name in enumerate(block_names(branch)) if name not in names]
            check_given_back(mine, values, changed, gave, own)
    written, lists = undo_writes(start), set(modified(held))
    traced = Branch(graph, leaves, written, lists, held, mine, gave, reached, as_it_was, structure)
    traced.check_names()
    return traced


def _leaf_of(x: Any, graph: Graph, is_part: bool) -> Leaf:
    """A leaf of what a branch gave; of what is there only if a later turn of a loop fills it."""
    leaf = leaf_after(known_there(x, is_part), graph)
    return replace(leaf, unreachable=True) if is_part and x is None else leaf


def like_the_other(branch: Branch, other: Branch) -> Branch:
    """A branch that never gives a result, with whatever the other one gives."""
    leaves = [replace(leaf, unreachable=True) for leaf in other.leaves]
    return replace(branch, leaves=leaves, structure=other.structure)


def both_alike(true: Branch, false: Branch) -> tuple[Branch, Branch]:
    """The branches with what they give in one form, as far as that can be."""
    before = None
    while true.structure != false.structure and (true.structure, false.structure) != before:
        before = true.structure, false.structure
        true, false = _alike(true, false), _alike(false, true)
    return true, false


def _alike(branch: Branch, other: Branch) -> Branch:
    """The branch with what it gives in the form that the other one gives it, where that can be."""
    with tracing_into(branch.graph):
        check_becoming(branch.gave, other.returned(), branch.as_it_was)
        returned = change(branch.returned(), other.returned())
        leaves, structure = nest.flatten(returned)
        leaves = [leaf_of(x, branch.graph) for x in leaves]
    return replace(branch, leaves=leaves, structure=structure)


def with_chosen_alike(true: Branch, false: Branch) -> tuple[Branch, Branch]:
    """The branches with members and functions by their number, where they give different ones."""
    chosen = differing(*([leaf.static for leaf in way.leaves] for way in (true, false)))
    if not chosen:
        return true, false
    return _by_number(true, chosen), _by_number(false, chosen)


def _by_number(branch: Branch, chosen: Mapping[int, tuple[Any, Any]]) -> Branch:
    with tracing_into(branch.graph):
        leaves, structure = nest.flatten(with_chosen(branch.returned(), chosen))
        leaves = [leaf_of(x, branch.graph) for x in leaves]
    return replace(branch, leaves=leaves, structure=structure)


def with_variables_read(true: Branch, false: Branch) -> tuple[Branch, Branch]:
    """The branches, with a variable that only one of them gives read at its end."""
    pairs = list(zip(true.leaves, false.leaves, strict=True))
    return (
        replace(true, leaves=[read_state(a, b, true.graph) for a, b in pairs]),
        replace(false, leaves=[read_state(b, a, false.graph) for a, b in pairs]),
    )
