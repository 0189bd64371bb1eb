"""Random functions leave in variables outside what plain Python leaves there, or are refused.

The same functions every time; `RANDOM_PROGRAMS=5000 pytest tests/programs` tries that many.
"""
from __future__ import annotations

import linecache
import os

import numpy as np
import pytest
from differential import joined, outcome
from programs.random_outer_variables import module_text

import autograph_lite as ag

PROGRAMS = int(os.environ.get('RANDOM_PROGRAMS', '60'))

CALLS = [
    (np.float64(0.5), np.array([-1.0, 2.0, 4.0])),
    (np.float64(3.0), np.array([0.5, 0.5, -1.0])),
    (np.float64(-1.5), np.array([2.0, 4.0, 2.0])),
    (np.float64(1.5), np.array([4.0, -1.0, 0.5])),
]
NAMES = 'g', 'h', 'n'


def _numbers(printed):
    return [float(word) for word in printed.split()]


@pytest.mark.parametrize('seed', range(PROGRAMS))
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
@pytest.mark.filterwarnings('ignore::autograph_lite.errors.RetracingWarning')
def test_random_outer_variables(seed, capsys):
    text = module_text(seed)
    filename = f'<random outer variables {seed}>'
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names = {'ag': ag, 'SEEN': []}
    exec(compile(text, filename, 'exec'), names)
    f = names['f']
    graph = ag.function(f)
    for args in CALLS:
        before = {name: names[name] for name in NAMES}
        found = []
        for way in f, graph:
            names.update(before, SEEN=[])
            ended = outcome(way, args)
            if isinstance(ended[1], ag.errors.AutographError):
                assert 'File "' in str(ended[1])
                assert all(names[name] is before[name] for name in NAMES)
                return
            left = [float(names[name]) for name in NAMES]
            found.append((ended, left, _numbers(capsys.readouterr().out), names['SEEN']))
        (expected, *did), (got, *does) = found
        assert joined(expected, got), f'{args} give\n  {got!r}, not\n  {expected!r}\n{text}'
        assert did == does, f'{args} leave\n  {does}, not\n  {did}\n{text}'
