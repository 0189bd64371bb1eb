"""Arrays in lists, dicts and objects from outside are read at every call, however they are read."""
from __future__ import annotations

import collections
import copy
import functools
import itertools
import operator
import types

import numpy as np
import pytest

import autograph_lite as ag

Pair = collections.namedtuple('Pair', 'a b')

TABLE = {'w': np.ones(2), 'layers': [np.ones(2), np.full(2, 2.0)], 'rate': 2.0}
PAIR = Pair(np.ones(2), [np.ones(2)])
QUEUE = collections.deque([np.ones(2), np.ones(2)])
DEFAULTS = collections.defaultdict(list, w=np.ones(2))
PROXY = types.MappingProxyType(TABLE)


class Model:
    def __init__(self):
        self.w = np.ones(2)
        self.layers = [np.ones(2), np.ones(2)]

    def all(self):
        return self.layers

    def __iter__(self):
        return iter(self.layers)

    def __getitem__(self, i):
        return self.layers[i]


MODEL = Model()


def arrays():
    return [
        TABLE['w'], *TABLE['layers'], PAIR.a, *PAIR.b, *QUEUE, DEFAULTS['w'], MODEL.w,
        *MODEL.layers,
    ]  # fmt: skip


def in_a_loop():
    penalty = 0.0
    for w in TABLE['layers']:
        penalty += np.sum(w * w)
    return penalty


def over_the_values():
    total = 0.0
    for value in TABLE.values():
        if isinstance(value, np.ndarray):
            total = total + value * 2.0
    return total


def over_the_items_of_a_copy():
    total = 0.0
    for key, value in {**TABLE}.items():
        if key == 'w':
            total = total + value * 2.0
    return total


def unpacked():
    a, b = TABLE['layers']
    c, (d,) = PAIR
    return a * 2.0 + b + c + d


def unpacked_with_a_star():
    a, *rest = TABLE['layers']
    return rest[0] * 2.0 + a


def matched():
    match TABLE:
        case {'w': w, 'layers': [first, *_]}:
            return w * 2.0 + first
    return None


def by_another_name():
    table, model, pair = TABLE, MODEL, PAIR
    return table['w'] * 2.0 + model.w + pair.b[0]


def by_a_walrus():
    if layers := TABLE['layers']:
        return layers[0] * 2.0
    return None


def by_a_default(table=TABLE):
    return table['w'] * 2.0


def in_a_function_inside():
    def inner():
        return TABLE['w'] * 2.0

    return inner()


def in_a_copy_that_changes():
    table = copy.deepcopy(TABLE)
    table['w'] += 1.0
    table['layers'].append(table['w'])
    return table


def popped_from_a_copy():
    table = dict(TABLE)
    return table.pop('w') * 2.0


WAYS = [
    in_a_loop, over_the_values, over_the_items_of_a_copy, unpacked, unpacked_with_a_star, matched,
    by_another_name, by_a_walrus, by_a_default, in_a_function_inside, in_a_copy_that_changes,
    popped_from_a_copy,
    lambda: [w * 2.0 for w in TABLE['layers']],
    lambda: {key: value * 2.0 for key, value in TABLE.items() if key == 'w'},
    lambda: [a * b for a, b in zip(TABLE['layers'], TABLE['layers'])],
    lambda: [i * w for i, w in enumerate(TABLE['layers'])],
    lambda: (lambda a, b: a * 2.0 + b)(*TABLE['layers']),
    lambda: (lambda w, **rest: w * 2.0)(**TABLE),
    lambda: TABLE.copy()['w'] * 2.0,
    lambda: copy.copy(TABLE)['w'] * 2.0,
    lambda: copy.copy(MODEL).w * 2.0,
    lambda: copy.deepcopy(TABLE)['w'] * 2.0,
    lambda: list(TABLE['layers'])[-1] * 2.0,
    lambda: tuple(TABLE['layers'])[-1] * 2.0,
    lambda: list(reversed(TABLE['layers']))[-1] * 2.0,
    lambda: TABLE['layers'][:1][0] * 2.0,
    lambda: (TABLE['layers'] + TABLE['layers'] * 2)[0] * 2.0,
    lambda: list(TABLE.values())[-1] * 2.0,
    lambda: dict(TABLE, more=1)['w'] * 2.0,
    lambda: (TABLE | {})['w'] * 2.0,
    lambda: TABLE.get('w') * 2.0,
    lambda: TABLE.setdefault('w', 1) * 2.0,
    lambda: next(iter(TABLE['layers'])) * 2.0,
    lambda: sum(TABLE['layers']) * 2.0,
    lambda: sum(w for w in TABLE['layers']) * 2.0,
    lambda: functools.reduce(operator.add, TABLE['layers']) * 2.0,
    lambda: list(map(lambda w: w * 2.0, TABLE['layers'])),
    lambda: list(itertools.chain(TABLE['layers'], PAIR.b))[-1] * 2.0,
    lambda: operator.itemgetter('w')(TABLE) * 2.0,
    lambda: operator.attrgetter('w')(MODEL) * 2.0,
    lambda: operator.getitem(TABLE, 'w') * 2.0,
    lambda: getattr(MODEL, 'w') * 2.0,  # noqa: B009  that it is asked for so is what is tested
    lambda: vars(MODEL)['w'] * 2.0,
    lambda: MODEL.__dict__['w'] * 2.0,
    lambda: [w * 2.0 for w in MODEL],
    lambda: MODEL[0] * 2.0,
    lambda: MODEL.all()[0] * 2.0,
    lambda: PAIR._asdict()['a'] * 2.0,
    lambda: [w * 2.0 for w in QUEUE] + [QUEUE[0] * 2.0],
    lambda: DEFAULTS['w'] * 2.0,
    lambda: [value * 2.0 for value in DEFAULTS.values()],
    lambda: dict(PROXY)['w'] * 2.0,
    lambda: np.stack(TABLE['layers']) * 2.0,
    lambda: np.concatenate(TABLE['layers']),
    lambda: np.sum(TABLE['layers']),
    lambda: (None or TABLE['layers'])[0] * 2.0,
    lambda: (TABLE['layers'] if TABLE else None)[0] * 2.0,
    lambda: types.SimpleNamespace(**TABLE).w * 2.0,
    lambda: functools.partial(lambda w: w * 2.0, TABLE['w'])(),
    lambda: sorted(TABLE['layers'], key=lambda w: float(w[0]))[0] * 2.0,
    lambda: globals()['TABLE']['w'] * 2.0,
    lambda: f"{TABLE['layers']}, {TABLE['w'][0]:.1f}",
    lambda: '%s, %s' % (TABLE['layers'], str(TABLE)),  # noqa: UP031  as users write it
    lambda: 1 if TABLE['w'][0] > 3 else 2,
    lambda: TABLE['layers'][0] is TABLE['layers'][0],
    lambda: any(TABLE['w'] is value for value in TABLE.values()),
    lambda: TABLE['layers'] is TABLE['layers'],
    lambda: TABLE,
]


@pytest.fixture(autouse=True)
def _as_before():
    kept = [array.copy() for array in arrays()]
    yield
    for array, before in zip(arrays(), kept, strict=True):
        array[:] = before


@pytest.mark.parametrize('f', WAYS, ids=range(len(WAYS)))
def test_an_array_that_changes_in_place_is_seen(f):
    graph = ag.function(f)
    for value in (1.0, 1.0, 5.0, 5.0):
        for array in arrays():
            array[:] = value
        got, expected = graph(), f()
        np.testing.assert_equal(got, expected)
        assert type(got) is type(expected)
    assert graph.tracing_count == 1


def test_what_is_changed_by_another_name_is_refused():
    def f(x, value):
        layers = [TABLE['layers']]
        layers[0].append(value)
        return x

    for value in (np.ones(2), 1):
        with pytest.raises(ag.errors.OwnershipError, match=r"TABLE\['layers'\].*by another name"):
            ag.function(f)(np.ones(2), value)
    assert len(TABLE['layers']) == 2


def test_what_is_changed_by_its_own_name_is_changed_at_every_call(monkeypatch):
    monkeypatch.setitem(TABLE, 'layers', [np.ones(2)])

    @ag.function
    def f(x):
        TABLE['layers'].append(1.0)
        return x * len(TABLE['layers'])

    assert (f(2.0), f(2.0)) == (4.0, 6.0)
    assert TABLE['layers'][1:] == [1.0, 1.0]


class Shelf:
    def __init__(self):
        self.w, self.scale = np.ones(2), 2.0
        self.parts = {'b': [np.zeros(2), np.zeros(2)]}
        self.same = self.w


def test_a_deep_copy_of_an_object_has_arrays_of_its_own():
    def f(x, shelf):
        other = copy.deepcopy(shelf)
        other.w[0] = 5.0
        other.parts['b'][1] += x
        return other.w * shelf.scale, other.same, other.parts['b'], shelf.w, shelf.parts

    shelf = Shelf()
    graph = ag.function(f)
    for x in (np.ones(2), np.full(2, 3.0)):
        assert repr(graph(x, shelf)) == repr(f(x, shelf))
        shelf.w += 1  # its arrays are read, and copied, at every call
    assert graph.tracing_count == 1


def test_a_deep_copy_of_an_object_with_an_array_of_objects_is_refused():
    class Odd:
        w = None

    odd = Odd()
    odd.w = np.array([[1], None], dtype=object)
    with pytest.raises(ag.errors.StagingError, match='array of objects is copied once'):
        ag.function(lambda: copy.deepcopy(odd).w)()


@pytest.mark.parametrize(
    'argument',
    [
        [np.ones(2)], (np.ones(1), 1), Pair(np.ones(1), 2), {'a': np.float64(1)}, [[]],
        collections.OrderedDict(a=np.ones(1)),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    'text',
    [
        lambda x: f'{x}', str, repr, lambda x: f'<{x!r}>', lambda x: '{}'.format(x),  # noqa: UP032
        lambda x: '%s, %d' % (x, 3),  # noqa: UP031
    ],
)  # fmt: skip
def test_the_text_of_what_holds_tensors(text, argument):
    graph = ag.function(lambda x: text(x))
    assert graph(argument) == text(argument)


def test_the_text_of_a_nest_by_repr_is_refused():
    with pytest.raises(ag.errors.StagingError, match='text of a list'):
        ag.function(lambda x: '%r' % (x,))([np.ones(1)])  # noqa: UP031


class Counter:
    def __init__(self):
        self.count = 0

    def counts(self):
        self.count += 1
        return self.count


def modifies_an_item():
    TABLE['w'] += 1.0
    return TABLE['w']


def modifies_an_element():
    for w in TABLE['layers']:
        w += 1.0


def modifies_by_a_ufunc():
    first, _ = TABLE['layers']
    np.add(first, 1.0, out=first)


@pytest.mark.parametrize('f', [modifies_an_item, modifies_an_element, modifies_by_a_ufunc])
def test_an_array_from_outside_is_modified_at_every_call(f):
    before = [array.copy() for array in arrays()]

    def left_by(run):
        returned = [np.array(run()) for _ in range(2)]
        left = [array.copy() for array in arrays()]
        for array, was in zip(arrays(), before, strict=True):
            array[...] = was
        return returned, left

    expected, graph = left_by(f), ag.function(f)
    np.testing.assert_equal(left_by(graph), expected)
    assert graph.tracing_count == 1


def test_a_number_from_outside_that_is_counted():
    graph = ag.function(Counter().counts)
    assert [graph(), graph(), graph()] == [1, 2, 3]


def test_a_graph_is_looked_at():
    concrete = ag.function(lambda x: x * 2 + 1).get_concrete_function(ag.TensorSpec([2]))
    graph = ag.function(lambda x: x + len(concrete.graph.nodes))
    np.testing.assert_array_equal(graph(np.ones(2)), 1.0 + len(concrete.graph.nodes))
