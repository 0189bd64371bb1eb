"""Python's builtins where they mean something for a tensor; for anything else, Python's own."""
from __future__ import annotations

import builtins
from typing import Any

len = builtins.len
range = builtins.range
enumerate = builtins.enumerate
zip = builtins.zip
map = builtins.map
filter = builtins.filter
reversed = builtins.reversed
sorted = builtins.sorted
min = builtins.min
max = builtins.max
sum = builtins.sum
any = builtins.any
all = builtins.all
round = builtins.round
divmod = builtins.divmod
pow = builtins.pow
abs = builtins.abs
int = builtins.int
float = builtins.float
bool = builtins.bool
complex = builtins.complex
isinstance = builtins.isinstance


def print(*values: Any, **kwargs: Any) -> None:
    """Prints when the graph runs, not while it is traced."""
    builtins.print(*values, **kwargs)
