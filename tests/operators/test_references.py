"""Names for one of several lists, dicts and objects, which one only the running graph knows."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

XS = np.array([1.0, -2.0, 3.0, 0.5])
CALLS = [(XS,), (-XS,)]
INDICES = [(np.array([0, 1, 2, 1, 0]),), (np.array([2, 2, -1]),), (np.array([], int),)]


@dataclass
class Particle:
    x: float
    v: float = 1.0


class Shelf:
    def __init__(self, x):
        self.x = x
        self.items = []


def list_of_a_dict(xs):
    groups = {'a': [], 'b': []}
    for x in xs:
        g = groups['a' if x > 0 else 'b']
        g.append(x)
    return groups


def list_of_a_list(ks):
    rows = [[], [], []]
    for k in ks:
        row = rows[k]
        row.append(k * 2)
    return rows


def item_of_a_row(ks):
    rows = [[0.0, 0.0] for _ in range(3)]
    for k in ks:
        row = rows[k]
        row[0] += 1.0
        row[1] = row[0] * 2
    return rows


def items_of_a_row_in_a_loop(ks):
    rows = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    for k in ks:
        row = rows[k]
        for j in range(len(row)):
            row[j] += k + j
    return rows


def dict_of_a_table(ks):
    table = [{'n': 0, 'sum': 0.0} for _ in range(3)]
    for k in ks:
        node = table[k]
        node['n'] += 1
        node['sum'] += k / 2
    return table


def dataclass_of_a_list(ks):
    particles = [Particle(1.0), Particle(2.0), Particle(3.0)]
    for k in ks:
        p = particles[k]
        p.x += p.v * 0.5
        if p.x > 2:
            p.v = -p.v
    return particles


def object_of_a_list(ks):
    shelves = [Shelf(1.0), Shelf(2.0), Shelf(3.0)]
    for k in ks:
        shelf = shelves[k]
        shelf.x += 1.0
        shelf.items.append(k)
    return [(each.x, each.items) for each in shelves]


def part_of_a_part(xs):
    groups = {'a': {'rows': [[], []]}, 'b': {'rows': [[], []]}}
    for x in xs:
        rows = groups['a' if x > 0 else 'b']['rows']
        row = rows[int(x > 1)]
        row.append(x)
    return groups


def by_expression(xs):
    a, b = [], []
    for x in xs:
        best = a if x > 0 else b
        best.append(x)
        (a if x > 1 else b).append(-x)
    return a, b, best is a


def by_branches(xs):
    a, b, c = [], [], [1.0]
    for x in xs:
        if x > 1:
            best = a
        elif x > 0:
            best = b
        else:
            best = c
        best.append(x)
        b.append(len(best))
    return a, b, c


def a_list_or_a_dict(xs):
    row, table = [0.0], {0: 0.0}
    held = row if xs[0] > 0 else table
    held[0] += xs[1]
    return row, table


def the_best_so_far(xs):
    particles = [Particle(x) for x in (1.0, 2.0, 3.0)]
    best = particles[0]
    for p in particles[1:]:
        if p.x * xs[0] > best.x:
            best = p
    best.v = 9.0
    return particles


def the_best_of_a_staged_loop(xs):
    rows = [[], [], []]
    best = rows[0]
    for i in np.arange(3):
        if xs[i] > len(best):
            best = rows[i]
        best.append(xs[i])
    best.append(7.0)
    return rows


def by_argmin(xs):
    particles = [Particle(1.0), Particle(2.0), Particle(3.0), Particle(4.0)]
    p = particles[np.argmin(xs)]
    p.x = 10.0
    return particles


def through_helpers(ks):
    rows = [[], [], []]

    def row_at(k):
        return rows[k]

    def put(row, x):
        row.append(x)

    for k in ks:
        row_at(k).append(k)
        put(rows[k], -k)
        row = row_at(k)
        put(row, 0)
    return rows


def bound_to_another_list_since(xs):
    groups = {'a': [1.0], 'b': [2.0]}
    g = groups['a' if xs[0] > 0 else 'b']
    groups['a'] = [3.0]
    g.append(5.0)
    return groups, g


def returned(xs):
    a, b = [1.0], [2.0]
    best = a if xs[0] > 0 else b
    best.append(5.0)
    return a, b, best


def another_name_for_the_name(xs):
    a, b = [1.0], [2.0]
    best = a if xs[0] > 0 else b
    same, pair = best, (best, 1)
    same.append(3.0)
    pair[0].append(4.0)
    return a, b, len(best), same is best


def trading_places(xs):
    a, b = [1.0], [2.0]
    for x in xs:
        if x > 0:
            a, b = b, a
        a.append(x)
    return a, b


@pytest.mark.parametrize('f', [
    list_of_a_dict, part_of_a_part, by_expression, by_branches, a_list_or_a_dict, the_best_so_far,
    the_best_of_a_staged_loop, by_argmin, bound_to_another_list_since, returned,
    another_name_for_the_name, trading_places,
])  # fmt: skip
def test_what_is_modified_is_what_it_stands_for(f):
    check(f, *CALLS, joins=True)


@pytest.mark.parametrize('f', [
    list_of_a_list, item_of_a_row, items_of_a_row_in_a_loop, dict_of_a_table, dataclass_of_a_list,
    object_of_a_list, through_helpers,
])  # fmt: skip
def test_what_an_index_leads_to_is_modified(f):
    check(f, *INDICES, joins=True, traces=len(INDICES))


def given_rows(rows, ks):
    for k in ks:
        row = rows[k]
        row.append(k)
    return rows


def given_particles(particles, ks):
    for k in ks:
        p = particles[k]
        p.x += p.v
    return particles


def given_two(pair, ks):
    a, b = pair
    for k in ks:
        best = a if k > 0 else b
        best.append(k)
    return pair


@pytest.mark.parametrize(('f', 'given'), [
    (given_rows, [[], [], []]), (given_particles, [Particle(1.0), Particle(2.0), Particle(3.0)]),
    (given_two, ([1], [])),
])  # fmt: skip
def test_what_is_given_is_modified(f, given):
    check(f, *((given, *ks) for ks in INDICES), joins=True, traces=len(INDICES))


BODY = """
def f(xs):
    a, b, out = [1.0, 2.0], [3.0, 4.0], []
    table, rows = {{'p': a, 'n': b}}, [a, b]
    for x in xs:
        g = table['p' if x > 0 else 'n']
        h = rows[int(x > 1)]
        {body}
        g.append(x)
    return a, b, out
"""

READING = """
        out.append(len(g) + g[-1] + g[1:][0] + sum(g) + max(g) + np.sum(g) + np.mean(g))
        out.extend([3.0 in g, g == h, g is h, g is a, isinstance(g, list), f'{g[0]}' == f'{h[0]}'])
        out.extend([sorted(g)[0], list(g)[-1], len(g + h), len([*g, *h]), g.index(g[0])])
        out.extend([sum(u * 2 for u in g), sum([u * 2 for u in g]), any(u > 2 for u in g)])
        out.append(1.0 if g else 0.0)
        assert len(g) > 0"""

USES = [
    READING, 'g += [x]; g *= 2; g[0] += 1; g[:1] = [x]', 'del g[0]; g.insert(0, x); g.reverse()',
    'g.sort(); g.extend([x, 1.0])', 'out.append(g.pop())', 'g.clear()', 'g, h = h, g',
    'g = g + [x]',
    'g = g if x > 1 else h', 'h = g or h; h.append(1.0)', 'a.append(x)', '(lambda: g.append(x))()',
    'y, z = list(g), g.copy(); y.append(1.0); z.append(1.0)', "w = [{'a': g}]; w[0]['a'].append(2)",
    'while len(g) > 2: g.pop()', 'for u in g: out.append(u)',
]


@pytest.mark.parametrize('body', USES)
def test_what_is_done_with_such_a_name(body, tmp_path):
    check(written(BODY.format(body=body), tmp_path), *CALLS, joins=True)


REFUSED = [
    'for i, u in enumerate(g): g[i] = u + 1', 'out.append(id(g) == id(h))',
    'for u in g:\n            if u > 3 and len(g) < 9: g.append(u)', 'random.Random(1).shuffle(g)',
    'heapq.heappush(g, x)', 'out.append(g); out[-1].append(1.0)',
    'it = iter(g); g.append(1.0); out.append(next(it))',
]


@pytest.mark.parametrize('body', REFUSED)
def test_what_is_refused(body, tmp_path):
    with pytest.raises(ag.errors.AutographError):
        ag.function(written(BODY.format(body=body), tmp_path))(XS)


def written(text, folder):
    """The function `f` of a program."""
    path = folder / 'program.py'
    path.write_text(text)
    found = {'np': np, '__name__': 'program'}
    exec('import heapq, random', found)
    exec(compile(text, str(path), 'exec'), found)
    return found['f']


def test_what_is_not_modified_is_a_value():
    """A graph that has the values of what is chosen is shorter than one that has its number."""
    def f(xs):
        a, b = [1.0, 2.0], [3.0, 4.0]
        best = a if xs[0] > 0 else b
        return best[0] + best[1]

    lowered = check(f, *CALLS).get_concrete_function(XS).lowered_code
    assert len(lowered.splitlines()) < 9


def test_tracing_once_more_takes_back_what_python_did():
    numbers = iter(range(9))

    def f(xs):
        a, b = [next(numbers)], [next(numbers)]
        best = a if xs[0] > 0 else b
        best.append(xs[1])
        return a, b

    a, b = ag.function(f)(XS)
    assert (len(a), len(b)) == (2, 1)
