"""Members of an `Enum` that branches and loops choose."""
from __future__ import annotations

import enum

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


def test_what_a_member_does_not_do():
    def named(x):
        state = State.RISING if x > 0 else State.IDLE
        return state.value

    with pytest.raises(ag.errors.StagingError, match='does not support `value`'):
        ag.function(named)(F(1))

    def looked_up(x):
        state = State.RISING if x > 0 else State.IDLE
        return {State.RISING: x}[state]

    with pytest.raises((ag.errors.StagingError, TypeError)):
        ag.function(looked_up)(F(1))
