"""Every file of the standard library: to gast, to text, and back to the same tree."""
from __future__ import annotations

import ast
import itertools
import multiprocessing
import os
import sysconfig
import tokenize
import warnings
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import to_gast
from autograph_lite.pyct.unparser import unparse


def files() -> list[str]:
    """The Python files of the standard library, without packages that were installed."""
    found = []
    for directory, directories, names in os.walk(sysconfig.get_path('stdlib')):
        directories[:] = [name for name in directories if name != 'site-packages']
        found += [os.path.join(directory, name) for name in names if name.endswith('.py')]
    return sorted(found)


def read(path: str) -> Source | None:
    """The text of a file; none if it is one of those that are there to be wrong."""
    try:
        with warnings.catch_warnings(), tokenize.open(path) as file:
            warnings.simplefilter('ignore')
            source = Source(file.read(), path)
            return source if source.tree else None
    except (SyntaxError, UnicodeDecodeError, ValueError):
        return None


def check(path: str) -> tuple[str, str]:
    """What becomes of a file: 'same', 'skipped' or what went wrong."""
    source = read(path)
    if source is None:
        return path, 'skipped'
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            return path, _outcome(source)
    except Exception as error:
        return path, f'{type(error).__name__}: {error}'


def _outcome(source: Source) -> str:
    tree = to_gast(source.tree)
    generated, own = unparse(tree), unparse(tree, source)
    if not same(deeply(ast.parse, generated.text), source.tree):
        return 'another tree when printed as generated'
    if not same(deeply(ast.parse, own.text), source.tree):
        return 'another tree when printed as written'
    for printed in generated, own:
        if len(printed.lines) != len(printed.text.split('\n')) and printed.text:
            return 'not one source line for every line'
    if source.tree.body and comments(own.text) != comments(source.text):
        return 'other comments'
    return 'same'


def same(one: Any, other: Any) -> bool:
    """Whether two trees are the same but for positions."""
    pending = [(one, other)]
    while pending:
        a, b = pending.pop()
        if type(a) is not type(b):
            return False
        if isinstance(a, ast.AST):
            pending += [(getattr(a, name), getattr(b, name)) for name in a._fields]
        elif isinstance(a, list):
            if len(a) != len(b):
                return False
            pending += zip(a, b, strict=True)
        elif repr(a) != repr(b):
            return False
    return True


def comments(text: str) -> Counter[str]:
    """The comments of a text."""
    lines = (line + '\n' for line in text.split('\n'))
    tokens = tokenize.generate_tokens(itertools.chain(lines, ['']).__next__)
    return Counter(token.string.rstrip() for token in tokens if token.type == tokenize.COMMENT)


def check_all(paths: list[str]) -> Iterator[tuple[str, str]]:
    """The outcomes for all of the files, on all processors."""
    context = multiprocessing.get_context('spawn')
    with ProcessPoolExecutor(os.cpu_count(), mp_context=context) as pool:
        yield from pool.map(check, paths, chunksize=8)
