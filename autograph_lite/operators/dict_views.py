"""`d.items()` of a dict of which only the running graph knows which keys it has.

A loop runs over the numbers of the keys, which tell the order in which they were set. Its body is
there once for each key that it may be at.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from .comprehensions import Each
from .conditionals import cond
from .dict_errors import unsupported
from .dicts import StagedDict, form_of, has_containers
from .guarded import is_lacking
from .iterables import Range
from .loop_turns import as_state
from .loops import for_loop
from .staging import unchanged
from .unbound import Unbound
from .view_sets import SetOfView

PARTS: dict[str, Callable[[StagedDict, Any], Any]] = {
    'keys': lambda staged, key: key,
    'values': lambda staged, key: staged.value_of(key),
    'items': lambda staged, key: (key, staged.value_of(key)),
}


class View(Each, SetOfView):
    """The keys, values or items of a staged dict, as they are whenever they are gone through.

    Args:
      staged: the dict.
      part: which of them: the name of the method.
    """

    stands_for = None

    def __init__(self, staged: StagedDict, part: str) -> None:
        super().__init__(PARTS[part], Range(0, staged.next, 1), None, False)
        self._dict = staged
        self.part = part

    def length(self) -> Any:
        """How many there are."""
        return self._dict.length()

    @property
    def is_pythons(self) -> bool:
        return True  # which is told why not: a view is no iterator

    def __next__(self) -> Any:
        raise unsupported(self._dict.unsure(), f'going over its {self.part} in Python')

    def taken(self) -> Range:
        self._check_taking()
        self.items = numbers = Range(0, self._dict.next, 1)
        return numbers

    def fold(
        self,
        body: Callable[..., Any],
        *state: Any,
        test: Callable[..., Any] | None = None,
        names: Sequence[str] = (),
    ) -> Any:
        # In variables of their own, so that what they reach is seen.
        staged, element, size = self._dict, self.element, len(state)
        if self.part != 'keys' and any(nest.actual(each) is staged for each in state):
            raise _changed()
        if self.part != 'keys':
            _check_parts(staged)

        def turn(number: Any, *state: Any) -> Any:
            for key in form_of(staged):
                if is_lacking(staged.held[key]):
                    continue  # as yet, in the first round of a loop around this one
                here = partial(_at, body, element, staged, key)
                state = as_state(
                    cond(staged.numbers[key] == number, here, unchanged, *state, names=names), size)
            return unchanged(*state)

        return for_loop(self.taken(), turn, *state, test=test, names=names)


def _at(body: Any, element: Any, staged: StagedDict, key: Any, *state: Any) -> Any:
    return body(element(staged, key), *state)


def _check_parts(staged: StagedDict) -> None:
    """No value that the dict may lack is a list, dict or object, which its reader may change.

    Raises:
      StagingError: one is.
    """
    for key in staged.unsure():
        held = staged.held[key]
        if has_containers(held.there if isinstance(held, Unbound) else held):
            raise StagingError(
                describe(
                    'The values are gone over of a dict of which only the running graph knows '
                    f'whether {key!r} is in it, where a list, dict or object is.',
                    user_location(),
                    'Go over its keys, and read or change each value by its key: '
                    '`for key in d: d[key][0] = 1.0`.',
                )
            )


def _changed() -> StagingError:
    return StagingError(
        describe(
            'A loop over the values of a dict changes the dict, of which only the running graph '
            'knows which keys it has.',
            user_location(),
            'Go over its keys: `for key in d`.',
        )
    )
