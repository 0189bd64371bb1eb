"""How generated trees are laid out."""
import ast
import sys

import gast
import pytest
from pyct.layouts import Function, generated, text

from autograph_lite.pyct.parser import parse_statements
from autograph_lite.pyct.unparser import fits, unparse


class TestGenerated:
    @pytest.mark.parametrize('code', [
        'x = 1', 'x = y = 1', 'x, y = y, x', '(x, y), *z = a', 'x = (1, 2), 3', 'x = (1,)',
        'x = ()',
        'x += 1', 'x @= y, z', 'x: int', 'x: int = 3', '(x): int = 3', 'x.y: int', 'return',
        'return x',
        'return x, y', 'return (x,)', 'return *x, y', 'del x, y[0]', 'del (x, y)', 'pass',
        'assert x', 'assert x, (y, z)', 'raise', 'raise A', 'raise A from b', 'global x, y',
        'nonlocal x', 'import a', 'import a.b as c, d', 'from . import a',
        'from ..b import c as d, e',
        'from a import *', 'f(x)', 'f(*x, y, z=1, **w)', 'f(x for x in y)', 'f((x for x in y), z)',
        'f(x for x in y).z', '(f or g)(x for x in y)', "'a string'", 'x, y', 'await x',
        '(yield)', 'x = (yield y)', 'lambda: 0', 'lambda x, /, y=1, *z, w, **v: 0',
        '[x for x, y in z if x if y]', '[x for x, in z]', '{x: y async for x in z}',
        '[lambda: x for x in y]', 'x[1:2, ::3]', 'x[y, z]', 'x[()]', 'x if y else z', 'not x',
        '(x := 1)', '-x ** (-y)', 'x < y <= z', 'x is not y', "f'{x!r:>{y}} {z}'", 'x = 1e309',
    ])
    def test_simple_statements(self, code):
        assert generated(code) == code

    @pytest.mark.parametrize('code', [
        'if x:\n    pass',
        'if x:\n    pass\nelse:\n    y',
        'if x:\n    pass\nelif y:\n    z\nelif w:\n    v\nelse:\n    u',
        'while x:\n    pass\nelse:\n    y',
        'for x, y in z, w:\n    pass\nelse:\n    v',
        'async for x in y:\n    pass',
        'with x as y, z:\n    pass',
        'with x as (y, z):\n    pass',
        'async with x:\n    pass',
        'try:\n    x\nexcept A:\n    y\nexcept (B, C) as d:\n    z\nexcept:\n    w\nelse:\n    v\n'
        'finally:\n    u',
        'def f():\n    pass',
        'async def f():\n    pass',

        '@a\n@b(c)\ndef f(x, /, y: int, z: int = 1, w=2, *v: str, u, t=3, **s) -> (r, q):\n'
        '    pass',
        'def f(*, x):\n    pass',
        "def f():\n    '''doc'''",
        'class A:\n    pass',
        '@a\nclass A(B, *c, metaclass=D):\n    x = 1',
        'match x:\n    case 1 | None:\n        y\n    case [a, *_] if b:\n        z\n'
        "    case {'k': 1, **rest}:\n        w\n    case A(b, c=1) as d:\n        v\n"
        '    case _:\n        u',
        'match x, y:\n    case -1:\n        pass',
    ])
    def test_compound_statements(self, code):
        assert generated(code) == code.replace("'''", '"""')

    @pytest.mark.skipif(sys.version_info < (3, 11), reason='no exception groups')
    def test_exception_groups(self):
        code = 'try:\n    x\nexcept* A as b:\n    y\nexcept* C:\n    z'
        assert generated(code) == code

    @pytest.mark.skipif(sys.version_info < (3, 12), reason='no type parameters')
    @pytest.mark.parametrize('code', [
        'type X = int',
        'type X[T] = list[T]',
        'def f[T: int, *Ts, **P](x: T) -> T:\n    pass',
        'class A[T: (int, str)](B):\n    pass',
    ])
    def test_type_parameters(self, code):
        assert generated(code) == code

    @pytest.mark.skipif(sys.version_info < (3, 13), reason='no defaults of type parameters')
    def test_defaults_of_type_parameters(self):
        code = 'class A[T = int, *Ts = B, **P = C]:\n    pass'
        assert generated(code) == code

    def test_docstrings(self):
        code = text("""
            def f():
                '''First line.

                Second "line".
                '''
            """)
        printed = generated(code)
        assert printed == code.replace("'''", '"""')
        assert ast.get_docstring(ast.parse(printed).body[0], clean=False) == ast.get_docstring(
            ast.parse(code).body[0], clean=False)

    def test_blank_lines_around_definitions(self):
        assert generated('''
            def f():
                def first():
                    pass
                x = 1
                def second():
                    pass
                def third():
                    pass
                y = 2
                class Last:
                    pass
            ''') == text('''
            def f():

                def first():
                    pass

                x = 1

                def second():
                    pass

                def third():
                    pass

                y = 2

                class Last:
                    pass
            ''')

    def test_trees_of_either_kind(self):
        code = 'try:\n    x\nexcept A as b:\n    y'
        assert unparse(ast.parse(code)).text == unparse(gast.parse(code)).text == code
        assert unparse(ast.parse('x + 1', mode='eval')).text == 'x + 1'
        assert unparse(ast.parse('lambda x: x').body[0].value).text == 'lambda x: x'
        assert unparse([]).text == unparse(ast.parse('')).text == ''


class TestLongLines:
    def test_a_call_is_broken_after_its_parenthesis(self):
        code = 'x = function(aaaaaaaaaa, bbbbbbbbbb, *cccccccccc, d=dddddddddd)'
        assert generated(code, 32) == text('''
            x = function(
                aaaaaaaaaa, bbbbbbbbbb,
                *cccccccccc, d=dddddddddd)
            ''')

    def test_the_last_character_counts(self):
        code = 'return f(x, y)'
        assert generated(code, len(code)) == code
        assert generated(code, len(code) - 1) == 'return f(\n    x, y)'
        nested = generated(f'if x:\n    {code}', len(code) + 3)
        assert nested == 'if x:\n    return f(\n        x, y)'

    def test_several_values_are_put_in_parentheses(self):
        assert generated('return aaaaaaaaaa, bbbbbbbbbb', 20) == (
            'return (\n    aaaaaaaaaa,\n    bbbbbbbbbb)')
        assert generated('aaaaaaaaaa, bbbbbbbbbb = f', 21) == (
            '(\n    aaaaaaaaaa,\n    bbbbbbbbbb) = f')

    def test_parameters(self):
        code = 'def f(aaaaaaaaaa, bbbbbbbbbb, cccccccccc) -> int:\n    pass'
        assert generated(code, 32) == text('''
            def f(
                    aaaaaaaaaa, bbbbbbbbbb,
                    cccccccccc) -> int:
                pass
            ''')

    @pytest.mark.parametrize('code', [
        'x = aaaaaaaaaa + bbbbbbbbbb', 'if aaaaaaaaaa(bbbbbbbbbb):\n    pass',
        'x = aaaaaaaaaaaaaaaaaaaaaa()'])
    def test_other_statements_are_not_broken(self, code):
        assert generated(code, 16) == code

    def test_what_is_broken_is_the_same_tree(self):
        code = 'x, y = f(a, b, c=d)\nreturn x,\nreturn x, y\ndef f(a, b, *, c):\n    return f(1,)'
        for width in range(1, 30):
            assert ast.dump(ast.parse(generated(code, width))) == ast.dump(ast.parse(code))

    def test_fits(self):
        statement, = parse_statements('x = f(a, b)')
        assert fits(statement, 0, 11)
        assert not fits(statement, 0, 10)
        assert not fits(statement, 1, 11)
        assert not fits(parse_statements('if x:\n    y')[0], 0)

    def test_fits_as_the_user_wrote_it(self):
        function = Function('def f(x):\n    x = 0xffff')
        assert fits(function.tree.body[0], 0, 9)
        assert not fits(function.tree.body[0], 0, 9, function.source)
