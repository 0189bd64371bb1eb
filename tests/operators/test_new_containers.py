"""Lists, dicts and sets that a function makes and keeps outside: each call makes its own."""
from __future__ import annotations

from collections import deque

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

XS = [np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([5.0, 6.0])]
SEEN = None


class Model:
    def __init__(self):
        self.log, self.parts = None, {}

    def __repr__(self):
        return 'Model()'

    def reset(self):
        self.log = []


def empty(model, x):
    model.log = []


def of_dicts(model, x):
    model.log = {'a': [1], 'b': (2, {})}
    model.log['b'][1]['c'] = 3


def of_tensors(model, x):
    model.log = [x, {'sum': x.sum()}]


def changed_later(model, x):
    model.reset()
    model.log.append(x.sum())
    model.log.append([1])
    model.log[1].append(2)


def a_set(model, x):
    model.log = {1}
    model.log.add(2)


def a_deque(model, x):
    model.log = deque([1, 2], maxlen=3)


def an_item(model, x):
    model.parts['log'] = [1]
    model.log = model.parts['log'].copy()


def of_others(model, x):
    model.log = [model.parts, model]
    model.log[0]['n'] = len(model.log)


def in_a_tuple(model, x):
    model.log = None
    model.parts['log'] = (1, [2])
    put_into(model.parts['log'][1])


def returned(model, x):
    model.log = [[1]]
    return model.log[0], model.log


def two_after_each_other(model, x):
    model.log = {}
    model.log = None
    model.log = [1]


def raising(model, x):
    model.log = []
    if x[0] > 2:
        raise ValueError('too much')


def a_global(model, x):
    global SEEN
    SEEN = model.log = None
    SEEN = []


def put_into(container):
    if isinstance(container, dict):
        container['mine'] = 1
    elif isinstance(container, set):
        container.add('mine')
    elif isinstance(container, tuple):
        container[1].append('mine')
    elif container is not None:
        container.append('mine')


def outcomes(f):
    model, kept = Model(), []
    for x in XS:
        try:
            result = f(model, x)
        except ValueError as error:
            result = str(error)
        held = model.log, model.parts.get('log'), SEEN
        is_held = result is not None and result[-1] is model.log
        yield [repr((result, *held)), is_held, [each is model.log for each in kept]]
        kept.append(model.log)
        for each in held:
            put_into(each)


@pytest.mark.parametrize('f', [
    empty, of_dicts, of_tensors, changed_later, a_set, a_deque, an_item, of_others, in_a_tuple,
    returned, two_after_each_other, raising, a_global,
], ids=lambda f: f.__name__)  # fmt: skip
def test_each_call_makes_its_own(f):
    expected = list(outcomes(f))
    assert list(outcomes(ag.function(f))) == expected


def two_names(model, x):
    model.log = model.parts['log'] = []


def two_names_within(model, x):
    row = [1]
    model.log = [row, row]


@pytest.mark.parametrize('f', [two_names, two_names_within])
def test_one_that_has_two_names_outside_is_refused(f):
    model = Model()
    with pytest.raises(ag.errors.OwnershipError, match='another place outside'):
        ag.function(f)(model, XS[0])
    assert (model.log, model.parts) == (None, {})


def test_an_array_in_it_that_is_modified_later_is_the_one_outside():
    @ag.function
    def f(x):
        rows = np.zeros(2)
        model.log = [rows]
        rows[0] = x[1]
        return x

    model = Model()
    for x in XS:
        f(x)
        same(model.log[0], np.array([x[1], 0.0]))


def fills_two(xs):
    global SEEN
    SEEN = {'best': None, 'all': []}
    for x in xs:
        if x > 1:
            SEEN['best'] = x
        SEEN['all'].append(x)


def fills_two_within(xs):
    global SEEN
    SEEN = {'best': {'x': None}, 'all': {'xs': []}}
    for x in xs:
        if x > 1:
            SEEN['best']['x'] = x
        SEEN['all']['xs'].append(x)


def counts_beside(xs):
    global SEEN
    SEEN = {'n': 0.0, 'all': []}
    for x in xs:
        if x > 1:
            SEEN['n'] = x
        SEEN['all'].append(x)


@pytest.mark.parametrize('f', [fills_two, fills_two_within, counts_beside])
def test_a_list_in_one_that_a_loop_fills_is_refused(f):
    with pytest.raises(ag.errors.OwnershipError, match='modifies a list') as refused:
        ag.function(f)(XS[0])
    assert f', in {f.__name__}\n    for x in xs:' in str(refused.value)


def test_what_that_error_says_to_write():
    def plain(xs):
        global SEEN
        seen = {'best': None, 'all': []}
        for x in xs:
            if x > 1:
                seen['best'] = x
            seen['all'].append(x)
        SEEN = seen

    graph = ag.function(plain)
    for xs in XS:
        plain(xs)
        expected = SEEN
        graph(xs)
        assert same(expected, SEEN)
