"""`np.apply_along_axis` and `np.vectorize`: a function of the user's for every row or item."""
from __future__ import annotations

import math

import numpy as np
import pytest
from differential import check, outcome, same
from sweep import differences

import autograph_lite as ag

X = np.array([[3.0, -1, 2], [0.5, 5, 4]])
CUBE = np.arange(24.0).reshape(2, 3, 4)


def largest_or_smallest(row):
    if row[0] > 1:
        return row.max()
    return row.min()


@np.vectorize
def larger(a, b):
    if a > b:
        return a
    return b - 1.5


next_and_sign = np.vectorize(lambda a: (a + 1, a > 0), otypes=[float, bool])


class Scale:
    def __init__(self):
        self.factor = 2.0

    def one(self, a):
        return a * self.factor

    def all(self, x):
        return np.vectorize(self.one)(x)


scale = Scale()


def along_an_axis(x):
    return (
        np.apply_along_axis(lambda row: row.sum() * 2, 0, x),
        np.apply_along_axis(np.sort, 1, x), np.apply_along_axis(np.diff, -1, x),
        np.apply_along_axis(np.sum, 0, x[0]), np.apply_along_axis(largest_or_smallest, 1, x),
    )  # fmt: skip


def results_with_axes(x):
    return (
        np.apply_along_axis(lambda row: np.outer(row, row), 0, x),
        np.apply_along_axis(lambda row: [1.0, row[0]], 1, x), np.apply_along_axis(len, 0, x),
        np.apply_along_axis(lambda row, k: row[:k], axis=1, arr=x, k=2),
    )  # fmt: skip


def of_an_inner_axis(x):
    return np.apply_along_axis(np.cumsum, 1, x), np.apply_along_axis(np.outer, 1, x, [1.0, 2])


def no_rows(x):
    return np.apply_along_axis(np.sum, 1, x[:0])


def no_such_axis(x):
    return np.apply_along_axis(np.sum, 5, x)


def items(x):
    return larger(x, 1.0), larger(x, x[0]), larger(2.0, 1.0), larger(b=x[0], a=x), scale.all(x)


def types_of_the_first(x):
    return (
        np.vectorize(lambda a: a * 2)(x.astype('i1')), np.vectorize(math.floor)(x),
        np.vectorize(lambda a: a * 1j)(x), np.vectorize(math.floor, otypes='i')(x),
        np.vectorize(lambda a: a / 3, cache=True)(x.astype('f4')), np.vectorize(round)(x),
    )  # fmt: skip


def several_results(x):
    return next_and_sign(x), next_and_sign(x[:0])


def no_items(x):
    return larger(x[:0], 1.0)


@pytest.mark.parametrize('f', [
    along_an_axis, results_with_axes, no_rows, no_such_axis, items, types_of_the_first,
    several_results, no_items,
])  # fmt: skip
def test_as_numpy_does(f):
    assert differences(f, X) == []


def test_of_an_inner_axis():
    assert differences(of_an_inner_axis, CUBE) == []


def parts_of_arrays(x):
    both = np.vectorize(lambda r, s: (r.sum() + s, r * 2), signature='(n),()->(),(n)')
    return (
        both(x, x[:, 0]), both(x, 1.0),
        np.vectorize(np.convolve, signature='(n),(m)->(k)')(x, [1.0, 2.0, 1.0]),
        np.vectorize(np.outer, signature='(n),(m)->(n,m)', otypes=[float])(x[:0], x[0]),
        np.vectorize(lambda r: len(r[r > 0]), signature='(n)->()')(x),
    )  # fmt: skip


def arguments_as_they_are(x):
    scaled = np.vectorize(lambda row, k: row[:2] * k[0], signature='(n)->(m)', excluded={1})
    power = np.vectorize(lambda a, k=2: a**k, excluded=['k'])
    return scaled(x, [2.0, 3.0]), power(x), power(x, k=3), power(a=x, k=0.5)


def texts(x):
    sign = np.vectorize(lambda v: 'positive' if v > 0 else 'no')
    return sign(x), np.vectorize(str, otypes=[str])(['a', 'bcd']), x.sum()


def other_lengths(x):
    return np.vectorize(np.dot, signature='(n),(n)->()')(x, x[:, :1])


def another_number_of_arguments(x):
    return np.vectorize(np.dot, signature='(n),(n)->()')(x)


def another_rank(x):
    return np.vectorize(np.outer, signature='(n),(n)->()')(x, x)


def no_parts(x):
    return np.vectorize(np.sum, signature='(n)->()')(x[:0])


WAYS = [parts_of_arrays, arguments_as_they_are, texts, other_lengths, another_number_of_arguments,
        another_rank, no_parts]  # fmt: skip


@pytest.mark.parametrize('f', WAYS)
def test_ways_to_call_vectorized(f):
    check(f, (X,))
    unknown = ag.TensorSpec([None, None], X.dtype)
    expected = outcome(f, (X,))
    got = outcome(lambda x: ag.function(f).get_concrete_function(unknown)(x), (X,))
    assert same(expected, got), got


def test_what_vectorize_has_made_is_the_function():
    @np.vectorize
    def up(a):
        return a + 1 if a > 1 else a

    f = ag.function(up)
    for x in (np.arange(4), np.arange(3.0), np.int64(2), [0, 3]):
        assert same(f(x), up(x))
    assert same(ag.function(lambda x: f(x) * 2)(np.arange(4)), up(np.arange(4)) * 2)
    concrete = f.get_concrete_function(ag.TensorSpec([None], np.int64))
    assert same(concrete(np.arange(5)), up(np.arange(5)))


def test_what_is_vectorized_may_be_another_function_later():
    v = np.vectorize(lambda a: a + 1)
    inside, itself = ag.function(lambda x: v(x)), ag.function(v)
    for f in (lambda a: a * 2, lambda a: a * 3):
        assert same(inside(X), v(X))
        assert same(itself(X), v(X))
        v.pyfunc = f
    assert same(inside(X), v(X))
    assert same(itself(X), v(X))


def test_texts_of_any_length():
    words = np.array(['ab', 'cde'], dtype=np.dtypes.StringDType())

    def lengths_and_capitals(words):
        return np.vectorize(len)(words), np.vectorize(lambda word: word.upper())(words)

    check(lengths_and_capitals, (words,))
