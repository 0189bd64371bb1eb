"""The text of a tensor, where Python makes it itself: while tracing, before there is a value.

    logging.warning('%s', x)

`print`, f-strings, `str` and the methods of the user's classes are converted: what they show, the
running graph shows. What is marked not to be converted, and a debugger, sees the tensors.
"""
from __future__ import annotations

import os
import sys
from types import FrameType

from ..converted import is_left_as_it_is
from ..errors import is_internal, is_users
from ..graph.dispatch import FALLBACKS
from ..graph.tensor import Tensor
from .refused import is_noting, note_refused

# Where functions of Python are called for the user's code; any other code here writes messages.
_CALLING = tuple(
    f'operators{os.sep}{name}.py'
    for name in (
        'calls', 'captures', 'library_code', 'own_methods', 'printing', 'text', 'unconverted'))
_SHOWING = ('__format__', '__repr__', '__str__')
_DEBUGGERS = ('_pydevd_bundle', 'bdb', 'debugpy', 'ipdb', 'pdb', 'pudb', 'pydevd')


def check_shown(tensor: Tensor) -> None:
    """The text of a tensor is for a message of the library, or for one who knows what it is.

    Raises:
      StagingError: it is for the user's code, or for what that calls.
    """
    if not is_noting():
        return
    asking = _asking()
    if asking is None or _is_debugging(asking) or is_left_as_it_is(asking.f_code):
        return
    error = tensor._misused('in a text that Python makes', _SHOW_LATER)
    note_refused(error)
    raise error


FALLBACKS['check shown'] = check_shown

_SHOW_LATER = (
    'Make the text by an f-string, or show it with `print`, or in a function under '
    '`ag.py_function`, which is called when the graph runs: `ag.py_function(show, [x], None)`.')


def _asking() -> FrameType | None:
    """What asks for the text of a tensor, or of something that holds it; None for a message."""
    frame: FrameType | None = sys._getframe(3)
    while frame is not None and frame.f_code.co_name in (*_SHOWING, 'wrapper'):
        frame = frame.f_back
    if frame is None:
        return None
    filename = frame.f_code.co_filename
    return frame if not is_internal(filename) or filename.endswith(_CALLING) else None


def _is_debugging(frame: FrameType | None) -> bool:
    """Whether what asks is called by a debugger, which stands in the user's code."""
    while frame is not None:
        name = str(frame.f_globals.get('__name__', ''))
        if name.partition('.')[0] in _DEBUGGERS:
            return True
        if is_users(frame) and not frame.f_code.co_filename.startswith('<'):
            return False
        frame = frame.f_back
    return False
