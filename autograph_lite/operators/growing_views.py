"""`d.keys()`, `d.values()` and `d.items()` of a dict that grows, and loops over them."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..graph import nest
from .checking import check
from .dict_errors import unsupported
from .growing_dicts import GrowingDict
from .living_lists import LivingDict
from .loop_turns import as_state
from .staging import unchanged
from .view_sets import SetOfView


class GrowingView(SetOfView):
    """The keys, values or items of a dict, as they are whenever they are gone through.

    Args:
      owner: the dict.
      part: which of them: the name of the method.
    """

    def __init__(self, owner: Any, part: str) -> None:
        self.owner = owner
        self.part = part

    def listed(self) -> Any:
        """The list of them as they are now."""
        return getattr(nest.actual(self.owner), f'listed_{self.part}')()

    def length(self) -> Any:
        """How many there are."""
        return nest.actual(self.owner).length()

    def as_condition(self) -> Any:
        """It is true if it is not empty."""
        return self.length()

    def __iter__(self) -> Iterator[Any]:
        raise unsupported((), f'going over its {self.part} in Python')


def as_listed(x: Any) -> Any:
    """What Python goes over, of a dict that grows or a view of one; anything else itself."""
    if isinstance(x, GrowingDict | LivingDict):
        return x.listed_keys()  # type: ignore[union-attr]
    return x.listed() if isinstance(x, SetOfView) else x


def gone_through(
    iterable: Any, body: Callable[..., Any], state: Sequence[Any]
) -> tuple[Any, Callable[..., Any]]:
    """What a loop over such a dict goes through, and its body.

    The dict is as long after a turn as before the loop. What a turn gives a key, a later one finds.

    Raises:
      RuntimeError: when the graph runs, that it is not.
    """
    view = nest.actual(iterable)
    owner: Any = nest.actual(view.owner if isinstance(view, GrowingView) else view)
    is_one = isinstance(owner, GrowingDict | LivingDict)
    if not is_one:
        return iterable, body
    size, places = owner.length(), [i for i, x in enumerate(state) if nest.actual(x) is owner]
    part = view.part if isinstance(view, GrowingView) else 'keys'
    is_live = bool(places) or isinstance(owner, LivingDict)
    looks_up = part != 'keys' and is_live and not owner.holds_lists

    def turn(item: Any, *state: Any) -> Any:
        mine = [state[i] for i in places] or [owner]
        before = [each.held() for each in mine]
        if looks_up:
            value = mine[0].value_of(item)
            item = (item, value) if part == 'items' else value
        after = as_state(body(item, *state), len(state))
        mine = [nest.actual(after[i]) for i in places] or [owner]
        for each, held in zip(mine, before, strict=True):
            if each.held() is not held:
                check(each.length() != size, _CHANGED, RuntimeError)
        return unchanged(*after)

    return owner.listed_keys() if looks_up else iterable, turn


_CHANGED = 'dictionary changed size during iteration'
