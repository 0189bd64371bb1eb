"""Lists that are filled, read, changed and emptied; iterators that are read on."""
from __future__ import annotations

import numpy as np
import pytest
from reference.sweep import COUNTERS, ITERABLES, each, sweep

import autograph_lite as ag


def element_read():
    out = []
    out.append(1)
    out.append(2)
    return 2 * out[1]


def element_set():
    out = [1, 2, 3]
    out[1] = 5
    return np.stack(out)


def test_without_arguments():
    sweep(element_read)
    sweep(element_set)


def filled(n):
    out = []
    for i in range(n):
        out.append(i)
    return out


def filled_and_counted(n):
    out = []
    i = 0
    while i < n:
        out.append(i * 2)
        i += 1
    return len(out), out


def filled_twice(n):
    rows = []
    for i in range(n):
        row = []
        for j in range(3):
            row.append(i * j)
        rows.append(np.stack(row))
    return rows


def read_while_filled(n):
    out = [1, 1]
    for i in range(2, n):
        out.append(out[i - 1] + out[i - 2])
        out[i - 2] = -out[i - 2]
    return out


def emptied(n):
    out = [1, 2, 3, 4]
    total = 0
    for _ in range(n):
        total = total * 10 + out.pop()
    return out, total


def emptied_from_the_front(n):
    queue = [1, 2, 3, 4]
    total = 0
    while len(queue) > n:
        total = total * 10 + queue.pop(0)
    return total, queue


def filled_in_branches(n):
    out = [0]
    if n > 1:
        out.append(n)
    else:
        out.append(-n)
    return out


def filled_until(n):
    out = []
    for i in range(10):
        if i > n:
            break
        out.append(i)
    return out


def two_lists(n):
    odd, even = [], []
    for i in range(n):
        if i % 2 == 1:
            odd.append(i)
        else:
            even.append(i)
    return odd, even


def list_of_pairs(n):
    out = []
    for i in range(n):
        out.append((i, i * 2.0))
    return out


def stacked(n):
    out = [0.5]
    for i in range(n):
        out.append(i * 1.5)
    return np.stack(out), np.array(out), sum(out)


def extended(n):
    out = [1]
    for i in range(n):
        out.extend([i, i + 1])
    return out


def concatenated(n):
    out = [1]
    for i in range(3):
        out = out + [i]  # noqa: RUF005 - as users write it
    if n > 1:
        out = [n] * 4
    return out


def last_of_it(n):
    out = [0]
    while out[-1] < n:
        out.append(out[-1] * 2 + 1)
    return out[-1], out


@pytest.mark.parametrize(
    'f',
    [
        filled, filled_and_counted, filled_twice, read_while_filled, emptied,
        emptied_from_the_front, filled_in_branches, filled_until, two_lists, list_of_pairs,
        stacked, extended, concatenated, last_of_it,
    ],
)  # fmt: skip
def test_lists(f):
    sweep(f, each(COUNTERS, [0, 1, 2, 4]), joins=True)


def set_from_outside(t, n):
    for i in range(n):
        t[i] = i
    return t


def test_a_list_of_the_callers():
    mine = [0] * 5
    assert ag.to_graph(set_from_outside)(mine, 3) is mine
    assert mine == [0, 1, 2, 0, 0]
    with pytest.raises(ag.errors.AutographError):
        ag.function(set_from_outside)(mine, np.int64(2))
    assert mine == [0, 1, 2, 0, 0]


# Iterators.


def read_once(xs):
    it = iter(xs)
    return next(it)


def read_twice(xs):
    it = iter(xs)
    return 10 * next(it) + next(it)


def read_in_a_loop(xs):
    it = iter(xs)
    digits = 0
    for _ in range(2):
        digits = digits * 10 + next(it)
    return digits


def read_with_a_default(xs):
    it = iter(xs)
    return next(it), next(it, 7), next(it, 8), next(it, 9)


def looped_over(xs):
    digits = 0
    for x in iter(xs):
        digits = digits * 10 + x
    return digits


def left_by_break(xs):
    total = 0
    for x in iter(xs):
        total = total + x
        if total > 2:
            break
    return total


def resumed(xs):
    it = iter(xs)
    digits = 0
    for x in it:
        digits = digits * 10 + x
        break
    for x in it:
        digits = digits * 100 + x
    return digits


def left_by_return(xs):
    y = -1
    for x in iter(xs):
        y = x
        return y
    return y


def in_step(xs):
    it = iter(xs)
    total = 0
    for a, b in zip(it, it):
        total = total * 10 + a - b
    return total


@pytest.mark.parametrize(
    'f',
    [
        read_once, read_twice, read_in_a_loop, read_with_a_default, looped_over, left_by_break,
        resumed, left_by_return, in_step,
    ],
)  # fmt: skip
def test_iterators(f):
    sweep(f, each(ITERABLES, [[1, 2], [3, 1, 2]]), joins=True)


def test_an_iterator_that_ends():
    sweep(read_once, each((list, tuple), [[]]))
    sweep(resumed, each((list, tuple), [[], [1]]))


# Generators.


def numbers(n):
    for i in range(n):
        yield i * 2


def over_a_generator(x):
    total = 0
    for i in numbers(3):
        if x > i:
            total = total * 10 + i + x
    return total


def taken_from_a_generator(x):
    return [i * x for i in numbers(3)], sum(numbers(4)), list(numbers(2))


def test_generators_of_others_run_while_tracing():
    sweep(over_a_generator, each(COUNTERS, [1, 3]), joins=True)
    sweep(taken_from_a_generator, each(COUNTERS, [1, 3]))


def generator_in_while(n):
    i = 0
    while i < n:
        i += 1
        yield i


@pytest.mark.parametrize('f', [numbers, generator_in_while])
@pytest.mark.parametrize('use', [ag.function, ag.to_graph, ag.to_code])
def test_a_generator_is_refused(f, use):
    with pytest.raises(NotImplementedError, match=r'generator|`yield`') as raised:
        use(f)
    assert isinstance(raised.value, ag.errors.ConversionError)
