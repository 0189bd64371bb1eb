"""`getattr` finds what `hasattr` says: what the value has that a tensor stands for."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

NAMES = ('__len__', '__iter__', '__setitem__', '__iadd__', 'is_integer', 'sum', 'shape', 'hex')


def with_a_default(x):
    return [getattr(x, name, None) is None for name in NAMES]


def of_a_part(x):
    total = x.sum()
    return getattr(total, '__len__', None) is None, getattr(total, 'is_integer', None) is None


def caught_in_a_try(x):
    found = []
    for name in NAMES:
        try:
            getattr(x, name)
        except AttributeError:
            found.append(name)
    return found


def called(x):
    try:
        return x.__len__()
    except AttributeError:
        return -1


def counted(x):
    size = getattr(x, '__len__', None)
    return 1 if size is None else size()


def raises(x):
    return x.sum().__len__()


@pytest.mark.parametrize('x', [np.float64(2), np.arange(3.0), np.int64(2), np.True_], ids=repr)
@pytest.mark.parametrize('f', [with_a_default, of_a_part, caught_in_a_try, called, counted, raises])
def test_getattr_agrees_with_hasattr(f, x):
    check(f, (x,))


def of_one_that_may_be_none(x):
    y = None
    if x[0] > 1:
        y = x
    return getattr(y, 'ndim', 0), getattr(y, '__len__', None) is None


def of_one_that_is_there(x):
    y = None
    if x[0] > 1:
        y = x
    if y is not None:
        return len(getattr(y, 'shape', ()))
    return 0


@pytest.mark.parametrize('f', [of_one_that_may_be_none, of_one_that_is_there])
def test_one_that_may_be_none_has_the_default_where_it_is(f):
    check(f, (np.array([2.0, 1.0]),), (np.array([0.0, 1.0]),))
