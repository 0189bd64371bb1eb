"""Text with tensors in it: an f-string whose values only the running graph knows."""
from __future__ import annotations

import functools
import itertools
import re
import string
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location, with_article
from ..graph import nest
from ..graph.dispatch import UNREACHED, replaces
from ..graph.state import State, looked_at, valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import carrier
from ..ops.strings import (
    Part,
    StagedBytes,
    StagedString,
    StagedText,
    formatted,
    formatted_by,
    joined,
)
from ..ops.strings import percent as staged_percent
from ..pyct.asking import get_attribute
from .chosen_variables import asked_of_chosen, is_chosen_variable
from .is_none import is_optional
from .lists import StagedList
from .living_lists import LivingCollection
from .members import Member, each
from .one_of_few import where_known
from .optional_nests import Perhaps, present
from .own_methods import own_method
from .reentry import cond
from .staging import graph_now
from .text_forms import form_of
from .tuples import StagedTuple
from .unconverted import record_whole
from .variables import Variable, described
from .whole_reads import check_inside

_CONVERSIONS: dict[int, Callable[[Any], str]] = {
    ord('s'): str,
    ord('r'): repr,
    ord('a'): ascii,
}


def text(*parts: Part) -> Any:
    """What an f-string of these parts gives; a staged string where a tensor is among them."""
    if is_tracing():
        parts = tuple(shown for part in parts for shown in _all_shown(part))
    written = [
        part if isinstance(part, str) or isinstance(part[0], Tensor) else _format(*part)
        for part in parts
    ]
    staged = any(isinstance(part, tuple) for part in written)
    return formatted(written) if staged else ''.join(map(str, written))


def _all_shown(part: Part) -> Iterator[Part]:
    """The parts that one is shown by: a list, a dict or a dataclass by those of what it holds."""
    if isinstance(part, str):
        yield part
        return
    from .steps import with_tensors  # which imports what makes texts

    value, conversion, spec = part
    if isinstance(spec, StagedString):
        shown = value if conversion == -1 else text((value, conversion, ''))
        yield formatted_by(with_tensors(nest.actual(shown)), spec), -1, ''
        return
    value = with_tensors(nest.actual(value))
    if isinstance(value, LivingCollection):
        value = value.now()
    check_inside(value)
    if isinstance(value, Variable) and conversion != -1 and not spec:
        yield from described(value)
        return
    if isinstance(value, Member):
        yield each(value, lambda member: text((member, conversion, spec))), -1, ''
        return
    if isinstance(value, Perhaps):
        yield _text_or_none(value, conversion, spec), -1, ''
        return
    own = _own_text(value, conversion, spec)
    if own is not None:
        yield own
        return
    form = form_of(value)
    if not _holds_tensors(value):
        record_whole(value)
        yield _shown(value, conversion, spec)
        return
    if spec and conversion in (ord('s'), ord('r')):
        yield text((value, conversion, '')), -1, spec
        return
    if isinstance(value, BaseException) and conversion in (-1, ord('s')):
        yield from _all_shown(_message(value, spec))
        return
    if form is None and issubclass(_class_of(value), _SHOWN_WHEN_RUN):
        yield _told_when_run(value, conversion, spec), -1, ''
        return
    if form is None or spec or conversion == ord('a'):
        raise _unknown_text(value)
    yield form.opening
    for i, (name, child) in enumerate(form.parts):
        yield (', ' if i else '') + name
        yield from _all_shown((child, ord('r'), ''))
    yield form.closing


# Containers that Python shows in an order that does not depend on how they were filled.
_SHOWN_WHEN_RUN = (list, tuple, dict)


def _told_when_run(value: Any, conversion: int, spec: str) -> Any:
    """The text of a container of which only the running graph knows what is in it."""
    from .when_run import told  # only some programs make such texts

    return told(_format, value, conversion, spec)


def _text_or_none(value: Perhaps, conversion: int, spec: str) -> Any:
    """The text of a nest that may be None."""
    return cond(
        value.present, lambda: text((value.sure(), conversion, spec)),
        lambda: text((None, conversion, spec)))


def _message(error: BaseException, spec: str) -> Part:
    """What shows an exception by its arguments."""
    shows: Any = type(error).__str__
    if spec or shows not in (BaseException.__str__, KeyError.__str__):
        raise _unknown_text(error)
    if len(error.args) > 1:
        return error.args, ord('s'), ''
    return error.args[0], ord('r' if shows is KeyError.__str__ else 's'), ''


def _own_text(value: Any, conversion: int, spec: str) -> Part | None:
    """How the user's class shows an object; None if it does not say so."""
    name, showing = _own_method(value, conversion)
    if showing is None or conversion == ord('a'):
        return None
    if name == '__format__':
        return showing(spec), -1, ''
    return (showing(), -1, spec) if conversion != -1 or not spec else None


def _own_method(value: Any, conversion: int) -> tuple[str, Callable[..., Any] | None]:
    """The method that shows an object, and the function that calls it if it is the user's."""
    names = {-1: ('__format__', '__str__', '__repr__'), ord('s'): ('__str__', '__repr__')}
    for name in names.get(conversion, ('__repr__',)):
        own = own_method(value, name)
        if own is not None or get_attribute(type(value), name) is not getattr(object, name):
            break
    return name, own


def _holds_tensors(value: Any) -> bool:
    """Whether there are tensors in a container, or objects that the user's classes show."""
    form = form_of(value)
    held = nest.children(value) if form is None else [part for _, part in form.parts]
    parts = map(nest.actual, held)
    return any(
        isinstance(part, Tensor | State)
        or _own_method(part, ord('r'))[1] is not None
        or _holds_tensors(part)
        for part in parts
    )


def _class_of(value: Any) -> type[Any]:
    from .class_tests import type_of  # which imports what makes texts

    kind: type[Any] = type_of(value)
    return kind


def _unknown_text(value: Any) -> StagingError:
    kind = _class_of(value).__name__
    what = f'The text of {with_article(kind)} that holds tensors is not known to the graph.'
    return StagingError(describe(what, user_location(), 'Show its parts one by one.'))


def _shown(value: Any, conversion: int, spec: str) -> Part:
    if is_chosen_variable(value):
        fix = 'Show its value: `v.value`.'
        raise asked_of_chosen('The text is', fix)
    return looked_at(value), conversion, spec


def formatted_template(template: str, *args: Any, **kwargs: Any) -> Any:
    """`template.format(*args, **kwargs)`, with fields in the specifications of others, too."""
    numbers = itertools.count()
    return text(*_fields(template, numbers, args, kwargs))


def _fields(
    template: str, numbers: Iterator[int], args: Sequence[Any], kwargs: dict[str, Any]
) -> Iterator[Part]:
    """The parts of a template; `numbers` counts the fields that have no name."""
    reading = string.Formatter()
    for literal, name, spec, conversion in reading.parse(template):
        if literal:
            yield literal
        if name is None:
            continue
        is_named = name and name[0] not in '.['
        value, _ = reading.get_field(name if is_named else f'{next(numbers)}{name}', args, kwargs)
        is_nested = '{' in (spec or '')
        shown = text(*_fields(spec or '', numbers, args, kwargs)) if is_nested else spec or ''
        yield value, ord(conversion) if conversion else -1, shown


def percent(template: Any, values: Any) -> Any:
    """`template % values`."""
    from .steps import with_tensors

    if isinstance(values, StagedTuple | nest.Mutable):
        raise _unknown_text(values)
    parts = values if isinstance(values, tuple) else (values,)
    if is_tracing() and any(map(is_optional, parts)):
        return where_known(values, functools.partial(_percent_of_known, template))
    parts = tuple(map(with_tensors, parts)) if is_tracing() else parts
    for part in parts if is_tracing() else ():
        record_whole(part)
        check_inside(part)
        # The text that stands for a list is no list: `%r` would put it into quotes.
        by_repr = isinstance(values, dict) or '%r' in template or '%a' in template
        if by_repr and _is_told(part):
            raise _unknown_text(part)
        if isinstance(part, Variable) and (by_repr or '%s' in template):
            what = f'Whether `%` shows the variable {part.name!r} or its value is not known.'
            fix = 'Show its value, `v.value`, or its text, `str(v)`.'
            raise StagingError(describe(what, user_location(), fix))
    if not any(sign in template for sign in ('%s', '%r', '%a')):
        parts = tuple(x.stacked() if isinstance(x, Member | Perhaps) else x for x in parts)
    shown = tuple(text((part, -1, '')) if _is_told(part) else part for part in parts)
    if isinstance(template, str) and any(isinstance(valued(part), Tensor) for part in shown):
        return staged_percent(template, tuple(map(valued, shown)))
    if isinstance(template, str) and set(_PERCENT.findall(template)) <= {'s', '%'}:
        return template % (shown if isinstance(values, tuple) else shown[0])  # asked for once
    return template % values


_PERCENT = re.compile('%[^a-zA-Z%]*([a-zA-Z%])')


def _percent_of_known(template: Any, values: Any) -> Any:
    """The same, in a block that runs only where these are what they are."""
    from .effects import raises_of_container  # it needs what is here

    try:
        return percent(template, values)
    except Exception as error:
        raises_of_container(error, graph_now())


def _is_told(part: Any) -> bool:
    """Whether the text of a part is found here, and not by Python."""
    is_held = isinstance(part, StagedList) or _holds_tensors(part)
    return is_held or _own_method(part, ord('s'))[1] is not None


def join(separator: Any, strings: Any) -> Any:
    """`separator.join(strings)`; a staged string where only the running graph knows the strings."""
    if not is_tracing() or not isinstance(separator, str | bytes | StagedText):
        return separator.join(strings)
    from .needed import check_there  # it needs what is here

    strings = UNREACHED[list](nest.actual(strings))
    if isinstance(strings, StagedList):
        return joined(separator, strings)
    parts = [x.stacked() if isinstance(x, Member | Perhaps) else x for x in map(valued, strings)]
    wanted = 'a bytes-like object' if isinstance(separator, bytes | StagedBytes) else 'str instance'
    for i, part in enumerate(parts):
        if is_optional(part):
            check_there(part, TypeError, f'sequence item {i}: expected {wanted}, NoneType found')
            parts[i] = present(part)
    if isinstance(separator, bytes | StagedBytes):
        is_staged = any(isinstance(x, Tensor) for x in (separator, *parts))
        return joined(separator, parts) if is_staged else separator.join(parts)
    ''.join('' if _is_text(part) else _stand_in(part) for part in parts)  # refuses what is no text
    if not any(_is_text(part) for part in (separator, *parts)):
        return separator.join(parts)
    between: list[Any] = [part for each in parts for part in (separator, each)][1:]
    return text(*(part if isinstance(part, str) else (part, -1, '') for part in between))


def _is_text(part: Any) -> bool:
    return isinstance(part, StagedString) or (
        isinstance(part, Tensor) and part.type.kind == 'scalar' and part.type.dtype.kind in 'UT'
    )


def _stand_in(part: Any) -> Any:
    """A part for Python to say whether it is a string."""
    return carrier(part.type)(0) if isinstance(part, Tensor) else part


def _format(value: Any, conversion: int, spec: str) -> str:
    if conversion != -1:
        value = _CONVERSIONS[conversion](value)
    return format(value, spec)


def _text_of(function: Callable[..., Any], conversion: int, *args: Any, **kwargs: Any) -> Any:
    """`str(x)` and the like."""
    if kwargs or not 0 < len(args) < (3 if function is format else 2):
        return function(*args, **kwargs)
    return text((args[0], conversion, *(args[1:] or ('',))))


for _conversion, _function in ((-1, format), *_CONVERSIONS.items()):
    replaces(_function)(functools.partial(_text_of, _function, _conversion))
