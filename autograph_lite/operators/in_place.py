"""What a trace knows of the lists, deques, sets and dicts outside that the running graph changes.

    self.history.append(loss)

They stay as they are while the code is traced. What is read of one of them is read when the graph
runs, or it is what it was while nothing has changed it.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Collection, Hashable
from typing import Any

from ..graph.graph import Graph
from ..graph.storage import Storage
from ..graph.tracing import current_graph, note_writes
from ..ops.outer_variables import UNSET
from .places import is_static

# Blocks that are run no more than once.
_ONCE = ('true', 'false', 'try', 'except', 'else', 'finally')


class InPlace:
    """The containers outside that a trace reads, or changes by their methods.

    Args:
      expected: says which of them are known to be changed, and the types of what is put into them.

    Attributes:
      changed: those that the graph has changed so far, by identity.
      parts: those of which something was read as it was while tracing.
      whole: those that the traced code has as they were while tracing.
      looped: those that a block has read so which may run again.
      by_python: those that were changed while tracing, too, what they held before, and after that.
      elements: those of which the graph reads elements.
      named: of those that have other names in the traced code, what stands for them.
    """

    def __init__(self, expected: Collection[Hashable]) -> None:
        self._expected = expected
        self.changed: dict[int, Any] = {}
        self.parts: dict[int, Any] = {}
        self.whole: dict[int, Any] = {}
        self.looped: dict[int, Any] = {}
        self.by_python: dict[int, tuple[Any, Any, Any]] = {}
        self.elements: set[Hashable] = set()
        self.named: dict[int, Any] = {}
        self._put: dict[Hashable, dict[Hashable, None]] = {}
        self._counts: dict[int, int] = {}
        self._set: dict[int, set[Any]] = {}
        self._items: dict[int, dict[Any, Hashable]] = {}
        self._marks: dict[tuple[int, int], object] = {}
        self._memory: dict[int, Storage] = {}

    def is_expected(self, container: Any) -> bool:
        """Whether the function was found to change it after it had read it."""
        return ('in place', id(container)) in self._expected

    def types(self, container: Any) -> list[Any]:
        """The types of what the function puts into it, as far as that is known."""
        return self.types_of(id(container))

    def types_of(self, key: Hashable) -> list[Any]:
        """The same of what is told by a key: the identity of a container, or a variable."""
        expected = [
            each[2] for each in self._expected
            if isinstance(each, tuple) and len(each) == 3 and each[:2] == ('put', key)]
        return sorted({*expected, *self._put.get(key, ())}, key=str)

    def note_by_python(self, container: Any, before: Any, after: Any) -> None:
        """Python has changed it while tracing, as the graph does when it runs."""
        key = id(container)
        _, before, _ = self.by_python.get(key, (container, before, after))
        self.by_python[key] = container, before, after
        self._counts[key] = self._counts.get(key, 0) + 1  # what stands for it reads it anew

    def before_python(self, container: Any, key: Any, found: Any) -> Any:
        """What was at a key of a dict before Python changed that while tracing, where it did.

        Args:
          container: what may be such a dict.
          key: the key.
          found: what is there now.
        """
        if not isinstance(container, dict) or id(container) not in self.by_python:
            return found
        return self.by_python[id(container)][1].get(key, UNSET)

    def put_back(self) -> None:
        """Gives back what they held to those that were changed while tracing, too."""
        for container, before, _ in self.by_python.values():
            fill(container, before)

    def note_put(self, container: Any, type_: Hashable) -> None:
        """Something of a type is put into it."""
        self.note_put_at(id(container), type_)

    def note_put_at(self, key: Hashable, type_: Hashable) -> None:
        """The same of what is told by a key."""
        self._put.setdefault(key, {})[type_] = None

    def note_change(self, container: Any, index: Any = None, type_: Hashable = None) -> None:
        """From here on the graph has changed it.

        Args:
          container: which one.
          index: where, if only one item was set, at a known index outside of all blocks; or None.
          type_: the type of that.
        """
        key = id(container)
        if index is not None and (key in self._items or key not in self.changed):
            self._items.setdefault(key, {})[index] = type_
        else:
            self._items.pop(key, None)
        self.changed[key] = container
        self._set.pop(key, None)
        self._counts[key] = self._counts.get(key, 0) + 1
        memory = self.memory(container)
        note_writes([(memory, memory.version, memory.written)])
        memory.version += 1

    def note_set(self, container: Any, key: Any) -> None:
        """An item of a dict is set, of which the graph knows, whatever has changed it before."""
        if id(container) in self.changed and isinstance(container, dict):
            self._set.setdefault(id(container), set()).add(key)

    def is_set(self, container: Any, key: Any) -> bool:
        """Whether an item of a dict was set after the last change."""
        keys = self._set.get(id(container))
        return keys is not None and is_static(key) and key in keys

    def count(self, container: Any) -> int:
        """How often the traced code has changed it so far."""
        return self._counts.get(id(container), 0)

    @property
    def changes(self) -> int:
        """How often it has changed any of them."""
        return sum(self._counts.values())

    def mark(self, container: Any) -> Any:
        """What tells whether it has been changed since."""
        return self._marks.setdefault((id(container), self.count(container)), object())

    def memory(self, container: Any) -> Storage:
        """What stands for its memory: whatever goes through it finds that it is changed."""
        graph = current_graph()
        assert graph is not None
        return self._memory.setdefault(id(container), Storage(graph))

    def type_set_at(
        self, container: Any, index: int, graph: Graph | None
    ) -> tuple[bool, Any]:
        """Whether the graph has set an item, and its type; None where that is not known."""
        items = self._items.get(id(container), {})
        is_told = self._is_told(container, index, graph) and index in items
        return (is_told and items[index] is not None, items[index]) if is_told else (False, None)

    def is_as_it_was_at(self, container: Any, index: int, graph: Graph | None) -> bool:
        """Whether there is an item that nothing has set."""
        is_there = -len(container) <= index < len(container)
        is_set = index in self._items.get(id(container), {})
        return self._is_told(container, index, graph) and is_there and not is_set

    def _is_told(self, container: Any, index: int, graph: Graph | None) -> bool:
        """Whether it is known which items the graph has set."""
        items = self._items.get(id(container), {})
        is_known = id(container) not in self.changed or (
            bool(items) and all((each < 0) == (index < 0) for each in items))
        return is_known and not is_repeated(graph) and not (items and graph and graph.parent)

    def is_current(self, container: Any, graph: Graph | None) -> bool:
        """Whether it holds, wherever this graph is run, what it held where all began."""
        if id(container) in self.changed:
            return False
        return not (self.is_expected(container) and is_repeated(graph))

    def note_part(self, container: Any, graph: Graph | None) -> None:
        """Something of it was read as it was."""
        self.parts[id(container)] = container
        if is_repeated(graph):
            self.looped[id(container)] = container


def fill(container: Any, held: Any) -> None:
    """Lets a list, deque, set or dict hold what another one does; its class has no say in it."""
    kind: Any = next(each for each in _KINDS if isinstance(container, each))
    kind.clear(container)
    (kind.update if issubclass(kind, dict | set) else kind.extend)(container, held)


_KINDS = (list, deque, set, bytearray, dict)


def is_repeated(graph: Graph | None) -> bool:
    """Whether what is traced into a graph may run more than once."""
    while graph is not None and graph.parent is not None:
        if is_block_of_turns(graph):
            return True
        graph = graph.parent
    return False


def is_block_of_turns(graph: Graph) -> bool:
    """Whether a graph is a block that may run more than once for each run of what it stands in."""
    return graph.parent is not None and graph.name not in _ONCE
