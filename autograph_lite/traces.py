"""The traces of one function: found for a call, or made for it by one thread at a time."""
from __future__ import annotations

import contextlib
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .attempts import trace
from .concrete import ConcreteFunction
from .config import numerics_are_checked
from .entries import Entry
from .keys import Identity
from .ops.outer_variables import wait_for_traces
from .signatures import Arguments
from .trace import Call
from .trace_cache import TraceCache
from .turns import Turns
from .watching import traced

if TYPE_CHECKING:
    from .function import Function

Run = Callable[[ConcreteFunction], Any]


class Traces:
    """The traces of one function.

    Args:
      name: what the function is called.
      relax: whether axes whose length varies from call to call become unknown.
      entries: takes what serves calls fast.
      lock: of the function.

    Attributes:
      count: how often a trace was begun.
    """

    def __init__(
        self, name: str, relax: bool, entries: list[Entry], lock: threading.RLock
    ) -> None:
        self.count = 0
        self._name = name
        self._relax = relax
        self._entries = entries
        self._lock = lock
        self._turns = Turns()
        self._caches: dict[bool, TraceCache] = {}
        self._traced_for: set[Any] = set()

    def cache(self, checked: bool = False) -> TraceCache:
        """The traces; those that check their numbers are apart."""
        with self._lock:
            if checked not in self._caches:
                self._caches[checked] = TraceCache(
                    self._name, self._relax, [] if checked else self._entries)
            return self._caches[checked]

    def restart(self) -> None:
        """The function is another one from here on."""
        for cache in self._caches.values():
            cache.restart()

    def concrete(
        self, function: Function[..., Any], arguments: Arguments, run: Run | None = None
    ) -> tuple[ConcreteFunction, Sequence[Callable[[], None]]]:
        """The trace, and what takes back what the function did outside if it was traced now.

        Args:
          function: the function whose traces these are.
          arguments: what it is to be traced for.
          run: takes a trace that creates variables, and runs it at once; None if none is run.
        """
        cache = self.cache(numerics_are_checked())
        found = cache.find(arguments)
        if found is None:
            with self._turns.taken():
                wait_for_traces()
                found = cache.find(arguments)
                if found is None:
                    return self._made(function, cache, arguments, run)
        return found, ()

    def _made(
        self, function: Function[..., Any], cache: TraceCache, arguments: Arguments, run: Run | None
    ) -> tuple[ConcreteFunction, Sequence[Callable[[], None]]]:
        """A new trace; the first may create variables: then it is run once, or made once more."""
        arguments = cache.to_trace(arguments)
        owner = _owner(function, arguments)
        first = owner not in self._traced_for
        concrete = self._traced(function, arguments, may_create=first, is_run=run is not None)
        if concrete is not None and any(made() is None for made in concrete.created):
            # Nobody has kept them: so the next call would not find them, either.
            concrete = self._traced(function, arguments, may_create=first, is_run=False)
        if concrete is None:
            concrete = self._traced(function, arguments, may_create=False, is_run=False)
            assert concrete is not None
        with contextlib.suppress(TypeError):  # not everything can be held weakly
            concrete.python_function = weakref.ref(function.python_function)
        if run is not None and concrete.created:
            run(concrete)
        self._note_traced(owner)
        if concrete.created:
            return concrete, ()
        with self._lock:
            cache.add(arguments, concrete)
        traced(function, concrete)
        undo, concrete.undo = concrete.undo, ()
        return concrete, undo

    def _note_traced(self, owner: Identity | None) -> None:
        """From now on no call with this instance creates variables."""
        with self._lock:
            self._traced_for = {o for o in self._traced_for if not (o and o.gone)} | {owner}

    def _traced(
        self, function: Function[..., Any], arguments: Arguments, may_create: bool, is_run: bool
    ) -> ConcreteFunction | None:
        with self._lock:
            self.count += 1
        try:
            return trace(Call(
                self._name, function._converted(), function._signature, arguments, may_create,
                is_run))
        except Exception as error:
            traced(function, error)
            raise


def _owner(function: Function[..., Any], arguments: Arguments) -> Identity | None:
    """The instance whose method is called: each may create its variables once."""
    first = arguments.structure.children[:1]
    if not function._signature.bound or not first or first[0].type is not None:
        return None
    return Identity(arguments.leaves[0])
