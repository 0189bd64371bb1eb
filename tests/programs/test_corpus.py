"""Ordinary programs: plain Python, converted Python and the graph do the same."""
from __future__ import annotations

import numpy as np
import pytest
from differential import Program, compare
from programs.rows import Row, differences, rows

import autograph_lite as ag


def cases():
    for topic, name, row in rows():
        marks = [pytest.mark.xfail(strict=True, reason=row.fails)] if row.fails else []
        yield pytest.param(topic, name, row, id=f'{topic}-{name}', marks=marks)


@pytest.mark.parametrize(('topic', 'name', 'row'), list(cases()))
@pytest.mark.filterwarnings('ignore::RuntimeWarning')
def test_program(topic: str, name: str, row: Row):
    found, traces = differences(topic, name)
    if row.refused is None:
        assert not found, '\n'.join(map(str, found))
        assert row.traces in (None, traces)
    else:
        assert [each.kind for each in found] == ['refused'], found
        assert row.refused in found[0].message


class Held:
    def __init__(self):
        self.n = 0
        self.xs = []


def one_program():
    held = Held()

    def f(x, held):
        held.n += 1
        held.xs.append(x)
        return x * 2

    return Program(f, [(1.0, held), (2.0, held)], {'held': held})


def returning(result):
    return lambda f: lambda x, held: (f(x, held), result(x))[1]


def forgetting(change):
    return lambda f: lambda x, held: (f(x, held), change(held))[0]


def raising(error):
    def make(f):
        def wrong(x, held):
            raise error

        return wrong

    return make


@pytest.mark.parametrize(
    ('make', 'kind', 'message'),
    [
        (returning(lambda x: x * 2 + 1e-15), 'wrong', 'result is 2.000000000000001'),
        (returning(lambda x: np.float64(x * 2)), 'wrong', 'result is np.float64(2.0)'),
        (returning(lambda x: np.array(x * 2)), 'wrong', 'result is array(2.)'),
        (forgetting(lambda held: vars(held).update(n=0)), 'wrong', 'args[1].n is 0'),
        (forgetting(lambda held: held.xs.pop()), 'wrong', 'args[1].xs has [] instead of [0]'),
        (forgetting(lambda held: vars(held).update(xs=[*held.xs], ys=held.xs)), 'wrong', 'has'),
        (raising(ag.errors.StagingError('File "f", line 3')), 'refused', 'line 3'),
        (raising(ag.errors.StagingError('no')), 'refused without a line', 'no'),
        (raising(KeyError('no')), 'internal error', 'KeyError'),
    ],
)
def test_a_wrong_way_is_found(make, kind, message):
    [found] = compare(one_program, {'wrong': make})
    assert found.kind == kind
    assert message in str(found)


def test_the_right_way_is_found_right():
    assert not list(compare(one_program, {'right': lambda f: f}))


def test_one_object_in_two_places_is_not_two():
    def load():
        held = Held()
        return Program(lambda x: (x, x), [(held,)], {})

    [found] = compare(load, {'wrong': lambda f: lambda x: (x, Held())})
    assert 'is the object of another place in one of them only' in str(found)
