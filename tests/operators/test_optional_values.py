"""Whether a value is None, True or of a class, asked wherever a value can get to."""
from __future__ import annotations

import contextlib
import copy
import enum
import functools
import itertools
import operator
import statistics
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pytest
from defining import define
from differential import check, outcome, same

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([0.0, 0.0, 0.0], [3.0, 0.0, 0.5], [0.0, 2.0, 0.0])]
NAMES = {
    '__name__': __name__,
    'ag': ag, 'contextlib': contextlib, 'copy': copy, 'functools': functools,
    'itertools': itertools, 'operator': operator, 'statistics': statistics,
    'dataclass': dataclass, 'replace': replace, 'NamedTuple': NamedTuple,
}  # fmt: skip
FOUND = """
    b = None
    for x in m:
        if x > 1: b = x
"""

QUESTIONS = [
    'v is None', 'v is not None', 'None is v', 'not v is None', 'v in (None,)', 'v not in [None]',
    'None in (v, 1.0)', '[v].count(None)', 'v == None', 'v != None', '(v, 1) == (None, 1)',
    'type(v) is type(None)', 'type(v) is not np.float64', 'type(v) in (float, np.float64)',
    'isinstance(v, type(None))', 'isinstance(v, float) and v > 1', 'hasattr(v, "dtype")',
    '(v is None) is True', '(v is None) is False', 'operator.is_(v, None)', 'operator.is_not(v, v)',
    '(1.0 if v is None else v) > 1', 'v is None or v > 2', 'v is not None and v > 2', 'bool(v)',
    'v == 3.0', '(w := v) is None', '{True: 1, False: 2}[v is None]', 'f"{v}"',
    'max([v, 2.0], key=lambda q: -1.0 if q is None else q)',
]


@pytest.mark.parametrize('question', QUESTIONS)
def test_questions_in_a_helper(question):
    text = f'def asked(v):\n    return {question}\ndef f(m):{FOUND}    return asked(b)'
    check(define(text, **NAMES), *VECTORS, joins=True)


def a_bool(m):
    found = None
    for x in m:
        if x > 1:
            found = x > 2
    return bool(found), any([found]), all([found, True]), bool(found or None)


def a_list(m):
    found = None
    for x in m:
        if x > 1:
            found = [y for y in m if y > x]
    asked = found == None, None != found, (found, 1) == (None, 1)  # noqa: E711
    return asked, [found].count(None), found in [None]


def an_object(m):
    found = None
    for x in m:
        if x > 1:
            found = Holder(x)
    return found == found, found != found


class Holder:
    def __init__(self, x):
        self.x = x


@pytest.mark.parametrize('f', [a_bool, a_list, an_object])
def test_questions_of_other_kinds(f):
    check(f, *VECTORS, joins=True)


# `{q}` asks about `v`.
PLACES = {
    'if': 'def h(v):\n    if {q}: return 1\n    return 0\ndef f(m):{b}    return h(b)',
    'elif': """
def h(v, x):
    if x > 5: return 2
    elif {q}: return 1
    else: return 0
def f(m):{b}    return h(b, m[0])""",
    'while': """
def h(v):
    n = 0
    while {q} and n < 3:
        n += 1
    return n
def f(m):{b}    return h(b)""",
    'not': 'def h(v): return not ({q})\ndef f(m):{b}    return h(b)',
    'assert': 'def h(v):\n    assert {q}, "no"\n    return 1\ndef f(m):{b}    return h(b)',
    'default': 'def h(x, v=None): return x if {q} else 0.0\ndef f(m):{b}    return h(2.0, v=b)',
    'default set': """
def h(x, v=None):
    v = 1.0 if v is None else v
    return x + v
def f(m):{b}    return h(2.0, v=b)""",
    'lambda': 'def f(m):{b}    return (lambda v: 1 if {q} else 0)(b)',
    'map': 'def h(v): return 1 if {q} else 0\ndef f(m):{b}    return list(map(h, [b, b]))',
    'filter': 'def f(m):{b}    return len(list(filter(lambda v: not ({q}), [b, b])))',
    'reduce': """
def f(m):{b}    return functools.reduce(lambda n, v: n + (1 if {q} else 0), [b, b], 0)""",
    'takewhile': """
def f(m):{b}    return len(list(itertools.takewhile(lambda v: not ({q}), [b, b])))""",
    'partial': """
def h(v, x): return 1 if {q} else x
def f(m):{b}    return functools.partial(h, b)(2)""",
    'star': 'def h(*a):\n    v, = a\n    return 1 if {q} else 0\ndef f(m):{b}    return h(*[b])',
    'kwargs': """
def h(**k):
    v = k['v']
    return 1 if {q} else 0
def f(m):{b}    return h(**dict(v=b))""",
    'nested': """
def h(v):
    def inner():
        if {q}: return 1
        return 0
    return inner()
def f(m):{b}    return h(b)""",
    'factory': """
def h(v):
    return lambda: 1 if {q} else 0
def f(m):
    {b}    return h(b)()""",
    'wrapped': """
def through(g):
    @functools.wraps(g)
    def wrapper(*a): return g(*a)
    return wrapper
@through
def h(v): return 1 if {q} else 0
def f(m):{b}    return h(b)""",
    'graph': '@ag.function\ndef h(v): return 1 if {q} else 0\ndef f(m):{b}    return h(b)',
    'to_graph': """
def own(v): return 1 if {q} else 0
h = ag.to_graph(own)
def f(m):{b}    return h(b)""",
    'dispatched': """
@functools.singledispatch
def h(v): return 1 if {q} else 0
@h.register(type(None))
def _(v): return 5
def f(m):{b}    return h(b)""",
    'recursion': """
def h(v, n):
    if n > 2: return 1 if {q} else 0
    return h(v, n + 1)
def f(m):{b}    return h(b, m[0])""",
    'comprehension': 'def f(m):{b}    return [1 if {q} else 0 for v in [b, b]]',
    'condition': 'def f(m):{b}    return len([1 for v in [b, b] if {q}])',
    'generator': 'def f(m):{b}    return any({q} for v in [b, b]), sum(1 for v in [b, b] if {q})',
    'for': """
def f(m):
    {b}    n = 0
    for v in [b, b]:
        if {q}: n += 1
    return n""",
    'match': """
def h(v):
    match v:
        case None: return 1
        case x if x > 2: return x
        case _: return 0.0
def f(m):{b}    return h(b)""",
    'try': """
def h(v):
    try:
        if {q}: raise ValueError('no')
        return 0
    except ValueError:
        return 1
def f(m):{b}    return h(b)""",
    'method': """
class A:
    def __init__(self): self.v = None
    def see(self, x): self.v = x
    def asked(self):
        v = self.v
        return 1 if {q} else 0
def f(m):
    a, n = A(), 0
    for x in m:
        if x > 1: a.see(x)
        n += a.asked()
    return n, a.asked()""",
    'static': """
class A:
    @staticmethod
    def h(v): return 1 if {q} else 0
    @classmethod
    def k(cls, v): return 1 if {q} else 0
def f(m):{b}    return A.h(b), A().k(b)""",
    '__new__': """
class A:
    def __new__(cls, v):
        made = object.__new__(cls)
        made.r = 1 if {q} else 0
        return made
def f(m):{b}    return A(b).r""",
    '__init__': """
class A:
    def __init__(self, v):
        if {q}: self.r = 1
        else: self.r = 0
def f(m):{b}    return A(b).r""",
    '__post_init__': """
@dataclass
class A:
    v: object
    r: int = 0
    def __post_init__(self):
        v = self.v
        if {q}: self.r = 1
def f(m):{b}    return A(b).r""",
    'inside': """
def f(m):{b}    class A:
        def h(self, v): return 1 if {q} else 0
    return A().h(b)""",
    'named tuple': """
class A(NamedTuple):
    v: object
    def h(self):
        v = self.v
        return 1 if {q} else 0
def f(m):{b}    return A(b).h()""",
}
SPECIAL = {
    '@property\n    def h(self)': 'a.h', '@functools.cached_property\n    def h(self)': 'a.h',
    'def __getattr__(self, name)': 'a.other', 'def __call__(self)': 'a()',
    'def __len__(self)': 'len(a)', 'def __int__(self)': 'int(a)',
    'def __getitem__(self, i)': 'a[0]', 'def __contains__(self, x)': '2 in a',
    'def __eq__(self, x)': 'a == 2', 'def __add__(self, x)': 'a + 2', 'def __neg__(self)': '-a',
    'def __iter__(self)': '[x for x in a]', 'def __str__(self)': 'str(a)',
}  # fmt: skip


@pytest.mark.parametrize('question', ['v is None', 'isinstance(v, type(None))'])
@pytest.mark.parametrize('place', PLACES)
def test_places(place, question):
    check(define(PLACES[place].format(q=question, b=FOUND), **NAMES), *VECTORS, joins=True)


@pytest.mark.parametrize('method', SPECIAL)
def test_methods_that_python_calls(method):
    result = {'__iter__': 'iter([n])', '__str__': "'a' if v is None else 'b'"}
    given = next((text for name, text in result.items() if name in method), 'n')
    f = define(f"""
class A:
    def __init__(self, v): self.v = v
    {method}:
        v = self.v
        n = 1 if v is None else 0
        return {given}
def f(m):{FOUND}
    a = A(b)
    return {SPECIAL[method]}
""", **NAMES)
    check(f, *VECTORS, joins=True)


VALUES = ['x', '(x, 1)', 'm * x', 'n', 'x > 2.5', '"abc"', '[x, x]', '{"x": x}', 'Pair(x, 1)']


@pytest.mark.parametrize('value', VALUES)
def test_values(value):
    class Pair(NamedTuple):
        first: float
        second: int

    f = define(f"""
def h(v): return 1 if v is None else 0
def k(v): return type(v) is type(None)
def f(m):
    b, n = None, 0
    for x in m:
        n += 1
        if x > 1: b = {value}
    return h(b), k(b), isinstance(b, (tuple, int)), b is None or b is b
""", Pair=Pair)
    check(f, *VECTORS)


def test_a_bool_that_a_branch_sets():
    def found(m):
        done = False
        n = 0
        while done is False:
            n += 1
            if n > m[0]:
                done = True
        return n, done is True, done is not True, done in (True,), done is None

    def matched(m):
        match bool(m[0] > 0):
            case True:
                return 1
            case False:
                return 0

    def compared(m):
        first = m[0] > 0
        return first is (m[1] > 0), first is True, bool(first) is True

    for f in (found, matched, compared):
        check(f, *VECTORS, traces=1)


@pytest.mark.parametrize('asked', ['b is old', 'old is b', 'b is x'])
def test_two_numbers_that_may_be_one_object(asked):
    f = define(f"""
def f(m):
    b = old = None
    n = 0
    for x in m:
        if {asked}: n += 1
        old = b
        if x > 1: b = x
    return n
""")
    with pytest.raises(ag.errors.StagingError, match='one object'):
        ag.function(f)(np.ones(3))


# What is not converted: what it reads must be known to be there.
AS_IT_IS = {
    'function': ('@ag.do_not_convert\ndef h(v): return 1 if v is None else 0', 'h(b)'),
    'by name': ('@ag.do_not_convert\ndef h(v): return 1 if v is None else 0', 'h(v=b)'),
    'method': ("""
class A:
    def __init__(self, v): self.v = v
    @ag.do_not_convert
    def h(self): return 1 if self.v is None else 0
""", 'A(b).h()'),
    'closure': ('', 'ag.do_not_convert(lambda: 1 if b is None else 0)()'),
    'generator': ('def h(v): yield 1 if v is None else 0', 'list(h(b))[0]'),
    '__iter__': ("""
class A:
    def __init__(self, v): self.v = v
    def __iter__(self): yield 1 if self.v is None else 0
""", '[x for x in A(b)][0]'),
    'context manager': (
        '@contextlib.contextmanager\ndef own(v): yield 1 if v is None else 0\n'
        'def h(v):\n    with own(v) as r: pass\n    return r', 'h(b)'),
    'without text': ("exec('def h(v): return 1 if v is None else 0')", 'h(b)'),
    'library': ('', 'statistics.mean([b, 2.0])'),
}


@pytest.mark.parametrize('name', AS_IT_IS)
def test_what_is_not_converted(name):
    before, asked = AS_IT_IS[name]
    f = define(f'{before}\ndef f(m):{FOUND}    return {asked}', **NAMES)
    with pytest.raises(ag.errors.StagingError, match='may be None when the graph runs'):
        ag.function(f)(np.ones(3))


@pytest.mark.parametrize('name', ['function', 'by name', 'method', 'generator', 'without text'])
def test_what_is_not_converted_where_the_value_is_known_to_be_there(name):
    before, asked = AS_IT_IS[name]
    for form in ('{a} if b is not None else 5', '5 if b is None else {a}',
                 '{a} if b is not None and b > 1 else 5'):
        f = define(
            f'{before}\ndef f(m):{FOUND}    return {form.format(a=asked)}', **NAMES)
        check(f, *VECTORS)


def test_what_is_known_after_a_statement():
    f = define(f"""
@ag.do_not_convert
def h(v): return 1 if v is None else v * 2
def after_return(m):{FOUND}    if b is None: return -1.0
    return h(b)
def after_raise(m):{FOUND}    if b is None: raise ValueError('none')
    return h(b)
def after_assert(m):{FOUND}    assert b is not None
    return h(b)
def set_before(m):{FOUND}    b = 1.0 if b is None else b
    return h(b)
def f(m, which):
    return which(m)
""", **NAMES)
    for name in ('after_return', 'after_raise', 'after_assert', 'set_before'):
        check(f.__globals__[name], *VECTORS, joins=True)


@pytest.mark.parametrize('call', [
    'np.shape(b)', 'np.ndim(b)', 'np.size(b)', 'np.zeros_like(b)', 'np.asarray(b)',
    'np.iterable(b)',
])  # fmt: skip
def test_numpy_does_not_take_it_for_an_array(call):
    f = define(f"""
def f(m):
    b = None
    for x in m:
        if x > 1: b = m * x
    return {call}
""")
    graph = ag.function(f)
    for args in VECTORS[1:]:
        assert same(outcome(f, args), outcome(graph, args))
    with pytest.raises(TypeError, match='is None'):
        graph(*VECTORS[0])


def test_compared_with_what_was_before():
    def runs(m):
        previous, n = None, 0
        for x in m:
            if x != previous:
                n += 1
            previous = x
        return n

    def optional_both(m):
        a = b = None
        for x in m:
            a, b = b, x if x > 1 else None
        return a == b, a != b, a in (b, 2.0)

    check(runs, *VECTORS)
    check(optional_both, *VECTORS, joins=True)


def test_beside_a_list_that_an_early_return_gives_too():
    def f(x, k):
        out, best = [], None
        if k == 0:
            if x > 0:
                return out, best
            best = x
        out.append(x)
        return out, best

    check(f, *((np.float64(x), np.int64(k)) for x in (1, -1) for k in (0, 1)))


@pytest.mark.parametrize('use', [
    lambda best, x: best + 1, lambda best, x: 1 - best, lambda best, x: best * x,
    lambda best, x: -best, lambda best, x: abs(best), lambda best, x: best < 1,
    lambda best, x: 2.5**best,
])
def test_operators_say_of_none_what_python_says(use):
    def f(x):
        best = None
        if x > 0:
            best = x
        return use(best, x)

    def f_in_place(x):
        best = None
        if x > 0:
            best = x
        best += 1
        return best

    def f_text(x):
        best = None
        if x > 0:
            best = 'a'
        return best + 'b'

    for each in (f, f_in_place, f_text):
        check(each, (np.float64(1),), (np.float64(-1),))


class Mode(enum.Enum):
    A = 1
    B = 2


def test_what_a_branch_chose_is_compared_by_identity():
    def f(x):
        mode = loss = None
        if x > 1:
            mode, loss = Mode.B, np.sin
        elif x == 0:
            mode, loss = Mode.A, np.cos
        return mode is Mode.B, loss is np.sin, mode is not Mode.A, mode is None

    check(f, *((np.float64(x),) for x in (2, 0, -1)))


def test_a_bound_of_a_slice():
    def first(m):
        end = None
        for i, x in enumerate(m):
            if x > 1:
                end = i
                break
        return end

    def of_an_array(m):
        end, grid = first(m), np.stack([m, m])
        grid[0, :end] = 7
        grid[1, end:] += 1
        steps = m[:: end if end else None]
        return m[:end], m[end:], m[end::2], m[end::-1], m[:end:-1], steps, grid

    def of_a_list(m):
        end, doubled = first(m), []
        for x in m:
            doubled.append(x * 2)
        head, tail = doubled[:end], doubled[end:]
        del doubled[:end]
        return head, tail, doubled

    def of_a_text(m):
        return 'text'[: first(m)]

    for f in (of_an_array, of_a_list, of_a_text):
        check(f, *VECTORS)


def test_an_operand_of_a_matrix_product():
    def f(m):
        best = None
        for x in m:
            if x > 1:
                best = m * x
        return best @ np.stack([m, m]).T, m @ best

    check(f, *VECTORS)
