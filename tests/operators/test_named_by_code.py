"""What methods and callbacks change outside that Python calls: that trace is for one call."""
from __future__ import annotations

import collections
import contextlib
import copy
import json

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

HITS = np.zeros(2)
TEXTS = np.zeros(2, dtype=[('a', 'i4'), ('b', 'f8')])
LOG: list = []
STATE = {'rows': [np.zeros(2)]}
WEIGHTS = np.ones(2)
TEMPLATE = '{0.text}'


def hit(array):
    array[0] += 1
    LOG.append('hit')


class Copied:
    hits = np.zeros(1)

    def __init__(self):
        self.own = np.zeros(2)

    def __copy__(self):
        self.count()
        self.own.fill(self.own[0] + 1)
        return self

    def count(self):
        np.add(Copied.hits, 1, out=Copied.hits)
        STATE['rows'][0][1] += 1
        TEXTS['b'][0] += 1


class Handing:
    def __copy__(self):
        hit(HITS)
        return self


class Filled(collections.UserDict):
    def __setitem__(self, key, value):
        HITS[1] += 1
        super().__setitem__(key, value)


class Meta(type):
    def __call__(cls):
        HITS[0] += 1
        return super().__call__()


class Made(metaclass=Meta):
    pass


class Index:
    def __index__(self):
        HITS[0] += 1
        return 1


class Shown:
    @property
    def text(self):
        HITS[0] += 1
        return 'text'


class Base:
    def __init_subclass__(cls):
        HITS[0] += 1


class Closed:
    def close(self):
        HITS[0] += 1


class Managed:
    def __enter__(self):
        HITS[0] += 1

    def __exit__(self, *error):
        LOG.append('left')


class Encoder(json.JSONEncoder):
    def default(self, o):
        LOG.append('encoded')
        return 1


class Reading:
    def __init__(self):
        self.weights = np.ones(2)

    def __copy__(self):
        return Reading()

    def step(self, by):
        self.weights -= by
        return self.weights.sum()

    def note(self):
        return len(LOG)

    close = note


copied, handing, index, shown, reading = Copied(), Handing(), Index(), Shown(), Reading()


def note():
    LOG.append('called back')


def a_copy(x):
    return x + len(copy.copy(copied).own)


def an_array_that_is_handed_on(x):
    copy.copy(handing)
    return x


def a_dict(x):
    Filled(a=1)
    return x


def a_metaclass(x):
    Made()
    return x


def an_index(x):
    return x + [1, 2][index]


def a_format(x):
    TEMPLATE.format(shown)
    return x


def a_subclass(x):
    class Derived(Base):
        pass

    return x


def what_is_closed(x):
    with contextlib.closing(Closed()):
        return x + 1


def what_is_entered(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(Managed())
        return x + 1


def a_callback(x):
    with contextlib.ExitStack() as stack:
        stack.callback(note)
        return x + 1


def an_encoder(x):
    json.dumps(object(), cls=Encoder)
    return x


def what_is_read_after_that(x):
    copy.copy(handing)
    return HITS[0] * x


def _left_by(run):
    for array in (HITS, Copied.hits, copied.own, STATE['rows'][0]):
        array[...] = 0
    TEXTS['b'] = 0
    LOG.clear()
    held = (HITS, Copied.hits, copied.own, STATE, TEXTS['b'], LOG)
    return [(run(np.float64(x)), copy.deepcopy(held)) for x in (1, 2, 3)]


@pytest.mark.parametrize('f', [
    a_copy, an_array_that_is_handed_on, a_dict, a_metaclass, an_index, a_format, a_subclass,
    what_is_closed, what_is_entered, a_callback, an_encoder, what_is_read_after_that],
    ids=lambda f: f.__name__)
def test_it_changes_at_every_call(f):
    graph = ag.function(f)
    assert same(_left_by(f), _left_by(graph))
    assert graph.tracing_count == 3


def test_what_changes_nothing_is_traced_once():
    def f(x):
        copy.copy(reading)
        with contextlib.ExitStack() as stack, contextlib.closing(reading):
            stack.callback(reading.note)
            return x * WEIGHTS

    graph = ag.function(f)
    assert same([f(x) for x in (WEIGHTS, -WEIGHTS)], [graph(x) for x in (WEIGHTS, -WEIGHTS)])
    assert graph.tracing_count == 1


def test_what_the_graph_changes_is_traced_once():
    @ag.function
    def f(x):
        return reading.step(x)

    reading.weights[:] = 1.0
    assert [f(np.float64(x)) for x in (0.5, 0.25)] == [1.0, 0.5]
    assert f.tracing_count == 1


def test_what_changes_after_it_is_read_is_refused():
    @ag.function
    def f(x):
        y = HITS[0] * x
        copy.copy(handing)
        return y

    with pytest.raises(ag.errors.OwnershipError, match=r"'HITS' is read here, and changed after"):
        f(np.float64(2))


def test_in_a_block_it_changes_none():
    def on_one_way(x):
        if x > 0:
            copy.copy(handing)
        return x

    def in_turns(x):
        while x < 3:
            copy.copy(handing)
            x = x + 1
        return x

    for f in (on_one_way, in_turns):
        with pytest.raises(ag.errors.OwnershipError, match='A staged block modifies'):
            ag.function(f)(np.float64(1))


def test_large_arrays_that_no_such_code_writes_to_are_not_copied(monkeypatch):
    from autograph_lite.operators.noted_arrays import NotedArrays

    noted = []
    monkeypatch.setattr(NotedArrays, 'note_named', lambda self, x: noted.append(x))
    ag.function(lambda x: x * reading.weights)(np.float64(2))
    assert any(x is reading.weights for x in noted)  # `step` writes to it
    noted.clear()
    ag.function(lambda x: x * WEIGHTS + len(shown.text))(np.float64(2))
    assert not any(x is WEIGHTS for x in noted)
