"""What can be an `ag.function`, and what is refused."""
from __future__ import annotations

from typing import Any

from .errors import ConversionError

_INSTEAD = {
    'generator': 'Write one that returns all its values at once, in a list or an array.',
    'coroutine': 'Write it with `def` and without `await`, and call it where its values are there.',
}


def check_backend(jit_compile: bool | None) -> None:
    """Refuses a backend that there is not.

    Raises:
      ConversionError: it is asked for (also a NotImplementedError).
    """
    if jit_compile:
        raise ConversionError(
            'jit_compile=True asks for compiled machine code, which autograph_lite does not make '
            'yet.\nLeave it out: the graph runs as an optimised NumPy program.'
        )


def check_traceable(f: Any, autograph: bool) -> None:
    """Refuses what cannot be traced.

    Raises:
      TypeError: it is not callable.
      ConversionError: it is a class or a builtin, or no function that returns once.
      SourceNotFoundError: it is to be converted, and its source cannot be found.
    """
    from .pyct.lines import describe, lines_behind
    from .pyct.written import function_behind, resumes

    if isinstance(f, property):
        raise TypeError('ag.function needs a function: write @property above @ag.function.')
    if not callable(f):
        raise TypeError(f'ag.function needs a function; {f!r} is not callable.')
    written = function_behind(f)
    what = resumes(written)
    if what:
        raise ConversionError(
            f'ag.function needs a function that returns; {describe(written)} is {what}.\n'
            f'{_INSTEAD[what.split()[-1]]}')
    if autograph:
        lines_behind(written)
