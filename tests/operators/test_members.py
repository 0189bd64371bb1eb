"""Members of an `Enum` that branches and loops choose."""
from __future__ import annotations

import enum
import math
from dataclasses import dataclass

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


class State(enum.Enum):
    IDLE = 'idle'
    RISING = 'rising'
    FALLING = 'falling'


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def chosen(x):
    if x > 0:
        state = State.RISING
    else:
        state = State.IDLE
    return state, (state, x)


def asked(x):
    state = State.RISING if x > 0 else State.IDLE
    other = State.IDLE if x > 2 else State.RISING
    same = state is other, state == other, state != State.IDLE, state is not State.RISING
    if state is State.RISING:
        x = x * 2
    y = x if state is not State.IDLE and x > 1 else -x
    return *same, x, y, State.IDLE is State.IDLE, x if state else 0 * x, state is None


def machine(xs):
    state, count = State.IDLE, 0
    for x in xs:
        if state is State.IDLE:
            if x > 0:
                state = State.RISING
        elif state == State.RISING:
            count += 1
            if x < 0:
                state = State.FALLING
        else:
            state = State.IDLE
    return state, count


def matched(xs):
    state = Level.LOW
    total = 0.0
    for x in xs:
        match state:
            case Level.LOW:
                total += x
            case Level.HIGH:
                total -= x
        state = Level.HIGH if total > 1 else Level.LOW
    return total


def perhaps(xs):
    last = None
    for x in xs:
        if x > 0:
            last = State.RISING
        elif x < -1:
            last = State.FALLING
    return last


def early(x):
    if x > 1:
        return State.RISING
    x = x + 1
    if x > 1:
        return State.FALLING
    return State.IDLE


@pytest.mark.parametrize('f', [chosen, asked, early])
def test_members(f):
    check(f, *[(F(x),) for x in (-1.0, 0.5, 1.5, 3.0)])


@pytest.mark.parametrize('f', [machine, matched, perhaps])
def test_members_in_loops(f):
    check(f, *[(np.array(xs),) for xs in ([1.0, -2.0, 3.0], [-0.5, 0.0, 0.1], [-2.0, 2.0, -2.0])])


TABLE = {State.RISING: 1.0, State.FALLING: 2.0}
NEXT = {State.IDLE: State.RISING, State.RISING: State.FALLING, State.FALLING: State.IDLE}
STEPS = {
    State.IDLE: lambda x: x + 1, State.RISING: lambda x: x * 2, State.FALLING: lambda x: -x,
}  # fmt: skip


class Operator(enum.Enum):
    ADD = '+'
    MULTIPLY = '*'

    @property
    def shown(self):
        return f'<{self.value}>'

    def apply(self, a, b):
        return a + b if self is Operator.ADD else a * b

    @classmethod
    def first(cls):
        return cls.ADD


class Size(enum.IntEnum):
    SMALL = 1
    LARGE = 5


def what_it_has(x):
    op = Operator.ADD if x > 0 else Operator.MULTIPLY
    return op.value, op.name, op.shown, op.apply(x, 3.0), op.first(), f'{op} {op!r}', str(op)


def what_it_is(x):
    op = Operator.ADD if x > 0 else Operator.MULTIPLY
    return (
        isinstance(op, Operator), type(op) is Operator, op in Operator, op in (Operator.ADD,),
        op not in {Operator.ADD}, op == Operator.ADD, op is not Operator.ADD,
    )  # fmt: skip


def a_number(x):
    size = Size.SMALL if x > 0 else Size.LARGE
    return (
        size + 1, 2 * size, 7 - size, -size, size < 3, size == 5, size != 1, size // 2, size**2,
        bool(size), size >= Size.LARGE,
    )  # fmt: skip


def looked_up(x):
    state = State.RISING if x > 0 else State.FALLING
    if x > 1:
        state = NEXT[state]
    return TABLE[state] if state in TABLE else 0.0


def without_the_key(x):
    state = State.RISING if x > 0 else State.IDLE
    return TABLE[state]


def dispatched(x):
    state = State.IDLE if x > 0 else State.FALLING
    return STEPS[state](x)


@dataclass
class Machine:
    state: State = State.IDLE
    turns: int = 0

    def step(self, x):
        if self.state is State.IDLE:
            if x > 0:
                self.state = State.RISING
        elif x < 0:
            self.state = State.FALLING
        self.turns += 1


def in_a_dataclass(xs):
    machine = Machine()
    for x in xs:
        machine.step(x)
    return machine, machine.state.value


def in_a_dict(xs):
    held = {'state': State.IDLE}
    for x in xs:
        if x > 0:
            held['state'] = State.RISING
    return held


@pytest.mark.parametrize('f', [what_it_has, what_it_is, a_number, looked_up, without_the_key])
def test_members_are_used(f):
    check(f, *[(F(x),) for x in (-1.0, 0.5, 1.5)], joins=True)


def test_members_that_choose_a_function():
    check(dispatched, (F(1),), (F(-1),))


@pytest.mark.parametrize('f', [in_a_dataclass, in_a_dict])
def test_members_in_containers(f):
    check(f, *[(np.array(xs),) for xs in ([1.0, -2.0, 3.0], [-0.5, 0.0, 0.1], [-2.0, 2.0, -2.0])])


def test_a_member_is_a_key_to_set():
    def counted(x):
        counts = {State.IDLE: 0, State.RISING: 0}
        counts[State.RISING if x > 0 else State.IDLE] += 1
        return counts

    check(counted, (F(1),), (F(-1),))


def test_a_member_is_no_new_key():
    def counted(x):
        counts = {}
        counts[State.RISING if x > 0 else State.IDLE] = 1
        return counts

    with pytest.raises(ag.errors.StagingError, match='Give the dict all its keys before'):
        ag.function(counted)(F(1))


def test_members_without_an_order_are_not_sorted():
    def of_two(x):
        states = (State.IDLE, State.RISING) if x > 0 else (State.RISING, State.IDLE)
        return sorted(states)

    def less(x):
        state = State.IDLE if x > 0 else State.RISING
        return state < (State.RISING if x > 0 else State.IDLE)

    for f in (of_two, less):
        with pytest.raises(TypeError, match='not supported between instances'):
            ag.function(f)(F(1))


def test_members_are_sorted_by_their_numbers():
    class Rank(enum.IntEnum):
        LAST = 9
        FIRST = 1
        MIDDLE = 5

    def of_two(x):
        rank = Rank.LAST if x > 0 else Rank.FIRST
        return sorted([rank, Rank.MIDDLE]), max(rank, Rank.MIDDLE)

    def of_many(xs):
        return sorted([Rank.LAST if x > 0 else Rank.MIDDLE for x in xs])

    check(of_two, (F(1),), (F(-1),))
    check(of_many, (np.array([1.0, -1.0, 2.0]),))


def test_what_members_have_of_their_class():
    def f(x):
        state = State.RISING if x > 0 else State.IDLE
        return state.__class__ is State, state.__doc__, state.__module__, callable(state)

    check(f, (F(1),), (F(-1),))


def test_a_text_is_compared_with_a_member_that_is_one():
    def f(x):
        text = '1' if x > 0 else '-'
        found = 0
        match text:
            case Digit.ONE:
                found = 1
            case Digit.NONE:
                found = 2
        return found, text == Digit.ONE, Digit.NONE != text, text in (Digit.ONE,)

    check(f, (F(1),), (F(-1),))


class Digit(str, enum.Enum):
    ONE = '1'
    NONE = '-'


def test_a_member_that_is_a_number_is_made_one():
    def f(xs):
        size = Size.LARGE
        for x in xs:
            size = Size.SMALL if x > 0 else Size.LARGE
        return int(size), float(size), complex(size), int(size) + 1

    def parsed(x):
        digit = Digit.ONE if x > 0 else Digit.NONE
        try:
            return int(digit)
        except ValueError:
            return -1

    check(f, *((np.array(xs),) for xs in ([1.0, -2.0], [-1.0, 2.0])))
    check(f, (np.zeros(0),))
    with pytest.raises(ag.errors.StagingError, match='A member of an Enum'):
        ag.function(parsed)(F(1))


def test_a_member_that_is_a_number_does_what_numbers_do():
    def f(x):
        size = Size.LARGE if x > 0 else Size.SMALL
        return (
            round(size), round(size, 1), abs(size), divmod(size, 2), divmod(7, size),
            pow(size, 2, 3), hex(size), bin(size), chr(size), np.sqrt(size), np.float64(size),
            math.sqrt(size), math.floor(size), math.gcd(size, 10), np.zeros((size, 2)),
            np.array([size, 1]), '%d%%' % size, x + size)  # noqa: UP031

    check(f, (F(1),), (F(-1),))


def test_a_member_that_is_a_text_does_what_texts_do():
    def f(x):
        digit = Digit.ONE if x > 0 else Digit.NONE
        return 'a' + digit, digit + 'a', digit[0], ','.join([digit, 'b']), ord(digit)

    check(f, (F(1),), (F(-1),))


@pytest.mark.parametrize('f', [lambda state: -state, lambda state: state + 1])
def test_a_member_that_is_no_number(f):
    check(lambda x: f(State.IDLE if x > 0 else State.RISING), (F(1),))


class Access(enum.IntFlag):
    READ = 1
    WRITE = 2


def test_members_that_only_the_graph_knows_and_that_are_refused():
    def counted(x):
        return list(range(Size.LARGE if x > 0 else Size.SMALL))

    def combined(x):
        return Access.READ if x > 0 else Access.WRITE

    with pytest.raises(ag.errors.StagingError, match=r'Make a number of it: `int\(state\)`'):
        ag.function(counted)(F(1))
    with pytest.raises(ag.errors.StagingError, match=r'Keep the number of the Access, `\.value`'):
        ag.function(combined)(F(1))


class Ratio(float, enum.Enum):
    HALF = 0.5
    TWICE = 2.0


class Rate(float):
    pass


SINGLE = np.ones(2, np.float32)


def beside_numpys_numbers(x):
    n, r = (Level.LOW, Ratio.HALF) if x > 0 else (Level.HIGH, Ratio.TWICE)
    y, small = np.float32(x), np.int8(3) if x > 0 else np.int8(4)
    return (
        np.float64(2) + n, n + np.float64(2), np.float32(2) * n, n / np.float32(2), np.int8(2) ** n,
        np.float64(2) > n, n < np.float64(2), y * n, n * y, small - n, n != y, n == small,
        np.float32(2) * r, np.float64(2) * r, r * np.float64(2), r * y, y < r)


def beside_arrays(x):
    n = Level.LOW if x > 0 else Level.HIGH
    y = SINGLE * np.float32(x)
    return (
        SINGLE + n, n * SINGLE, y * n, n - y, np.maximum(y, n), np.where(y > 0, y, n),
        np.clip(y, 0, n), np.array(n), n == y, n != SINGLE)


def known_while_tracing(x):
    y = SINGLE * np.float32(x)
    return (
        y * Level.HIGH, Level.HIGH - y, np.add(y, Level.LOW), np.where(y > 0, y, Level.LOW),
        np.float32(x) * Level.LOW, int(x) * Level.HIGH, Rate(2.5) * x, x * Rate(2.5),
        Rate(2.5) < x, Rate(2.5) * np.float32(x), Rate(2.5) * float(x))


def beside_pythons_numbers(x):
    n, k = Level.LOW if x > 0 else Level.HIGH, float(x)
    return k == n, n == k, k != n, k in [n], (k, n) == (1.0, Level.LOW), k * n, n * int(x)


def is_the_text_that_is_equal(x):
    mode = Mode.FAST if x > 0 else Mode.SLOW
    s = 'fast' if x > -5 else 'slow'
    return mode == s, s == mode, s != mode, s == x, x != s


class Mode(str, enum.Enum):
    FAST = 'fast'
    SLOW = 'slow'


@pytest.mark.parametrize('f', [
    beside_numpys_numbers, beside_arrays, known_while_tracing, beside_pythons_numbers,
    is_the_text_that_is_equal])
def test_the_number_or_text_that_a_member_is(f):
    check(f, (F(1),), (F(-1),))


def test_what_numpy_makes_no_number_of():
    @ag.function
    def f(x):
        return (State.IDLE if x > 0 else State.RISING) == x

    with pytest.raises(ag.errors.StagingError, match='Ask which one it is'):
        f(F(1))


class Order(enum.Enum):
    FIRST = 1
    SECOND = 2
    ALSO_FIRST = 1


class Lenient(enum.Enum):
    LOW = 1
    HIGH = 2

    @classmethod
    def _missing_(cls, value):
        return cls.HIGH if value > 2 else None


class Pair(enum.Enum):
    ONE = 1, 2
    TWO = 3, 4


def by_value(x):
    return Order(int(x > 0) + 1), State('idle' if x > 0 else 'falling'), Order(1 if x > 0 else 2)


def by_name(x):
    return Order['ALSO_FIRST' if x > 0 else 'SECOND'], State['IDLE' if x > 0 else 'RISING'].value


def by_a_value_that_none_has(x):
    return Order(int(x))


def by_a_name_that_none_has(x):
    return Order['FIRST' if x > 0 else 'THIRD']


def by_another_value(x):
    try:
        return Order(int(x))
    except ValueError:
        return Order.SECOND


def by_what_the_class_says(x):
    return Lenient(int(x) + 3), Lenient(int(x > 0) + 1)


def by_what_the_class_does_not_say(x):
    return Lenient(int(x))


def by_parts(x):
    return Pair((1, 2) if x > 0 else (3, 4))


def by_itself(x):
    order = Order.FIRST if x > 0 else None
    return Order(order)


def by_none(x):
    return Order(1 if x > 0 else None)


LOOKED_UP = [
    by_value, by_name, by_a_value_that_none_has, by_a_name_that_none_has, by_another_value,
    by_what_the_class_says, by_what_the_class_does_not_say, by_parts, by_itself, by_none,
]  # fmt: skip


@pytest.mark.parametrize('f', LOOKED_UP)
def test_members_are_looked_up(f):
    check(f, (F(1),), (F(-1),))


def test_members_are_looked_up_in_a_loop():
    def f(xs):
        order = Order.FIRST
        for x in xs:
            if x > 0:
                order = Order(3 - order.value)
        return order

    check(f, (np.array([1.0, -1.0, 2.0]),), (np.array([1.0, -1.0, -2.0]),))


def test_a_value_that_none_has_is_told():
    with pytest.raises(ValueError, match='-1 is not a valid Order'):
        ag.function(by_a_value_that_none_has)(F(-1))
