"""What is broken over lines is the same program as on one line."""
import ast
import random

import pytest
from pyct.layouts import generated, text

_FORMS = (
    'f({}, {})', 'ag.not_({})', 'ag.and_({}, lambda: {}, lambda: {})', 'f(lambda: {})',
    'f({}, k=lambda x, *y: {})', 'f(*{}, k={}, **{})', 'f(x for x in {})', 'f(lambda x={}: {}, {})',
    'f((x := {}))', 'f({}, k=(x := {}))', '(lambda: (x := {}))', 'f({})({}, {})', 'f({}).g({})',
    '({} < (x := {}) <= {})', '(not {})', '({} and {} or {})', '({} if {} else {})', '({} + {})',
    '[{}, {}]', '({},)', '({}, *{})', '{{{}: {}, **{}}}', '{{{}, {}}}', 'f()', '()', '[]',
    '[x for x in {} if {}]', 'x[{}, {}]', "f'{{(a)}} {{f(b)!r}}'", "'text'", 'a.b',
)


def _expression(die, depth):
    if depth == 0 or die.random() < 0.1:
        return die.choice(('a', 'bbbb', 'cccccccc', '1'))
    form = die.choice(_FORMS)
    count = form.format(*'_' * 9).count('_') - form.count('_')
    return form.format(*(_expression(die, depth - 1) for _ in range(count)))


@pytest.mark.parametrize('seed', range(150))
def test_at_any_width_the_tree_is_the_same(seed):
    die = random.Random(seed)
    value = _expression(die, 4)
    form = die.choice(('x = {}', 'return {}', '{}', 'def f(a, b={}): pass', 'while {}: pass'))
    code = form.format(value)
    for width in range(1, 90, 4):
        broken = generated(code, width)
        assert ast.dump(ast.parse(broken)) == ast.dump(ast.parse(code)), broken


def test_a_call_alone_in_a_call_is_followed_by_the_end_of_both():
    code = 'x = f(first, lambda: ag.not_(ag.and_(second, lambda: third)), last)'
    assert generated(code, 40) == text('''
        x = f(
            first,
            lambda: ag.not_(
                ag.and_(second, lambda: third)),
            last)
        ''')


def test_what_is_unpacked_keeps_its_parentheses():
    assert generated("x = {'aaa': bbbb, **(cccc or dddd), **ffff(eeee)}", 20) == text('''
        x = {
            'aaa': bbbb,
            **(cccc or dddd),
            **ffff(eeee)}
        ''')
    assert generated('x = {**ffff(aaaa, bbbb)}', 16) == text('''
        x = {
            **ffff(
                aaaa,
                bbbb)}
        ''')
