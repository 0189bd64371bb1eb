import ast
import copy

import gast

from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_expression, parse_function, parse_statements

f = None


def original(x):
    y = x * 2
    return y + 1


def position(node):
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


def test_new_nodes_get_the_position_and_old_ones_keep_theirs():
    first, second = parse_function(original).node.body
    moved = second.value
    own = {id(node): position(node) for node in ast.walk(moved) if hasattr(node, 'lineno')}
    new = gast.Assign(
        [gast.Name('z', gast.Store(), None, None)],
        gast.BinOp(moved, gast.Add(), parse_expression('f(1)')), None)

    assert located(new, first) is new
    for node in ast.walk(new):
        if node._attributes:
            assert position(node) == own.get(id(node), position(first))
    assert position(moved) == own[id(moved)] != position(first)


def test_several_statements():
    first = parse_function(original).node.body[0]
    new = located(parse_statements('a = 1\nb = 2'), first)
    assert [position(node) for node in new] == [position(first)] * 2


def test_positions_survive_copying():
    first = parse_function(original).node.body[0]
    new = copy.deepcopy(located(parse_statements('a = 1')[0], first))
    assert position(new) == position(first)
    assert position(located(new, parse_function(original).node)) == position(first)


def several_lines(x):
    while x.any(
            ) and x:
        x = f(x,
              1)
    for y in x:
        f(y)


def test_like_a_node_on_several_lines():
    loop, other = parse_function(several_lines).node.body
    call = loop.body[0].value
    first = loop.lineno
    for like, expected in [
        (loop, (first, 4, first, 5)), (other, (first + 4, 4, first + 4, 14)),
        (call, (first + 2, 12, first + 2, 13)), (loop.body[0], (first + 2, 8, first + 2, 9)),
    ]:
        assert position(located(parse_expression('ag.call(f, x)'), like)) == expected


def test_like_a_node_without_a_position():
    new = located(parse_statements('a = 1')[0], parse_statements('b = 1')[0])
    assert getattr(new, 'lineno', None) is None
