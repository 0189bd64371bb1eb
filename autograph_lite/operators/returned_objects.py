"""Objects that a traced function returns: each call of the graph returns one of its own."""
from __future__ import annotations

import functools
import types
from collections import ChainMap, Counter
from collections.abc import Callable, ItemsView, Iterator, KeysView, ValuesView
from typing import Any

from ..converters.callees import is_of_library
from ..errors import StagingError, describe, kind_of, user_location, with_article
from ..graph import nest
from ..graph.state import ReadAsValue
from ..graph.tensor import Tensor
from ..pyct.asking import get_attribute
from ..pyct.returns import only_return
from .contents import content, is_object
from .deques import Deque, Ended
from .dicts import StagedDict
from .growing_views import GrowingView
from .holders import walk
from .library_containers import LIBRARY_CONTAINERS, staged_container
from .live import Live
from .living_lists import LivingCollection, LivingList
from .new_objects import is_new_object
from .opened import OPENED, Opened, is_plain, opened_object
from .outer_sets import let_out
from .outside import is_outside, lives_outside
from .reached_tensors import check_class, reaches_tensors
from .sets import EndedSet, StagedSet
from .watched import is_watched


def opened_results(
    returned: Any, what: str = 'returned', standing: Callable[[Any], Any] = lambda x: x
) -> Any:
    """What the traced function returns, with the objects opened that it has made.

    Args:
      returned: what it returns, or gives Python code otherwise.
      what: how a message calls that.
      standing: gives what stands for an attribute that is the caller's, or outside.

    Raises:
      StagingError: such an object holds tensors, and is more than its attributes, or is a key of a
        dict or an element of a set, which Python has taken as it is; what Python has made of them,
        such as a view of a dict, does.
    """
    returned = nest.actual(returned)
    _check_keys(returned, what)
    _check_factory(returned, what)
    if isinstance(returned, LivingCollection):
        returned = returned.now()
    if isinstance(returned, Deque):
        return Ended(opened_results(returned.listed, what, standing), returned.maxlen)
    if isinstance(returned, StagedSet):
        return EndedSet(opened_results(returned.listed, what, standing))
    if type(returned) in LIBRARY_CONTAINERS and _has_tensors(returned):
        returned = staged_container(returned)
        return opened_results(returned, what, standing)
    if what != 'shown':
        check_class(returned, what)
    if not nest.is_leaf(returned):
        return nest.map_children(lambda x: opened_results(x, what, standing), returned)
    if isinstance(returned, GrowingView):
        raise _of_python(f'dict_{returned.part}', what)
    if isinstance(returned, _OF_PYTHON) and reaches_tensors(returned):
        raise _of_python(str(type(returned).__name__), what)
    is_others = is_of_library(type(returned)) and type(returned) not in OPENED
    is_made = what == 'returned' and is_new_object(returned) and is_plain(returned)
    if not is_object(returned) or is_others or not (is_made or _has_tensors(returned)):
        return returned
    if is_outside(returned) or (lives_outside(returned) and not is_watched(id(returned))):
        return returned  # what is put into it is refused, and taken out
    if is_plain(returned):
        opened = opened_object(returned, list(content(returned)))
        held = (standing(x) for x in opened.values)
        parts = (x.as_it_is() if isinstance(x, LivingList) else x for x in held)
        values = [opened_results(x, what, standing) for x in parts]
        return Opened(opened.kind, opened.names, values, returned)
    kind = type(returned).__name__
    raise StagingError(describe(
        f'{with_article(kind, begins=True)} with tensors in it is {what}, and it is more than its '
        'attributes.',
        only_return(user_location()), f'{_VERBS[what]} what it holds.'))


def _of_python(kind: str, what: str) -> StagingError:
    return StagingError(describe(
        f'{with_article(kind, begins=True)} with tensors in it is {what}, which is made once, '
        'while tracing.',
        only_return(user_location()), f'{_VERBS[what]} what it holds, in a list or a tuple.'))


def make_shared(returned: Any) -> None:
    """Lets the graph make the objects that stand at several places of what is returned."""
    values = [value for held in walk(('', [returned])) for value in held.content.values()]
    times = Counter(map(id, values))
    for value in values:
        if times[id(value)] > 1 and is_new_object(value) and is_plain(value):
            let_out(value)


def _check_keys(x: Any, what: str) -> None:
    keys = x.numbers if isinstance(x, StagedDict) else x
    for key in keys if isinstance(keys, dict | set | frozenset | KeysView) else ():
        for part in key if isinstance(key, tuple) else (key,):
            if is_object(part) and not is_of_library(type(part)) and _has_tensors(part):
                place = 'in a set' if isinstance(x, set | frozenset) else 'as a key of a dict'
                raise StagingError(describe(
                    f'An object with tensors in it, {kind_of(part)}, is {what} {place}.',
                    only_return(user_location()), f'{_VERBS[what]} a list of them.'))


def _check_factory(x: Any, what: str) -> None:
    factory = x.factory if isinstance(x, StagedDict) else get_attribute(x, 'default_factory')
    if factory is not None and reaches_tensors(factory):
        raise StagingError(describe(
            f'A defaultdict is {what} of which the factory has tensors in it.', user_location(),
            f'{_VERBS[what]} a plain dict: `dict(d)`.'))


# What Python makes of values, and no call could make anew.
_OF_PYTHON = (
    types.FunctionType, types.MethodType, types.BuiltinMethodType, types.MappingProxyType, type,
    functools.partial, property, staticmethod, classmethod, BaseException, ChainMap, Iterator,
    KeysView, ValuesView, ItemsView,
)  # fmt: skip


_VERBS = {'returned': 'Return', 'shown': 'Show', 'passed': 'Pass'}


def _has_tensors(x: Any) -> bool:
    return any(
        isinstance(nest.actual(value), Tensor | Live | ReadAsValue)
        for held in walk(('', x)) for value in held.content.values())
