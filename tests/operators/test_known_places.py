"""What nested blocks change by way of a method is found out once, not once for each way around."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check
from work import work

import autograph_lite as ag


class Seen:
    def __init__(self):
        self.number = 0
        self.sum = np.float64(0)
        self.best = None
        self.all = []

    def see(self, x):
        self.number += 1
        if self.best is None or x > self.best:
            self.best = x
        self.all.append(x)
        self.sum += x


def nested(depth):
    lines, indent = ['def f(xs):', '    seen = Seen()'], '    '
    for i in range(depth):
        lines += [f'{indent}for x{i} in xs:', f'{indent}    if x{i} > {i}:']
        indent += 8 * ' '
    lines += [f'{indent}seen.see(x{depth - 1})']
    lines += ['    return seen.number, seen.best, seen.sum, seen.all']
    return define('\n'.join(lines), Seen=Seen)


def work_of_a_trace(depth):
    return work(ag.function(nested(depth)).get_concrete_function, np.ones(3))


def test_results_at_some_depth():
    check(nested(3), (np.array([1.0, 5.0]),), (np.zeros(2),), (np.zeros(0),), traces=2)


def test_the_growth_with_depth_is_not_exponential():
    two, three, four = map(work_of_a_trace, (2, 3, 4))
    assert four - three < 2 * (three - two)


class Agent:
    def __init__(self):
        self.moves, self.target = 0, None

    def move(self):
        self.moves += 1

    def let_go(self):
        self.moves += 1
        self.target = None


def agents(size):
    found = [Agent() for _ in range(size)]
    for i, agent in enumerate(found):
        agent.target = found[(i + 3) % size]
    return found


def one_moves(found, i):
    found[i].move()


def one_lets_go(found, i):
    each = [agent.let_go for agent in found]
    each[i]()


def one_of_a_dict_lets_go(found, i):
    known = dict(enumerate(found))
    known[i].let_go()


@pytest.mark.parametrize('f', [one_moves, one_lets_go, one_of_a_dict_lets_go])
def test_the_growth_with_the_number_of_objects_is_not_exponential(f):
    index = np.int64(1)
    ag.function(f)(agents(2), index)  # imports, and converts
    four, eight = (work(ag.function(f), agents(size), index) for size in (4, 8))
    assert eight < 6 * four


@pytest.mark.parametrize('f', [one_moves, one_lets_go, one_of_a_dict_lets_go])
def test_one_of_many_objects(f):
    for i in range(5):
        plain, found = agents(5), agents(5)
        f(plain, i)
        ag.function(f)(found, np.int64(i))
        for given in (plain, found):
            numbers = {id(agent): number for number, agent in enumerate(given)}
            for agent in given:
                agent.target = numbers.get(id(agent.target))
        assert list(map(vars, found)) == list(map(vars, plain))
