"""Functions that are defined in a test, with a text that Python can find."""
from __future__ import annotations

import itertools
import linecache
import textwrap
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

Define = Callable[..., SimpleNamespace]
_numbers = itertools.count()


@pytest.fixture
def define() -> Iterator[Define]:
    """Runs a text, as a notebook would, and gives the names that it binds."""
    registered = []

    def run(text: str, **names: Any) -> SimpleNamespace:
        text = textwrap.dedent(text).lstrip('\n')
        filename = f'<test {next(_numbers)}>'
        linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
        registered.append(filename)
        exec(compile(text, filename, 'exec', dont_inherit=True), names)
        return SimpleNamespace(**{k: v for k, v in names.items() if k != '__builtins__'})

    yield run
    for filename in registered:
        linecache.cache.pop(filename, None)
