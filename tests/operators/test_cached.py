"""A function under `functools.cache`: its cache is asked as often as plain Python asks it."""
from __future__ import annotations

import copy
import functools
import pickle

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])


def calls(make, run):
    f, helper, change = make()
    graph, left = run(f), []
    for x in (XS, -XS, XS * 2, XS * 3):
        left.append((graph(x), tuple(helper.cache_info())))
        change(helper)
    return left


def asked_twice():
    helper = functools.lru_cache(maxsize=1)(lambda n: n * 2)
    return lambda x: x * helper(3) + helper(3) + helper(n=4), helper, lambda helper: None


def emptied_between_calls():
    helper = functools.cache(lambda n: np.arange(n))
    return lambda x: x + helper(3), helper, lambda helper: helper.cache_clear()


def emptied_by_the_function():
    helper = functools.cache(lambda n: n * 2)

    def f(x):
        helper.cache_clear()
        return x * helper(2)

    return f, helper, lambda helper: None


def its_hits_are_read():
    helper = functools.cache(lambda n: n * 2)
    return lambda x: x * helper(2) + helper.cache_info().hits, helper, lambda helper: None


def typed():
    helper = functools.lru_cache(typed=True)(lambda n: type(n).__name__)
    return lambda x: (x, helper(1), helper(True), helper(1.0)), helper, lambda helper: None


def a_method():
    class Model:
        @functools.cache  # noqa: B019  the model lives as long as the test
        def scaled(self, n):
            return n * 2

    model = Model()
    return lambda x: x * model.scaled(2), Model.scaled, lambda helper: None


def a_trace_that_begins_anew():
    helper, rows = functools.cache(lambda n: n * 2), [1.0]

    def f(x):
        y = x * helper(2) * rows[-1]
        rows.append(x.sum())
        return y

    return f, helper, lambda helper: None


def an_array_that_is_modified():
    helper, weights = functools.cache(lambda n: n * 2), np.zeros(3)

    def f(x):
        weights[:] = weights + x * helper(2)
        return weights.sum()

    return f, helper, lambda helper: None


@pytest.mark.parametrize('make', [
    asked_twice, emptied_between_calls, emptied_by_the_function, its_hits_are_read, typed, a_method,
    a_trace_that_begins_anew, an_array_that_is_modified], ids=lambda make: make.__name__)
def test_it_is_asked_at_every_call(make):
    assert same(calls(make, lambda f: f), calls(make, ag.function))


class Log:
    def __init__(self):
        self.rows, self.total = [], 0.0


def a_dict():
    table = functools.cache(lambda: {})

    def f(x):
        t = table()
        t['n'] = t.get('n', 0.0) + x
        return t['n']

    return f, table


def a_dict_of_no_function():
    table = functools.cache(dict)

    def f(x):
        table()['n'] = x
        return x

    return f, table


def a_list_of_a_method():
    class Model:
        @functools.lru_cache(None)  # noqa: B019  the model lives as long as the test
        def rows(self):
            return [0.0]

    model = Model()

    def f(x):
        model.rows().append(x)
        return len(model.rows())

    return f, functools.update_wrapper(
        lambda: model.rows(), Model.rows, ['cache_clear'])


def a_set():
    seen = functools.cache(lambda: set())

    def f(x):
        seen().add(float(x))
        return x

    return f, seen


def lists_in_a_dict():
    groups = functools.cache(lambda: {'a': [0.0], 'b': []})

    def f(x):
        groups()['b'].append(x)
        return x + len(groups()['a'])

    return f, groups


def arrays_in_a_tuple():
    weights = functools.cache(lambda: (np.zeros(2), np.ones(2)))

    def f(x):
        w, b = weights()
        w[0] = x
        return w + b * x

    return f, weights


def an_object():
    log = functools.cache(lambda: Log())

    def f(x):
        log().total += x
        log().rows.append(log().total)
        return log().total

    return f, log


def an_object_in_a_branch():
    log = functools.cache(lambda: Log())

    def f(x):
        if x > 1:
            log().rows.append(x)
        return x

    return f, log


def a_dict_in_a_branch():
    table = functools.cache(lambda: {'n': 0.0})

    def f(x):
        if x > 1:
            table()['n'] = x
        return x

    return f, table


@pytest.mark.parametrize('make', [
    a_dict, a_dict_of_no_function, a_list_of_a_method, a_set, lists_in_a_dict, arrays_in_a_tuple,
    an_object, an_object_in_a_branch, a_dict_in_a_branch], ids=lambda make: make.__name__)
@pytest.mark.parametrize('is_emptied', [False, True])
def test_what_it_keeps_is_changed_at_every_call(make, is_emptied):
    def left(run):
        f, helper = make()
        g, states = run(f), []
        for i, x in enumerate([1.0, 2.0, 3.0, 2.0]):
            if is_emptied and i == 2:
                helper.cache_clear()
            states.append((g(np.float64(x)), copy.deepcopy(_held(helper()))))
        return states

    assert same(left(lambda f: f), left(ag.function))


def _held(x):
    return vars(x) if isinstance(x, Log) else x


def test_a_list_that_it_keeps_is_changed_outside_of_a_branch():
    rows = functools.cache(lambda: [0.0])

    @ag.function
    def f(x):
        kept = rows()
        for i in range(3):
            if x > i:
                kept.append(x)
        return x

    with pytest.raises(ag.errors.OwnershipError, match='modifies a list that lives outside'):
        f(np.float64(2))
    assert rows() == [0.0]


def test_one_trace_serves_all():
    f, helper, _ = asked_twice()
    graph = ag.function(f)
    for x in (XS, -XS, XS * 2):
        graph(x)
    assert graph.tracing_count == 1
    assert tuple(helper.cache_info()) == (3, 6, 1, 1)


@functools.cache
def kept(n):
    return n * 2


def test_another_process_has_another_cache():
    concrete = ag.function(lambda x: x * kept(3)).get_concrete_function(XS)
    before = kept.cache_info()
    assert same(pickle.loads(pickle.dumps(concrete))(XS), XS * 6)
    assert kept.cache_info() == before


@functools.cache
def nested(n):
    return {'a': [n], 'b': (np.ones(2) * n, set())}


TOTAL = 0


@functools.cache
def counting(n):
    global TOTAL
    TOTAL += 1
    return n * 2


@functools.cache
def noisy(n):
    return np.random.normal() + n


@functools.cache
def checked(n):
    assert n > -10
    return n if n < 2 else checked(n - 1) + checked(n - 2)


def item_set(x):
    nested(x)['c'] = 1


def list_grows(x):
    for i in range(3):
        nested(x + i)['a'].append(x)


def array_modified(x):
    nested(int(x))['b'][0][:] = 0


def set_grows(x):
    nested(x)['b'][1].add(1)


def attribute_set(x):
    made = functools.cache(lambda n: Log())
    if x > 0:
        made(x).total = x


@pytest.mark.parametrize('f', [item_set, list_grows, array_modified, set_grows, attribute_set])
def test_what_it_keeps_for_a_number_of_the_graph_is_left_as_it_is(f):
    with pytest.raises(ag.errors.OwnershipError, match=r'Change a copy of it, such as `copy\.deep'):
        ag.function(f)(np.float64(2))


@pytest.mark.parametrize('helper', [counting, noisy])
def test_it_has_no_effects_for_a_number_of_the_graph(helper):
    with pytest.raises(ag.errors.OwnershipError, match='Let it keep nothing; or give it a number'):
        ag.function(lambda x: helper(x))(np.float64(2))


def test_it_is_computed_anew_for_a_number_of_the_graph():
    def f(x):
        rows = copy.deepcopy(nested(x))
        rows['a'].append(x)
        return checked(int(x)), rows['a'], nested(x)['b'][0]

    graph = ag.function(f)
    for x in (2.0, 5.0, 2.0):
        assert same(f(np.float64(x)), graph(np.float64(x)))
    with pytest.raises(AssertionError):
        graph(np.float64(-20))


@functools.cache
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def test_a_loop_calls_one_that_calls_itself():
    def f(xs):
        total = np.float64(0)
        for x in xs:
            for n in range(5):
                total += x * fibonacci(n)
        return total

    graph = ag.function(f)
    for x in (XS, -XS):
        same(graph(x), f(x))


@functools.cache
def listed(v):
    return [v]


def test_whether_two_results_are_one_only_the_running_graph_knows():
    @ag.function
    def f(x, y):
        return listed(float(x)) is listed(float(y))

    with pytest.raises(ag.errors.StagingError, match='one object'):
        f(np.float64(1), np.float64(1))
