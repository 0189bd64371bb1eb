"""Two names for one array or list in a staged block: what works, and what the refusals advise."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.array([1.0, 2.0])
XS = np.array([1.0, 2, 0, 3, 4, 1])
N = np.int64(3)


def refused(f, *args):
    """What the refusal of a function says."""
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(f)(*args)
    return str(caught.value)


def test_what_two_names_have_after_a_turn_that_binds_one_anew():
    def f(x, tol):
        new = x
        while True:
            new = x / 2
            new[0] += 1
            if np.abs(new - x).max() < tol:
                break
            x = new
        return new, x

    check(f, (X, np.float64(1e-3)), (X * 0 + 2, np.float64(10.0)))


def test_one_that_is_modified_through_the_other_in_the_next_turn():
    def f(x, n):
        best, now = x * 0, x.copy()
        for i in range(n):
            now[0] += i
            if i == 1:
                best = now
        return best, now

    def copies(x, n):
        best, now = x * 0, x.copy()
        for i in range(n):
            now[0] += i
            if i == 1:
                best = now.copy()
        return best, now

    message = refused(f, X, N)
    assert 'best and now may be one array, and the loop modifies it' in message
    assert '`best = now.copy()`' in message
    check(copies, (X, N))


def test_a_row_that_turns_choose():
    def chosen(x):
        m = np.zeros((2, 3))
        row = m[0]
        for v in x:
            if v > 0:
                row = m[1]
            row += v
        return m

    def by_index(x):
        m = np.zeros((2, 3))
        i = 0
        for v in x:
            if v > 0:
                i = 1
            m[i] += v
        return m

    message = refused(chosen, X)
    assert 'm and row may be one array' in message
    assert '`m[i] += v` with the index of what row is' in message
    check(by_index, (X,), (-X,))
    assert np.array_equal(chosen(X), by_index(X))


def test_one_list_under_two_names():
    def f(xs):
        best, run = [], []
        for x in xs:
            if not run or x > run[-1]:
                run.append(x)
            else:
                run = [x]
            if len(run) > len(best):
                best = run
        return best

    def copies(xs):
        best, run = [], []
        for x in xs:
            if not run or x > run[-1]:
                run.append(x)
            else:
                run = [x]
            if len(run) > len(best):
                best = run.copy()
        return best

    message = refused(f, XS)
    assert 'may be one list' in message
    assert '`best = run.copy()`' in message
    check(copies, (XS,), (-XS,))


def test_an_argument_trades_places_with_a_buffer():
    def f(x, n):
        out = np.empty_like(x)
        for _ in range(n):
            np.add(x, 1, out=out)
            x, out = out, x
        return x

    def copies(x, n):
        out = np.empty_like(x)
        x = x.copy()
        for _ in range(n):
            np.add(x, 1, out=out)
            x, out = out, x
        return x

    message = refused(f, X, N)
    assert "x may be argument 'x', and the loop modifies it" in message
    assert '`x = x.copy()` before the loop' in message
    check(copies, (X, N))


def test_an_array_around_the_loop_that_a_name_gets():
    def f(x, n):
        other, now = x * 2, x * 3
        for i in range(n):
            now[0] += i
            now = other
        return now

    def copies(x, n):
        other, now = x * 2, x * 3
        for i in range(n):
            now[0] += i
            now = other
            now = now.copy()
        return now

    message = refused(f, X, N)
    assert 'now may be an array that is no variable of the loop' in message
    assert '`now = now.copy()` where the name gets that array' in message
    check(copies, (X, N))


def test_an_element_of_a_list_that_the_next_turn_modifies():
    def f(xs, n):
        rows = []
        for x in xs:
            rows.append(xs * x)
        now = xs * 3
        for i in range(n):
            now[0] += 1
            now = rows[i % 2]
        return now, rows

    def copies(xs, n):
        rows = []
        for x in xs:
            rows.append(xs * x)
        now = xs * 3
        for i in range(n):
            now[0] += 1
            now = rows[i % 2]
            now = now.copy()
        return now, rows

    message = refused(f, X, N)
    assert 'now may be an array that a list or an object holds' in message
    assert '`now = now.copy()`' in message
    check(copies, (X, N))


def test_two_names_before_the_loop():
    def f(x, n):
        now = x.copy()
        best = now
        for i in range(n):
            now[0] += i
            if i == 1:
                best = now.copy()
        return best, now

    def copies(x, n):
        now = x.copy()
        best = now.copy()
        for i in range(n):
            now[0] += i
            if i == 1:
                best = now.copy()
        return best, now

    message = refused(f, X, N)
    assert 'now and best, which were one array before it' in message
    assert '`best = now.copy()`' in message
    check(copies, (X, N))


def test_one_list_at_two_places():
    def f(xs):
        row = [0.0] * 3
        rows = [row, row]
        for x in xs:
            if x > 0:
                rows[0][1] += x
        return rows

    message = refused(f, XS)
    assert 'what rows holds at two places' in message
    assert 'Put a copy into each place' in message


def test_one_list_at_two_places_of_what_a_branch_replaces():
    def f(x):
        grid = [[0.0]] * 2
        if x[0] > 0:
            grid = [[1.0], [2.0]]
        grid[0][0] += x[1]
        return grid

    assert 'may have another name' in refused(f, X)


def test_one_list_at_two_places_of_what_a_loop_replaces():
    def f(x, n):
        grid = [[0.0]] * 2
        while n > 3:
            grid = [[1.0], [2.0]]
            n -= 1
        grid[0][0] += x[1]
        return grid

    assert 'may have another name' in refused(f, X, N)


def test_one_list_at_two_places_of_what_a_block_of_a_turn_replaces():
    def f(x, n):
        grid = [[0.0]] * 2
        for i in range(n):
            if i > 2:
                grid = [[1.0], [2.0]]
            grid[0][0] += x[1]
        return grid

    assert 'may have another name' in refused(f, X, N)


def test_what_a_block_puts_into_a_list_and_is_modified_after_it():
    def in_a_branch(x, n):
        rows, row = [x * 2], x * 3
        if n > 2:
            row = x * 4
            rows.append(row)
        row += 3
        return rows, row

    def in_a_loop(x, n):
        rows, row = [x * 2], x * 3
        for i in range(n):
            row = rows[i] + 1
            rows.append(row)
        row += 3
        return rows, row

    def copies(x, n):
        rows, row = [x * 2], x * 3
        for i in range(n):
            row = rows[i] + 1
            rows.append(row.copy())
        row += 3
        return rows, row

    for f in (in_a_branch, in_a_loop):
        assert 'put a copy into the list, `rows.append(row.copy())`' in refused(f, X, N)
    check(copies, (X, N), (X, N * 0))


@dataclass
class Tally:
    n: int = 0
    last: object = None


def a_name_in_each_turn(xs):
    g = {'s': {'n': 0, 'last': None}, 'h': []}
    for x in xs:
        s = g['s']
        s['n'] += 1
        if x > 1:
            s['last'] = x
            g['h'].append({'x': x, 'n': s['n']})
    return g, [each['x'] for each in g['h']]


def a_name_before_the_loop(xs):
    g = {'s': [0, None]}
    s = g['s']
    for x in xs:
        s[0] += 1
        if x > 1:
            g['s'][1] = x
    return g, s


def an_object_in_another(xs):
    g = Tally(Tally())
    s = g.n
    for x in xs:
        s.n += 1
        if x > 1:
            g.n.last = x
    s.n += 10
    return g


def two_inside_each_other(xs):
    g = {'s': {'t': [0, None]}}
    for x in xs:
        s = g['s']
        t = s['t']
        t[0] += 1
        if x > 1:
            t[1] = x
            g['s']['t'][0] += 1
            s['k'] = x
        else:
            s['k'] = -x
    return g


def by_both_names_in_branches(xs):
    g = {'s': {'n': 0, 'last': None}}
    s = g['s']
    if xs[0] > 0:
        s['last'] = xs[0]
        if xs[1] > 1:
            g['s']['n'] += 1
    else:
        g['s']['last'] = -xs[0]
    s['n'] += 1
    return g, s


def an_array_in_a_dict(xs):
    g = {'a': xs * 0, 'n': 0}
    a = g['a']
    for i, x in enumerate(xs):
        a[i] += x
        if x > 1:
            g['a'][0] -= 1
            g['n'] += 1
    return g, a


@pytest.mark.parametrize('f', [
    a_name_in_each_turn, a_name_before_the_loop, an_object_in_another, two_inside_each_other,
    by_both_names_in_branches, an_array_in_a_dict])
def test_a_name_for_what_is_in_a_dict_list_or_object(f):
    check(f, (XS,), (-XS,))


def test_what_is_in_a_dict_and_has_a_name_and_the_loop_puts_another_there():
    def f(xs):
        g = {'s': [0.0]}
        s = g['s']
        for x in xs:
            s[0] += x
            if x > 3:
                g['s'] = [x]
        return g, s

    def copied(xs):
        g = {'s': [0.0]}
        s = g['s'].copy()
        for x in xs:
            s[0] += x
            if x > 3:
                g['s'] = [x]
        return g, s

    def by_one_name(xs):
        g = {'s': [0.0]}
        for x in xs:
            g['s'][0] += x
            if x > 3:
                g['s'] = [x]
        s = g['s']
        return g, s

    message = refused(f, XS)
    assert "modifies g['s'] and s, which were one list before it" in message
    assert "`s = g['s'].copy()`" in message
    assert 'give the other its value after the block' in message
    check(copied, (XS,))
    check(by_one_name, (XS,))


def replaced_by_a_branch(given, x):
    if x[0] > 0:
        given = [x[0], x[1]]
    given[0] += x[1]
    return given


def replaced_by_a_loop(given, x):
    for each in x[x > 1]:
        given = [each, each]
    given.append(x[1])
    return given


def replaced_in_a_turn(given, x):
    for each in x:
        if each > 1:
            given = [each, each]
        given[0] += each
    return given


@pytest.mark.parametrize('f', [replaced_by_a_branch, replaced_by_a_loop, replaced_in_a_turn])
def test_a_given_list_that_a_block_perhaps_replaces_is_the_callers_as_well(f):
    def copies(given, x):
        return f(given.copy(), x)

    assert 'may have another name' in refused(f, list(X), X)
    check(copies, (list(X), X), (list(X), -X))


@dataclass
class Part:
    v: float = 0.0


def appended(a):
    a.append(1.0)  # modifies


def deleted(a):
    del a[0]  # modifies


def extended(a):
    a += [1.0]  # modifies


def extended_in_a_loop(a):
    for x in np.ones(2) * a[0]:  # modifies
        a.append(x)


@pytest.mark.parametrize('modify', [appended, deleted, extended, extended_in_a_loop])
def test_the_line_is_shown_that_modifies_a_list(modify):
    def f(t):
        a = [t]
        b = a
        if t > 0:
            a = [t]
        modify(a)
        return a, b

    with pytest.raises(ag.errors.OwnershipError, match='# modifies'):
        ag.function(f)(np.float64(1))


def test_the_line_is_shown_that_modifies_a_dict_or_an_object():
    def a_dict(t):
        d = {}
        e = d
        if t > 0:
            d = {}
        d.setdefault('k', t)  # modifies
        return d, e

    def an_object(t):
        p = Part()
        parts = p, p
        if t > 0:
            parts = Part(), Part()
        parts[0].v += t  # modifies
        return parts

    for f in (a_dict, an_object):
        with pytest.raises(ag.errors.OwnershipError, match='# modifies'):
            ag.function(f)(np.float64(1))


def test_one_list_under_two_names_that_may_be_none():
    def f(xs):
        now, best = None, [xs[0], xs[1]]
        for x in xs:
            if x > 2:
                now = [x, xs[0]]
                best = now
            elif now is not None:
                now[1] = x
        return now, best

    assert 'may have another name' in refused(f, XS)
