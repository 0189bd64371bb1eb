"""Attributes and items outside that both the graph sets, and code that Python itself runs.

    with swap(options, 5.0):        # a generator, which sets `options.rate` and restores it
        if x > 0:
            options.rate = 7.0

While the function is traced they hold what either has set them to. What such code has set the graph
sets, too, where that code has run: of attributes and items, if traced code was found to set them.
"""
from __future__ import annotations

from ..ops.outer_variables import UNSET
from .anew import TracedAnew
from .outer_variables import tell_of
from .outside import note_variable, rebound, world_now
from .outside_errors import set_by_both
from .set_variables import Variable, part_of
from .staging import graph_now


def tell_what_python_set() -> None:
    """Lets the graph set what code of the user's has set that Python ran, outside of all blocks."""
    world, outside = rebound(), world_now()
    if world is None or graph_now().parent is not None:
        return
    _know_expected()
    for variable in world.all_held:
        if not (world.is_as_seen(variable) or world.bindings.are_of(variable.where)):
            tell_of(variable)
            told = f'changed {variable.shown!r} outside'
            outside.done_by_python = outside.done_by_python or told


def _know_expected() -> None:
    """What such code has set of what traced code sets later, the graph knows from now on."""
    world, owners = rebound(), world_now().held
    assert world is not None
    for where in world.expected:
        key, identity = where if isinstance(where, tuple) and len(where) == 2 else (None, 0)
        held = owners.get(identity)
        if held is None or world.known(where) is not None or key not in held.changes():
            continue
        variable = part_of(held.owner, key, f'{type(held.owner).__name__}.{key}')
        note_variable(variable, held.content.get(key, UNSET), lambda: None)
        world.seen[where] = held.content.get(key, UNSET)


def is_set_by_python(variable: Variable) -> bool:
    """Whether such code has set it, before anything told of the variable."""
    world, held = world_now(), world_now().held.get(id(variable.holder))
    return world.runs_python and held is not None and variable.name in held.changes()


def known_too_late(variable: Variable) -> BaseException:
    """What is raised where traced code sets what such code has set, of which the graph knows not.

    The trace begins anew, and lets the graph set it where that code has run.
    """
    world = rebound()
    assert world is not None
    if world.reads and variable.where not in world.expected:
        return TracedAnew(variable.where)
    return set_by_both(variable.shown)
