"""Which names may have no value; every expected answer stands beside its line."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.reaching import Source

Check = Callable[[str], None]


def test_branches(check: Check) -> None:
    check('''
        def f(c):
            if c:  # maybe: x y z; unbound: x y z; maybe_after: y z
                x = 1  # unbound: x y z
                y = 2
            else:
                x = 2
            z = x + y  # maybe: y z; unbound: z; may_fail: y; fails: -
            return z, y  # maybe: -; may_fail: -
    ''')


def test_loops(check: Check) -> None:
    check('''
        def f(xs):
            for i, x in xs:  # unbound: i x y; maybe_after: i x y
                y = x  # maybe: y; unbound: -
                del x  # maybe: -
            while xs:  # maybe: i x y
                y  # may_fail: y
            return i  # may_fail: i; fails: -
    ''')


def test_while_true_and_loop_else(check: Check) -> None:
    check('''
        def f(xs):
            while True:
                x = 1
                if x:
                    break
            for i in xs:  # maybe: i y; maybe_after: i
                y = 1
                break
            else:
                y = 2
            return x, y  # maybe: i
    ''')


def test_conditions(check: Check) -> None:
    check('''
        def f(c):
            if c and (x := c):
                return x  # maybe: y z
            y = x if c else 0  # maybe: x y z; may_fail: x
            return not c or (z := 1) and z  # maybe: x z; may_fail: -
    ''')


def test_reading_what_was_never_bound(check: Check) -> None:
    check('''
        def f(c):
            x += 1  # fails: x; unbound: x y
            del y  # fails: y
            y[c] = 1  # fails: y
            y.z = 1
            x = y = 1
    ''')


def test_del_and_except(check: Check) -> None:
    check('''
        def f(x, e):
            try:
                del x  # maybe: -
            except E as e:  # maybe: x
                raise e  # maybe: x
            except F:
                return e  # may_fail: -
            return x, e  # unbound: x; fails: x
    ''')


def test_the_name_of_a_handler_is_gone_after_it(check: Check) -> None:
    check('''
        def f(x):
            e = 1
            try:
                y = x()
            except E as e:
                del e
            except F as e:
                y = 2
            return y, e  # maybe: e y; may_fail: y e
    ''')


def test_finally(check: Check) -> None:
    check('''
        def f(xs):
            for x in xs:
                try:
                    if x:
                        break
                    y = 1
                finally:
                    z = y  # may_fail: y
                w = y  # maybe: w; may_fail: -
            return w  # may_fail: w
    ''')


def test_match(check: Check) -> None:
    check('''
        def f(x):
            match x:  # maybe_after: a b
                case [a]:
                    b = a  # maybe: b
                case {'k': b} if b:
                    a = b  # maybe: a
                case _:
                    pass
            match x:
                case [a] | a:
                    pass
            return a, b  # maybe: b
    ''')


def test_bindings_of_every_kind(check: Check) -> None:
    check('''
        def f(x):
            a: int
            import os.path
            from m import n as o
            with x as p, x as (q, *r):
                pass
            def g(): pass
            class C: pass
            s, *t = [u := 1 for v in x]
            a, os, o, p, q, r, g, C, s, t, u  # may_fail: a u; fails: a
    ''')


@pytest.mark.skipif(sys.version_info < (3, 12), reason='the syntax came with Python 3.12')
def test_type_aliases_bind_a_name(check: Check) -> None:
    check('''
        def f(x):
            type A = list[B]  # may_fail: -
            type B = int
            return A, B  # may_fail: -
    ''')


def test_what_stands_after_a_jump_defines_nothing(check: Check) -> None:
    check('''
        def f(x):
            if x:
                return 1
                y = 2
            return y  # fails: y
    ''')


def test_names_from_outside_are_never_unbound(check: Check) -> None:
    check('''
        def f(x):
            global g
            g += h  # maybe: -; may_fail: -
            del g
            g  # fails: g
    ''')


def test_definitions(analyse: Callable[[str], Any]) -> None:
    whole = analyse('''
        def f(self, x):
            y = 1
            while x:
                y += x
                self.z = y
            self = h(x.append(y), self.z)
            return y
    ''')
    first, loop, last, end = whole.function.body
    reaching = whole.reaching

    def sources(table: Any, node: Any, name: QualName) -> list[tuple[Source, int]]:
        return [(found.source, found.node.lineno) for found in table(node, name)]

    z = whole.scopes[loop].modified[1]
    assert sources(reaching.before, first, QualName('y')) == [(Source.UNBOUND, 2)]
    assert sources(reaching.after, first, QualName('y')) == [(Source.BINDING, 3)]
    assert sources(reaching.before, end, QualName('y')) == [
        (Source.BINDING, 3), (Source.BINDING, 5)
    ]  # fmt: skip
    assert sources(reaching.before, end, QualName('x')) == [(Source.BINDING, 7)]
    assert sources(reaching.before, last, QualName('x')) == [(Source.PARAMETER, 2)]
    assert sources(reaching.before, last, QualName('h')) == [(Source.OUTSIDE, 2)]
    assert sources(reaching.before, last, z) == [(Source.OUTSIDE, 2), (Source.BINDING, 6)]
    assert sources(reaching.after, last, z) == [(Source.BINDING, 7)]
    assert not reaching.maybe_unbound(last, z)
