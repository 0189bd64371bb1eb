"""Arrays that variables outside are set to, and that are modified in place after that."""
from __future__ import annotations

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

CALLS = [np.array(x) for x in ([1.0, 2.0], [3.0, -2.0], [-3.0, -2.0], [0.5, 0.25])]

total = np.ones(2)


class Model:
    w = None


class World:
    def __init__(self):
        global total
        total = np.ones(2)
        self.model, self.items = Model(), {'other': np.ones(2)}

    @property
    def state(self):
        return dict(vars(self.model)), dict(self.items), total


def filled_in_a_loop(model, items):
    def f(xs):
        global total
        model.w = np.zeros(2)
        items['w'] = np.zeros(2)
        total = np.zeros(2)
        for i, x in enumerate(xs):
            model.w[i] = x
            items['w'][i] += x
            total[i] -= x
        return xs[0]
    return f


def filled_in_a_branch(model, items):
    def f(xs):
        global total
        model.w = np.zeros(2)
        items['w'] = xs * 2
        total = np.zeros(2)
        if xs[0] > 0:
            model.w[0] = xs[1]
            items['w'] += 1
            total[0] = 7
        return xs[0]
    return f


def set_and_filled_in_a_branch(model, items):
    def f(xs):
        global total
        if xs[0] > 1:
            model.w = np.zeros(2)
            model.w[0] = xs[1]
            items['w'] = np.zeros(2)
            items['w'][0] += xs[1]
            total = np.zeros(2)
            total[0] += xs[1]
        return xs[0]
    return f


def set_and_filled_in_a_loop(model, items):
    def f(xs):
        for x in xs:
            model.w = np.zeros(2)
            model.w[0] = x
            items['w'] = np.zeros(2)
            for i in range(2):
                items['w'][i] = x * i
        return xs[0]
    return f


def set_on_both_ways(model, items):
    def f(xs):
        if xs[0] > 1:
            model.w = np.zeros(2)
        else:
            model.w = np.ones(2)
            model.w[1] = 5
        model.w[0] += xs[1]
        return xs[0]
    return f


def replaced_or_modified(model, items):
    def f(xs):
        model.w = np.zeros(2)
        if xs[0] > 1:
            model.w = np.ones(2)
        else:
            model.w[0] = xs[1]
        return xs[0]
    return f


def filled_plainly(model, items):
    def f(xs):
        global total
        model.w = np.zeros(2)
        model.w[0] += xs[1]
        total = np.zeros(2)
        total[0] += xs[1]
        items['w'] = np.zeros((2, 2))
        items['w'][0, :] = xs
        np.add(items['w'], 1, out=items['w'])
        return xs[0]
    return f


def filled_by_another_name(model, items):
    def f(xs):
        v = np.zeros(2)
        model.w = v
        for x in xs:
            v[0] += x
        items['v'] = items['w'] = u = np.zeros(2)
        for i, x in enumerate(xs):
            items['v'][i] = x
        return u.sum()
    return f


def filled_by_a_view(model, items):
    def f(xs):
        model.w = np.zeros(2)
        v = model.w[1:]
        v[0] = xs[0]
        return xs[0]
    return f


def filled_in_a_helper(model, items):
    def put(i, x):
        model.w[i] = x

    def f(xs):
        model.w = np.zeros(2)
        for i, x in enumerate(xs):
            put(i, x)
        return xs[0]
    return f


def filled_where_it_was_none(model, items):
    def f(xs):
        model.w = None
        for i, x in enumerate(xs):
            if model.w is None:
                model.w = np.zeros(2)
            model.w[i] = x
        return xs[0]
    return f


def filled_until_it_is_full(model, items):
    def f(xs):
        model.w = np.zeros(2)
        while model.w[0] < 5:
            model.w[0] += abs(xs[0])
            model.w[1] += 1
        return model.w
    return f


def in_a_tuple(model, items):
    def f(xs):
        model.w = np.zeros(2), xs[1]
        model.w[0][1] = xs[0]
        return xs[0]
    return f


@pytest.mark.parametrize('function', [
    filled_in_a_loop, filled_in_a_branch, set_and_filled_in_a_branch, set_and_filled_in_a_loop,
    set_on_both_ways, replaced_or_modified, filled_plainly, filled_by_another_name,
    filled_by_a_view, filled_in_a_helper, filled_where_it_was_none, filled_until_it_is_full,
    in_a_tuple,
])  # fmt: skip
def test_what_is_modified_in_place_after_it_was_set_is_there_after_the_call(function):
    plain, graph = World(), World()
    converted = ag.function(function(graph.model, graph.items))
    python = function(plain.model, plain.items)
    global total
    begun = total
    for x in CALLS:
        total = before = begun.copy()
        expected = python(x)
        expected_state = plain.state
        begun, total = total, before
        total = before
        got = converted(x)
        assert same(expected, got), (x, expected, got)
        assert same(expected_state, graph.state), (x, expected_state, graph.state)
    assert converted.tracing_count <= 2


def test_names_that_are_set_to_one_array_hold_one_array():
    model, items = Model(), {}

    @ag.function
    def f(xs):
        model.w = items['w'] = np.zeros(2)
        for i, x in enumerate(xs):
            model.w[i] = x
        return model.w

    found = f(CALLS[0])
    assert model.w is items['w'] is found


def test_what_looks_at_the_array_meanwhile_finds_what_was_written():
    model, seen = Model(), []

    def look(x):
        seen.append(model.w.tolist())
        return x

    @ag.function
    def f(xs):
        model.w = np.zeros(2)
        for i, x in enumerate(xs):
            model.w[i] = x
            ag.py_function(look, [x], ag.TensorSpec((), np.float64))
            if x < 0:
                raise ValueError('negative')

    with pytest.raises(ValueError, match='negative'):
        f(CALLS[1])
    assert seen == [[3.0, 0.0], [3.0, -2.0]]
    assert model.w.tolist() == [3.0, -2.0]


def test_an_array_that_is_filled_in_a_loop_is_set_before_and_after_it():
    model = Model()

    @ag.function
    def f(xs):
        model.w = np.zeros(xs.shape[0])
        for i in range(xs.shape[0]):
            model.w[i] = xs[i] * 2
        return xs[0]

    program = f.get_concrete_function(np.zeros(100)).lowered_code
    assert program.count('\n    Model_w.value = ') == program.count('.value = ') == 2


def test_an_array_that_a_try_block_sets_and_modifies_before_it_may_raise_is_refused_by_name():
    model = Model()

    @ag.function
    def f(xs):
        try:
            model.w = np.zeros(2)
            model.w[0] = xs[5]
        except IndexError:
            pass
        return model.w

    with pytest.raises(ag.errors.StagingError, match=r"What follows needs 'Model\.w', which"):
        f(CALLS[0])


def test_a_captured_array_that_is_modified_and_read_before_an_error():
    model = Model()
    model.w = np.ones(3)

    @ag.function
    def f(xs):
        model.w[1:] += xs[0]
        model.total = model.w.sum()
        raise ValueError('never done')

    with pytest.raises(ValueError, match='never done'):
        f(CALLS[0])
    assert model.total == 5.0
    assert model.w.tolist() == [1.0, 2.0, 2.0]


# Perhaps replaced, and then modified in place: the array that was there is what it was in Python.


class Kept:
    shared = np.ones(2)


def replaced_by_a_branch(model, xs):
    if xs[0] > 1:
        model.w = np.zeros(2)
    model.w[0] += xs[1]
    return model.w.sum()


def modified_or_replaced(model, xs):
    if xs[0] > 1:
        model.w = model.w + 1
    else:
        model.w[1] -= xs[0]
    model.w *= 2
    return model.w


def by_another_name(model, xs):
    old = model.w
    if xs[0] > 1:
        model.w = np.zeros(2)
    model.w[1:] = xs[0]
    old[0] -= xs[1]
    return old + model.w


def of_the_class(model, xs):
    if xs[0] > 1:
        Kept.shared = np.zeros(2)
    Kept.shared[0] += xs[0]
    return Kept.shared.sum() + model.w


def of_the_module(model, xs):
    global total
    if xs[0] > 1:
        total = np.zeros(2)
    total[0] += xs[0]
    return total.sum() + model.w


def before_an_error(model, xs):
    if xs[0] > 1:
        model.w = np.zeros(2)
    if xs[1] < 0:
        raise ValueError('less')
    model.w += xs
    return xs


@pytest.mark.parametrize('f', [
    replaced_by_a_branch, modified_or_replaced, by_another_name, of_the_class, of_the_module,
    before_an_error,
], ids=lambda f: f.__name__)  # fmt: skip
def test_an_array_that_a_branch_perhaps_replaces_is_modified_where_it_does_not(f):
    def run(way):
        global total
        model = Model()
        first = model.w, Kept.shared, total = np.ones(2), np.ones(2), np.ones(2)
        seen = []
        for xs in (CALLS[3], CALLS[0], CALLS[1], CALLS[2]):
            try:
                result = way(model, xs) * 1
            except ValueError as error:
                result = str(error)
            now = model.w, Kept.shared, total
            same_as = [x is y for x, y in zip(first, now, strict=True)]
            seen.append((result, *(x.copy() for x in (*first, *now)), same_as))
        return seen

    graph = ag.function(f)
    assert same(run(f), run(ag.to_graph(f)))
    assert same(run(f), run(graph))
    assert graph.tracing_count == 1
