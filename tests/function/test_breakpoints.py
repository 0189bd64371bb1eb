"""`breakpoint()` in a function that is traced."""
from __future__ import annotations

import os
import re
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


CALLED_TWICE = '''
import numpy as np, autograph_lite as ag

def helper(v):
    u = v * 2
    return u + 1

@ag.function
def f(xs):
    total = 0.0
    for x in xs:
        same = x * 2
        if x > 3:
            z = helper(x)
            total += z
    return total + same

X = np.array([1.0, 4.0])
f(X)
print('second')
print('result', f(X))
'''


def debugged(tmp_path, *commands):
    """What pdb prints that gets these commands for the script above."""
    script = tmp_path / 'script.py'
    script.write_text(CALLED_TWICE)
    ran = subprocess.run(
        [sys.executable, '-m', 'pdb', str(script)], input='\n'.join([*commands, 'quit\n']),
        text=True, capture_output=True, check=True, cwd=tmp_path)
    return ran.stdout


def test_every_call_stops_where_operations_are_folded_into_others(tmp_path):
    printed = debugged(
        tmp_path, 'break 21', 'continue', 'break 15', 'break 12', 'break 6', 'continue', 'p x',
        'continue', 'continue', 'p u', 'continue', 'p x, same, z', 'clear 2', 'continue')
    _, second = printed.split('second')
    stops = re.findall(r'script\.py\((\d+)\)f', second)
    assert stops == ['12', '12', '6', '15']
    assert 'np.float64(1.0)' in second
    assert '(np.float64(4.0), np.float64(8.0), np.float64(9.0))' in second
    assert 'result 17.0' in second


def test_what_leaves_the_debugger_leaves_the_program(tmp_path):
    printed = debugged(tmp_path, 'break 15', *['continue'] * 3, 'p total', 'quit')
    assert 'np.float64(0.0)' in printed
    assert 'second' not in printed


def test_the_stack_is_the_users(tmp_path):
    printed = debugged(
        tmp_path, 'break 15', 'continue', 'where', 'up', 'p X', 'continue', 'where', 'quit')
    places = [line for line in printed.splitlines() if '.py(' in line]
    assert not any('autograph_lite' in line for line in places)
    assert 'array([1., 4.])' in printed
    assert sum('script.py(19)' in line for line in places) == 3
