"""`cond`: which way is taken is known only to the running graph."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def square_if_positive(x):
    if x > 0:
        x = x * x
    else:
        x = x - 1
    return x


def early_return(x):
    if x > 10:
        return x
    if x > 0:
        return x * 2
    return -x


def elif_chain(x):
    if x < 0:
        kind = 0
    elif x < 1:
        kind = 1
    elif x < 2:
        kind = 2
    else:
        kind = 3
    return kind


def nested(x, y):
    if x > 0:
        if y > 0:
            z = x + y
        else:
            z = x - y
    else:
        z = y
    return z * 2


def partly_returns(x, y):
    if x > 0:
        if y > 0:
            return x
        x = x + 1
    y = y * x
    return y


def expression(x):
    return x if x > 0 else -x


def logic(x, y):
    return (x > 0 and y > 0) or x > y


def chained(x):
    return 0 < x < 10


def unbound_before(x):
    if x > 0:
        y = 1
        z = 2
    else:
        y = 3
        z = 4
    return y + z


def tuples(x):
    pair = (x, x + 1)
    if x > 0:
        pair = (x * 2, x)
    return pair


def dicts(x):
    d = {'a': x, 'b': x}
    if x > 0:
        d['a'] = x * 2
    return d


FLOATS = [(np.float64(v),) for v in (-3.0, 0.0, 0.5, 1.5, 7.0, 12.0)]
PAIRS = [(np.float64(a), np.float64(b)) for a in (-1.0, 2.0) for b in (-1.5, 3.0)]


@pytest.mark.parametrize(
    'f',
    [
        square_if_positive, early_return, elif_chain, expression, chained, unbound_before, tuples,
        dicts,
    ],
)  # fmt: skip
def test_one_argument(f):
    check(f, *FLOATS)


@pytest.mark.parametrize('f', [nested, partly_returns, logic])
def test_two_arguments(f):
    check(f, *PAIRS)


@pytest.mark.parametrize('dtype', ['int8', 'int32', 'int64', 'float32', 'float64'])
def test_a_python_number_takes_the_type_of_the_other_way(dtype):
    def f(x):
        y = x if x > 0 else 0
        return y + x

    check(f, (np.dtype(dtype).type(3),), (np.dtype(dtype).type(-3),))


def test_arrays_of_different_length():
    def f(x, n):
        if n > 0:
            x = x[1:]
        return x * 2

    check(f, (np.arange(4.0), np.int64(1)), (np.arange(4.0), np.int64(0)))


def test_a_name_bound_in_one_branch_only_may_be_left_alone():
    def f(x):
        if x > 0:
            y = x * 2
            x = y + 1
        return x

    check(f, *FLOATS)


def test_a_name_bound_in_one_branch_only_is_an_error_when_it_is_read():
    @ag.function
    def f(x):
        if x > 0:
            y = x * 2
        return y

    with pytest.raises(ag.errors.UnboundError, match="'y' is read here") as caught:
        f(np.float64(1))
    assert 'return y' in str(caught.value)
    assert 'test_conditionals.py' in str(caught.value)


def test_types_that_do_not_join_name_the_variable_and_both_types():
    @ag.function
    def f(x, n):
        y = x
        if n > 0:
            y = x.astype(np.float32)
        return y

    with pytest.raises(ag.errors.StagingError, match=r'y is float32\[3\].*float64\[3\]') as caught:
        f(np.arange(3.0), np.int64(1))
    assert 'if n > 0' in str(caught.value)


def test_structures_that_differ():
    @ag.function
    def f(x):
        if x > 0:
            y = (x, x)
        else:
            y = x
        return y

    with pytest.raises(ag.errors.StagingError, match=r'y is \(\*, \*\)'):
        f(np.float64(1))


def test_a_condition_with_several_elements():
    @ag.function
    def f(x):
        if x > 0:
            x = x + 1
        return x

    with pytest.raises(ag.errors.StagingError, match='ambiguous') as caught:
        f(np.arange(3))
    assert isinstance(caught.value, ValueError)
    assert 'if x > 0' in str(caught.value)


def test_a_tensor_as_a_bool_in_code_that_was_not_converted():
    @ag.do_not_convert
    def helper(x):
        return 1 if x > 0 else 0

    @ag.function
    def f(x):
        return helper(x)

    with pytest.raises(ag.errors.StagingError, match='as a Python bool') as caught:
        f(np.float64(1))
    assert 'return 1 if x > 0 else 0' in str(caught.value)


def test_python_conditions_stay_python():
    def f(x, flag):
        if flag:
            return x + 1
        return x

    check(f, (np.float64(1), True), (np.float64(1), False), traces=2)


def test_switch_case():
    def f(i, x):
        return ag.switch_case(i, [lambda: x, lambda: x * 2, lambda: x * 3])

    check(f, *[(np.int64(i), np.float64(2)) for i in range(4)])


def test_reads_through_an_enclosing_name():
    def f(x, y):
        z = y * 2
        return z + x if x > 0 else z

    check(f, *PAIRS)
