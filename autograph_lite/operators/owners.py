"""What holds values in what a staged block is given, told by where it is there.

A block works on copies of its own, whose parts are told by where they are in what was given.
What has several names has several places, and in the block perhaps a copy for each.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from .holders import Held, walk

# The number among what the block is given, the path from there, and the number among those with
# the same path.
Where = tuple[int, str, int]
# Where an owner is, and the name, number or key of one of the values that it holds.
Own = tuple[Where, Any]


def owners_in(given: tuple[Any, ...]) -> dict[Where, Held]:
    """All owners, each once, at its first place."""
    found: dict[int, tuple[Where, Held]] = {}
    for where, held in _owners(given):
        found.setdefault(id(held.owner), (where, held))
    return dict(found.values())


def by_place(given: tuple[Any, ...]) -> dict[Where, Held]:
    """What there is at every place."""
    return dict(_owners(given))


def _owners(given: tuple[Any, ...]) -> Iterator[tuple[Where, Held]]:
    for i, value in enumerate(given):
        times: Counter[str] = Counter()
        for held in walk(('', value)):
            yield (i, held.path, times[held.path]), held
            times[held.path] += 1
