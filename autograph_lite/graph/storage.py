"""`Storage`: the memory that handles share; `Place`: where in another array a view of it lies."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import Location
from .graph import Graph, Value

# Whose memory it is that a list, or an object, of the running graph holds, or what is outside.
ELEMENT = 'an array that a list or an object holds'
OUTSIDE = 'what lives outside'


class Storage:
    """The memory that some handles share.

    Attributes:
      owner: whose memory it is where it is not the graph's own, such as "argument 'x'".
      name: the variable of the user's that stands for it, if it is known.
      is_lent: whether the owner finds in it what the graph has written when it has run.
      graph: the graph that was traced when it came to be.
      perhaps: the memory around that graph that it may be: of what a block wrote, or replaced.
      version: how often it was written.
      written: where it was last written.
    """

    __slots__ = ('graph', 'is_lent', 'name', 'owner', 'perhaps', 'version', 'written')

    def __init__(
        self, graph: Graph, owner: str = '', name: str = '', is_lent: bool = False
    ) -> None:
        self.graph = graph
        self.perhaps: frozenset[Storage] = frozenset()
        self.owner = owner
        self.is_lent = is_lent
        self.name = name
        self.version = 0
        self.written: Location | None = None

    def around(self, graph: Graph) -> frozenset[Storage]:
        """What it may be of the memory around a graph: itself, where it is no memory of that."""
        is_outside = self.graph is not graph or isinstance(self, CapturedStorage)
        return frozenset([self]) if is_outside else self.perhaps

    def keep_for(self, owner: str) -> None:
        """From now on nobody may write to it but who owns it already."""
        if self.is_lent or not self.owner:
            self.owner, self.is_lent = owner, False


class StateStorage(Storage):
    """The memory of what lives on between calls, which a name may stand for."""

    __slots__ = ()


class CapturedStorage(Storage):
    """The memory of an array that lives outside, wherever it is read."""

    __slots__ = ()


class LentStorage(Storage):
    """What other memory is called in a block to which its array is given as it is."""

    __slots__ = ()


Memory = tuple[Storage, ...]


class Place:
    """Where in another array, its base, a view of it lies."""

    __slots__ = ()
    base: Any

    @property
    def is_view(self) -> bool:
        """Whether what lies there is certainly a view, and no copy."""
        return True

    @property
    def reads(self) -> Sequence[Any]:
        """The tensors that tell where it is."""
        return ()

    def load(self) -> Value:
        """What is there now."""
        raise NotImplementedError

    def store(self, value: Value) -> None:
        """Puts other contents there."""
        raise NotImplementedError

    def of(self, base: Any) -> Any:
        """The view in the same place of another array; None where that is not known."""
        return None
