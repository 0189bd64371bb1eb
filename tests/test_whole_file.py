"""A whole file, converted: it says and gives what the file as it was written does."""
from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import autograph_lite as ag
from autograph_lite.targets import load_module
from autograph_lite.whole_file import converted_file

FILE = '''\
"""A module."""
from __future__ import annotations

import functools
import numpy as np

LIMIT = 3  # a constant


def decorate(f):
    @functools.wraps(f)
    def call(*args):
        return f(*args)
    return call


class Model:
    """A model
    of two lines.
    """

    rate: float = 0.5

    def step(self, x):
        """Steps.

        And more.
        """
        # a comment
        if np.sum(x) > self.rate:
            x = x * 2
        text = """a
  b
"""
        return x, len(text)
        # at the end

    @property
    def size(self):
        return 1 if self.rate > 0 else 2

    @functools.cached_property
    def twice(self):
        return self.size * 2 if self.rate else 0

    @staticmethod
    def helper(x): return -x if x < 0 else x

    class Inner:
        @classmethod
        def make(cls, n):
            while n > 3:
                n = n - 1
            return cls, n

    def __secret(self, x):
        return super().__init__() if x else 0

    def told(self):
        return self.__secret(1), self.__secret(0)


@decorate
@functools.lru_cache
def clip(x, limit=1.0):
    if x > limit:
        x = x / limit
    return x


absolute = lambda x: x if x > 0 else -x
if LIMIT:
    def conditional(x):
        return x if x else 2


if __name__ == '__main__':
    m = Model()
    print(m.step(np.ones(3)), m.size, m.twice, m.helper(-2), m.Inner.make(9)[1], m.told())
    print(absolute(-3), clip(4, 2.0), conditional(0), Model.__doc__, Model.step.__doc__)
'''


@pytest.fixture
def path(tmp_path, monkeypatch):
    path = tmp_path / 'a_whole_file.py'
    monkeypatch.setattr(sys, 'path', list(sys.path))
    yield path
    sys.modules.pop('a_whole_file', None)


def converted(path, text):
    path.write_text(text)
    return converted_file(load_module(str(path)))


def said_by(path):
    return subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=True).stdout


def test_it_runs_as_before(path, tmp_path):
    text, errors = converted(path, FILE)
    assert errors == []
    (tmp_path / 'again.py').write_text(text)
    assert said_by(tmp_path / 'again.py') == said_by(path)


def test_every_function_is_converted_where_it_stands(path):
    text, _ = converted(path, FILE)
    assert text.startswith(
        '"""A module."""\nfrom __future__ import annotations\n\n'
        'import autograph_lite as ag\nimport functools\n')
    for line in (
        'absolute = lambda x: ag.cond(x > 0, lambda: x, lambda: -x)',
        '    x = ag.cond(x > limit, lambda x: x / limit, ag.unchanged, x)',
        '        x = ag.cond(np.sum(x) > self.rate, lambda x: x * 2, ag.unchanged, x)',
        '        return ag.cond(self.rate > 0, lambda: 1, lambda: 2)',
        '        return ag.cond(self.rate, lambda: self.size * 2, lambda: 0)',
        '            n = ag.while_loop(lambda n: n > 3, lambda n: n - 1, n)',
        '        return ag.cond(x, lambda: x, lambda: 2)',
        'LIMIT = 3  # a constant',
    ):
        assert line in text.splitlines()
    assert text.count('# at the end') == 1
    assert text.count('@') == FILE.count('@')


def test_the_import_stands_where_it_may(path):
    body = textwrap.dedent('''\
        # who wrote this
        LIMIT = 1


        def f(x):
            return x if x > LIMIT else 0
        ''')
    assert converted(path, body)[0].startswith(
        '# who wrote this\nimport autograph_lite as ag\n\n\nLIMIT = 1\n')


def test_a_file_that_imports_it_is_left_so(path):
    text, _ = converted(path, 'import autograph_lite as ag\n\nf = lambda x: x if x else 0\n')
    assert text.count('import') == 1


def test_nothing_to_convert(path):
    assert converted(path, '') == ('', [])
    assert converted(path, 'X = 1\n') == ('X = 1\n', [])


def test_a_file_that_is_indented_with_tabs(tmp_path):
    file = tmp_path / 'with_tabs.py'
    file.write_text('class A:\n\tw = 1\n\n\tdef f(self, x):\n\t\tif x > 0:\n\t\t\treturn x\n'
                    '\t\treturn -x * self.w\n\n\n\tdef g(self): return 1\n\n\nvalue = A().f(-2)\n')
    text, errors = converted_file(load_module(str(file)))
    names = {'__name__': 'with_tabs'}
    exec(compile(text, str(file), 'exec', dont_inherit=True), names)
    assert errors == []
    assert 'ag.cond' in text
    assert names['value'] == 2


KEPT = '''\
import numpy as np
import autograph_lite as ag

KNOWN = {}


def known(f):
    KNOWN[f.__name__] = f


@known
def relu(x):
    return x if x > 0 else 0


@np.vectorize
def sign(x):
    if x > 0: return 1  # up
    return -1


TABLE = {'size': lambda x: x if x > 0 else -x, 'both': [lambda x: 1 if x else 2, lambda x: x]}
if not KNOWN:
    def never(x): return x if x else 1


@ag.do_not_convert
def left(x): return x if x else 1


alike = lambda x:   x
long = lambda x: (
    x if x > 0  # as it is
    else -x)


def headed(x, key=lambda x: x if x else 3):
    return key(x) if x else 4


print(KNOWN['relu'](3), sign([1, -1]), TABLE['size'](-2), TABLE['both'][0](0), long(-3), headed(0))
'''


def test_functions_that_no_name_keeps_are_converted_too(path, tmp_path):
    text, errors = converted(path, KEPT)
    (tmp_path / 'again.py').write_text(text)
    assert said_by(tmp_path / 'again.py') == said_by(path)
    for line in (
        '    return ag.cond(x > 0, lambda: x, lambda: 0)',
        '        return 1  # up',
        "TABLE = {'size': lambda x: ag.cond(x > 0, lambda: x, lambda: -x), "
        "'both': [lambda x: ag.cond(x, lambda: 1, lambda: 2), lambda x: x]}",
        '        return ag.cond(x, lambda: x, lambda: 1)',
        'def left(x): return x if x else 1',
        'alike = lambda x:   x',
        '    x if x > 0  # as it is',
    ):
        assert line in text.splitlines()
    assert [str(error).splitlines()[0] for error in errors] == [
        'This `lambda` stays as it is: it has comments inside.',
        'This `lambda` stays as it is: it stands in the head of a function.',
    ]


def test_a_name_that_converted_source_needs(path):
    with pytest.raises(ag.errors.ConversionError, match='has an `ag` of its own'):
        converted(path, 'ag = 1\n\n\ndef f(x):\n    return x if x else 0\n')
