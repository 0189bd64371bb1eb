"""State whose type, shape or structure changes: right where Python is, or refused by name."""
from __future__ import annotations

import collections
from typing import Any, NamedTuple

import numpy as np
import pytest
from reference.sweep import COUNTERS, NUMBERS, RANGES, each, sweep

import autograph_lite as ag

# Shapes.


def grown_vector(n):
    v = np.array([0, 0])
    i = 0
    while i < n:
        v = np.concatenate((v, [i]))
        i += 1
    return v


def grown_rows(n):
    m = np.array([[0]])
    i = 0
    while i < n:
        m = np.concatenate((m, [[i]]), axis=0)
        i += 1
    return m


def grown_columns(n):
    m = np.array([[0, 0]])
    for i in range(n):
        m = np.concatenate((m, [[i]]), axis=1)
    return m


def grown_all_around(n):
    m = np.zeros((2, 2), np.int64)
    for i in range(n):
        m = np.pad(m, ((1, 1), (1, 1)), constant_values=i)
    return m


def grown_in_a_branch(n):
    v = np.array([0, 0])
    if n > 1:
        for i in range(n):
            v = np.append(v, i)
    else:
        v = np.array([1, 2, 3])
    return v


def grown_until(n):
    v = np.array([0, 0])
    i = 0
    while i < n:
        v = np.concatenate((v, [i]))
        i += 1
        if i > 3:
            break
    return v


def shrunk(n):
    v = np.arange(6)
    for _ in range(n):
        v = v[1:]
    return v


def doubled(n):
    v = np.ones(1)
    for _ in range(n):
        v = np.concatenate((v, v))
    return v


def another_length_in_a_branch(n):
    if n > 1:
        v = np.zeros(2)
    else:
        v = np.ones(3)
    return v * 2


def length_of_the_state(n):
    v = np.zeros(1)
    for _ in range(n):
        v = np.zeros(len(v) + v.shape[0])
    return v, v.size


def made_with_a_length(n):
    i = 0
    v = np.zeros(0)
    while i < n:
        v = np.zeros((1, i, 2))[0]
        v = v.sum(axis=1)
        i += 1
    return v


@pytest.mark.parametrize(
    'f',
    [
        grown_vector, grown_rows, grown_columns, grown_all_around, grown_in_a_branch, grown_until,
        shrunk, doubled, another_length_in_a_branch, length_of_the_state, made_with_a_length,
    ],
)  # fmt: skip
def test_shapes(f):
    sweep(f, each(COUNTERS, [0, 1, 2, 5]))


def grown_by_items(xs):
    v = np.array([0, 0])
    for x in xs:
        v = np.concatenate((v, [x]))
    return v


def test_shapes_over_iterables():
    sweep(grown_by_items, each(RANGES, [0, 1, 2]))


# Structures that stay.


class Pair(NamedTuple):
    first: Any
    second: Any = 0


Plain = collections.namedtuple('Plain', ['a', 'b'])


def tuple_state(n):
    s = (0, 1)
    for i in range(n):
        s = (s[1], s[0] + s[1])
    return s


def nested_state(n):
    s = {'a': (0, [1, 2]), 'b': {'c': 3}}
    for i in range(n):
        s = {'a': (s['b']['c'], [i, s['a'][0]]), 'b': {'c': s['a'][1][0]}}
    return s


def named_tuple_state(n):
    s = Pair(1)
    for i in range(n):
        s = Pair(s.second + i, s.first)
    return s


def replaced_named_tuple(n):
    s = Plain(1, b=2)
    if n > 1:
        s = s._replace(a=s.b)
    return s


def unpacked_state(n):
    (a, b), c = (1, 2), [3]
    for i in range(n):
        (a, b), c = (b, c[0]), [a + i]
    return a, b, c


def none_in_state(n):
    s = (None, 1)
    for i in range(n):
        s = (None, s[1] + i)
    return s


def text_in_state(n):
    s = ('name', 1)
    for i in range(n):
        s = ('name', s[1] * 2)
    return s


def mixed_numbers(n):
    s = (1, 2.5, True, 1j)
    for i in range(n):
        s = (s[0] + 1, s[1] * 2, not s[2], s[3] * 1j)
    return s


@pytest.mark.parametrize(
    'f',
    [
        tuple_state, nested_state, named_tuple_state, replaced_named_tuple, unpacked_state,
        none_in_state, text_in_state, mixed_numbers,
    ],
)  # fmt: skip
def test_structures(f):
    sweep(f, each(COUNTERS, [0, 1, 2, 5]))


# Python numbers beside NumPy's: they take the other's type, as everywhere.


def weak_then_typed(x):
    total = 0
    for _ in range(3):
        total += x
    return total


def weak_then_typed_without_a_turn(x, n):
    total = 0
    for _ in range(n):
        total = total + x
    return total


def weak_in_one_branch(x):
    if x > 1:
        y = x
    else:
        y = 1
    return y


def weak_float_beside_an_integer(x):
    total = 0.5
    for _ in range(2):
        total = total + x
    return total


DTYPES = (np.int8, np.uint8, np.int32, np.int64, np.float16, np.float32, np.float64, np.complex64)


@pytest.mark.parametrize('f', [weak_then_typed, weak_float_beside_an_integer])
def test_weak_numbers(f):
    sweep(f, each((int, float, *DTYPES), [1, 3]))


def test_weak_numbers_that_meet_others():
    sweep(weak_in_one_branch, each((int, float, *DTYPES[:-1]), [1, 3]), joins=True)
    sweep(
        weak_then_typed_without_a_turn,
        each((int, *DTYPES), [3]),
        each(NUMBERS, [0, 2]),
        joins=True,
    )


# None and then a value.


def found(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def found_pair(xs):
    best = None
    for i, x in enumerate(xs):
        if best is None or x > best[1]:
            best = (i, x)
    return best


def forgotten(xs):
    last = None
    for x in xs:
        if x > 2:
            last = x
        else:
            last = None
    return last


def none_until(n):
    i = 0
    first = None
    while i < n:
        if i == 2:
            first = i * 10
        i += 1
    return first


def default_for_none(xs):
    last = None
    for x in xs:
        if x > 2:
            last = x
    return 7 if last is None else last + 1


@pytest.mark.parametrize('f', [found, found_pair, forgotten, default_for_none])
def test_none(f):
    sweep(f, [np.array(v, np.float64) for v in ([], [1], [1, 3], [5, 1], [1, 3, 2])], joins=True)


def test_none_in_while():
    sweep(none_until, each(COUNTERS, [0, 1, 3]))


def test_what_may_be_none_is_not_used():
    def f(xs):
        last = None
        for x in xs:
            if x > 2:
                last = x
        return last + 1

    graph = ag.function(f)
    with pytest.raises(TypeError, match=r'None'):
        graph(np.array([1.0]))


# What no graph can hold: the error names the variable, both sides and the line.


def another_dtype(xs):
    n = np.int32(0)
    for _ in xs:
        n = np.float32(0)
    return n


def another_dtype_and_break(xs):
    n = np.int32(0)
    for _ in xs:
        n = np.float32(0)
        break
    return n


def another_dtype_in_while(xs):
    n = np.int32(0)
    while xs.sum() > 0:
        n = np.float32(1)
        xs = xs - 1
    return n


def another_dtype_in_a_branch(xs):
    n = np.zeros(2, np.int32)
    if xs[0] > 0:
        n = np.zeros(2, np.float32)
    return n


def another_rank(xs):
    n = np.zeros(1)
    for _ in xs:
        n = np.zeros((1, 1))
    return n


def another_rank_in_a_branch(xs):
    if xs[0] > 0:
        n = np.zeros(2)
    else:
        n = np.zeros((2, 2))
    return n


def another_structure(xs):
    n = {'a': xs[0]}
    for x in xs:
        n = x
    return n


def another_key(xs):
    n = {'a': xs[0]}
    for x in xs:
        n = {'b': x}
    return n


def another_key_in_a_branch(xs):
    if xs[0] > 0:
        n = {'a': 1}
    else:
        n = {'b': 1}
    return n


def another_length_of_tuple(xs):
    n = (1, 2)
    if xs[0] > 0:
        n = (1, 2, 3)
    return n


def another_kind(xs):
    n = (1, 2)
    if xs[0] > 0:
        n = [1, 2]
    return n


def another_text(xs):
    n = Pair('a')
    if xs[0] > 0:
        n = [Pair(xs)]
    return n


def number_or_array(xs):
    n = np.float64(1)
    for x in xs:
        n = xs * x
    return n


def number_or_text(xs):
    n = 1
    for x in xs:
        n = 'text'
    return n


@pytest.mark.parametrize(
    'f',
    [
        another_dtype, another_dtype_and_break, another_dtype_in_while, another_dtype_in_a_branch,
        another_rank, another_rank_in_a_branch, another_structure, another_key,
        another_key_in_a_branch, another_length_of_tuple, another_kind, another_text,
        number_or_array, number_or_text,
    ],
)  # fmt: skip
def test_refused_by_name(f):
    with pytest.raises(ag.errors.StagingError) as raised:
        ag.function(f)(np.array([1.0, 2.0]))
    message = str(raised.value)
    assert isinstance(raised.value, TypeError)
    assert message.startswith('n '), message
    assert f'in {f.__name__}' in message
    assert any(word in message for word in ('Make', 'Give', 'Write')), message


@pytest.mark.parametrize('f', [another_dtype, another_rank, another_structure, number_or_text])
def test_over_python_values_the_type_may_change(f):
    sweep(f, [[], [1.0, 2.0]][1:])
