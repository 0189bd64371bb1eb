"""Which logical line a comment belongs to."""
import textwrap

from autograph_lite.pyct.comments import logical_lines


def lines_of(text):
    return logical_lines(textwrap.dedent(text).strip('\n').split('\n'), 1)


def texts(remarks):
    return [text for _, text in remarks]


def test_leading_and_trailing():
    first, second = lines_of('''
        # one
        # two

        a = 1  # three
        # four
        b = 2   #five
        ''')
    assert first.leading == ((1, '# one'), (2, '# two'), (3, ''))
    assert (first.start, first.end, first.trailing) == (4, 4, '  # three')
    assert texts(second.leading) == ['# four']
    assert second.trailing == '   #five'


def test_inside_of_brackets_and_the_lines_of_strings():
    call, string = lines_of("""
        f(a,  # first
          # second
          b)  # third
        s = '''one
        # two
        ''' + \\
            'three'
        """)
    assert (call.start, call.end) == (1, 3)
    assert call.inside == ((1, '# first'), (2, '# second'))
    assert call.trailing == '  # third'
    assert (string.start, string.end, string.in_string) == (4, 7, {5, 6})
    assert call.comments == ('# first', '# second', '# third')


def test_lines_within_an_f_string():
    line, = lines_of("""
        s = f'''{a
        } b {f'{c}'}
        ''' + x
        """)
    assert line.in_string == {2, 3}


def test_the_end_of_a_block():
    lines = lines_of('''
        def f(x):
            if x:
                # leads y
                y = 1
                # ends the if

                # too
            # leads else
            else:
                y = 2
            # leads return
            return y
            # ends f
        # ends nothing
        ''')
    by_keyword = {(line.keyword, line.start): line for line in lines}
    assert texts(by_keyword['y', 4].leading) == ['# leads y']
    assert texts(by_keyword['y', 4].after) == ['# ends the if', '', '# too']
    assert texts(by_keyword['else', 9].leading) == ['# leads else']
    assert texts(by_keyword['return', 12].leading) == ['# leads return']
    assert texts(by_keyword['return', 12].after) == ['# ends f']
    assert texts(by_keyword['def', 1].after) == ['# ends nothing']


def test_the_end_of_a_block_that_ends_with_a_clause_is_after_the_statement():
    lines = lines_of('''
        def f(x):
            try:
                y
            except E:
                z
            # ends f
        ''')
    assert [texts(line.after) for line in lines] == [[], ['# ends f'], [], [], []]


def test_a_comment_that_stands_out_to_the_left():
    lines = lines_of('''
        def f():
            a
        # moved out
            b
        ''')
    assert texts(lines[2].leading) == ['# moved out']


def test_decorators():
    lines = lines_of('''
        @a  # one
        # two
        @b
        # three
        def f(): pass
        ''')
    assert [line.comments for line in lines] == [('# one',), ('# two',), ('# three',)]


def test_what_is_no_whole_statement_has_no_logical_lines():
    assert lines_of('f(a,') == ()


def test_numbers_of_lines():
    line, = logical_lines(['', 'x  # c'], 10)
    assert (line.start, line.leading) == (11, ((10, ''),))
