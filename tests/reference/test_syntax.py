"""Python as it is seldom written: converted, printed and traced it means the same.

The functions stand in `syntax.txt`, each after a line with its title, and the Python that it needs.
"""
from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

_TEXT = (Path(__file__).parent / 'syntax.txt').read_text('utf-8')
_PARTS = re.split(r'^=== (.*)\n', _TEXT, flags=re.MULTILINE)
CASES = dict(zip(_PARTS[1::2], _PARTS[2::2]))


def _needs(title: str) -> tuple[int, ...]:
    needed = re.search(r'\(3\.(\d+)\)$', title)
    return (3, int(needed[1])) if needed else (3, 10)


@pytest.mark.parametrize('title', [title for title in CASES if sys.version_info >= _needs(title)])
def test_syntax(title):
    f = define(CASES[title])
    for form in (int, np.int64):
        traces = 2 if form is int else 1
        check(f, (form(3),), (form(-3),), traces=traces, joins=True)


def test_names_of_results():
    def f(xs):
        result = 1
        did_return = 2
        for x in xs:
            if x > 1:
                return result, did_return, x
            result += x
        return result, did_return, 0

    check(f, (np.array([1, 2]),), (np.array([1, 0]),), joins=True)


LAYOUTS = {
    'tabs': 'def f(x):\n\tif x > 0:\n\t\tx = x + 1\n\t\tif x > 2:\n\t\t\tx = 7\n\treturn x\n',
    'a form feed': 'def f(x):\n    y = 1\n\x0c\n    if x > 0:\n        y = 2\n    return y + x\n',
    'line ends of Windows': 'def f(x):\r\n    if x > 0:  # a\r\n        x = -x\r\n    return x\r\n',
    'a long line': f'def f(x):\n    return {" + ".join(f"x * {i}" for i in range(300))}\n',
    'no last line end': 'def f(x):\n    if x > 0:\n        x = -x\n    return x',
    'blanks at line ends': 'def f(x):  \n    if x > 0: \n\n        x = -x \n  \n    return x \n',
    'a text over lines': "def f(x):\n    s = '''\n  a\n    b'''\n    return s if x > 0 else 'c'\n",
    'eighteen levels':
        'def f(x):\n' + ''.join(f'{"    " * (i + 1)}if x > {i - 5}:\n' for i in range(18))
        + '    ' * 19 + 'x = x + 1\n    return x\n',
}  # fmt: skip


@pytest.mark.parametrize('text', LAYOUTS.values(), ids=LAYOUTS)
def test_layout(text):
    check(define(text), *[(v,) for v in (3, -3)], traces=2)
    if 'text' not in text:
        f = define(text)
        for value in (np.int64(3), np.int64(-3)):
            try:
                assert ag.function(f)(value) == f(value)
            except ag.errors.StagingError:
                assert "'''" in text  # two texts, and only the running graph knows which
