"""Random numbers: as many draws as in Python, in its order, with the numbers of the same seed."""
from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from differential import check, outcome, same
from sweep import differences

import autograph_lite as ag

X = np.array([3.0, 1.0, 2.0, 5.0])


def draws_alike(f: Callable[..., Any], *args: Any) -> Any:
    """Three calls in a row draw what they draw in plain Python, and leave the same state."""
    plain, graph = np.random.default_rng(5), np.random.default_rng(5)
    staged = ag.function(f)
    for _ in range(3):
        expected = outcome(lambda: f(plain, *copy.deepcopy(args)), ())
        got = outcome(lambda: staged(graph, *copy.deepcopy(args)), ())
        assert same(expected, got), f'{got} instead of {expected}'
    assert plain.random() == graph.random()
    assert staged.tracing_count == 1
    return staged


SIZES = (None, 3, (2, 3))
DRAWS: dict[str, Callable[..., Any]] = {
    'beta': lambda rng, size: rng.beta(2, 3, size),
    'binomial': lambda rng, size: rng.binomial(9, 0.5, size),
    'chisquare': lambda rng, size: rng.chisquare(2, size),
    'choice': lambda rng, size: rng.choice(5, size),
    'dirichlet': lambda rng, size: rng.dirichlet([1, 2], size),
    'exponential': lambda rng, size: rng.exponential(size=size),
    'gamma': lambda rng, size: rng.gamma(2.0, size=size),
    'geometric': lambda rng, size: rng.geometric(0.3, size),
    'integers': lambda rng, size: (rng.integers(9, size=size), rng.integers(1, 9, size, np.uint8)),
    'logistic': lambda rng, size: rng.logistic(size=size),
    'multinomial': lambda rng, size: rng.multinomial(9, [0.2, 0.8], size),
    'multivariate_normal': lambda rng, size: rng.multivariate_normal([0, 1], np.eye(2), size),
    'normal': lambda rng, size: rng.normal(1.0, 2.0, size),
    'poisson': lambda rng, size: rng.poisson(3.5, size),
    'random': lambda rng, size: (rng.random(size), rng.random(size, np.float32)),
    'standard_normal': lambda rng, size: rng.standard_normal(size, dtype=np.float32),
    'triangular': lambda rng, size: rng.triangular(0, 1, 2, size),
    'uniform': lambda rng, size: rng.uniform(-1, 1, size),
    'zipf': lambda rng, size: rng.zipf(3, size),
}


@pytest.mark.parametrize('name', DRAWS)
@pytest.mark.parametrize('size', SIZES)
def test_draws(name: str, size: Any) -> None:
    draw = DRAWS[name]

    def f(rng: Any) -> Any:
        return draw(rng, size)

    draws_alike(f)


def test_arguments_that_are_tensors() -> None:
    def f(rng: Any, x: Any, n: Any, p: Any) -> Any:
        chosen = rng.choice(x, size=2, replace=False), rng.choice(4, p=p), rng.choice(x, 3, p=p)
        few = rng.normal(size=n), rng.normal(x, size=(n, 4)), rng.normal(x, [x[0], 1, 2, n])
        return chosen, few, rng.integers(n), rng.integers(0, n, size=x.shape[0]), rng.poisson(x)

    draws_alike(f, X, np.int64(3), np.array([0.1, 0.2, 0.3, 0.4]))


# A call of each method with arguments that a graph knows; the same with tensors in their place.
PARAMETERS: dict[str, tuple[Any, ...]] = {
    'beta': (2.0, 3.0), 'binomial': (9, 0.5), 'chisquare': (2.0,), 'choice': (5,),
    'dirichlet': ([1.0, 2.0],), 'exponential': (2.0,), 'f': (2.0, 3.0), 'gamma': (2.0, 1.0),
    'geometric': (0.3,), 'gumbel': (0.0, 1.0), 'hypergeometric': (5, 5, 3), 'integers': (2, 9),
    'laplace': (0.0, 1.0), 'logistic': (0.0, 1.0), 'lognormal': (0.0, 1.0), 'logseries': (0.5,),
    'multinomial': (9, [0.2, 0.8]), 'multivariate_hypergeometric': ([3, 4], 2),
    'multivariate_normal': ([0.0, 1.0], [[1.0, 0.0], [0.0, 1.0]]), 'negative_binomial': (3, 0.5),
    'noncentral_chisquare': (2.0, 1.0), 'noncentral_f': (2.0, 3.0, 1.0), 'normal': (0.0, 1.0),
    'pareto': (2.0,), 'permutation': (5,), 'poisson': (3.0,), 'power': (2.0,), 'rayleigh': (2.0,),
    'standard_gamma': (2.0,), 'standard_t': (3.0,), 'triangular': (0.0, 1.0, 2.0),
    'uniform': (0.0, 1.0), 'vonmises': (0.0, 1.0), 'wald': (1.0, 1.0), 'weibull': (2.0,),
    'zipf': (3.0,),
}  # fmt: skip
UNSIZED = ('permutation',)


@pytest.mark.parametrize('name', PARAMETERS)
def test_parameters_that_are_tensors(name: str) -> None:
    def f(rng: Any, *args: Any) -> Any:
        return getattr(rng, name)(*args)

    def sized(rng: Any, n: Any, *args: Any) -> Any:
        return getattr(rng, name)(*args, size=n), getattr(rng, name)(*args, size=(n, 2))

    kinds = {float: np.float64, int: np.int64, list: np.array}
    args = [kinds[type(x)](x) for x in PARAMETERS[name]]
    draws_alike(f, *args)
    if name not in UNSIZED:
        draws_alike(sized, np.int64(3), *args)


def test_every_method_of_a_generator_is_tried() -> None:
    methods = {name for name in dir(np.random.Generator) if not name.startswith('_')}
    others = {'bit_generator', 'bytes', 'permuted', 'random', 'shuffle', 'spawn',
              'standard_cauchy', 'standard_exponential', 'standard_normal'}  # fmt: skip
    assert methods - others == set(PARAMETERS)


def test_options() -> None:
    def f(rng: Any, m: Any) -> Any:
        shuffled = m.copy()
        rng.shuffle(shuffled, axis=1)
        permuted = np.zeros_like(m)
        rng.permuted(m, axis=0, out=permuted)
        whole = (
            rng.integers(0, 10, size=3, dtype=np.int8), rng.integers(0, 2, dtype=bool),
            rng.integers(0, 5, dtype='u8', endpoint=True), rng.integers([1, 5, 10]),
        )  # fmt: skip
        chosen = (
            rng.choice(m, 2, axis=1), rng.choice(m, 2, replace=False, shuffle=False),
            rng.choice([1, 2, 3], size=3), rng.permutation(m, axis=1),
        )  # fmt: skip
        others = (
            rng.standard_exponential(2, method='inv'), rng.standard_cauchy(), rng.random(0),
            rng.standard_gamma(2, size=2, dtype='f4'), rng.normal(size=m.shape),
            rng.normal(size=()),
            rng.multivariate_normal(np.zeros(2), np.eye(2), method='cholesky'),
        )  # fmt: skip
        return shuffled, permuted, whole, chosen, others

    draws_alike(f, np.arange(6.0).reshape(2, 3))


def test_wrong_parameters() -> None:
    def negative(x: Any) -> Any:
        return np.random.default_rng(1).normal(scale=-x)

    def too_many(x: Any) -> Any:
        return x + np.random.default_rng(1).choice(3, 5, replace=False)

    assert differences(negative, X) == []
    assert differences(too_many, X) == []


def test_spawned_generators() -> None:
    def f(rng: Any, x: Any) -> Any:
        one, other = rng.spawn(2)
        (third,) = np.random.SeedSequence(5).spawn(1)
        return one.random(), x + other.normal(size=4), np.random.default_rng(third).random()

    def g(rng: Any, n: Any) -> Any:
        return rng.spawn(n)

    draws_alike(f, X)
    with pytest.raises(ag.errors.StagingError, match='a number of them that is not known'):
        ag.function(g)(np.random.default_rng(1), np.int64(2))


def test_many_numbers() -> None:
    def f(rng: Any) -> Any:
        return rng.normal(0, 1, (300, 200)).sum(), rng.multinomial(3, [0.5, 0.5], 2000)

    draws_alike(f)


def test_a_size_that_is_not_known() -> None:
    @ag.function(input_signature=[ag.TensorSpec([None, 3])])
    def f(x: Any) -> Any:
        rng = np.random.default_rng(1)
        return rng.normal(size=x.shape) + x, rng.normal(size=x.shape[0])

    for n in (2, 5):
        expected = f.python_function(np.ones((n, 3)))
        assert same(expected, f(np.ones((n, 3))))
    assert f.tracing_count == 1


def test_branches_and_loops_draw_as_often_as_python() -> None:
    def f(rng: Any, n: Any) -> Any:
        total = 0.0
        for i in range(n):
            if rng.random() < 0.5:
                total += rng.normal()
            elif i > 1:
                rng.normal(size=2)
            while rng.random() < 0.3:
                total += 1
        return total

    draws_alike(f, np.int64(6))


def test_a_draw_that_nobody_needs_is_made() -> None:
    def f(rng: Any, x: Any) -> Any:
        rng.random()
        rng.normal(size=3)
        return x + 1

    draws_alike(f, X)


def test_shuffling() -> None:
    def f(rng: Any, x: Any) -> Any:
        y = x.copy()
        rng.shuffle(y)
        z = np.zeros(4)
        rng.random(out=z)
        return y, rng.permutation(x), rng.permutation(4), rng.permuted(x), z

    draws_alike(f, X)


def test_shuffling_in_a_loop() -> None:
    def f(rng: Any, x: Any, n: Any) -> Any:
        y = x.copy()
        for _ in range(n):
            rng.shuffle(y)
        return y

    draws_alike(f, X, np.int64(3))


def test_a_list_is_not_shuffled_while_tracing() -> None:
    def f(rng: Any, x: Any) -> Any:
        items = [1, 2, 3]
        rng.shuffle(items)
        return x + items[0]

    with pytest.raises(ag.errors.StagingError, match=r'shuffles what is no array'):
        ag.function(f)(np.random.default_rng(1), X)


def test_a_generator_made_inside() -> None:
    def f(x: Any, n: Any) -> Any:
        rng = np.random.default_rng(7)
        other = np.random.Generator(np.random.PCG64(3))
        old = np.random.RandomState(4)
        total = x
        for _ in range(n):
            total = total + rng.normal(size=4) + other.random() + old.rand(4)
        return total, rng.integers(10), other.integers(10), old.randint(10)

    check(f, (X, np.int64(3)), (X, np.int64(0)))


def test_a_seed_that_is_a_tensor() -> None:
    def f(seed: Any) -> Any:
        return np.random.default_rng(seed).normal(size=3)

    check(f, (np.int64(3),), (np.int64(4),))


def test_a_generator_in_a_branch() -> None:
    def f(x: Any) -> Any:
        if x[0] > 1:
            rng = np.random.default_rng(1)
        else:
            rng = np.random.default_rng(2)
        return x + rng.normal(size=4), isinstance(rng, np.random.Generator)

    check(f, (X,), (-X,))


def test_a_generator_from_outside() -> None:
    rng = np.random.default_rng(3)

    class Model:
        def __init__(self) -> None:
            self.rng = np.random.default_rng(3)

        def noisy(self, x: Any) -> Any:
            return x + self.rng.normal(size=4), self.helper(x)

        def helper(self, x: Any) -> Any:
            return self.rng.choice(x)

    def closed(x: Any) -> Any:
        draw = rng.normal
        return x + draw(size=4), rng.choice(x)

    closed_graph, method_graph = ag.function(closed), ag.function(Model().noisy)
    model = Model()
    for _ in range(3):
        assert same(model.noisy(X), closed_graph(X))
    model = Model()
    for _ in range(3):
        assert same(model.noisy(X), method_graph(X))


def test_the_functions_of_numpy_random() -> None:
    def f(x: Any, n: Any) -> Any:
        np.random.seed(5)
        y = x.copy()
        np.random.shuffle(y)
        total = np.random.rand(4) + np.random.randn(4) + np.random.normal(x)
        for _ in range(n):
            total = total + np.random.random() + np.random.uniform(-1, 1, size=4)
        return y, total, np.random.randint(3), np.random.choice(x, 2), np.random.permutation(x)

    check(f, (X, np.int64(2)))


def test_tracing_draws_nothing() -> None:
    def f(rng: Any, x: Any) -> Any:
        return x + rng.normal(size=4) + np.random.rand(4)

    rng = np.random.default_rng(1)
    np.random.seed(1)
    ag.function(f).get_concrete_function(rng, X)
    assert rng.random() == np.random.default_rng(1).random()
    assert np.random.rand() == np.random.RandomState(1).rand()


def test_the_code_is_what_the_user_wrote() -> None:
    def f(rng: Any, x: Any) -> Any:
        other = np.random.default_rng(7)
        return x + rng.normal(size=4) + other.normal() + np.random.rand(4)

    assert 'ag.' not in ag.to_code(f)


def test_what_a_graph_cannot_hold() -> None:
    raw = np.random.PCG64(1)

    def f(x: Any) -> Any:
        return x + raw.random_raw()

    with pytest.raises(ag.errors.StagingError), warnings.catch_warnings():
        ag.function(f)(X)


def test_the_state_of_all_draws_is_not_read() -> None:
    def f(x):
        state = np.random.get_state()
        np.random.set_state(state)
        return x

    with pytest.raises(ag.errors.StagingError, match='get_state'):
        ag.function(f)(np.ones(2))
