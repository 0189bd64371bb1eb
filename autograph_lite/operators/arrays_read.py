"""Arrays outside that the graph reads, and that code changes meanwhile which Python runs itself.

    with filled():              # a generator, which fills ARRAY and restores it
        y = ARRAY.sum() * x

Such code does all that it does while the function is traced: the graph would read the array after
that. What arrays hold is noted before such code goes on, and compared with at the end.
"""
from __future__ import annotations

from ..errors import OwnershipError, describe
from ..graph.graph import Graph, Node
from .leaves import enclosing
from .noted_arrays import read_by
from .outside import world_now
from .outside_errors import modifies_outside
from .staging import graph_now


def note_arrays_read() -> None:
    """Notes what the arrays hold that the graph reads so far: code goes on that Python runs."""
    world = world_now()
    if world.runs_python or world.arrays.named:
        for graph in enclosing(graph_now()):
            world.arrays.note_read(graph, is_any=world.runs_python)


def check_arrays_of_block() -> None:
    """Such code has changed no array in a staged block, which may run any number of times.

    Raises:
      OwnershipError: it has.
    """
    changed = world_now().arrays.changed_now
    if changed and graph_now().parent is not None:
        raise modifies_outside(changed[0])


def check_arrays_read(graph: Graph) -> None:
    """At the end of a trace, they hold what they held.

    Raises:
      OwnershipError: one does not.
    """
    changed = world_now().arrays.changed_after_read
    for node in graph.walk() if changed else ():
        if id(read_by(node)) in changed:
            raise _changed(node)


def _changed(node: Node) -> OwnershipError:
    name = node.outputs[0].name
    return OwnershipError(describe(
        f'The array {name!r} is read here, and changed after that by a generator, or other code '
        'that does not convert: it does so while tracing, before the graph reads it.',
        None if node.site is None else node.site.location,
        'Give that code the array as an argument, and let it change that one; of an array that '
        'it makes itself, let it give a copy: `yield x.copy()`.'))
