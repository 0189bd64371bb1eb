"""What calls leave outside: globals, closures, arguments, dicts and arrays of the module."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from programs.rows import A, F, I, program

CALLS = 0
TOTAL = F(0.0)
HISTORY = []
ARRAY = A(1.0, 2.0, 3.0)
MATRIX = np.eye(3)
CONFIG = {'rate': 0.5, 'steps': 3}
STATS = {'n': 0, 'sum': F(0.0), 'largest': None}
CACHE = {}
MODE = 'start'
BEST = None
PAIR = (F(0.0), 0)
NESTED = {'a': {'x': F(1.0)}, 'b': [F(1.0), F(2.0)]}
FLAG = False


@program(F(1.0), F(2.0), F(3.0))
def count_calls(x):
    global CALLS
    CALLS += 1
    return x * CALLS


@program(F(1.0), F(-2.0), F(3.0))
def count_in_a_branch(x):
    global CALLS
    if x > 0:
        CALLS += 1
    return x


@program(F(1.0), F(-2.0), F(3.0))
def global_total(x):
    global TOTAL
    TOTAL = TOTAL + x
    return TOTAL


@program((F(1.0), I(3)), (F(-2.0), I(0)), (F(3.0), I(2)))
def global_in_a_loop(x, n):
    global TOTAL
    for i in range(n):
        TOTAL += x * i
    return TOTAL


@program(F(1.0), F(-2.0),
    fails='an outer list that is appended to has the length it had while tracing')
def history(x):
    HISTORY.append(x * 2)
    return len(HISTORY)


@program(F(1.0), F(-2.0), F(5.0))
def history_in_a_branch(x):
    if x > 0:
        HISTORY.append(x)
    return x


@program(A(1.0, 2.0), A(-1.0, 3.0), A(0.0, 0.0),
    fails='an outer list that is appended to has the length it had while tracing')
def history_in_a_loop(xs):
    for x in xs:
        if x > 0:
            HISTORY.append(x)
    return len(HISTORY)


@program(F(1.0), F(-2.0), F(5.0),
    fails='an outer list that is appended to has the length it had while tracing')
def history_read_back(x):
    HISTORY.append(x)
    return sum(HISTORY), HISTORY[-1]


@program(F(1.0), F(-2.0))
def array_outside_in_place(x):
    ARRAY[0] += x
    ARRAY[1:] *= 2
    return ARRAY.sum()


@program(F(1.0), F(-2.0), F(4.0))
def array_outside_in_a_branch(x):
    if x > 0:
        ARRAY[1] = x
    return ARRAY[1] * 2


@program(F(1.0), F(-2.0))
def matrix_outside_in_a_loop(x):
    for i in range(3):
        MATRIX[i, i] += x
    return np.trace(MATRIX)


@program(F(1.0), F(-2.0))
def array_outside_replaced(x):
    global ARRAY
    ARRAY = ARRAY * x
    return ARRAY


@program(F(1.0), F(4.0))
def array_outside_read(x):
    return ARRAY @ ARRAY * x


@program((A(1.0, 2.0), F(3.0)), (A(0.0, -1.0), F(-3.0)))
def argument_in_place(v, x):
    v -= v.mean()
    if x > 0:
        v[0] = x
    return v.sum()


@program((A(1.0, 2.0, 5.0), I(2)), (A(0.0, -1.0, 1.0), I(0)))
def argument_in_place_in_a_loop(v, n):
    for i in range(n):
        v[i] = v[i + 1] - v[i]


def shift(v, x):
    v += x
    return v


@program((A(1.0, 2.0), F(3.0)), (A(0.0, -1.0), F(-3.0)))
def argument_in_place_in_a_helper(v, x):
    w = shift(v, x)
    return w * 2


@program((A(1.0, 2.0), A(3.0, 4.0)), (A(0.0, -1.0), A(1.0, 1.0)))
def two_arguments_in_place(v, w):
    v[:], w[:] = w.copy(), v.copy()


@program((A(1.0, 2.0, 3.0, 4.0),), (A(0.0, -1.0, 1.0, 0.0),))
def a_view_of_an_argument(v):
    half = v[::2]
    half *= 10
    return half.sum()


@program((A(3.0, 1.0, 2.0),), (A(0.0, -1.0, 1.0),))
def sorted_in_place(v):
    v.sort()
    return v[0]


@program((A(3.0, 1.0), A(0.0, 0.0)), (A(0.0, -1.0), A(5.0, 5.0)))
def out_argument(v, out):
    np.multiply(v, 2, out=out)
    np.add(out, 1, out=out)
    return out[0]


@program((A(3.0, 1.0), F(1.0)), (A(0.0, -1.0), F(0.0)))
def fill_and_copyto(v, x):
    if x > 0:
        v.fill(x)
    else:
        np.copyto(v, [1.0, 2.0])
    return v.max()


@program(F(1.0), F(-2.0), F(3.0))
def dict_outside(x):
    STATS['n'] += 1
    STATS['sum'] += x
    return STATS['sum'] / STATS['n']


@program(F(1.0), F(-2.0), F(3.0), traces=None)
def dict_with_an_optional_value(x):
    if STATS['largest'] is None or x > STATS['largest']:
        STATS['largest'] = x
    return STATS['largest']


@program(F(1.0), F(-2.0))
def nested_dict_outside(x):
    NESTED['a']['x'] *= x
    if x > 0:
        NESTED['b'][0] = x
    return NESTED['a']['x'] + NESTED['b'][0]


@program(F(1.0), F(-2.0))
def config_read(x):
    for _ in range(CONFIG['steps']):
        x = x * CONFIG['rate']
    return x


@program(F(1.0), F(-2.0), F(7.0), traces=None)
def mode_outside(x):
    global MODE
    if MODE == 'start':
        MODE = 'running'
        return x
    if x > 5:
        MODE = 'done'
    return -x


@program(F(1.0), F(-2.0), F(7.0), traces=None)
def best_outside(x):
    global BEST
    if BEST is None or x > BEST:
        BEST = x
    return BEST


@program(F(1.0), F(-2.0))
def tuple_outside(x):
    global PAIR
    PAIR = (PAIR[0] + x, PAIR[1] + 1)
    return PAIR[0]


@program(F(1.0), F(-2.0), F(3.0))
def flag_outside(x):
    global FLAG
    FLAG = x > 0
    return 1 if FLAG else 0


@program(F(1.0), F(-2.0), F(3.0), traces=2)
def toggled_flag(x):
    global FLAG
    if x > 0:
        FLAG = not FLAG
    return FLAG


@program(('a', F(1.0)), ('b', F(2.0)), ('a', F(3.0)), traces=None)
def a_dict_entry_added(key, x):
    if key not in CACHE:
        CACHE[key] = x
    return CACHE[key]


def counter():
    n = 0

    def tick(x):
        nonlocal n
        n += 1
        return x * n

    return tick


TICK = counter()


@program(F(1.0), F(2.0), F(3.0))
def closure_outside(x):
    return TICK(x)


@program(F(1.0), F(-2.0), F(3.0))
def closure_outside_in_a_branch(x):
    if x > 0:
        return TICK(x)
    return x


@program(F(1.0), F(-2.0))
def closure_inside(x):
    tick = counter()
    y = tick(x) + tick(x)
    if y > 0:
        y = tick(y)
    return y


def averager():
    total, n = 0.0, 0

    def add(x):
        nonlocal total, n
        total += x
        n += 1
        return total / n

    return add


@program(A(1.0, 5.0, 3.0), A(0.0, 0.0, 0.0))
def nonlocal_in_a_loop(xs):
    add = averager()
    mean = 0.0
    for x in xs:
        mean = add(x)
    return mean


@program(F(1.0), F(-3.0))
def nonlocal_of_the_function(x):
    best = x

    def consider(y):
        nonlocal best
        if y > best:
            best = y

    consider(x * x)
    consider(F(2.0))
    return best


@program(A(1.0, 5.0, 3.0), A(0.0, -1.0, 0.0))
def nonlocal_list(xs):
    found = []

    def note(i, x):
        if x > 0:
            found.append(i)

    for i, x in enumerate(xs):
        note(i, x)
    return len(found)


def default_list(x, out=[]):  # noqa: B006
    out.append(x)
    return len(out)


@program(F(1.0), F(2.0), fails='refused without a line')
def a_mutable_default(x):
    return default_list(x)


@dataclass
class State:
    x: float
    n: int = 0
    v: np.ndarray = None


STATE, SHARED = State(F(1.0)), State(F(2.0), 0, A(1.0, 2.0))
BOTH = [SHARED, SHARED]


@program(F(1.0), F(-2.0))
def one_object_in_two_places(x):
    BOTH[0].x += x
    return BOTH[1].x


@program((STATE, STATE, F(1.0)), (STATE, STATE, F(-1.0)),
    fails='one object given twice becomes two')
def one_object_as_two_arguments(a, b, x):
    a.x = a.x + x
    return b.x


@program(F(1.0), F(-2.0), F(0.5), fails='traces again for a number that it reads and writes')
def an_attribute_replaced_by_an_array(x):
    SHARED.v = SHARED.v * x
    SHARED.v[0] = x
    return SHARED.v


@program((STATE, F(1.0)), (STATE, F(-1.0)), (STATE, F(2.0)),
    fails='traces again for a number that it reads and writes')
def branches_and_loops_over_state(state, x):
    for i in range(3):
        if x > 0:
            state.x = state.x + i
        else:
            state.n += 1
    while state.x > 4:
        state.x = state.x / 2
        state.n += 10
    return state.x


@program((STATE, F(1.0)), (STATE, F(-1.0)),
    fails='traces again for a number that it reads and writes')
def an_early_return_after_a_change(state, x):
    state.n += 1
    if x < 0:
        state.x = x
        return state.n
    state.x = F(0.0)
    return -state.n


@program((STATE, F(1.0)), (STATE, F(3.0)),
    fails='traces again for a number that it reads and writes')
def a_finally_that_changes(state, x):
    try:
        if x > 2:
            return x
        state.x = x
    finally:
        state.n += 1
    return state.x


@program((STATE, A(1.0, 2.0)), (STATE, A(0.0, 9.0)))
def break_after_a_change(state, xs):
    for x in xs:
        state.x = x
        if x > 0:
            break
        state.n += 1
    return state.n


def change_all(states, x):
    for s in states:
        s.x = s.x * x
        if s.x > 1:
            s.n += 1


@program(F(1.0), F(2.0), fails='traces again for a number that it reads and writes')
def objects_in_a_list(x):
    change_all([STATE, SHARED], x)
    return STATE.x + SHARED.x


@program(F(1.0), F(2.0), fails='traces again for a number that it reads and writes')
def swap_of_attributes(x):
    STATE.x, SHARED.x = SHARED.x * x, STATE.x
    return STATE.x


@program(F(1.0), F(-2.0))
def conditional_expression_with_effects(x):
    def bump(y):
        STATE.n += 1
        return y

    return bump(x) if x > 0 else -x


@program(F(1.0), F(-2.0))
def operands_with_effects(x):
    def bump(y):
        STATE.n += 1
        return y > 0

    return bool(x > 0 and bump(x - 2))


@program(I(0), I(2))
def item_of_an_outer_list(i):
    values = NESTED['b']
    values[0] = values[0] + i
    return values[0] * values[1]
