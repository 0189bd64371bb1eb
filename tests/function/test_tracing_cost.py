"""Tracing, optimising and lowering take work in proportion to the program."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from work import work

import autograph_lite as ag

HEAD = """
class Any:
    pass

def helper(a, b):
    if a[0] > b:
        a = a + b
    return a

def f(x):
    d, xs, o, t, z = {}, [], Any(), (), 0.0
    y = x * 2
"""

# What stands again and again in a function, with a number in the place of `#`.
KINDS = {
    'dicts': ['d["k#"] = x[0]', 'if x[0] > #:', '    d["k#"] += 1'],
    'new keys': ['if x[0] > #:', '    d["k#"] = x[0]', 'else:', '    d["k#"] = x[1]'],
    'dicts read': ['d["k#"] = x[0]', 'if x[0] > #:', '    x = x + d["k#"]'],
    'lists': ['xs.append(x[0])', 'if x[0] > #:', '    xs[#] += 1'],
    'lists read': ['xs.append(x[0])', 'if x[0] > #:', '    x = x + xs[-1]'],
    'attributes': ['o.a# = x[0]', 'if x[0] > #:', '    o.a# += 1'],
    'attributes read': ['o.a# = x[0]', 'if x[0] > #:', '    x = x + o.a#'],
    'tuples': ['t = (*t, x[0])', 'if x[0] > #:', '    x = x + t[#]'],
    'variables': ['v# = x[0]', 'if x[0] > #:', '    v# = v# + 1'],
    'loops': ['d["k#"] = x[0]', 'for i in range(int(x[0])):', '    d["k#"] += i'],
    'early exits': [
        'for i in range(int(x[0])):', '    if x[1] > i:', '        break', '    x = x + i'],
    'returns': ['if x[0] > #:', '    return x + #, d, z', 'x = x + 1'],
    'nested functions': ['def g#(y):', '    if y[0] > #: y = y + x', '    return y', 'x = g#(x)'],
    'helpers': ['x = helper(x, #)'],
    'tries': ['try:', '    if x[0] > #: raise ValueError', 'except ValueError:', '    x = x * 2'],
    'with': ['with np.errstate(all="ignore"):', '    x = x / (# + 1)'],
    'comprehensions': ['x = x + sum([v * # for v in x])'],
    'conditions': ['x = x + (1 if x[0] > # and x[1] < # else 2)'],
    'texts': ['z = z + len(f"a{z}b#")'],
    'items': ['x = x.copy()', 'x[# % 3] = x[0] + #'],
}


def beginning_alike(lines, returned='x', **names):
    """The function of these lines, after what all the programs begin with."""
    body = [f'    {line}' for line in [*lines, f'return {returned}']]
    return define('\n'.join([HEAD, *body]), **names)


def program(kind, n):
    lines = [line.replace('#', str(i)) for i in range(n) for line in KINDS[kind]]
    return beginning_alike(lines, returned='x, d, z')


@pytest.mark.parametrize('kind', KINDS)
def test_about_twice_the_work_for_twice_the_program(kind):
    x = np.array([0.5, 0.25, 0.125])
    ag.function(program(kind, 2)).get_concrete_function(x)
    half, whole = (
        work(ag.function(program(kind, n)).get_concrete_function, x) for n in (20, 40))
    assert whole < 2.25 * half


@pytest.mark.parametrize('made', [
    'np.array([x[0] * i for i in N])', 'np.stack([x * i for i in N])', '[x[0] * i for i in N]'])
def test_about_twice_the_work_to_make_twice_the_tensors_of_a_list_or_an_array(made):
    x, text = np.array([0.5, 0.25, 0.125]), f'def f(x):\n    return {made}'
    half, whole = (
        work(ag.function(define(text, N=range(n))).get_concrete_function, x) for n in (200, 400))
    assert whole < 2.25 * half


def test_about_twice_the_work_for_views_of_views_twice_as_often():
    x = np.array([0.5, 0.25, 0.125])
    half, whole = (
        work(ag.function(define('def f(x):\n' + '    x = x[::-1]\n' * n + '    return x'))
             .get_concrete_function, x) for n in (250, 500))
    assert whole < 2.1 * half


# What is read of a container that many lines have filled, with a number in the place of `#`.
READS = {
    'd["k#"]': 'd["k#"] = x * #',
    'xs[#]': 'xs.append(x * #)',
    'o.a#': 'o.a# = x * #',
    'd["inner"][#]': 'd.setdefault("inner", {})[#] = x * #',
}


@pytest.mark.parametrize('read', READS)
def test_about_twice_the_work_to_read_twice_the_parts_of_a_container(read):
    def reading(n):
        lines = [line.replace('#', str(i))
                 for line in (READS[read], f'x = x + {read}') for i in range(n)]
        return beginning_alike(lines)

    x = np.array([0.5, 0.25, 0.125])
    ag.function(reading(2)).get_concrete_function(x)
    half, whole = (
        work(ag.function(reading(n)).get_concrete_function, x) for n in (100, 200))
    assert whole < 2.25 * half


# What stands inside itself again and again, its middle where `...` stands.
NESTS = {
    'tries': ['try:', '    ...', 'except KeyError:', '    x = x * #'],
    'tries that raise': [
        'try:', '    if x[1] > #: raise ValueError', '    ...',
        'except ValueError:', '    x = x * #'],
    'whiles left': ['while x[0] > #:', '    ...', '    if x[1] > #: break'],
    'whiles left in the middle': ['while True:', '    ...', '    if x[1] > #: break'],
    'whiles that return': ['while x[0] > #:', '    ...', '    if x[1] > #: return x'],
    'whiles that ask an iterator': ['it# = iter(x)', 'while next(it#) > 0:', '    ...'],
    'loops left': ['for i in range(int(x[0])):', '    ...', '    if x[1] > #: break'],
    'ranges left': ['for i in range(200):', '    ...', '    if x[1] > #: break'],
    'numbers that become arrays': [
        's# = 0', 'for i in range(int(x[0])):', '    ...', '    s# = s# + x[0]', 'x = x + s#'],
    'tuples that shift': [
        't# = 0, 0', 'for i in range(int(x[0])):', '    ...', '    t# = t#[1], x[0]'],
    'optional values': [
        'b# = None', 'for i in range(int(x[0])):', '    ...', '    if b# is None: b# = x[0]'],
    'lists': ['b# = []', 'for i in range(int(x[0])):', '    ...', '    b#.append(x[0])'],
    'lists in branches': ['b# = []', 'if x[0] > #:', '    ...', '    b#.append(x[0])'],
    'new keys': ['b# = {}', 'if x[0] > #:', '    ...', '    b#["a"] = x[0]'],
    'attributes': ['o# = Any()', 'o#.a = x[0]', 'if x[0] > #:', '    ...', '    o#.a += x[1]'],
    'attributes in loops': [
        'o# = Any()', 'o#.a = x[0]', 'for i in range(int(x[0])):', '    ...', '    o#.a += x[1]'],
    'new attributes': ['if x[0] > #:', '    o.a# = x[0]', '    ...'],
    'other objects': [
        'o# = Other()', 'o#.a = x[0]', 'if x[0] > #:', '    ...', '    o# = Other()',
        '    o#.a = x[1]', 'x = x + o#.a'],
    'views': [
        'y# = x.copy()', 'z# = y#[:2]', 'if x[0] > #:', '    ...', '    z#[0] = x[1]',
        '    x = x + y#'],
    'two names': [
        'y# = x.copy()', 'z# = y#', 'if x[0] > #:', '    ...', '    y#[0] = x[1]',
        '    z#[1] = x[0]', '    x = x + y#'],
    'arrays replaced': [
        'if x[0] > #:', '    ...', '    y[0] = 1', 'elif x[1] > #:', '    y = y + 1', 'x = x + y'],
    'arrays run over': [
        'y# = x.copy()', 'for v in y#:', '    ...', '    y#[0] = v', '    x = x + y#'],
    'nonlocal variables': [
        'c# = 0', 'def g#():', '    nonlocal c#', '    c# += x[0]', 'for i in range(int(x[0])):',
        '    ...', '    g#()', '    x = x + c#'],
}


class Other:
    pass


def nest(kind, depth, nests=NESTS):
    lines = ['x = x - 1']
    for i in reversed(range(depth)):
        lines = [
            indent + part
            for line in nests[kind]
            for indent in [line[: len(line) - len(line.lstrip())]]
            for part in (lines if line.strip() == '...' else [line.strip().replace('#', str(i))])]
    return beginning_alike(lines, Other=Other)


@pytest.mark.parametrize('kind', NESTS)
def test_work_does_not_multiply_with_nesting(kind):
    x = np.array([0.5, 0.25, 0.125])
    ag.function(nest(kind, 1)).get_concrete_function(x)
    half, whole = (
        work(ag.function(nest(kind, n)).get_concrete_function, x) for n in (3, 6))
    assert whole < 4 * half


# What no way of tracing it makes right, each of them with several ways in itself.
NESTS_REFUSED = {
    'loops over what another name writes to': [
        'for v# in x:', '    w# = x', '    if x[0] > #:', '        w#[0] = 1', '        ...',
        '    x = x + w#'],
}


@pytest.mark.parametrize('kind', NESTS_REFUSED)
def test_what_is_refused_is_so_before_all_ways_to_trace_all_blocks_have_been_tried(kind):
    def refused(depth):
        traced = ag.function(nest(kind, depth, NESTS_REFUSED))
        with pytest.raises(ag.errors.OwnershipError, match='The loop runs over what is changed'):
            traced.get_concrete_function(x)

    x = np.array([0.5, 0.25, 0.125])
    refused(1)
    half, whole = (work(refused, n) for n in (3, 6))
    assert whole < 4 * half


# Chains of operands with a number in the place of `#`, what is between them, the last, how many.
CHAINS = {
    'and': ('x > -#', ' and ', 'x > 0', 800),
    'or': ('x < -#', ' or ', 'x > 0', 800),
    'comparisons': ('abs(x + #)', ' < ', 'x', 200),
    'conditional expressions': ('x + # if x < #', ' else ', 'x', 400),
}


@pytest.mark.parametrize('kind', CHAINS)
def test_about_twice_the_work_for_twice_the_operands(kind):
    operand, between, last, count = CHAINS[kind]

    def chain(n):
        operands = [operand.replace('#', str(i)) for i in range(n)]
        return define(f'def f(x):\n    return {between.join([*operands, last])}\n')

    x = np.float64(3.0)
    ag.function(chain(8)).get_concrete_function(x)
    half, whole = (
        work(ag.function(chain(n)).get_concrete_function, x) for n in (count // 2, count))
    assert whole < 2.03 * half


class Counted:
    def __init__(self):
        self.most = np.float64(0)
        self.number = 0

    def count(self, x):
        if x > self.most:
            self.most = x
        else:
            self.number += 1


COUNTED = Counted()


# What a method changes in a `try` in a `try`; how much more work three are than one.
METHODS_IN_TRIES = {
    'c = Counted()': 7,
    'c = COUNTED': 9,
}


@pytest.mark.parametrize('made', METHODS_IN_TRIES)
def test_what_a_method_changes_in_a_try_is_found_once(made):
    def tries(depth):
        lines = [made]
        for i in range(depth):
            body = ['c.count(x[0])', f'if x[1] > {i}: raise ValueError']
            lines += [4 * i * ' ' + line for line in ['try:', *(f'    {each}' for each in body)]]
        for i in reversed(range(depth)):
            lines += [4 * i * ' ' + line for line in ['except ValueError:', '    c.number += 2']]
        return beginning_alike(lines, 'c.number', Counted=Counted, COUNTED=COUNTED)

    x = np.array([0.5, 0.25, 0.125])
    ag.function(tries(1)).get_concrete_function(x)
    one, three = (work(ag.function(tries(n)).get_concrete_function, x) for n in (1, 3))
    assert three < METHODS_IN_TRIES[made] * one


class Shop:
    def __init__(self):
        self.stock = {'a': 5, 'b': 2}
        self.sold = 0
        self.errors = []

    def take(self, what, number):
        if number > self.stock[what]:
            raise ValueError(f'only {self.stock[what]}')
        self.stock[what] -= number
        self.sold += number


def test_a_try_around_a_method_in_a_loop_does_not_multiply_what_it_takes_to_trace_it():
    def sold(*lines):
        return beginning_alike(
            ['s = Shop()', 'for n in x:', *(f'    {line}' for line in lines)],
            's.stock, s.sold, s.errors', Shop=Shop)

    take = 's.take("a" if n % 2 == 0 else "b", n)'
    tried = sold('try:', f'    {take}', 'except ValueError as e:', '    s.errors.append(str(e))')
    x = np.array([1, 2, 3])
    ag.function(tried).get_concrete_function(x)
    plain, caught = (work(ag.function(f).get_concrete_function, x) for f in (sold(take), tried))
    assert caught < 4 * plain


class Number:
    def __init__(self, value):
        self.value = value


class Sum:
    def __init__(self, *children):
        self.children = list(children)


class Simplifier:
    def visit(self, node):
        return getattr(self, 'visit_' + type(node).__name__)(node)

    def visit_Number(self, node):
        return node

    def visit_Sum(self, node):
        for i, child in enumerate(node.children):
            node.children[i] = self.visit(child)
        a, b = node.children
        if not (isinstance(a, Number) and isinstance(b, Number)):
            return node
        self.changed = True
        return Number(a.value + b.value)

    def run(self, tree):
        self.changed = True
        while self.changed:
            self.changed = False
            tree = self.visit(tree)
        return tree.value


def tree(depth):
    return Sum(tree(depth - 1), tree(depth - 1)) if depth else Number(np.float64(1.5))


def test_a_given_tree_of_objects_is_visited_and_changed_in_proportion_to_its_size():
    def simplify(tree):
        return Simplifier().run(tree)

    simplified = ag.function(simplify)
    assert simplified(tree(2)) == simplify(tree(2))
    half, whole = (
        work(ag.function(simplify).get_concrete_function, tree(depth)) for depth in (3, 4))
    assert whole < 3.5 * half


class Cell:
    def __init__(self):
        self.log, self.value = [], np.float64(1.0)


def logs(cells, x):
    for cell in cells:
        total = sum(cell.log)
        cell.log.append(total + cell.value * x)
        cell.value = total


def test_lists_of_many_objects_that_are_read_before_they_change_take_few_traces():
    ag.function(logs)([Cell()], np.float64(0.5))
    half, whole = (
        work(ag.function(logs), [Cell() for _ in range(n)], np.float64(0.5)) for n in (10, 20))
    assert whole < 2.75 * half


class Agent:
    def __init__(self):
        self.x, self.v, self.log = np.float64(1.0), np.ones(3), []


def turn(agents, x):
    for agent in agents:
        if agent.x > x:
            agent.v = -agent.v
        agent.x = agent.x + x
        agent.log.append(agent.x)


def move(agents, x):
    for agent in agents:
        while agent.x < x:
            agent.x += 1
            agent.log.append(x)


@pytest.mark.parametrize('step', [turn, move])
def test_a_step_over_objects_outside_takes_work_in_proportion_to_their_number(step):
    ag.function(step)([Agent()], np.float64(0.5))
    half, whole = (
        work(ag.function(step), [Agent() for _ in range(n)], np.float64(0.5)) for n in (40, 80))
    assert whole < 3.2 * half


def take(agents, i, x):
    agents[i].x -= x


def take_of_the_chosen(agents, i, x):
    agent = agents[i]
    agent.x = x


@pytest.mark.parametrize('change', [take, take_of_the_chosen])
def test_an_object_chosen_by_index_does_not_double_the_work_for_each_in_the_list(change):
    ag.function(change)([Agent(), Agent()], np.int64(1), np.float64(0.5))
    half, whole = (
        work(ag.function(change), [Agent() for _ in range(n)], np.int64(1), np.float64(0.5))
        for n in (4, 8))
    assert whole < 8 * half


def test_what_a_trace_prints_that_only_looks_for_more_is_not_seen(capsys):
    cells = [Cell() for _ in range(3)]

    @ag.function
    def f(x):
        for i, cell in enumerate(cells):
            count = len(cell.log)
            cell.log.append(x * count)
            print(i)

    f(np.float64(0.5))
    assert capsys.readouterr().out == '0\n1\n2\n'


def test_what_python_takes_after_a_list_has_changed_is_taken_once():
    cells, numbers = [Cell() for _ in range(3)], iter(range(5))

    @ag.function
    def f(x):
        for cell in cells:
            count = len(cell.log)
            cell.log.append(x * count)
        return list(numbers)

    assert f(np.float64(0.5)) == [0, 1, 2, 3, 4]
