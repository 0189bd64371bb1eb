"""The lowered program's code with the user's file and lines, which warnings and debuggers show.

A warning says where it was raised by the file name of the code object that runs and the line of its
instruction. So the code keeps its instructions and gets another table of lines. A code object has
one file name; what it does of other files is shown at the line of the call that does it.
"""
from __future__ import annotations

import dis
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from types import CodeType

from ..graph.sites import CodeSite, SavedSite, Site
from ..pyct.returns import returns_at
from .places import Place, places, site_at
from .printer import Line, Origin

# For each code object of a program, by identity, the one that it was made from.
Originals = dict[int, tuple[CodeType, CodeType]]


def at_users_lines(
    code: CodeType,
    text: Sequence[str],
    lines: Sequence[Origin | None],
    originals: Originals,
    name: str = '',
) -> CodeType:
    """The same code, and that of the functions in it, with the user's file and lines.

    Args:
      code: the program's, compiled from its text.
      text: the lines of the program's source.
      lines: what each line of it came from.
      originals: gets what each code object was made from.
      name: the name of the program's function, which is in the file of the user's function; every
        other one is where most of it came from.
    """
    constants = tuple(
        at_users_lines(constant, text, lines, originals, name) if isinstance(constant, CodeType)
        else constant
        for constant in code.co_consts
    )  # fmt: skip
    sites = list(_sites(code, text, lines))
    calls = [(site, *site.callers) for site in sites if site is not None]
    if not calls:
        made = code.replace(co_consts=constants)
        originals[id(made)] = made, code
        return made
    files = Counter(around[-1 if code.co_name == name else 0].filename for around in calls)
    filename = files.most_common(1)[0][0]
    own = next(site for around in calls for site in around if site.filename == filename)
    first = own.code.co_firstlineno if isinstance(own, CodeSite) else own.line
    numbers = _numbers(code, sites, filename, first)
    table = _table if sys.version_info >= (3, 11) else _table_before_3_11
    made = code.replace(
        co_consts=constants,
        co_filename=filename,
        co_firstlineno=first,
        co_linetable=bytes(table(first, numbers)),
    )
    originals[id(made)] = made, code
    return made


def with_return(lines: list[Line]) -> list[Line]:
    """The lines of a program, of which the last is at the only `return` of the user's function."""
    *before, (text, last) = lines
    sites = [origin.site for _, origin in lines if origin is not None and origin.site is not None]
    if last is None or last.site is not None or not sites:
        return lines
    own = (sites[-1], *sites[-1].callers)[-1].location
    found = returns_at(own, anywhere=True)
    if len(found) != 1:
        return lines
    return [*before, (text, replace(last, site=SavedSite(found[0])))]


def _sites(
    code: CodeType, text: Sequence[str], lines: Sequence[Origin | None]
) -> Iterator[Site | None]:
    """For each two bytes of code, where in the user's code they come from, to the line."""
    known: dict[Place, Site | None] = {}
    for place in places(code):
        if place not in known:
            origin = lines[place[0] - 1] if place[0] else None
            if origin is not None and origin.is_of_one_line:
                known[place] = origin.site
            else:
                known[place] = site_at(text, lines, place)
        yield known[place]


def _numbers(
    code: CodeType, sites: Sequence[Site | None], filename: str, first: int
) -> list[int]:
    """The line of each instruction; what Python adds to go back to a loop's head is there."""
    heads: dict[int, int] = {}
    if None in (line for line, *_ in places(code)):
        jumps = (each for each in dis.get_instructions(code) if each.opcode in _JUMPS)
        heads = {each.offset // 2: each.argval // 2 for each in jumps if each.argval < each.offset}
    numbers: list[int] = []
    line = first
    for i, (site, place) in enumerate(zip(sites, places(code), strict=True)):
        if site is not None:
            around = (site, *site.callers)
            line = next((each.line for each in around if each.filename == filename), first)
        is_added = place[0] is None and i in heads
        numbers.append(numbers[heads[i]] if is_added else line)
    return numbers


_JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))


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
