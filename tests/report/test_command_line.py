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
    assert names == ['def shown', 'def total', 'def clip']


def test_to_code_of_a_whole_file(file, capsys):
    status, out, err = run(capsys, 'to-code', file)
    assert status == 0
    assert out.startswith('import numpy as np\nimport autograph_lite as ag\n\n\ndef clip(')
    assert '    x = ag.cond(np.max(x) > limit,' in out
    assert '@ag.function\ndef total(x):\n    return np.sum(x)\n' in out
    assert 'class Model:\n    def step(self, x):\n        return x + 1\n' in out
    assert 'def refused(x):\n    yield x\n' in out
    assert err == (
        f'autograph-lite: {file}:22: `yield` does not convert. Collect the values in a list and '
        'return it, or mark it @ag.do_not_convert and call it elsewhere.\n')


def test_to_code_of_what_is_called_goes_on_where_something_does_not_convert(file, capsys):
    file.write_text(MODULE + '\n\ndef shown(x):\n    return total(refused(clip(x, 2.0)))\n')
    status, out, err = run(capsys, 'to-code', f'{file}:shown', '--all')
    assert status == 2
    names = [line.split('(')[0] for line in out.splitlines() if line.startswith('def ')]
    assert names == ['def shown', 'def total', 'def clip']
    assert err.startswith(f'autograph-lite: {file}:22: `yield` does not convert.')
    assert err.count('\n') == 1


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
    status, out, err = run(capsys, 'trace', file)
    assert (status, err) == (0, 'done\n')
    assert out.splitlines() == [
        'total: 2 traces',
        f'  1. {file}:23: the first call',
        f'  2. {file}:24: the argument x is float64[4], not float64[3]',
    ]


def test_functions_are_found_wherever_a_script_makes_them(tmp_path, capsys):
    (tmp_path / 'helpers_of_a_script.py').write_text(MODULE)
    script = tmp_path / 'script.py'
    script.write_text('''\
import numpy as np
import autograph_lite as ag
import helpers_of_a_script as helpers


class Model:
    @ag.function
    def step(self, x):
        return x + 1


def main():
    for n in (1, 2):
        ag.function(helpers.clip)(np.ones(n))
    Model().step(np.ones(2))


main()
''')
    status, out, _ = run(capsys, 'trace', script)
    assert status == 0
    assert out.splitlines() == [
        'total: 0 traces',
        'Model.step: 1 trace',
        f'  1. {script}:15: the first call',
        'clip: 1 trace',
        f'  1. {script}:14: the first call',
        'clip: 1 trace',
        f'  1. {script}:14: the first call',
    ]


def test_a_script_that_raises_tells_what_it_traced_before(tmp_path, capsys):
    script = tmp_path / 'script.py'
    script.write_text(
        'import autograph_lite as ag\nf = ag.function(lambda x: x)\nf(1)\nraise ValueError("so")\n')
    status, out, err = run(capsys, 'trace', script)
    assert status == 2
    assert out.splitlines() == ['<lambda>: 1 trace', f'  1. {script}:3: the first call']
    assert err == f'autograph-lite: {script}:4: ValueError: so\n'


def test_a_script_without_functions(tmp_path, capsys):
    script = tmp_path / 'script.py'
    script.write_text('print(1)\n')
    assert run(capsys, 'trace', script) == (
        2, '', f'1\nautograph-lite: {script} makes no ag.function\n')


def test_a_script_tells_what_is_raised_while_tracing(file, capsys):
    file.write_text(MODULE + '''

@ag.function
def checked(x):
    if x.ndim > 1:
        raise ValueError('a matrix')
    return x


for each in (np.ones(2), np.eye(2), np.ones((2, 2))):
    try:
        checked(each)
    except ValueError:
        pass
''')
    line = file.read_text().splitlines().index("        raise ValueError('a matrix')") + 1
    status, out, err = run(capsys, 'trace', file)
    assert (status, err) == (0, '')
    said = f'raised ValueError at line {line}'
    assert out.splitlines() == [
        'total: 0 traces',
        f'checked: 1 trace; {said}; {said}',
        f'  1. {file}:{line + 6}: the first call',
    ]
    argv = ['trace', f'{file}:checked', '--args', 'np.eye(2)', '--args', 'np.ones(3)']
    status, out, err = run(capsys, *argv)
    assert status == 2
    assert out.splitlines() == [
        f'checked(np.eye(2)): {said}',
        'checked(np.ones(3)): traced: the argument x is float64[3], not float64[2]']
    assert err == f'autograph-lite: {file}:{line}: ValueError: a matrix\n'


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


def test_they_are_asked_for_behind_a_decorator_too(file, capsys):
    file.write_text('''\
import functools


def decorated(f):
    @functools.wraps(f)
    def call(*args):
        return f(*args)
    return call


@decorated
def clip(x):
    return x


def calls():
    return clip()
''')
    assert 'give arguments' in run(capsys, 'graph', f'{file}:clip')[2]
    assert 'give arguments' not in run(capsys, 'graph', f'{file}:calls')[2]


def test_what_the_function_raises_is_told_with_its_line(file, capsys):
    file.write_text(MODULE + '\n\ndef boom(x):\n    raise ValueError("no\\ngood")\n')
    status, _, err = run(capsys, 'graph', f'{file}:boom', '--args', '1')
    line = file.read_text().splitlines().index('def boom(x):') + 2
    assert status == 2
    assert err == f'autograph-lite: {file}:{line}: ValueError: no good\n'


@pytest.mark.parametrize(
    ('code', 'status', 'said'),
    [
        ('', 0, None),
        ('0', 0, None),
        ('3', 3, 'SystemExit: 3'),
        ('"no data"', 1, 'SystemExit: no data'),
    ],
)
def test_a_script_has_its_own_arguments_and_exit_status(file, capsys, code, status, said):
    file.write_text(MODULE + f'''
import sys
print(sys.argv[1:])
total(np.ones(3))
sys.exit({code})
''')
    got, out, err = run(capsys, 'trace', file, '--', 'a', '--args', '-v')
    assert got == status
    assert out.splitlines() == ['total: 1 trace', f'  1. {file}:26: the first call']
    assert err.splitlines() == [
        "['a', '--args', '-v']", *([f'autograph-lite: {file}:27: {said}'] if said else [])]


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


def test_a_script_runs_without_the_future_of_the_command(tmp_path, capsys):
    script = tmp_path / 'script.py'
    script.write_text('import autograph_lite as ag\n\n\ndef f(x: int): ...\n\n\n'
                      'assert f.__annotations__ == {"x": int}\nag.function(lambda x: x)(1)\n')
    assert run(capsys, 'trace', script)[0] == 0


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


def test_a_page_without_a_name(file, capsys):
    assert run(capsys, 'inspect', f'{file}:clip', '--args', '1.0', '-o', '') == (
        2, '', 'autograph-lite: -o names no file\n')


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


def test_output_in_an_encoding_that_lacks_a_character(file, monkeypatch, capsys):
    monkeypatch.setattr(sys, 'stdout', io.TextIOWrapper(io.BytesIO(), 'ascii'))
    assert main(['inspect', f'{file}:clip', '--args', '1.0']) == 2
    assert capsys.readouterr().err == (
        "autograph-lite: '\\u2500' cannot be written in ascii; set PYTHONIOENCODING=utf-8\n")


def test_a_file_that_imports_from_its_package(tmp_path, capsys):
    inner = tmp_path / 'some_package' / 'inner'
    inner.mkdir(parents=True)
    (inner.parent / '__init__.py').write_text('')
    (inner.parent / 'limits.py').write_text('LIMIT = 2\n')
    file = inner / 'clipping.py'
    file.write_text('from ..limits import LIMIT\n\n\ndef clip(x):\n    return min(x, LIMIT)\n')
    status, out, err = run(capsys, 'to-code', f'{file}:clip')
    assert (status, out) == (2, '')
    assert err.endswith('lies in none that has an __init__.py; write package.clipping:function\n')
    (inner / '__init__.py').write_text('')
    assert run(capsys, 'to-code', f'{file}:clip') == (
        0, 'def clip(x):\n    return ag.min(x, LIMIT)\n', '')


def test_methods_stand_in_their_classes(file, capsys):
    file.write_text('''\
class Base:
    def scaled(self, x): return 2 * x


class Model(Base):
    def __init__(self, rate): self.rate = rate

    @property
    def twice(self): return 2 * self.rate

    @staticmethod
    def helper(x): return -x

    def step(self, x): return self.helper(x) + super().scaled(x) + self.twice


def shown(x):
    model = Model(3)
    return model.step(x)
''')
    status, out, err = run(capsys, 'to-code', f'{file}:shown', '--all')
    assert (status, err) == (0, '')
    lines = [line for line in out.splitlines() if line.strip().startswith(('class', 'def', '@'))]
    assert lines == [
        'def shown(x):',
        'class Model:',
        '    def __init__(self, rate):',
        '    def step(self, x):',
        '    @staticmethod',
        '    def helper(x):',
        '    @property',
        '    def twice(self):',
        'class Base:',
        '    def scaled(self, x):',
    ]
    assert run(capsys, 'to-code', f'{file}:Model.step', '--all')[1].startswith('class Model:\n')


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


def test_what_is_no_file_is_told(file, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'some_directory').mkdir()
    (tmp_path / 'no_ending').write_text('def f(x):\n    return x\n')
    said = run(capsys, 'to-code', 'some_directory')[2]
    assert 'some_directory is a directory; write path/file.py:function' in said
    said = run(capsys, 'to-code', 'no_ending:f')[2]
    assert "there is no module 'no_ending'; a file is named with its ending, .py" in said
