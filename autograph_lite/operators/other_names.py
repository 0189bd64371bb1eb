"""Which names the user has for a list, dict or object, beside the one that gets a new value."""
from __future__ import annotations

import ast
import re
import types
from collections.abc import Iterator
from typing import Any

from ..errors import is_internal, user_frame
from ..pyct.codes import once_by_code
from .contents import content
from .holders import Holder, walk
from .next_value import is_over, places_filled

_PACKAGE = __package__.partition('.')[0]


def root_of(name: str) -> str:
    """The variable in the name of a place: `x` of `x[0].y`."""
    return re.split(r'[.\[]', name, maxsplit=1)[0].strip('<>')


def has_other_name(x: Any, name: str) -> bool:
    """Whether something else than the variable, attribute or item of this name leads to it.

    Functions are not looked into: their variables are those of the functions around them.
    """
    root = root_of(name)
    own = None if name.strip('<>') == root else _place_of(name)
    frames = list(_frames())
    same = _sharing(frames, root)
    others = (
        (key, value) for frame in frames for key, value in frame.f_locals.items()
        if (key != root or own or frame not in same)
        and not isinstance(value, types.FunctionType)
        and not (frame is not frames[0] and is_over(frame, key))
    )
    return any(held.owner is x for held in walk(*others, without=() if own is None else (own,)))


def has_name_after_call(x: Any) -> bool:
    """Whether something leads to it when the call that is made now has given its result."""
    frames = list(_frames())
    others = (
        (key, value) for frame in frames for key, value in frame.f_locals.items()
        if not isinstance(value, types.FunctionType) and not is_over(frame, key))
    filled = [place for frame in frames for place in places_filled(frame)]
    return any(held.owner is x for held in walk(*others, without=filled))


def _sharing(frames: list[types.FrameType], name: str) -> list[types.FrameType]:
    """Those in which a name is the variable that it is in the first one.

    A block has the variables of the function around it, and functions may share a variable.
    """
    around = [frame for frame in frames if _is_around(frames[0], frame)]
    is_cell = any(_has_cell(frame, name) for frame in around)
    return [
        frame for frame in frames if frame in around or (is_cell and _has_cell(frame, name))]


def _has_cell(frame: types.FrameType, name: str) -> bool:
    return name in (*frame.f_code.co_cellvars, *frame.f_code.co_freevars)


def _is_around(inner: types.FrameType, frame: types.FrameType) -> bool:
    """Whether a frame is that one, or of a function around its function."""
    return frame is inner or id(inner.f_code) in _codes_in(frame.f_code)


@once_by_code
def _codes_in(code: types.CodeType) -> frozenset[int]:
    """What identifies the code of the functions in a function."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return frozenset(map(id, inner)).union(*map(_codes_in, inner))


def is_place(place: Holder, name: str) -> bool:
    """Whether a place is the variable, attribute or item of this name."""
    root = root_of(name)
    if name.strip('<>') == root:
        return root_of(place.name) == root
    return bool(place.identity == _place_of(name))


def is_reached(x: Any) -> bool:
    """Whether it can be reached from a variable of the functions that are being traced."""
    known = list(variables())
    if any(value is x for _, value in known):
        return True
    return any(
        held.owner is x or any(value is x for value in held.content.values())
        for held in walk(*known))


def _place_of(name: str) -> Any:
    """What identifies the place of this name; None where there is none."""
    node, steps = _parsed(name), []
    while isinstance(node, ast.Attribute | ast.Subscript):
        steps.append(node.attr if isinstance(node, ast.Attribute) else _literal(node.slice))
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    owner = next((value for key, value in variables() if key == node.id), None)
    key, *others = steps
    for step in reversed(others):
        held = content(owner)
        owner = held.get(step) if isinstance(held, dict) else None
    return id(owner), key


def _parsed(name: str) -> ast.expr | None:
    try:
        return ast.parse(name, mode='eval').body
    except SyntaxError:  # what nobody wrote
        return None


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:  # a variable
        return node


def variables() -> Iterator[tuple[str, Any]]:
    """The variables of the functions that are being traced."""
    for frame in _frames():
        yield from frame.f_locals.items()


def _frames() -> Iterator[types.FrameType]:
    frame = user_frame()
    while frame is not None and frame.f_globals.get('__name__') != f'{_PACKAGE}.trace':
        if not is_internal(frame.f_code.co_filename):
            yield frame
        frame = frame.f_back
