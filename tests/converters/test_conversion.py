"""`to_code`, `to_graph`, `convert`, `do_not_convert`: what they take, give and refuse."""
from __future__ import annotations

import functools
import gc
import threading
import traceback
import weakref

import numpy as np
import pytest
from defining import define

import autograph_lite as ag
from autograph_lite.errors import ConversionError, SourceNotFoundError


def sign(x):
    """One, or zero."""
    if x > 0:
        return 1
    return 0


class Scaler:
    rate = 3

    def __init__(self, scale):
        self.scale = scale

    def scaled(self, x):
        return x * self.scale if x > 0 else x

    def __call__(self, x):
        return self.scaled(x) if x > 1 else x

    @staticmethod
    def fixed(x):
        return -x if x > 0 else x

    @classmethod
    def rated(cls, x):
        return x * cls.rate if x > 0 else x

    def __private(self, x):
        return x + self.scale if x > 0 else x

    def privately(self, x):
        return self.__private(x) if x > 0 else x


class Child(Scaler):
    def scaled(self, x):
        y = x
        for _ in range(2):
            if y > 0:
                y = super().scaled(y)
        return y


def logged(f):
    @functools.wraps(f)
    def wrapper(*args):
        result = f(*args)
        return (result, 'logged') if result > 0 else (result,)

    return wrapper


@logged
def decorated(x):
    return x if x > 1 else -x


# What it prints.


def test_a_function():
    assert ag.to_code(sign) == (
        'def sign(x):\n'
        '    """One, or zero."""\n'
        '    return ag.cond(x > 0, lambda: 1, lambda: 0)')


def test_a_lambda():
    assert ag.to_code(lambda x: x if x > 0 else -x) == (
        'lambda x: ag.cond(x > 0, lambda: x, lambda: -x)')


def test_a_decorated_function_without_its_decorators():
    assert ag.to_code(decorated) == (
        'def decorated(x):\n    return ag.cond(x > 1, lambda: x, lambda: -x)')


@pytest.mark.parametrize(
    'function', [
        Scaler(2).scaled, Scaler.scaled, functools.partial(Scaler(2).scaled, 3),
        ag.convert(Scaler.scaled), ag.function(Scaler.scaled)])
def test_what_stands_for_a_function(function):
    assert ag.to_code(function).startswith('def scaled(self, x):')


def test_a_callable_object():
    assert ag.to_code(Scaler(2)).startswith('def __call__(self, x):')


def test_another_use_of_the_name_ag():
    def f(ag):
        """Documented."""
        return ag if ag > 0 else -ag

    text = (
        'def f(ag):\n'
        '    """Documented."""\n'
        '    import autograph_lite as ag_1\n'
        '    return ag_1.cond(ag > 0, lambda: ag, lambda: -ag)')
    assert ag.to_code(f) == text
    assert define(text)(-2) == ag.to_graph(f)(-2) == 2


# What runs.


def test_methods():
    scaler = Scaler(2)
    for method in (
        scaler.scaled, scaler.fixed, Scaler.fixed, scaler.rated, Scaler.rated, scaler.privately,
        Child(3).scaled, scaler, functools.partial(scaler.scaled),
    ):
        for x in (3, -3):
            assert ag.to_graph(method)(x) == method(x)


def test_it_has_everything_of_the_original():
    def f(a: int, /, b: float = 2.0, *c, d=3, **e) -> float:
        """Documented."""
        return a + b + d if a > 0 else b

    f.attribute = [1]
    converted = ag.to_graph(f)
    for name in ('__name__', '__qualname__', '__doc__', '__module__', '__defaults__',
                 '__kwdefaults__', '__annotations__', 'attribute'):
        assert getattr(converted, name) == getattr(f, name)
    assert converted.__globals__ is f.__globals__
    assert converted(1) == f(1)
    with pytest.raises(TypeError, match='missing 1 required positional argument'):
        converted()


def test_closures_are_shared():
    n = 1

    def f(x):
        nonlocal n
        if x > 0:
            n = n + x
        return n

    converted = ag.to_graph(f)
    assert converted(2) == n == 3
    n = 10
    assert converted(-1) == 10


def test_functions_that_share_their_code():
    def make(g):
        return lambda x: g(x) if x > 0 else x

    makers = [make(g) for g in (np.negative, sign, abs)]
    assert [ag.to_graph(f)(4) for f in makers] == [-4, 1, 4]


def test_a_wrapper_is_converted_itself():
    assert ag.to_graph(decorated)(3) == (3, 'logged')
    assert ag.to_graph(decorated)(-3) == decorated(-3)


def test_decorators():
    class Model:
        @ag.convert
        def step(self, x):
            return x if x > 0 else -x

        @ag.convert
        @staticmethod
        def fixed(x):
            return x if x > 0 else 0

        @staticmethod
        @ag.do_not_convert
        def kept(x):
            return x

    model = Model()
    assert (model.step(-2), model.fixed(-2), model.kept(-2)) == (2, 0, -2)
    assert Model.step.__name__ == 'step'

    def f(x):
        return kept(x) + other(x)

    @ag.do_not_convert
    def kept(x):
        return x

    def other(x):
        return x

    assert ag.to_code(f).endswith('return kept(x) + ag.call(other, x)')


def test_tracebacks_show_the_source():
    def f(x):
        if x > 0:
            return x
        y = 1 / x
        return y

    with pytest.raises(ZeroDivisionError) as caught:
        ag.to_graph(f)(0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.line) == (__file__, 'y = 1 / x')


def test_many_threads():
    text = 'def f(x):\n    if x > {0}:\n        return x\n    return {0}\n'
    functions = [define(text.format(i)) for i in range(20)]
    results = []

    def work():
        results.append([ag.to_graph(f)(7) for f in functions])

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[f(7) for f in functions]] * 8


def test_nothing_is_kept_alive():
    def make():
        def f(x):
            return x if x > 0 else -x

        assert ag.to_graph(f)(-1) == 1
        return weakref.ref(f)

    reference = make()
    gc.collect()
    assert reference() is None


# What is refused.


@pytest.mark.parametrize(
    ('wrong', 'message'), [
        (len, 'len is not written in Python'),
        (Scaler, 'Scaler is a class'),
        (3, '3 is not callable'),
        (np.sin, 'is not written in Python'),
    ])
@pytest.mark.parametrize('use', [ag.to_code, ag.to_graph, ag.convert])
def test_what_is_no_function(use, wrong, message):
    with pytest.raises(ConversionError, match=message):
        use(wrong)


def test_a_generator():
    def f(xs):
        for x in xs:
            yield -x

    with pytest.raises(ConversionError) as caught:
        ag.to_code(f)
    assert isinstance(caught.value, NotImplementedError)
    line = f.__code__.co_firstlineno + 2
    assert str(caught.value) == (
        '`yield` does not convert.\n'
        f'  File "{__file__}", line {line}, in f\n'
        '    yield -x\n'
        '    ^^^^^^^^\n'
        'Collect the values in a list and return it, or mark the function @ag.do_not_convert.')


def test_a_coroutine():
    async def f(x):
        return x

    with pytest.raises(ConversionError, match='`async def` does not convert'):
        ag.to_graph(f)


def test_a_function_without_source():
    names = {}
    exec('def f(x):\n    return x', names)
    with pytest.raises(SourceNotFoundError, match='The source of f '):
        ag.to_code(names['f'])
