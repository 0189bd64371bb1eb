"""Numbers beside arrays in loops are arrays made before, and change nothing."""
from __future__ import annotations

import ast
import struct
import textwrap

import numpy as np
import pytest
from differential import check, same

import autograph_lite as ag
from autograph_lite.backends.literals import number

TURNS = np.int64(3)
ARRAYS = [
    np.linspace(-2, 2, 7),
    np.linspace(-2, 2, 7, dtype=np.float32),
    np.linspace(-2, 2, 7, dtype=np.float16),
    np.arange(7),
    np.arange(7, dtype=np.int8),
    np.arange(7, dtype=np.uint8),
    np.arange(7) > 3,
    np.linspace(-2, 2, 7) + 1j,
]


def arithmetic(x, n):
    y = x * 1.0
    for _ in range(n):
        y = (y * 2 + 1) - (y > 0) * y
        y = np.maximum(y, -1.5) + np.float16(0.5) + 3.0 / (x + 7)
    return y


def in_place(x, n):
    y = x * 1
    for _ in range(n):
        y += 2
        y *= 3
    return y, np.power(y, 2), y**2


@pytest.mark.parametrize('f', [arithmetic, in_place])
@pytest.mark.parametrize('x', ARRAYS, ids=lambda x: str(x.dtype))
def test_every_type(f, x):
    with np.errstate(all='ignore'):
        check(f, (x, TURNS))


def test_numbers_that_overflow_do_so_at_every_call():
    def f(x, n=TURNS):
        for _ in range(n):
            x = x * 1e300
        return x

    x = np.ones(3, np.float32)
    graph = ag.function(f)
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match='overflow'):
            assert same(graph(x), np.full(3, np.inf, np.float32))


def test_the_program_makes_them_once():
    def f(x, n=TURNS):
        for _ in range(n):
            x = 1 - x * 0.5 + x**2 - (x > -3)
        return x

    code = ag.function(f).get_concrete_function(np.zeros(3, np.float32)).lowered_code
    expected = """
        _0_5 = np.array(0.5, np.float32)
        _1 = np.array(1.0, np.float32)
        minus_3 = np.array(-3.0, np.float32)

        def f(x, n):
            for _ in range(n):
                x = _1 - x * _0_5 + x ** 2 - (x > minus_3)
            return x
        """
    assert code == textwrap.dedent(expected).lstrip()


@pytest.mark.parametrize('real', [0.0, -0.0, 1.5, -2.25, 5e-324, np.inf, -np.inf, np.nan])
@pytest.mark.parametrize('imag', [0.0, -0.0, 0.2, -0.2, 1e308, np.inf, -np.inf, np.nan])
def test_complex_numbers_are_written_to_the_bit(real, imag):
    value = complex(real, imag)
    written = eval(ast.unparse(number(value)), {'np': np})
    assert struct.pack('dd', written.real, written.imag) == struct.pack('dd', real, imag)


def test_a_complex_number_in_a_loop_is_computed_once():
    def f(z, n):
        for _ in range(n):
            z = z * z + (0.3 - 0.2j)
        return z

    concrete = ag.function(f).get_concrete_function(np.complex128(0.1), TURNS)
    assert 'z * z + (0.3 - 0.2j)' in concrete.lowered_code
    check(f, (np.complex128(0.1), TURNS))
