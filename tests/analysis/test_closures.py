"""What closures keep alive; every expected answer stands beside its line."""
from __future__ import annotations

from collections.abc import Callable

Check = Callable[[str], None]


def test_a_named_closure_reads_where_its_name_is_read(check: Check) -> None:
    check('''
        def f(xs, s):
            for i in xs:  # turn: s
                y = i * 2  # live: i y s
                g = lambda t: t + y
                if i:  # live: i y g s; body: i g s
                    y = 0
                s += g(i)  # live: s
            return s
    ''')


def test_recursion_carries_nothing(check: Check) -> None:
    check('''
        def f(xs, s):
            for i in xs:  # turn: s; live: s
                def fact(n):  # needs: s; live: fact s
                    return n * fact(n - 1)
                s += fact(3)
            return s
    ''')


def test_closures_may_call_each_other(check: Check) -> None:
    check('''
        def f(x, y, c):
            def a():
                return b()
            def b():
                return y
            if x:  # live: b a y x
                y = 3
            c = a()  # live: x c
            if x:  # live: c
                y = 3
            return c
    ''')


def test_a_closure_given_away_may_be_called_at_any_time(check: Check) -> None:
    check('''
        def f(fs, y, c):
            fs.add_it(lambda: y)
            if c:  # live: fs fs.add_it y fs.go
                y = 2
            fs.go()
            y = 3  # live: y
    ''')


def test_a_closure_under_another_name(check: Check) -> None:
    check('''
        def f(x, y):
            def g():
                return y
            h = g
            if x:  # live: y h
                y = 3
            return h()
    ''')


def test_a_closure_made_by_a_closure(check: Check) -> None:
    check('''
        def f(x, y):
            def make():
                def inner():
                    return y
                return inner
            h = make()
            if x:  # live: y h
                y = 3
            return h()
    ''')


def test_methods_are_closures_of_the_class(check: Check) -> None:
    check('''
        def f(x, y, z):
            class C(z):
                w = z
                def m(self):
                    return y
            o = C()
            if x:  # live: y o o.m
                y = z = 3
            return o.m()
    ''')


def test_generators_read_when_they_are_asked(check: Check) -> None:
    check('''
        def f(x, y, z):
            def items():
                yield y
            g = items()
            h = (z * t for t in g)
            if x:  # live: y g z h
                y = z = 3
            return h
    ''')


def test_some_functions_are_done_with_a_closure_when_they_return(check: Check) -> None:
    check('''
        def f(x, y):
            z = ag.cond(x > 0, lambda: y, lambda: 0)
            w = sum(y * t for t in x)
            v = sorted(x, key=lambda t: y)
            if x:  # live: z w v
                y = 3
            return z, w, v
    ''')


def test_each_turn_has_its_own_variables(check: Check) -> None:
    check('''
        def f(xs, s, k):
            for x in xs:  # turn: s np np.apply g k; live: s g k
                y = x * 2
                s += np.apply(lambda r: r * y, x)  # live: y s np np.apply g k
            if s:
                y = 3  # live: s g k
            g(lambda: k)
            k = 1
            return s  # live: k
    ''')


def test_calling_a_closure_may_bind(check: Check) -> None:
    check('''
        def f(x):
            def init():
                nonlocal z
                z = 1
            init()  # modifies: z; unbound: z
            if x:  # live: z; maybe: z
                z = 2
            return z  # maybe: z
    ''')


def test_defaults_and_decorators_are_read_at_once(check: Check) -> None:
    check('''
        def f(x, y, d):
            @d
            def g(a=x):  # needs: d x y; live: g y
                return a
            x = y  # needs: g y; live: g
            return g()
    ''')


def test_a_decorator_may_give_a_function_to_anybody(check: Check) -> None:
    check('''
        def f(xs, y, k):
            for x in xs:  # turn: k k.keep y
                @k.keep
                def g(n):  # needs: k k.keep y; live: k k.keep g y
                    return g(y)
            y = 2  # live: y
    ''')


def test_parameters_hide_names(check: Check) -> None:
    check('''
        def f(x, y):
            g = lambda x, *y, z=1, **w: (x, y, z, w)
            z = [y for y in x]
            if x:  # live: g z
                y = 1
            return g(z)
    ''')
