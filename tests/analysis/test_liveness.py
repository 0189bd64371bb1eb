"""Which names are still needed; every expected answer stands beside its line."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

Check = Callable[[str], None]


def test_straight_line(check: Check) -> None:
    check('''
        def f(x):
            y = x + 1  # live: x y
            z = x  # live: y
            x = y  # live: x
            return x  # needs: x; live: -
    ''')


def test_if(check: Check) -> None:
    check('''
        def f(x, c):
            if c:  # needs: c x; live: x; body: x; else: -
                t = x  # live: t
                x = t * 2
            else:
                x = 0
            return x
    ''')


def test_if_without_else(check: Check) -> None:
    check('''
        def f(x, c):
            y = 1
            if c:  # needs: y c x; live: y x; body: y; else: -
                x = 2
            return x, y
    ''')


def test_elif_chain(check: Check) -> None:
    check('''
        def f(x, c):
            if c > 2:  # live: x; body: -
                x = 1
            elif c > 1:  # live: x; needs: c x; body: c
                x = c
            elif c:  # live: x; needs: c x; body: x
                pass
            return x
    ''')


def test_while(check: Check) -> None:
    check('''
        def f(x, n):
            t = 0  # live: x n
            while x < n:  # needs: x n; live: x; turn: x n; body: x n
                t = x + 1  # live: t n
                x = t
            return x
    ''')


def test_a_name_is_carried_from_turn_to_turn(check: Check) -> None:
    check('''
        def f(c):
            a = b = 1
            while c:  # needs: a b c; live: -; turn: a b c; body: a b
                c = a  # needs: a b; live: b c
                a = b
                b = 2
    ''')


def test_for(check: Check) -> None:
    check('''
        def f(xs, s):
            i = 0
            for i, x in xs:  # needs: i xs s; live: i s; turn: i s; body: i x s
                s = s + x  # live: i s
            return s, i
    ''')


def test_loop_else_break_continue(check: Check) -> None:
    check('''
        def f(xs, y, z):
            for x in xs:  # needs: xs y z; live: y; turn: y z; body: x y z; else: z
                if x:
                    break  # needs: y
                if x > 1:  # live: x y
                    y = 1
                    continue  # needs: y z
                z = x
            else:
                y = z
            return y
    ''')


def test_while_true_ends_only_by_break(check: Check) -> None:
    check('''
        def f(x, y):
            while True:  # needs: x y; live: z
                if x:  # body: -
                    z = 1
                    break
                x = y
            return z
    ''')


def test_jumps_leave_nothing_to_need(check: Check) -> None:
    check('''
        def f(x, y):
            if x:  # live: x y; body: -; needs: x y
                return 1
            if y:  # body: x
                raise x
            y = 1  # live: -
            return 2
    ''')


def test_conditions_have_ways_of_their_own(check: Check) -> None:
    check('''
        def f(x, c):
            if c and (y := x):  # needs: c x; body: y; else: c
                return y
            else:
                y = 1  # live: c y
            z = y if c else 2  # needs: c y; live: c z
            c and (z := 1)  # needs: c z; live: z
            x = 0 < z < (z := 2) < z  # live: z
            return z
    ''')


def test_a_handler_needs_what_was_before_each_statement(check: Check) -> None:
    check('''
        def f(x, y):
            try:  # needs: x y E; live: y; body: x y E
                y = x()  # needs: x y E; live: x y E
                y = x()  # needs: x y E; live: y E
            except E as e:  # needs: y E; live: y; body: y e
                e()
            return y
    ''')


def test_finally_runs_on_every_way(check: Check) -> None:
    check('''
        def f(xs, y):
            for x in xs:
                try:  # needs: x y; live: -; body: x y
                    if x:  # body: y
                        break
                    y = x
                finally:
                    y = y + 1  # needs: y; live: y
                y = 2
            return y
    ''')


@pytest.mark.skipif(sys.version_info < (3, 11), reason='the syntax came with Python 3.11')
def test_several_clauses_may_take_parts_of_one_exception(check: Check) -> None:
    check('''
        def f(x):
            try:  # live: y z
                y = z = 0
                x()
            except* A:
                y = 1  # live: y z B
            except* B:
                z = 1  # live: y z
            return y, z
    ''')


def test_with(check: Check) -> None:
    check('''
        def f(x, y, z):
            with open(x) as g:  # needs: open x suppress z; live: y suppress z; body: g suppress z
                y = g
            with suppress(y):  # live: z; body: y z
                z = y
            return z
    ''')


def test_match(check: Check) -> None:
    check('''
        def f(x, b):
            match x:  # needs: x b; live: a b
                case [a, c] if c:
                    b = 1  # needs: a; live: a b
                case {'k': a}:
                    pass  # needs: a b
                case a:
                    b = 2
            return a, b
    ''')


def test_del_assert_raise(check: Check) -> None:
    check('''
        def f(x, y):
            assert x, y  # needs: x y; live: x y
            del y  # needs: x y; live: x
            y = x  # live: y
            raise y from None  # needs: y; live: -
    ''')


def test_in_place_changes_need_the_old_value(check: Check) -> None:
    check('''
        def f(x, n):
            y = g(n)
            for i in n:  # needs: n y x; live: y; turn: n y x
                x[i] = n  # needs: n y i x; live: n y i x
                y[i] = x[i]
            return y
    ''')


def test_places(check: Check) -> None:
    check('''
        def f(self, x):
            t = self.x  # needs: self self.x x g; live: self t x g
            if x:  # needs: self t x g; live: self self.x g; body: self t g
                self.x = t  # live: self self.x g
            else:
                self.x = 2
            self.x += 1  # live: self self.x g
            g(self)  # needs: self self.x g; live: -
    ''')


def test_another_object_has_other_places(check: Check) -> None:
    check('''
        def f(a, b):
            a.x = 1  # live: b
            a = b  # needs: b; live: a a.x
            a.x += 1
    ''')


def test_places_die_with_their_objects(check: Check) -> None:
    check('''
        def f(xs, s):
            for x in xs:  # turn: s
                d = {}
                d['k'] = x  # live: d d['k'] s
                s += d['k']  # live: s
            return s
    ''')


def test_globals_and_nonlocals_live_always(check: Check) -> None:
    check('''
        def f(x):
            global g
            nonlocal n
            g = x  # needs: x g h n
            h()  # needs: g h n
            g = n = 1  # live: g n
    ''')


def test_lambda(analyse: Callable[[str], Any]) -> None:
    whole = analyse('lambda x: (y := x) + z')
    body = whole.function.body
    assert [str(name) for name in whole.liveness.live_in[body]] == ['x', 'z']


def test_some_names_of_a_set(analyse: Callable[[str], Any]) -> None:
    whole = analyse('''
        def f(x, y):
            z = x
            return y, z
    ''')
    first = whole.function.body[0]
    asked = (*whole.scopes[first].modified, *whole.scopes[first].read)
    assert [str(name) for name in whole.liveness.live_out.among(first, asked)] == ['z']
    assert whole.liveness.live_into([]) == ()
