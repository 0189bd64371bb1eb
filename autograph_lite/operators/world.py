"""What a trace knows to live outside, what that held, and what was done to it so far."""
from __future__ import annotations

import types
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from typing import Any

from ..errors import Location
from ..pyct.asking import get_attribute
from .handed import Handing
from .holders import Held
from .local_code import is_local_class
from .named_by_code import NamedByCode
from .noted_arrays import NotedArrays
from .noted_generators import NotedGenerators
from .rebound import Rebound
from .set_variables import Variable


class World:
    """What is known to live outside, and what it held when that became known."""

    def __init__(
        self, read: list[str] | None = None, expected: Collection[Hashable] = ()
    ) -> None:
        self.known: dict[int, Any] = {}
        self.given: set[int] = set()
        self.called: dict[int, types.FunctionType] = {}
        self.inlined: list[Callable[..., Any]] = []
        # Those of them that the trace has made.
        self.made_here: set[int] = set()
        # The variables that these close over.
        self.own_cells: set[int] = set()
        # What lists, dicts and objects held.
        self.held: dict[int, Held] = {}
        self.handing = Handing()
        # The variables outside that the functions name which were called, and what they held.
        self.named: list[tuple[Variable, Any]] = []
        # Where the traced code last changed something, by its owner or the variable's name.
        self.changes: dict[Any, Location | None] = {}
        # What the functions that were called set of the variables of others, and what it was.
        self.variables: list[tuple[Variable, Any]] = []
        self.reached: set[int] = set()
        self.rebound = Rebound(read, expected)
        # The identities of containers that the function is given and tells from others by `is`.
        self.told_apart: set[int] = set()
        # What classes held.
        self.of_classes: list[dict[str, Any]] = []
        # Attributes of classes that a staged block has perhaps given some object or class itself.
        self.perhaps_own: set[Hashable] = set()
        # Each time that the traced code set an attribute or an item outside: what of, and where.
        self.sets: list[tuple[Any, str, Location | None]] = []
        # What Python did while tracing, for people: no run of the graph does it again.
        self.done_by_python = ''
        # Whether nothing takes that back.
        self.is_lasting = False
        # Whether the user's code has run as it is; what arrays held, and generators, before.
        self.runs_python = False
        self.arrays = NotedArrays()
        self.code = NamedByCode(self.held, self.arrays, self.variables)
        self.drawn = NotedGenerators()

    def restore(self, put: Sequence[int], _: None) -> None:
        """What traced code has put outside, of these identities, it has not."""
        for identity in put:
            del self.known[identity]
            self.held.pop(identity, None)

    def note_lasting(self, done: str) -> None:
        """Python does what nothing takes back: the trace is for one call.

        Args:
          done: what it does, for people.
        """
        self.done_by_python = self.done_by_python or done
        self.is_lasting = True
        for key, held in self.held.items():
            if isinstance(held.owner, Iterator):
                self.held[key] = held.now()

    @property
    def taken_from(self) -> list[Iterator[Any]]:
        """The iterators of Python's that were taken from, and that nothing was noted of."""
        iterators = (held for held in self.held.values() if isinstance(held.owner, Iterator))
        return [each.owner for each in iterators if not each.is_object and each.is_changed]

    def made(self, x: Any) -> bool:
        """Whether a function that is traced has made this class or function."""
        name = str(get_attribute(x, '__qualname__', ''))
        if isinstance(x, type) and '<locals>' not in name and is_local_class(x):  # by `type(...)`
            known = self.known.values()  # an array is compared item by item
            return not any(each is x or x in type(each).__mro__ for each in known)
        return any(name.startswith(f'{f.__qualname__}.<locals>.') for f in self.called.values())

    def set_at(self, name: str) -> Location | None:
        """Where the traced code has set a variable."""
        return self.changes.get(name) or self.beginning()

    def beginning(self) -> Location | None:
        """Where the traced function begins."""
        code = next((f.__code__ for f in self.called.values()), None)
        return code and Location(code.co_filename, code.co_firstlineno, code.co_name)
