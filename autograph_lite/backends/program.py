"""The lowered program: its source, the function that it defines, and how it is run."""
from __future__ import annotations

import linecache
import math
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from ..graph.graph import Change
from .positions import Originals, at_users_lines
from .printer import Line, Origin

_numbers = count(1)


@dataclass(eq=False)
class Program:
    """A graph as one plain Python function.

    Attributes:
      name: the name of the function.
      code: its source, line for line what runs.
      lines: for each line, what it came from.
      originals: for the code of each function, by identity, the code without the user's lines.
      constants: what the source names beside `np` and `math`: captured arrays and the like.
      changes: what the rewrites did to the graph that it was written from.
      filename: the name under which the source is found where no line of the user's is known.
    """

    name: str
    code: str
    lines: tuple[Origin | None, ...]
    originals: Originals
    constants: dict[str, Any]
    filename: str
    function: Callable[..., Any]
    results: int
    changes: tuple[Change, ...] = ()


def load(
    name: str, lines: Sequence[Line], constants: dict[str, Any], results: int
) -> Program:
    """Compiles the source once."""
    code = '\n'.join(line for line, _ in lines) + '\n'
    filename = f'<lowered {name} {next(_numbers)}>'
    namespace = {'np': np, 'math': math, **constants}
    origins = tuple(origin for _, origin in lines)
    originals: Originals = {}
    compiled = compile(code, filename, 'exec', dont_inherit=True)
    exec(at_users_lines(compiled, code.splitlines(), origins, originals), namespace)
    function = namespace[name]
    program = Program(name, code, origins, originals, constants, filename, function, results)
    # The source is shown from here; the entry goes when the program does.
    linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
    weakref.finalize(program, linecache.cache.pop, filename, None)
    return program
