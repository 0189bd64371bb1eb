"""Dicts that get keys which only the running graph knows."""
from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [
    (np.array(x),)
    for x in ([1.0, 2.0, 1.0, 3.0, 2.0], [-1.0, -1.0, 2.0, -1.0, 0.0], [4.0] * 5, [])]


def counted_by_get(xs):
    counts = {}
    for x in xs:
        counts[int(x)] = counts.get(int(x), 0) + 1
    return counts


def counted_by_in(xs):
    counts = {}
    for x in xs:
        if x in counts:
            counts[x] += 1
        else:
            counts[x] = 1
    return counts, len(counts), bool(counts), not counts


def counted_in_a_counter(xs):
    counts = Counter()
    for x in xs:
        counts[int(x)] += 1
    return counts, counts[77], 77 in counts, counts.most_common(), counts.total()


def counted_in_a_defaultdict(xs):
    counts, read, from_ten = defaultdict(int), defaultdict(float), defaultdict(lambda: 10)
    total = 0.0
    for x in xs:
        counts[int(x)] += 1
        total += read[int(x)]
        from_ten[x] -= x
    return counts, read, total, dict(from_ten), list(from_ten.items())


def counted_in_a_try(xs):
    counts = {}
    for x in xs:
        try:
            counts[int(x)] += 1
        except KeyError:
            counts[int(x)] = 1
    return counts


def counted_in_a_method(xs):
    class Tally:
        def __init__(self):
            self.counts = {}

        def add(self, key):
            self.counts[key] = self.counts.get(key, 0) + 1

    tally = Tally()
    for x in xs:
        tally.add(int(x))
    return tally.counts


def counted_in_a_closure(xs):
    counts = {}

    def add(key):
        counts[key] = counts.get(key, 0) + 1

    for x in xs:
        add(int(x))
    return counts


def by_its_methods(xs):
    places, n = {}, 0
    for i, x in enumerate(xs):
        n += places.setdefault(int(x), i)
        if x > 3:
            n += places.pop(int(x))
        n += places.pop(-1, 100)
    copy = places.copy()
    copy.update({7: 70})
    places[8] = 80
    return places, copy, n, places | copy, {**copy, 9: 90}, places == copy, places == places.copy()


def taken_out(xs):
    held = {}
    for x in xs:
        held[int(x)] = x
    for key in list(held):
        if key > 1:
            del held[key]
    before = held.copy()
    held.clear()
    return before, held


def gone_over(xs):
    counts = counted_by_get(xs)
    total = 0
    for key in counts:
        total += key
    for key, count in counts.items():
        total += key * count
    for key in counts:
        counts[key] *= 2
    pairs = [(key, count) for key, count in counts.items()]
    return (
        total, pairs, {key: count + 1 for key, count in counts.items()}, sorted(counts),
        sorted(counts.items()), list(counts), list(counts.values()), list(reversed(counts)),
        sum(counts.values()), max(counts, key=counts.get, default=None),
        any(count > 2 for count in counts.values()), 4 in counts.values(), 3 in counts.keys(),
        [i * key for i, key in enumerate(counts)], len(counts.items()))


def of_several_parts(xs):
    ends = {}
    for i, x in enumerate(xs):
        first, last, total = ends.get((int(x), 'a'), (i, i, 0.0))
        ends[int(x), 'a'] = first, max(last, i), total + x
    return ends, (1, 'a') in ends, [total for i, j, total in ends.values()]


def of_texts_and_none(xs):
    signs, names = {}, {}
    for x in xs:
        signs['plus' if x > 0 else 'minus'] = x
        names[f'x{int(x)}'] = None if x > 2 else x
    return signs, names


def of_arrays(xs):
    sums = {}
    for x in xs:
        if int(x) in sums:
            sums[int(x)] = sums[int(x)] + x
        else:
            sums[int(x)] = np.array([x, x * 2])
    return sums


def with_keys_before(xs):
    powers = {0: 1.0}
    for x in xs:
        powers[int(x) + 1] = powers.get(int(x), 0.5) * 2
    return powers


def shortest_ways(xs):
    steps, waiting = {0: 0}, [0]
    while waiting:
        at = waiting.pop(0)
        for step in (1, 2):
            to = (at + step * (1 + int(abs(xs[at])))) % len(xs) if len(xs) else at
            if to not in steps:
                steps[to] = steps[at] + 1
                waiting.append(to)
    return steps


def two_that_add_up(xs):
    seen = {}
    for i, x in enumerate(xs):
        if 4 - int(x) in seen:
            return seen[4 - int(x)], i
        seen[int(x)] = i
    return None


def begun_anew(xs):
    counts, n = Counter(), 0
    for x in xs:
        counts[int(x)] += 1
        if counts[int(x)] > 1:
            n += len(counts)
            counts = Counter()
    return counts, n


def in_branches(xs):
    signs, other = {}, {}
    for x in xs:
        if x > 1:
            signs[int(x)] = x
        elif x < 0:
            other[int(-x)] = x
        signs, other = other, signs
    return signs, other


def least_recently_used(xs):
    held = OrderedDict()
    for x in xs:
        key = int(x)
        if key in held:
            held.move_to_end(key)
        else:
            held[key] = x
            if len(held) > 2:
                held.popitem(last=False)
    return held


def made_of_what_is_gone_through(xs):
    whole = [int(x) for x in xs]
    return (
        Counter(xs), Counter(whole), Counter(int(x) for x in xs), dict(zip(whole, xs)),
        dict.fromkeys(whole, 0), {int(x): x for x in xs}, {k: i for i, k in enumerate(whole)},
        {int(x): 1 for x in xs if x > 1}, {int(x) for x in xs}, {int(x) for x in xs if x > 1})


def of_displays(xs):
    if len(xs) == 0:
        return {}
    return {int(xs[0]): 1, int(xs[1]): 2, 5: 3}, {int(xs[0]), int(xs[1])}


def without_the_key(xs):
    counts = counted_by_get(xs)
    return counts[3]


def that_grows_while_it_is_gone_over(xs):
    counts = counted_by_get(xs)
    for key in counts:
        if key == 3:
            counts[100] = 1
    return counts


@pytest.mark.parametrize('f', [
    counted_by_get, counted_by_in, counted_in_a_counter, counted_in_a_defaultdict,
    counted_in_a_try, counted_in_a_method, counted_in_a_closure, by_its_methods, taken_out,
    gone_over, of_several_parts, of_texts_and_none, of_arrays, with_keys_before, two_that_add_up,
    begun_anew, in_branches, least_recently_used, made_of_what_is_gone_through, of_displays,
    without_the_key, that_grows_while_it_is_gone_over,
])  # fmt: skip
def test_is_python(f):
    check(f, *CALLS, traces=2, joins=True)


def test_a_search_without_end_in_sight():
    check(shortest_ways, *CALLS[:3])


def test_the_program_is_what_was_written():
    program = ag.function(counted_by_get).get_concrete_function(np.zeros(3)).lowered_code
    assert program == '''\
def counted_by_get(xs):
    counts = {}
    for x in xs:
        int_1 = int(x)
        counts[int_1] = counts.get(int_1, 0) + 1
    return counts
'''


def test_nan_as_a_key_is_refused_where_there_is_one():
    def f(xs):
        counts = {}
        for x in xs:
            counts[x] = counts.get(x, 0) + 1
        return len(counts)

    graph = ag.function(f)
    assert graph(np.array([np.nan, 1.0, 1.0])) == 2
    with pytest.raises(ag.errors.StagingError, match='NaN is looked for in a dict'):
        graph(np.array([np.nan, 1.0, np.nan]))


def test_keys_of_two_kinds_are_refused():
    def f(xs):
        counts = {}
        for x in xs:
            counts[int(x)] = 1
            counts['n'] = 2
        return counts

    with pytest.raises(ag.errors.StagingError, match='Give all keys of such a dict one type'):
        ag.function(f)(np.ones(2))


def test_a_view_is_not_returned():
    def f(xs):
        return counted_by_get(xs).keys()

    with pytest.raises(ag.errors.StagingError, match='dict_keys'):
        ag.function(f)(np.ones(2))


# Lists as values.


def grouped(xs):
    by_default, by_in, by_setdefault = defaultdict(list), {}, {}
    for x in xs:
        key = int(x)
        by_default[key].append(x)
        by_setdefault.setdefault(key, []).append(x)
        if key in by_in:
            by_in[key].append(x)
        else:
            by_in[key] = [x]
    sizes = {key: len(group) for key, group in by_in.items()}
    sums = [sum(group) for group in by_default.values()]
    return dict(by_default), by_in, by_setdefault, sizes, sums


def groups_changed_by_key(xs):
    groups, n = defaultdict(list), 0
    for x in xs:
        n = n * 2 + len(groups[int(x)])
        groups[int(x)].append(x)
    for key in groups:
        groups[key].sort()
        if len(groups[key]) > 2:
            groups[key].pop()
        groups[key][0] = 9.0
        groups[key][-1] *= 2
        groups[key] += [float(key)]
        groups[key].insert(0, -1.0)
    taken = groups.pop(1, [])
    return groups, n, taken, groups.get(2), groups.get(77, [])


def neighbours(xs):
    edges = defaultdict(list)
    for i in range(len(xs) - 1):
        a, b = int(xs[i]), int(xs[i + 1])
        edges[a].append(b)
        edges[b].append(a)
    seen, order, waiting = set(), [], [2]
    while waiting:
        at = waiting.pop(0)
        if at in seen:
            continue
        seen.add(at)
        order.append(at)
        for to in edges[at]:
            waiting.append(to)
    return order


@pytest.mark.parametrize('f', [grouped, groups_changed_by_key, neighbours])
def test_groups(f):
    check(f, *CALLS, traces=2, joins=True)


def named_in_a_loop(groups, x):
    row = groups[int(x)]
    groups[int(x)].append(x)
    return len(row)


def put_and_changed(groups, x):
    row = [x]
    groups[int(x)] = row
    row.append(x)
    return 0


@pytest.mark.parametrize('step', [named_in_a_loop, put_and_changed])
def test_a_list_with_another_name(step):
    def f(xs):
        groups, n = defaultdict(list), 0
        for x in xs:
            n += step(groups, x)
        return groups, n

    check(f, (np.array([1.0, 2.0, 1.0]),), (np.zeros(3),), joins=True)


def test_values_gone_over_before_they_change():
    def f(xs):
        groups = defaultdict(list)
        for x in xs:
            groups[int(x)].append(x)
        values = list(groups.values())
        groups[0].append(1.0)
        return values

    check(f, (np.ones(3),), (np.zeros(3),), joins=True)


def test_values_of_other_kinds_are_refused():
    def f(xs):
        groups = defaultdict(lambda: defaultdict(int))
        for x in xs:
            groups[int(x)]
        return groups

    with pytest.raises(ag.errors.StagingError, match='make one dict for each part'):
        ag.function(f)(np.ones(3))


def by_index(xs):
    return {int(xs[i]) for i in range(len(xs))}, {int(xs[i]): i for i in range(len(xs))}


def test_comprehensions_over_what_python_takes_one_by_one():
    check(by_index, (np.array([3, 1]),), (np.array([2, 2]),))


def named(xs, groups):
    row = groups[xs[0]]
    row.append(4)
    return groups


def got(xs, groups):
    groups.get(xs[0]).append(4)
    return groups


def named_in_a_loop(xs, groups):
    for x in xs:
        row = groups[x]
        row += [0]
    return groups


def copied(xs, groups):
    others = {**groups}
    others[xs[0]].append(7)
    return groups, others


def updated(xs, groups):
    others = {}
    others.update(groups)
    others[xs[0]].append(7)
    return groups, others


@pytest.mark.parametrize('change', [named, got, named_in_a_loop, copied, updated])
def test_a_list_that_has_another_name_is_changed(change):
    def f(xs):
        groups = {}
        for x in xs:
            groups[x] = [x]
        return change(xs, groups)

    check(f, (np.array([1, 2, 1]),), (np.array([3, 3, 3]),), joins=True)


def counts_without_some(xs):
    counts = Counter(xs)
    del counts[xs[0]]
    del counts[xs[0]]
    return counts


def test_a_counter_forgets_what_it_does_not_have():
    check(counts_without_some, (np.array([3, 1]),), (np.array([2, 2]),))


def test_a_dict_that_gets_the_name_of_another_is_not_changed_in_the_next_turn():
    def f(xs):
        a, b, total = {}, {1: 2}, 0
        for x in xs:
            b[int(x)] = 1
            total += len(b)
            b = a
        return total

    with pytest.raises(ag.errors.OwnershipError, match='another name'):
        ag.function(f)(np.array([1, 2, 3]))


def held(xs):
    made = {}
    for x in xs:
        made[int(x)] = x
    return made


def grouped(xs):
    groups = {}
    for x in xs:
        groups.setdefault(int(x), []).append(x)
    return groups


def put_into_others(xs):
    first, second, made = {}, {1: 5.0}, held(xs)
    first |= made
    second |= made
    return first, second, {} | made, {7: 1.0} | made, made | {7: 1.0}, {**made, 1: 9.0}


def asked_with_lists_in_them(xs):
    groups = grouped(xs)
    return (
        groups == dict(groups), groups == groups.copy(), groups == {}, groups != {1: [1.0]},
        1 in groups.values(), [1.0] in groups.values(), (1, [1.0]) in groups.items(),
        sorted(groups.items()))


def best_by_get(xs):
    pairs = {}
    for x in xs:
        pairs[int(x)] = (x, 1)
    return max(pairs, key=pairs.get)


def views_of_what_may_be_missing(xs):
    found = {}
    for x in xs:
        if x > 1:
            found['large'] = x
    return (
        len(found.keys()), len(found.values()), list(reversed(found.items())), str(found.keys()),
        f'{found.values()}')


def matched(xs):
    made = held(xs)
    match made:
        case {1: first, **rest}:
            return first, rest
        case {2: second}:
            return second, {}
    return 0.0, made


def taken_out(xs):
    made, left = held(xs), {1: 1.0, 2: 2.0, 3: 3.0, 4: 4.0}
    for x in xs:
        if int(x) in left:
            del left[int(x)]
    return left, -1 in made


@pytest.mark.parametrize('f', [
    put_into_others, asked_with_lists_in_them, best_by_get, views_of_what_may_be_missing,
    taken_out])
def test_as_wholes(f):
    check(f, *CALLS[:1], (np.array([3.0, 2.0, 2.0, 1.0, 1.0]),))


def test_patterns_find_the_keys():
    check(matched, *CALLS[:1], (np.array([3.0, 2.0, 2.0, 7.0, 8.0]),), joins=True)


def test_a_key_of_a_given_dict_is_deleted():
    def f(xs, given):
        for x in xs:
            del given[int(x)]
        return given

    check(f, (np.array([1.0, 3.0]), {1: 1.0, 2: 2.0, 3: 3.0}))
    check(f, (np.array([1.0, 1.0]), {1: 1.0, 2: 2.0, 3: 3.0}))


def test_what_dicts_do_not_do():
    for f in (lambda xs: -held(xs), lambda xs: [] in held(xs)):
        for run in (f, ag.function(f)):
            with pytest.raises(TypeError, match=r'bad operand type for unary -|unhashable type'):
                run(np.ones(2))
