"""Dicts that two ways give other keys: what they become; and dicts of Python's library.

A `defaultdict` or a `Counter` that the traced function makes is a staged one from the start.
"""
from __future__ import annotations

from collections import ChainMap, Counter, OrderedDict, defaultdict
from collections.abc import Iterator
from functools import partial, reduce
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from .comprehensions import each
from .conditionals import cond
from .deques import Deque
from .dict_methods import DictMethods
from .dicts import ABSENT, StagedDict, form_of, real_dict
from .filling import fill, taken
from .folding import Folding
from .gone_through import pairs
from .growing_dicts import GrowingDict
from .grown_dicts import can_be_grown, grown_like
from .listing import gathered
from .living_lists import as_now
from .staging import unchanged
from .unbound import unbound
from .whole_reads import check_whole


def staged_dict(before: Any, after: Any) -> StagedDict | GrowingDict:
    """A dict as one that may have the keys of another, too.

    Args:
      before: the dict; real or staged.
      after: what it is on another way.
    """
    if isinstance(after, GrowingDict):
        return grown_like(before, after)
    mine, others = form_of(before), form_of(after)
    if isinstance(before, StagedDict):
        staged = before.copy()
    else:
        staged = StagedDict(type(before), None, {}, dict(mine), dict(before), len(before))
    staged.certain = {
        key: n for key, n in mine.items() if n is not None and n == others.get(key)}
    for key in others:
        if key not in mine:
            staged.numbers[key], staged.held[key] = ABSENT, unbound()
    return staged


def is_dict_to_stage(before: Any, after: Any) -> bool:
    """Whether a dict differs from another in the keys that it has, or may have."""
    if isinstance(after, GrowingDict):
        return can_be_grown(before, after)
    kinds = {nest.kind_of(before), nest.kind_of(after)}
    if len(kinds) > 1 or not (_is_dict(before) and _is_dict(after)):
        return False
    if not isinstance(before, StagedDict):
        return isinstance(after, StagedDict) or list(before) != list(after)
    mine, others = form_of(before), form_of(after)
    return not others.keys() <= mine.keys() or any(
        number is not None and number != others.get(key) for key, number in mine.items())


def _is_dict(x: Any) -> bool:
    return isinstance(x, StagedDict) or type(x) in (dict, OrderedDict)


def dict_display(*parts: Any) -> Any:
    """`{**a, k: v, **b}`: the dict of the parts, in turn."""
    parts = tuple(pairs(as_now(nest.actual(part))) for part in parts)
    check_whole(*parts)
    if any(isinstance(part, GrowingDict) for part in parts):
        return reduce(fill, parts, {})
    if not any(isinstance(part, StagedDict) and part.unsure() for part in parts):
        return {key: value for part in parts for key, value in {**part}.items()}
    found = StagedDict(dict, None, {}, {}, {}, 0)
    for part in parts:
        merge(found, part)
    return found


def merge(staged: StagedDict, other: Any) -> None:
    """`staged.update(other)`; keys that are new to it come in the order that they have there."""
    if not isinstance(other, StagedDict) or not other.unsure():
        for key, value in {**other}.items():
            staged[key] = value
        return
    start = staged.next
    for key, number in other.numbers.items():
        is_there, is_known = other.has(key), staged.has(key)
        if is_there is False:
            continue
        before = staged.numbers.get(key, ABSENT)
        new = _chosen(is_known, before, start + number)
        held = other.held[key] if is_there is not True else other.value_of(key)
        if is_there is not True and is_known is not False:
            held = cond(is_there, partial(unchanged, held), partial(unchanged, staged.held[key]))
        staged.numbers[key] = _chosen(is_there, new, before)
        staged.held[key] = held
    staged.next = start + other.next


def _chosen(test: Any, true: Any, false: Any) -> Any:
    if not isinstance(test, Tensor):
        return true if test else false
    return cond(test, lambda: true, lambda: false)


@replaces(dict)
def _dict(*args: Any, **more: Any) -> Any:
    """`dict(...)`."""
    args = tuple(map(_given, args))
    if len(args) == 1 and isinstance(args[0], StagedDict) and args[0].unsure():
        copy = args[0].copy()
        copy.kind, copy.factory = dict, None
        copy.update(more)
        return copy
    made, args = _filled({}, args, more)
    return dict(*args, **more) if made is None else made


def _given(x: Any) -> Any:
    """What a dict is made of: what is in a deque, or in a dict outside, as it is now."""
    return x.listed if isinstance(x, Deque) else as_now(x)


def _filled(
    made: Any, args: tuple[Any, ...], more: dict[str, Any]
) -> tuple[Any, tuple[Any, ...]]:
    """A dict of what only the running graph knows the keys of; None for any other.

    Returns:
      The dict, and what another one is made of: an iterator has been gone through.
    """
    args = tuple(map(_given, args))
    if len(args) != 1 or not is_tracing():
        return None, args

    other, is_staged = taken(made, args[0])
    if is_staged:
        return fill(fill(made, other), more), ()
    return None, (other,) if isinstance(args[0], Iterator | Folding) else args


@replaces(defaultdict)
def _defaultdict(factory: Any = None, *args: Any, **more: Any) -> Any:
    """`collections.defaultdict(factory, ...)`."""
    made, args = _filled(dict_of_class(defaultdict, factory, {}), args, more)
    return dict_of_class(defaultdict, factory, _dict(*args, **more)) if made is None else made


@replaces(Counter)
def _counter(*args: Any, **more: Any) -> Any:
    """`collections.Counter(...)`."""
    made, args = _filled(dict_of_class(Counter, None, Counter()), args, more)
    return dict_of_class(Counter, None, Counter(*args, **more)) if made is None else made


@replaces(OrderedDict)
def _ordered_dict(*args: Any, **more: Any) -> Any:
    """`collections.OrderedDict(...)`."""
    made, args = _filled(OrderedDict(), args, more)
    return OrderedDict(*args, **more) if made is None else made


@replaces(ChainMap)
def _chain_map(*maps: Any) -> Any:
    """`collections.ChainMap(...)`.

    Raises:
      StagingError: only the running graph knows which of the dicts has a key.
    """
    if any(isinstance(nest.actual(x), DictMethods) for x in maps):
        raise StagingError(describe(
            'Only the running graph knows which of the dicts of a ChainMap has a key.',
            user_location(), 'Make one dict, the first last: `{**defaults, **given}`.'))
    return ChainMap(*maps)


@replaces(dict.fromkeys)
def _from_keys(keys: Any, value: Any = None) -> Any:
    """`dict.fromkeys(keys, value)`."""
    made = None
    if is_tracing():
        keys = gathered(keys)
        made, _ = _filled({}, (each(lambda key: (key, value), keys),), {})
    return dict.fromkeys(keys, value) if made is None else made


def dict_of_class(kind: type[Any], factory: Any, held: Any) -> Any:
    """A dict of a class; while tracing, what stands for it."""
    if not is_tracing():
        return real_dict(kind, factory, held)
    staged = staged_dict(held, held)
    staged.kind, staged.factory = kind, factory
    return staged
