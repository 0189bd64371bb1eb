"""What NumPy does with errors, how it shows arrays, which warnings pass: while tracing.

    with quietly():  # a manager of the user's around `np.errstate(...)`
        y = 1 / x

Nothing but the state itself tells of it: however it was set, it is to hold when the graph runs.
"""
from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .held_filters import Filter, own_filters

Read = Callable[[], Any]
Compare = Callable[[Any, Any], bool]

# Where NumPy tells, each change makes another object, also where it sets the same values.
try:
    from numpy._core.umath import _extobj_contextvar

    _errors: Read = _extobj_contextvar.get
    _are_same_errors: Compare = operator.is_
except ImportError:
    _errors, _are_same_errors = (lambda: (np.geterr(), np.geterrcall())), operator.eq
try:
    from numpy._core.printoptions import format_options

    _printing: Read = format_options.get
    _prints_same: Compare = operator.is_
except ImportError:  # NumPy 2.0
    _printing, _prints_same = np.get_printoptions, operator.eq


@dataclass(frozen=True, eq=False)
class RunState:
    """NumPy's state, and the filters for warnings.

    Attributes:
      errors: what NumPy has for its error state.
      printing: what NumPy has for its print options.
      states: what `np.errstate` is to be given for it.
      options: what `np.printoptions` is to be given for it.
      filters: those that the function itself has put in front, in managers; None outside of all.
    """

    errors: Any
    printing: Any
    states: dict[str, Any]
    options: dict[str, Any]
    filters: tuple[Filter, ...] | None

    def holds(self) -> bool:
        """Whether it is in force."""
        is_numpys = (
            _are_same_errors(_errors(), self.errors) and _prints_same(_printing(), self.printing))
        return is_numpys and own_filters() == self.filters

    def has_errors_of(self, other: RunState) -> bool:
        """Whether NumPy does the same with errors, set by nothing in between."""
        return _are_same_errors(self.errors, other.errors)

    def prints_as(self, other: RunState) -> bool:
        """Whether NumPy shows arrays the same way, set by nothing in between."""
        return _prints_same(self.printing, other.printing)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RunState) or self.filters != other.filters:
            return False
        return self.has_errors_of(other) and self.prints_as(other)

    __hash__ = None  # type: ignore[assignment]  # what NumPy has is told by comparing


def state_in_force() -> RunState:
    """The state that is in force."""
    states = {**np.geterr(), 'call': np.geterrcall()}
    options = dict(np.get_printoptions())
    return RunState(_errors(), _printing(), states, options, own_filters())
