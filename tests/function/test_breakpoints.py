"""`breakpoint()` in a function that is traced."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest

SCRIPT = '''
import numpy as np, autograph_lite as ag

@ag.function
def f(x):
    y = x * 2
    if x > 0:
        breakpoint()
        z = y * 3
    else:
        z = y
    return z + 1

f(np.float64(3))
print('done')
'''


def test_stepping_on_stays_in_the_users_code(tmp_path):
    script = tmp_path / 'script.py'
    script.write_text(SCRIPT)
    env = {name: value for name, value in os.environ.items() if name != 'PYTHONBREAKPOINT'}
    ran = subprocess.run(
        [sys.executable, str(script)], input='next\n' * 5 + 'continue\n', env=env, text=True,
        capture_output=True, check=True, cwd=tmp_path)
    stops = [line for line in ran.stdout.splitlines() if '.py(' in line]
    assert len(stops) > 4
    assert all('script.py(' in line for line in stops)
    assert any('script.py(11)' in line for line in stops)
    assert ran.stdout.endswith('done\n')


READING = '''
import numpy as np, autograph_lite as ag

def helper(v):
    return v * 2

@ag.function
def f(x):
    y = helper(x)
    return y + 1

f(np.float64(3))
f(np.float64(4))
print('done')
'''


def test_a_breakpoint_stops_once_where_a_name_from_outside_is_read(tmp_path):
    script = tmp_path / 'script.py'
    script.write_text(READING)
    ran = subprocess.run(
        [sys.executable, '-m', 'pdb', str(script)], input='break 9\n' + 'continue\n' * 2 + 'quit\n',
        text=True, capture_output=True, check=True, cwd=tmp_path)
    assert ran.stdout.count('script.py(9)') == 1
    assert 'done' in ran.stdout


UNUSED = '''
import numpy as np, autograph_lite as ag

@ag.function
def f(xs, k):
    other = xs * 2
    total = 0.0
    for i, x in enumerate(xs):
        if x > 2:
            BREAKPOINT
            total += x
    return total + other.sum()

f(np.array([1.0, 4.0]), 'word')
print('done')
'''


@pytest.mark.parametrize('by_command', [True, False])
def test_variables_that_a_block_does_not_use_are_seen(tmp_path, by_command):
    script = tmp_path / 'script.py'
    script.write_text(UNUSED.replace('BREAKPOINT', 'pass' if by_command else 'breakpoint()'))
    command = [sys.executable, *(['-m', 'pdb'] if by_command else []), str(script)]
    begin = 'break 11\ncontinue\n' if by_command else ''
    asked = ''.join(f'p {name!r}, {name}\n' for name in ('i', 'k', 'other', 'total', 'x'))
    go_on = 'clear\ny\ncontinue\nquit\n' if by_command else 'continue\n' * 9
    ran = subprocess.run(
        command, input=begin + asked + go_on, text=True, capture_output=True, check=True,
        cwd=tmp_path)
    assert 'NameError' not in ran.stdout
    for told in ("('i', Tensor(", "('k', 'word')", "('other', Tensor(", "('total', Tensor("):
        assert told in ran.stdout
    assert 'done' in ran.stdout
