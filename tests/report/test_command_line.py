"""The command line."""
from __future__ import annotations

import errno
import io
import os
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
    assert names == ['def shown', 'def clip', 'def total']


def test_to_code_of_what_is_called_leaves_out_what_does_not_convert(file, capsys):
    file.write_text(MODULE + '\n\ndef shown(x):\n    return total(refused(clip(x, 2.0)))\n')
    status, out, err = run(capsys, 'to-code', f'{file}:shown', '--all')
    assert (status, err) == (0, '')
    names = [line.split('(')[0] for line in out.splitlines() if line.startswith('def ')]
    assert names == ['def shown', 'def clip', 'def total']


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


@pytest.mark.parametrize(
    ('argv', 'said'),
    [
        (['to-code', 'nowhere.py:f'], 'there is no file nowhere.py'),
        (['to-code', '{file}:missing'], "has no 'missing'"),
        (['to-code', 'no_such_module:f'], "there is no module 'no_such_module'"),
        (['graph', '{file}:clip', '--args', 'np.ones('], 'cannot be read'),
        (['graph', '{file}:clip', '--args', 'np.ones(3), 1, 2'], '3 were given'),
        (['lowered', '{file}:np'], 'is no function'),
        (['to-code', ''], 'nothing is named; write path/file.py:function or module:function'),
        (['graph', '{file}'], 'names no function; write path/file.py:function or module:function'),
        (['to-code', 'math'], 'The source of math cannot be found.'),
        (['to-code', '{file}:refused'], '{file}:22: `yield` does not convert. Collect the values'),
        (['trace', '{file}', '--args', '1'], 'is run as a script, which takes no --args'),
        (['trace', '{file}:clip', '--', 'a'], 'is called with --args; only a script has arguments'),
        (['to-code', '{file}', '--all'], 'is converted as a whole; --all is for one function'),
    ],
)
def test_errors_are_one_line(file, capsys, argv, said):
    status, out, err = run(capsys, *(part.format(file=file) for part in argv))
    assert status == 2
    assert out == ''
    assert err.startswith('autograph-lite: ')
    assert said.format(file=file) in err
    assert err.count('\n') == 1


def test_an_error_with_two_places_names_both(file, capsys):
    file.write_text(MODULE + '''

def two(x):
    y = x
    if np.sum(x) > 0:
        y = np.ones((2, 2))
    return y
''')
    status, _, err = run(capsys, 'graph', f'{file}:two', '--args', 'np.ones(2)')
    assert status == 2
    assert err.count('\n') == 1
    assert err.startswith(f'autograph-lite: {file}:')
    assert f'(see {file}:' in err


@pytest.mark.parametrize(
    ('argv', 'said'),
    [
        ([], 'the following arguments are required: command; see autograph-lite --help'),
        (['to-code'], 'the following arguments are required: target; see autograph-lite to-code'),
        (['bogus'], "invalid choice: 'bogus'"),
        (['graph', 'x', '--format', 'png'], "invalid choice: 'png'"),
    ],
)
def test_errors_of_usage_are_one_line(capsys, argv, said):
    with pytest.raises(SystemExit) as leaves:
        main(argv)
    assert leaves.value.code == 2
    out, err = capsys.readouterr()
    assert out == ''
    assert said in err
    assert err.count('\n') == 1


def test_a_file_that_raises(tmp_path, capsys):
    path = tmp_path / 'broken_file.py'
    path.write_text('1 / 0\n')
    status, _, err = run(capsys, 'to-code', f'{path}:f')
    assert status == 2
    assert f'it cannot be run: {path}:1: ZeroDivisionError: division by zero' in err


@pytest.mark.parametrize('command', ['to-code', 'graph', 'lowered', 'inspect'])
def test_what_the_users_code_prints_stands_aside(tmp_path, capsys, command):
    path = tmp_path / 'talking.py'
    path.write_text('print("loaded")\n\n\ndef f():\n    print("traced")\n    return 1\n')
    status, out, err = run(capsys, command, f'{path}:f')
    assert status == 0
    assert not {'loaded', 'traced'} & set(out.splitlines())
    assert err.splitlines() == ['loaded', *['traced'] * (command in ('graph', 'lowered'))]


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
    command = [sys.executable, '-m', 'autograph_lite', 'to-code', f'{file}:clip']
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


def test_exits_of_the_users_code_are_errors_as_others(file, capsys):
    file.write_text(MODULE + '\n\ndef leaves(x):\n    raise SystemExit(7)\n')
    assert run(capsys, 'graph', f'{file}:clip', '--args', 'exit(7)') == (
        2, '', "autograph-lite: the arguments 'exit(7)' cannot be read: SystemExit: 7\n")
    for command in ('graph', 'inspect', 'trace'):
        status, out, err = run(capsys, command, f'{file}:leaves', '--args', '1')
        assert status == 2
        assert out == ('leaves(1): raised SystemExit at line 26\n' if command == 'trace' else '')
        assert err.endswith('SystemExit: 7\n')
        assert err.count('\n') == 1


def test_a_call_that_fails_does_not_lose_the_others(file, capsys):
    status, out, err = run(capsys, 'trace', f'{file}:clip', '--args', '1.0', '--args', 'missing',
                           '--args', '2.0')
    assert status == 2
    assert [line.partition(':')[0] for line in out.splitlines()] == ['clip(1.0)', 'clip(2.0)']
    assert err == ("autograph-lite: the arguments 'missing' cannot be read: NameError: "
                   "name 'missing' is not defined\n")


def test_output_that_cannot_be_written(file, monkeypatch, capsys):
    class Full(io.StringIO):
        def flush(self):
            raise OSError(errno.ENOSPC, 'No space left on device')

        def fileno(self):
            return spare

    with open(os.devnull) as unused:
        spare = os.dup(unused.fileno())
        monkeypatch.setattr(sys, 'stdout', Full())
        assert main(['to-code', f'{file}:clip']) == 2
        os.close(spare)
    assert capsys.readouterr().err == (
        'autograph-lite: the output cannot be written: No space left on device\n')


def test_the_version(capsys):
    with pytest.raises(SystemExit) as leaves:
        main(['--version'])
    assert not leaves.value.code
    assert capsys.readouterr().out.startswith('autograph-lite ')


def test_a_whole_file_keeps_its_encoding(tmp_path):
    path = tmp_path / 'of_latin.py'
    text = '# -*- coding: latin-1 -*-\nNAME = "\xe9t\xe9"\n\n\n'
    function = 'def sign(x):\n    return 1 if x > 0 else 0\n'
    path.write_bytes((text + function).encode('latin-1'))
    command = [sys.executable, '-m', 'autograph_lite', 'to-code', str(path)]
    done = subprocess.run(command, capture_output=True, check=True).stdout
    assert b'NAME = "\xe9t\xe9"' in done
    assert b'ag.cond' in done
    compile(done, 'converted', 'exec')


def test_a_page_on_the_standard_output(file, capsys):
    argv = ['inspect', f'{file}:total', '--args', 'np.ones(3)', '-o', '-']
    status, out, _ = run(capsys, *argv)
    assert status == 0
    assert out.lower().startswith('<!doctype html>')


def test_to_code_of_a_whole_file_runs_as_before(file, capsys):
    status, out, err = run(capsys, 'to-code', file)
    assert status == 0
    assert out.startswith('import numpy as np\nimport autograph_lite as ag\n\n\ndef clip(')
    assert '    x = ag.cond(np.max(x) > limit,' in out
    assert '@ag.function\ndef total(x):\n    return np.sum(x)\n' in out
    assert 'class Model:\n    def step(self, x):\n        return x + 1\n' in out
    assert 'def refused(x):\n    yield x\n' in out
    assert err.startswith(f'autograph-lite: {file}:22: `yield` does not convert.')
    compile(out, 'converted', 'exec')


@pytest.mark.parametrize(
    ('end', 'status', 'said'),
    [
        ('', 0, None),
        ('sys.exit()', 0, None),
        ('sys.exit(3)', 3, 'SystemExit: 3'),
        ('sys.exit("no data")', 1, 'SystemExit: no data'),
        ('raise ValueError("so")', 2, 'ValueError: so'),
    ],
)
def test_trace_of_a_script(file, capsys, end, status, said):
    file.write_text(MODULE + f'''
import sys
print(sys.argv[1:])
total(np.ones(3))
total(np.ones(4))
{end}
''')
    got, out, err = run(capsys, 'trace', file, '--', 'a', '--args', '-v')
    assert got == status
    assert out.splitlines() == [
        'total: 2 traces',
        '  1. the first call',
        '  2. the argument x is float64[4], not float64[3]',
    ]
    assert err.splitlines() == [
        "['a', '--args', '-v']", *([f'autograph-lite: {file}:28: {said}'] if said else [])]


def test_a_script_without_functions(tmp_path, capsys):
    script = tmp_path / 'script.py'
    script.write_text('print(1)\n')
    assert run(capsys, 'trace', script) == (
        2, '', f'1\nautograph-lite: {script} has no ag.function when it ends\n')
