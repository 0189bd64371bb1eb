"""The command line."""
from __future__ import annotations

import subprocess
import sys

import pytest

from autograph_lite.__main__ import main

MODULE = '''\
import numpy as np
import autograph_lite as ag


def clip(x, limit=1.0):
    if np.max(x) > limit:
        x = x / np.max(x)
    return x


@ag.function
def total(x):
    return np.sum(x)


class Model:
    def step(self, x):
        return x + 1


def refused(x):
    yield x
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / 'some_functions.py'
    path.write_text(MODULE)
    return path


def run(capsys, *argv):
    status = main(list(map(str, argv)))
    out, err = capsys.readouterr()
    return status, out, err


def test_to_code(file, capsys):
    status, out, _ = run(capsys, 'to-code', f'{file}:clip')
    assert status == 0
    assert out.startswith('def clip(x, limit=1.0):\n    x = ag.cond(')
    assert '\x1b' not in out


def test_to_code_with_what_is_called(file, capsys):
    file.write_text(MODULE + '\n\ndef shown(x):\n    return total(clip(x, 2.0))\n')
    status, out, _ = run(capsys, 'to-code', f'{file}:shown', '--all')
    assert status == 0
    names = [line.split('(')[0] for line in out.splitlines() if line.startswith('def ')]
    assert names == ['def shown', 'def total', 'def clip']


def test_to_code_of_a_whole_file(file, capsys):
    status, out, _ = run(capsys, 'to-code', file)
    assert status == 0
    names = [line.split('(')[0] for line in out.splitlines() if line.startswith('def ')]
    assert names == ['def clip', 'def total', 'def step']
    assert '\n# Model.step\ndef step(self, x):' in out
    assert '# refused:\n# `yield` does not convert.' in out


def test_colours_on_a_terminal(file, capsys, monkeypatch):
    pytest.importorskip('pygments')
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
    monkeypatch.setenv('TERM', 'xterm')
    monkeypatch.delenv('NO_COLOR', raising=False)
    _, out, _ = run(capsys, 'to-code', f'{file}:clip')
    assert '\x1b[35mdef\x1b[0m' in out


@pytest.mark.parametrize(
    ('format', 'start'),
    [('text', 'graph clip('), ('svg', '<svg'), ('dot', 'digraph'), ('mermaid', 'flowchart')],
)
def test_graph(file, capsys, format, start):
    argv = ['graph', f'{file}:clip', '--args', 'np.ones(3), limit=2.0', '--format', format]
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert out.startswith(start)


def test_lowered(file, capsys):
    status, out, _ = run(capsys, 'lowered', f'{file}:total', '--args', 'np.ones(3)')
    assert status == 0
    assert out.startswith('def total(x):')


def test_inspect(file, capsys, tmp_path):
    status, out, _ = run(capsys, 'inspect', f'{file}:clip', '--args', 'np.ones(3)')
    assert status == 0
    assert '── program' in out
    page = tmp_path / 'page.html'
    assert run(capsys, 'inspect', f'{file}:clip', '--args', 'np.ones(3)', '-o', page)[0] == 0
    assert page.read_text(encoding='utf-8').startswith('<!DOCTYPE html>')


def test_trace(file, capsys):
    calls = ['--args', 'np.ones(3)', '--args', 'np.zeros(3)', '--args', 'np.ones(4)']
    status, out, _ = run(capsys, 'trace', f'{file}:clip', *calls)
    assert status == 0
    assert out.splitlines() == [
        'clip(np.ones(3)): traced: the first call',
        'clip(np.zeros(3)): served by a trace',
        'clip(np.ones(4)): traced: the argument x is float64[4], not float64[3]',
    ]


def test_trace_of_a_script(file, capsys):
    file.write_text(MODULE + 'total(np.ones(3))\ntotal(np.ones(4))\nprint("done")\n')
    status, out, _ = run(capsys, 'trace', file)
    assert status == 0
    assert out.splitlines() == [
        'done',
        'total: 2 traces',
        '  1. the first call',
        '  2. the argument x is float64[4], not float64[3]',
    ]


@pytest.mark.parametrize(
    ('argv', 'said'),
    [
        (['to-code', 'nowhere.py:f'], 'there is no file nowhere.py'),
        (['to-code', '{file}:missing'], "has no 'missing'"),
        (['to-code', 'no_such_module:f'], "there is no module 'no_such_module'"),
        (['graph', '{file}:clip', '--args', 'np.ones('], 'cannot be read'),
        (['graph', '{file}:clip', '--args', 'np.ones(3), 1, 2'], '3 were given'),
        (['lowered', '{file}:np'], 'is no function'),
    ],
)
def test_errors_are_one_line(file, capsys, argv, said):
    status, out, err = run(capsys, *(part.format(file=file) for part in argv))
    assert status == 2
    assert out == ''
    assert err.startswith('autograph-lite: ')
    assert said in err
    assert err.count('\n') == 1


def test_what_does_not_convert_is_shown_where_it_stands(file, capsys):
    status, _, err = run(capsys, 'to-code', f'{file}:refused')
    assert status == 2
    assert '`yield` does not convert.' in err
    assert f'File "{file}", line 22' in err


def test_a_file_that_raises(tmp_path, capsys):
    path = tmp_path / 'broken_file.py'
    path.write_text('1 / 0\n')
    status, _, err = run(capsys, 'to-code', f'{path}:f')
    assert status == 2
    assert f'it cannot be run: {path}:1: ZeroDivisionError: division by zero' in err


def test_methods_of_an_object(file, capsys):
    argv = ['graph', f'{file}:Model.step', '--args', 'Model(), np.ones(3)']
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert out.startswith('graph step(x: float64[3])')


@pytest.mark.parametrize('command', ['graph', 'lowered', 'trace'])
def test_missing_arguments_are_asked_for(file, capsys, command):
    status, _, err = run(capsys, command, f'{file}:clip')
    assert status == 2
    assert "clip() missing 1 required positional argument: 'x'; give arguments as in --args" in err


def test_what_the_function_raises_is_told_with_its_line(file, capsys):
    file.write_text(MODULE + '\n\ndef boom(x):\n    raise ValueError("no\\ngood")\n')
    status, _, err = run(capsys, 'graph', f'{file}:boom', '--args', '1')
    line = file.read_text().splitlines().index('def boom(x):') + 2
    assert status == 2
    assert err == f'autograph-lite: {file}:{line}: ValueError: no good\n'


def test_a_script_sees_its_own_arguments_and_may_exit(file, capsys):
    file.write_text(MODULE + 'import sys\nprint(sys.argv)\ntotal(np.ones(3))\nsys.exit(1)\n')
    status, out, _ = run(capsys, 'trace', file)
    assert status == 0
    assert out.splitlines() == [str([str(file)]), 'total: 1 trace', '  1. the first call']


def test_a_page_that_cannot_be_written(file, capsys, tmp_path):
    argv = ['inspect', f'{file}:clip', '--args', 'np.ones(3)', '-o', tmp_path / 'no' / 'page.html']
    status, _, err = run(capsys, *argv)
    assert status == 2
    assert err.endswith('page.html cannot be written: No such file or directory\n')


@pytest.mark.parametrize(('name', 'value'), [('NO_COLOR', '1'), ('TERM', 'dumb')])
def test_no_colours_where_nobody_wants_them(file, capsys, monkeypatch, name, value):
    monkeypatch.setattr(sys.stdout, 'isatty', lambda: True)
    monkeypatch.setenv(name, value)
    assert '\x1b' not in run(capsys, 'to-code', f'{file}:clip')[1]


def test_a_reader_that_has_read_enough(file):
    command = [sys.executable, '-m', 'autograph_lite', 'to-code', str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b''
        assert process.wait() == 0


@pytest.mark.parametrize('command', [[], ['to-code'], ['graph'], ['inspect'], ['trace']])
def test_help(capsys, command):
    with pytest.raises(SystemExit) as leaves:
        main([*command, '--help'])
    assert leaves.value.code == 0
    assert 'usage: autograph-lite' in capsys.readouterr().out


def test_as_a_command(file):
    command = [sys.executable, '-m', 'autograph_lite', 'to-code', f'{file}:total']
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == 'def total(x):\n    return np.sum(x)\n'
