"""Builtins that ask classes: `round`, `pow`, `hash`, `delattr`, `callable`, `math.floor`."""
from __future__ import annotations

import builtins
import functools
import math
import operator
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any

import numpy as np

from ..graph import nest
from ..graph.dispatch import UNREACHED, replaces
from ..graph.tensor import Tensor
from ..ops import calls
from .exact_numbers import check_known
from .is_none import is_none, is_optional
from .logic import not_
from .members import Member, can_be_called
from .membership import item
from .operations import operation
from .optional_nests import Perhaps
from .own_methods import own_method
from .own_operators import handed
from .perhaps_missing import asked_of
from .setting import deleting


@replaces(builtins.round)
def _round(number: Any, *digits: Any, **named: Any) -> Any:
    own = own_method(number, '__round__')
    if own is not None:
        return own(*digits, *named.values())
    is_known = isinstance(number, int | float | np.generic | np.ndarray)  # it asks for an integer
    if is_known and any(isinstance(x, Tensor) for x in (*digits, *named.values())):
        return calls.call('builtins.round', (number, *digits, *named.values()), {})
    return round(number, *digits, **named)


@replaces(builtins.pow)
def _pow(base: Any, exp: Any, *mod: Any, **named: Any) -> Any:
    mod = (*mod, *named.values())
    if not mod or mod[0] is None:
        return operation('**', base, exp)
    own = own_method(base, '__pow__')
    if own is not None:
        return own(exp, *mod)
    # With a modulus, Python asks the base alone.
    is_staged = any(isinstance(x, Tensor) for x in (exp, *mod))
    return calls.call('builtins.pow', (base, exp, *mod), {}) if is_staged else pow(base, exp, *mod)


@replaces(builtins.divmod)
def _divmod(a: Any, b: Any) -> Any:
    check_known('divmod()', a, b)
    own, swapped = own_method(a, '__divmod__'), own_method(b, '__rdivmod__')
    result = NotImplemented if own is None else own(b)
    if result is NotImplemented and swapped is not None:
        result = swapped(handed('divmod', a, b))
    return divmod(a, b) if result is NotImplemented else result


@replaces(builtins.hash)
def _hash(x: Any) -> Any:
    if isinstance(x, Tensor | tuple):
        leaves = nest.flatten(x)[0]
        is_staged = any(isinstance(leaf, Tensor) for leaf in leaves)
        if is_staged and not any(map(is_optional, leaves)):
            return calls.call('builtins.hash', (x,), {})
    own = None if is_dataclass(x) else own_method(x, '__hash__')  # Python makes a dataclass's
    return hash(x) if own is None else own()


@replaces(builtins.delattr)
def _delattr(x: Any, name: str) -> None:
    delattr(deleting(x, name), name)


@replaces(builtins.callable)
def _callable(x: Any) -> Any:
    x = asked_of(x)
    if isinstance(x, Perhaps):
        return not_(is_none(x)) if _callable(x.nest) else False
    return can_be_called(x) if isinstance(x, Member) else callable(x)


replaces(operator.getitem)(item)


def _to_integer(function: Callable[[Any], Any]) -> None:
    staged = UNREACHED[function]

    @replaces(function)
    @functools.wraps(staged)
    def integer(x: Any) -> Any:
        own = own_method(x, f'__{function.__name__}__')
        return staged(x) if own is None else own()


for _function in (math.floor, math.ceil, math.trunc):
    _to_integer(_function)
