"""Errors about values that meet and do not join: both of them, and the lines that give them."""
from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Sequence
from enum import Flag
from typing import TYPE_CHECKING, Any

import numpy as np

from ..converters.callees import is_of_library
from ..errors import Location, StagingError, describe, excerpt, user_location, with_article
from ..graph import nest
from ..graph.types import ListType, ObjectType, TensorType
from ..pyct.asking import get_attribute
from ..pyct.assignments import assignments, begins_as_number
from ..pyct.returns import returns_at
from .contents import content, is_object
from .live_types import live_might_help
from .object_advice import by_number, of_links, of_one_or_none
from .staging import UNNAMED, is_made, shown

if TYPE_CHECKING:
    from .leaves import Leaf

# How messages call the two ways.
Ways = tuple[str, str]

_MOST_RETURNS = 6


def disagreement(name: str, a: Leaf, b: Leaf, ways: Ways, reason: str = '') -> StagingError:
    """The error for two leaves that do not join: both types, and where each came from."""
    here = user_location()
    name = UNNAMED if name == '_' else name  # what an item is set to is stored in that first
    returns = _returns(name, here)
    called = shown(name, bool(returns))
    other = _other(b) if str(a) == str(b) else str(b)
    what = f'{called} is {a} {ways[0]} and {other} {ways[1]}{": " + reason if reason else ""}.'
    sites = [leaf.site for leaf in (a, b) if leaf.site and leaf.site != here]
    fix = _fix(name, called, a, b, bool(returns), reason, here)
    error = StagingError(_meeting(what, name, here, sites, returns, fix))
    error.meets = a.type, b.type
    return error


def _fix(
    name: str, called: str, a: Leaf, b: Leaf, is_returned: bool, reason: str, here: Location | None
) -> str:
    """What to write instead.

    Args:
      name: the variable in which they meet.
      called: how messages call it.
      a: what one way gives.
      b: what the other way gives.
      is_returned: whether they are what the function returns.
      reason: why they do not join; empty if only their types differ.
      here: the place of the statement.
    """
    give = 'Return' if is_returned else f'Give {called}'
    everywhere = 'every way' if is_returned else 'both ways'
    kinds = [type(leaf.type) for leaf in (a, b)]
    statics = [leaf.static for leaf in (a, b) if leaf.value is None]
    if name in ('`and`', '`or`'):
        return (
            f'{name} gives one of its operands: write `a if test else b` for one of two values, '
            '`bool(...)` around each where only their truth is asked for, or give them one type.'
        )
    if all(map(_is_dtype, (a.static, b.static))):
        return (
            'An array has one dtype in a graph: give both ways one that holds the values of both, '
            f'np.{np.result_type(a.static, b.static)}.')
    if callable(a.static) and callable(b.static) and not any(map(_containers, statics)):
        return 'Call it on each way, so that both give what it returns.'
    if collection := next(filter(None, map(_collection, statics)), ''):
        put = 'update' if collection == 'set' else 'extend'
        if is_returned or ' ' in called:
            add = 'add' if collection == 'set' else 'append'
            return (
                f'Make one {collection} before the branches, `found = {collection}()`, let each '
                f'way put into it what it has, `found.{add}(x)`, and return that. A function that '
                'calls itself is given it, `def f(n, found):`, and each call puts something into '
                'it.'
            )
        return (
            f'Let {called} be one {collection} all the time, and change what is in it: '
            f'`{called}.clear()`, `{called}.{put}(new)`.'
        )
    if any(type(x) is object or x is ... for x in statics):
        return (
            f'A graph joins None with a value, and no other object: let {called} begin as None, '
            'and ask `is None`; where None is one of its values, keep a bool beside it.')
    if len(statics) == 2 and all(x is None or _holds_more(x) for x in statics):
        live_might_help()
        return _one_object(called, [x for x in statics if x is not None])
    if ObjectType in kinds or ListType in kinds or any(isinstance(x, str) for x in statics):
        return f'{give} one type on {everywhere}.'
    if a.type is None or b.type is None:
        return f'{give} an array or a number of one type on {everywhere}.'
    if 'axes' in reason:
        how = _reshaping(a.type, b.type)
        return f'{give} as many axes on {everywhere}, for example with {how}.'
    is_of_floats = {a.type.dtype.kind, b.type.dtype.kind} == {'i', 'f'}
    how = f'with `.astype({"float" if is_of_floats else "..."})`'
    if here is not None and begins_as_number(name, here):
        how += f', or let it begin as None and ask `if {name} is None or ...`'
    return f'{give} one type on {everywhere}, for example {how}.'


def _is_dtype(x: Any) -> bool:
    """Whether it is a dtype, or the class of one."""
    return isinstance(x, np.dtype) or (isinstance(x, type) and issubclass(x, np.generic))


def _collection(x: Any) -> str:
    """The class of Python's set or deque that something is, or stands for; empty for the rest."""
    if type(x) is frozenset:
        return 'set'  # which can be one all the time
    kind = get_attribute(type(x), 'python_class', type(x) if type(x) in (set, deque) else None)
    return '' if kind is None else str(kind.__name__)


def turn_error(
    joined: Sequence[tuple[str, TensorType, TensorType]], error: BaseException
) -> StagingError:
    """The error for a turn of a loop that raises one, for the types that the turn before it gives.

    Args:
      joined: the variables that have other types then, with those before the loop and in a turn.
      error: what the turn raises.
    """
    changes = [f'{name} is {a} before the loop and {b} after a turn' for name, a, b in joined]
    name = joined[0][0]
    return StagingError(
        describe(
            f'{"; ".join(changes)}. A turn that starts with that raises a TypeError: {error}.',
            user_location(),
            f'Keep {name} of one type, and give what a turn computes of another a name of its '
            'own; or, for a loop of at most one turn, write `if`.',
        )
    )


def _one_object(called: str, objects: Sequence[object]) -> str:
    """What to do where each way gives an object of the user's, or one does and the other None."""
    kinds = list(map(type, objects))
    name = kinds[0].__name__
    if issubclass(kinds[0], Flag):
        return f'Keep the number of the {name}, `.value`: the members of a Flag are not staged.'
    if issubclass(kinds[0], (str, bytes)):
        base = 'str' if issubclass(kinds[0], str) else 'bytes'
        return (
            f'A {base} of the graph has no class of its own: choose a plain `{base}`, and ask a '
            f'function for what {name} does.'
        )
    if kinds[0] is not kinds[-1]:
        return (
            f'The two ways give objects of two classes: make one {name} for both, and choose '
            'what it holds, such as an attribute that says which of the two it stands for.'
        )
    if linked := of_links(called, objects):
        return linked
    held = next(filter(None, map(_containers, objects)), [])
    if any(_holds_more(part) for x in objects for key in held for part in _parts(x, key)):
        return (
            f'{with_article(name, begins=True)} is joined where its attributes hold no lists, '
            f'dicts or sets of objects: let {held[0]!r} hold the numbers of these in a list of '
            'them all, `o.others = [i, j]`, and take them from that, `everyone[j]`.'
        )
    if len(objects) == 1 and not held:
        return of_one_or_none(objects[0])
    example = ''
    if held and called.isidentifier():
        example = f', as by `{called}.{held[0]} = other.{held[0]}`'
    return (
        f'{with_article(name, begins=True)} is joined where its attributes hold no lists, '
        f'dicts or sets: make one {name}, and choose what it holds{example}.'
    )


def _other(b: Leaf) -> str:
    """How messages call the second of two objects that they call the same."""
    held = _containers(b.static)
    own = f', with its own `{held[0]}`,' if held else ''
    return str(b).replace('one ', 'another ', 1) + own


def _containers(x: object) -> list[str]:
    """The attributes of an object of the user's in which there are lists, dicts or sets."""
    if not _holds_more(x):
        return []
    return [
        str(name) for name, value in (content(x) or {}).items()
        if isinstance(value, (list, dict, set, nest.Mutable))]


def _parts(x: object, key: str) -> Sequence[object]:
    """What a list or dict holds that is an attribute of an object."""
    return nest.children(nest.actual((content(x) or {}).get(key)))


def _holds_more(x: object) -> bool:
    """Whether it is an object of the user's."""
    return is_object(x) and not is_of_library(type(x))


def structure_error(
    a: nest.Structure, b: nest.Structure, names: Sequence[str], ways: Ways
) -> StagingError:
    """The error for results that are nested differently."""
    live_might_help()
    name = names[0] if len(names) == 1 else UNNAMED
    if len(names) == len(a.children) == len(b.children) > 1:
        differing = zip(a.children, b.children, names, strict=True)
        a, b, name = next(each for each in differing if each[0] != each[1])
    a, b, path = nest.difference(a, b, name)
    here = user_location()
    returns = _returns(name, here)
    called = shown(path, bool(returns))
    what = f'{called} is {a} {ways[0]} and {b} {ways[1]} (`*` stands for a value).'
    fix = 'Give it the same structure on both ways.'
    if returns:
        fix = 'Return the same structure on every way.'
    link = _link(a) or _link(b)
    fix = by_number(*link) if link else fix + _of_structures(path, a, b)
    return StagingError(_meeting(what, name, here, (), returns, fix))


def _of_structures(path: str, a: nest.Structure, b: nest.Structure) -> str:
    """What helps where two structures differ in this way."""
    one = a if b == nest.LEAF else b
    if nest.LEAF in (a, b):
        if dataclasses.is_dataclass(one.type) and not is_of_library(one.type):
            names = [field.name for field in dataclasses.fields(one.type)]
            example = f', `{path}.{names[0]} = ...`' if names and ' ' not in path else ''
            return (
                f' Where it is a {one.type.__name__} from outside that another one replaces, set '
                f'the attributes of the one that there is{example}.')
        if _holds(one, list, dict):
            return (
                ' What may be None holds tuples, or arrays (`np.array(items)`), in place of lists.')
    if a.type is b.type is tuple and len(a.children) != len(b.children):
        return ' A tuple that grows is a list here: `items.append(x)`, and `tuple(items)` after it.'
    if a.type is b.type is list:
        return (
            ' A list that grows or shrinks there has elements of one form: numbers, texts, arrays, '
            'tuples or dataclasses, and of other objects their numbers in a list of them all.')
    return ''


def _link(structure: nest.Structure) -> tuple[str, str] | None:
    """The class of dataclasses that lead to each other, and the field by which they do."""
    for name, part in zip(structure.keys, structure.children, strict=False):
        if structure.type and _holds(nest.Structure(None, (), (part,)), structure.type):
            return structure.type.__name__, str(name)
    return next(filter(None, map(_link, structure.children)), None)


def _holds(structure: nest.Structure, *types: type[Any]) -> bool:
    return any(part.type in types or _holds(part, *types) for part in structure.children)


def grows(name: str) -> StagingError:
    """The error for state of a loop that holds, after each turn, what it was before it."""
    return StagingError(
        describe(
            f'{shown(name)} is nested deeper with each turn of the loop: it holds what it was '
            'before.',
            user_location(),
            'Keep what the turns give in a list: `items.append(x)`.',
        )
    )


def _returns(name: str, here: Location | None) -> list[Location]:
    """Where the user's function gives what meets here, if it returns that."""
    if here is None or not (name.startswith(UNNAMED) or is_made(name)):
        return []
    return returns_at(here, anywhere=is_made(name))[:_MOST_RETURNS]


def _reshaping(a: TensorType, b: TensorType) -> str:
    if () not in (a.shape, b.shape):
        return '`.reshape(...)`'
    array = a if a.shape else b
    if array.shape is None or None in array.shape:
        return '`np.full_like(x, ...)`, of an array of that shape, where it is a number'
    return f"`np.full({array.shape}, ..., '{array.dtype}')` where it is a number"


def _meeting(
    what: str,
    name: str,
    here: Location | None,
    sites: Sequence[Location],
    returns: Sequence[Location],
    fix: str,
) -> str:
    """A message about values that meet, with the places where they are made."""
    what = what[0].upper() + what[1:] if what.startswith(('what is', 'the result')) else what
    if returns:
        known = {site.line for site in returns}
        others = [site for site in sites if site.line not in known]
        places = sorted((*returns, *others), key=lambda site: site.line)
        return '\n'.join([what, *map(excerpt, places), fix])
    lines = [what]
    if here is not None:
        lines.append(excerpt(here))
        seen = {here.line, *(site.line for site in sites)}
        places = [place for place in assignments(name, here) if place.line not in seen]
        if len(sites) < 2:
            sites = sorted((*sites, *places), key=lambda site: site.line)
        lines += map(excerpt, sites)
    return '\n'.join([*lines, fix])
