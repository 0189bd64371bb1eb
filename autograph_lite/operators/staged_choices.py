"""A choice is staged: once more each time its branches need what they are given in another form."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..errors import OwnershipError, describe, user_location
from ..graph import nest
from ..graph.checkpoints import checkpoint, undo
from ..graph.tensor import Tensor
from ..graph.tracing import is_in_scope
from .aliases import OneForAll
from .blocks_around import with_places
from .by_identity import ByIdentity, by_identity_or_not, taken
from .choice_nodes import Choice, stage_once
from .given_back import GivesBack
from .holders import Holder, put_into
from .leaves import own_arrays
from .moved import staged_lists
from .opened import Opens, closed
from .picks import Picks
from .reaches import NotedViews, Reaches, with_whole_lists
from .restaging import Restage
from .staging import UNNAMED, graph_now, staging
from .view_bases import bases_after, bases_in
from .watched import rewatch


def stage(choice: Choice) -> Any:
    """Makes the choice a node; lists among the operands that a branch changes become staged."""
    kept = ByIdentity(choice.operands)
    if not kept.helps:
        return _stage(choice)
    return by_identity_or_not(
        choice.recalled, kept,
        lambda: taken(stage(choice.passing(kept.function, kept.given(choice.operands)))),
        lambda: _stage(choice))


def _stage(choice: Choice) -> Any:
    start, one = checkpoint(), OneForAll(choice.operands)

    def as_one() -> Any:
        return stage(choice.passing(one.function, one.once(choice.operands)))

    if one.begins_empty:  # copies would not tell of each other what is put into them
        try:
            return as_one()
        except OwnershipError:
            undo(start)
    try:
        return _stage_each(choice)
    except OwnershipError as error:
        undo(start)
        if not one.helps:
            raise
        choice.recalled.note_error(error)
        with choice.recalled.otherwise('as one', error):
            return as_one()


def _stage_each(choice: Choice) -> Any:
    start = checkpoint()
    try:
        with staging('the branches'):
            choice.recalled.check(choice.operands)
            return stage_once(choice)
    except Restage as restage:
        undo(start)
        restaged = restage.applied(choice.operands)
        choice.recalled.note(restage.again)
        with staged_lists(choice.operands, restaged) as held:
            return stage(replace(choice, operands=held))
    except Reaches as reaches:
        undo(start)
        return _stage_reaching(reaches, choice)
    except OwnershipError as error:
        places = bases_after(error, start, choice.operands, choice.bases)
        if not places:
            raise
        NotedViews(choice.recalled, choice.operands, places)
        with choice.recalled.otherwise('with bases', error):
            return stage_with(places, choice)
    except Opens as opens:
        undo(start)
        choice.recalled.note(opens.again)
        return closed(_stage_each(choice.passing(opens.function)))
    except Picks as picks:
        undo(start)
        if picks.is_lasting:
            choice.recalled.note(picks.again)
        choice = replace(choice, recalled=choice.recalled.sharing('picking'))
        return picks.named(_stage_each(choice.passing(picks.function)))
    except GivesBack as back:
        undo(start)
        choice.recalled.note(back.again)
        return _stage_giving_back(back, choice)


def _stage_giving_back(back: GivesBack, choice: Choice) -> Any:
    """Stages a choice whose branches change operands that they do not return."""
    names = choice.called() or [UNNAMED]
    passed = choice.given()
    more = [passed[i] if passed else UNNAMED for i in back.numbers]
    is_one = len(names) == 1

    def giving(branch: Callable[..., Any]) -> Callable[..., Any]:
        return back.function(branch, is_one)

    results = stage(choice.passing(giving, names=[*names, *more]))[: len(names)]
    return results[0] if is_one else results


def _stage_reaching(reaches: Reaches, choice: Choice) -> Any:
    """Stages a choice whose branches change what they were not given: see `Reaches`."""
    start, places = checkpoint(), reaches.not_among(choice.lent)
    if not reaches.has_failed:
        known = choice.recalled.inside_now() if reaches.replaced else {}
        noted = NotedViews(choice.recalled, choice.operands, places, reaches.replaced)
        try:
            return with_whole_lists(places, lambda places: stage_with(places, choice))
        except OwnershipError:
            if not reaches.replaced:
                raise
            undo(start)
            noted.has_failed = True
            choice.recalled.instead('left', known)
    return _stage_each(replace(
        choice, left=choice.left.union(reaches.replaced), recalled=choice.recalled.other('left')))


def _of_a_copy(name: str) -> OwnershipError:
    """The error for a part of an object outside in whose place another branch may put one."""
    variable = name.partition('.')[0]
    what = f'A branch changes {name}, and another one may have put a new object there.'
    fix = (
        f'Change one under a name of the function, and put that there in the end: '
        f'`own = copy.copy({variable})`, `{variable} = own`.')
    return OwnershipError(describe(what, user_location(), fix))


def stage_with(places: Sequence[Holder], choice: Choice) -> Any:
    """Stages a choice whose branches change these places as well."""
    names = choice.called()
    size = len(names)

    def passing(branch: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(branch)
        def run(*given: Any) -> Any:
            returned, after = with_places(places, branch, given)
            return (*(returned if size > 1 else (returned,)), *after)

        return run

    start = checkpoint()
    more = [place.name for place in places]
    held = [own_arrays(place.read(), place.name) for place in places]
    for place, x in zip(places, held, strict=True):
        leaves = (leaf for leaf in nest.flatten(x)[0] if isinstance(leaf, Tensor))
        if not all(map(is_in_scope, leaves)):
            raise _of_a_copy(place.name)
    choice = replace(
        choice, lent=choice.lent.union(place.identity for place in places),
        parameters=[*known, *more] if (known := choice.given()) else (),
        bases=(*choice.bases, *bases_in(places)))
    results = stage(choice.passing(
        passing, (*choice.operands, *held), [*(names or [UNNAMED]), *more]))
    put_into(places, results[-len(places) :])
    rewatch(graph_now(), start)
    results = results[: -len(places)]
    return results if size > 1 else results[0]
