"""Random functions with several names for one thing give what plain Python gives, or are refused.

The same functions every time; `RANDOM_PROGRAMS=5000 pytest tests/programs` tries that many.
"""
from __future__ import annotations

import linecache
import os

import numpy as np
import pytest
from differential import joined, outcome
from programs.random_names import NAMES, function_text

import autograph_lite as ag

PROGRAMS = int(os.environ.get('RANDOM_PROGRAMS', '100'))

CALLS = [
    (np.float64(1.0), np.float64(2.0), np.int64(0), np.array([1.0, 2.0, -1.0]), False),
    (np.float64(3.0), np.float64(-1.0), np.int64(3), np.array([0.5, 3.0, 9.0]), True),
    (np.float64(5.0), np.float64(0.5), np.int64(2), np.array([-4.0, 0.0, 2.0]), False),
    (np.float64(-2.0), np.float64(4.0), np.int64(5), np.array([7.0, 7.0, 1.0]), True),
]


@pytest.mark.parametrize('seed', range(PROGRAMS))
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_random_names(seed):
    text = function_text(seed)
    filename = f'<random names {seed}>'
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {'np': np, **NAMES}
    exec(compile(text, filename, 'exec'), names)
    f = names['f']
    graph = ag.function(f)
    for args in CALLS:
        expected, got = outcome(f, args), outcome(graph, args)
        if isinstance(got[1], ag.errors.AutographError):
            assert 'File "' in str(got[1])
            return
        assert joined(expected, got), (
            f'{args} give\n  {got!r}, plain Python\n  {expected!r}\n{text}'
        )
