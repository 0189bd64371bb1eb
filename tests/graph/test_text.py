"""Graphs as text."""
from __future__ import annotations

import textwrap

import numpy as np
from backends.traced import traced

import autograph_lite as ag
from autograph_lite.graph.types import array_type, python_scalar

VECTOR = array_type(np.float64, (3,))
INT = python_scalar(int)


def expect(function, types, code):
    graph = traced(function, *types)
    assert str(graph) == textwrap.dedent(code).strip()


def test_nodes_names_and_types():
    def f(x, y):
        return np.sum(x * y, axis=0) + x[1:].T, x[None] @ y[:, None]

    expect(f, [VECTOR, VECTOR], """
        graph f(x: float64[3], y: float64[3]) -> float64[2], float64[1, 1]:
          multiply: float64[3] = multiply(x, y)
          sum_: float64 = sum(multiply, axis=0)
          item: float64[2] = x[1:]
          T: float64[2] = item.T
          add: float64[2] = add(sum_, T)
          item_1: float64[1, 3] = x[None]
          item_2: float64[3, 1] = y[:, None]
          matmul: float64[1, 1] = matmul(item_1, item_2)
          return add, matmul
        """)


def test_updates_and_captured_arrays():
    weights = np.eye(3)

    def f(x):
        y = x @ weights
        y[0] = 2
        y += x
        return y

    expect(f, [VECTOR], """
        graph f(x: float64[3]) -> float64[3]:
          constant: float64[3, 3] = captured array
          matmul: float64[3] = matmul(x, constant)
          matmul_1: float64[3] = matmul after matmul[0] = 2
          matmul_2: float64[3] = matmul_1 after add(matmul_1, x, out=matmul_1)
          return matmul_2
        """)


def test_branches():
    def f(x, limit):
        total = np.sum(x)
        return ag.cond(total > limit, lambda: np.sqrt(total), lambda: total, names=['total'])

    expect(f, [VECTOR, python_scalar(float)], """
        graph f(x: float64[3], limit: float) -> float64:
          sum_: float64 = sum(x)
          greater: bool = greater(sum_, limit)
          total: float64 = cond(greater):
            true:
              sqrt: float64 = sqrt(sum_)
              return sqrt
            false:
              return sum_
          return total
        """)


def test_loops():
    def f(x, n):
        def body(i, x):
            return ag.while_loop(lambda x: np.sum(x) > i, lambda x: np.tanh(x), x, names=['x'])

        return ag.for_loop(ag.range(n), body, x, names=['x'])

    expect(f, [VECTOR, INT], """
        graph f(x: float64[3], n: int) -> float64[3]:
          x_1: float64[3] = for_loop(item: int in range(0, n, 1), x_2 = x):
            body:
              x_3: float64[3] = while_loop(x_4 = x_2):
                test:
                  sum_: float64 = sum(x_4)
                  greater: bool = greater(sum_, item)
                  return greater
                body:
                  tanh: float64[3] = tanh(x_4)
                  return tanh
              return x_3
          return x_1
        """)


def test_nothing_is_returned():
    expect(lambda x: (), [VECTOR], """
        graph <lambda>(x: float64[3]) -> None:
          return
        """)
