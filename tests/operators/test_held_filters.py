"""Filters for warnings that a function sets in front, in `warnings.catch_warnings()`."""
from __future__ import annotations

import contextlib
import functools
import threading
import warnings

import numpy as np
import pytest

import autograph_lite as ag

XS = [np.array([[a, np.nan], [2.0, b]]) for a, b in ((1.0, np.nan), (-1.0, 5.0), (2.0, 7.0))]


@contextlib.contextmanager
def quiet(category=Warning):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', category)
        yield


class Quiet:
    def __enter__(self):
        self.inner = warnings.catch_warnings()
        self.inner.__enter__()
        warnings.simplefilter('ignore')

    def __exit__(self, *error):
        self.inner.__exit__(*error)


def quietly(f):
    @functools.wraps(f)
    def g(*args):
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            return f(*args)

    return g


def ignored(x):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        y = np.nanmean(x, axis=0)
    return y, np.nanmean(x, axis=0)


def of_a_class_of_warnings(x):
    with warnings.catch_warnings():
        warnings.filterwarnings('ignore', category=DeprecationWarning)
        y = 1 / (x - 1)
        warnings.filterwarnings('ignore', category=RuntimeWarning)
        return y + np.nanmean(x, axis=0)


def of_a_text(x):
    with warnings.catch_warnings():
        warnings.filterwarnings('ignore', 'mean OF')
        return np.nanmean(x, axis=0), 1 / (x - 1)


def of_a_helper(x):
    with quiet():
        y = 1 / (x - 1)
        with quiet(UserWarning):
            y = y + 1 / (x - 1)
    return y + 1 / (x - 2)


def of_an_object(x):
    with Quiet():
        y = 1 / (x - 1)
    return y + 1 / (x - 2)


@quietly
def inverse(x):
    return 1 / x


@quiet()
def logarithm(x):
    return np.log(x)


def of_decorators(x):
    return inverse(x - 1) + logarithm(x - 3) + 1 / (x - 2)


def set_one_by_one(x):
    with warnings.catch_warnings():
        y = 1 / (x - 1)
        warnings.simplefilter('ignore')
        y = y + 1 / (x - 2)
        warnings.simplefilter('always')
        return y + 1 / (x - 1)


def in_each_other(x):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        y = 1 / (x - 1)
        with warnings.catch_warnings():
            warnings.simplefilter('always')
            y = y + 1 / (x - 2)
        return y + 1 / (x - 2)


def with_error_states(x):
    with warnings.catch_warnings(), np.errstate(divide='ignore'):
        warnings.simplefilter('ignore')
        y = np.nanmean(x, axis=0) + 1 / (x - 1)
    with np.errstate(divide='ignore'), warnings.catch_warnings():
        warnings.filterwarnings('ignore', 'Mean')
        y = y + np.nanmean(x, axis=0) + 1 / (x - 1)
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        with np.errstate(divide='warn'):
            y = y + 1 / (x - 1)
    return y + 1 / (x - 2)


def around_a_branch(x):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        y = 1 / (x - 1) if x[0, 0] > 0 else np.log(x)
    return y + 1 / (x - 2)


def in_a_branch(x):
    if x[0, 0] > 0:
        with quiet():
            y = 1 / (x - 1)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            y = np.log(x)
    return y


def in_a_loop(x):
    total = x[0] * 0.0
    for row in x:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            total = total + 1 / (row - 1) + np.log(x - 9).sum()
            if row[0] > 1:
                break
        total = total + 1 / (row + 1)
    return total


def left_by_an_error(x):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        y = 1 / (x - 1)
        if x[0, 0] > 1:
            raise ValueError(f'{y}')
    return y + 1 / (x - 1)


def warned_of(x):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', DeprecationWarning)
        if x[0, 0] > 0:
            warnings.warn(f'x is {x}', DeprecationWarning, stacklevel=1)
            warnings.warn(f'x is {x}', stacklevel=1)
    return x


def set_when_it_runs(x):
    with warnings.catch_warnings():
        if x[0, 0] > 0:
            ag.py_function(lambda: warnings.simplefilter('ignore'), [], None)
        y = 1 / (x - 1)
    return y + 1 / (x - 2)


def observed(f, x):
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter('always')
        inside = list(warnings.filters)
        try:
            result = repr(f(x))
        except ValueError as error:
            result = repr(error)
        is_restored = warnings.filters == inside
    return result, is_restored, [(str(each.message), each.lineno) for each in found]


@pytest.mark.parametrize('f', [
    ignored, of_a_class_of_warnings, of_a_text, of_a_helper, of_an_object, of_decorators,
    set_one_by_one, in_each_other, with_error_states, around_a_branch, in_a_branch, in_a_loop,
    left_by_an_error, warned_of, set_when_it_runs])
def test_filters_hold_when_the_graph_runs(f):
    staged = ag.function(f)
    for x in (*XS, *XS):
        assert observed(staged, x) == observed(f, x)
    assert staged.tracing_count == 1


def test_the_program_has_the_filters():
    code = ag.function(of_a_text).get_concrete_function(XS[0]).lowered_code
    assert "filterwarnings('ignore', message='mean OF')" in code


def put_behind(x):
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', append=True)
        return 1 / x


def all_reset(x):
    with warnings.catch_warnings():
        warnings.resetwarnings()
        return 1 / x


def of_a_module(x):
    with warnings.catch_warnings():
        warnings.filterwarnings('ignore', module=__name__)
        return 1 / x


def of_a_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(quiet())
        return 1 / x


def entered_by_hand(x):
    manager = warnings.catch_warnings()
    manager.__enter__()
    warnings.simplefilter('ignore')
    y = 1 / x
    manager.__exit__(None, None, None)
    return y


def after_an_operation(x):
    y = 1 / x
    warnings.simplefilter('ignore')
    return y


@contextlib.contextmanager
def strictly():
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        yield


def made_errors_by_a_helper(x):
    with strictly():
        return 1 / x


@pytest.mark.parametrize(('f', 'advice'), [
    (put_behind, 'without `module` and `append`'),
    (all_reset, 'or set them around the call'),
    (of_a_module, 'without `module` and `append`'),
    (of_a_stack, 'Write `with warnings.catch_warnings'),
    (entered_by_hand, 'Write `with warnings.catch_warnings'),
    (after_an_operation, 'or call it first in the function'),
    (made_errors_by_a_helper, r"Write `np.errstate\(all='raise'\)`"),
])
def test_filters_that_a_graph_does_not_have_are_refused(f, advice):
    with (
        warnings.catch_warnings(),
        pytest.raises(ag.errors.StagingError, match=advice),
    ):
        ag.function(f)(XS[0])


def test_filters_of_other_threads_are_not_taken_over():
    enter, entered, left = threading.Event(), threading.Event(), threading.Event()

    def other():
        enter.wait(10)
        with quiet():
            entered.set()
            left.wait(10)

    thread = threading.Thread(target=other)

    @ag.do_not_convert
    def meanwhile():
        enter.set()
        entered.wait(10)

    @ag.function
    def f(x):
        meanwhile()
        return 1 / x

    thread.start()
    concrete = f.get_concrete_function(XS[0])
    left.set()
    thread.join()
    assert 'catch_warnings' not in concrete.lowered_code
