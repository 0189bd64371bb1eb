"""What statements read, modify and bind; every expected answer stands beside its line."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

Check = Callable[[str], None]


def test_assignments(check: Check) -> None:
    check('''
        def f(x):  # reads: x y; modifies: y z a b c
            y = x  # reads: x; modifies: y; binds: y
            y += x  # reads: y x; modifies: y; binds: y
            z: int = y  # reads: y; modifies: z
            z: float  # reads: -; modifies: -
            (a, *b), c = y  # reads: y; modifies: a b c
    ''')


def test_places(check: Check) -> None:
    check('''
        def f(self, d, x, i):
            self.x = 1  # reads: self; modifies: self.x
            self.x += i  # reads: self self.x i; modifies: self.x
            d['k'] = self.x  # reads: self self.x d; modifies: d['k']
            d['k'].y['z'] = 1  # reads: d d['k'] d['k'].y; modifies: d['k'].y['z']
            x[i] = 1  # reads: x i; modifies: x; binds: -
            x[0] += i  # reads: x i; modifies: x
            x[i][1:2] = 1  # reads: x i; modifies: x
            self.x[i].y = 2  # reads: self self.x i; modifies: self.x
            x.T[i] = 2  # reads: x x.T i; modifies: x
            x.reshape(-1)[i] = 2  # reads: x x.reshape i; modifies: x
            self.T[i] = 2  # reads: self self.T i; modifies: self.T
            f(x).y = 2  # reads: f x; modifies: -
            del d['k'], x[i], i  # reads: d x i; modifies: d['k'] x i; deletes: d['k'] i
    ''')


def test_changes_in_place(check: Check) -> None:
    check('''
        def f(xs, x, self):
            xs.append(x)  # reads: xs xs.append x; modifies: xs
            self.xs.pop()  # reads: self self.xs self.xs.pop; modifies: self.xs
            np.add(x, 1, out=x)  # reads: np np.add x; modifies: x
            np.divmod(x, 1, out=(x, xs))  # reads: np np.divmod x xs; modifies: x xs
            np.add.at(x, 1, 2)  # reads: np np.add np.add.at x; modifies: x
            np.sort(x)  # reads: np np.sort x; modifies: -
            y = np.append(x, 1)  # reads: np np.append x; modifies: y
            x.sort()  # reads: x x.sort; modifies: x
    ''')


def test_a_module_imported_in_the_function_is_no_list(check: Check) -> None:
    check('''
        def f(x):
            import numpy as np, os.path  # binds: np os
            from math import sqrt as root, pi  # binds: root pi
            return np.sort(x)  # reads: np np.sort x; modifies: -
    ''')


def test_compound_statements_contain_their_blocks(check: Check) -> None:
    check('''
        def f(xs, c):
            for i, x in xs:  # reads: xs c x; modifies: i x y z
                if c:  # reads: c x; modifies: y
                    y = x
            else:
                z = 1
            while c:  # reads: c; modifies: c
                c = 0
            with open(c) as g, c as xs[i]:  # reads: open c xs i; modifies: g xs
                pass
            for self.x in c:  # reads: c self; modifies: self.x
                pass
    ''')


def test_try(check: Check) -> None:
    check('''
        def f(x):
            try:  # reads: x E e; modifies: y e z; deletes: e
                y = x
            except E as e:  # reads: E e; modifies: e z; deletes: e
                z = e
    ''')


def test_match(check: Check) -> None:
    check('''
        def f(x):
            match x:  # reads: x k k.name P a q; modifies: a b rest q whole
                case {k.name: a, **b}:
                    pass
                case [a, *rest] | P(0, key=rest, rest=a) if a:  # modifies: a rest
                    pass
                case [q, 1 as whole]:  # modifies: q whole
                    q
    ''')


def test_comprehensions_keep_their_targets(check: Check) -> None:
    check('''
        def f(xs, k):
            ys = [x.a * k for x in xs if x]  # reads: xs k; modifies: ys
            {x: y for x, y in zip(xs, ys)}  # reads: zip xs ys; modifies: -
            [y for x in xs for y in x]  # reads: xs; modifies: -
            [last := x for x in xs if (k := k + x)]  # reads: xs k; modifies: k last
            x = last  # reads: last
    ''')


def test_a_comprehension_may_store_into_places(check: Check) -> None:
    check('''
        def f(xs, self):
            [1 for self.x in xs]  # reads: xs self; modifies: self.x
    ''')


def test_walrus(check: Check) -> None:
    check('''
        def f(x):
            if (y := x) > 1 and (z := y):  # reads: x y; modifies: y z
                pass
            g((y := 1), lambda: (z := 2))  # reads: g; modifies: y
            lambda a=(v := 1): a  # modifies: v
            def h(a=(w := 1)): a  # modifies: w h
            return v, w  # free: -
    ''')


def test_nested_functions(check: Check) -> None:
    check('''
        def f(x, y, d):
            @d
            def g(a: int, b=y) -> int:  # reads: d y int x h; modifies: g; captures: x h
                c = a + b + x
                return h(c)
            k = lambda a, b=y: a + x  # reads: y x; modifies: k; captures: x
            class C(d):  # reads: d x y; modifies: C; captures: y
                z = x
                def m(self):
                    return y, __class__
    ''')


def test_methods_do_not_see_the_names_of_their_class(check: Check) -> None:
    check('''
        def f(x, z):
            class C:  # reads: z; captures: z
                x = x
                z = 1
                def m(self):
                    return z
    ''')


def test_a_closure_writes_where_it_is_called(check: Check) -> None:
    check('''
        def f(self, log):
            n = 0
            def count(k):  # modifies: count; captures: n self log self.x
                nonlocal n
                n += k
                self.x = k
                log[k] = 1
            count(1)  # reads: count n self log; modifies: n self.x log
    ''')


def test_global_and_nonlocal(check: Check) -> None:
    check('''
        def f(x):  # free: np np.sum g n
            global g
            nonlocal n
            g = np.sum(x)  # free: np np.sum g; binds: g
            n = g  # free: g n
    ''')


def test_declared_names_are_listed(analyse: Callable[[str], Any]) -> None:
    whole = analyse('''
        def f(x, *args, key, **rest):
            global g
            nonlocal n
            g = n = x
    ''')
    found = whole.scopes.function
    assert ' '.join(map(str, found.params)) == 'x args key rest'
    assert [*map(str, found.globals_), *map(str, found.nonlocals)] == ['g', 'n']


def test_super_reads_self_and_class(check: Check) -> None:
    check('''
        def f(self):
            super().f()  # reads: super __class__ self
    ''')


def test_lists_of_statements_and_parts(analyse: Callable[[str], Any]) -> None:
    whole = analyse('''
        def f(x):
            while x > y:
                z = x
                x = z
    ''')
    loop = whole.function.body[0]
    assert [str(name) for name in whole.scopes[loop.body].modified] == ['z', 'x']
    assert [str(name) for name in whole.scopes[loop.test].read] == ['x', 'y']
    assert whole.scopes[[]].read == ()
    assert loop in whole.scopes
    assert loop.test.left not in whole.scopes


def test_lambda(analyse: Callable[[str], Any]) -> None:
    whole = analyse('lambda x, y=z: x + w')
    assert [str(name) for name in whole.scopes.function.read] == ['x', 'w']
    assert [str(name) for name in whole.scopes.function.params] == ['x', 'y']


@pytest.mark.skipif(sys.version_info < (3, 12), reason='the syntax came with Python 3.12')
def test_type_parameters_are_names_of_their_own(check: Check) -> None:
    check('''
        def f(x):
            def g[T](a: T) -> list[T]:  # reads: list x; modifies: g
                return a, x, T
            type A[T] = dict[T, x]  # reads: -; modifies: A
            class C[T](Base[T]):  # reads: Base; modifies: C
                y = T
    ''')
