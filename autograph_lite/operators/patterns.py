"""What the patterns of a `match` ask of the structure of their subject."""
from __future__ import annotations

import functools
from typing import Any, TypeVar

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from ..graph.tracing import unwrap
from .captures import part
from .class_tests import type_of
from .dict_methods import DictMethods
from .is_none import is_none, is_optional
from .lengths import len as length_of
from .living_lists import LivingDict
from .logic import and_, not_
from .membership import in_
from .optional_nests import Perhaps
from .places import contains
from .whole_reads import check_inside

T = TypeVar('T')

# How Python knows what sequence and mapping patterns are for.
_IS_SEQUENCE = 1 << 5
_IS_MAPPING = 1 << 6
# How Python knows classes whose one positional pattern is for the object itself.
_IS_OF_ITSELF = 1 << 22


def is_sequence(subject: Any, *, length: int | None = None, at_least: int = 0) -> Any:
    """Whether a sequence pattern is for the subject: it is a sequence, and as long as that.

    An array is one if NumPy says so, which it does since 2.5.
    """
    if is_optional(subject):
        is_one = functools.partial(is_sequence, length=length, at_least=at_least)
        return and_(not_(is_none(subject)), lambda: is_one(_if_there(subject)))
    kind: type = type_of(subject)
    if not kind.__flags__ & _IS_SEQUENCE:
        return False
    found = length_of(subject)
    return found >= at_least if length is None else found == length


def is_mapping(subject: Any, *keys: Any) -> Any:
    """Whether a mapping pattern is for the subject: it is a mapping and has the keys."""
    if is_optional(subject):
        return and_(not_(is_none(subject)), lambda: is_mapping(_if_there(subject), *keys))
    subject = nest.actual(subject)
    is_staged = isinstance(subject, DictMethods | LivingDict)
    if not is_staged and not type(subject).__flags__ & _IS_MAPPING:
        return False
    has = in_ if is_staged else _contains_key
    return and_(True, *(functools.partial(has, key, subject) for key in keys))


def has_positional(subject: Any, kind: Any, count: int) -> Any:
    """Whether an object of a class has the parts that positional patterns of it are for.

    Raises:
      TypeError: the class has not as many positional patterns.
    """
    names: tuple[str, ...] = getattr(kind, '__match_args__', ())
    allowed = 1 if _is_of_itself(kind) else len(names)
    if count > allowed:
        raise TypeError(
            f'{kind.__name__}() accepts {allowed} positional sub-pattern{"s"[allowed == 1:]} '
            f'({count} given)'
        )
    asked = (functools.partial(part, subject, ('hasattr', name)) for name in names[:count])
    return and_(True, *asked)


def positional(subject: Any, kind: Any, index: int) -> Any:
    """What the positional pattern at an index of a class is for."""
    if _is_of_itself(kind):
        return subject
    return part(subject, f'.{kind.__match_args__[index]}')


def _is_of_itself(kind: Any) -> bool:
    """Whether the one positional pattern of a class is for the object itself."""
    return bool(kind.__flags__ & _IS_OF_ITSELF) and not hasattr(kind, '__match_args__')


def _if_there(subject: Any) -> Any:
    """What may be `None`, where it is not."""
    return subject.nest if isinstance(subject, Perhaps) else unwrap(subject, sure=True)


def _contains_key(key: Any, mapping: Any) -> Any:
    """Whether a mapping of Python's has a key."""
    return contains(mapping, key)


def plain(subject: T) -> T:
    """The subject of a `match` that Python itself does.

    Raises:
      StagingError: there is a tensor in it.
    """
    if any(isinstance(leaf, Tensor) for leaf in nest.flatten(subject)[0]):
        raise StagingError(
            describe(
                'This `match` does not convert, and its subject has a tensor in it: a guard sets '
                'a name of its pattern, or a variable is called `isinstance` or `hasattr`.',
                user_location(),
                'Let `:=` set another name, and call the variable something else.',
            )
        )
    check_inside(subject)
    return subject
