"""The five examples of what `to_code` gives, printed to the character."""
import textwrap

import pytest

from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_function, parse_statements
from autograph_lite.pyct.unparser import unparse

SQUARE_IF_POSITIVE = '''
    def square_if_positive(x):
        x = ag.cond(x > 0, lambda: x * x, lambda: 0)
        return x
'''
SHRINK = '''
    def shrink(x):
        # until it fits
        x = ag.while_loop(lambda x: np.sum(x) > 1, lambda x: np.tanh(x), x)
        return x
'''
SIGN = '''
    def sign(x):
        return ag.cond(x > 0, lambda: 1, lambda: 0)
'''
SCALE = '''
    def scale(x, limit):

        def if_true(x):
            # too large
            factor = limit / np.max(x)
            x = x * factor
            return x

        x = ag.cond(np.max(x) > limit, if_true, ag.unchanged, x)
        return x
'''
FIRST_NEGATIVE = '''
    def first_negative(xs):
        found = -1
        did_break = False

        def loop_body(item, found, did_break):
            i, x = item

            def if_true(found, did_break):
                found = i
                did_break = True
                return found, did_break

            return ag.cond(x < 0, if_true, ag.unchanged, found, did_break)

        found, did_break = ag.for_loop(
            ag.enumerate(xs), loop_body, found, did_break,
            test=lambda found, did_break: ag.not_(did_break))
        return found
'''


@pytest.mark.parametrize(
    'example', [SQUARE_IF_POSITIVE, SHRINK, SIGN, SCALE, FIRST_NEGATIVE],
    ids=['square_if_positive', 'shrink', 'sign', 'scale', 'first_negative'])
def test_a_generated_tree_prints_like_the_example(example):
    text = textwrap.dedent(example).strip()
    without_comments = '\n'.join(line for line in text.split('\n') if '#' not in line)

    assert unparse(parse_statements(text)).text == without_comments


def test_a_comment_goes_with_the_statement_that_replaces_its_own(define):
    parsed = parse_function(define('''
        def shrink(x):
            # until it fits
            while np.sum(x) > 1:
                x = np.tanh(x)
            return x
        ''').shrink)
    loop = parsed.node.body[0]
    [new] = parse_statements(
        'x = ag.while_loop(lambda x: np.sum(x) > 1, lambda x: np.tanh(x), x)')
    parsed.node.body[0] = located(new, loop)

    assert unparse(parsed.node, parsed.source).text == textwrap.dedent(SHRINK).strip()


def test_a_comment_of_a_branch_goes_with_its_statement(define):
    parsed = parse_function(define('''
        def scale(x, limit):
            if np.max(x) > limit:
                # too large
                factor = limit / np.max(x)
                x = x * factor
            return x
        ''').scale)
    conditional = parsed.node.body[0]
    helper, call = parse_statements('''
def if_true(x):
    return x
x = ag.cond(np.max(x) > limit, if_true, ag.unchanged, x)
''')
    helper.body[:0] = conditional.body
    parsed.node.body[:1] = located([helper, call], conditional)

    assert unparse(parsed.node, parsed.source).text == textwrap.dedent(SCALE).strip()
