"""What the user wrote is printed as the user wrote it."""
import ast
import textwrap

import gast
import pytest
from pyct.layouts import Function, text

from autograph_lite.pyct.expressions import one_line
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_expression
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import to_gast
from autograph_lite.pyct.unparser import unparse


class TestTheUsersText:
    @pytest.mark.parametrize('line', [
        'x  =  1e-6', 'x = "text"', 'x = 0xff + 1_000', "x = 'a' \"b\"", 'x = f"{a} {b!r}"',
        'x=[1,2]', 'x = (a + b)', 'x = a**2', 'x = rb"\\d"', 'a = 1.', 'x = (yield)', 'del(x)',
        'assert(x)', 'x = "größe", y', 'return(x)', 'from a import (b, c)', 'x : int=3',
    ])
    def test_a_simple_statement_stays_as_it_is(self, line):
        code = f'def f():\n    {line}'
        assert Function(code).text == code

    @pytest.mark.parametrize('head', [
        'for i in (1, 2):', 'if(x):', 'while x :', 'with (a as b, c as d):',
        'with open( "f" ) as f:', 'def g(x = 1):', 'def g( ):', 'class A():', 'if (y := x) > 1:',
        'try :\n        pass\n    except(A):', 'match x :\n        case 1:',
    ])
    def test_the_head_of_a_compound_statement_stays_as_it_is(self, head):
        depth = 12 if head.startswith('match') else 8
        code = f'def f():\n    {head}\n{" " * depth}pass'
        assert Function(code).text == code

    def test_parts_of_a_changed_statement_stay_as_they_are(self):
        function = Function('''
            def f(x):
                y = g(x**2, "a", 1e-6, [a,b], lambda x : x, a  if b else c, -x, x<1, not  x)
            ''')
        function.tree.body[0].value.func = located(parse_expression('ag.h'), function.tree.body[0])
        assert function.text == text('''
            def f(x):
                y = ag.h(x**2, "a", 1e-6, [a,b], lambda x : x, a  if b else c, -x, x<1, not  x)
            ''')

    @pytest.mark.parametrize(('code', 'expected'), [
        ('a+b', '(a+b) * z'), ('a*b', 'a*b * z'), ('a**b', 'a**b * z'), ('-a', '-a * z'),
        ('not a', '(not a) * z'), ('a<b', '(a<b) * z'), ('a if b else c', '(a if b else c) * z'),
        ('lambda: a', '(lambda: a) * z'), ('a  or b', '(a  or b) * z'), ('(a:=b)', '(a:=b) * z'),
        ('a . b', 'a . b * z'), ('f( a )', 'f( a ) * z'), ('a, b', '(a, b) * z'),
        ('(a,b)', '(a, b) * z'), ('"a" \'b\'', '"a" \'b\' * z'), ('(x for  x in y)',
        '(x for  x in y) * z'),
        ('a  @ b', 'a  @ b * z'), ('a or  b', '(a or  b) * z'), ('await  a', 'await a * z'),
    ])
    def test_it_gets_parentheses_where_it_needs_them(self, code, expected):
        source = Source(f'async def f():\n    return {code}\n', 'file.py')
        value = to_gast(source.tree).body[0].body[0].value
        product = gast.BinOp(value, gast.Mult(), parse_expression('z'))
        assert one_line(product, source) == expected
        assert ast.dump(ast.parse(expected)) == ast.dump(ast.parse(one_line(product)))

    def test_a_statement_on_several_lines_that_fits_on_one(self):
        assert Function('''
            def f(x,
                  y):
                if (x and
                        y):
                    return g("x",
                             y)
            ''').text == text('''
            def f(x, y):
                if x and y:
                    return g("x", y)
            ''')

    def test_a_statement_that_does_not_fit_keeps_its_lines(self):
        code = text('''
            class A:
                def f(self):
                    x = [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb,
                         ccccccccccccccccccccccccccc,
                           ddddddddddd]
            ''')
        source = Source(code, 'file.py')
        method = to_gast(source.tree).body[0].body[0]
        assert unparse(method, source).text == textwrap.dedent('\n'.join(code.split('\n')[1:]))

    def test_long_strings_and_comments_inside_keep_their_lines(self):
        code = text("""
            def f():
                x = '''a
              b'''
                y = [1,  # one
                     2]
                z = g('''
            ''')
            """)
        assert Function(code).text == code

    def test_a_docstring_keeps_its_text(self):
        source = Source(text('''
            class A:
                def f(self):
                    \'\'\'First "line" \\\\

                        Indented.
                    \'\'\'
                    return 1
            '''), 'file.py')
        assert unparse(to_gast(source.tree).body[0].body[0], source).text == (
            "def f(self):\n    '''First \"line\" \\\\\n\n            Indented.\n        '''\n"
            '    return 1')

    def test_an_elif_may_become_an_if_and_an_if_an_elif(self):
        function = Function('''
            def f(x):
                if x > 1 :
                    a
                elif x > 2 :
                    b
                else:
                    if x > 3 :
                        c
            ''')
        code = function.text
        assert 'else:\n        if x > 3 :' in code
        first = function.tree.body[0]
        function.tree.body = [first.orelse[0]]
        assert function.text == code.replace('    if x > 1 :\n        a\n', '').replace(
            'elif x > 2 :', 'if x > 2:')

    def test_several_statements_on_a_line(self):
        assert Function('''
            def f(x): y = 1; z  =  2  # both
            ''').text == text('''
            def f(x):  # both
                y = 1
                z  =  2
            ''')

    def test_names_that_python_normalises(self):
        assert Function('def f(ﬁ):\n    return ﬁ + 1, ﬁ').text == 'def f(ﬁ):\n    return ﬁ + 1, ﬁ'
