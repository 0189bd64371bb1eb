"""`try` with variables and attributes outside: they hold what plain Python leaves in them."""
from __future__ import annotations

import numpy as np
import pytest
from differential import outcome, same
from states import left

import autograph_lite as ag

total = 0.0


class Model:
    def __init__(self):
        self.n, self.is_busy = 0.0, False


model = Model()


def set_before_the_block(xs):
    global total
    total = xs[0]
    try:
        if xs[1] < 0:
            raise ValueError
        total += 1
    except ValueError:
        total *= 3
    return total


def set_twice(xs):
    global total
    try:
        total = xs[0]
        if xs[1] < 0:
            raise ValueError
        total = total + 1
    except ValueError:
        total = total * 3
    return total


def an_attribute(xs):
    model.n = xs[0]
    try:
        model.n = model.n + xs[1]
        if xs[1] < 0:
            raise ValueError
        model.n += 1
    except ValueError:
        model.n *= 3
    return model.n


def finally_of_a_loop(xs):
    global total
    try:
        for x in xs:
            if x < 0:
                break
            total += 1
    finally:
        total *= 2
    return total


def finally_that_is_left_by_an_error(xs):
    global total
    try:
        if xs[0] < 0:
            raise ValueError('negative')
        total += xs[1]
    finally:
        total = total + 10
    return total


def finally_with_an_attribute(xs):
    model.is_busy = True
    try:
        for x in xs:
            if x < 0:
                raise ValueError('negative')
            model.n = model.n + x
    finally:
        model.is_busy = False
        model.n = model.n - 1
    return model.n


def finally_before_a_return(xs):
    try:
        model.n = model.n + 1
        return xs[0] * model.n
    finally:
        model.n = xs[1]


CALLS = [(np.array(v),) for v in ([1.0, -2.0, 3.0], [1.0, 2.0, 3.0], [-1.0, 2.0, 3.0])]


@pytest.mark.parametrize('f', [
    set_before_the_block, set_twice, an_attribute, finally_of_a_loop,
    finally_that_is_left_by_an_error, finally_with_an_attribute, finally_before_a_return,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_is_left_after_each_call(f):
    global model, total
    found = []
    for way in (f, ag.to_graph(f), ag.function(f)):
        model, total = Model(), 0.0
        found.append([])
        for args in CALLS:
            found[-1] += [outcome(way, args), total, model.n, model.is_busy]
    assert all(same(found[0], each) for each in found[1:])


def test_an_object_set_before_what_raises_is_refused():
    def f(x):
        global model
        try:
            if x > 0:
                model = Model()
                raise ValueError
        except ValueError:
            pass
        return model.n

    with pytest.raises(ag.errors.StagingError, match="needs 'model', which this `try` block"):
        ag.function(f)(np.float64(1))


held = None


def test_what_is_replaced_before_what_raises_is_refused_unless_both_are_lists():
    def nothing(x):
        return None

    def array(x):
        return x * 2

    def another(x):
        return [2.0]

    def in_a_branch(x, make):
        global held
        try:
            if x[0] > 0:
                held = make(x)
                raise ValueError
        except ValueError:
            pass
        return 0.0

    def set_back(x, make):
        global held
        old = held
        try:
            held = make(x)
            if x[0] > 0:
                raise ValueError
            held = old
        except ValueError:
            pass
        return 0.0

    global held
    for f in (in_a_branch, set_back):
        for before in (np.zeros(3), [1.0]):
            for make in (nothing, array, another):
                held = before
                if (f, type(before), make) == (in_a_branch, list, another):
                    ag.function(f)(np.ones(2), make)
                    assert held == [2.0]
                    continue
                refused = ag.errors.StagingError, ag.errors.OwnershipError
                with pytest.raises(refused, match=r"'held'"):
                    ag.function(f)(np.ones(2), make)
                assert held is before


def test_an_array_that_is_set_after_what_raises_is_kept():
    def f(x):
        global held
        try:
            if x[0] > 0:
                raise ValueError
            held = x
        except ValueError:
            pass

    global held
    for way in (f, ag.function(f)):
        held = before = np.zeros(2)
        way(np.ones(2))
        assert held is before
        way(-np.ones(2))
        assert held.tolist() == [-1.0, -1.0]


class Player:
    def __init__(self):
        self.health, self.bag, self.log = np.float64(3.0), {'shields': np.int64(1)}, []

    def hit(self, damage):
        if self.bag['shields'] > 0:
            self.bag['shields'] -= 1
            damage = damage / 2
        self.health -= damage
        self.log.append(damage)
        if self.health <= 0:
            raise RuntimeError('dead')


def until_dead(damages, player):
    try:
        for damage in damages:
            player.hit(damage)
    except RuntimeError:
        return player.bag['shields'], player.health
    return np.int64(-1), player.health


def test_a_dict_of_a_given_object_changed_by_a_method_that_then_raises():
    left(Player, lambda _: until_dead, [np.array([1.0, 1.0]), np.array([1.0, 9.0])])
