"""Lists that are refused under two names, or outside: what the messages say to write works."""
from __future__ import annotations

import io
from collections import deque

import numpy as np
import pytest
from following import check_advice

import autograph_lite as ag

UP, DOWN = np.float64(1.0), np.float64(-1.0)
XS = np.array([1.0, 3.0, 2.0, 5.0, 1.0])
SCALARS = (UP,), (DOWN,)
VECTORS = (XS,), (-XS,)



def begun_anew(xs):
    now = [1.0]
    best = now
    for x in xs:
        now.append(x)
        if x > 2:
            best = now
            now = []
    return best, now


def begun_anew_with_a_copy(xs):
    now = [1.0]
    best = now.copy()
    for x in xs:
        now.append(x)
        if x > 2:
            best = now
            now = []
    return best, now


def begun_anew_with_two_copies(xs):
    now = [1.0]
    best = now.copy()
    for x in xs:
        now.append(x)
        if x > 2:
            best = now.copy()
            now = []
    return best, now


def test_a_list_under_another_name_that_is_begun_anew_is_copied_before_and_within():
    with pytest.raises(ag.errors.OwnershipError, match=r'take a copy first: `best = now\.copy'):
        ag.function(begun_anew)(XS)
    check_advice(
        begun_anew_with_a_copy, begun_anew_with_two_copies, '`best = now.copy()`', VECTORS)


def named_and_changed(xs):
    best = []
    for x in xs:
        row = [x]
        if x > 1:
            best = row
        row.append(x)
    return best


def changed_and_named(xs):
    best = []
    for x in xs:
        row = [x]
        row.append(x)
        if x > 1:
            best = row
    return best


def test_what_may_have_another_name_is_changed_before():
    check_advice(
        named_and_changed, changed_and_named, '`row.append(v)`, then `best = row`', VECTORS)


ROWS = [[1.0], [2.0]]


def at_an_index(x):
    k = np.int64(x > 0)
    ROWS[k].append(x)


def at_each_index(x):
    for k in range(len(ROWS)):
        if k == np.int64(x > 0):
            ROWS[k].append(x)


def of_a_list_that_is_given(rows, x):
    rows[np.int64(x > 0)].append(x)


def in_each_row(x):
    if x > 0:
        for row in ROWS:
            row.append(x)


def in_each_row_by_index(x):
    if x > 0:
        for k in range(len(ROWS)):
            ROWS[k].append(x)


def of_runs(xs):
    for x in xs:
        if x > 2:
            ROWS.append([])
        ROWS[-1].append(x)


def of_runs_of_a_list_that_is_given(rows, xs):
    for x in xs:
        if x > 2:
            rows.append([])
        rows[-1].append(x)


def given(calls):
    return [([[1.0], [2.0]], *args) for args in calls]


def set_to_a_longer_copy(xs):
    rows = [row.copy() for row in ROWS]
    for x in xs:
        rows.append([x])
    ROWS[:] = rows


def set_to_a_longer_copy_of_what_is_given(given, xs):
    rows = [row.copy() for row in given]
    for x in xs:
        rows.append([x])
    given[:] = rows


def set_at_an_index(x):
    k = np.int64(x > 0)
    ROWS[k] = ROWS[k] + [x]


def set_at_an_index_of_what_is_given(rows, x):
    k = np.int64(x > 0)
    rows[k] = rows[k] + [x]


@pytest.mark.parametrize(('refused', 'followed', 'advice', 'calls', 'other_calls'), [
    (set_to_a_longer_copy, set_to_a_longer_copy_of_what_is_given, 'Give it to the function',
     VECTORS, given(VECTORS)),
    (set_at_an_index, set_at_an_index_of_what_is_given, 'list as an argument', SCALARS,
     given(SCALARS)),
    (at_an_index, at_each_index, 'for k in range(len(rows))', SCALARS, None),
    (at_an_index, of_a_list_that_is_given, 'as an argument', SCALARS, given(SCALARS)),
    (in_each_row, in_each_row_by_index, 'for k in range(len(rows))', SCALARS, None),
    (of_runs, of_runs_of_a_list_that_is_given, 'as an argument', VECTORS, given(VECTORS)),
])
def test_lists_in_a_list_outside(refused, followed, advice, calls, other_calls):
    check_advice(refused, followed, advice, calls, other_calls, ROWS)


class Model:
    def __init__(self):
        self.best = 1.0, [2.0]
        self.size, self.path = self.best
        self.rows = [[1.0], [2.0]]
        self.named = {'a': {'b': [1.0]}}


def set_to_a_tuple(model, x):
    if x > 0:
        model.best = x, [x]


def set_to_its_parts(model, x):
    if x > 0:
        model.size, model.path = x, [x]


def test_a_tuple_with_a_list_is_set_by_its_parts():
    check_advice(
        set_to_a_tuple, set_to_its_parts, 'an attribute of its own',
        [(Model(), UP)], [(Model(), UP), (Model(), DOWN)])


def set_to_a_longer_one(model, x):
    if x > 0:
        model.rows = [*model.rows, [x]]


def appended_to(model, x):
    if x > 0:
        model.rows.append([x])


def set_to_a_dict(model, x):
    if x > 0:
        model.named['a'] = {'b': [x]}


def set_in_a_dict(model, x):
    if x > 0:
        model.named['a']['b'] = [x]


def test_a_dict_with_a_list_outside_that_a_branch_makes_anew_is_set_within():
    check_advice(
        set_to_a_dict, set_in_a_dict, "`d['a'] = [x]`", [(Model(), UP), (Model(), DOWN)])


def test_a_list_of_lists_outside_that_a_branch_makes_anew_is_changed():
    check_advice(
        set_to_a_longer_one, appended_to, 'change what is there, `rows.append(row)`',
        [(Model(), UP), (Model(), DOWN)])


def two_names(xs):
    a = xs
    b = xs
    for i in range(3):
        a[i] += 1
        if a[i] > 2:
            b = a.copy()
    return a, b


def a_copy_from_the_start(xs):
    a = xs
    b = xs.copy()
    for i in range(3):
        a[i] += 1
        if a[i] > 2:
            b = a.copy()
    return a, b


def kept_and_filled(xs):
    best, now = np.zeros(3), np.zeros(3)
    for i in range(3):
        now[i] = xs[i]
        if xs[i] > 1:
            best = now
    return best


def copied_and_filled(xs):
    best, now = np.zeros(3), np.zeros(3)
    for i in range(3):
        now[i] = xs[i]
        if xs[i] > 1:
            best = now.copy()
    return best


@pytest.mark.parametrize(('refused', 'followed', 'name'), [
    (two_names, a_copy_from_the_start, 'b'), (kept_and_filled, copied_and_filled, 'best')])
def test_an_array_that_is_read_by_another_name_is_told_by_it(refused, followed, name):
    with pytest.raises(ag.errors.OwnershipError, match=f"This reads '{name}', whose memory"):
        ag.function(refused)(XS)
    check_advice(refused, followed, 'let one be a copy', [(XS,)], [(XS,), (-XS,)])


def a_set_for_each_way(x):
    return {1} if x > 0 else {2}


def one_set(x):
    found = set()
    if x > 0:
        found.add(1)
    else:
        found.add(2)
    return found


def test_sets_of_two_ways_are_filled():
    check_advice(a_set_for_each_way, one_set, '`found = set()`', SCALARS)


def written(xs):
    file = io.StringIO()
    for x in xs:
        file.write(str(x))
    return file.getvalue()


def put_together(xs):
    parts = []
    for x in xs:
        parts.append(str(x))
    return ''.join(parts)


def test_a_text_is_put_together():
    check_advice(written, put_together, "`parts.append(str(x))`, then `''.join(parts)`", VECTORS)


def of_elements(xs):
    return len(frozenset(xs))


def of_a_set(xs):
    return len(set(xs))


def test_elements_of_a_set():
    check_advice(of_elements, of_a_set, '`set(xs)`', VECTORS)


def put_and_set(model, xs):
    model.rows.append(np.zeros(2))
    model.rows[-1][0] = xs[0]
    return model.rows[-1]


def set_and_put(model, xs):
    row = np.zeros(2)
    row[0] = xs[0]
    model.rows.append(row)
    return model.rows[-1]


def put_and_replaced(model, xs):
    model.rows.append(np.zeros(2))
    row = model.rows[-1].copy()
    row[0] = xs[0]
    model.rows[-1] = row
    return model.rows[-1]


@pytest.mark.parametrize('followed', [set_and_put, put_and_replaced])
def test_an_array_that_is_put_outside_is_set_before_or_replaced(followed):
    model = Model()
    model.rows = [np.ones(2)]
    check_advice(
        put_and_set, followed, 'before it is put there; or work on a copy',
        [(model, XS), (model, -XS)])


def deques(xs):
    groups = {}
    for x in xs:
        groups.setdefault(int(x), deque()).append(x)
    return [(k, list(group)) for k, group in groups.items()]


def lists(xs):
    groups = {}
    for x in xs:
        groups.setdefault(int(x), []).append(x)
    return [(k, list(group)) for k, group in groups.items()]


def test_a_dict_that_grows_has_lists():
    check_advice(deques, lists, 'arrays or lists of such', VECTORS)


def sorted_in_its_place(model, x):
    model.path.sort(key=lambda v: v * x)


def sorted_and_set(model, x):
    model.path = sorted(model.path, key=lambda v: v * x)


def sorted_where_it_is_given(path, x):
    path.sort(key=lambda v: v * x)


@pytest.mark.parametrize(('followed', 'path'), [
    (sorted_and_set, None), (sorted_where_it_is_given, [2.0, 3.0, 1.0])])
def test_a_list_outside_is_sorted_by_a_function_of_the_function(followed, path):
    model = Model()
    model.path = [2.0, 3.0, 1.0]
    check_advice(
        sorted_in_its_place, followed, '`rows = sorted(rows, key=f)`', [(model, UP)],
        [(path or model, UP), (path or model, DOWN)])
