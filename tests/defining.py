"""Functions from their text."""
from __future__ import annotations

import itertools
import linecache
from typing import Any

import numpy as np

_numbers = itertools.count()


def define(text: str, **names: Any) -> Any:
    """The last function of a text, as if it stood in a file."""
    filename = f'<defined {next(_numbers)}>'
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    names = {'np': np, **names}
    exec(compile(text, filename, 'exec'), names)
    return names[list(names)[-1]]
