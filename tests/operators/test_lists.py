"""Lists that grow in a staged block."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, -3.0], [-1.0, -2.0, -3.0])]


def appended(xs):
    out = []
    for x in xs:
        out.append(x * 2)
    return out


def stacked(xs):
    out = []
    for x in xs:
        out.append(x * xs)
    return np.stack(out)


def sometimes(xs):
    out = [0.0]
    for x in xs:
        if x > 0:
            out.append(x)
    return out, len(out), out[-1]


def popped(xs):
    stack = []
    for x in xs:
        stack.append(x)
    s = 0.0
    while len(stack) > 0:
        s = s * 2 + stack.pop()
    return s, stack


def iterated(xs):
    out = []
    for x in xs:
        out.append(x + 1)
    s = 0.0
    for y in out:
        s += y
    return s


def indexed(xs, n):
    values = [xs[0], xs[1], xs[2]]
    s = xs[0] * 0
    for i in range(n):
        values[i] = values[i] * 2
        s += values[i]
    return s, values


def in_a_loop_in_a_branch(xs):
    out = []
    for x in (xs[0], xs[1]):
        if x < 0:
            for y in xs:
                out.append(y)
    return out


@pytest.mark.parametrize('f', [in_a_loop_in_a_branch, appended, stacked, popped, iterated])
def test_growing(f):
    check(f, *VECTORS)


def test_growing_in_a_branch():
    graph = ag.function(sometimes)
    for (xs,) in VECTORS:
        out, n, last = graph(xs)
        plain, plain_n, plain_last = sometimes(xs)
        assert out == plain
        assert (n, last) == (plain_n, plain_last)
    assert graph.tracing_count == 1


def test_indexed_by_a_tensor():
    check(indexed, *[(np.arange(3.0), np.int64(n)) for n in (0, 1, 3)])


def test_elements_that_do_not_join():
    @ag.function
    def f(xs):
        out = [np.zeros((2, 2))]
        for x in xs:
            out.append(x)
        return out

    with pytest.raises(ag.errors.StagingError, match=r'test_lists\.py'):
        f(np.ones(3))


def positive(xs):
    out = [np.float64(1)]
    for x in xs:
        if x > 0:
            out.append(x)
    return out


def orders(xs):
    out = positive(xs)
    back = out[::-1]
    out.sort()
    return out, back, sorted(back), sorted(back, reverse=True), out[1:], back[-2:]


def counted(xs):
    out = positive(xs)
    return out.count(2.0), out.index(1.0), min(out), max(out), sum(out), len(out)


def joined(xs):
    out = positive(xs)
    more = positive(xs * 2)
    first = [xs[0]]
    return out + more, out * 2, out + first, first + out


def extended(xs):
    out = positive(xs)
    for x in xs:
        out.extend([x, x * 2])
    out += [xs[0]]
    out.extend(xs)
    out.extend(positive(xs))
    return out


def emptied(xs):
    out = []
    total = 0
    for x in xs:
        if x > 1.5:
            out.clear()
        out.append(x)
        total = total + len(out)
    return out, total


def made_anew(xs):
    out = []
    for x in xs:
        if x > 1.5:
            out = []
        else:
            out.append(x)
    return out


def as_condition(xs):
    out = positive(xs)
    n = 0
    while out:
        out.pop()
        n += 1
    if not out:
        n += 10
    return n


@pytest.mark.parametrize(
    'f', [orders, counted, joined, extended, emptied, made_anew, as_condition]
)
def test_what_lists_can_do(f):
    check(f, *VECTORS)


def of_different_lengths(xs):
    out = []
    n = 0
    for x in xs:
        n = n + 1
        if x > -2.5:
            out.append(np.full(n, x))
    return np.hstack(out), out


def stacked_rows(xs):
    out = []
    for x in xs:
        out.append(x * xs)
    return np.vstack(out), np.hstack(out), np.stack(out, axis=1)


@pytest.mark.parametrize('f', [of_different_lengths, stacked_rows])
def test_joining(f):
    check(f, *VECTORS)


def test_the_array_of_a_list_is_made_once():
    def f(xs):
        out = []
        for x in xs:
            out.append(x * 2)
        return np.array(out)

    graph = check(f, *VECTORS)
    assert graph.get_concrete_function(VECTORS[0][0]).lowered_code.count('np.array') == 1


def test_a_loop_over_a_list_that_it_fills():
    def primes(n):
        found = []
        k = 2
        while k <= n:
            for p in found:
                if k % p == 0:
                    break
            else:
                found.append(k)
            k += 1
        return found

    check(primes, (np.int64(10),), (np.int64(1),))


def test_a_loop_over_a_list_that_stays_empty():
    def count(n):
        nothing = []
        turns = 0
        for i in range(n):
            for each in nothing:
                turns += each
        return turns, nothing

    check(count, (np.int64(2),), (np.int64(0),))


def copied(xs):
    out = positive(xs)
    more = list(out)
    more.append(xs[0])
    return out, more, list(reversed(out)), list(enumerate(out))


def compared(xs):
    out = positive(xs)
    return out == [1.0, 1.0, 2.0], out != [1.0], out == out.copy(), out == [], out == 1


def taken_out(xs):
    out = positive(xs)
    out.remove(1.0)
    out.sort(reverse=True)
    return out


def all_rows(xs):
    out = []
    for x in xs:
        out.append(x * xs)
    return np.concatenate(out), np.concatenate(out, axis=0), np.concatenate(out[:2])


def parts_of_different_lengths(xs):
    out = []
    n = 0
    for x in xs:
        n = n + 1
        if x > -5:
            out.append(np.full(n, x))
    return np.concatenate(out), len(out[1])


@pytest.mark.parametrize(
    'f', [copied, compared, taken_out, all_rows, parts_of_different_lengths]
)
def test_whole_lists(f):
    check(f, *VECTORS)


def unpacked(xs):
    first, *rest = positive(xs)
    return first, rest


def as_a_tuple(xs):
    return tuple(positive(xs))


def without_a_slice(xs):
    out = positive(xs)
    del out[1:]
    return out


@pytest.mark.parametrize('f', [unpacked, as_a_tuple, without_a_slice])
def test_refused(f):
    with pytest.raises(ag.errors.StagingError, match='test_lists'):
        ag.function(f)(VECTORS[0][0])


def test_whether_a_list_is_empty():
    def ask(n):
        out = []
        for i in range(n):
            out.append(i)
        empty = bool(out)
        assert out or n == 0
        return empty, not out

    check(ask, (np.int64(2),), (np.int64(0),))


def test_an_assertion_that_a_list_is_not_empty():
    def ask(n):
        out = []
        for i in range(n):
            out.append(i)
        assert out, 'nothing'
        return len(out)

    check(ask, (np.int64(2),), (np.int64(0),))
