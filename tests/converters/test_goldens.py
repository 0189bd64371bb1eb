"""Before and after: what each construct becomes, as text, and that it does the same.

A golden file holds cases. A case begins with `===` and its name, then come the calls, the function
as the user writes it and, after `---`, as it is converted.
"""
from __future__ import annotations

import contextlib
import copy
import io
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from defining import define
from differential import outcome, same

import autograph_lite as ag

GOLDENS = Path(__file__).parent / 'golden'


class Point(NamedTuple):
    x: float
    y: float


class Counter:
    def __init__(self) -> None:
        self.n = 1

    def add(self, x):
        self.n += x
        return self.n

    def __eq__(self, other):
        return self.n == other.n


def helper(x, scale=1):
    return x * scale


NAMES = {
    'np': np, 'ag': ag, 'math': math, 'sqrt': math.sqrt, 'Counter': Counter, 'Point': Point,
    'SimpleNamespace': SimpleNamespace, 'helper': helper, 'counter': 0,
}


@dataclass
class Case:
    file: Path
    name: str
    calls: str
    before: str
    after: str

    def __str__(self) -> str:
        return f'{self.file.stem}: {self.name}'

    def text(self, after: str) -> str:
        """The case as it stands in its file."""
        return f'=== {self.name}\ncalls: {self.calls}\n{self.before}---\n{after}\n'


def cases(file: Path) -> Iterator[Case]:
    for text in re.split(r'^=== ', file.read_text(encoding='utf-8'), flags=re.MULTILINE)[1:]:
        head, _, after = text.partition('\n---\n')
        name, calls, before = head.split('\n', 2)
        yield Case(file, name, calls.removeprefix('calls: '), before.rstrip('\n') + '\n', after)


ALL = [case for file in sorted(GOLDENS.glob('*.txt')) for case in cases(file)]


@pytest.mark.parametrize('case', ALL, ids=str)
def test_text(case, request):
    got = ag.to_code(define(case.before, **NAMES))
    if request.config.getoption('--update-goldens'):
        case.after = got + '\n'
        texts = [each.text(each.after.rstrip('\n')) for each in ALL if each.file == case.file]
        case.file.write_text(''.join(texts), encoding='utf-8')
    assert case.after.rstrip('\n') == got


@pytest.mark.parametrize('case', ALL, ids=str)
def test_meaning(case):
    before = define(case.before, **NAMES)
    converted = ag.to_graph(before)
    printed = define(ag.to_code(before), **NAMES)
    calls: list[tuple[Any, ...]] = eval(f'[{_separated(case.calls)}]', dict(NAMES))
    assert calls
    for arguments in calls:
        expected = _seen(before, arguments)
        for function in (converted, printed):
            got = _seen(function, arguments)
            assert got[0] == expected[0]
            assert same(expected[1], got[1])
            assert same(expected[2:], got[2:])


def _seen(function: Any, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The result, what was printed, and the global variable afterwards."""
    function.__globals__['counter'] = 0
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        how, result, *_ = outcome(function, copy.deepcopy(arguments))
    return how, _plain(result), printed.getvalue(), function.__globals__['counter']


def _plain(value: Any) -> Any:
    """A value that `same` can compare: objects as what is in them."""
    if isinstance(value, (Counter, SimpleNamespace)):
        return vars(value)
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value


def _separated(calls: str) -> str:
    """`(1,) (2, 3)` as `(1,), (2, 3),`: the arguments of one call after the other."""
    depth, parts, start = 0, [], 0
    for place, character in enumerate(calls):
        depth += (character in '([{') - (character in ')]}')
        if depth == 0 and character in ')]}':
            text = calls[start:place + 1].strip()
            parts.append(text if text == '()' or ',' in text else text[:-1] + ',)')
            start = place + 1
    return ', '.join(parts)
