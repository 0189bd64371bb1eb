"""Captured arrays that a function modifies in place hold afterwards what plain Python leaves."""
import copy
import pickle

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

X = np.arange(6.0).reshape(2, 3)


class Model:
    def __init__(self):
        self.w = np.zeros(3)
        self.b = np.zeros(())
        self.layers = [np.zeros(3), np.ones(3)]
        self.named = {'w': np.zeros(3)}


def descended(self, x):
    error = x @ self.w + self.b - 1
    self.w -= 0.1 * (x.T @ error)
    self.b -= 0.1 * error.sum()
    return (error**2).mean()


def by_another_name(self, x):
    w = self.w
    w -= x[0]
    return self.w.sum()


def in_a_loop_by_another_name(self, x):
    w = self.w
    for row in x:
        w -= row
    return self.w.sum()


def in_a_method(self, x):
    before = self.w.copy()
    zeroed(self, x)
    return self.w - before


def zeroed(self, x):
    self.w[0] = x[0, 1]


def read_in_loops(self, x):
    total = 0.0
    for row in x:
        total += (self.w * row).sum()
    self.w -= x[0]
    for row in x:
        total += (self.w * row).sum()
    return total


def in_a_list(self, x):
    for w, rate in zip(self.layers, (0.5, 2.0)):
        w -= rate * x[1]
    return self.layers[0] + self.layers[1]


def in_a_dict(self, x):
    self.named['w'] += x[1]
    return self.named['w'] * 2


def in_loops_and_branches(self, x):
    for row in x:
        for i, v in enumerate(row):
            if v > 1:
                self.w[i] += v
            elif self.b > -2:
                self.b[...] -= self.w.sum()
    return self.w.sum()


def in_a_block_after_it(self, x):
    self.w[:] = x[0] - 1
    for i in range(3):
        if self.w[i] < 0:
            self.w[i] = 0
    return self.w


def by_the_attribute_in_a_loop(self, x):
    w = self.w
    total = 0.0
    for row in x:
        w -= row
        total += self.w.sum()
    return total


def by_functions_in_blocks(self, x):
    def raised(v):
        self.w[1] += v
        return v

    for row in x:
        if row[1] > 2:
            raised(row[0])
        else:
            logged_in(self, row)
    return [raised(v) for v in x[0] if v > 0]


def logged_in(self, row):
    while self.layers[1][0] < row[1]:
        self.layers[1][0] += 0.5
        if self.layers[1][1] > 3:
            break
        self.named['w'][:] = row


def caught_in_a_loop(self, x):
    try:
        for row in x:
            self.w[0] = row[1]
            if row[0] > 2:
                raise ValueError
    except ValueError:
        self.w[1] = -1
    return self.w


def with_another_name_in_a_branch(self, x):
    w = self.w
    if x[0, 1] > 0:
        self.w += w


def with_another_name_in_a_loop(self, x):
    w = self.w
    for _ in x:
        self.w += w


@pytest.mark.parametrize('check', [False, True])
@pytest.mark.parametrize(
    'f',
    [
        descended, by_another_name, in_a_loop_by_another_name, in_a_method, read_in_loops,
        in_a_list, in_a_dict, in_loops_and_branches, in_a_block_after_it,
        by_the_attribute_in_a_loop, by_functions_in_blocks, caught_in_a_loop,
        with_another_name_in_a_branch, with_another_name_in_a_loop,
    ],
)  # fmt: skip
def test_modified(f, check):
    graph = ag.function(f, check=check)
    plain, staged = Model(), Model()
    kept = dict(vars(staged))
    for _ in range(3):
        assert same(f(plain, X), graph(staged, X))
        assert same(vars(plain), vars(staged))
    assert all(vars(staged)[name] is value for name, value in kept.items())
    assert graph.tracing_count == 1


def test_what_python_sets_beside_it():
    class Counter:
        def __init__(self):
            self.total = np.zeros(2)
            self.last = None

    def counted(self, x):
        self.total += x
        self.last = 'counted'

    plain, staged = Counter(), Counter()
    counted(plain, X[0, :2])
    ag.function(counted)(staged, X[0, :2])
    assert same(vars(plain), vars(staged))


TOTAL = np.zeros(3)


def test_a_global_variable():
    @ag.function
    def f(x):
        global TOTAL
        TOTAL += x
        return TOTAL

    for n in range(1, 4):
        assert f(np.ones(3)) is TOTAL
        assert TOTAL.tolist() == [n] * 3
    assert f.tracing_count == 1


def test_a_variable_of_the_function_around():
    total = np.zeros(2)

    @ag.function
    def f(x):
        nonlocal total
        total += x
        return total.sum()

    assert [f(np.float64(x)) for x in (1, 2)] == [2, 6]
    assert total.tolist() == [3, 3]


def test_a_pickled_trace_has_its_own():
    total = np.zeros(2)

    @ag.function
    def f(x):
        total[0] += x
        return total

    other = pickle.loads(pickle.dumps(f.get_concrete_function(np.float64(1))))
    assert [copy.copy(other(np.float64(x))).tolist() for x in (1, 2)] == [[1, 0], [3, 0]]
    assert total.tolist() == [0, 0]


def logged(x):
    LOG[1:] = LOG[:-1]
    LOG[0] = x


LOG = np.zeros(3)


def test_in_a_helper_of_a_module():
    f = ag.function(lambda x: (logged(x), logged(x * 2)))
    f(np.float64(1))
    f(np.float64(3))
    assert LOG.tolist() == [6, 3, 2]


def refused(f, *args):
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(f)(*args)
    assert 'test_modified_captures.py' in str(caught.value)
    return str(caught.value)


ALL = np.zeros(4)
REST = ALL[1:]


def through_a_captured_view(x):
    ALL[0] = x
    return REST.sum()


def counted_down(n):
    return ALL.sum() if n <= 0 else counted_down(n - 1) + ALL[0]


def in_a_recursion(n):
    before = counted_down(n)
    ALL[0] = 7
    return before + counted_down(n)


def test_what_a_recursion_reads():
    f = ag.function(in_a_recursion)
    for n in map(np.int64, (2, 0, 3)):
        found = []
        for way in (in_a_recursion, f):
            ALL[:] = 1
            found.append((way(n), ALL.tolist()))
        assert found[0] == found[1]
    assert f.tracing_count == 1
    ALL[:] = 0


def test_what_is_read_otherwise():
    assert "the captured array 'ALL' in place" in refused(through_a_captured_view, np.float64(1))


def in_python(x):
    ALL[0] = x
    return ag.py_function(lambda: ALL.sum(), [], np.float64)


class Resets:
    def __init__(self):
        self.w = np.ones(3)

    @ag.do_not_convert
    def reset(self):
        self.w = np.zeros(3)


def made_anew(self, x):
    self.reset()
    self.w += x[0]
    return self.w


def test_what_only_python_knows():
    assert "the captured array 'ALL' in place" in refused(in_python, np.float64(1))
    assert "the captured array 'self.w' in place" in refused(made_anew, Resets(), X)


def named_in_a_loop(self, x):
    p = x[0] * 1.0
    for _ in x:
        p = self.w
    p[0] = 7
    return self.w.sum()


def named_by_turns(self, x):
    p = x[0] * 1.0
    for _ in x:
        p[0] = 7
        p = self.w
    return self.w.sum()


def test_what_has_a_name_from_a_block():
    assert 'p may be the captured array' in refused(named_by_turns, Model(), X)
    assert 'modified through another name' in refused(named_in_a_loop, Model(), X)


def test_a_block_that_raises_has_modified_it_before():
    def f(x):
        for v in x:
            LOG[0] = v
            if v > 1:
                raise ValueError(LOG[0])

    LOG[:] = 5
    with pytest.raises(ValueError, match=r'2\.0'):
        ag.function(f)(np.arange(4.0))
    assert LOG.tolist() == [2, 5, 5]


def test_what_is_read_only():
    fixed = np.zeros(2)
    fixed.flags.writeable = False

    def f(x):
        fixed[0] = x

    assert "the captured array 'fixed' in place, which is read-only" in refused(f, np.float64(1))


@ag.do_not_convert
def made():
    return np.zeros(2)


def modifies_what_is_made_while_tracing(x):
    total = made()
    total += x
    return total


def test_what_is_made_while_tracing_is_made_once():
    assert 'in place' in refused(modifies_what_is_made_while_tracing, np.ones(2))


def test_a_trace_of_what_another_function_calls():
    total = np.zeros(2)

    def inner(x):
        total[0] += x
        return total.sum()

    concrete = ag.function(inner).get_concrete_function(np.float64(1))
    assert 'Call inner itself' in refused(lambda x: concrete(x), np.float64(1))
    f = ag.function(lambda x: inner(x) + 1)
    assert [f(np.float64(x)) for x in (1, 2)] == [2, 4]


GRID = np.arange(4.0)
INNER = GRID[1:]


def test_an_array_of_which_a_view_lives_outside():
    def f(x):
        GRID[1] = x
        return INNER.sum()

    def by_its_name(x):
        GRID[1] = x
        return GRID[1:].sum()

    def on_a_copy(x):
        y = GRID.copy()
        y[1] = x
        return y[1:].sum(), INNER.sum()

    message = refused(f, np.float64(5))
    assert "the captured array 'GRID' in place, which the function does not have by that" in message
    assert '`GRID[1:]` for that view; or work on a copy: `y = GRID.copy()`' in message
    assert 'which `GRID = y` keeps, with `global GRID`' in message
    for better in (by_its_name, on_a_copy):
        GRID[1] = 1.0
        expected = better(np.float64(5))
        GRID[1] = 1.0
        np.testing.assert_array_equal(ag.function(better)(np.float64(5)), expected)


def given_by_a_generator():
    yield LOG


def test_one_that_has_no_name():
    def f(x):
        for log in given_by_a_generator():
            log[0] = x

    with pytest.raises(ag.errors.OwnershipError, match='This modifies a captured array in place'):
        ag.function(f)(np.float64(1))
