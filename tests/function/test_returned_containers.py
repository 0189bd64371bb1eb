"""A list, dict or dataclass, given or captured, that is returned is that one, with its changes."""
from __future__ import annotations

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from differential import same

import autograph_lite as ag


@dataclasses.dataclass
class Box:
    held: object


class Model:
    def __init__(self):
        self.table, self.box = {'a': np.float64(1)}, Box(np.float64(2))


def table():
    return {'n': np.float64(1), 'w': np.ones(2)}


def numbers():
    return [np.float64(1), np.float64(2)]


def itself(given, x):
    return given


def in_parts(given, x):
    return {'of': (given, x), 'more': [given]}


def set_in_a_branch(given, x):
    if x[0] > 0:
        given['m'] = x[1]
    return given


def an_array_changed(given, x):
    given['w'] += x
    return given


def appended_in_a_branch(given, x):
    if x[0] > 0:
        given.append(x[1])
    return given


def appended_in_a_loop(given, x):
    for v in x:
        given.append(v)
    return given, 1


def by_another_name(given, x):
    found = given
    found.append(x[0])
    return found, given


def popped(given, x):
    if x[0] > 0:
        given.pop()
    return given


def through_a_helper(given, x):
    return itself(given, x)


def of_a_part(given, x):
    return given[0], given[1]


def set_of_an_object(given, x):
    if x[0] > 0:
        given.held = x[1]
    return given


def another(given, x):
    return dict(given), list(given), given.copy()


GIVEN = [
    (itself, table), (itself, numbers), (itself, lambda: Box(np.float64(1))), (itself, lambda: []),
    (itself, lambda: Box([1, np.ones(2)])), (in_parts, table), (set_in_a_branch, table),
    (an_array_changed, table), (appended_in_a_branch, numbers), (appended_in_a_loop, numbers),
    (by_another_name, numbers), (popped, numbers), (through_a_helper, table),
    (of_a_part, lambda: (table(), numbers())), (of_a_part, lambda: [table(), numbers()]),
    (set_of_an_object, lambda: Box(np.float64(1))), (another, table),
]  # fmt: skip


def where(given, returned):
    """Which parts of what is returned are which parts of what was given."""
    known = {id(x): at for at, x in parts(given, 'given')}
    return [(at, known.get(id(x))) for at, x in parts(returned, 'returned')]


def parts(x, path):
    if isinstance(x, list | dict | Box | Model):
        yield path, x
    if isinstance(x, Box | Model):
        x = vars(x)
    if isinstance(x, list | tuple):
        x = dict(enumerate(x))
    for key, part in x.items() if isinstance(x, dict) else ():
        yield from parts(part, f'{path}[{key!r}]')


@pytest.mark.parametrize('check', [False, True])
@pytest.mark.parametrize(('f', 'made'), GIVEN, ids=lambda x: x.__name__)
def test_what_is_given_is_returned(f, made, check):
    graph = ag.function(f, check=check)
    for x in ([1.0, 2.0], [-1.0, 2.0], [1.0, 3.0]):
        plain, given = made(), made()
        expected, found = f(plain, np.array(x)), graph(given, np.array(x))
        assert same(expected, found)
        assert same(plain, given)
        assert where(plain, expected) == where(given, found)


def test_what_is_given_by_name_is_returned_by_the_fast_way_too():
    @ag.function
    def f(x, *, options):
        return x + 1, options['inner'], options

    for _ in range(3):
        options = {'inner': [np.ones(2)], 'n': 1}
        _, inner, found = f(np.ones(2), options=options)
        assert found is options
        assert inner is options['inner']
    assert f.tracing_count == 1


TABLE = {'a': np.float64(1), 'inner': {'w': np.ones(2)}}
NUMBERS = [1.0, np.float64(2)]


def table_set(model, x):
    TABLE['a'] = x[0]
    return TABLE


def table_perhaps_set(model, x):
    if x[0] > 0:
        TABLE['a'] = x[1]
    return TABLE, [NUMBERS]


def item_perhaps_there(model, x):
    if x[0] > 0:
        model.table['new'] = x[1]
    return model.table


def attribute_set(model, x):
    model.box.held = x[0]
    return model.box, model.table


@pytest.mark.parametrize('check', [False, True])
@pytest.mark.parametrize(
    'f', [
        lambda model, x: TABLE, lambda model, x: TABLE['inner'], lambda model, x: (NUMBERS, x),
        lambda model, x: model.table, lambda model, x: [model.box, model.table],
        table_set, table_perhaps_set, item_perhaps_there, attribute_set,
    ])  # fmt: skip
def test_what_is_captured_is_returned(f, check):
    graph = ag.function(f, check=check)
    plain, model = Model(), Model()
    before = copy.deepcopy(TABLE)
    for x in ([-1.0, 2.0], [1.0, 2.0], [-1.0, 3.0]):
        states = []
        for way, one in ((f, plain), (graph, model)):
            TABLE.update(copy.copy(before))
            found = way(one, np.array(x))
            states.append((where((one, TABLE, NUMBERS), found), copy.deepcopy(found)))
        assert same(*states)
    TABLE.update(before)


def test_what_is_in_the_place_of_a_captured_container_is_returned():
    model = Model()

    @ag.function
    def f(x):
        return model.table, x

    assert f(np.ones(2))[0] is model.table
    model.table = {'a': np.float64(1)}
    assert f(np.ones(2))[0] is model.table


def test_a_traced_function_that_calls_a_trace_reads_what_that_returns():
    found = {'w': np.ones(2)}
    inner = ag.function(lambda x: (found, x)).get_concrete_function(np.ones(2))

    @ag.function
    def f(x):
        return inner(x)[0]['w'] * 2

    assert same(f(np.ones(2)), np.full(2, 2.0))
    found['w'] = np.full(2, 3.0)
    assert same(f(np.ones(2)), np.full(2, 6.0))


def test_a_pickled_trace_returns_what_it_is_given_and_holds_what_was_captured():
    given = {'w': np.ones(2)}
    made = ag.function(lambda d, x: (d, NUMBERS, x)).get_concrete_function(given, np.ones(2))
    read = pickle.loads(pickle.dumps(made))
    found, numbers, _ = read(given, np.ones(2))
    assert found is given
    assert same(numbers, NUMBERS)


def test_an_equal_one_is_returned_of_several_that_only_the_running_graph_chooses_from():
    @ag.function
    def f(a, b, x):
        return a if x > 0 else b

    a, b = [np.float64(1)], [np.float64(2)]
    assert [f(a, b, np.float64(x)) for x in (1, -1)] == [a, b]
