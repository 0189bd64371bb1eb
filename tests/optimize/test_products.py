"""Products in loops are made by `dot`, where that gives the same to the last bit."""
from __future__ import annotations

import itertools

import numpy as np
import pytest
from backends.random_graphs import Generator
from backends.traced import traced
from differential import check, same

import autograph_lite as ag
from autograph_lite.backends.numpy import lower, run
from autograph_lite.graph.types import array_type
from autograph_lite.graph.verify import verify
from autograph_lite.optimize.layouts import Layouts
from autograph_lite.optimize.products import dot_warns, products

RNG = np.random.default_rng(0)
TURNS = np.int64(2)


def layouts(shape):
    """Arrays of one shape that lie in memory in every way."""
    wide = RNG.normal(size=tuple(3 * n for n in shape))
    yield np.ascontiguousarray(wide[tuple(slice(n) for n in shape)])
    yield np.asfortranarray(wide[tuple(slice(n) for n in shape)])
    for steps in itertools.product((1, 2, -1, -2), repeat=len(shape)):
        part = wide[tuple(slice(None, None, step) for step in steps)]
        yield part[tuple(slice(n) for n in shape)]
    yield np.broadcast_to(wide[(0,) * len(shape)], shape)


def power(a, b, n=TURNS):
    for _ in range(n):
        b = a @ b
    return b


@pytest.mark.parametrize('shape', [(5, 5), (1, 1), (33, 33)])
@pytest.mark.parametrize('dtype', [np.float64, np.float32, np.complex128, np.int16])
def test_every_layout(shape, dtype):
    for other in (shape, shape[:1]):
        graph = ag.function(power)
        for a, b in itertools.product(layouts(shape), layouts(other)):
            a, b = a.astype(dtype, order='K'), b.astype(dtype, order='K')
            assert same(graph(a, b), power(a, b))


def test_vectors_of_every_layout():
    def norm(a, b, n=TURNS):
        total = np.float64(0)
        for _ in range(n):
            total = total + a @ b
        return total

    graph = ag.function(norm)
    for a, b in itertools.product(layouts((17,)), layouts((17,))):
        assert same(graph(a, b), norm(a, b))


def test_arguments_are_looked_at_once():
    if not dot_warns():
        pytest.skip('this NumPy does not warn of overflow in dot')
    x = np.ones((5, 5))
    program = ag.function(power).get_concrete_function(x, x).lowered_code
    assert program == (
        'def power(a, b, n):\n'
        '    if not (a.flags.c_contiguous and b.flags.c_contiguous):\n'
        '        raise UnorderedError\n'
        '    for _ in range(n):\n'
        '        b = a.dot(b)\n'
        '    return b\n'
    )


def test_a_matrix_times_its_own_transpose():
    def gram(x, n):
        for _ in range(n):
            x = x.T @ x
        return x

    for shape in ((3, 3), (40, 40)):
        check(gram, (RNG.normal(size=shape), TURNS))


def test_effects_are_not_run_twice(capsys):
    def f(a, b, n=TURNS):
        for _ in range(n):
            ag.print(b[0])
            b = a @ b
        return b

    a = np.ones((4, 8))[:, ::2]
    ag.function(f)(a, np.ones(4))
    assert capsys.readouterr().out == '1.0\n4.0\n'


def test_overflow_is_warned_of():
    graph = ag.function(power)
    a, b = np.full((3, 3), 1e200), np.full(3, 1e200)
    with pytest.warns(RuntimeWarning, match='overflow'):
        graph(a, b)
    with np.errstate(over='raise'), pytest.raises(FloatingPointError):
        graph(a, b)


def test_what_is_not_multiplied_in_a_loop_stays():
    x = array_type(np.float64, (3, 3))
    assert products(traced(lambda a, b: a @ b, x, x)) is None


PROGRAMS = [
    lambda x, y: (x + y, x.T * y.T, x.T + np.ones((4, 3)), np.ones((4, 3)) - x.T),
    lambda x, y: (x[0], x[1:], x[:, None], x[:, 1], x[::2], x[1:, :], x[0, 1:], x[:, 1:]),
    lambda x, y: (np.where(x > 0, x, y), np.where(x.T > 0, x.T, 0.0), np.concatenate((x, y))),
    lambda x, y: (x @ y.T, x.T @ y, x @ y[0], x.copy(), x.T.copy(), np.copy(x.T)),
    lambda x, y: (np.zeros_like(x.T), x.T.astype(np.float32), x.reshape(2, 6), x.T.reshape(12)),
    lambda x, y: (np.sum(x, axis=0), np.max(x.T, axis=0), np.append(x[0], y[0]), x.ravel()),
    lambda x, y: (np.linspace(0, 1), np.zeros((3, 4)), np.eye(3), np.full((2, 2), 1), np.arange(9)),
    lambda x, y: (np.matmul(x.T, y), x[:, 0] + y[:, 0], np.concatenate((x[:1], y), axis=0)),
    lambda x, y: (np.concatenate((x.T, y.T)), x[:, :, None] + y[:, None], np.sin(x.T)[:, None]),
]  # fmt: skip


@pytest.mark.parametrize('program', PROGRAMS)
def test_what_is_claimed_of_layouts_holds(program):
    x, y = RNG.normal(size=(3, 4)), RNG.normal(size=(3, 4))
    graph = traced(lambda x, y: program(x, y), x, y)
    verify(graph)
    known = Layouts(graph)
    claimed = 0
    for value, found in zip(graph.outputs, run(lower(graph), [x, y]), strict=True):
        claimed += known.of(value).dense is not None
        assert known.of(value).ordered is None or found.flags.c_contiguous
        assert known.of(value).dense is None or found.flags.forc
    assert claimed


def test_layouts_of_random_graphs_are_found():
    for seed in range(50):
        graph = Generator(seed, 40).build()
        known = Layouts(graph)
        for node in graph.walk():
            for output in node.outputs:
                known.of(output)
