"""The lowered program's code with the user's file and lines, which warnings and debuggers show.

A warning says where it was raised by the file name of the code object that runs and the line of its
instruction. So the code keeps its instructions and gets another table of lines. A code object has
one file name; what it does of other files is shown at the line where the function itself begins.
"""
from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from types import CodeType

from ..graph.sites import CodeSite, Site
from .failures import Place, places, site_at
from .printer import Origin

# For each code object of a program, by identity, the one that it was made from.
Originals = dict[int, tuple[CodeType, CodeType]]


def at_users_lines(
    code: CodeType, text: Sequence[str], lines: Sequence[Origin | None], originals: Originals
) -> CodeType:
    """The same code, and that of the functions in it, with the user's file and lines.

    Args:
      code: the program's, compiled from its text.
      text: the lines of the program's source.
      lines: what each line of it came from.
      originals: gets what each code object was made from.
    """
    constants = tuple(
        at_users_lines(constant, text, lines, originals) if isinstance(constant, CodeType)
        else constant
        for constant in code.co_consts
    )  # fmt: skip
    sites = list(_sites(code, text, lines))
    files = Counter(site.filename for site in sites if site is not None)
    if not files:
        made = code.replace(co_consts=constants)
        originals[id(made)] = made, code
        return made
    filename = files.most_common(1)[0][0]
    own = next(site for site in sites if site is not None and site.filename == filename)
    first = own.code.co_firstlineno if isinstance(own, CodeSite) else own.line
    numbers = list(_numbers(sites, filename, first))
    table = _table if sys.version_info >= (3, 11) else _table_before_3_11
    made = code.replace(
        co_consts=constants,
        co_filename=filename,
        co_firstlineno=first,
        co_linetable=bytes(table(first, numbers)),
    )
    originals[id(made)] = made, code
    return made


def _sites(
    code: CodeType, text: Sequence[str], lines: Sequence[Origin | None]
) -> Iterator[Site | None]:
    """For each two bytes of code, where in the user's code they come from."""
    known: dict[Place, Site | None] = {}
    for place in places(code):
        if place not in known:
            known[place] = site_at(text, lines, place)
        yield known[place]


def _numbers(sites: Sequence[Site | None], filename: str, first: int) -> Iterator[int]:
    """The line of each instruction."""
    line = first
    for site in sites:
        if site is not None:
            line = site.line if site.filename == filename else first
        yield line


def _table(first: int, numbers: Sequence[int]) -> Iterator[int]:
    """Lines without columns, as Python writes them down: `Objects/locations.md` in its source."""
    last = first
    for line, group in groupby(numbers):
        count = len(list(group))
        while count > 0:
            units = min(count, 8)
            yield 0x80 | 13 << 3 | units - 1
            yield from _signed(line - last)
            last, count = line, count - units


def _signed(number: int) -> Iterator[int]:
    number = -number << 1 | 1 if number < 0 else number << 1
    while number >= 64:
        yield 64 | number & 63
        number >>= 6
    yield number


def _table_before_3_11(first: int, numbers: Sequence[int]) -> Iterator[int]:
    """The same for Python 3.10: pairs of bytes, how many of code and how many lines further."""
    last = first
    for line, group in groupby(numbers):
        size = 2 * len(list(group))
        step, last = line - last, line
        while abs(step) > 127:
            part = 127 if step > 0 else -127
            yield from (0, part & 255)
            step -= part
        while size > 0:
            part = min(size, 254)
            yield from (part, step & 255)
            size, step = size - part, 0
