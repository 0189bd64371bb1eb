"""Messages about values that meet and do not join: both lines, the user's names, and what helps."""
from __future__ import annotations

import re
from collections import namedtuple

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

X = np.float64(2.0)
XS = np.array([1.0, -2.0, 3.0, 5.0])
Pair = namedtuple('Pair', 'a b')


def one_and_two_values(x, xs):
    for v in xs:
        if v > 4:
            return v
        if v > 3:
            return v, x
    return x


def branches_of_one_and_two(x, xs):
    if x > 0:
        return x
    return x, x


def a_text_and_a_number(x, xs):
    for v in xs:
        if v > 4:
            return 'large'
    return x


def a_text_and_a_number_under_a_flag(x, xs):
    for v in xs:
        if v > 0:
            if v > 4:
                return 'large'
            x = x + 1
        x = x + 1
    return x


def arrays_of_other_ranks(x, xs):
    for v in xs:
        if v > 4:
            return xs
    return np.ones((2, 2))


def two_types(x, xs):
    for v in xs:
        if v > 4:
            return np.float32(1)
    return x


def two_kinds_of_tuples(x, xs):
    for v in xs:
        if v > 4:
            return Pair(v, v)
    return x, x


def two_classes(x, xs):
    for v in xs:
        if v > 4:
            return np.float32
    return np.float64


def in_a_helper(x, xs):
    def inner(w):
        for v in xs:
            if v > w:
                return w
        return w, w

    return inner(x)


def cases(x, xs):
    match x:
        case 1.0:
            return 'one'
        case _:
            return 2


def in_a_try(x, xs):
    try:
        for v in xs:
            if v > 4:
                return [v]
        return x
    finally:
        x = 1


RETURNS = [
    (one_and_two_values, 'structure', ['return v', 'return v, x', 'return x']),
    (branches_of_one_and_two, 'structure', ['return x', 'return x, x']),
    (a_text_and_a_number, 'one type', ["return 'large'", 'return x']),
    (a_text_and_a_number_under_a_flag, 'one type', ["return 'large'", 'return x']),
    (arrays_of_other_ranks, '`.reshape(...)`', ['return xs', 'return np.ones((2, 2))']),
    (two_types, '`.astype(...)`', ['return np.float32(1)', 'return x']),
    (two_kinds_of_tuples, 'structure', ['return Pair(v, v)', 'return x, x']),
    (two_classes, 'one dtype', ['return np.float32', 'return np.float64']),
    (in_a_helper, 'structure', ['return w', 'return w, w']),
    (cases, 'one type', ["return 'one'", 'return 2']),
    (in_a_try, 'structure', ['return [v]', 'return x']),
]


@pytest.mark.parametrize(('f', 'fix', 'returns'), RETURNS)
def test_all_returns_are_quoted(f, fix, returns):
    message = refusal(f)
    what, *lines, advice = message.splitlines()
    assert what.startswith('What is returned')
    assert [line.strip() for line in lines if 'File' not in line] == returns
    assert fix in advice
    assert 'astype' not in advice or f is two_types


def functions_of_branches(x, xs):
    if x > 0:
        w = x * 2
        h = lambda v: v + w  # noqa: E731
    else:
        h = lambda v: -v  # noqa: E731
    return h(x)


def functions_by_one_name(x, xs):
    if x > 0:
        def h(v, w=x * 2):
            return v + w
    else:
        def h(v):
            return -v
    return h(x)


def an_expression(x, xs):
    return np.abs(x if x > 0 else (x, x))


def a_variable(x, xs):
    y = x if x > 0 else (x, x)
    return y


def a_loop_of_functions(x, xs):
    h = np.sin
    for w in xs:
        h = lambda v: v + w  # noqa: B023, E731
    return h(x)


def a_list_of_two_forms(x, xs):
    items = []
    for v in xs:
        if v > 4:
            return items
        if v > 0:
            items.append((v, v))
        else:
            items.append(v)
    return items


def a_shared_array(x, xs):
    y = np.zeros(3)
    z = y
    for v in xs:
        if v > 4:
            return y, z
        y[0] = v
        y = z
        z = np.ones(3) * v
    return y, z


NAMELESS = [
    functions_of_branches, functions_by_one_name, an_expression, a_variable, a_loop_of_functions,
    a_list_of_two_forms, a_shared_array,
]  # fmt: skip
GENERATED = re.compile(
    r'\b(result|did_\w+|if_true|if_false|loop_body|loop_test|try_body|item|locals)(_\d+)*\b')


@pytest.mark.parametrize('f', [*(f for f, *_ in RETURNS), *NAMELESS])
def test_no_message_has_a_name_that_nobody_wrote(f):
    what, *_ = message = refusal(f).splitlines()
    shown = [line for line in message if not line.startswith('    ')]
    assert not GENERATED.search('\n'.join(shown).replace('The result', '')), what


def test_functions_are_told_by_their_lines():
    message = refusal(functions_of_branches)
    line = functions_of_branches.__code__.co_firstlineno
    assert f'<lambda> (line {line + 3}) holds values of the block' in message


def refusal(f):
    with pytest.raises(ag.errors.AutographError) as info:
        ag.function(f)(X, XS)
    return str(info.value)


def test_a_pair_or_none_out_of_a_loop():
    def f(x):
        while True:
            if x > 4:
                return None
            if x > 3:
                return x, x
            x = x + 1

    check(f, (np.float64(2.0),), (np.float64(2.5),), (np.float64(5.0),))


def linked(x, xs):
    node = None
    for v in xs:
        node = (v, node)
    return node


def boxed(x, xs):
    box = {}
    while x > 0:
        box = {'in': box, 'x': x}
        x = x - 1
    return box


@pytest.mark.parametrize(('f', 'name'), [(linked, 'node'), (boxed, 'box')])
def test_what_holds_what_it_was_is_refused_soon(f, name):
    assert f'{name} is nested deeper with each turn of the loop' in refusal(f)


def test_nests_that_end_settle():
    def f(xs):
        a, b, c = None, None, None
        for v in xs:
            c = (v, b)
            b = (v, a)
            a = (v, (v, v))
        return a, b, c

    check(f, (np.zeros(0),), (XS[:1],), (XS[:2],), (XS,), traces=4)


def test_a_turn_that_cannot_start_with_what_a_turn_gives():
    def f(n):
        u = 2
        for _ in range(n):
            u = (n | u) / np.exp(3)
        return u

    def another_name(n):
        u, v = 2, 0.0
        for _ in range(n):
            v = (n | u) / np.exp(3)
        return v

    def once(n):
        u = 2
        if n > 0:
            u = (n | u) / np.exp(3)
        return u

    with pytest.raises(ag.errors.StagingError, match='u is int before the loop and float64 after'):
        ag.function(f)(np.int64(1))
    check(another_name, (np.int64(1),))
    check(once, (np.int64(1),))


def test_a_choice_by_and_is_told_of_the_conditional_expression():
    def by_and(x, xs):
        return (x > 0 and 'positive') or 'negative'

    def advised(x, xs):
        return 'positive' if x > 0 else 'negative'

    assert '`a if test else b`' in refusal(by_and)
    check(advised, (X, XS), (-X, XS))


def test_two_dtypes_of_numpy_before_a_loop_over_integers():
    def largest(xs):
        best = np.float64(-np.inf)
        for x in xs:
            if x > best:
                best = x
        return best

    def largest_of_floats(xs):
        best = np.float64(-np.inf)
        for x in xs:
            if x > best:
                best = x.astype(float)
        return best

    def largest_or_none(xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best

    calls = [(XS.astype(np.int64),), (np.arange(0),)]
    with pytest.raises(ag.errors.StagingError, match='let it begin as None and ask'):
        ag.function(largest)(*calls[0])
    check(largest_of_floats, *calls, traces=2, joins=True)
    check(largest_or_none, *calls, traces=2)


def test_a_number_before_a_loop_over_rows():
    def total(rows):
        s = 0
        for row in rows:
            s = s + row
        return s

    def as_advised(rows):
        s = np.full((3,), 0, 'float64')
        for row in rows:
            s = s + row
        return s

    rows = np.arange(6.0).reshape(2, 3)
    with pytest.raises(ag.errors.StagingError, match=r"`np.full\(\(3,\), ..., 'float64'\)`"):
        ag.function(total)(rows)
    check(as_advised, (rows,))


def test_what_does_not_begin_as_a_number_is_not_told_to_begin_as_none():
    def halved(x):
        s = x[0]
        for _ in x:
            s = s * 0.5
        return s

    def halved_floats(x):
        s = x[0].astype(float)
        for _ in x:
            s = s * 0.5
        return s

    with pytest.raises(ag.errors.StagingError, match=r'for example with `\.astype\(float\)`\.'):
        ag.function(halved)(np.array([1, 2]))
    check(halved_floats, (np.array([1, 2]),))


def test_a_number_that_begins_beside_another_may_begin_as_none():
    def largest(xs):
        best, where = np.float64(-np.inf), -1
        for i, x in enumerate(xs):
            if x > best:
                best, where = x, i
        return best, where

    def largest_or_none(xs):
        best, where = None, -1
        for i, x in enumerate(xs):
            if best is None or x > best:
                best, where = x, i
        return best, where

    with pytest.raises(ag.errors.StagingError, match='let it begin as None and ask'):
        ag.function(largest)(np.array([1, 2]))
    check(largest_or_none, (np.array([1, 2]),))


class Ball:
    def __init__(self, x):
        self.x, self.seen = x, []


class Box:
    def __init__(self, x):
        self.x, self.seen = x, []
        self.is_ball = False


def test_objects_of_two_classes():
    def either(x):
        thing = Box(x) if x > 0 else Ball(-x)
        return thing.x

    def one_for_both(x):
        thing = Box(0.0)
        thing.x = x if x > 0 else -x
        thing.is_ball = not x > 0
        return thing.x, thing.is_ball

    def two_of_one(x):
        thing = Box(x) if x > 0 else Box(-x)
        return thing.x

    with pytest.raises(ag.errors.StagingError, match='of two classes: make one Box for both'):
        ag.function(either)(X)
    for f in (one_for_both, two_of_one):
        check(f, (X,), (-X,))


def test_what_tells_two_objects_of_one_class():
    class Run:
        def __init__(self, x):
            self.x, self.hits = x, []

        def __getattr__(self, name):
            return 0.0

    def bound(xs):
        best = Run(0.0)
        for x in xs:
            run = Run(x)
            if x > 1:
                run.hits.append(x)
            if run.x > best.x:
                best = run
        return best.x, best.hits

    def set_in_one(xs):
        best = Run(0.0)
        for x in xs:
            run = Run(x)
            if x > 1:
                run.hits.append(x)
            if run.x > best.x:
                best.x = run.x
                best.hits = run.hits
        return best.x, best.hits

    xs = np.array([1.0, 3.0, 2.0])
    with pytest.raises(ag.errors.StagingError) as caught:
        ag.function(bound)(xs)
    message = str(caught.value)
    assert 'is true and another Run, with its own `hits`, where' in message
    assert 'make one Run, and choose what it holds, as by `best.hits = other.hits`' in message
    check(set_in_one, (xs,))


MISSING = object()


def test_what_to_write_for_a_sentinel():
    def refused(xs):
        best = MISSING
        for x in xs:
            if best is MISSING or x > best:
                best = x
        return best is MISSING

    def advised(xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best is None

    with pytest.raises(ag.errors.StagingError, match='let best begin as None, and ask `is None`'):
        ag.function(refused)(np.ones(2))
    check(advised, (np.ones(2),))


class Preset:
    def __init__(self, rate):
        self.rate = rate


FAST = Preset(2)


def test_what_to_write_for_an_object_or_none():
    def refused(x):
        preset = None
        if x > 0:
            preset = FAST
        return preset

    def advised(x):
        there = False
        if x > 0:
            there = True
        return FAST.rate if there else 0

    with pytest.raises(ag.errors.StagingError, match='`there = True`, and name the Preset itself'):
        ag.function(refused)(np.float64(1))
    check(advised, (np.float64(1),), (np.float64(-1),))
