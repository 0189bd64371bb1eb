"""Small functions of all kinds: what the other tests convert."""
from __future__ import annotations

import inspect
import linecache
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import autograph_lite as ag

_MODULES = (
    'converters/test_comprehensions.py', 'converters/test_match_statements.py',
    'converters/test_named_expressions.py', 'operators/test_conditionals.py',
    'operators/test_loops.py', 'operators/test_lists.py', 'operators/test_effects.py',
)  # fmt: skip


def corpus() -> list[Callable[..., Any]]:
    """The functions of some test modules that are no tests themselves, in the order of the text."""
    found = []
    for name in _MODULES:
        path = Path(__file__).parent / name
        text = path.read_text(encoding='utf-8')
        linecache.cache[str(path)] = len(text), None, text.splitlines(keepends=True), str(path)
        module = types.ModuleType(f'corpus.{path.stem}')
        sys.modules[module.__name__] = module
        exec(compile(text, str(path), 'exec'), vars(module))
        found += [
            value for key, value in vars(module).items()
            if inspect.isfunction(value) and value.__module__ == module.__name__
            and not key.startswith('test_') and not hasattr(value, 'pytestmark')]
    return found


if __name__ == '__main__':
    for function in corpus():
        print(ag.to_code(function))
