"""Variables of modules, and of functions around, that a graph reads where it begins and sets."""
from __future__ import annotations

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


def counts_in_a_helper(xs):
    if xs[0] > 0:
        count_up()
    for _ in xs:
        count_up()
    return xs * count


def of_one_turn(xs):
    global total, count
    for x in xs:
        if x > 2:
            continue
        total, count = total + x, count + 1
        if total < -1:
            break
    while total < 3:
        total += 1.5
    return total * count


def the_last(xs):
    global last
    last = xs[0] * 2
    return xs


def the_best(xs):
    global last
    for x in xs:
        if last is None or x > last:
            last = x
    return last


def steps_of_an_array(xs):
    global weights
    for _ in range(3):
        weights = weights + xs * 0.5
    return np.sum(weights)


def a_pair(xs):
    global last
    last = (xs[0], (1, xs[1]))
    return last[0]


def a_text(xs):
    global name
    name = 'positive' if xs[0] > 0 else 'none'
    if np.sum(xs) > 100:
        name = f'{xs[0]}'
    return xs


def reset_first(xs):
    global total
    total = 0.0
    for x in xs:
        total += x
    return total


def reset_after(xs):
    global total
    if xs[0] > 0:
        total = total + xs[1]
    before = total
    total = 0.0
    return before


PROGRAMS = [
    adds, counts, counts_in_a_helper, of_one_turn, the_last, the_best, steps_of_an_array, a_pair,
    a_text, reset_first, reset_after,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS, ids=lambda f: f.__name__)
def test_what_is_left_after_each_call(f):
    agree(f, *[(XS,), (-XS,), (XS * 2,), (XS,)])


@pytest.mark.parametrize('f', [counts, counts_in_a_helper])
def test_a_counter_is_an_input_of_the_graph(f):
    agree(f, *[(XS,)] * 5, traces=1)


def test_a_number_that_numpy_makes_another_one_is_traced_twice():
    graph = agree(adds, *[(XS,)] * 5, traces=2)
    assert graph.trace_report().endswith(
        '2. total has changed, which the function reads from outside')
    assert graph.traces[-1].lowered_code.endswith(
        '    total_1 = np.float64(total_1)\n    total.value = total_1\n    return total_1\n')


def test_it_is_read_at_every_call():
    global total
    graph = ag.function(adds)
    graph(XS)
    for value in (10.0, np.float64(3.0), 1, True):
        total = value
        expected = total + 4.0
        assert graph(XS) == total == expected


def test_a_variable_of_a_function_around():
    def made():
        n = 0

        def f(xs):
            nonlocal n
            for x in xs:
                if x > 0:
                    n += 1
            return n

        return f, lambda: n

    (plain, left_by_plain), (f, left_by_graph) = made(), made()
    graph = ag.function(f)
    for _ in range(3):
        assert plain(XS) == graph(XS)
        assert left_by_plain() == left_by_graph()
    assert graph.tracing_count == 1


def test_a_variable_that_there_was_not():
    def f(x):
        global NOT_YET
        NOT_YET = x + 1
        return NOT_YET

    try:
        assert ag.function(f).get_concrete_function(np.int64(1))(np.int64(2)) == 3
        assert NOT_YET == 3
    finally:
        globals().pop('NOT_YET', None)


# What others see, and what is left.


def see():
    SEEN.append((float(total), count))


def printed_and_seen(xs):
    global total, count
    for x in xs:
        total += x
        ag.py_function(see, [], None)
        if x > 0:
            count += 1
            ag.py_function(see, [], None)
    return total


def raises_in_a_loop(xs):
    global total, count
    for x in xs:
        total += x
        count_up()
        if x < 0:
            raise ValueError(total)
    return total


def asserts(xs):
    global total
    for x in xs:
        total += x
        assert x > 0, 'negative'
    return total


def raises_after_a_turn(xs):
    global total
    for x in xs:
        if x < 0:
            raise ValueError(total)
        for y in xs:
            total = x - y


def only_before_it_raises(xs):
    if xs[0] < 0:
        count_up()
        raise ValueError(count)
    return xs


def catches(xs):
    global total, count
    try:
        total = total + xs[0]
        count_up()
        if xs[1] < 0:
            raise KeyError
        total = 7.0
    except KeyError:
        total = total * 2 + count
    return total


@pytest.mark.parametrize('f', [
    printed_and_seen, raises_in_a_loop, asserts, raises_after_a_turn, only_before_it_raises,
    catches,
], ids=lambda f: f.__name__)  # fmt: skip
def test_what_others_see_and_find(f):
    agree(f, (XS,), (np.abs(XS),), (XS[::-1],), (-XS,))


def test_what_a_python_function_sets_is_not_read_after_it():
    def f(x):
        ag.py_function(count_up, [], None)
        return x * count

    with pytest.raises(ag.errors.OwnershipError, match="'count' is read here, after") as caught:
        ag.function(f)(np.float64(1))
    assert 'Let the function return what' in str(caught.value)
    assert count == 0


def counts_in_the_test(xs):
    x = xs[0]
    while count_up() < x:
        x = x - 0.5
    return x, count


def test_a_test_changes_it():
    agree(counts_in_the_test, (XS,), (XS + 9,), (-XS,))


def keeps_what_it_modifies(x):
    global last
    last = x[1:]
    x += 1
    return x


def modifies_what_it_is_set_to(x):
    global weights
    y = x * 2
    weights = y
    y[0] = 5.0
    for v in x:
        y = y + v
        weights[1] = v
    return y


def test_an_array_is_the_one_that_it_is_set_to():
    agree(modifies_what_it_is_set_to, (XS,), (-XS,))
    with pytest.raises(ag.errors.OwnershipError, match='an argument that is modified') as caught:
        ag.function(keeps_what_it_modifies)(XS.copy())
    assert '`last = x.copy()`' in str(caught.value)


def test_an_array_that_is_read_is_no_argument_that_is_modified():
    global weights

    def f(x):
        global weights
        x[0] = 5.0
        weights = weights + x
        return x

    weights = np.ones(3)
    with pytest.raises(ag.errors.OwnershipError, match='shares memory with another array'):
        ag.function(f)(weights)


class Looking:
    @property
    def now(self):
        return total

    def there(self):
        return total


def by_a_property(xs):
    global total
    seen, look = 0.0, Looking()
    for x in xs:
        total = total + x
        seen += look.now
    return seen


def by_a_method(xs):
    global total
    seen, look = 0.0, Looking()
    for x in xs:
        total = total + x
        seen += look.there()
    return seen


def test_what_a_property_looks_at():
    with pytest.raises(ag.errors.OwnershipError, match=r"'total', .* is looked at") as caught:
        ag.function(by_a_property)(XS)
    assert 'Call a function or a method' in str(caught.value)
    agree(by_a_method, (XS,), (-XS,))


def step(x):
    global count
    count += 1
    return x * count


def mapped(xs):
    return list(map(step, xs)), sorted(xs, key=step), [step(x) for x in xs]


def test_functions_that_are_given_to_others():
    agree(mapped, (XS,), (-XS,), traces=1)


# By the namespace of the module.


def sets_by_namespace(xs):
    globals()['total'] = xs[0]
    return reads_total(xs)


def reads_total(xs):
    return xs + total


def sets_a_number_by_namespace(xs):
    globals()['count'] = 5
    return xs


def adds_by_namespace(xs):
    globals()['count'] += 1
    return xs + count


def adds_by_both(xs):
    count_up()
    globals()['count'] += 2
    return count_up() + xs


def adds_by_a_name(xs):
    names, key = globals(), 'count'
    names[key] = names[key] + 1
    return names[key]


def sets_what_was_read(xs):
    before = total
    globals()['total'] = xs[1]
    return before + total


@pytest.mark.parametrize('f', [
    sets_by_namespace, sets_a_number_by_namespace, adds_by_namespace, adds_by_both, adds_by_a_name,
    sets_what_was_read,
])  # fmt: skip
def test_what_is_set_by_namespace(f):
    agree(f, (XS,), (-XS,), (XS,))


def test_what_is_set_by_namespace_is_set_by_every_call():
    f = ag.function(sets_a_number_by_namespace)
    for _ in range(2):
        globals()['count'] = 0
        f(XS)
        assert count == 5
