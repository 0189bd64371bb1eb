"""Lists outside of tuples, texts and flags that are changed, and then read in the same call."""
from __future__ import annotations

from collections import deque, namedtuple

import numpy as np
import pytest
from defining import define
from states import left

import autograph_lite as ag

Point = namedtuple('Point', 'x y')


class Log:
    """Lists as programs keep them."""

    def __init__(self):
        self.rows = [(np.float64(3.0), 1), (np.float64(2.0), 4)]
        self.points = [Point(np.float64(1.0), np.float64(2.0))]
        self.nested = [(np.float64(1.0), (np.float64(2.0), 3))]
        self.named = [('a', np.float64(1.0))]
        self.arrays = [(np.ones(2), np.float64(1.0))]
        self.pairs = deque([(np.float64(1.0), np.float64(2.0))], maxlen=3)
        self.names, self.flags, self.perhaps = ['a', 'b'], [True, False], [None, np.float64(1.0)]
        self.new = []


CALLS = [np.float64(x) for x in (2.0, -2.0, 0.5)]


def alike(body: str, traces: int | None = 1) -> None:
    """Of each call, what the body gives and what it leaves is what Python gives and leaves."""
    f = define(f'def f(x, s):\n    {body}', Point=Point, np=np)
    left(Log, lambda _: f, CALLS, traces=traces)


READS = (
    's.rows[-1]', 's.rows[0][1]', 'sum(v for v, _ in s.rows)', 's.rows', 'len(s.rows)',
    'max(s.rows)', 'min(s.rows, key=lambda row: row[0])', 'sorted(s.rows)', 's.rows[-2:]',
    '[a * b for a, b in s.rows if b > 1]', '(x, 1) in s.rows', 's.rows.index((x, 1))',
    'np.array(s.rows)', '[a for a, b in reversed(s.rows)]', 'list(enumerate(s.rows))',
    '[a - c for (a, b), (c, d) in zip(s.rows, s.rows[1:])]', 's.rows + [(x, 2)]',
    's.rows == s.rows', 'next(iter(s.rows))', 'next(a for a, b in s.rows if b > 1)',
    's.rows.copy()', '{b: a for a, b in s.rows}[4]', 's.rows.pop()',
    's.rows.pop(0)[0]', "f'{s.rows[-1][0]} {len(s.rows)}'", 'isinstance(s.rows, list)',
)  # fmt: skip


@pytest.mark.parametrize('read', READS)
@pytest.mark.parametrize('change', [
    's.rows.append((x, 1))', 's.rows[0] = s.rows[0][0] + x, 4; s.rows.append((x, 1))',
])
def test_a_list_of_tuples_is_read_after_a_change(change, read):
    alike(f'{change}; return {read}')


OTHERS = (
    's.points.append(Point(x, x)); return s.points[-1], sum(p.x for p in s.points)',
    's.nested.append((x, (x, 4))); return s.nested[-1][1][0], s.nested[0]',
    's.named.append(("b", x)); return s.named[-1], sum(v for n, v in s.named if n == "a")',
    's.arrays.append((np.full(2, x), x)); return s.arrays[-1][0], sum(b for _, b in s.arrays)',
    's.pairs.append((x, x)); a, _ = s.pairs.popleft(); return a, sum(b for _, b in s.pairs)',
    's.pairs.append((x, x)); s.pairs[0] = x, x + 1; s.pairs.rotate(1); return s.pairs[-1]',
    's.names.append("c"); return s.names[-1], ",".join(s.names), "c" in s.names',
    's.flags.append(bool(x > 0)); return s.flags[-1], sum(s.flags), all(s.flags)',
    's.perhaps.append(x); return s.perhaps[0] is None, s.perhaps[-1]',
    's.new.append((x, x)); return s.new[-1], s.new',
    's.new.extend([(x, 1), (x, 2)]); return s.new[-1], len(s.new)',
    't = s.new[-1][1] if s.new else 0.0; s.new.append((x, t + x)); return s.new[-1][1]',
    's.rows.sort(); return s.rows[0]',
    's.rows[0], s.rows[1] = s.rows[1], s.rows[0]; return s.rows[0]',
    'rows = s.rows; rows.append((x, 1)); s.rows.append((x, 2)); return rows[-1], len(rows)',
    's.rows.append((x, 1)); rows = s.rows; s.rows[0] = x, 5; return rows[0], rows',
    's.arrays.append((np.full(2, x), x)); return s.arrays.pop(0)[0]',
)  # fmt: skip


@pytest.mark.parametrize('body', OTHERS)
def test_elements_of_other_kinds(body):
    alike(body)


def changed_in_one_branch(x, s):
    y = 0
    if x > 0:
        s.rows.append((x, 1))
    else:
        y = s.rows[-1][1]
    return y


def counts_runs(x, s):
    for v in np.array([1.0, 1.0, 2.0]) * x:
        if not s.new or s.new[-1][0] != v:
            s.new.append((v, 1))
        else:
            s.new[-1] = v, s.new[-1][1] + 1
    return len(s.new), s.new[-1]


def falls_as_others_rise(x, s):
    while s.rows and s.rows[-1][0] < x:
        s.rows.pop()
    s.rows.append((x, len(s.rows)))
    return s.rows


def keeps_the_last(x, s):
    s.rows.append((x, 1))
    if len(s.rows) > 2:
        s.rows.pop(0)
    return sum(a for a, _ in s.rows) / len(s.rows)


@pytest.mark.parametrize('f', [
    changed_in_one_branch, counts_runs, falls_as_others_rise, keeps_the_last,
])
def test_a_list_of_tuples_in_branches_and_loops(f):
    left(Log, lambda _: f, CALLS)


def test_what_others_put_into_the_list_between_the_calls():
    f = define('def f(x, s):\n    s.rows.append((x, 1)); return s.rows[0], len(s.rows)')
    left(Log, lambda _: f, CALLS, change=lambda s: s.rows.insert(0, (np.float64(7.0), 9)))
    left(Log, lambda _: f, CALLS, change=lambda s: s.rows.append((7, 9)), traces=None)


def refused(body: str, match: str) -> str:
    f = ag.function(define(f'def f(x, s):\n    {body}', np=np))
    with pytest.raises(ag.errors.OwnershipError, match=match) as error:
        f(np.float64(2.0), Log())
    return str(error.value)


def test_arrays_in_tuples_are_not_modified_behind_the_list():
    begin = 's.arrays.append((np.full(2, x), x)); a, _ = s.arrays[0]; '
    refused(f'{begin}a += 1', 'belongs to the caller')
    alike(f'{begin}a = a.copy(); a += 1; return a, s.arrays[0]')
    refused('y = np.full(2, x); s.new.append((y, x)); y[0] = 9; return s.new[-1]', 'put a copy')
    alike('y = np.full(2, x); s.new.append((y.copy(), x)); y[0] = 9; return s.new[-1], y')


def test_elements_of_several_types_are_told():
    said = refused('s.rows.append((x, 1, 2)); return s.rows[-1]', 'of several types')
    assert '(*, *) of float64, int; (*, *, *) of float64, int, int' in said
    alike('first = s.rows[0]; s.rows.append((x, 1, 2)); return first', traces=None)


LOOPS = (
    'for v in s: s.append(v + x) if len(s) < 5 else None',
    'for i, v in enumerate(s): s.append(v * i) if len(s) < 5 else None',
    'for v in s:\n        if v == x: s.remove(v)',
    'for i, v in enumerate(s):\n        if i + 1 < len(s): s[i + 1] = s[i + 1] + v',
    'for v in s:\n        for w in s:\n            if len(s) < 6: s.append(v * w)',
    'n = [s.pop() for v in s]',
)  # fmt: skip


@pytest.mark.parametrize('loop', LOOPS)
@pytest.mark.parametrize('first', ['pass', 's.append(x)'])
def test_a_loop_goes_over_a_list_that_it_changes(loop, first):
    f = define(f'def make(s):\n    def f(x):\n        {first}\n        '
               + loop.replace('\n', '\n    ') + '\n        return len(s), s[0]\n    return f')
    left(lambda: [np.float64(1.0), np.float64(3.0)], f, CALLS, traces=None)


def test_a_loop_over_rows_or_a_deque_that_it_changes_is_refused():
    for name in ('rows', 'pairs'):
        loop = f'for a, b in s.{name}:\n        if len(s.{name}) < 3: s.{name}.append((a, b))'
        assert 'run over a copy of it: `for x in list(xs):`' in refused(loop, 'runs over')
        alike(loop.replace(f's.{name}:', f'list(s.{name}):'))


def test_a_tuple_is_put_into_a_list_that_is_given_and_returned():
    def f(x, rows):
        row = (x, x)
        rows.append(row)
        return row, rows[-1]

    rows, plain = [(1.0, 2.0)], [(1.0, 2.0)]
    assert ag.function(f)(3.0, rows) == f(3.0, plain)
    assert rows == plain
