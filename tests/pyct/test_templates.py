import pytest

from autograph_lite.pyct.parser import parse_expression, parse_statements
from autograph_lite.pyct.templates import fill
from autograph_lite.pyct.unparser import unparse

ag = None


def loop(name, test, body, state):
    """Not part of what is filled in."""
    def name(*state):
        body  # noqa: B018  # a hole
        return state

    state = ag.while_loop(lambda *state: test, name, *state)


def filled(template, **holes):
    return unparse(fill(template, **holes)).text


def test_names_expressions_and_statements():
    assert filled(
        loop, name='loop_body', test=parse_expression('a < 3'),
        body=parse_statements('a = a + b\nb = 2'), state=['a', 'b'],
    ) == (
        'def loop_body(a, b):\n    a = a + b\n    b = 2\n    return a, b\n\n'
        'a, b = ag.while_loop(lambda a, b: a < 3, loop_body, a, b)')


def test_one_name_is_no_tuple():
    assert filled(
        loop, name='f', test='go', body=[parse_statements('a += 1')[0]], state=['a'],
    ) == 'def f(a):\n    a += 1\n    return a\n\na = ag.while_loop(lambda a: go, f, a)'


def nothing(values):
    return values, [values], ag.f(*values)


def test_no_name_is_none_and_disappears_from_an_argument_list():
    assert filled(nothing, values=[]) == 'return None, [None], ag.f()'
    assert filled(nothing, values=['x', parse_expression('y + 1')]) == (
        'return (x, y + 1), [(x, y + 1)], ag.f(x, y + 1)')


def swap(a, b):
    a, b = b, a


def test_an_expression_is_assigned_to():
    assert filled(swap, a=parse_expression('x.y'), b=parse_expression('z[0]')) == (
        'x.y, z[0] = z[0], x.y')


def test_nodes_keep_their_identity_in_the_first_place_and_are_copied_in_the_second():
    value = parse_expression('x.y')
    [assignment] = fill(swap, a=value, b='b')
    assert assignment.value.elts[1] is value
    assert assignment.targets[0].elts[0] is not value

    def twice(body):
        body  # noqa: B018  # a hole
        body  # noqa: B018  # and again

    statement = parse_statements('x = 1')[0]
    first, second = fill(twice, body=[statement])
    assert first is statement
    assert second is not statement
    assert unparse(second).text == 'x = 1'


def test_nothing_of_a_template_has_a_position():
    [assignment] = fill(swap, a='a', b='b')
    assert not hasattr(assignment, 'lineno')


@pytest.mark.parametrize(('holes', 'message'), [
    ({'a': 'x'}, "template swap: no value for 'b'"),
    ({'a': 'x', 'b': 'y', 'c': 'z'}, "template swap: no hole 'c'"),
])
def test_holes_are_checked(holes, message):
    with pytest.raises(TypeError, match=message):
        fill(swap, **holes)
