"""`x[index]` and `x[index] = value` for random indices of every kind, and for wrong ones."""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from ops.evaluate import check

import autograph_lite as ag

X = np.arange(6.0).reshape(2, 3)
SHAPES = [(4,), (3, 4), (2, 3, 4), (), (2, 3, 2, 3), (0, 3)]


def random_item(length: int) -> Any:
    """An item of an index for an axis of this length."""

    def number() -> int:
        return random.randint(-length, length - 1) if length else 0

    return random.choice([
        number,
        lambda: np.int64(number()),
        lambda: np.array(number()),
        lambda: slice(random.choice([None, 0, 1, -2]), random.choice([None, 2, -1])),
        lambda: slice(None, None, random.choice([None, 2, -1])),
        lambda: slice(np.int64(1), None),
        lambda: [number(), number()],
        lambda: np.array([number(), number()]),
        lambda: np.array([[number()], [number()]]),
        lambda: np.array([random.random() > 0.5 for _ in range(length)], bool),
        lambda: ...,
        lambda: None,
    ])()


def random_index(shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An index with at most one ellipsis."""
    items: list[Any] = []
    axis = 0
    for _ in range(random.randint(0, len(shape) + 1)):
        item = random_item(shape[axis]) if axis < len(shape) else None
        if item is ... and ... in [i for i in items if not isinstance(i, np.ndarray)]:
            continue
        axis += item is not None and item is not ...
        items.append(item)
    return tuple(items)


def is_tensor(item: Any) -> bool:
    """Whether the graph gets this item as an input."""
    return isinstance(item, np.ndarray | np.integer)


@pytest.mark.parametrize('seed', range(20))
def test_random_indices(seed: int) -> None:
    random.seed(seed)
    for _ in range(25):
        shape = random.choice(SHAPES)
        index = random_index(shape)
        inputs = [item for item in index if is_tensor(item)]
        starts = [
            item.start for item in index if isinstance(item, slice) and is_tensor(item.start)
        ]

        def with_inputs(inputs: tuple[Any, ...], index: Any = index, n: int = len(inputs)) -> Any:
            first, second = iter(inputs[:n]), iter(inputs[n:])
            return tuple(
                next(first)
                if is_tensor(item)
                else slice(next(second), None)
                if isinstance(item, slice) and is_tensor(item.start)
                else item
                for item in index
            )

        def read(x: Any, *inputs: Any) -> Any:
            return x[with_inputs(inputs)]

        def write(x: Any, *inputs: Any, index: Any = index) -> Any:
            y = x.copy()
            y[with_inputs(inputs)] = 5
            y[index] = y[index] * 2
            y[with_inputs(inputs)] += 1
            return y

        x = np.arange(float(np.prod(shape, dtype=int))).reshape(shape)
        check(read, x, *inputs, *starts)
        check(write, x, *inputs, *starts)


def test_a_position_that_is_known_when_the_graph_runs() -> None:
    def use(x: Any, i: Any) -> Any:
        y = x.copy()
        y[i] += 1
        y[i:] *= 2
        y[:i, i] = i
        return y, y[i], y[-i], y[i, i], y[i:], y[::i], y[None, i], y[..., i]

    check(use, X, 1)
    check(use, X, np.int8(1))
    check(use, X, np.array(1))


def test_augmented_assignment_through_views() -> None:
    def update(x: Any, v: Any) -> Any:
        y = x.copy()
        y[0] += v
        y[:, 1] *= 2
        y[0, 1:] -= v[1:]
        y[y > 2] -= 1
        y[[0, 1], [1, 2]] += v[0]
        y[...] = y + 1
        y[1] = [1, 2, 3]
        y[1] = v
        y[0] = y[1]
        return y

    check(update, X, np.ones(3))


@pytest.mark.parametrize('index', [
    5, (0, 0, 0), (slice(None), [0, 9]), ([True],), (..., ...), 1.0, 'a', ([0.5],),
    ([0, 1], [0, 1, 2]),
])  # fmt: skip
def test_wrong_indices(index: Any) -> None:
    check(lambda x: x[index], X, symbolic=False)


@pytest.mark.parametrize('value', [[1, 2], np.ones((3, 3)), np.ones((2, 1)), 'a'])
def test_values_that_do_not_fit(value: Any) -> None:
    def write(x: Any) -> Any:
        y = x.copy()
        y[0] = value
        return y

    check(write, X, symbolic=False)


def test_values_are_cast() -> None:
    def write(x: Any, v: Any) -> Any:
        y = x.astype(np.int8)
        y[0] = v
        y[1, 1] = 2.7
        y[1, 2] = True
        return y

    check(write, X, np.array([1.5, 2.5, -1.5]))


def test_scalars_and_arrays_without_axes() -> None:
    for index in ((), ..., None, (None, ...), 0, 'a'):
        check(lambda x: x[index], np.float64(3))  # noqa: B023
        check(lambda x: x[index], np.array(3.0))  # noqa: B023
        check(lambda x: x[index], 3)  # noqa: B023


def test_structured_arrays() -> None:
    people = np.zeros(3, [('age', 'i4'), ('name', 'U3')])
    check(lambda x: (x['age'], x['name'], x[['age']], x[0]['age'], x['age'][1:]), people)


def test_iteration_over_a_known_axis() -> None:
    check(lambda x: [row * 2 for row in x], X, symbolic=False)


@pytest.mark.parametrize(('values', 'dtype'), [([300, 1], np.int8), ((-1, 1), np.uint8)])
def test_a_list_with_a_number_that_the_dtype_does_not_hold(values, dtype):
    def fill(x, n):
        x = x.copy()
        if n > 1:
            x[:] = values
        return x

    x, f = np.zeros(2, dtype), ag.function(fill)
    np.testing.assert_array_equal(f(x, np.int64(0)), x)
    for call in (fill, f):
        with pytest.raises(OverflowError, match='out of bounds'):
            call(x, np.int64(2))
