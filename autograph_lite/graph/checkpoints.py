"""Points of a trace to which it can go back: to trace the other branch, or a block once more."""
from __future__ import annotations

from dataclasses import dataclass

from ..errors import Location
from .graph import Graph
from .storage import Storage
from .tracing import current_graph, note_writes, writes


@dataclass(frozen=True)
class Checkpoint:
    """A point in a trace to which it can go back."""

    nodes: int
    writes: int
    watched: int
    conditions: int


def checkpoint() -> Checkpoint:
    """Where the trace stands now."""
    graph = _graph()
    return Checkpoint(
        len(graph.nodes), len(writes()), len(graph.watched), len(graph.conditions))


def undo_writes(since: Checkpoint) -> dict[Storage, Location | None]:
    """Takes back every write since then; the storages that were written, and where."""
    written: dict[Storage, Location | None] = {}
    so_far = writes()
    for target, old, more in reversed(so_far[since.writes :]):
        if isinstance(target, Storage):
            written.setdefault(target, target.written)
            target.version, target.written = old, more
        else:
            target.restore(old, more)
    del so_far[since.writes :]
    return written


def undo(since: Checkpoint) -> dict[Storage, Location | None]:
    """Takes back everything since then: nodes, writes, and what conditions have told.

    Returns:
      The storages that were written, and where.
    """
    written = undo_writes(since)
    graph = _graph()
    del graph.nodes[since.nodes :]
    del graph.watched[since.watched :]
    del graph.conditions[since.conditions :]
    if graph.asked > since.conditions:
        graph.known, graph.asked = {}, 0
    return written


def mark_written(written: dict[Storage, Location | None]) -> None:
    """Makes every handle onto these storages stale."""
    for storage, location in written.items():
        note_writes([(storage, storage.version, storage.written)])
        storage.version += 1
        storage.written = location


def _graph() -> Graph:
    graph = current_graph()
    assert graph is not None
    return graph
