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
from differential import check

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


def test_a_decorated_function_with_its_decorator():
    assert ag.to_code(decorated) == (
        '@logged\ndef decorated(x):\n    return ag.cond(x > 1, lambda: x, lambda: -x)')


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
        (len, 'not written in Python'),
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
        'Collect the values in a list and return it, or mark it @ag.do_not_convert and call it '
        'elsewhere.')


def test_a_coroutine():
    async def f(x):
        return x

    with pytest.raises(ConversionError, match='`async def` does not convert'):
        ag.to_graph(f)


def test_a_function_without_source():
    names = {}
    exec(compile('def f(x):\n    return x', '<nowhere>', 'exec'), names)
    for use in (ag.to_code, ag.to_graph, ag.convert):
        with pytest.raises(SourceNotFoundError, match='The source of f '):
            use(names['f'])


def test_what_is_left_as_it_is_anyway():
    assert ag.do_not_convert(len) is len
    for wrong in (None, 3, property(len)):
        with pytest.raises(TypeError, match=r'ag\.do_not_convert needs a function; .* is not call'):
            ag.do_not_convert(wrong)


# What is not converted in the function itself.


def with_a_function_left_as_it_is(n, x):
    @ag.do_not_convert
    def doubled(n):
        for i in range(n):
            if i != 1:
                yield 2 * i

    kept = ag.do_not_convert(lambda y: 3 if n > 2 else 4)
    for i in doubled(n):
        x = x + i
    return x + kept(x) if x > 0 else x


def test_a_nested_function_that_is_left_as_it_is():
    check(with_a_function_left_as_it_is, (4, np.float64(1)), (4, np.float64(-20)))
    code = ag.to_code(with_a_function_left_as_it_is)
    assert '                yield 2 * i\n' in code
    assert 'lambda y: 3 if n > 2 else 4' in code


def adding(amount):
    def decorator(f):
        @functools.wraps(f)
        def added(x):
            return f(x) + amount

        return added

    return decorator


@ag.function
@adding(100)
@ag.convert
def raised(x):
    return x if x > 0 else -x


@functools.cache
def cached(x):
    return x if x > 0 else -x


def test_a_decorator_that_calls_is_shown():
    assert ag.to_code(raised) == (
        '@adding(100)\ndef raised(x):\n    return ag.cond(x > 0, lambda: x, lambda: -x)')
    names = {'ag': ag, 'adding': adding}
    exec(ag.to_code(raised), names)
    assert names['raised'](-2) == raised(-2) == raised(np.float64(-2)) == 102


def test_a_cached_function_is_the_one_it_caches():
    assert ag.to_code(cached) == (
        'def cached(x):\n    return ag.cond(x > 0, lambda: x, lambda: -x)')
    assert ag.function(cached)(np.float64(-2)) == 2.0


class WithStatic:
    @staticmethod
    def largest(x):
        return x.max() if x.sum() > 0 else x.min()


def test_the_first_parameter_of_a_static_method_is_one_like_others():
    assert ag.to_code(WithStatic.largest) == (
        'def largest(x):\n    return ag.cond(x.sum() > 0, lambda: x.max(), lambda: x.min())')


def test_the_package_may_be_known_in_the_function_only():
    import autograph_lite as ag

    @ag.function
    def printed(x):
        x = x + ag.constant(0)
        return x if x > 0 else -x

    @ag.function
    def converted_inside(x):
        @ag.convert
        def positive(x):
            return x if x > 0 else -x

        return positive(x) + ag.to_graph(lambda x: x if x > 0 else 1)(x)

    for x in (np.float64(-2), np.float64(2)):
        assert printed(x) == 2
        assert converted_inside(x) == 2 + (x if x > 0 else 1)


def test_a_function_behind_what_is_not_written_in_python():
    assert ag.to_code(np.mean) == ag.to_code(np.mean.__wrapped__)


def _calling(f):
    def call(x):
        return f(x)

    return call


def test_convert_keeps_what_a_call_is_bound_to():
    def less(a, b=2):
        return a - b if a > 0 else b

    class Scale:
        factor = 3

        def times(self, x):
            return x * self.factor if x > 0 else x

        @classmethod
        def made(cls, x):
            return x * cls.factor

        def __call__(self, x):
            return self.times(x)

    scale = Scale()
    for f in (
        functools.partial(less, 10), functools.partial(less, b=4), scale.times, Scale.made, scale,
    ):
        converted = ag.convert(f)
        assert converted(3) == f(3)
        check(_calling(converted), (np.int64(3),), (np.int64(5),))


def test_a_converted_function_is_converted_for_the_trace_that_calls_it():
    rates = {'rate': 2}

    @ag.convert
    def rated(x):
        return x * rates['rate'] if x > 0 else x

    @ag.function
    def twice(x):
        return rated(rated(x))

    assert twice(np.float64(1)) == 4
    rates['rate'] = 5
    assert twice(np.float64(1)) == 25


def test_who_asks_for_a_conversion_gets_it():
    @ag.do_not_convert
    def size(x):
        if x > 0:
            return x
        return -x

    for asked in ag.convert, ag.function:
        check(_calling(asked(size)), (np.float64(-1),), (np.float64(2),))
