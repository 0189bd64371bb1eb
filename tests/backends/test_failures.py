"""What a lowered program raises points at the user's line."""
from __future__ import annotations

import gc
import linecache
import sys
import traceback

import numpy as np
import pytest
from backends.traced import traced

import autograph_lite as ag
from autograph_lite.backends.numpy import lower, run


def invert(x, y):
    z = x @ y
    return np.linalg.inv(z) + np.sum(x)


def failing_lines(function, args, values):
    """The user's lines in the traceback of the program, the innermost last."""
    program = lower(traced(function, *args))
    with pytest.raises(Exception) as caught:  # noqa: PT011  any class will do
        run(program, values)
    assert caught.value.__context__ is None
    entries = traceback.extract_tb(caught.value.__traceback__)
    assert not any('<lowered' in entry.filename for entry in entries)
    return caught.value, entries


def test_the_innermost_frame_is_the_users():
    error, entries = failing_lines(invert, [np.ones((2, 2))] * 2, [np.ones((2, 2))] * 2)
    assert type(error) is np.linalg.LinAlgError
    assert entries[-1].filename == __file__
    assert entries[-1].name == 'invert'
    assert entries[-1].line == 'return np.linalg.inv(z) + np.sum(x)'
    shown = ''.join(traceback.format_exception(error))
    assert 'linalg/_linalg.py' not in shown
    assert getattr(error, '__notes__', []) == []


@pytest.mark.skipif(sys.version_info < (3, 11), reason='columns are kept from 3.11 on')
def test_the_part_of_a_line_that_failed():
    error, entries = failing_lines(
        invert, [np.ones((2, 2))] * 2, [np.ones((2, 2)), np.ones((3, 2))]
    )
    assert type(error) is ValueError
    assert entries[-1].line == 'z = x @ y'
    assert (entries[-1].colno, entries[-1].end_colno) == (8, 13)


def test_a_failure_in_a_loop_in_a_branch():
    def halves(x, n):
        def body(i, x):
            return ag.cond(i > 1, lambda: np.linalg.cholesky(x), lambda: x)

        return ag.for_loop(ag.range(n), body, x, names=['x'])

    error, entries = failing_lines(halves, [np.ones((2, 2)), np.int64(3)], [np.zeros((2, 2)), 3])
    assert type(error) is np.linalg.LinAlgError
    assert 'np.linalg.cholesky(x)' in entries[-1].line


def test_the_source_is_registered_as_long_as_the_program_lives():
    program = lower(traced(invert, np.ones((2, 2)), np.ones((2, 2))))
    filename = program.filename
    assert ''.join(linecache.getlines(filename)) == program.code
    linecache.checkcache(filename)
    assert linecache.getline(filename, 1).startswith('def invert(')
    del program
    gc.collect()
    assert filename not in linecache.cache


def test_a_missing_value():
    from autograph_lite.backends.optional import present
    from autograph_lite.errors import UnboundError

    assert present(0, 'y') == 0
    with pytest.raises(UnboundError, match="'y'"):
        present(None, 'y')
    with pytest.raises(TypeError, match='None'):
        present(None, '')


def test_the_users_own_exception_in_a_branch():
    def check(x):
        def if_true(x):
            ag.assert_(x < 5, lambda: 'too much')  # noqa: PT009  ours, not unittest's
            return x

        return ag.cond(x > 0, if_true, ag.unchanged, x)

    error, entries = failing_lines(check, [np.float64(1)], [np.float64(9)])
    assert type(error) is AssertionError
    assert entries[-1].line.startswith('ag.assert_(x < 5')
