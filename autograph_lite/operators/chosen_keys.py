"""`d[k]` of a dict with known keys, where only the running graph knows which of them `k` is."""
from __future__ import annotations

import functools
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from enum import Enum
from types import NoneType
from typing import Any, NoReturn

import numpy as np

from ..errors import StagingError, describe, kind_of, user_location
from ..graph import nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..ops.effects import RAISE
from .chosen_functions import can_be_chosen, one_function
from .comparing import equal
from .conditionals import cond
from .dicts import StagedDict
from .effects import Diverged, part_of
from .logic import or_
from .one_of_few import is_one_of_few, where_known
from .optional_nests import Perhaps
from .staging import unchanged
from .tuples import StagedTuple

# Of more keys, the program would be too long: each is compared with.
_MOST_KEYS = 64


def is_staged_key(key: Any) -> bool:
    """Whether only the running graph knows which key it is, and it can be one.

    Raises:
      StagingError: it is a tuple of as many items as only the running graph knows.
    """
    if isinstance(key, StagedTuple):
        hash(key)
    return any(isinstance(valued(part), Tensor) for part in nest.flatten(key)[0])


def can_choose(container: Any, key: Any) -> bool:
    """Whether a key, or each part of it, can be compared with those of a dict, one by one."""
    parts = key if type(key) is tuple else (key,)
    if not is_staged_key(key) or not all(map(_is_part_of_key, parts)):
        return False
    keys = container.numbers if isinstance(container, StagedDict) else container
    if not isinstance(container, (dict, StagedDict)) or not 0 < len(keys) <= _MOST_KEYS:
        return False
    if isinstance(container, StagedDict) and container.unsure():
        return False
    return all(
        type(each) is type(key) and all(map(_is_part_of_key, each)) if type(key) is tuple
        else _is_part_of_key(each) for each in keys)


def _is_part_of_key(x: Any) -> bool:
    if isinstance(x, Tensor):
        return x.type.shape == ()
    return is_one_of_few(x) or isinstance(x, _PARTS) or can_be_chosen(x)


_PARTS = (int, float, str, np.integer, np.floating, Enum, NoneType)


def chosen(container: Any, key: Any) -> Any:
    """`container[key]`."""
    if _has_functions(container):
        return _function(container, key)
    return _choose(container, key, container.__getitem__, None)


def _has_functions(container: Any) -> bool:
    return bool(container) and all(map(callable, dict(container).values()))


def _function(
    container: Any, key: Any, others: Sequence[Any] = (), lacking: Callable[[], Any] | None = None
) -> Any:
    """The right one of the functions of a dict; another one where the key is not there."""
    keys = list(container)

    def told(answer: Callable[[int], Any]) -> Any:
        other = (lambda: answer(len(keys))) if others else lacking
        return _choose(container, key, lambda known: answer(keys.index(known)), other)

    return one_function([*dict(container).values(), *others], told)


def chosen_or(container: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`container.get(key, default)`.

    Raises:
      StagingError: the dict has functions, and the default is neither one nor `None`.
    """
    key = valued(key)
    if not _has_functions(container):
        return _choose(container, key, container.__getitem__, lambda: default)
    if callable(default):
        return _function(container, key, [default])
    if default is not None:
        what = f'Where the key is not there, this gives {kind_of(default)}, and else a function.'
        raise StagingError(describe(what, user_location(), 'Let it give a function on each way.'))
    first, *rest = (functools.partial(equal, key, known) for known in container)
    return Perhaps.of((), (or_(first(), *rest), _function(container, key, lacking=lambda: 0)))


def chosen_there(container: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`container.setdefault(key, default)`, of a key that is there."""
    key = valued(key)
    if _has_functions(container):
        return _function(container, key, lacking=_no_such_key)
    return _choose(container, key, container.__getitem__, _no_such_key)


def _choose(
    container: Any, key: Any, found: Callable[[Any], Any], default: Callable[[], Any] | None
) -> Any:
    keys = list(container)

    def search(start: int) -> Any:
        if start == len(keys):
            return missing(container, key) if default is None else default()
        is_here = equal(key, keys[start])
        if not isinstance(is_here, Tensor):
            return search(start + 1)
        return cond(is_here, lambda: found(keys[start]), lambda: search(start + 1))

    return search(0)


def set_chosen(container: Any, key: Any, value: Any) -> None:
    """`container[key] = value`, of a key that is there."""
    keys = list(container)
    same = {known: equal(key, known) for known in keys}
    first, *rest = (functools.partial(same.get, known) for known in keys)
    cond(or_(first(), *rest), unchanged, _no_such_key)
    for known in keys:
        if isinstance(same[known], Tensor):
            container[known] = _either(same[known], value, container[known])


def _either(is_here: Tensor, value: Any, before: Any) -> Any:
    return cond(is_here, lambda: value, lambda: before)


def missing(container: Any, key: Any) -> Any:
    """What a dict gives for a key that it does not have."""
    kind = nest.kind_of(container)
    if kind is Counter:
        return 0
    if hasattr(kind, '__missing__') and not _makes_nothing(container):
        return _no_such_key()
    return where_known(key, _raise_missing)


def _raise_missing(key: Any) -> NoReturn:
    inputs: list[Any] = []
    parts = [part_of(key, inputs)]
    emit(RAISE, inputs, {'error': KeyError, 'parts': parts})
    raise Diverged


def _makes_nothing(container: Any) -> bool:
    """Whether it is a `defaultdict` that gives keys no values."""
    if isinstance(container, StagedDict):
        return container.factory is None
    return isinstance(container, defaultdict) and container.default_factory is None


def _no_such_key() -> Any:
    message = describe(
        'A key is needed that the dict does not have, and only the running graph knows which.',
        user_location(),
        'Give every key a value before; or begin with an empty dict, `counts = {}`, and set '
        '`counts[k]` where it is needed.',
    )
    emit(RAISE, [], {'error': StagingError, 'parts': [message]})
    raise Diverged
