"""Staged blocks that touch a few items of a large list, dict or dataclass."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from defining import define
from differential import check
from work import work

import autograph_lite as ag

KEYS = [f'k{i}' for i in range(20)]
CALLS = [(np.array([value, 2.0, 3.0]),) for value in (-1.0, 1.0, 5.0)]
Large = dataclasses.make_dataclass('Large', KEYS)


def made(x):
    return {key: x[0] * 2 for key in KEYS}


def one_item(x):
    d = made(x)
    if x[0] > 0:
        d['k3'] += 1
    else:
        d['k4'] = d['k5'] - x[1]
    return d


def a_new_item(x):
    d = made(x)
    if x[0] > 0:
        d['new'] = x[1]
    else:
        d['new'] = x[2]
    return d


def an_item_that_one_way_adds(x):
    d = made(x)
    if x[0] > 0:
        d['new'] = x[1]
    return d.get('new', 0.0)


def a_key_that_is_a_variable(x):
    d = made(x)
    for key in KEYS:
        if x[0] > 0:
            d[key] = d[key] + d['k0']
    return d


def a_key_that_changes_in_the_block(x):
    d, key = made(x), 'k1'
    if x[0] > 0:
        d[key] = x[1]
        key = 'k2'
        d[key] = x[2]
    return d


def an_item_of_a_list(x):
    items, i = [x[0] * i for i in range(20)], 7
    if x[0] > 0:
        items[i] += 1
        items[-1] = items[3]
    return items


def an_index_that_is_none(x):
    items = [x[0]] * 20
    if x[0] > 0:
        items[20] = x[1]
    return items


def an_attribute(x):
    p = Large(*(x[0] * i for i in range(20)))
    if x[0] > 0:
        p.k3 += 1
    while p.k4 > 2:
        p.k4 -= x[1]
    return p


def turns(x):
    d = made(x)
    for i in range(int(x[1])):
        d['k3'] = d['k3'] + i
        if d['k3'] > x[2]:
            d['k4'] = d['k3']
    return d


def a_list_in_a_dict(x):
    d = made(x)
    d['items'] = [x[0]]
    if x[0] > 0:
        d['items'].append(x[1])
        d['k1'] = len(d['items'])
    return d


def an_array_in_a_dict(x):
    d = made(x)
    d['row'] = row = x.copy()
    if x[0] > 0:
        d['row'][1] = 7.0
    return row, d['row'], d['k1']


def another_name(x):
    d = made(x)
    other = d
    if x[0] > 0:
        d['k1'] += 1
        other['k1'] += x[1]
    return d['k1']


def another_name_in_a_list(x):
    d = made(x)
    both = [d, 1]
    if x[0] > 0:
        d['k1'] += 1
        both[0]['k1'] += x[1]
    return d['k1']


def another_name_in_a_function(x):
    d = made(x)

    def change():
        d['k1'] *= 3

    if x[0] > 0:
        d['k1'] += 1
        change()
        d['k1'] += 1
    return d['k1']


def another_name_that_is_read(x):
    d = made(x)
    other = d
    if x[0] > 0:
        d['k1'] += 1
    return other['k1']


def raises_half_way(x):
    d = made(x)
    try:
        if x[0] > 0:
            d['k1'] = x[1]
            if x[0] > 3:
                raise ValueError
    except ValueError:
        return d['k1'] * 10
    return d['k1']


def rebinds(x):
    d = made(x)
    if x[0] > 0:
        d['k1'] = x[1]
        d = dict(d)
        d['k2'] = x[1]
    return d


def deletes(x):
    d = made(x)
    if x[0] > 0:
        del d['k1']
        d['k1'] = x[1]
    else:
        del d['k1']
        d['k1'] = x[2]
    return list(d), d['k1']


def in_two_blocks(x):
    d = made(x)
    if x[0] > 0:
        d['k0'] = x[1]
        if x[0] > 3:
            d['k1'] = d['k0'] + 1
            for _ in range(int(x[1])):
                d['k2'] *= 2
        d['k1'] += 1
    return d


@pytest.mark.parametrize('f', [
    one_item, a_new_item, an_item_that_one_way_adds, a_key_that_is_a_variable,
    a_key_that_changes_in_the_block, an_item_of_a_list, an_attribute, turns, a_list_in_a_dict,
    an_array_in_a_dict, another_name_that_is_read, rebinds, deletes, in_two_blocks,
], ids=lambda f: f.__name__)  # fmt: skip
def test_the_same_results(f):
    check(f, *CALLS, joins=True)


@pytest.mark.parametrize('f', [
    another_name, another_name_in_a_list, another_name_in_a_function, raises_half_way,
    an_index_that_is_none,
], ids=lambda f: f.__name__)  # fmt: skip
def test_the_same_results_or_an_error(f):
    graph = ag.function(f)
    for args in CALLS:
        try:
            found = graph(*args)
        except (ag.errors.AutographError, IndexError):
            continue
        assert found == f(*args)


def test_the_state_is_what_is_touched():
    graph = ag.function(one_item).get_concrete_function(*CALLS[0]).graph
    (cond,) = (node for node in graph.nodes if node.graphs)
    assert [value.name for value in cond.outputs] == ['d_k3', 'd_k5', 'd_k4']


def blocks(kind, n):
    new = {'dict': 'd["k#"] = x[0]', 'list': 'd.append(x[0])', 'object': 'd.k# = x[0]'}[kind]
    item = {'dict': 'd["k#"]', 'list': 'd[#]', 'object': 'd.k#'}[kind]
    lines = ['class Any: pass', 'def f(x):']
    lines += [{'dict': '    d = {}', 'list': '    d = []', 'object': '    d = Any()'}[kind]]
    for i in range(n):
        lines += [f'    {new}'.replace('#', str(i)), '    if x[0] > 0:']
        lines += [f'        {item} += 1'.replace('#', str(i))]
    return define('\n'.join([*lines, f'    return {item}'.replace('#', '0')]))


@pytest.mark.parametrize('kind', ['dict', 'list', 'object'])
def test_about_twice_the_work_for_twice_the_items(kind):
    half, whole = (
        work(ag.function(blocks(kind, n)).get_concrete_function, *CALLS[0]) for n in (20, 40))
    assert whole < 2.3 * half
