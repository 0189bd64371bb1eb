"""Variables that only code binds which is never reached: they hide globals all the same."""
# ruff: noqa: F401, F823, F841 - that is what they are about
from __future__ import annotations

import numpy as np
import pytest
from differential import run_printed

import autograph_lite as ag

limit = 100.0


def after_the_return(x):
    return limit + x
    limit = x


def after_a_branch(x):
    if x > 0:
        x = x + limit
    return x
    limit = x


def after_a_continue(x):
    for _ in range(3):
        x = x + limit
        continue
        limit = 4
    return x


def in_a_conditional_expression(x):
    return limit if x > 0 else x
    limit = 3


def in_a_nested_function(x):
    def add():
        return x + limit

    return add()
    limit = 3


def in_a_lambda(x):
    return (lambda: limit + x)()
    limit = 3


def in_a_comprehension(x):
    return [limit + x for _ in range(2)]
    limit = 3


def in_the_nested_function_itself(x):
    def add():
        return limit + x
        limit = 3

    return add()


def changed_in_place(x):
    limit.append(x)
    return x
    limit = []


def by_an_import(x):
    return limit + x
    import limit


def by_a_definition(x):
    return limit + x

    def limit():
        pass


@pytest.mark.parametrize('f', [
    after_the_return, after_a_branch, after_a_continue, in_a_conditional_expression,
    in_a_nested_function, in_a_lambda, in_a_comprehension, in_the_nested_function_itself,
    changed_in_place, by_an_import, by_a_definition])
def test_it_has_no_value(f):
    for run in (f, ag.to_graph(f), run_printed(f), ag.function(f)):
        with pytest.raises(NameError, match='limit'):
            run(np.float64(1.0))


def test_another_variable_of_that_name_is_not_it():
    def f(x):
        def either(c):
            return limit if c else (lambda limit: limit)(x) + sum(limit for limit in range(3))

        return either(False)
        limit = 3

    for run in (f, ag.to_graph(f), ag.function(f)):
        assert run(np.float64(1.0)) == 4.0


def test_nobody_reads_it():
    def f(x):
        return x
        limit = 3

    assert ag.to_code(f) == 'def f(x):\n    return x'
