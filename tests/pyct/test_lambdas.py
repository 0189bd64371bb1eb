"""Of several lambdas on one line, each is found."""
import linecache

import pytest

from autograph_lite.errors import SourceNotFoundError
from autograph_lite.pyct import lambdas
from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.unparser import unparse

SCALE = 3


def printed(f):
    parsed = parse_function(f)
    return unparse(parsed.node, parsed.source).text


@pytest.fixture(params=['by position', 'by code'])
def way(request, monkeypatch):
    """Both ways to tell lambdas apart, also on the versions that need only one."""
    if request.param == 'by code':
        monkeypatch.setattr(lambdas, '_at_positions', lambda places, code: [])


@pytest.mark.usefixtures('way')
class TestSeveralOnOneLine:
    def test_that_differ_in_code(self):
        fs = [lambda x: x + 1, lambda x: x - 1, lambda y: y + 1, lambda: 1, lambda: 2, lambda: 1.0]
        assert [printed(f) for f in fs] == [
            'lambda x: x + 1', 'lambda x: x - 1', 'lambda y: y + 1', 'lambda: 1', 'lambda: 2',
            'lambda: 1.0']

    def test_that_differ_in_parameters(self):
        fs = [lambda x: 0, lambda *x: 0, lambda **x: 0, lambda x, /: 0, lambda *, x: 0]
        assert [printed(f) for f in fs] == [
            'lambda x: 0', 'lambda *x: 0', 'lambda **x: 0', 'lambda x, /: 0', 'lambda *, x: 0']

    def test_that_differ_in_defaults(self):
        fs = [lambda x=1: x, lambda x=1.0: x, lambda x='b': x, lambda *, x=3: x]
        assert [printed(f) for f in fs] == [
            'lambda x=1: x', 'lambda x=1.0: x', "lambda x='b': x", 'lambda *, x=3: x']

    def test_inside_each_other(self):
        outer, = [lambda: (lambda: (lambda: 7))]
        assert printed(outer) == 'lambda: (lambda: (lambda: 7))'
        assert printed(outer()) == 'lambda: (lambda: 7)'
        assert printed(outer()()) == 'lambda: 7'

    def test_with_free_variables(self):
        a, b = 1, 2
        fs = [lambda: a, lambda: b, lambda: SCALE]
        assert [printed(f) for f in fs] == ['lambda: a', 'lambda: b', 'lambda: SCALE']

    def test_in_defaults_and_decorators(self):
        def keep(f):
            return lambda g: (f, g)

        @keep(lambda x: x + 1)
        def pair(f=lambda x: x + 2, g=lambda x: x + 3):
            return None

        decorator, function = pair
        assert printed(decorator) == 'lambda x: x + 1'
        assert [printed(f) for f in function.__defaults__] == [
            'lambda x: x + 2', 'lambda x: x + 3']
        outer = lambda x, f=lambda y: y * 2: f(x)  # noqa: E731
        assert printed(outer) == 'lambda x, f=lambda y: y * 2: f(x)'
        assert printed(outer.__defaults__[0]) == 'lambda y: y * 2'

    def test_that_span_lines(self):
        fs = [lambda x: [x,
                         1], lambda x: [x,
                                        2]]
        assert [printed(f) for f in fs] == ['lambda x: [x, 1]', 'lambda x: [x, 2]']

    def test_in_a_class(self):
        class Model:
            one, other = (lambda self: self.__a), (lambda self: self.__b)

        assert printed(Model.one) == 'lambda self: self.__a'
        assert printed(Model.other) == 'lambda self: self.__b'
        assert parse_function(Model.one).enclosing_class == 'Model'

    def test_in_several_statements(self, define):
        names = define('f = lambda: 1; g = lambda: 2\n')
        assert printed(names.f) == 'lambda: 1'
        assert printed(names.g) == 'lambda: 2'

    def test_that_are_the_same(self):
        fs = [lambda x: x, lambda x: x]
        assert [printed(f) for f in fs] == ['lambda x: x'] * 2


def test_a_lambda_that_is_not_there_any_more():
    names = {}
    exec(compile('f = lambda x: x.a', '<gone>', 'exec'), names)
    linecache.cache['<gone>'] = 0, None, ['f = [lambda x: x.b, lambda x: x.c]\n'], '<gone>'
    try:
        with pytest.raises(SourceNotFoundError, match='<lambda>'):
            parse_function(names['f'])
    finally:
        linecache.cache.pop('<gone>')
