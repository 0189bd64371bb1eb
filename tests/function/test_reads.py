"""Every way to read from outside: after any change the next call gives plain Python's answer."""
from __future__ import annotations

import array
import collections
import functools
import os
import types
from math import sqrt
from types import SimpleNamespace

import numpy as np
import pytest

import autograph_lite as ag

CASES = []
LEVEL = 2.0
MODULE = types.ModuleType('module')
MODULE.rate = 2.0
MODULE.scaled = lambda x, n=2: x * n


class Thing:
    """Something with attributes."""


def case(make):
    """Collects a function that gives a function to trace, and what then changes."""
    CASES.append(make)
    return make


@case
def an_attribute_with_a_default():
    thing = Thing()
    return lambda x: x * getattr(thing, 'rate', 2.0), lambda: setattr(thing, 'rate', 3.0)


@case
def an_attribute_that_goes():
    thing = Thing()
    thing.rate = 5.0
    return lambda x: x * getattr(thing, 'rate', 2.0), lambda: delattr(thing, 'rate')


@case
def whether_there_is_an_attribute():
    thing = Thing()
    return lambda x: x * 3 if hasattr(thing, 'rate') else x, lambda: setattr(thing, 'rate', 3.0)


@case
def an_attribute_that_is_tried():
    thing = Thing()

    def f(x):
        try:
            rate = thing.rate
        except AttributeError:
            rate = 2.0
        return x * rate

    return f, lambda: setattr(thing, 'rate', 3.0)


@case
def an_item_that_is_tried():
    table = {}

    def f(x):
        try:
            rate = table['rate']
        except KeyError:
            rate = 2.0
        return x * rate

    return f, lambda: table.update(rate=3.0)


@case
def a_global_that_is_tried():
    names = globals()

    def f(x):
        try:
            rate = NOT_YET
        except NameError:
            rate = 2.0
        return x * rate

    return f, lambda: names.update(NOT_YET=3.0)


@case
def whether_there_is_an_item():
    table = {}
    return lambda x: x * 5 if 'rate' in table else x, lambda: table.update(rate=3.0)


@case
def whether_there_is_none():
    table = {}
    return lambda x: x * 5 if 'rate' not in table else x, lambda: table.update(rate=3.0)


@case
def an_item_with_a_default():
    table = {}
    return lambda x: x * table.get('rate', 2.0), lambda: table.update(rate=3.0)


@case
def an_item_that_is_set_by_default():
    table = {}
    return lambda x: x * table.setdefault('rate', 2.0), lambda: table.update(rate=3.0)


@case
def an_item_by_a_variable():
    table = {'a': {'rate': 1.0}}

    def f(x):
        for name in ('a',):
            x = x * table[name]['rate']
        return x

    return f, lambda: table['a'].update(rate=3.0)


@case
def an_attribute_by_a_variable():
    thing = Thing()
    thing.name, thing.a, thing.b = 'a', 1.0, 2.0
    return lambda x: x * getattr(thing, thing.name), lambda: setattr(thing, 'name', 'b')


@case
def a_class_attribute_that_an_instance_hides():
    class Config:
        rate = 2.0

    config = Config()
    return lambda x: x * config.rate, lambda: setattr(config, 'rate', 3.0)


@case
def an_attribute_of_a_class():
    class Config:
        rate = 2.0

    return lambda x: x * Config.rate, lambda: setattr(Config, 'rate', 3.0)


@case
def the_class_of_an_object():
    class A:
        rate = 2.0

    class B:
        rate = 3.0

    thing = A()
    return lambda x: x * type(thing).rate, lambda: setattr(thing, '__class__', B)


@case
def what_an_object_is_an_instance_of():
    class A:
        pass

    thing = A()
    return lambda x: x * 2 if isinstance(thing, A) else x, lambda: setattr(
        thing, '__class__', Thing
    )


@case
def the_attributes_as_a_dict():
    thing = SimpleNamespace(rate=2.0)
    return lambda x: x * vars(thing)['rate'] + thing.__dict__['rate'], lambda: setattr(
        thing, 'rate', 3.0
    )


@case
def globals_as_a_dict():
    return lambda x: x * globals()['LEVEL'], lambda: globals().update(LEVEL=3.0)


@case
def an_attribute_of_a_module():
    return lambda x: x * MODULE.rate, lambda: setattr(MODULE, 'rate', 3.0)


@case
def an_attribute_that_a_module_has_not():
    return lambda x: x * getattr(MODULE, 'level', 2.0), lambda: setattr(MODULE, 'level', 3.0)


@case
def a_function_of_a_module():
    return lambda x: MODULE.scaled(x), lambda: setattr(MODULE, 'scaled', lambda x: x * 9)


@case
def the_environment():
    os.environ['AUTOGRAPH_LITE_TEST'] = '2'
    return (
        lambda x: x * float(os.environ['AUTOGRAPH_LITE_TEST']),
        lambda: os.environ.update(AUTOGRAPH_LITE_TEST='3'),
    )


@case
def the_environment_with_a_default():
    os.environ.pop('AUTOGRAPH_LITE_TEST', None)
    return (
        lambda x: x * float(os.environ.get('AUTOGRAPH_LITE_TEST', '1')),
        lambda: os.environ.update(AUTOGRAPH_LITE_TEST='3'),
    )


@case
def the_environment_by_getenv():
    os.environ.pop('AUTOGRAPH_LITE_TEST', None)
    return (
        lambda x: x * float(os.getenv('AUTOGRAPH_LITE_TEST', '1')),
        lambda: os.environ.update(AUTOGRAPH_LITE_TEST='3'),
    )


@case
def the_length_of_a_list():
    items = [1.0]
    return lambda x: x * len(items), lambda: items.append(2.0)


@case
def the_truth_of_a_list():
    items = []
    return lambda x: x * 2 if items else x, lambda: items.append(2.0)


@case
def what_a_list_equals():
    items = []
    return lambda x: x * 2 if items == [] else x, lambda: items.append(2.0)


@case
def where_something_is_in_a_list():
    items = ['a', 'b']
    return lambda x: x * items.index('b'), lambda: items.insert(0, 'c')


@case
def the_text_of_a_list():
    items = [1.0]
    return lambda x: x * len(str(items)), lambda: items.append(2.0)


@case
def a_list_that_is_unpacked():
    items = [1.0, 2.0]

    def f(x):
        a, b = items
        return x * a + b

    return f, lambda: items.__setitem__(0, 5.0)


@case
def a_list_of_arguments():
    items = [1.0, 2.0]

    def f(x):
        return scaled_and_shifted(x, *items)

    return f, lambda: items.__setitem__(0, 5.0)


def scaled_and_shifted(x, scale, shift):
    return x * scale + shift


@case
def a_list_in_a_tuple():
    items = ([1.0],)
    return lambda x: x * len(items[0]), lambda: items[0].append(2.0)


@case
def a_long_list():
    items = [float(i) for i in range(100)]
    return lambda x: x + sum(items), lambda: items.__setitem__(70, 5.5)


@case
def objects_in_a_list():
    thing = Thing()
    thing.rate = 2.0
    things = [thing]

    def f(x):
        for each in things:
            x = x * each.rate
        return x * things[0].rate + sum([each.rate for each in things])

    return f, lambda: setattr(thing, 'rate', 3.0)


@case
def the_items_of_a_dict():
    table = {'a': 1.0}

    def f(x):
        for key, value in table.items():
            x = x * value + len(key)
        return x + sum(table.values()) + len(list(table.keys()))

    return f, lambda: table.update(a=2.0)


@case
def a_dict_in_another():
    table = {'a': 1.0}
    return lambda x: x * {**table}['a'], lambda: table.update(a=2.0)


@case
def a_dict_that_is_matched():
    table = {'kind': 'a'}

    def f(x):
        match table:
            case {'kind': 'a'}:
                return x
        return x * 2

    return f, lambda: table.update(kind='b')


@case
def a_view_of_a_dict():
    table = {'a': 1.0}
    values = table.values()
    return lambda x: x + sum(values), lambda: table.update(a=2.0)


@case
def a_default_dict():
    table = collections.defaultdict(float, a=1.0)
    return lambda x: x * table['a'], lambda: table.update(a=2.0)


@case
def an_ordered_dict_by_another_name():
    table = collections.OrderedDict(a=1.0)

    def f(x):
        named = table
        for value in named.values():
            x = x + value
        return x

    return f, lambda: table.update(a=2.0)


@case
def a_counter():
    counts = collections.Counter('aab')

    def f(x):
        for name in counts:
            x = x + counts[name]
        return x

    return f, lambda: counts.update('a')


@case
def a_chain_of_dicts():
    table = {'a': 1.0}
    chain = collections.ChainMap(table)
    return lambda x: x * chain['a'], lambda: table.update(a=2.0)


@case
def a_proxy_of_a_dict():
    table = {'a': 1.0}
    proxy = types.MappingProxyType(table)
    return lambda x: x * proxy['a'], lambda: table.update(a=2.0)


@case
def a_dict_of_a_class_of_its_own():
    class Config(dict):
        def __init__(self, **values):
            super().__init__(**values)

        __getattr__ = dict.__getitem__

    config = Config(rate=1.0)
    return lambda x: x * config.rate, lambda: config.update(rate=2.0)


@case
def a_set():
    names = {'a'}
    return lambda x: x * len(names) if 'b' not in names else x * 10, lambda: names.add('b')


@case
def the_members_of_a_set():
    numbers = {1}

    def f(x):
        for number in numbers:
            x = x + number
        return x

    return f, lambda: numbers.add(5)


@case
def a_deque():
    queue = collections.deque([1.0, 2.0])

    def f(x):
        for value in queue:
            x = x + value
        return x * queue[0] + len(queue) + sum(queue)

    return f, lambda: queue.append(3.0)


@case
def bytes_that_change():
    data = bytearray(b'ab')
    return lambda x: x * data[0], lambda: data.__setitem__(0, 5)


@case
def a_view_of_bytes_that_change():
    data = bytearray(b'ab')
    view = memoryview(data)
    return lambda x: x + sum(view), lambda: data.__setitem__(0, 5)


@case
def an_array_of_python():
    numbers = array.array('d', [1.0, 2.0])
    return lambda x: x * numbers[0] + sum(numbers), lambda: numbers.__setitem__(0, 5.0)


@case
def a_method_that_an_instance_hides():
    class Model:
        def scaled(self, x):
            return x * 2

    model = Model()
    return lambda x: model.scaled(x), lambda: setattr(model, 'scaled', lambda x: x * 3)


@case
def a_method_of_a_class():
    class Model:
        def scaled(self, x):
            return x * 2

        def call(self, x):
            return self.scaled(x)

    model = Model()
    return lambda x: model.call(x), lambda: setattr(Model, 'scaled', lambda self, x: x * 3)


@case
def the_code_of_a_method():
    class Model:
        def scaled(self, x):
            return x * 2

    def tripled(self, x):
        return x * 3

    model = Model()
    return lambda x: model.scaled(x), lambda: setattr(
        Model.scaled, '__code__', tripled.__code__
    )


@case
def a_method_of_a_base_class():
    class Base:
        def scaled(self, x):
            return x * 2

    class Model(Base):
        def scaled(self, x):
            return super().scaled(x) + 1

    model = Model()
    return lambda x: model.scaled(x), lambda: setattr(Base, 'scaled', lambda self, x: x * 3)


@case
def a_static_method():
    class Model:
        @staticmethod
        def scaled(x):
            return x * 2

    return lambda x: Model.scaled(x), lambda: setattr(
        Model, 'scaled', staticmethod(lambda x: x * 3)
    )


@case
def what_a_class_method_reads():
    class Model:
        rate = 2.0

        @classmethod
        def scaled(cls, x):
            return x * cls.rate

    return lambda x: Model.scaled(x), lambda: setattr(Model, 'rate', 3.0)


@case
def what_calling_an_object_does():
    class Model:
        def __call__(self, x):
            return x * 2

    model = Model()
    return lambda x: model(x), lambda: setattr(Model, '__call__', lambda self, x: x * 3)


@case
def what_making_an_object_does():
    class Pair:
        def __init__(self, x):
            self.x = x * 2

    def init(self, x):
        self.x = x * 3

    return lambda x: Pair(x).x, lambda: setattr(Pair, '__init__', init)


@case
def what_an_operator_reads():
    class Scale:
        rate = 2.0

        def __mul__(self, x):
            return x * self.rate

    scale = Scale()
    return lambda x: scale * x, lambda: setattr(scale, 'rate', 3.0)


@case
def what_iterating_reads():
    class Layers:
        def __init__(self):
            self.layers = [2.0]

        def __iter__(self):
            return iter(self.layers)

    layers = Layers()

    def f(x):
        for layer in layers:
            x = x * layer
        return x

    return f, lambda: setattr(layers, 'layers', [3.0])


@case
def what_a_property_reads():
    class Model:
        rate = 2.0

        @property
        def twice(self):
            return self.rate * 2

    model = Model()
    return lambda x: x * model.twice, lambda: setattr(model, 'rate', 3.0)


@case
def a_property():
    class Model:
        @property
        def rate(self):
            return 2.0

    model = Model()
    return lambda x: x * model.rate, lambda: setattr(Model, 'rate', property(lambda self: 3.0))


@case
def a_default_value_of_a_helper():
    def helper(x, n=2):
        return x * n

    return lambda x: helper(x), lambda: setattr(helper, '__defaults__', (3,))


@case
def what_is_in_a_default_value_of_a_helper():
    def helper(x, rates=[2.0]):  # noqa: B006  that it is shared is what is tested
        return x * rates[0]

    return lambda x: helper(x), lambda: helper.__defaults__[0].__setitem__(0, 3.0)


@case
def a_variable_of_a_helper():
    rate = 2.0

    def helper(x):
        return x * rate

    def change():
        nonlocal rate
        rate = 3.0

    return lambda x: helper(x), change


@case
def an_attribute_of_a_helper():
    def helper(x):
        return x * helper.rate

    helper.rate = 2.0
    return lambda x: helper(x), lambda: setattr(helper, 'rate', 3.0)


@case
def the_code_of_a_helper_from_a_dict():
    def helper(x):
        return x * 2

    def other(x):
        return x * 3

    table = {'helper': helper}
    return lambda x: table['helper'](x), lambda: setattr(helper, '__code__', other.__code__)


@case
def a_helper_that_is_not_converted():
    table = {'rate': 2.0}

    @ag.do_not_convert
    def helper():
        return table['rate']

    return lambda x: x * helper(), lambda: table.update(rate=3.0)


@case
def an_argument_of_a_partial():
    partial = functools.partial(scaled_and_shifted, scale=2.0, shift=1.0)
    return lambda x: partial(x), lambda: partial.keywords.update(scale=3.0)


@case
def a_default_value_of_another_function():
    @ag.function
    def helper(x, n=2):
        return x * n

    return lambda x: helper(x), lambda: setattr(helper.python_function, '__defaults__', (3,))


@case
def a_variable():
    thing = SimpleNamespace(v=ag.Variable(1.0))
    return lambda x: x + thing.v.value, lambda: setattr(thing, 'v', ag.Variable(5.0))


@case
def an_attribute_of_an_object_that_is_replaced():
    thing = SimpleNamespace(inner=SimpleNamespace(rate=1.0))

    def f(x):
        inner = thing.inner
        return x * inner.rate + thing.inner.rate

    return f, lambda: setattr(thing, 'inner', SimpleNamespace(rate=5.0))


@case
def an_attribute_of_a_class_that_is_strict():
    class Strict:
        def __init__(self):
            self.__dict__['values'] = {'rate': 2.0}

        def __getattr__(self, name):
            return self.values[name]  # a KeyError for what is not there

        def __call__(self, x):
            return x * self.rate

    strict = Strict()
    return lambda x: strict(x) + strict.rate, lambda: strict.values.update(rate=3.0)


@case
def an_object_that_cannot_be_compared():
    class Odd:
        def __init__(self, rate):
            self.rate = rate

        def __eq__(self, other):
            raise RuntimeError('no')

        __hash__ = None

    thing = SimpleNamespace(odd=Odd(2.0))
    return lambda x: x * thing.odd.rate, lambda: setattr(thing, 'odd', Odd(3.0))


@case
def a_function_of_a_library_by_its_name():
    return lambda x: x * sqrt(4.0), lambda: globals().update(sqrt=lambda x: x * 10)


@case
def a_function_of_numpy_by_another_name():
    thing = SimpleNamespace(activation=np.tanh)

    def relu(x):
        if x > 0:
            return x * 3
        return x * 0

    return lambda x: thing.activation(x), lambda: setattr(thing, 'activation', relu)


@case
def what_a_context_reads():
    class Scale:
        rate = 2.0

        def __enter__(self):
            return self.rate

        def __exit__(self, *error):
            pass

    scale = Scale()

    def f(x):
        with scale as rate:
            return x * rate

    return f, lambda: setattr(scale, 'rate', 3.0)


@case
def what_a_cached_function_reads():
    rate = 2.0

    @functools.lru_cache
    def cached():
        return rate

    def change():
        nonlocal rate
        rate = 3.0
        cached.cache_clear()

    return lambda x: x * cached(), change


@case
def what_a_generator_reads():
    items = [1.0, 2.0]

    def each():
        yield from items

    def f(x):
        for item in each():
            x = x + item
        return x

    return f, lambda: items.__setitem__(0, 5.0)


@pytest.fixture(autouse=True)
def _unchanged(monkeypatch):
    monkeypatch.setenv('AUTOGRAPH_LITE_TEST', '')
    for name in ('rate', 'scaled'):
        monkeypatch.setattr(MODULE, name, getattr(MODULE, name))
    names = dict(globals())
    yield
    globals().pop('NOT_YET', None)
    globals().update(LEVEL=names['LEVEL'], sqrt=names['sqrt'])
    vars(MODULE).pop('level', None)


@pytest.mark.parametrize('make', CASES, ids=lambda make: make.__name__)
def test_a_change_is_seen(make):
    f, change = make()
    graph = ag.function(f)
    x = np.float64(7.0)
    assert [graph(x) for _ in range(3)] == [f(x)] * 3
    assert graph.tracing_count == 1
    change()
    assert [graph(x) for _ in range(3)] == [f(x)] * 3
    assert graph.tracing_count == 2
    assert 'has changed' in graph.trace_report()


def test_the_report_says_what_was_read():
    table, thing = {}, Thing()

    def f(x):
        if hasattr(thing, 'rate'):
            return x * thing.rate
        return x * table.get('rate', 2.0) if 'shift' in table else x

    graph = ag.function(f)
    x = np.float64(7.0)
    graph(x)
    for change in (
        lambda: table.update(shift=1.0),
        lambda: table.update(rate=3.0),
        lambda: setattr(thing, 'rate', 1.0),
        lambda: setattr(thing, 'rate', 2.0),
    ):
        change()
        assert graph(x) == f(x)
    assert graph.trace_report().splitlines()[2:] == [
        f'  {i}. {what} has changed, which the function reads from outside'
        for i, what in enumerate(REPORTED, 2)
    ]


REPORTED = ["'shift' in table", "table.get('rate')", "hasattr(thing, 'rate')", 'thing.rate']


def test_what_is_not_read_may_change():
    table = {str(i): float(i) for i in range(1000)}
    items = list(table.values())
    thing = SimpleNamespace(rate=1.0, other=2.0)

    @ag.function
    def f(x):
        return x * table['7'] + items[7] + thing.rate

    x = np.float64(1)
    assert f(x) == 15.0
    table['8'] = items[8] = thing.other = 0.0
    assert f(x) == 15.0
    assert f.tracing_count == 1


def test_an_equal_value_is_not_another():
    table = {'rates': [0.5, (1.5, 'a')]}

    @ag.function
    def f(x):
        return x * table['rates'][0]

    assert f(np.float64(2)) == 1.0
    table['rates'] = [0.5, 7]
    assert f(np.float64(2)) == 1.0
    table = {'rates': [0.5]}
    assert f(np.float64(2)) == 1.0
    assert f.tracing_count == 1
