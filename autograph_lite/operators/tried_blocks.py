"""A `try` block while it is traced: what it changes so early that it raises only after that."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from ..graph import nest
from ..graph.graph import Graph, Node
from ..graph.nest_contents import Contents
from ..graph.tensor import Tensor
from ..graph.tracing import UNWRAP
from .class_tests import type_of
from .contents import content
from .holders import Held, Holder, walk
from .in_flight import Followed
from .kept import Kept
from .kept_variables import half_done
from .likely_errors import is_always_right
from .made_by import is_made_by_first, maker
from .outer_variables import (
    VariablePlace,
    is_found_by_graph,
    is_told_of,
    place_of_variable,
    variables_changed,
)
from .outside import lives_outside, without_variables
from .owners import owners_in
from .raised_by import node_may_raise
from .set_variables import Variable as OuterVariable
from .set_variables import variables_set_by_block
from .staging import graph_now
from .unbound import Unbound


class TriedBlock(Followed):
    """What a `try` block may change so early that it raises only after that.

    Args:
      body: the block.
      shared: gives the variables that it changes early, as far as its text tells.
      values: those that it changes, early or late.
      errors: the exceptions that a handler is for.
      kept: the variables and places that are followed.
    """

    def __init__(
        self,
        body: Callable[..., Any],
        shared: Callable[[], tuple[Any, ...]],
        values: Any,
        errors: tuple[type[BaseException], ...],
        kept: Kept,
    ) -> None:
        self._kept = kept
        self._shared = shared
        self._errors = errors
        self._before = self._shared()
        self._values = values
        self._given = owners_in(values)
        late = {id(held.owner) for held in self._given.values()}
        read = ((kept.name(i), value) for i, value in enumerate(self._before))
        by_body = list(walk(('', body)))
        self._reached = [*by_body, *walk(*read)]
        self._held = [
            self._without_known(held, body) if isinstance(held.owner, FunctionType) else held
            for held in self._reached if id(held.owner) not in late]
        self._changed = len(variables_changed())
        self._early: set[tuple[int, Any]] = set()
        self._variables = {
            id(cell) for held in by_body if isinstance(held.owner, FunctionType)
            for cell in held.owner.__closure__ or ()}
        kept.before_raising, kept.takes = self._note, self._takes

    def _without_known(self, held: Held, body: Callable[..., Any]) -> Held:
        """The variables around a function, but for those that are followed otherwise."""
        f: FunctionType = held.owner
        own = {each.where for each in variables_set_by_block(body)}
        return held.without(frozenset(
            key for key in held.content
            if not isinstance(key, int) or is_told_of(f, key)
            or (f.__code__.co_freevars[key], id(f.__closure__[key])) in own  # type: ignore[index]
            or self._kept.shares(held.place(key).identity)))

    def _takes(self, graph: Graph, places: Sequence[Holder], containers: Contents) -> bool:
        """Whether the handlers find what a block has changed by the time that it raises.

        Raises:
          MoreToKeep: they do, once it is kept.
          Restage: the same, of a list that grows.
        """
        if not any(map(self.may_raise, graph.nodes)):
            return True
        given = {id(held.owner): where for where, held in self._given.items() if held.is_object}
        reached = {id(held.owner) for held in self._held if held.is_object}
        others, own = [], []
        for place in places:
            owner = place.owner
            if isinstance(owner, FunctionType):
                if place.identity[0] in self._variables:
                    others.append(place)
            elif id(owner) in given:
                own.append((given[id(owner)], place.key))
            elif id(owner) in reached or isinstance(place, VariablePlace):
                others.append(place)
            else:
                return False
        for owner, before in {id(x): (x, content(before)) for x, before in containers}.values():
            where = self._kept.where(owner)
            if where is None or nest.actual(owner) is not owner or isinstance(owner, nest.Mutable):
                return False
            self._kept.check_form(where, owner, before)
            own += [(where, key) for key, x in content(owner).items() if before[key] is not x]
        self._kept.add(others, own)
        return True

    def _note(self) -> None:
        """Before what may raise: what is changed by now."""
        for held in (*self._given.values(), *self._held):
            if held.is_changed:
                self._early.update(
                    (id(held.owner), key) for key, value in held.changes().items()
                    if not _is_read(held.content.get(key), value))

    def state(self) -> list[tuple[int, Any, Any]]:
        found: list[tuple[int, Any, Any]] = [(0, i, x) for i, x in enumerate(self._shared())]
        leaves = nest.flatten(self._values)[0]
        found += [(1, i, x.held) for i, x in enumerate(leaves) if isinstance(x, Tensor)]
        for held in (*self._given.values(), *self._held):
            found += [(id(held.owner), key, x) for key, x in held.changes().items()]
        return [*found, *((id(each), each.name, each.read()) for each in self._others())]

    def _others(self) -> list[OuterVariable]:
        """The variables outside that what the block calls has set, as its text does not tell."""
        found = variables_changed()[self._changed :]
        return [
            each for each in found
            if not (self._kept.shares(each.where) or is_found_by_graph(each.where))]

    def may_raise(self, node: Node) -> bool:
        return node_may_raise(node, self._errors)

    def _raises_in(self, block: Node) -> bool:
        """Whether anything in it may raise but sums of whole numbers, such as count a dict's keys.
        """
        return any(
            self.may_raise(node) and not is_always_right(node)
            for node in block.walk() if not node.graphs)

    def check(self, surely: bool) -> None:
        """It has changed nothing so early but what is kept; `surely` it raises at its end.

        Raises:
          MoreToKeep: it has changed what can be kept.
          StagingError: it has changed anything else.
        """
        nodes = graph_now().nodes
        raising = [i for i, node in enumerate(nodes) if node_may_raise(node, self._errors)]
        last = len(nodes) if surely else max(raising, default=-1)
        if last < 0:
            return
        after = set(nodes[last + 1 :])
        blocks = {nodes[i] for i in raising if nodes[i].graphs and self._raises_in(nodes[i])}

        def changed_early(held: Held) -> list[Any]:
            # What a block changes, and where in it something may raise, is not seen from outside.
            return [
                key for key, value in held.changes().items()
                if not is_found_by_graph((key, id(held.owner)))
                and (surely or (id(held.owner), key) in self._early
                or any(maker(leaf) in blocks for leaf in nest.flatten(value)[0]))]

        for i, (before, now) in enumerate(zip(self._before, self._shared(), strict=True)):
            if before is not now and not self._kept.keeps(i) and maker(now) not in after:
                raise half_done(self._kept.name(i))
        self._kept.check_left(self.may_raise)
        times = Counter(each.where for each in self._others())
        places: list[Holder] = [
            place_of_variable(variable)
            for variable in {each.where: each for each in self._others()}.values()
            if maker(variable.read()) not in after
            and (times[variable.where] > 1 or not is_made_by_first(variable.read(), nodes[last:]))]
        for held in map(without_variables, self._held):
            keys = changed_early(held)
            if keys and not held.is_object and not isinstance(held.owner, FunctionType):
                self._kept.lend(self._lent_for(held))
            places += map(held.place, keys)
        for where, held in self._given.items():
            if isinstance(held.owner, nest.Mutable) and changed_early(held):
                kind = type_of(held.owner)
                raise half_done(self._kept.path(where), issubclass(kind, dict))
        own = [
            (where, key) for where, held in self._given.items()
            if held.is_object or _has_other_items(held)
            for key in changed_early(held)]
        self._kept.add(places, own)

    def _lent_for(self, changed: Held) -> list[Holder]:
        """The places, as one, of a list or dict that is changed, or of one around it.

        Raises:
          StagingError: there is none, or it lives outside the function that is traced.
        """
        x = changed.owner
        if not isinstance(x, (list, dict)) or lives_outside(x):
            raise half_done(changed.path)
        places = [
            (held, held.place(key)) for held in self._reached for key, value in held.content.items()
            if nest.actual(value) is nest.actual(x)]
        around = [held for held, _ in places if isinstance(held.owner, (list, dict, tuple))]
        if around:
            return self._lent_for(around[0])
        if not places or not all(held.can_be_put for held, _ in places):
            raise half_done(changed.path)
        (_, first), *others = places
        return [first.together_with([place for _, place in others])]


def _is_read(before: Any, now: Any) -> bool:
    """Whether it is what was there before, which is read now, and had no value on some way."""
    node = maker(now)
    if not isinstance(before, Unbound) or node is None or node.op is not UNWRAP:
        return False
    return before.tensor is not None and node.inputs[0] is before.tensor.held


def _has_other_items(held: Held) -> bool:
    """Whether it is a list or dict that may hold other values, at the places that it had before."""
    owner = held.owner
    return (
        isinstance(owner, (list, dict)) and nest.actual(owner) is owner
        and held.now().content.keys() == held.content.keys())
