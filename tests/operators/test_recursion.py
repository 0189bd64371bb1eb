"""Functions that call themselves on tensors: one trace, and a program that calls itself."""
from __future__ import annotations

import pickle

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag
from autograph_lite.graph.verify import verify

N = np.int64


def factorial(n):
    if n <= 1:
        return n
    return n * factorial(n - 1)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def gcd(a, b):
    return a if b == 0 else gcd(b, a % b)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, m // m)
    return ackermann(m - 1, ackermann(m, n - 1))


def find(xs, x, low, high):
    if low >= high:
        return -1
    middle = (low + high) // 2
    if xs[middle] == x:
        return middle
    if xs[middle] < x:
        return find(xs, x, middle + 1, high)
    return find(xs, x, low, middle)


def binary_search(xs, x):
    return find(xs, x, 0, len(xs))


def total(x):
    n = len(x)
    if n == 0:
        return 0.0
    if n == 1:
        return x[0]
    return total(x[: n // 2]) + total(x[n // 2 :])


def quickselect(x, k):
    pivot = x[0]
    below, above = x[x < pivot], x[x > pivot]
    if k < len(below):
        return quickselect(below, k)
    if k >= len(x) - len(above):
        return quickselect(above, k - (len(x) - len(above)))
    return pivot


def quicksort(x):
    if len(x) <= 1:
        return x
    rest = x[1:]
    below, above = quicksort(rest[rest < x[0]]), quicksort(rest[rest >= x[0]])
    return np.concatenate([below, x[:1], above])


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def sum_to(n, accumulated):
    if n == 0:
        return accumulated
    return sum_to(n - 1, accumulated + n)


def sum_to_by_default(n, accumulated=0, *, step=1):
    if n <= 0:
        return accumulated + n
    return sum_to_by_default(n - step, accumulated + n, step=step)


def collatz_steps(n, steps=0):
    if n == 1:
        return steps
    if n % 2 == 0:
        return collatz_steps(n // 2, steps + 1)
    return collatz_steps(3 * n + 1, steps + 1)


def depth_in_loop(xs):
    found = xs[0] * 0
    for x in xs:
        if x > 0:
            found = found + float_factorial(x)
    return found


def float_factorial(x):
    if x < 2:
        return x
    return x * float_factorial(x - 1)


def first_divisor(n, d):
    while d * d <= n:
        if n % d == 0:
            return first_divisor(n // d, d)
        d = d + 1
    return n


def two_results(n):
    if n == 0:
        return n, {'count': n * 0, 'sum': n * 0.5}
    m, found = two_results(n - 1)
    return m + n, {'count': found['count'] + 1, 'sum': found['sum'] + n}


def tower(n, x):
    if n == 0:
        return x
    return np.concatenate([x[:1], tower(n - 1, x * 2)])


def nested(x):
    def power(n):
        if n <= 0:
            return x * 0 + 1
        return x * power(n - 1)

    return power(np.argmax(x)) + power(1)


def mutual_nested(n):
    def ping(n, k):
        return k if n == 0 else pong(n - 1, k + 1)

    def pong(n, k):
        return k if n == 0 else ping(n - 1, k + 10)

    return ping(n, n)


def by_lambda(n):
    down = lambda n, k: k if n == 0 else down(n - 1, k + n)  # noqa: E731
    return down(n, n)


def python_power(x, n):
    if n == 0:
        return 1.0
    return x * python_power(x, n - 1)


class Tree:
    """A tree in arrays: the children of each node, -1 for none."""

    def __init__(self) -> None:
        self.left = np.array([1, 3, -1, -1])
        self.right = np.array([2, -1, -1, -1])
        self.values = np.array([1.0, 2.0, 3.0, 4.0])

    def sum(self, i):
        if i < 0:
            return 0.0
        return self.values[i] + self.sum(self.left[i]) + self.sum(self.right[i])

    def depth_below(self, i):
        if i < 0:
            return 0
        return 1 + max(self.depth_below(self.left[i]), self.depth_below(self.right[i]))


@pytest.mark.parametrize(
    ('f', 'calls'),
    [
        (factorial, [(N(1),), (N(5),), (N(0),)]),
        (fibonacci, [(N(0),), (N(1),), (N(12),)]),
        (gcd, [(N(48), N(36)), (N(7), N(0)), (N(0), N(3))]),
        (ackermann, [(N(0), N(3)), (N(2), N(3)), (N(2), N(0))]),
        (quickselect, [(np.array([3.0, 1.0, 2.0, 5.0]), N(k)) for k in range(4)]),
        (quicksort, [(np.array([3.0, 1.0, 2.0, 5.0]),), (np.array([1.0, 1.0, 0.0, 1.0]),)]),
        (is_even, [(N(0),), (N(7),), (N(8),)]),
        (sum_to, [(N(0), N(0)), (N(10), N(5))]),
        (first_divisor, [(N(n), N(2)) for n in (1, 12, 13, 49)]),
        (two_results, [(N(0),), (N(3),)]),
        (mutual_nested, [(N(0),), (N(5),)]),
        (by_lambda, [(N(0),), (N(5),)]),
        (nested, [(np.array([1.0, 5.0, 2.0]),), (np.array([9.0, 5.0, 2.0]),)]),
        (depth_in_loop, [(np.array([3.5, -1.0, 1.5]),), (np.array([-3.5, -1.0, -1.5]),)]),
    ],
    ids=lambda x: getattr(x, '__name__', ''),
)
def test_same_as_python(f, calls):
    check(f, *calls)


VECTOR = ag.TensorSpec([None], np.float64)


def test_unknown_lengths():
    f = ag.function(total, input_signature=[VECTOR])
    for size in (0, 1, 2, 7, 100):
        x = np.arange(size) * 0.5
        assert repr(f(x)) == repr(total(x)) or size == 0
    assert f.tracing_count == 1


def test_what_grows():
    check(tower, (N(0), np.ones(2)), (N(3), np.ones(2)))


def test_binary_search():
    xs = np.array([1.0, 3.0, 4.0, 9.0, 11.0])
    f = ag.function(binary_search)
    for x in (1.0, 4.0, 11.0, 5.0, 12.0):
        got = f(xs, np.float64(x))
        assert (got, type(got)) == (binary_search(xs, x), int)
    assert f.tracing_count == 1


def test_accumulator_with_a_default():
    check(sum_to_by_default, (N(4),), (N(1),), (N(-1),))


def test_counter():
    check(collatz_steps, (N(1),), (N(27),))


def test_methods():
    tree = Tree()
    f = ag.function(tree.sum)
    assert f(N(0)) == 10.0
    assert f(N(1)) == 6.0
    assert f.tracing_count == 1
    g = ag.function(tree.depth_below)
    assert g(N(0)) == 3
    assert g(N(2)) == 1
    assert g.tracing_count == 1


def test_a_function_that_calls_itself_by_its_global_name():
    assert [staged_factorial(N(n)) for n in (1, 5)] == [1, 120]
    assert staged_factorial.tracing_count == 1


@ag.function
def staged_factorial(n):
    if n <= 1:
        return n
    return n * staged_factorial(n - 1)


def test_python_values_unroll():
    f = check(python_power, (np.float64(2.0), 5))
    text = str(f.get_concrete_function(np.float64(2.0), 5).graph)
    assert 'python_power(' in text
    assert 'function:' not in text


def test_deep():
    f = ag.function(sum_to)
    assert f(N(500), N(0)) == 125250


# What happens in it.


def count_down(n):
    ag.print('at', n)
    if n > 0:
        count_down(n - 1)
    ag.print('back at', n)


def test_effects_keep_their_order(capsys):
    ag.function(count_down)(N(2))
    assert capsys.readouterr().out.splitlines() == [
        'at 2', 'at 1', 'at 0', 'back at 0', 'back at 1', 'back at 2',
    ]  # fmt: skip


def draw(rng, n):
    if n <= 0:
        return 0.0
    return rng.normal() + draw(rng, n - 1)


def draws(n):
    return draw(np.random.default_rng(3), n)


def checked(n):
    assert n < 5, f'{n} is too large'
    if n < 0:
        raise ValueError(f'{n} is negative')
    if n == 0:
        return n
    return checked(n - 2) + 1


def grows_until_it_raises(n):
    if n > 3:
        raise ValueError(f'too large: {n}')
    return grows_until_it_raises(n + 1)


def test_draws_and_errors():
    check(draws, (N(0),), (N(4),))
    check(checked, (N(4),), (N(3),), (N(7),))
    check(grows_until_it_raises, (N(0),), (N(9),))


def test_variables():
    total = ag.Variable(0.0)

    def add(n):
        total.assign_add(n)
        return n if n <= 1 else add(n - 1)

    f = ag.function(add)
    f(np.float64(4.0))
    f(np.float64(2.0))
    assert total.numpy() == 13.0
    assert f.tracing_count == 1


def maybe(n):
    if n < 0:
        return None
    if n == 0:
        return n, n + 1
    return maybe(n - 2)


def bisect(bounds, eps):
    low, high = bounds
    middle = (low + high) / 2
    if high - low < eps:
        return {'middle': middle, 'steps': 0}
    found = bisect((middle, high) if middle * middle < 2 else (low, middle), eps)
    return {'middle': found['middle'], 'steps': found['steps'] + 1}


def copied(x, i):
    if i >= len(x):
        return x
    x = x.copy()
    x[i] = x[i] * 2
    return copied(x, i + 1)


def written_after(x, n):
    fresh = copied(x + 1, n)
    fresh[0] = 100
    return fresh


def shrinking(x):
    if x[0] > 100:
        return x.sum()
    if len(x) == 1:
        return x[0]
    return shrinking(x[1:] * 2)


def ends_early(x, n):
    if n == 0:
        return x
    if x > 10:
        return x * 0
    return ends_early(x * WEIGHTS[n], n - 1)


WEIGHTS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]


def call_tree(n):
    calls = 0
    for i in range(n):
        calls = calls + (call_tree(i) if i > 1 else 1)
    return calls


def alternating(x, up):
    if x > 20:
        return (x, 1.0) if up else (x, 2.0)
    return alternating(x + 3, False) if up else alternating(x * 2, True)


def test_flags_unroll():
    f = ag.function(lambda x: alternating(x, True))
    for x in (1.0, 25.0, 19.0):
        assert same(f(np.float64(x)), alternating(np.float64(x), True))
    assert f.tracing_count == 1
    [concrete] = f.traces
    assert 'up' not in concrete.lowered_code


def test_results_and_arguments_of_any_form():
    check(maybe, (N(3),), (N(4),))
    check(bisect, ((np.float64(0), np.float64(2)), np.float64(1e-3)))
    check(written_after, (np.ones(3), N(1)))
    check(shrinking, (np.arange(12.0),), (np.arange(12.0) + 200,))
    check(ends_early, (np.float64(0.001), 5), (np.float64(5.0), 5))
    check(call_tree, (N(5),), (N(1),))


def power_to(x, n):
    if n == 0:
        return x
    return power_to(x * 1.5 + 1, n - 1)


def test_long_python_recursion():
    f = ag.function(power_to)
    assert f(np.float64(1.0), 450) == power_to(np.float64(1.0), 450)


# What is refused.


def endless(n):
    return endless(n - 1) + 1 if n > 0 else endless(n + 1)


def test_no_way_ends():
    with pytest.raises(ag.errors.StagingError, match='calls itself on every way') as caught:
        ag.function(endless)(N(1))
    assert 'Return a value on some way' in str(caught.value)


def ever_more_axes(x):
    return x.sum() if x.sum() > 9 else ever_more_axes(x[None])


def ever_longer(x, tag=''):
    return x if x > 3 else ever_longer(x + 1, tag + 'a')


@pytest.mark.parametrize(('f', 'x', 'why'), [
    (ever_more_axes, np.ones(2), r"'ever_more_axes' calls itself .*; x is float64\[1, .*, then"),
    (ever_longer, np.float64(1), "'ever_longer' calls itself .*; tag is 'a+', then 'a+'"),
])  # fmt: skip
def test_arguments_that_are_never_the_same(f, x, why):
    with pytest.raises(ag.errors.StagingError, match=why) as caught:
        ag.function(f)(x)
    assert 'the same types and the same Python values' in str(caught.value)


def in_place(x, i):
    if i < len(x):
        x[i] = x[i] * 2
        in_place(x, i + 1)


def doubled(x):
    y = x * 1
    in_place(y, np.argmin(x))
    return y


def test_arguments_are_not_modified():
    with pytest.raises(ag.errors.OwnershipError, match="the argument 'x' of 'in_place'"):
        ag.function(doubled)(np.ones(3))


def counted(n):
    calls = 0

    def visit(n):
        nonlocal calls
        calls = calls + 1
        if n > 0:
            visit(n - 1)

    visit(n)
    return calls


class Counter:
    """Counts its calls."""

    calls = 0

    def visit(self, n):
        self.calls += 1
        return self.visit(n - 1) if n > 0 else n


def filled(n):
    seen = []

    def visit(n):
        seen.append(n)
        if n > 0:
            visit(n - 1)

    visit(n)
    return len(seen)


# The graph.


def test_as_text_and_program():
    concrete = ag.function(fibonacci).get_concrete_function(N(5))
    assert str(concrete.graph) == '''\
graph fibonacci(n: int64) -> int64:
  fibonacci: int64 = fibonacci(n_1: int64 = n):
    function:
      less: bool = less(n_1, 2)
      result: int64 = cond(less):
        true:
          return n_1
        false:
          subtract: int64 = subtract(n_1, 1)
          fibonacci_1: int64 = fibonacci(subtract)
          subtract_1: int64 = subtract(n_1, 2)
          fibonacci_2: int64 = fibonacci(subtract_1)
          add: int64 = add(fibonacci_1, fibonacci_2)
          return add
      return result
  return fibonacci'''
    assert concrete.lowered_code == '''\
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
'''


def test_what_it_needs_is_given_to_it():
    code = ag.function(nested).get_concrete_function(np.ones(3)).lowered_code
    assert 'power(n - 1, x)' in code


@pytest.mark.parametrize(
    ('f', 'args'),
    [(quicksort, (np.ones(4),)), (nested, (np.ones(3),)), (draws, (N(3),)), (maybe, (N(4),))],
)
def test_it_can_be_saved_and_shown(f, args):
    concrete = ag.function(f).get_concrete_function(*args)
    verify(concrete.graph)
    again = pickle.loads(pickle.dumps(concrete))
    verify(again.graph)
    assert same(concrete(*args), again(*args))
    names = [function.name for function in concrete.graph.as_graph_def().library.function]
    assert any(name.endswith('_function') for name in names)
    assert f.__name__ in concrete._repr_html_()
