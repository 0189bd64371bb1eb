"""Where the code of a lowered program stands in its text, and which node is written there."""
from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from types import CodeType

from ..graph.sites import Site
from .printer import Origin

# Line, last line, and the columns in bytes; None where they are not known.
Place = tuple[int | None, int | None, int | None, int | None]


def places(code: CodeType) -> Iterator[Place]:
    """For each two bytes of code the line, and from Python 3.11 on its end and the columns."""
    if sys.version_info >= (3, 11):
        yield from code.co_positions()
    else:
        for start, end, line in code.co_lines():
            yield from [(line, None, None, None)] * ((end - start) // 2)


def site_at(text: Sequence[str], lines: Sequence[Origin | None], place: Place) -> Site | None:
    """The node whose expression stands there; where columns are not kept, the node of the line."""
    line, end_line, column, end_column = place
    origin = lines[line - 1] if line else None
    if origin is None or line is None:
        return None
    if line == end_line:
        written = text[line - 1].encode()[column:end_column].decode()
        return origin.site_of(written)
    return origin.site
