"""The table of constructs: complete and true."""
from __future__ import annotations

import ast
import contextlib
import textwrap

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag
from autograph_lite.converters.constructs import CONSTRUCTS

# What Python's grammar no longer makes, and parts of other nodes.
_NO_CONSTRUCTS = {
    'Num', 'Str', 'Bytes', 'NameConstant', 'Ellipsis', 'FormattedValue', 'Interpolation',
}  # fmt: skip

REFUSED = {
    'Yield': ('yield x', 'yield x'),
    'YieldFrom': ('yield from x', 'yield from x'),
    'AsyncFunctionDef': ('async def g():\n    pass\nreturn x', 'async def g():'),
}

PROGRAMS = {
    'If': 'if x > 0:\n    x = -x\nreturn x',
    'For':
        'for i in range(x.size + 2):\n    if x > i:\n        break\nelse:\n    x = x * 2\nreturn x',
    'While': 'while x < 9:\n    x = x + 2\nelse:\n    x = -x\nreturn x',
    'Break': 'while True:\n    x = x + 1\n    if x > 5:\n        break\nreturn x',
    'Continue': 'for i in range(4):\n    if x > i:\n        continue\n    x = x + i\nreturn x',
    'Return': 'for i in range(4):\n    if x > i:\n        return x - i\nreturn x',
    'Match': 'match x:\n    case 1:\n        return x + 5\nreturn x',
    'Assert': 'assert x > 0, f"{x} is small"\nreturn x',
    'Raise': 'if x < 0:\n    raise ValueError("negative")\nreturn x',
    'Try': 'try:\n    x = x * 2\nfinally:\n    x = x + 1\nreturn x',
    'With': 'with contextlib.nullcontext(3) as n:\n    if x > 0:\n        return x * n\nreturn x',
    'FunctionDef': 'def g(a, *b, c=2, **d):\n    return a if a > c else b[0]\nreturn g(x, x * 3)',
    'ClassDef': 'class A:\n    def g(self):\n        return x if x > 0 else -x\nreturn A().g()',
    'Assign': 'a, *b = x, x + 1, x + 2\nreturn b[1] - a',
    'AugAssign': 'if x > 0:\n    x += 2\nreturn x',
    'AnnAssign': 'y: float = x * 2\nreturn y',
    'Delete': 'y = x\nif x > 0:\n    del y\n    y = x * 2\nreturn y',
    'Global': 'global here\nhere = 3.0\nif x.ndim == 0:\n    here = here + 1.0\nreturn x * here',
    'Nonlocal':
        'n = x * 2\ndef g():\n    nonlocal n\n    if x > 0:\n        n = n + 1\ng()\nreturn n',
    'Import': 'import math\nreturn math.sqrt(x * x)',
    'ImportFrom': 'from math import sqrt\nreturn sqrt(x * x)',
    'Expr': 'np.sin(x)\nreturn x',
    'Pass': 'if x > 0:\n    pass\nreturn x',
    'BoolOp': 'return x > 0 and x < 2 or x < -5',
    'UnaryOp': 'return not x > 0',
    'Compare': 'return 0 < x < 2',
    'IfExp': 'return x if x > 0 else -x',
    'NamedExpr': 'if (y := x * 2) > 1:\n    return y\nreturn x',
    'ListComp': 'return [y for y in (x, -x) if y > 0]',
    'GeneratorExp': 'return sum(y * i for i, y in enumerate((x, -x)))',
    'SetComp': 'return len({i % 2 for i in range(4)}) * x',
    'DictComp': 'return {k: x for k in "ab"}',
    'Lambda': 'f = lambda y: y if y > 0 else -y\nreturn f(x)',
    'Call': 'return np.maximum(*(x, 2.0), **{})',
    'Starred': 'return [*(x, x + 1)]',
    'JoinedStr': 'name = f"{3:>4}"\nreturn {name: x}',
}  # fmt: skip


def test_every_construct_has_a_decision():
    kinds = {
        kind.__name__ for kind in vars(ast).values()
        if isinstance(kind, type) and issubclass(kind, (ast.stmt, ast.expr, ast.pattern))
        and kind.__bases__[0] in (ast.stmt, ast.expr, ast.pattern)}
    assert kinds - _NO_CONSTRUCTS <= CONSTRUCTS.keys()


@pytest.mark.parametrize('name', [n for n in CONSTRUCTS if CONSTRUCTS[n].decision == 'refused'])
def test_the_refused_say_what_to_write(name):
    assert CONSTRUCTS[name].note.endswith('.')


@pytest.mark.parametrize('name', REFUSED)
def test_refused(name):
    body, quoted = REFUSED[name]
    function = _function(body)
    with pytest.raises(ag.errors.ConversionError) as caught:
        ag.to_code(function)
    what, place, line, caret, fix = str(caught.value).splitlines()
    assert what == f'{CONSTRUCTS[name].name} does not convert.'
    assert 'line 2, in f' in place
    assert line.strip() == quoted
    assert set(caret.strip()) == {'^'}
    assert fix == CONSTRUCTS[name].note


@pytest.mark.parametrize('name', PROGRAMS)
def test_the_others_do_what_python_does(name):
    assert CONSTRUCTS[name].decision != 'refused'
    check(_function(PROGRAMS[name]), *((np.float64(x),) for x in (1.0, -2.0, 3.5)))


def _function(body):
    text = 'def f(x):\n' + textwrap.indent(body, '    ') + '\n'
    return define(text, contextlib=contextlib)
