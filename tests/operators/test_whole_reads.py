"""All of a dict outside is read in which a branch may have set an item: right, or refused there."""
from __future__ import annotations

import collections
import copy
import dataclasses
import functools
import itertools
import json
import operator
import types

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

CALLS = [np.array(x) for x in ([-1.0, 2.0], [1.0, 5.0], [-1.0, 3.0], [2.0, 4.0])]


class Model:
    def __init__(self):
        self.items = {}


@dataclasses.dataclass
class Holding:
    items: dict


def truth(d):
    if d:
        return 1
    return 2


def in_turns(d):
    n = 0
    while d and n < 3:
        n += 1
    return n


def asserted(d):
    assert d
    return 1


def counted(d):
    n = 0
    for _ in d:
        n += 1
    return n


def extended(d):
    found = [0]
    found.extend(d)
    return found


def updated(d):
    found = {0: 0}
    found.update(d)
    return len(found)


def merged(d):
    found = {}
    found |= d
    return len(found)


def unpacked(d):
    _, *rest = [0, *d]
    return rest


def matched(d):
    match d:
        case {'best': _}:
            return 1
        case {}:
            return 2


def matched_rest(d):
    match d:
        case {**rest}:
            return len(rest)


def chosen(d):
    a = d if len(CALLS) > 2 else {}
    return 1 if a else 2


def by_name(**items):
    return len(items)


def in_order(*items):
    return len(items)


@ag.do_not_convert
def as_it_is(d):
    return len(d)


READS = [
    truth, in_turns, asserted, counted, extended, updated, merged, unpacked, matched,
    matched_rest, chosen, as_it_is, len, list, tuple, set, frozenset, sorted, dict, str, repr,
    bool, json.dumps, copy.copy, copy.deepcopy, operator.truth, operator.not_,
    operator.length_hint, collections.OrderedDict, collections.Counter,
    lambda d: not d, lambda d: d and 1, lambda d: d or 1, lambda d: 1 if 2 > 1 and d else 2,
    lambda d: any([d]), lambda d: all([d]), lambda d: any(each for each in [d]),
    lambda d: [1 for each in [d] if each], lambda d: list(filter(None, [d])) == [],
    lambda d: list(map(bool, [d])), lambda d: max([d, {0: 0}], key=len) == {0: 0},
    lambda d: d == {}, lambda d: {} != d, lambda d: [d] == [{}], lambda d: d in [{}],
    lambda d: [{}].count(d), lambda d: Holding(d) == Holding({}), lambda d: str(Holding(d)),
    lambda d: d.copy(), lambda d: {**d}, lambda d: d | {0: 0}, lambda d: {0: 0} | d,
    lambda d: by_name(**d), lambda d: in_order(*d), lambda d: [*d], lambda d: dict(a=1, **d),
    lambda d: f'{d}', lambda d: f'{d!r:>9}',
    lambda d: '{}'.format(d), lambda d: '%s' % d,  # noqa: UP031, UP032  they are what is tested
    lambda d: ','.join(d), lambda d: '{best}'.format_map(d), lambda d: '{best}'.format(**d),
    lambda d: list(d.keys()), lambda d: list(d.values()), lambda d: 5.0 in d.values(),
    lambda d: sum(d.values()), lambda d: d.keys() & {'best'}, lambda d: len(d.items()),
    lambda d: {key for key in d}, lambda d: {key: 1 for key in d}, lambda d: list(iter(d)),
    lambda d: list(key for key in d), lambda d: list(zip(d, d)), lambda d: list(enumerate(d)),
    lambda d: list(reversed(d)), lambda d: min(d, default=0), lambda d: dict.fromkeys(d),
    lambda d: dict.__len__(d), lambda d: d.__len__(), lambda d: d.__eq__({}),
    lambda d: list(itertools.chain(d, [1])), lambda d: functools.partial(len, d)(),
    lambda d: functools.reduce(lambda a, b: a + b, d, ''),
    lambda d: len(collections.ChainMap(d)), lambda d: len(types.MappingProxyType(d)),
    lambda d: json.dumps([sorted(d)]), lambda d: dataclasses.asdict(Holding(d)),
    lambda d: d.popitem(),
]  # fmt: skip


def run(read, is_named, way):
    """What each call gives, or that it is refused; then the dict is brought to what Python has."""
    model, plain = Model(), {}

    def f(x):
        named = model.items
        if x[0] > 0:
            model.items['best'] = x[1]
        return read(named if is_named else model.items)

    g = way(f)
    found = []
    for x in CALLS:
        try:
            found.append(copy.copy(g(x)))
        except ag.errors.AutographError as error:
            found.append('refused' if __file__ in str(error) else error)
        except Exception as error:
            found.append(type(error))
        if x[0] > 0:
            plain['best'] = x[1]
        model.items.clear()
        model.items.update(plain)
    return found


@pytest.mark.parametrize('is_named', [False, True], ids=['read', 'named before'])
@pytest.mark.parametrize('read', READS, ids=lambda f: f'{f.__name__}')
def test_all_of_a_dict(read, is_named):
    expected, found = (run(read, is_named, way) for way in (lambda f: f, ag.function))
    for a, b in zip(expected, found, strict=True):
        assert b == 'refused' or same(a, b)


@pytest.mark.parametrize(
    'read', [len, sorted, lambda d: 'best' in d, lambda d: d.get('best') is None, bool],
    ids=['len', 'sorted', 'in', 'get', 'bool'])  # fmt: skip
@pytest.mark.parametrize('of', [vars, lambda o: o.__dict__], ids=['vars', '__dict__'])
def test_all_attributes(of, read):
    def results(way):
        model = Model()

        def f(x):
            if x[0] > 0:
                model.best = x[1]
            return read(of(model))

        g = way(f)
        found = []
        for x in CALLS[:2]:
            try:
                found.append(g(x))
            except ag.errors.UnboundError as error:
                found.append('refused' if __file__ in str(error) else error)
                model.best = x[1]
        return found

    expected, found = results(lambda f: f), results(ag.function)
    for a, b in zip(expected, found, strict=True):
        assert b == 'refused' or same(a, b)


def test_an_item_that_is_there_in_a_call_may_be_read_with_all_others_then():
    def results(way):
        items = {}

        def f(xs):
            for x in xs:
                if x > 0:
                    items['best'] = x
            return len(items), 1 if items else 2

        return way(f)(CALLS[0])

    assert results(ag.function) == results(lambda f: f)


def test_what_is_asked_of_one_key_is_right_in_a_helper_too():
    def has(d, key):
        return key in d

    def results(way):
        items = {}

        def f(x):
            if x[0] > 0:
                items['best'] = x[1]
            return has(items, 'best'), has(items, 'other')

        g = way(f)
        return [g(x) for x in CALLS]

    assert results(ag.function) == results(lambda f: f)


@pytest.mark.parametrize(
    'asked', [lambda v: isinstance(v, float), lambda v: isinstance(v, int), lambda v: v is None])
def test_what_a_value_is_is_not_told_where_it_may_be_missing(asked):
    model = Model()

    def f(x):
        if x[0] > 0:
            model.best = x[1]
            model.items[1, 'a'] = x[1], 1
        return asked(model.best), asked(model.items[1, 'a'])

    with pytest.raises(ag.errors.UnboundError, match='is read here, but it has no value'):
        ag.function(f)(CALLS[0])


def test_what_a_value_is_that_a_loop_has_set_is_told():
    items = {}

    def f(xs):
        for x in xs:
            if x > 0:
                items['best'] = x
        return isinstance(items['best'], float), isinstance(items['best'], int)

    assert ag.function(f)(CALLS[0]) == (True, False)
    items.clear()
    with pytest.raises(KeyError):
        ag.function(f)(-abs(CALLS[0]))


def test_none_is_told_of_what_a_loop_may_not_have_set():
    def one(asked, value):
        def f(xs):
            for x in xs:
                if x > 0:
                    model.best = value(x)
            return asked(model)

        return f

    def of_a_name(m):
        best = m.best
        return best is None

    def of_a_local(xs):
        for x in xs:
            if x > 0:
                best = x
        return best is None

    def results(f):
        found = []
        for x in (CALLS[0], -abs(CALLS[0]), CALLS[0]):
            vars(model).pop('best', None)
            try:
                found.append(f(x))
            except (AttributeError, UnboundLocalError):
                found.append('missing')
        return found

    model = Model()
    functions = [
        one(asked, value)
        for asked in (
            lambda m: m.best is None, lambda m: m.best is not None, lambda m: m.best == None,  # noqa: E711
            lambda m: 1 if m.best is None else 2, lambda m: isinstance(m.best, float), of_a_name,
            lambda m: callable(m.best))
        for value in (lambda x: x, lambda x: None, lambda x: 'a', lambda x: (x, 1))]
    functions += [
        one(lambda m: callable(m.best), lambda x: abs),
        one(lambda m: id(m.best) == id(None), lambda x: None)]
    for f in (*functions, of_a_local):
        expected = results(f)
        assert expected[1] == 'missing'
        assert same(expected, results(ag.function(f)))
