"""The list that a dict that grows has at a key, to be changed where it is.

    groups[int(x)].append(x)

What is read of it is a copy, so that the dict alone has the list itself. A copy gets a name only
where nobody can see that it is one: the list is not changed from then on.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..graph.state import valued
from .chosen_parts import Chosen, Step
from .growing_dicts import GrowingDict
from .keys_and_values import another_name
from .living_lists import LivingDict
from .staging import graph_now
from .watched import watch, watch_in


class AtKey(Chosen):
    """The list at a key of a dict that grows.

    Args:
      owner: the dict.
      key: the key.
      steps: what leads from there to what is meant.
    """

    __slots__ = ('key', 'owner')

    def __init__(self, owner: Any, key: Any, steps: tuple[Step, ...] = ()) -> None:
        super().__init__((), (), None, steps)
        self.owner = owner
        self.key = valued(key)

    def then(self, step: Step) -> Chosen:
        return AtKey(self.owner, self.key, (*self.steps, step))

    def value(self) -> Any:
        own = self.owner.copy_of(self.key)
        found = self._led(own)
        watch(own)
        return found.value() if isinstance(found, Chosen) else found

    def kept(self) -> Any:
        if not self.steps:
            keep_lists(self.owner)
        return self.value()

    def gone_over(self) -> Any:
        return self.value()

    def changed(self, change: Callable[..., Any], *args: Any) -> Any:
        own = self.owner.copy_of(self.key)
        x = self._led(own)
        result = x.changed(change, *args) if isinstance(x, Chosen) else change(x, *args)
        self.owner.refill(self.key, own)
        return result

    def method(self, name: str) -> Callable[..., Any]:
        if name == 'append' and not self.steps:
            return lambda item: self.owner.append_to(self.key, item)
        return super().method(name)


class Made(AtKey):
    """What `setdefault` gives, which is changed and nothing else."""

    __slots__ = ('_held',)

    def __init__(self, owner: Any, key: Any) -> None:
        super().__init__(owner, key)
        self._held = owner.held()

    def method(self, name: str) -> Callable[..., Any]:
        if self.owner.held() is not self._held:
            self._unsupported()
        method = super().method(name)

        def call_it(*args: Any, **kwargs: Any) -> Any:
            result = method(*args, **kwargs)
            self._held = self.owner.held()
            return result

        return call_it

    def _unsupported(self, *args: Any) -> NoReturn:
        raise StagingError(describe(
            'The list that `setdefault` gives of a dict whose keys only the running graph knows is '
            'changed at once, as by `groups.setdefault(k, []).append(x)`, and nothing else.',
            user_location(), 'Read and change it by its key: `groups[k]`.'))

    def then(self, step: Step) -> Chosen:
        self._unsupported()

    def __getattr__(self, name: str) -> Any:
        if not hasattr(list, name):
            raise AttributeError(f"'list' object has no attribute {name!r}")
        return self.method(name)

    value = kept = gone_over = _unsupported
    __len__ = __iter__ = __getitem__ = __contains__ = __bool__ = _unsupported


def keep_lists(owner: Any) -> None:
    """From now on no list in a dict is changed: copies of them get names.

    Raises:
      OwnershipError: a staged block changes the dict, before or in a later turn perhaps.
    """
    if isinstance(owner, LivingDict):
        if graph_now().parent is not None:
            raise another_name('in a staged block')
        watch(owner.container)
        return
    for column in owner.columns:
        graph = column.held.graph
        if graph.parent is not None:
            raise another_name('in a staged block that changes the dict')
        watch_in(graph, column)
    watch(*owner.columns)


def place_in_growing(owner: Any, key: Any) -> AtKey | None:
    """Where the list is that a dict has at a key; None where its values are no lists."""
    if isinstance(owner, GrowingDict) or owner.holds_lists:
        owner.make(key)
    return AtKey(owner, key) if owner.holds_lists else None
