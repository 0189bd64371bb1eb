"""Attributes of a variable that only the running graph knows."""
from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag

a = ag.Variable([1.0, 2.0])
b = ag.Variable([3.0, 4.0])
c = ag.Variable([5.0, 6.0])


def value(x):
    return (a if x > 0 else b).value


def copied(x):
    v = a if x > 0 else b
    y = v.numpy()
    y[0] += 1.0
    a.assign([7.0, 8.0])
    return y


def one_of_three(x):
    if x > 1:
        v = a
    elif x > 0:
        v = b
    else:
        v = c
    return v.value, v.numpy() + 1, v * 2


@pytest.mark.parametrize('f', [value, copied, one_of_three])
def test_reading(f):
    graph = ag.function(f)
    for x in (2.0, 0.5, -1.0):
        got, expected = [], []
        for each, results in ((graph, got), (f, expected)):
            a.assign([1.0, 2.0])
            results += [*np.ravel(each(np.float64(x))), *a.value]
        assert got == expected
    assert graph.tracing_count == 1


def stale(x):
    v = a if x > 0 else b
    b.assign([7.0, 8.0])
    return v.value


def test_what_was_assigned_to_since():
    with pytest.raises(ag.errors.OwnershipError, match=r'b\.assign(.|\n)*Take its value before'):
        ag.function(stale)(np.float64(1.0))


def added(x):
    (a if x > 0 else b).assign_add([1.0, 1.0])


def assigned(x):
    v = a if x > 0 else b
    v.assign([1.0, 1.0])


def of_a_loop(x):
    for v in (a, b):
        if x > 0:
            break
    v.assign_sub([1.0, 1.0])


@pytest.mark.parametrize(
    ('f', 'name'), [(added, 'assign_add'), (assigned, 'assign'), (of_a_loop, 'assign_sub')]
)
def test_assigning(f, name):
    message = rf'`\.{name}` is asked of(.|\n)*line \d+(.|\n)*`if x > 0: a\.assign\(y\)`, `else: b'
    with pytest.raises(ag.errors.StagingError, match=message):
        ag.function(f)(np.float64(1.0))


def test_what_no_variable_has():
    with pytest.raises(AttributeError, match='nothing'):
        ag.function(lambda x: (a if x > 0 else b).nothing)(np.float64(1.0))


def named(x):
    return (a if x > 0 else b).name


def compared(x):
    return (a if x > 0 else b) is a


def described(x):
    return str(a if x > 0 else b)


def in_a_text(x):
    v = a if x > 0 else b
    return f'{v}'


@pytest.mark.parametrize('f', [named, compared, described, in_a_text])
def test_what_its_value_does_not_tell(f):
    with pytest.raises(ag.errors.StagingError, match=r'value alone|only the running graph knows'):
        ag.function(f)(np.float64(1.0))


def test_what_may_be_written_instead():
    def f(x):
        v, name = (a, 'a') if x > 0 else (b, 'b')
        return name, v + 1, f'{v.value}', isinstance(v, ag.Variable), hasattr(v, 'name')

    graph = ag.function(f)
    for x in (1.0, -1.0):
        assert repr(graph(np.float64(x))) == repr(f(np.float64(x)))
