"""No text of a tensor is made while tracing, but for messages and for who asks for tensors."""
import contextlib
import functools
import io
import logging
import pdb
import pprint
import reprlib
import string
import sys
import traceback
import types

import numpy as np
import pytest

import autograph_lite as ag
from tests.operators.test_printing import check, printed

ONE = np.float64(1.5)


class Failure(Exception):
    pass


class Told(Exception):
    def __str__(self):
        return f'failed with {self.args[0]}'


class Box:
    def __init__(self, content):
        self.content = content

    def __repr__(self):
        return f'Box({self.content})'


def caught(x):
    try:
        raise Failure(x, 'b')
    except Failure as error:
        print('caught', error, f'{error}', str(error), repr(error), [error], {'e': error})


ERRORS = [
    lambda x: print(Failure(x), Failure(), KeyError(x), Failure('a', x), Failure([x])),
    lambda x: print(Told(x), f'{Told(x)}', [Told(x)], Told(Box(x)), Failure(Box(x))),
    lambda x: print(f'{Failure(x)!r:>40}', '%s' % Failure(x), repr(OSError(1, x))),  # noqa: UP031
    caught,
]


@pytest.mark.parametrize('f', ERRORS)
def test_exceptions_with_tensors_are_shown_when_the_graph_runs(f):
    check(f, ONE, np.float64(2.5))


MADE_BY_PYTHON = [
    lambda x: pprint.pprint([x]),
    lambda x: print(reprlib.repr([x])),
    lambda x: print(string.Template('$a').substitute(a=x)),
    lambda x: print(types.SimpleNamespace(a=x)),
    lambda x: print(x, functools.partial(min, x)),
    lambda x: print(x, {Box(x)}),
    lambda x: print(types.MappingProxyType({'a': x})),
    lambda x: print(OSError(1, x)),
    lambda x: logging.getLogger('quiet').warning('%s', x),
    lambda x: logging.getLogger('quiet').warning(f'at {x}'),
    lambda x: traceback.print_exception(Failure(x), file=io.StringIO()),
    lambda x: input(f'{x}?'),
]


def test_the_table_of_a_format_is_read_when_the_graph_runs():
    check(lambda x: print('{a}'.format_map({'a': x})), ONE, np.float64(2.5))


@pytest.mark.parametrize('f', MADE_BY_PYTHON)
def test_a_text_that_python_makes_is_refused(f):
    graph = ag.function(f)
    for _ in range(2):
        with contextlib.redirect_stderr(io.StringIO()), pytest.raises(ag.errors.StagingError):
            graph(ONE)


def test_the_advice_for_what_python_shows_works(caplog):
    @ag.function
    def f(x):
        ag.py_function(logging.warning, ['at %s', x], None)
        return x

    f(ONE)
    f(np.float64(2.5))
    assert caplog.messages == ['at 1.5', 'at 2.5']


@contextlib.contextmanager
def told_by_generator(x):
    print('begin', x)
    yield x + 1
    print('end', x)


class TellingByClass:
    def __init__(self, x):
        self.x = x

    def __enter__(self):
        print('begin', self.x)
        return self.x + 1

    def __exit__(self, *error):
        print('end', self.x)


def test_a_context_of_a_generator_that_prints_a_tensor_is_refused():
    @ag.function
    def f(x):
        with told_by_generator(x) as y:
            print(y)

    with pytest.raises(ag.errors.StagingError, match='`__enter__` and `__exit__`'):
        f(ONE)


def test_a_context_of_a_class_prints_when_the_graph_runs():
    def f(x):
        with TellingByClass(x) as y:
            print(y)

    check(f, ONE, np.float64(2.5))


def test_a_context_of_a_generator_may_compute_and_print_values_of_python():
    @contextlib.contextmanager
    def shifted(x, n):
        print('begin', n)
        yield x + n
        print('end', n)

    @ag.function
    def f(x):
        with shifted(x, 2) as y:
            y = y * 2
        return y

    assert printed(f, ONE)[0] == 'begin 2\nend 2\n'
    assert f(np.float64(2.5)) == 9.0


def test_a_debugger_shows_tensors():
    out = io.StringIO()

    def show(x):
        debugger = pdb.Pdb(stdout=out, stdin=io.StringIO(), nosigint=True, readrc=False)
        debugger.curframe = sys._getframe()
        debugger.curframe_locals = {'x': x}
        debugger.onecmd('p x')
        return x

    ag.function(show, autograph=False)(ONE)
    assert out.getvalue() == 'Tensor("x:0", shape=(), dtype=float64)\n'
