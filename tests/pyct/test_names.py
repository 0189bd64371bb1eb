import textwrap

from autograph_lite.pyct.names import Namer, names_in
from autograph_lite.pyct.parser import parse_expression, parse_statements


def test_fresh_names():
    namer = Namer(['loop_body', 'x', 'x_1'])
    assert [namer.fresh(name) for name in ('if_true', 'if_true', 'loop_body', 'x', 'x')] == [
        'if_true', 'if_true_1', 'loop_body_1', 'x_2', 'x_3']


def test_names_in_all_roles_in_the_order_of_the_tree():
    tree, = parse_statements(textwrap.dedent('''
        def f(a, b: int, *c, d=e):
            global h
            import i.j, k as l
            from m import n as o, p
            try:
                q.attribute = r[s](keyword=t)
            except u as v:
                def w(): nonlocal x
            class y(z): pass
            match aa:
                case [ab, *ac] | {**ad} | ae(af=1) as ag: pass
            [ah for ah in (ai := 1, lambda aj: ak)]
            del al
        '''))
    assert names_in(tree) == (
        'f', 'a', 'b', 'int', 'c', 'd', 'e', 'h', 'i', 'l', 'o', 'p', 'q', 'r', 's', 't', 'u',
        'v', 'w', 'x', 'y', 'z', 'aa', 'ag', 'ab', 'ac', 'ad', 'ae', 'ah', 'ai', 'aj', 'ak', 'al')


def test_names_of_an_expression():
    assert names_in(parse_expression('x + y.z * x')) == ('x', 'y')
