"""`a is b`, of arrays and lists: only where the trace knows."""
from __future__ import annotations

import operator

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, 2.0])


def test_what_is_known_is_answered():
    def f(x):
        a = x * 2
        b = a
        c = a.copy()
        return a is b, a is c, a is x, c is not a

    check(f, (X,))


def test_what_a_branch_decides_is_refused():
    def f(x):
        a = x * 2
        b = x * 3
        if x[0] > 0:
            b = a
        return b is a

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


def test_what_a_loop_decides_is_refused():
    def f(x):
        a = x * 2
        b = a
        for v in x:
            if v > 1:
                break
            a, b = b, a + b
        return b is a

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


def test_a_loop_that_surely_makes_a_turn_decides_it():
    def f(x):
        a = x * 2
        b = a
        for _ in x:
            a, b = b, a + b
        return b is a

    check(f, (X,))


def test_a_list_that_a_loop_may_make_anew():
    def f(x):
        kept = [x[0]]
        new = kept
        for v in x:
            if v > 1:
                new = [*new, v]
        return new is kept

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


@pytest.mark.parametrize('same', [np.atleast_1d, np.real, lambda x: x.astype(float, copy=False)])
def test_what_numpy_may_give_back_is_refused(same):
    def f(x):
        return same(x) is x

    with pytest.raises(ag.errors.StagingError, match=r'one object, only the running graph'):
        ag.function(f)(X)


ONE, OTHER = np.arange(3.0), np.arange(3.0)


def asked(a, b):
    return a is b


def by_the_operator(a, b):
    return operator.is_not(a, b)


def by_its_number(a, b):
    return id(a) == id(b)


def beside_a_global(a, b):
    return a is ONE


@pytest.mark.parametrize('f', [
    asked, by_the_operator, by_its_number, beside_a_global,
])  # fmt: skip
def test_two_arguments_may_be_one_array(f):
    with pytest.raises(ag.errors.StagingError, match='only the running graph knows'):
        ag.function(f)(ONE, ONE)


def test_what_is_read_from_outside_is_known():
    def f(x):
        return ONE is OTHER, ONE is ONE, x + 1 is x, x[:] is x, ONE is not OTHER

    check(f, (ONE,))


def test_whether_numbers_are_one_object_is_refused():
    def of_arguments(a, b):
        return a is b

    def counted(xs):
        n = 0
        for x in xs:
            if x > 0:
                n += 1
        return n is xs.ndim

    for f, args in ((of_arguments, (np.float64(1), np.float64(2))), (counted, (ONE,))):
        with pytest.raises(ag.errors.StagingError, match='Python does not promise'):
            ag.function(f)(*args)


def is_true(found):
    return found is True, found is not True, found is False, found is True or found is None


def matched(found):
    match found:
        case True:
            return 1
        case None:
            return 2
    return 3


def like_another(found):
    flag = True
    return found is flag, 1 if found is flag else 2


@pytest.mark.parametrize('ask', [is_true, matched, like_another])
@pytest.mark.parametrize('before', [False, None])
def test_whether_a_bool_is_true(ask, before):
    def f(xs):
        found = before
        for x in xs:
            if x > 1:
                found = True
        return ask(found)

    check(f, (ONE,), (-ONE,))


def test_numpys_bool_is_not_pythons():
    def f(xs):
        return (xs[0] >= 0) is True, bool(xs[0] >= 0) is True

    check(f, (ONE,), (-ONE - 1,))


def test_a_bool_that_may_be_numpys():
    def f(xs):
        n, found = 0, False
        for x in xs:
            if found is False:
                n += 1
            found = (x > 1 and True) or False
        return n

    with pytest.raises(ag.errors.StagingError, match=r'(?s)may be NumPy.*Ask for its truth'):
        ag.function(f)(ONE)
