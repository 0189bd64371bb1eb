"""Dicts of which only the running graph knows which keys they have."""
from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array(x),) for x in ([1.0, 2.0], [-1.0, -3.0], [1.0, -3.0], [-3.0, 6.0])]


def set_in_a_branch(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    return d, len(d), 'a' in d, d.get('a'), bool(d)


def read_though_it_may_be_missing(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    return d['a']


def one_key_or_the_other(x):
    if x[0] > 0:
        d = {'a': x[0], 'k': 1}
    else:
        d = {'b': x[1]}
    return d


def keys_in_another_order(x):
    if x[0] > 0:
        return {'a': x[0], 'b': x[1]}
    return {'b': x[0], 'a': x[1]}


def last_of_each(x):
    d = {}
    for v in x:
        if v > 0:
            d['positive'] = v
        else:
            d['other'] = v
    return d


def counted(x):
    d = {}
    for v in x:
        if v > 0:
            d['positive'] = d.get('positive', 0) + 1
        elif 'other' in d:
            d['other'] += 1
        else:
            d['other'] = 1
    return d


def keys_of_integers(x):
    d = {}
    for v in x:
        if v > 0:
            d[0] = v
        else:
            d[1] = v
    return d.get(0, 0.0) + d.get(1, 0.0)


def values_of_all_types(x):
    d = {}
    for i, v in enumerate(x):
        d['n'] = i
        d['v'] = v
        d['row'] = x * v
        d['pair'] = v, i
        d['name'] = 'z'
    return d, d['pair'][1] + d['n']


def a_dict_in_a_dict(x):
    d = {'in': {}}
    for v in x:
        if v > 0:
            d['in']['p'] = {'v': v}
    return d


def lists_of_values(x):
    d = {}
    for v in x:
        d.setdefault('all', []).append(v)
        if v > 0:
            if 'positive' not in d:
                d['positive'] = []
            d['positive'].append(v)
    return d


def a_list_that_may_be_missing(x):
    d = {}
    if x[0] > 0:
        d['a'] = []
    if 'a' in d:
        d['a'].append(x[1])
    return d


def an_array_changed_in_place(x):
    d = {}
    if x[0] > 0:
        d['a'] = np.zeros(2)
    if 'a' in d:
        d['a'][1] = 5.0
        d['a'] += 1
    return d


def deleted(x):
    d = {'a': 1.0, 'b': 2.0, 'c': 3.0}
    if x[0] > 0:
        del d['a']
    else:
        del d['b']
        d['b'] = x[0]
    return d


def deleted_twice(x):
    d = {'a': 1.0, 'b': 2.0}
    for v in x:
        if v > 0:
            del d['a']
    return d


def popped(x):
    d = {'a': 1.0, 'b': 2.0}
    s = 0.0
    for v in x:
        if v > 0:
            s += d.pop('a', 5.0)
    return d, s


def cleared(x):
    d = {'a': 1.0}
    for v in x:
        if v > 0:
            d.clear()
        d['b'] = v
    return d


def updated(x):
    d = {'b': 0.5}
    if x[0] > 0:
        d.update({'a': x[0]}, c=1.5)
    return d, d == {'b': 0.5}, d != {'a': x[0], 'b': 0.5, 'c': 1.5}


def copied(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    e, f = d.copy(), dict(d)
    e['e'] = 1.0
    f['f'] = 2.0
    return d, e, f, d | {'z': 3.0}


def gone_over(x):
    d = {}
    for v in x:
        if v > 0:
            d['positive'] = v
        else:
            d['other'] = v * 2
    total = 0.0
    for k in d:
        d[k] += 1.0
    for k, v in d.items():
        if v < -4:
            break
        total = total * 10 + (v if k == 'other' else -v)
    return total, list(d), list(d.values()), list(d.items()), sorted(d), sum(d.values()), max(d)


def until_there_is_one(x):
    found = {}
    i = 0
    while i < x.size and 'at' not in found:
        if x[i] > 1:
            found['at'] = i
        i += 1
    return found, i


def under_two_names(x):
    d = {}
    e = d
    for v in x:
        if v > 0:
            d['a'] = v
    if x[1] > 0:
        e['b'] = x[1]
    return d, len(e), 'a' in e


def caught(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    try:
        found = d['a']
    except KeyError:
        found = x[1]
    return found


def ordered(x):
    d = OrderedDict()
    for v in x:
        if v > 0:
            d['a'] = v
    return d


def matched(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    match d:
        case {'a': v}:
            return v
        case _:
            return x[1]


def grouped(x):
    d = defaultdict(list)
    for v in x:
        if v > 0:
            d['positive'].append(v)
        else:
            d['other'].append(v)
    return d, dict(d), isinstance(d, defaultdict)


def added_up(x):
    d = defaultdict(float)
    for v in x:
        d['sum'] += v
        if v > 0:
            d['positive'] += v
    return d['sum'], d['none'], d


def of_arrays(x):
    d = defaultdict(lambda: np.zeros(2))
    for i, v in enumerate(x):
        d['h'][i] += v
    return d


def counts(x):
    c = Counter('ab')
    for v in x:
        c['other'] += 1
        if v > 0:
            c.update(['a', 'c'])
    return c, c['a'], c['z'], len(c), 'z' in c


def over_python_values(x):
    d = defaultdict(int)
    for k in 'abcab':
        d[k] += 1
    c = Counter('abcab')
    ranked = sorted(d.items(), key=lambda item: -item[1])
    return f'{d} {c}', ranked, max(d, key=d.get), c.most_common(1), c.total(), c == d, x


class Graph:
    def __init__(self):
        self.edges = defaultdict(list)
        self.degrees = Counter()

    def add(self, a, b):
        self.edges[a].append(b)
        self.degrees[a] += 1


def of_an_object_with_defaults(x):
    graph = Graph()
    graph.add('a', 1.0)
    for v in x:
        graph.add('b', v)
    return graph.edges, graph.degrees


def rebound(x):
    d = {'a': 1.0}
    for v in x:
        if v > 0:
            d = {'b': v}
        d['c'] = v
    return d


def counted_by_catching(x):
    d = {}
    for _ in x:
        try:
            d['n'] = d['n'] + 1
        except KeyError:
            d['n'] = 1
    return d


class Store:
    def __init__(self):
        self.held = {}

    def put(self, v):
        if v > 0:
            self.held['positive'] = v
        else:
            self.held['other'] = v


def of_an_object(x):
    store = Store()
    for v in x:
        store.put(v)
    return store.held


def put(d, v):
    d['last'] = v


def in_a_helper(x):
    d = {}
    for v in x:
        put(d, v)
    return d


FUNCTIONS = [
    set_in_a_branch, read_though_it_may_be_missing, one_key_or_the_other, keys_in_another_order,
    last_of_each, counted, keys_of_integers, values_of_all_types, a_dict_in_a_dict,
    lists_of_values, a_list_that_may_be_missing, an_array_changed_in_place, deleted, deleted_twice,
    popped, cleared, updated, copied, gone_over, until_there_is_one, under_two_names, caught,
    ordered, matched, grouped, added_up, of_arrays, counts, over_python_values,
    rebound, counted_by_catching, of_an_object_with_defaults, of_an_object, in_a_helper,
]  # fmt: skip


@pytest.mark.parametrize('f', FUNCTIONS)
def test_is_python(f):
    check(f, *CALLS, joins=True)


@pytest.mark.parametrize('f', [values_of_all_types, last_of_each, in_a_helper])
def test_no_turn_sets_no_key(f):
    check(f, (np.zeros(0),), joins=True)


def in_a_comprehension(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    return {k: v + 1 for k, v in d.items()}


def as_arguments(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    return dict(b=1.0, **d)


def changed_while_gone_over(x):
    d = {}
    if x[0] > 0:
        d['a'] = x[0]
    for v in d.values():
        d['a'] += v
    return d


@pytest.mark.parametrize(
    ('f', 'fix'),
    [
        (in_a_comprehension, "whether 'a' is in it does not support going over its items"),
        (as_arguments, 'd.copy'),
        (changed_while_gone_over, 'Go over its keys'),
    ],
)
def test_refused(f, fix):
    with pytest.raises(ag.errors.StagingError, match=fix):
        ag.function(f)(CALLS[0][0])


def views_are_gone_over_again(x):
    d = {}
    for v in x:
        if v > 0:
            d['a'] = v
        else:
            d['b'] = v
    items, values = d.items(), d.values()
    s = 0.0
    for _, v in items:
        s += v
    for _, v in items:
        s += 2 * v
    d['c'] = 5.0
    for v in values:
        s += v
    return s, sum(values), list(values)


def test_views_are_gone_over_again():
    check(views_are_gone_over_again, *CALLS, joins=True)


def perhaps_two(xs):
    d = {}
    if xs[0] > 1:
        d['b'] = xs[1]
    if xs[1] > 1:
        d['a'] = xs[2]
    if xs[2] > 1 and 'b' not in d:
        d['b'] = xs[0]
    return d


def perhaps_one(xs):
    d = {'a': xs[0]}
    if xs[0] > 1:
        d['b'] = xs[1]
    return d


def displayed(xs):
    one, two = perhaps_one(xs), perhaps_two(xs)
    return {**two}, {**two, **one}, {**one, **two}, {'z': 0, **one, 'y': 1, **two}, {**one, 'b': 1}


def merged(xs):
    one, two = perhaps_one(xs), perhaps_two(xs)
    two.update(one)
    two.update(z=1)
    return two, one | perhaps_two(xs), {'k': 1} | one, list({**two, 'c': 1}), len({**one, **two})


def apart(xs):
    one = perhaps_one(xs)
    other = {**one, 'q': 2}
    other['a'] = 0.5
    del other['q']
    return one, other


@pytest.mark.parametrize('f', [displayed, merged, apart])
def test_dicts_that_are_put_together(f):
    vectors = [1, 2, 3], [2, 2, 1], [3, 3, 3], [1, 1, 2], [1, 1, 1]
    check(f, *((np.array(xs),) for xs in vectors))


def put_in_a_branch(x):
    d, row = {}, [7.0]
    if x[0] > 0:
        d['a'] = row
    row[0] = 5.0
    return d, row


def put_in_a_loop(x):
    d, row = {}, [7.0]
    for v in x:
        if v > 0:
            d['a'] = row
        row[0] = v
    return d, row


def put_and_changed_there(x):
    d, row = {}, [7.0]
    if x[0] > 0:
        d['a'] = row
    if 'a' in d:
        d['a'][0] = 5.0
    return d, row


def empty_and_changed_there(x):
    d, row = {}, []
    if x[0] > 0:
        d['a'] = row
    if 'a' in d:
        d['a'].append(5.0)
    return d, row


def empty_and_changed_in_a_loop(x):
    d, row = {}, []
    for v in x:
        if v > 0:
            d['a'] = row
        if 'a' in d:
            d['a'].append(v)
    return d, row


def empty_and_changed_where_it_must_be(x):
    d, row = {}, [[]]
    if x[0] > 0:
        d['a'] = row
    d['a'][0].append(5.0)
    return d, row


def empty_and_changed_after_another_block(x):
    d, row = {}, []
    if x[0] > 0:
        d.setdefault('a', row)
    if x[1] > 0:
        d['b'] = 1.0
    if 'a' in d:
        d['a'].append(5.0)
    return d, row


def empty_and_taken(x):
    d, row = {}, []
    if x[0] > 0:
        d['a'] = row
    taken = d.pop('a', [2.0])
    taken.append(3.0)
    return d, row, taken


@pytest.mark.parametrize('f', [
    put_in_a_branch, put_in_a_loop, put_and_changed_there, empty_and_changed_there,
    empty_and_changed_in_a_loop, empty_and_changed_where_it_must_be,
    empty_and_changed_after_another_block, empty_and_taken])
def test_a_list_that_perhaps_was_put_into_a_dict_is_not_modified(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(*CALLS[0])


def test_a_copy_is_put_into_a_dict():
    def f(x):
        d, row = {}, [7.0]
        if x[0] > 0:
            d['a'] = row.copy()
        row[0] = 5.0
        return d, row

    check(f, *CALLS)


def put_empty(x):
    d, row = {}, []
    if x[0] > 0:
        d['a'] = row
    if x[1] > 0:
        d['a'] = [x[0]]
    n = len(d['a']) if 'a' in d else -1
    return d, row, n


def put_as_an_empty_copy(x):
    d, row = {}, []
    if x[0] > 0:
        d['a'] = row.copy()
    if 'a' in d:
        d['a'].append(5.0)
    return d, row


@pytest.mark.parametrize('f', [put_empty, put_as_an_empty_copy])
def test_an_empty_list_is_perhaps_put_into_a_dict(f):
    check(f, *CALLS, joins=True)


def changed_where_it_is_there(x):
    d = {}
    if x[0] > 0:
        d['a'], d['b'] = [7.0], {'u': [1.0]}
    if 'a' in d:
        d['a'][0] += 1.0
        d['b']['u'][0] = x[1]
        d['b']['v'] = 2.0
    if x[1] > 0 and 'a' in d:
        d['a'].append(x[0])
    return d


def changed_in_a_loop(x):
    d = {}
    for v in x:
        if v > 0:
            d['a'] = [v]
        if 'a' in d:
            d['a'][0] += 1.0
    return d


def changed_and_got(x):
    d = {}
    if x[0] > 0:
        d['a'] = [1.0]
    if 'a' in d:
        d['a'][0] = 4.0
    return d, d.get('a', [2.0]), d.copy()


def changed_and_taken(x):
    d = {}
    if x[0] > 0:
        d['a'] = [1.0]
    row = d.pop('a', [2.0])
    row[0] = 3.0
    return d, row


@pytest.mark.parametrize('f', [
    changed_where_it_is_there, changed_in_a_loop, changed_and_got, changed_and_taken])
def test_what_a_dict_may_lack_is_changed_in_its_place(f):
    check(f, *CALLS, joins=True)


def test_what_get_gives_is_not_modified():
    def f(x):
        d = {}
        if x[0] > 0:
            d['a'] = [1.0]
        row = d.get('a', [2.0])
        row[0] = 3.0
        return d, row

    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(*CALLS[0])


def over_items(d):
    for _, v in d.items():
        v[0] = 2.0
    return d


def over_a_list_of_its_values(d):
    for v in list(d.values()):
        v.append(2.0)
    return d


def over_values_that_are_read(d):
    s = 0.0
    for v in d.values():
        s += v[0]
    return s


@pytest.mark.parametrize('go', [over_items, over_a_list_of_its_values, over_values_that_are_read])
@pytest.mark.parametrize('row', [[1.0], []])
def test_lists_that_a_dict_may_lack_are_not_gone_over(go, row):
    def f(x):
        d = {'b': [3.0]}
        if x[0] > 0:
            d['a'] = row.copy()
        return go(d)

    with pytest.raises(ag.errors.StagingError, match='Go over its keys') as raised:
        ag.function(f)(*CALLS[0])
    assert 'test_dicts.py' in str(raised.value)


def test_lists_that_a_dict_may_lack_are_changed_by_their_keys():
    def f(x):
        d = {'b': [3.0]}
        if x[0] > 0:
            d['a'] = [1.0]
        s = 0.0
        for key in d:
            d[key][0] += 1.0
            s += d[key][0]
        for key in d:
            d[key].append(2.0)
        return d, s

    check(f, *CALLS, joins=True)


def of_another_length(x):
    d = {}
    if x[0] > 0:
        d['a'] = [1.0, 2.0]
    z = [9.0]
    if 'a' in d:
        z = d['a']
    z[0] = 17.0
    return d, z


def of_another_length_and_changed_there(x):
    d = {}
    if x[0] > 0:
        d['a'] = [1.0, 2.0]
    z = d['a'] if 'a' in d else []
    if 'a' in d:
        d['a'][0] = 17.0
    return d, z


def of_another_length_in_two_blocks(x):
    d, z = {}, [9.0]
    if x[0] > 0:
        d['a'] = [1.0, 2.0]
    if x[1] > 0:
        if 'a' in d:
            z = d['a']
    z.append(17.0)
    return d, z


def of_another_length_in_a_loop(x):
    d, z = {}, [9.0]
    if x[0] > 0:
        d['a'] = [1.0, 2.0]
    for _ in x:
        if 'a' in d:
            z = d['a']
    z.append(17.0)
    return d, z


@pytest.mark.parametrize('f', [of_another_length, of_another_length_and_changed_there])
def test_a_list_of_another_length_that_gets_the_name_of_one_in_a_dict_is_not_modified(f):
    with pytest.raises(ag.errors.OwnershipError, match='may have another name'):
        ag.function(f)(*CALLS[0])


@pytest.mark.parametrize('f', [of_another_length_in_two_blocks, of_another_length_in_a_loop])
def test_a_name_is_for_a_list_of_another_length_in_a_dict(f):
    check(f, *CALLS, joins=True)


def copied_of_another_length(x):
    d = {}
    if x[0] > 0:
        d['a'] = [1.0, 2.0]
    z = [9.0]
    if 'a' in d:
        z = d['a'].copy()
    z[0] = 17.0
    return d, z


def read_of_another_length(x):
    d = {}
    if x[0] > 0:
        d['a'] = [1.0, 2.0]
    z = [9.0]
    if 'a' in d:
        z = d['a']
    return d, z[0], len(z), [v + 1 for v in z]


@pytest.mark.parametrize('f', [copied_of_another_length, read_of_another_length])
def test_a_list_of_another_length_gets_the_name_of_one_in_a_dict(f):
    check(f, *CALLS, joins=True)


def put_last(x):
    d = {'a': 1.0, 'b': 2.0, 'c': 3.0}
    if x[0] > 0:
        a = d.pop('a')
        d['a'] = a
    return list(d), d


def put_last_in_a_loop(x):
    d = OrderedDict(a=1.0, b=2.0, c=3.0)
    for v in x:
        if v > 0:
            d.move_to_end('a')
        else:
            d.move_to_end('b')
    return d


def put_last_where_it_is_there(x):
    d = OrderedDict(a=1.0)
    if x[0] > 0:
        d['b'] = x[0]
    d['c'] = 3.0
    d.move_to_end('b')
    return d, list(d)


@pytest.mark.parametrize('f', [put_last, put_last_in_a_loop, put_last_where_it_is_there])
def test_the_order_of_the_keys_is_that_of_the_way_that_was_taken(f):
    check(f, *CALLS)


def test_a_block_changes_the_order_of_a_dict_that_it_only_reaches():
    d = OrderedDict(a=1.0, b=2.0)

    def rearrange():
        d.move_to_end('a')

    @ag.function
    def f(x):
        if x > 0:
            rearrange()
        return x

    f(np.float64(-1))
    assert list(d) == ['a', 'b']
    f(np.float64(1))
    assert list(d) == ['b', 'a']


def test_the_text_of_a_dict_has_the_keys_that_are_there():
    def f(x):
        d = {}
        if x[0] > 0:
            d['a'] = x[0]
        return f'{d}'

    check(f, (np.array([1.5]),), (np.array([-1.0]),))


def lists_by_name(xs):
    found = {'a': [], 'b': []}
    for x in xs:
        if x > 1:
            found['a'].append(x)
        else:
            found['b'].append(x)
    return found


def in_order(xs):
    found = lists_by_name(xs)
    return (
        sorted(found.items()), sorted(found.items(), reverse=True), sorted(found.values()),
        found.items() <= found.items(), found.items() >= {'a': 1.0}.items(),
        max(found.values()), sorted(found.items(), key=lambda pair: pair[1]))


def made_anew(xs):
    found = lists_by_name(xs)
    return (
        dict(map(lambda pair: (pair[0], pair[1]), found.items())),
        OrderedDict((name, rows) for name, rows in found.items()),
        dict(filter(lambda pair: pair[0] == 'a', found.items())))


@pytest.mark.parametrize('f', [in_order, made_anew])
def test_dicts_of_fixed_keys_with_lists_that_grow(f):
    check(f, *[(np.array(v),) for v in ([1.0, 2.0, 3.0], [2.0, 1.0, 0.0])])


def taken_out_before_it_is_set(y, n):
    d, out = {'a': 0.0}, []
    for i in range(n):
        w = 0
        while w < n:
            w += 1
            d['a'] = 2.0
        out.append(d.pop('z', 7.0))
        if i % 2 == 0:
            d['z'] = y
    return d, out


def test_a_key_that_no_turn_has_set_yet_is_taken_out():
    calls = [(np.float64(1.5), np.int64(n)) for n in (0, 1, 2, 5)]
    check(taken_out_before_it_is_set, *calls, joins=True)
