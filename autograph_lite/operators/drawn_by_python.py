"""Random generators that code draws from, seeds or makes which Python runs as it is.

    for step in walk(rng):      # a generator, which draws from `rng`
        x = x + step

Such code draws while the function is traced: each call is traced anew. The graph draws after that.
"""
from __future__ import annotations

import itertools
import pickle
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import OwnershipError, describe, kind_of, user_location, with_article
from ..ops.random import is_generator
from ..pyct.asking import get_attribute
from .outside import lives_outside, world_now
from .staging import graph_now
from .world import World


def note_generators() -> None:
    """Notes in which state the random generators outside are: such code goes on."""
    world = world_now()
    if not world.runs_python or 'numpy.random' not in sys.modules:
        return
    drawn = world.drawn
    for generator in _found(world):
        drawn.known.setdefault(id(generator), (generator, _state(generator)))
    if graph_now().parent is not None:
        drawn.begun = {key: (each, _state(each)) for key, (each, _) in drawn.known.items()}


def _found(world: World) -> Iterator[Any]:
    """The random generators outside that were not looked at before."""
    drawn = world.drawn
    if not drawn.known:
        yield _of_numpy()
    for key, x in list(itertools.islice(world.known.items(), drawn.looked_at, None)):
        held = world.held.get(key)
        yield from filter(is_generator, (x, *(held.content.values() if held else ())))
    drawn.looked_at = len(world.known)


def note_drawn(function: Any) -> None:
    """The graph draws by a function of `np.random`, or by a method of a generator."""
    if function is np.random.default_rng or isinstance(function, type):
        return  # it makes one when the graph runs
    owner = get_attribute(function, '__self__')
    generator = owner if is_generator(owner) else _of_numpy()
    world = world_now()
    if id(generator) in world.drawn.used:
        return
    world.drawn.used[id(generator)] = generator, _state(generator)
    is_of_numpy = generator is _of_numpy()
    if world.runs_python and not is_of_numpy and not lives_outside(generator):
        world.done_by_python = world.done_by_python or f'made {kind_of(generator)}'


def check_drawn() -> None:
    """Such code has run, and has not drawn what the graph would draw before it.

    Raises:
      OwnershipError: it has; or it drew in a staged block.
    """
    world = world_now()
    if not world.runs_python:
        return
    drawn, is_in_block = world.drawn, graph_now().parent is not None
    begun = drawn.begun.values() if is_in_block else ()
    for generator, state in (*begun, *drawn.used.values()):
        if _state(generator) != state:
            raise _drawn(generator, is_in_block)


def drawn_from(world: World) -> list[tuple[Any, bytes]]:
    """The random generators outside that such code has drawn from, or seeded; their states."""
    return [(each, state) for each, state in world.drawn.known.values() if _state(each) != state]


def set_back(generator: Any, state: bytes) -> None:
    """Puts a random generator into a state in which it was."""
    if isinstance(generator, np.random.RandomState):
        generator.set_state(pickle.loads(state))
    else:
        generator.bit_generator.state = pickle.loads(state)


def _state(generator: Any) -> bytes:
    if isinstance(generator, np.random.RandomState):
        return pickle.dumps(generator.get_state(legacy=False))
    return pickle.dumps(generator.bit_generator.state)


def _of_numpy() -> Any:
    """The random generator that the functions of `np.random` draw from."""
    return get_attribute(np.random.normal, '__self__')


def _drawn(generator: Any, is_in_block: bool) -> OwnershipError:
    where = 'in a branch or a loop' if is_in_block else 'after the function has drawn from it'
    return OwnershipError(describe(
        f'{with_article(type(generator).__name__, True)} is drawn from, or seeded, {where}, by a '
        'generator or other code that does not convert: that does so while tracing, before the '
        'graph draws.',
        user_location(),
        'Draw from it in the function itself, or in functions that convert; or from another one, '
        'such as `rng = np.random.default_rng(seed)` in the function.'))
