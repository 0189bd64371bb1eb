"""Loops that add up integers compute many turns at once, and give what the turns give."""
from __future__ import annotations

import textwrap

import numpy as np
import pytest
from differential import check

import autograph_lite as ag
from autograph_lite.graph.verify import verify
from autograph_lite.optimize.turn_sums import turn_sums

LENGTHS = [np.int64(n) for n in (0, 1, -700, 511, 512, 513, 514, 1000, 20_000)]


def multiples(n):
    total = 0
    for i in range(n):
        if i % 3 == 0 or i % 5 == 0:
            total += i
    return total


def fizzbuzz(n):
    fizz = buzz = fizzbuzz = 0
    for i in range(1, n + 1):
        if i % 15 == 0:
            fizzbuzz += 1
        elif i % 3 == 0:
            fizz += 1
        elif i % 5 == 0:
            buzz += 1
    return fizz, buzz, fizzbuzz


def divisors(n):
    count = total = 0
    for i in range(1, n + 1):
        if n % i == 0:
            count += 1
            total += i
    return count, total


def downwards(n):
    total = np.int64(7)
    for i in range(n, 0, -3):
        total = i * i + total - (1 if not i % 2 else i > 100)
        total -= abs(-i // 7)
    return total


def small_truths(n):
    count = n
    for i in range(n):
        odd = i & 1
        count += (i > 5) + (odd == 1) - (i % 4 == 2 and bool(odd))
    return count


def same_every_turn(n):
    a, b, unchanged = 0, n, n
    for _ in range(n):
        a += 2
        b += n
    return a, b, unchanged


def on_a_grid(n):
    count = 0
    for i in range(3):
        for j in range(n):
            if (i * i + j * j) % 7 == 1:
                count += 1
    return count


def of_known_length(n):
    total = 0
    for i in range(3000):
        total += i // 7
    return total + n


SUMS = (multiples, fizzbuzz, divisors, downwards, small_truths, same_every_turn, on_a_grid,
        of_known_length)  # fmt: skip


@pytest.mark.parametrize('function', SUMS)
def test_the_sums(function):
    f = check(function, *((n,) for n in LENGTHS), traces=1)
    assert 'add_up(' in f.get_concrete_function(LENGTHS[0]).lowered_code


def test_the_program():
    concrete = ag.function(multiples).get_concrete_function(np.int64(1))
    assert concrete.lowered_code == textwrap.dedent("""
        def multiples_turns(i):
            equal = i % 3 == 0
            equal |= i % 5 == 0
            astype = equal.astype(np.int64)
            astype *= i
            return astype

        def multiples(n):
            if n >= 512 and many_turns(range(n), 2 ** 31):
                total = add_up(multiples_turns, range(n))
            else:
                total = 0
                for i in range(n):
                    if i % 3 == 0 or not i % 5:
                        total = total + i
            return total
        """).lstrip()
    after = turn_sums(concrete.graph)
    assert after is not None
    verify(after)


def plus(n, k):
    total = 0
    for i in range(n):
        total += k * i
    return total


def onto(n, k):
    for i in range(n):
        k = k + i
    return k


@pytest.mark.parametrize('k', [2**31, -(2**31), 2**31 + 1, 2**40, 2**53])
def test_large_numbers(k):
    check(plus, (np.int64(1000), np.int64(k)))
    check(onto, (np.int64(1000), np.int64(k)))


@pytest.mark.filterwarnings('ignore:overflow')
def test_what_wraps_round_does_so():
    check(plus, (np.int64(1000), np.int64(2**60)))
    check(onto, (np.int64(1000), np.int64(2**63 - 9)))


def divided(n, k):
    total = 0
    for i in range(n):
        total += i % k
    return total


def product(n):
    found = 1
    for i in range(1, n):
        found = found * i % 1009
    return found


def last(n):
    total = found = 0
    for i in range(n):
        total += i
        found = i
    return total, found


def until(n):
    total = 0
    for i in range(n):
        if total > 1000:
            break
        total += i
    return total


def mixed(n):
    total = 0.0
    for i in range(n):
        total += i
    return total


def by_parts(n):
    total = 0
    for i in range(n):
        total += total + i > 10
    return total


def short(n):
    total = 0
    for i in range(300):
        total += i % 7
    return total + n


def from_anywhere_in_a_loop(n):
    total = 0
    for i in range(n):
        for j in range(i, n):
            total += j
    return total


@pytest.mark.parametrize('function', [
    product, last, until, mixed, by_parts, short, from_anywhere_in_a_loop])
def test_other_loops_stay(function):
    f = check(function, (np.int64(0),), (np.int64(600),))
    assert 'add_up(' not in f.get_concrete_function(np.int64(0)).lowered_code


def test_a_number_that_may_be_zero_divides_as_it_is_written():
    f = check(divided, (np.int64(600), np.int64(7)))
    assert 'add_up(' not in f.get_concrete_function(np.int64(0), np.int64(0)).lowered_code


RNG = np.random.default_rng(0)
FLOATS = np.round(RNG.normal(size=1000), 1)
FLOATS[::90] = np.nan
FLOATS[5::90] = -0.0
INTEGERS = RNG.integers(-4, 5, size=1000)
INTEGERS[7::100] = 2**62


def above(xs, limit):
    count = 0
    for x in xs:
        if x > limit:
            count += 1
    return count


def between(xs, limit):
    count = 0
    for x in xs:
        if -0.5 <= x < limit or x != x:
            count += 1
    return count


def odd(xs, limit):
    count = 0
    for i in range(999, -1, -1):
        if xs[i] % 2 == 1:
            count += 1
    return count


def truths(xs, limit):
    count = 0
    for is_true in xs:
        if is_true:
            count += 1
        if not is_true:
            count -= 3
    return count


def below_another(xs, limit):
    count = 0
    for i in range(3):
        for j in range(1000):
            if xs[i] < xs[j]:
                count += 1
    return count


@pytest.mark.parametrize(('function', 'xs'), [
    (above, FLOATS), (above, FLOATS.astype(np.float32)), (above, INTEGERS), (between, FLOATS),
    (between, INTEGERS.astype(np.int32)),
    (odd, INTEGERS), (truths, INTEGERS > 0), (below_another, FLOATS)])  # fmt: skip
def test_what_is_counted_of_arrays(function, xs):
    wide = np.repeat(xs, 2)
    for limit in (np.float64(0.1), 0):
        f = check(function, (xs, limit), (wide[::2], limit), (xs[::-1], limit))
        assert 'add_up(' in f.get_concrete_function(xs, limit).lowered_code


def sums(xs):
    total = 0
    for x in xs:
        total += x
    return total


def halves(xs):
    total = 0
    for x in xs:
        total += int(x / 2)
    return total


def elements(xs):
    total = 0
    for i in range(len(xs)):
        if xs[i % 1001] > 0:
            total += 1
    return total


@pytest.mark.parametrize('function', [sums, halves, elements])
def test_other_loops_over_arrays_stay(function):
    xs = INTEGERS % 100
    f = check(function, (xs,))
    assert 'add_up(' not in f.get_concrete_function(xs).lowered_code


def test_an_index_out_of_bounds_raises():
    def f(xs):
        count = 0
        for i in range(len(xs)):
            if xs[i] < xs[i + 1]:
                count += 1
        return count

    check(f, (FLOATS,))
