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
          sum: float64 = sum(multiply, axis=0)
          item: float64[2] = x[1:]
          T: float64[2] = item.T
          add: float64[2] = add(sum, T)
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
          y: float64[3] = matmul(x, constant)
          y_1: float64[3] = y after y[0] = 2
          y_2: float64[3] = y_1 after add(y_1, x, out=y_1)
          return y_2
        """)


def test_branches():
    def f(x, limit):
        total = np.sum(x)
        return ag.cond(total > limit, lambda: np.sqrt(total), lambda: total, names=['total'])

    expect(f, [VECTOR, python_scalar(float)], """
        graph f(x: float64[3], limit: float) -> float64:
          total: float64 = sum(x)
          greater: bool = greater(total, limit)
          total_1: float64 = cond(greater):
            true:
              total_2: float64 = sqrt(total)
              return total_2
            false:
              return total
          return total_1
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
                  sum: float64 = sum(x_4)
                  greater: bool = greater(sum, item)
                  return greater
                body:
                  x_5: float64[3] = tanh(x_4)
                  return x_5
              return x_3
          return x_1
        """)


def test_nothing_is_returned():
    expect(lambda x: (), [VECTOR], """
        graph <lambda>(x: float64[3]) -> None:
          return
        """)


def test_users_names():
    """What is assigned, and what is on its way to a variable; turns of an unrolled loop alike."""

    def f(x):
        turned = x
        for _ in range(2):
            turned = np.tanh(turned)
        while np.sum(turned) > 1:
            half = turned / 3
            turned = half - 1 if np.min(half) > 0 and np.max(half) > 1 else half
        found = [v * 2 for v in turned if v > 0]
        return np.stack(found)

    graph = ag.function(f).get_concrete_function(np.ones(3)).graph
    assert str(graph) == textwrap.dedent("""
        graph f(x: float64[3]) -> float64[?]:
          turned: float64[3] = tanh(x)
          turned_1: float64[3] = tanh(turned)
          turned_2: float64[3] = while_loop(turned_3 = turned_1):
            test:
              sum: float64 = sum(turned_3)
              greater: bool = greater(sum, 1)
              return greater
            body:
              half: float64[3] = divide(turned_3, 3)
              min: float64 = min(half)
              greater_1: bool = greater(min, 0)
              and_: bool = cond(greater_1):
                true:
                  max: float64 = max(half)
                  greater_2: bool = greater(max, 1)
                  return greater_2
                false:
                  return greater_1
              turned_4: float64[3] = cond(and_):
                true:
                  turned_5: float64[3] = subtract(half, 1)
                  return turned_5
                false:
                  return half
              return turned_4
          found: list of nothing = []
          found_1: list of float64 = for_loop(v: float64 in turned_2, found_2 = found):
            body:
              greater_3: bool = greater(v, 0)
              found_3: list of float64 = cond(greater_3):
                true:
                  multiply: float64 = multiply(v, 2)
                  found_4: list of float64 = found_2 after found_2.append(multiply)
                  return found_4
                false:
                  return found_2
              return found_3
          stack: float64[?] = array(found_1)
          return stack
        """).strip()


def test_a_loop_without_state_has_the_users_names():
    def f(xs):
        for i, row in enumerate(xs):
            ag.print(i, row)

    graph = ag.function(f).get_concrete_function(np.ones((2, 3))).graph
    assert 'for_loop(i: int, row: float64[3] in enumerate(xs, 0)):' in str(graph)
