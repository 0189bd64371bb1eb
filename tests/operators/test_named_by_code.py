"""What methods and callbacks change outside that Python calls: that trace is for one call."""
from __future__ import annotations

import collections
import contextlib
import copy
import json
import operator
import re

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


TOTAL = 0
PATTERN = re.compile('a')


def count(*_):
    global TOTAL
    TOTAL += 1
    Counts.made += 1
    count.times += 1
    return 'b'


count.times = 0


class Counts:
    made = 0

    def __copy__(self):
        global TOTAL
        TOTAL += 1
        Counts.made += 1
        setattr(count, 'times', count.times + 1)  # noqa: B010
        return self

    def __str__(self):
        count()
        return 'counts'

    @property
    def size(self):
        count()
        return 2

    __enter__ = __exit__ = count


class Registered:
    def __init_subclass__(cls):
        count()


counts = Counts()


def names_by_copy(x):
    copy.copy(counts)
    return x + TOTAL


def names_by_callback(x):
    y = x * TOTAL
    with contextlib.ExitStack() as stack:
        stack.callback(count)
    return y + TOTAL + Counts.made


def names_by_context(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(counts)
        return x


def names_by_percent(x):
    return len('%s' % counts) * x  # noqa: UP031


def names_by_getter(x):
    return x + operator.attrgetter('size')(counts)


def names_by_a_subclass(x):
    class Derived(Registered):
        pass

    return x


def numbers():
    count()
    yield 1


def names_by_a_generator(x):
    for n in numbers():
        x = x + n
    return x + Counts.made


def names_by_a_sentinel(x):
    for _ in iter(count, 'b'):
        x = x + 1
    return x + TOTAL


def names_by_a_pattern(x):
    return x + len(PATTERN.sub(count, 'aa')) + TOTAL


def names_that_both_set(x):
    global TOTAL
    TOTAL = TOTAL + 10
    copy.copy(counts)
    TOTAL = TOTAL * 2
    return x + TOTAL


def _names_left_by(run):
    global TOTAL
    TOTAL = Counts.made = count.times = 0
    return [(run(np.float64(x)), TOTAL, Counts.made, count.times) for x in (1, 2, 3)]


@pytest.mark.parametrize('f', [
    names_by_copy, names_by_callback, names_by_context, names_by_percent, names_by_getter,
    names_by_a_subclass, names_by_a_generator, names_by_a_sentinel, names_by_a_pattern,
    names_that_both_set], ids=lambda f: f.__name__)
def test_names_are_set_at_every_call(f):
    assert same(_names_left_by(f), _names_left_by(ag.function(f)))


def test_in_a_block_it_sets_no_name():
    def on_one_way(x):
        if x > 0:
            copy.copy(counts)
        return x

    def by_name(x):
        if x > 1:
            counts.__copy__()
        return x

    _names_left_by(lambda x: x)
    with pytest.raises(ag.errors.OwnershipError, match='code that sets') as caught:
        ag.function(on_one_way)(np.float64(1))
    assert (TOTAL, Counts.made, count.times) == (0, 0, 0)
    assert re.search("in (__copy__|count)", str(caught.value))
    assert 'Call that code by its name in the block' in str(caught.value)
    assert same(_names_left_by(by_name), _names_left_by(ag.function(by_name)))
