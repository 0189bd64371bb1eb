"""What to write where a function needs a value of a tensor that Python itself has called.

    @ag.convert
    def __next__(self): ...

Python's own code calls what it is given as it is: nobody stands between to convert it.
"""
from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import CodeType, FrameType

from ..converted import is_converted, is_left_as_it_is
from ..errors import Location, is_internal, is_users, location_at, user_frame
from ..graph.dispatch import FALLBACKS

# Python itself needs to know what these give.
_ANSWERING = frozenset({
    '__bool__', '__contains__', '__eq__', '__ge__', '__gt__', '__hash__',
    '__instancecheck__', '__le__', '__len__', '__length_hint__', '__lt__', '__ne__',
    '__subclasscheck__',
})  # fmt: skip
_NUMBERS = {
    '__complex__': 'complex', '__float__': 'float', '__index__': 'int', '__int__': 'int'}
_COMPREHENSIONS = ('<listcomp>', '<setcomp>', '<dictcomp>', '<genexpr>')


def to_convert() -> str:
    """What to write for the function that runs to be converted; empty if it is, or is not to be."""
    frame = _outermost(_function(user_frame()))
    if frame is None:
        return ''
    caller = next(_converted(frame.f_back), None)
    if caller is None:
        return ''  # nothing is: the function that is traced is not to be converted
    name, at = frame.f_code.co_name, location_at(caller.f_code, caller.f_lasti, caller.f_lineno)
    if not frame.f_code.co_flags & inspect.CO_OPTIMIZED:
        return (
            f'The body of the class `{name}` runs as it is: give what it computes a name before '
            'the class, and that to the class.')
    who = f'Python itself calls `{_called(frame)}`{_shown(at)}, and it runs as it is.'
    if name in _ANSWERING:
        return (
            f'{who} What it gives Python needs to know while tracing: ask in a statement of your '
            'own, such as an `if` in a `for` loop.')
    if name in _NUMBERS:
        number = _NUMBERS[name]
        return f'{who} Give the number that is asked for: `{number}(x)` for `x`.'
    return f'{who} {_marked(frame.f_code)}: then it is converted, whoever calls it.'


FALLBACKS['to convert'] = to_convert


def _function(frame: FrameType | None) -> FrameType | None:
    """What runs the function around a comprehension, which is one of its own before Python 3.12."""
    while frame is not None and frame.f_code.co_name in _COMPREHENSIONS:
        frame = frame.f_back
    return frame


def _outermost(frame: FrameType | None) -> FrameType | None:
    """What runs the first of the functions, each called by the one before, that is not converted.

    None where one of them is converted or is to be left as it is.
    """
    if frame is None or is_converted(frame.f_code) or is_left_as_it_is(frame.f_code):
        return None
    caller = frame.f_back
    while caller is not None and not is_users(caller):
        caller = caller.f_back
    caller = _function(caller)
    if caller is None or is_converted(caller.f_code) or _is_module(caller):
        return frame
    return _outermost(caller)


def _is_module(frame: FrameType) -> bool:
    return frame.f_code.co_name == '<module>'


def _converted(frame: FrameType | None) -> Iterator[FrameType]:
    """What runs converted code, the innermost first."""
    while frame is not None:
        if is_users(frame) and is_converted(frame.f_code):
            yield frame
        frame = frame.f_back


def _called(frame: FrameType) -> str:
    """What a function is called in its module, as far as Python tells (3.11+)."""
    code = frame.f_code
    return str(getattr(code, 'co_qualname', code.co_name)).rpartition('<locals>.')[2]


def _shown(at: Location) -> str:
    text = at.text.strip()
    return f' at line {at.line} (`{text}`)' if text and not is_internal(at.filename) else ''


def _marked(code: CodeType) -> str:
    if code.co_name == '<lambda>':
        return 'Write `ag.convert(lambda ...: ...)` for `lambda ...: ...`'
    return f'Write `@ag.convert` directly above `def {code.co_name}`'
