"""The line that `check=True` names where what is asked parts: tests, ways to leave, and `:=`."""

import numpy as np
import pytest
from impure import impure, start

import autograph_lite as ag
from autograph_lite import comparison
from autograph_lite.comparison import DifferenceError


@pytest.fixture(autouse=True)
def _first_calls():
    start()


def loop_of_python_in_a_branch_that_returns(x):
    if np.sum(x) > 0:
        for _ in range(2):
            x = x + impure()  # here
        return x
    return -x


def another_variable(x):
    y = x * 1
    if np.sum(x) > 0:
        for w in [1.0, 2.0]:
            y = y + w * impure()  # here
        return y
    return -x


def loop_in_a_case(x):
    match np.argmax(x):
        case 1:
            for _ in range(2):
                x = x + impure()  # here
            return x
    return -x


def named_in_the_test_of_a_loop(x):
    while (y := np.tanh(np.sum(x))) < 40:  # here
        x = x + 1
        if np.sum(x) > 10:
            break
    return y


def named_in_the_test_of_an_endless_loop(x):
    while (y := np.tanh(np.sum(x))) > -0.5:  # here
        x = x - 0.3
    return y


def named_in_the_test_of_a_branch(x):
    if (y := np.tanh(np.sum(x))) > 0:  # here
        x = x + 1
    return x * y


def return_from_an_unrolled_loop(x):
    for i in range(3):
        if i > 0:
            if np.sum(np.tanh(x)) > 1.8:  # here
                return x + i
    return -x


def return_that_the_graph_does_not_come_to(x):
    for i in range(3):
        if i > 0:
            if np.sum(np.tanh(x)) < 1.8:  # here
                return x + i
    return -x


def break_of_an_endless_loop(x):
    n = 0
    while True:
        n = n + 1
        if np.sum(np.tanh(x * n)) > 5:  # here
            break
        if n > 5:
            break
    return n


def break_of_a_loop(x):
    n = 0
    for v in x:
        if np.tanh(v) > 0.98:  # here
            break
        n = n + 1
    return n


def return_from_a_loop(x):
    n = 0
    for v in x:
        if np.tanh(v) > 0.98:  # here
            return n
        n = n + 1
    return -1


def elif_after_a_branch(x):
    if np.sum(x) < 0:
        y = 1
    elif np.tanh(np.sum(x)) > 1:  # here
        y = 2
    else:
        y = 3
    return y


def chained_comparison(x):
    y = 0
    if 0 < np.sum(np.tanh(x)) < 2:  # here
        y = 1
    return y


def question_that_raises(x):
    t = 0.0
    for v in x:
        if v > 0.5 and np.tanh(v) > 1:  # here
            raise ValueError('large')
        t = t + v
    return t


FUNCTIONS = [
    loop_of_python_in_a_branch_that_returns, another_variable, loop_in_a_case,
    named_in_the_test_of_a_loop, named_in_the_test_of_an_endless_loop,
    named_in_the_test_of_a_branch, return_from_an_unrolled_loop,
    return_that_the_graph_does_not_come_to, break_of_an_endless_loop, break_of_a_loop,
    return_from_a_loop, elif_after_a_branch, chained_comparison, question_that_raises,
]  # fmt: skip


@pytest.mark.usefixtures('_wrong_tanh')
@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_the_line_is_named(f):
    with pytest.raises(DifferenceError, match='The first to differ is') as caught:
        ag.function(f, check=True)(np.array([1.0, 2.0]))
    last = [line for line in str(caught.value).splitlines() if '^' not in line][-1]
    assert last.endswith('# here')


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_no_line_is_named_where_nothing_differs(f, monkeypatch):
    start(1.0, step=0.0)
    monkeypatch.setattr(comparison, '_problem', lambda *args: 'the result differs.')
    with pytest.raises(DifferenceError) as caught:
        ag.function(f, check=True)(np.array([1.0, 2.0]) / 4)
    assert 'The first to differ' not in str(caught.value)
