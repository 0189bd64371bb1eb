"""`any` and `all`, which ask of as many elements as in Python."""
from __future__ import annotations

import builtins
import dis
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch
from ..graph.dispatch import replaces
from ..graph.state import looked_at
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..pyct.codes import once_by_code
from .folding import Folding
from .iterables import staged
from .lists import StagedList
from .logic import and_, not_, or_
from .loops import for_loop
from .numbers_made import bool as truth_of
from .own_iterators import iterated
from .own_methods import own_method


@replaces(builtins.any)
def any(iterable: Any) -> Any:
    """`any(iterable)`; of a vector, whether an element is true."""
    return _truths('any', builtins.any, iterable)


@replaces(builtins.all)
def all(iterable: Any) -> Any:
    """`all(iterable)`; of a vector, whether every element is true."""
    return _truths('all', builtins.all, iterable)


def _truths(name: str, python: Callable[..., Any], iterable: Any) -> Any:
    iterable = iterated(looked_at(iterable))
    if not is_tracing():
        return python(iterable)
    if isinstance(iterable, StagedList) and iterable.holds_numbers:
        return iterable.truths(name)
    if type(iterable) is Tensor and len(iterable.static_shape) == 1:
        return truth_of(dispatch.METHODS[name](iterable))
    if isinstance(iterable, Folding) or staged(iterable) is not None or _is_asked(iterable):
        return _truths_one_by_one(iterable, name == 'any')
    items = [truth_of(item) for item in iterable]
    if not builtins.any(isinstance(item, Tensor) for item in items):
        return python(items)
    _check_binds_nothing(iterable, name)
    join = or_ if name == 'any' else and_
    return join(items[0], *(_constant(item) for item in items[1:]))


def _is_asked(iterable: Any) -> bool:
    """Whether code of the user's may give the elements, or say which of them are true."""
    if isinstance(iterable, Iterator):
        return getattr(getattr(iterable, 'gi_code', None), 'co_name', '') != '<genexpr>'
    return builtins.any(
        own_method(item, name) is not None for item in iterable for name in _TELLING_TRUTH)


_TELLING_TRUTH = ('__bool__', '__len__')


def _check_binds_nothing(elements: Any, name: str) -> None:
    """That all elements were evaluated, and not only those up to the one that decides, is unseen.

    Raises:
      StagingError: they are of a generator that gives values to variables of others.
    """
    code = getattr(elements, 'gi_code', None)
    if code is not None and _binds_outside(code):
        raise StagingError(
            describe(
                f'How many elements `{name}` asks for only the running graph knows, and each gives '
                'a variable a value.',
                user_location(),
                'Ask in an `if` statement in a `for` loop, and `break` there.',
            )
        )


@once_by_code
def _binds_outside(code: CodeType) -> bool:
    """Whether a generator gives values to variables of the functions around it, or to globals."""
    return builtins.any(
        each.opname == 'STORE_GLOBAL'
        or (each.opname == 'STORE_DEREF' and each.argval in code.co_freevars)
        for each in dis.get_instructions(code)
    )


def _truths_one_by_one(elements: Any, ending: bool) -> Any:
    """Whether an element has the truth value that ends the search, or that none has."""
    def going_on(found: Any) -> Any:
        return not_(found) if ending else found

    return for_loop(elements, lambda element, _: truth_of(element), not ending, test=going_on)


def _constant(x: Any) -> Callable[[], Any]:
    return lambda: x
