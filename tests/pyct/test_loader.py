import functools
import inspect
import sys
import traceback

import gast
import pytest

from autograph_lite.pyct.loader import compile_function, load_function, make_function
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_expression, parse_function, parse_statements

SCALE = 10


def loaded(f, change=None, **extra):
    """The function, compiled from its tree after a change."""
    parsed = parse_function(f)
    if change is not None:
        change(parsed.node)
    return load_function(parsed.node, f, parsed.source, extra)


def keep(f):
    return f


@keep
@keep
def documented(x: int, y: 'float' = 2.5, *more, z: bool = True, **rest) -> dict:
    """Documented."""
    return x, y, more, z, rest


documented.tag = ['a tag']


def test_it_looks_like_the_original():
    new = loaded(documented)
    assert new is not documented
    for name in ('__name__', '__qualname__', '__module__', '__doc__', '__defaults__',
                 '__kwdefaults__', '__annotations__', '__dict__'):
        assert getattr(new, name) == getattr(documented, name)
    assert new.__globals__ is documented.__globals__
    assert new.__defaults__[0] is documented.__defaults__[0]
    assert new.tag is documented.tag
    assert inspect.signature(new) == inspect.signature(documented)
    assert new(1, 2, 3, z=4, w=5) == documented(1, 2, 3, z=4, w=5)
    for name in ('co_name', 'co_filename', 'co_firstlineno', 'co_varnames', 'co_code'):
        assert getattr(new.__code__, name) == getattr(documented.__code__, name)
    assert list(new.__code__.co_lines()) == list(documented.__code__.co_lines())
    assert inspect.getsource(new) == inspect.getsource(documented)


@pytest.mark.skipif(sys.version_info < (3, 11), reason='code objects have no columns')
def test_columns():
    assert list(loaded(documented).__code__.co_positions()) == list(
        documented.__code__.co_positions())


def counter():
    count, step = 0, 1

    def increase():
        nonlocal count
        count += step
        return count

    def set_step(new):
        nonlocal step
        step = new

    return increase, set_step


def test_cells_are_shared():
    increase, set_step = counter()
    new = loaded(increase)
    assert all(a is b for a, b in zip(new.__closure__, increase.__closure__, strict=True))
    assert [increase(), new(), increase()] == [1, 2, 3]
    set_step(10)
    assert [new(), increase()] == [13, 23]


def test_fewer_free_variables():
    def change(tree):
        tree.body = parse_statements('return 5')

    increase, _ = counter()
    new = loaded(increase, change)
    assert new.__closure__ is None
    assert new() == 5


def use_scale(x):
    return x * SCALE


def test_more_free_variables_are_given_without_touching_globals():
    def change(tree):
        tree.body = parse_statements(
            'def inner(y):\n    return ag(y) + SCALE\nreturn inner(x) + other')

    new = loaded(use_scale, change, ag=lambda y: y * 100, other=3)
    assert new(2) == 213
    assert 'ag' not in globals()
    assert new.__globals__ is globals()


def test_a_given_name_hides_a_global_in_this_function_only():
    assert loaded(use_scale, SCALE=2)(5) == 10
    assert use_scale(5) == 50


def test_a_variable_without_a_value_yet():
    def later():
        return value

    new = loaded(later)
    with pytest.raises(NameError, match='value'):
        new()
    value = 3
    assert new() == 3


def factorial(n):
    return 1 if n == 0 else n * factorial(n - 1)


def test_a_function_that_calls_itself_finds_the_original():
    assert loaded(factorial)(5) == 120
    new = loaded(factorial)
    new.__globals__['factorial'], old = (lambda n: 1000), factorial
    try:
        assert new(5) == 5000
    finally:
        new.__globals__['factorial'] = old


class Base:
    def area(self):
        return 1


class __Shape(Base):
    """A class with a name that begins with underscores."""

    def __init__(self):
        self.__size = 3

    def area(self, __factor=2):
        return super().area() + self.__size * __factor

    def kind(self):
        return __class__.__name__

    def sizes(self):
        return [self.__size for _ in range(2)]


def test_methods():
    shape = __Shape()
    assert loaded(__Shape.area)(shape) == shape.area() == 7
    assert loaded(shape.kind)(shape) == '__Shape'
    assert loaded(__Shape.sizes)(shape) == [3, 3]
    assert inspect.signature(loaded(__Shape.area)) == inspect.signature(__Shape.area)


class Named:
    rate = 3

    def of_its_class(self):
        return Named.rate


def test_a_method_that_names_its_class():
    assert loaded(Named.of_its_class)(Named()) == 3


def test_a_decorated_function_without_its_decorator():
    @functools.wraps(use_scale)
    def wrapper(x):
        return -use_scale(x)

    new = loaded(wrapper)
    assert new(2) == 20
    assert not hasattr(new, '__wrapped__')


def test_lambdas():
    offset = 2
    first, second = (lambda x, y=3: x + y + offset), (lambda x: x * offset)
    assert loaded(first)(1) == 6
    assert loaded(second)(4) == 8
    offset = 10
    assert loaded(second)(4) == 40
    assert loaded(first).__qualname__ == 'test_lambdas.<locals>.<lambda>'

    def change(tree):
        tree.body = parse_expression('ag(x)')

    assert loaded(second, change, ag=str)(4) == '4'


def test_a_lambda_that_became_a_def():
    f = lambda x: x + 1  # noqa: E731
    parsed = parse_function(f)
    body = [located(gast.Return(parsed.node.body), parsed.node)]
    tree = located(
        gast.FunctionDef('f', parsed.node.args, body, [], None, None, []), parsed.node)
    new = load_function(tree, f, parsed.source)
    assert new(1) == 2
    assert new.__name__ == new.__code__.co_name == '<lambda>'


def fails(x):
    y = 0

    def inner():
        return x / y

    return inner()


def test_tracebacks_show_the_users_lines():
    def change(tree):
        inner = tree.body[1].body
        inner[:0] = located(parse_statements('a = 1\nb = a'), inner[0])

    new = loaded(fails, change)
    first = fails.__code__.co_firstlineno
    with pytest.raises(ZeroDivisionError) as caught:
        new(1)
    frames = traceback.extract_tb(caught.value.__traceback__)[1:]
    assert [(frame.filename, frame.lineno, frame.name) for frame in frames] == [
        (__file__, first + 6, 'fails'), (__file__, first + 4, 'inner')]
    assert frames[1].line == 'return x / y'


def maker():
    class Thing:
        def method(self):
            return lambda: 1

    def function():
        return 1

    return Thing, function


def test_qualified_names_of_what_is_defined_inside():
    new_thing, new_function = loaded(maker)()
    thing, function = maker()
    assert new_thing.__qualname__ == thing.__qualname__ == 'maker.<locals>.Thing'
    assert new_function.__qualname__ == function.__qualname__
    assert new_thing.method.__qualname__ == thing.method.__qualname__
    assert new_thing().method().__qualname__ == thing().method().__qualname__


def test_the_features_of_the_future_that_the_file_has(define):
    names = define('''
        from __future__ import annotations
        def f():
            def g(x: not_defined): pass
            return g
        ''')
    assert loaded(names.f)().__annotations__ == {'x': 'not_defined'}


@pytest.mark.skipif(sys.version_info < (3, 12), reason='no type parameters')
def test_type_parameters(define):
    f = define('def f[T: int](x: T) -> list[T]:\n    return [T, x]').f
    new = loaded(f)
    assert new(1) == f(1)
    assert new.__type_params__ == f.__type_params__
    assert new.__annotations__ == f.__annotations__


def test_what_the_user_sets_later():
    def f(x=1):
        return x

    new = loaded(f)
    new.__defaults__ = (2,)
    assert (f(), new()) == (1, 2)


def test_code_is_compiled_once_for_functions_that_differ_in_their_closures():
    def scaled_by(factor):
        def scaled(x):
            return x * factor

        return scaled

    double, triple = scaled_by(2), scaled_by(3)
    parsed = parse_function(double)
    parsed.node.body = parse_statements('return ag(x * factor)')
    code = compile_function(parsed.node, double, parsed.source, ['ag'])
    assert make_function(code, double, {'ag': str})(5) == '10'
    assert make_function(code, triple, {'ag': int})(5) == 15


def test_generated_functions_are_called_what_encloses_them():
    def change(tree):
        helper, result = located(
            parse_statements('def helper():\n    return y\nreturn helper()'), tree.body[0])
        tree.body = [helper, result]

    with pytest.raises(NameError) as caught:
        loaded(use_scale, change)(1)
    frames = traceback.extract_tb(caught.value.__traceback__)[1:]
    assert [frame.name for frame in frames] == ['use_scale', 'use_scale']
