"""Members of an `Enum`, functions and classes, or `None`: only the running graph knows which."""
from __future__ import annotations

import enum
import types
from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64
WAYS = [(F(1),), (F(-1),)]
ROWS = [(np.array(xs),) for xs in ([1.0, -3.0, 2.0], [-1.0, -2.0, -3.0])]


class Mode(enum.Enum):
    FAST = 'fast'
    SLOW = 'slow'


class Size(enum.IntEnum):
    NONE = 0
    LARGE = 5


class Tag(str, enum.Enum):
    A = 'a'


class Base:
    rank = 1


class Derived(Base):
    rank = 2


class Point:
    def __init__(self, x):
        self.x = x


def square(x):
    return x * x


def negative(x):
    return -x


def returned(x):
    mode = None
    if x > 0:
        mode = Mode.FAST
    return mode


def returned_within(x):
    mode = Mode.SLOW if x > 0 else None
    return [mode, x], {'mode': mode}, (mode,)


def returned_function(x):
    f = square if x > 0 else None
    return f, Derived if x > 0 else None


def last(xs):
    mode = None
    for x in xs:
        mode = Mode.FAST if x > 0 else None
    return mode, [Mode.SLOW if x > 0 else None for x in xs]


def compared(x):
    mode = other = size = None
    if x > 0:
        mode, size = Mode.FAST, Size.LARGE
    if x > -5:
        other = Mode.FAST
    return mode == other, mode is other, mode != other, other is mode, mode is size, mode == size


def compared_functions(x):
    f = square if x > 0 else None
    g = square if x > -5 else None
    return f is g, f == g


def compared_with_itself(x):
    mode = Mode.FAST if x > 0 else None
    same = mode
    return mode is same, mode == same


def keys(x):
    mode = Mode.FAST if x > 0 else None
    limits = {Mode.FAST: 1, Mode.SLOW: 2, None: 3}
    by_two = {(Mode.FAST, 1): 4, (None, 1): 5}
    return limits[mode], limits.get(mode), {Mode.FAST: 7}.get(mode, 8), by_two[mode, 1]


def keys_of_functions(x):
    f = square if x > 0 else None
    kind = Derived if x > 0 else Base
    return {square: 1, None: 2}[f], {Base: 3, Derived: 4}[kind], {square: 5}.get(f, 6)


def keys_of_texts(x):
    text = 'a' if x > 0 else None
    number = 1 if x > 0 else None
    return {Tag.A: 1, None: 2}[text], {'a': 3}.get(text, 4), {1: 5, None: 6}[number]


def key_set(x):
    counts = {Mode.FAST: 0, None: 0}
    counts[Mode.FAST if x > 0 else None] += 1
    return counts


def key_of_lists(x):
    rows = {Mode.FAST: [], None: []}
    rows[Mode.FAST if x > 0 else None].append(x)
    return rows


def key_not_there(x):
    return {Mode.FAST: 1}[Mode.FAST if x > 0 else None]


def function_not_there(x):
    return {square: 1}[square if x > 0 else negative]


def text_not_there(x):
    return {'a': 1}['a' if x > 0 else None]


def part_not_there(x):
    return {(Mode.FAST, 1): 1}[Mode.FAST if x > 0 else None, 1]


def handled(x):
    mode = Mode.FAST if x > 0 else None
    try:
        return mode.value
    except AttributeError as error:
        return str(error)


def of_the_class(x):
    mode = Mode.FAST if x > 0 else None
    f = square if x > 0 else None
    try:
        name = f.__name__
    except AttributeError:
        name = ''
    return mode.__class__ is Mode, name


def of_functions(x):
    f = square if x > 0 else negative
    return (
        f.__name__, f.__qualname__, f.__module__, f.__doc__, f.__class__ is types.FunctionType,
        type(f) is types.FunctionType, isinstance(f, types.FunctionType), isinstance(f, int))


def of_classes(x):
    kind = Derived if x > 0 else Base
    return isinstance(Base(), kind), issubclass(kind, Derived), isinstance(kind, type)


def of_optional_class(x):
    return issubclass(Derived if x > 0 else None, Base)


def of_optional_object(x):
    point = Point(x) if x > 0 else None
    return isinstance(point, Point), isinstance(point, int), type(point) is Point


def numbers(x):
    size = Size.LARGE if x > 0 else None
    return size + 1, 2 * size, -size, size < 6, int(size), size * x


def numbers_where_there(x):
    size = Size.LARGE if x > 0 else None
    if size is None:
        return 0, 0, F(0), 0, 0
    return size + 1, divmod(size, 2)[1], np.sqrt(size), round(size), [3, 4, 5, 6, 7, 8][size]


def index(x):
    size = Size.LARGE if x > 0 else None
    return [3, 4, 5, 6, 7, 8][size]


def index_of_some(x):
    size = Size.NONE if x > 0 else None
    return [3, 4][size]


def texts(x):
    tag = Tag.A if x > 0 else None
    return tag + 'z'


PROGRAMS = [
    returned, returned_within, returned_function, compared, compared_functions,
    compared_with_itself, keys, keys_of_functions, keys_of_texts, key_set, key_of_lists,
    key_not_there, function_not_there, text_not_there, part_not_there, handled, of_the_class,
    of_functions, of_classes, of_optional_class, of_optional_object, numbers, numbers_where_there,
    index, index_of_some, texts,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS)
def test_what_may_be_none_is_as_in_python(f):
    check(f, *WAYS)


def test_a_loop_chooses_what_may_be_none():
    check(last, *ROWS)


@pytest.mark.parametrize('f', [key_not_there, part_not_there, text_not_there])
def test_the_key_that_is_not_there_is_told(f):
    with pytest.raises(KeyError) as known:
        f(F(-1))
    with pytest.raises(KeyError) as found:
        ag.function(f)(F(-1))
    assert found.value.args[0] == known.value.args[0]


def test_an_object_is_told_from_one_that_may_be_none():
    def f(x):
        point = Point(x)
        best = point if x > 0 else None
        return best is point

    check(f, (F(1),), (F(-1),))


@pytest.mark.parametrize('use', [hash, np.sqrt, round])
def test_what_needs_a_member_says_to_ask_first(use):
    def f(x):
        size = Size.LARGE if x > 0 else None
        return use(size)

    with pytest.raises(ag.errors.StagingError, match='What may be None'):
        ag.function(f)(F(1))


@dataclass
class Settings:
    mode: object = None
    step: object = None


def in_containers(x):
    settings, modes, held = {'mode': None}, [None, 1], Settings()
    if x > 0:
        settings['mode'] = modes[0] = held.mode = Mode.FAST
        held.step = square
    return settings, modes, held.mode, held.step


def on_each_way(x):
    settings = {'mode': Mode.SLOW, 'step': square, 'other': None}
    if x > 0:
        settings['mode'] = None
        settings['other'] = Mode.FAST
    else:
        settings['mode'] = Mode.FAST
        settings['step'] = negative
        settings['other'] = Mode.SLOW
    return settings


def in_displays(x):
    return {'mode': Mode.FAST} if x > 0 else {'mode': None}, [square] if x > 0 else [negative]


def in_a_loop(xs):
    held = Settings()
    for x in xs:
        if x > 1:
            held.mode, held.step = Mode.FAST, square
        elif x < -2:
            held.mode = held.step = None
        else:
            held.step = negative
    return held.mode, held.step


def given(x, settings):
    if x > 0:
        settings['mode'] = Mode.FAST
    return settings['mode']


@pytest.mark.parametrize('f', [in_containers, on_each_way, in_displays])
def test_containers_hold_what_may_be_none(f):
    check(f, *WAYS)


def test_a_loop_puts_what_may_be_none_into_a_dataclass():
    check(in_a_loop, *ROWS)


def test_what_may_be_none_is_put_into_a_given_dict():
    for x in (1, -1):
        mine, its = {'mode': None}, {'mode': None}
        assert given(F(x), mine) is ag.function(given)(F(x), its)
        assert mine == its


def chained(x):
    mode = Mode.FAST if x > 0 else None
    f = square if x > 0 else None
    return mode and mode.value, f and f(x), (mode or Mode.SLOW).value


def in_texts(x):
    text = 'ab' if x > 0 else None
    number = 2 if x > 0 else None
    return '%s' % text, '%s, %r' % (number, text)  # noqa: UP031


def in_a_number(x):
    return '%d' % (2 if x > 0 else None)  # noqa: UP031


def joined(x):
    return '-'.join(['a', 'b' if x > 0 else None])


@pytest.mark.parametrize('f', [chained, in_texts, in_a_number, joined])
def test_what_may_be_none_in_texts_and_conditions(f):
    check(f, *WAYS)
