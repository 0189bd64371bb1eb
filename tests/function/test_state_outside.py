"""Functions that set variables outside: checked, pickled, in threads, and what is refused."""
from __future__ import annotations

import math
import pickle
import threading

import numpy as np
import pytest
from outside import left_alike

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0])

total, count, last, weights, name = 0.0, 0, None, np.zeros(3), 'none'
START = {
    'total': 0.0, 'count': 0, 'last': None, 'weights': np.zeros(3), 'name': 'none',
}  # fmt: skip
SEEN = []


@pytest.fixture(autouse=True)
def _as_before():
    globals().update(START)
    SEEN.clear()


def agree(f, *calls, **options):
    """Python, converted code and the graph return and leave the same after each of the calls."""
    return left_alike(f, *calls, names=START, seen=SEEN, **options)


def adds(xs):
    global total
    for x in xs:
        if x > 0:
            total = total + x
    return total


def counts(xs):
    global count
    for x in xs:
        if x > 0:
            count += 1
    return count


def count_up():
    global count
    count += 1
    return count


def raises_in_a_loop(xs):
    global total, count
    for x in xs:
        total += x
        count += 1
        if x < 0:
            raise ValueError(total)
    return total


# Other ways to run it.


def test_a_function_in_another():
    inner = ag.function(adds)

    def f(xs):
        return inner(xs) + inner(xs * 2) + total

    agree(f, (XS,), (-XS,), converted=False)


def test_check_compares_what_is_left():
    checked = ag.function(check=True)
    agree(raises_in_a_loop, (np.abs(XS),), (XS,), (-XS,), run=checked, converted=False)


def test_eagerly():
    ag.config.run_functions_eagerly(True)
    try:
        agree(ag.function(counts), (XS,), converted=False)
    finally:
        ag.config.run_functions_eagerly(False)


def test_tracing_alone_sets_nothing():
    concrete = ag.function(counts).get_concrete_function(XS)
    assert count == 0
    assert [concrete(XS) for _ in range(3)] == [2, 4, 6]
    assert count == 6


def test_a_concrete_function_is_for_one_type():
    global count
    concrete = ag.function(counts).get_concrete_function(XS)
    count = 0.5
    with pytest.raises(ag.errors.SignatureError, match="'count' was int; it is float now"):
        concrete(XS)
    other = ag.function(lambda xs: concrete(xs) + count)
    count = 0
    with pytest.raises(ag.errors.StagingError, match='Call the function itself'):
        other(XS)


def test_a_pickled_trace_has_a_variable_of_its_own():
    concrete = ag.function(counts).get_concrete_function(XS)
    concrete(XS)
    other = pickle.loads(pickle.dumps(concrete))
    assert [other(XS), other(XS), concrete(XS), count] == [4, 6, 4, 4]


def test_threads_see_no_tensor():
    graph = ag.function(counts)
    concrete = graph.get_concrete_function(XS)
    wrong = []

    def run():
        for _ in range(100):
            if type(concrete(XS)) is not int:
                wrong.append(count)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(4, 8):
        graph(np.ones(n))
    for thread in threads:
        thread.join()
    assert not wrong
    assert type(count) is int


# What only Python can do.


def test_what_the_graph_cannot_compute_with_is_guarded():
    def f(xs):
        global count
        count += 1
        return xs * [2, 3, 5, 7][count]

    graph = ag.function(f)
    results = [graph(XS)[0] for _ in range(3)]
    assert results == [3.0, 5.0, 7.0]
    assert count == 3


def test_objects_are_set_while_tracing():
    def f(x):
        global last
        if last is None:
            last = {'rate': 2.0}
        return x * last['rate']

    graph = ag.function(f)
    assert [graph(np.float64(1.0)) for _ in range(3)] == [2.0] * 3
    assert last == {'rate': 2.0}


@pytest.mark.parametrize('make', [lambda x: [x], lambda x: {'x': x}])
def test_each_call_makes_its_own_list_of_tensors(make):
    def f(x):
        global last
        last = make(x)
        return x

    graph = ag.function(f)
    for x in (np.float64(1.0), np.float64(2.0)):
        graph(x)
        assert last == make(x)


def test_an_object_that_a_tensor_follows():
    def f(x):
        global last
        last = {}
        before = len(last)
        last = x + before
        return last

    graph = ag.function(f)
    for x in (1.0, 2.0):
        assert graph(np.float64(x)) == last == x


def test_an_import_that_follows_a_tensor_sets_a_variable_at_every_call():
    def f(x):
        global last
        last = x
        import math as last  # noqa: F811  what it sets is another thing
        return x

    global last
    graph = ag.function(f)
    for x in (1.0, 2.0):
        last = None
        assert graph(np.float64(x)) == x
        assert last is math
    last = None


def test_a_dict_that_the_first_call_makes_and_changes():
    def made():
        state = None

        def step(x):
            nonlocal state
            if state is None:
                state = {'n': 0, 'last': x}
            state['n'] += 1
            change, state['last'] = x - state['last'], x
            return change * state['n']

        return step

    plain, graph = made(), ag.function(made())
    calls = [np.float64(x) for x in (1, 4, 2)]
    assert [graph(x) for x in calls] == [plain(x) for x in calls]
