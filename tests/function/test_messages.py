"""Errors name the user's file and line, quote it, say what was found and what to write instead."""
from __future__ import annotations

import copy
import inspect
import linecache
import traceback
from collections import deque

import numpy as np
import pytest

import autograph_lite as ag

x = np.ones(2)
SEEN: list = []
TABLE: dict = {}
LATEST = None
MATRIX = np.eye(2).view(np.matrix)
MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
COUNT = ag.Variable(1, name='count')


class Thing:
    pass


THING = Thing()


def into_a_list_by_another_name(x):
    seen = [SEEN]
    if x[0] > 0:  # here
        seen[0].append(x)
    return x


def into_a_dict(x):
    TABLE['latest'] = deque([x])  # here
    return x


def into_an_object(x):
    THING.latest = deque([x])  # here
    return x


def into_a_global(x):
    global LATEST
    LATEST = deque([x])  # here
    return x


def through_a_helper(x):
    into_a_dict(x)
    return x


def a_float_for_an_integer(x):
    COUNT.assign(1.5)  # here
    return x


def another_shape(x):
    COUNT.assign(np.ones(2, int))  # here
    return x


def a_matrix(x):
    return MATRIX @ x  # here


def a_masked_array(x):
    y = x * 2
    return y + MASKED  # here


def halved(x):
    return x.astype(np.float32) / 2


def another_dtype(x):
    y = ag.py_function(halved, [x], np.float64)  # here
    return y + 1


def another_number_of_results(x):
    y = ag.py_function(halved, [x], [np.float64, np.float64])  # here
    return y[0]


def now_a_text(x):
    return 'text' if len(COUNTS) > 1 else COUNTS.append(1) or x


COUNTS: list = []


def another_type_than_while_tracing(x):
    y = ag.py_function(now_a_text, [x])  # here
    return y + 1


def as_it_is(f):
    return f


@as_it_is
def a_function_with_a_tensor(x):
    def inner():
        return x

    return inner  # here


def a_slice(x):
    end = x.argmax()
    return slice(0, end)  # here


def what_a_branch_chose(x):
    one = Thing()
    one.n = 1.0
    chosen = one if x[0] > 0 else copy.copy(one)
    y = x * 2
    chosen.n = x[1]  # here
    return y + one.n


def a_set_of_unknown_length(x):
    return len(frozenset(x[x > 0]))  # here


class CountingList(list):
    def __init__(self):
        super().__init__()
        self.n = 0

    def push(self, x):
        self.n += 1
        self.append(x)


def a_list_with_an_attribute(x):
    items = CountingList()
    for v in x:
        if v > 0:  # here
            items.push(v)
    return items.n


def set_on_one_way_only(x):
    global SET_LATER
    if x[0] > 0:  # here
        SET_LATER = x[0]
    return x


CASES = [
    (a_list_with_an_attribute, 'A staged block modifies items', '`self.items = list()`'),
    (set_on_one_way_only, "'SET_LATER' is not defined", '`SET_LATER = None`'),
    (into_a_list_by_another_name, 'A staged block modifies a list', 'name that it has outside'),
    (into_a_dict, 'The variable "TABLE[\'latest\']", which lives', 'Return the new value'),
    (into_an_object, "The variable 'Thing.latest', which lives outside", 'Return the new value'),
    (into_a_global, "The variable 'LATEST', which lives outside", 'Return the new value'),
    (through_a_helper, 'The variable "TABLE[\'latest\']", which', 'Return the new value'),
    (a_float_for_an_integer, "'count' is int64; what is assigned is float.", '`int(...)`'),
    (another_shape, 'a variable keeps its shape', 'Assign an array of its shape'),
    (a_matrix, "'MATRIX' is a matrix, which cannot be traced", '`x = np.asarray(x)`'),
    (a_masked_array, "'MASKED' is a MaskedArray", '`x.filled(value)`'),
    (another_dtype, 'halved returns an array of float32[2], where TensorSpec(', 'Declare as Tout'),
    (another_number_of_results, 'where 2 results were declared', 'a list or tuple of 2'),
    (a_set_of_unknown_length, 'an iterable whose length is not known', 'or make a list of them'),
    (a_function_with_a_tensor, 'A function with tensors in it is returned', 'in a list'),
    (a_slice, 'only the running graph knows the bounds', '`return start, stop`'),
    (what_a_branch_chose, 'A Thing is modified that may have another name', 'on each way'),
    (another_type_than_while_tracing, "now_a_text returns 'text', where it gave", 'as Tout'),
]


@pytest.fixture
def _as_before():
    """What the functions change is put back."""
    yield
    assert (SEEN, TABLE, LATEST, vars(THING)) == ([], {}, None, {})
    COUNTS.clear()


@pytest.mark.usefixtures('_as_before')
@pytest.mark.parametrize(('f', 'what', 'way_out'), CASES, ids=lambda x: getattr(x, '__name__', ''))
def test_what_goes_wrong_in_a_function(f, what, way_out):
    graph = ag.function(f)
    for _ in range(2):
        with pytest.raises(ag.errors.AutographError) as caught:
            [graph(x) for _ in range(3)]
        said, place, text, *rest = str(caught.value).splitlines()
        assert what in said
        assert place.startswith(f'  File "{__file__}", line ')
        line = linecache.getline(__file__, int(place.split('line ')[1].split(',')[0]))
        assert '# here' in line
        assert text.strip() == line.strip()
        assert way_out in rest[-1]


@pytest.mark.usefixtures('_as_before')
@pytest.mark.parametrize('f', [case[0] for case in CASES], ids=lambda f: f.__name__)
def test_no_frame_of_the_library_is_shown(f):
    graph = ag.function(f)
    with pytest.raises(ag.errors.AutographError) as caught:
        [graph(x) for _ in range(3)]
    files = {frame.filename for frame in traceback.extract_tb(caught.value.__traceback__)}
    # What raises for the user stands first, in the library.
    assert files <= {__file__, inspect.getfile(ag.Function)}


@pytest.mark.parametrize(
    ('argument', 'name'),
    [(np.eye(2).view(np.matrix), "'a'"), ({'k': [MASKED]}, '"a[\'k\'][0]"')],
    ids=['matrix', 'masked'],
)
def test_an_argument_of_a_class_of_its_own_is_named(argument, name):
    @ag.function
    def f(a, b=1):
        return b

    with pytest.raises(ag.errors.StagingError) as caught:
        f(argument)  # there
    said, place, text, *_ = str(caught.value).splitlines()
    assert f'The argument {name} is a Ma' in said.replace('matrix', 'Matrix')
    assert place.startswith(f'  File "{__file__}", line ')
    assert text.strip() == 'f(argument)  # there'
    assert f.tracing_count == 0


def test_what_is_not_the_functions_to_change_is_shown_where_it_is_changed():
    @ag.function
    def of_the_caller(settings, x):
        y = x
        settings.append(120)
        return y

    with pytest.raises(ag.errors.OwnershipError) as raised:
        of_the_caller(bytearray(), np.float64(1))
    assert '\n    settings.append(120)\n' in str(raised.value)


@pytest.mark.parametrize('f', [
    lambda x: x(3), lambda x: x[0](x), lambda x: x.sum(axis=0)(3), lambda x: len(x[x > 0])(3),
])  # fmt: skip
def test_what_cannot_be_called(f):
    with pytest.raises(TypeError) as expected:
        f(x)
    with pytest.raises(TypeError) as caught:
        ag.function(f)(x)
    assert str(caught.value) == str(expected.value)


def test_a_variable_outside_that_begins_as_none_is_set_on_one_way():
    global SET_LATER
    try:
        for x in (np.ones(2), -np.ones(2)):
            SET_LATER = None
            ag.function(set_on_one_way_only)(x)
            assert x[0] == SET_LATER or (x[0] <= 0 and SET_LATER is None)
    finally:
        del SET_LATER
