"""Every form of index, in every use of one: what it gives, what it modifies, what it raises."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sweep import check_all

import autograph_lite as ag

X = np.arange(24.0).reshape(2, 3, 4)
MASK = np.array([True, False])
MASK_OF_ROWS = np.array([[1, 0, 1], [0, 1, 1]], bool)
INTS = np.array([1, 0, 1])
TWO, OTHER_TWO = np.array([0, 1]), np.array([2, 0])
I0, I1, I2 = np.int64(0), np.int64(1), np.int64(2)

# The index that a function makes of its arguments, which the graph does not know, and these.
FORMS: dict[str, tuple[Any, ...]] = {
    'an int': (lambda: 1,),
    'a negative int': (lambda: -2,),
    'an int out of range': (lambda: 7,),
    'True': (lambda: True,),
    'False': (lambda: False,),
    'a slice': (lambda: slice(0, 1),),
    'a reversed slice': (lambda: slice(None, None, -1),),
    'a slice with a step': (lambda: (slice(None), slice(None, None, 2)),),
    'a float': (lambda: 1.0,),
    'a slice to a float': (lambda: slice(1.0, None),),
    'a text': (lambda: 'a',),
    'an ellipsis': (lambda: ...,),
    'two of them': (lambda: (..., ...),),
    'a new axis': (lambda: None,),
    'a new axis at the end': (lambda: (..., None),),
    'nothing': (lambda: (),),
    'a range': (lambda: range(2),),
    'a list': (lambda: [1, 0, 1],),
    'an empty list': (lambda: [],),
    'a list of floats': (lambda: [1.0, 0],),
    'a list of bools': (lambda: [True, False],),
    'a list of too many bools': (lambda: [True, False, True],),
    'a list of lists': (lambda: [[0, 1], [1, 0]],),
    'np.s_': (lambda: np.s_[1:, ..., ::2],),
    'a scalar': (lambda i: i, I1),
    'a negative scalar': (lambda i: i, np.int64(-1)),
    'a small scalar': (lambda i: i, np.uint8(1)),
    'a scalar out of range': (lambda i: i, np.int64(7)),
    'a negative scalar out of range': (lambda i: i, np.int64(-7)),
    'a bool': (lambda i: i, np.bool_(True)),
    'a scalar that is a float': (lambda i: i, np.float64(1)),
    'no axes': (lambda i: i, np.array(1)),
    'a bool without axes': (lambda i: i, np.array(True)),
    'two scalars': (lambda i, j: (i, j), I1, I2),
    'a scalar for each axis': (lambda i, j, k: (i, j, k), I1, I2, np.int64(-1)),
    'and an ellipsis': (lambda i, j, k: (i, j, k, ...), I1, I2, I2),
    'too many scalars': (lambda i: (i, i, i, i), I0),
    'a bound': (lambda i: slice(i, None), I1),
    'a bound without axes': (lambda i: slice(i, None), np.array(1)),
    'a bound that is a float': (lambda i: slice(i, None), np.float64(1)),
    'two bounds': (lambda i, j: slice(i, j), I0, I1),
    'bounds and a step': (lambda i, j, k: slice(i, j, k), *map(np.int64, (-1, -9, -1))),
    'a step of 0': (lambda k: slice(None, None, k), I0),
    'a bound and a scalar': (lambda i, j: (slice(i, None), j), I0, I1),
    'an ellipsis and a scalar': (lambda i: (..., i), I2),
    'a scalar and an ellipsis': (lambda i: (i, ...), I1),
    'an ellipsis between': (lambda i, j: (i, ..., j), I1, I2),
    'new axes': (lambda i: (None, i, None, slice(None)), I1),
    'a list of a scalar': (lambda i: [i, 0], I1),
    'integers': (lambda a: a, INTS),
    'negative integers': (lambda a: a, np.array([-1, 0])),
    'integers out of range': (lambda a: a, np.array([0, 9])),
    'a matrix of integers': (lambda a: a, np.array([[1, 0], [0, 0]])),
    'no integers': (lambda a: a, np.array([], int)),
    'small integers': (lambda a: a, np.array([1, 0], np.uint8)),
    'floats': (lambda a: a, np.array([1.0, 0])),
    'two arrays': (lambda a, b: (a, b), TWO, OTHER_TWO),
    'two arrays that broadcast': (lambda a, b: (a, b), TWO[:, None], OTHER_TWO),
    'two arrays that do not': (lambda a, b: (a, b), TWO, np.array([2, 0, 1])),
    'arrays around a slice': (lambda a, b: (a, slice(None), b), TWO, OTHER_TWO),
    'arrays around an ellipsis': (lambda a, b: (a, ..., b), TWO, OTHER_TWO),
    'a slice and an array': (lambda a: (slice(None), a), OTHER_TWO),
    'a bound and an array': (lambda a, i: (slice(i, None), a), OTHER_TWO, I1),
    'an array and a scalar': (lambda a, i: (a, i), TWO, I2),
    'a scalar, a slice, an array': (lambda a, i: (i, slice(None), a), TWO, I1),
    'an array and a new axis': (lambda a: (a, None), TWO),
    'an ellipsis and an array': (lambda a: (..., a), TWO),
    'a mask': (lambda m: m, MASK),
    'a mask of rows': (lambda m: m, MASK_OF_ROWS),
    'a mask of all': (lambda m: m, X % 2 == 0),
    'a mask that does not fit': (lambda m: m, np.array([True, False, True])),
    'a slice and a mask': (lambda m: (slice(None), m), np.array([True, False, True])),
    'a mask and a scalar': (lambda m, i: (m, i), MASK, I1),
    'a mask and an array': (lambda m, a: (m, a), np.array([True, True]), OTHER_TWO),
    'a mask and a new axis': (lambda m: (m, None), MASK),
    'two masks': (lambda m, n: (m, n), np.array([True, True]), np.array([True, False, True])),
    'np.nonzero': (np.nonzero, MASK_OF_ROWS),
    'np.ix_': (np.ix_, TWO, OTHER_TWO),
}  # fmt: skip


def programs(index: Callable[..., Any]) -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """What can be done with an index: functions of X, some operands and the index's arguments."""

    def read(x: Any, *args: Any) -> Any:
        return x[index(*args)]

    def assign(x: Any, *args: Any) -> Any:
        y = x.copy()
        y[index(*args)] = 7
        return y

    def assign_items(x: Any, *args: Any) -> Any:
        y = x.copy()
        y[index(*args)] = x[index(*args)] * 2
        return y

    def assign_array(x: Any, row: Any, *args: Any) -> Any:
        y = x.astype(np.float32)
        y[index(*args)] = row
        return y

    def add(x: Any, *args: Any) -> Any:
        y = x.copy()
        y[index(*args)] += 1.5
        return y

    def multiply(x: Any, factor: Any, *args: Any) -> Any:
        y = x.copy()
        y[index(*args)] *= factor
        return y

    def add_at(x: Any, *args: Any) -> Any:
        y = x.copy()
        np.add.at(y, index(*args), 2.0)
        return y

    return {
        'read': (read, ()), 'assign': (assign, ()), 'assign items': (assign_items, ()),
        'assign an array': (assign_array, (np.arange(4.0),)), 'add': (add, ()),
        'multiply by a scalar': (multiply, (np.float32(2),)), 'np.add.at': (add_at, ()),
    }  # fmt: skip


@pytest.mark.parametrize('form', FORMS)
def test_a_form_of_index(form: str) -> None:
    index, *args = FORMS[form]
    check_all(
        (use, program, (X, *more, *args)) for use, (program, more) in programs(index).items()
    )


def on_a_copy(write: Callable[..., Any]) -> Callable[..., Any]:
    """The function on a copy of its first argument, and the copy."""

    def run(x: Any, *args: Any) -> Any:
        y = x.copy()
        return write(y, *args), y

    return run


ROWS = np.array([[0, 2], [1, 1], [2, 0]])
M = np.arange(12.0).reshape(3, 4)
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    'take': (lambda x, i: (np.take(x, i), x.take(i, 0), np.take(x, i, axis=1)), M, TWO),
    'take a scalar': (lambda x, i: (np.take(x, i), x.take(i, axis=1)), M, I1),
    'take out of range': (lambda x, i: np.take(x, i), M, np.array([99])),
    'take wrapping': (lambda x, i: np.take(x, i, mode='wrap'), M, np.array([99, -1])),
    'take clipping': (lambda x, i: x.take(i, 0, mode='clip'), M, np.array([99])),
    'take_along_axis': (lambda x, i: np.take_along_axis(x, i, axis=1), M, ROWS),
    'put': (on_a_copy(lambda y, i: np.put(y, i, [7, 8])), M, TWO),
    'put out of range': (on_a_copy(lambda y, i: np.put(y, i, 7)), M, np.array([99])),
    'put wrapping': (on_a_copy(lambda y, i: y.put(i, 7, mode='wrap')), M, np.array([99])),
    'put_along_axis': (on_a_copy(lambda y, i: np.put_along_axis(y, i, 7, 1)), M, ROWS),
    'place': (on_a_copy(lambda y: np.place(y, y > 5, [1, 2])), M),
    'putmask': (on_a_copy(lambda y: np.putmask(y, y > 5, y * 2)), M),
    'copyto': (on_a_copy(lambda y: np.copyto(y, -1, where=y > 5)), M),
    'fill_diagonal': (on_a_copy(lambda y: np.fill_diagonal(y, 9)), M),
    'choose': (lambda x, i: np.choose(i, [x, -x]), M, M.astype(int) % 2),
    'compress': (lambda x, m: (np.compress(m, x, axis=0), x.compress(m, 0)), M, M[:, 0] > 1),
    'extract': (lambda x: np.extract(x > 3, x), M),
    'diagonal': (lambda x: (np.diagonal(x, 1), x.diagonal()), M),
    'argwhere': (lambda x: np.argwhere(x > 3), M),
    'select': (lambda x: np.select([x > 3, x > 1], [x, -x], 0.5), M),
    'searched': (lambda x, i: x[np.searchsorted(x[:, 0], i)], M, np.float64(1)),
    'sorted': (lambda x: x[np.argsort(-x[:, 1]), 1], M),
    'at for several': (on_a_copy(lambda y, i: np.subtract.at(y, (i, i), 1)), M, np.array([1, 1])),
    'at for one operand': (on_a_copy(lambda y, i: np.negative.at(y, i)), M, np.array([0, 0])),
    'delete': (lambda x, i: np.delete(x, i, axis=0), M, I1),
    'insert': (lambda x: np.insert(x, 1, 7, axis=0), M),
    'rolled': (lambda x, i: np.roll(x, i, axis=1), M, I1),
    'repeated': (lambda x, i: np.repeat(x, i, axis=0), M, np.array([1, 0, 2])),
    'unravelled': (lambda x, i: x[np.unravel_index(i, (3, 4))], M, np.array([5, 11])),
}  # fmt: skip


@pytest.mark.parametrize('name', FUNCTIONS)
def test_a_function_that_takes_indices(name: str) -> None:
    program, *args = FUNCTIONS[name]
    check_all([(name, program, tuple(args))])


def test_a_mask_that_selects_as_much_as_an_array() -> None:
    def add(x: Any, mask: Any, columns: Any) -> Any:
        y = x.copy()
        np.add.at(y, np.s_[mask, 1:, columns], 2)
        return y

    check_all([('at', add, (X, MASK, INTS))])


def test_the_items_of_an_array_in_one_row() -> None:
    def read(x: Any) -> Any:
        y = x.copy()
        flat = y.flat
        y[0, 0] = 5
        return flat[0], flat[1:3], [v for v in y.flat], np.sum(y.flat), len(flat)

    def write(x: Any) -> Any:
        y = x.copy()
        y.flat[0] = 5
        return y

    check_all([('read', read, (M,))])
    with pytest.raises(ag.errors.StagingError, match=r'row\.reshape'):
        ag.function(write)(M)


def test_the_fields_of_a_row_by_number() -> None:
    rows = np.array([(1, 2.5), (3, 4.5)], [('a', 'i4'), ('b', 'f8')])
    check_all([('fields', lambda r: (r[0][1], r[1][-2], r[0]['a']), (rows,))])
