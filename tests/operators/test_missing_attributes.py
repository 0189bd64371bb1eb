"""An attribute that what is asked for it lacks: an error of the way that asks, as in Python."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, 2.0])
F, N = np.float64, np.int64


def in_a_branch(x, k):
    if k > 3:
        return x.area()
    return x * 2


def in_an_expression(x, k):
    return x.missing if k > 3 else x


def in_a_loop(x, k):
    while k > 0:
        if k > 3:
            x.missing()
        k -= 1
    return x


def of_a_list(x, k):
    found = []
    for v in x:
        found.append(v)
    if k > 3:
        found.missing()
    return found


def of_a_text(x, k):
    text = f'{x[0]}'
    if k > 3:
        text.missing()
    return text


def caught_around(x, k):
    try:
        y = x.missing if k > 3 else x[0]
    except AttributeError:
        y = -1.0
    return y


@pytest.mark.parametrize('f', [
    in_a_branch, in_an_expression, in_a_loop, of_a_list, of_a_text, caught_around])
def test_a_way_that_is_not_taken_may_ask_for_it(f):
    check(f, (X, N(1)), (X, N(4)), joins=True)


def test_it_may_be_a_number():
    check(in_a_branch, (F(2), N(1)), (F(2), N(4)))


class Record:
    """It has its attributes in a dict."""

    def __init__(self):
        object.__setattr__(self, 'held', {})

    def __getattr__(self, name):
        try:
            return self.held[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name, value):
        self.held[name] = value


class Limited:
    def __init__(self, x):
        self.x = x

    @property
    def small(self):
        if self.x > 2:
            raise AttributeError('large')
        return self.x * 2


def of_a_class_with_a_dict(n):
    record = Record()
    if n > 0:
        record.y = 3
    return getattr(record, 'y', None), hasattr(record, 'y'), getattr(record, 'z', 5)


def of_a_property(n):
    limited = Limited(n)
    return getattr(limited, 'small', n), hasattr(limited, 'small')


def in_turns(n):
    total = 0
    for i in range(n):
        limited = Limited(i)
        total += getattr(limited, 'small', -1)
        if hasattr(limited, 'small'):
            total += 10
    return total


@pytest.mark.parametrize('f', [of_a_class_with_a_dict, of_a_property, in_turns])
def test_code_of_the_class_tells_it_when_the_graph_runs(f):
    check(f, (N(1),), (N(-2),), (N(5),))


class Model:
    pass


def set_in_a_branch(n):
    model = Model()
    if n > 0:
        model.rate = n
    return model


def caught(n):
    model = set_in_a_branch(n)
    try:
        return model.rate
    except AttributeError:
        return -n


def told(n):
    model, text = set_in_a_branch(n), ''
    try:
        n += model.rate
    except AttributeError as error:
        text = str(error)
    return n, text


def deleted(n):
    model = set_in_a_branch(n)
    try:
        del model.rate
    except AttributeError:
        return -n, True
    return n, hasattr(model, 'rate')


def added_up(n):
    model = Model()
    for i in range(n):
        try:
            model.total += i
        except AttributeError:
            model.total = n
    return model.total


def asked_for(n):
    model = set_in_a_branch(n)
    rate = model.rate if hasattr(model, 'rate') else -1
    return rate, not hasattr(model, 'rate'), hasattr(model, 'rate') and model.rate > 2


def asked_for_in_turns(n):
    model = Model()
    for i in range(n):
        if not hasattr(model, 'total'):
            model.total = n
        model.total += i
    return getattr(model, 'total', -1)


@pytest.mark.parametrize('f', [caught, told, deleted, added_up, asked_for, asked_for_in_turns])
def test_one_that_a_branch_may_not_have_set(f):
    check(f, (N(3),), (N(-2),), joins=True)


def test_an_item_of_a_dict_outside_that_a_branch_may_not_have_set():
    table = {}

    def f(n):
        if n > 0:
            table['rate'] = n
        try:
            return table['rate']
        except KeyError as error:
            return len(str(error))

    assert ag.function(f)(N(-2)) == 6
    assert ag.function(f)(N(3)) == 3
    assert table == {'rate': 3}


def deleted_where_it_is_not(n):
    model = Model()
    try:
        if n > 0:
            raise ValueError
        del model.rate
    except (ValueError, AttributeError) as error:
        n += len(str(error))
    return n


def test_a_way_that_is_not_taken_may_delete_it():
    check(deleted_where_it_is_not, (N(3),), (N(-2),))


def test_one_of_an_object_that_is_given_that_no_turn_may_have_set():
    def of_all(model, x):
        for v in x:
            if v > 3:
                model.rate = v
        return vars(model)

    def caught_of_it(model, x):
        for v in x:
            if v > 3:
                model.rate = v
        try:
            return model.rate
        except AttributeError:
            return v

    for x in X, X * 4:
        models = Model(), Model()
        assert ag.function(caught_of_it)(models[0], x) == caught_of_it(models[1], x)
        assert vars(models[0]) == vars(models[1])
    with pytest.raises(ag.errors.UnboundError):  # no error that plain Python does not raise
        ag.function(of_all)(Model(), X)
