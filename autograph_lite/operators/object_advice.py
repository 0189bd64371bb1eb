"""What to write instead where objects of the user's classes are replaced, joined or changed."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.advice import as_dataclass
from ..pyct.asking import attributes


def by_number(kind: str, link: str = 'next') -> str:
    """What to write in place of objects that lead to each other.

    Args:
      kind: their class.
      link: an attribute that leads from one to another.
    """
    return (
        f'Keep them in a list, and in place of each link the number of one, -1 for None: '
        f'`i = nodes[i].{link}`, `nodes[i].{link} = j`. Where new ones are made, '
        f'{as_dataclass(kind)}.')


def of_links(called: str, objects: Sequence[Any]) -> str:
    """What to write where objects that lead to each other meet, or None; '' for other objects.

    Args:
      called: what the user calls the name in which they meet.
      objects: those that meet.
    """
    links = ((nest.kind_of(x).__name__, _link(x, _held(x), called)) for x in objects)
    return next((by_number(name, link) for name, link in links if link), '')


def of_one_or_none(x: Any) -> str:
    """What to write where one way gives an object, and the other None."""
    name = nest.kind_of(x).__name__
    return (
        f'Keep a bool that tells whether there is one, `there = True`, and name the {name} itself '
        f'where it is needed; or {as_dataclass(name)}.{_if_linked(name, _held(x))}')


def of_several_names(x: Any, before: Any = None) -> str:
    """What to write where an object is changed that may have another name.

    Args:
      x: the object.
      before: what it held by name before.
    """
    name, held = nest.kind_of(x).__name__, _held(x)
    if link := _link(x, held) or (isinstance(before, dict) and _link(x, before)):
        return by_number(name, link)
    attribute = next(iter(held), 'x')
    return (
        f'Change it on each way, before it is named so or put there: `p.{attribute} = ...`, then '
        f'`best = p`; or in its place, by its key or index: `ps[i].{attribute} = ...`; where a new '
        f'{name} takes its place, set the attributes of the one that there is; or take a copy '
        f'where it is put or named so: `best = copy.copy(p)`.{_if_linked(name, held)}')


def _if_linked(name: str, held: dict[str, Any]) -> str:
    """What to write where an attribute that is None leads to another object of the class."""
    return next((
        f' Where {link!r} leads to another {name}, k{by_number(name, link)[1:]}'
        for link, value in held.items() if value is None), '')


def leads_on(x: Any) -> StagingError:
    """The error for objects that lead to each other, one of which a name stands for."""
    kind = type(x).__name__
    what = (
        f'Which {kind} a name stands for only the running graph knows, and others lead to it, or '
        'it does itself.')
    return StagingError(describe(what, user_location(), by_number(kind)))


def _held(x: Any) -> dict[str, Any]:
    return {} if isinstance(x, nest.Nest) else attributes(x)


def _link(x: Any, held: dict[str, Any], path: str = '') -> str:
    """The attribute by which an object leads to others of its class, or is led to; or ''.

    Args:
      x: the object.
      held: what it holds by name.
      path: what the user calls it.
    """
    last = path.rpartition('.')[2]
    alike = (name for name, value in held.items() if nest.kind_of(value) is nest.kind_of(x))
    return last if last in held else next(alike, '')
