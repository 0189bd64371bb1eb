"""Where comments and blank lines are printed, and where lines come from."""
from pyct.layouts import Function, text

from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_function, parse_statements
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import to_gast
from autograph_lite.pyct.unparser import unparse


class TestComments:
    def test_all_places(self):
        code = text('''
            def f(x):  # on the head
                """Doc."""  # on the docstring

                # first in the body

                if x:  # on the if
                    # first in the branch
                    y = 1   # on the assignment
                    # last in the branch
                # before the elif
                elif y:
                    pass

                # before the else
                else:  # on the else
                    z

                for i in x:
                    pass
                    # last in the loop
                else:
                    # in the else
                    pass
                try:  # on the try
                    pass
                # before the except
                except A:  # on the except
                    pass
                finally:  # on the finally
                    pass
                    # last in the finally
                with x:
                    pass
                # between

                match x:  # on the match
                    # before the case
                    case 1:  # on the case
                        pass
                        # last in the case
                    # last in the match

                # before the decorator
                @a  # on the decorator
                # before the def
                def g(): ...
                return y
                # last in the function
            ''')
        assert Function(code).text == code.replace('def g(): ...', 'def g():\n        ...')

    def test_comments_around_a_function_are_not_its_own(self):
        source = Source('# above\ndef f():\n    pass\n# below\nx = 1\n', 'file.py')
        assert unparse(to_gast(source.tree).body[0], source).text == 'def f():\n    pass'

    def test_a_statement_that_becomes_several(self):
        assert Function('''
            def f(x):
                # above
                x = g(x)  # behind
                return x
            ''').replace(0, '''
            def helper(x):
                return x
            x = h(helper, x)
            ''').text == text('''
            def f(x):

                # above
                def helper(x):  # behind
                    return x

                x = h(helper, x)
                return x
            ''')

    def test_blank_lines_are_kept_and_not_multiplied(self):
        assert Function('''
            def f(x):

                y = 1

                x = g(x)

                return x
            ''').replace(1, '''
            def helper(x):
                return x
            x = h(helper, x)
            ''').text == text('''
            def f(x):
                y = 1

                def helper(x):
                    return x

                x = h(helper, x)

                return x
            ''')

    def test_a_statement_that_is_dropped(self):
        assert Function('''
            def f(x):
                x = 1
                # above
                pass  # behind
                # after
            ''').replace(1, '').text == text('''
            def f(x):
                x = 1
                # above
                # behind
                # after
            ''')
        assert Function('''
            def f(x):
                # above
                pass  # behind
                x = 1
            ''').replace(0, '').text == text('''
            def f(x):
                # above
                # behind
                x = 1
            ''')

    def test_a_block_that_is_dropped(self):
        assert Function('''
            def f(x):
                y = 1
                if x:
                    pass  # nothing
                return x
            ''').replace(1, 'x = ag.cond(x)').text == text('''
            def f(x):
                y = 1
                # nothing
                x = ag.cond(x)
                return x
            ''')

    def test_the_end_of_a_block_comes_before_a_return_that_is_added(self):
        function = Function('''
            def f(x):
                x = 1
                # end
            ''')
        [statement] = function.tree.body
        function.tree.body += located(parse_statements('return x'), statement)
        assert function.text == text('''
            def f(x):
                x = 1
                # end
                return x
            ''')

    def test_an_else_that_is_dropped(self):
        assert Function('''
            def f(x):
                # above
                if x:  # positive
                    x = 1
                elif y:  # negative
                    x = 2  # two
                # otherwise
                else:  # zero
                    x = 3
                return x
            ''').replace(0, 'x = ag.cond(x, y)').text == text('''
            def f(x):
                # above
                # negative
                # two
                # otherwise
                # zero
                x = ag.cond(x, y)  # positive
                return x
            ''')

    def test_comments_inside_of_what_is_replaced(self):
        assert Function('''
            def f(x):
                # above
                x = g(a,  # a
                      b)  # b
                return x
            ''').replace(0, 'x = h(a, b)').text == text('''
            def f(x):
                # above
                # a
                x = h(a, b)  # b
                return x
            ''')

    def test_comments_inside_of_what_is_printed_twice(self):
        function = Function('''
            def f(x):
                x = g(a,  # a
                      b)
            ''')
        function.tree.body *= 2
        assert function.text == text('''
            def f(x):
                x = g(a,  # a
                      b)
                x = g(a, b)
            ''')

    def test_a_source_knows_the_comments_of_a_statement(self):
        function = Function('''
            def f(x):
                # above
                if x:  # on it
                    y = 1  # inside
                    # after that
                return x
            ''')
        conditional, result = function.tree.body
        assert function.source.comments(conditional) == (
            '# above', '# on it', '# inside', '# after that')
        assert function.source.comments(conditional.body[0]) == ('# inside', '# after that')
        assert function.source.comments(result) == ()
        assert function.source.comments(parse_statements('x')[0]) == ()


class TestLines:
    def test_every_line_knows_the_users_line(self):
        printed = Function('''
            def f(x):
                """Doc.

                More."""
                # comment
                if x:
                    y = [1,  # one
                         2]

                else:
                    y = 2
                x = g(y)
                return x, y
            ''').replace(2, '''
            def helper(y):
                return y
            x, aaaaaaaaaaaaaaaaaaa = h(helper, bbbbbbbbbbbbbbbbb, y)
            ''').printed(width=40)
        assert [*zip(printed.lines, printed.text.split('\n'), strict=True)] == [
            (1, 'def f(x):'),
            (2, '    """Doc.'),
            (3, ''),
            (4, '    More."""'),
            (5, '    # comment'),
            (6, '    if x:'),
            (7, '        y = [1,  # one'),
            (8, '             2]'),
            (9, ''),
            (10, '    else:'),
            (11, '        y = 2'),
            (None, ''),
            (12, '    def helper(y):'),
            (12, '        return y'),
            (None, ''),
            (12, '    x, aaaaaaaaaaaaaaaaaaa = h('),
            (12, '        helper, bbbbbbbbbbbbbbbbb, y)'),
            (13, '    return x, y'),
        ]

    def test_a_real_function(self):
        parsed = parse_function(text)
        printed = unparse(parsed.node, parsed.source)
        assert printed.lines[0] == text.__code__.co_firstlineno
