"""Python values as state: None, strings, enums, booleans, numbers, dicts, text and formats."""
from __future__ import annotations

import enum
import math
from collections import namedtuple

import numpy as np
from programs.rows import A, F, I, program

XS = A(1.0, -2.0, 3.0, -4.0)


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


@program(XS, -XS)
def best_so_far(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


@program(np.abs(XS), -np.abs(XS))
def found_or_none(xs):
    found = None
    for i, x in enumerate(xs):
        if x < 0:
            found = i
            break
    return found


@program(XS, -XS)
def optional_pair(xs):
    pair = None
    for x in xs:
        if pair is None:
            pair = (x, x)
        elif x < pair[0]:
            pair = (x, pair[1])
        elif x > pair[1]:
            pair = (pair[0], x)
    return pair


@program(F(1.0), F(-1.0))
def none_by_a_condition(x):
    y = x if x > 0 else None
    if y is None:
        return F(0.0)
    return y + 1


@program(F(1.0), F(-1.0))
def returned_none(x):
    if x > 0:
        return x
    return None


@program(F(1.0), F(-1.0))
def no_return(x):
    if x > 0:
        return x


@program((F(1.0), None), (F(1.0), F(2.0)), traces=2)
def optional_argument(x, y=None):
    if y is None:
        y = x * 2
    return x + y


@program(F(7.0), F(0.5))
def string_state(x):
    state = 'low'
    if x > 5:
        state = 'high'
    n = 0
    while state == 'high':
        x = x / 2
        n += 1
        if x < 1:
            state = 'low'
    return state, n


@program(XS, np.abs(XS))
def state_machine(xs):
    state, count = 'idle', 0
    for x in xs:
        if state == 'idle':
            if x > 0:
                state = 'run'
        elif state == 'run':
            count += 1
            if x < 0:
                state = 'stop'
        else:
            state = 'idle'
    return state, count


@program(F(7.0), F(0.5), fails='an Enum member as state')
def enum_state(x):
    mode = Mode.SLOW
    if x > 5:
        mode = Mode.FAST
    if mode is Mode.FAST:
        x = x * 2
    return x, mode


@program(XS, -XS, fails='an Enum member as state')
def enum_in_a_loop(xs):
    mode, switches = Mode.SLOW, 0
    for x in xs:
        new = Mode.FAST if x > 0 else Mode.SLOW
        if new != mode:
            switches += 1
        mode = new
    return mode, switches


@program(F(7.0), F(0.5), fails='an Enum member as state')
def int_enum(x):
    level = Level.HIGH if x > 5 else Level.LOW
    return level + 1


@program(XS, -XS)
def booleans_as_state(xs):
    seen_negative, done = False, False
    n = 0
    for x in xs:
        if done:
            continue
        if x < 0:
            seen_negative = True
        if seen_negative and x > 0:
            done = True
        n += 1
    return seen_negative, done, n


@program((F(2.0), I(3)), (F(-1.0), I(0)))
def python_counters(x, n):
    count, half, flag = 0, 0.5, True
    for i in range(n):
        count += i
        half *= 2
        flag = not flag
    return count, half, flag, x * count


@program(F(2.5), F(-2.5))
def conversions(x):
    return int(x), float(x), bool(x), round(x, 1), math.floor(x), math.ceil(x), x.item(), str(x)


@program(F(2.5), F(0.5))
def math_functions(x):
    return (
        math.sqrt(x), math.exp(x), math.log(x), math.sin(x), math.atan2(x, 2), math.hypot(x, 1),
        math.pi * x, math.isclose(x, 2.5), math.copysign(1, x), math.fmod(x, 2))


@program(I(10**18), I(3))
def python_integers_do_not_overflow(n):
    total = 1
    for _ in range(3):
        total *= int(n)
    return total > 0


@program(F(2.0), F(-3.0))
def f_strings(x):
    return f'{x:.2f} and {x > 0}'


@program((F(2.0), 'a'), (F(-3.0), 'b'), traces=2)
def text_of_arguments(x, name):
    label = name.upper() + '!'
    if x > 0:
        label += '+'
    else:
        label += '-'
    return label


@program(I(3), I(0), I(15))
def fizz_buzz(n):
    if n % 15 == 0:
        return 'FizzBuzz'
    if n % 3 == 0:
        return 'Fizz'
    if n % 5 == 0:
        return 'Buzz'
    return str(n)


@program(F(95.0), F(85.0), F(10.0))
def grades(score):
    for limit, grade in ((90, 'A'), (80, 'B'), (70, 'C')):
        if score >= limit:
            return grade
    return 'F'


@program(('hello', F(1.0)), ('abc', F(2.0)), traces=2)
def loops_over_text(word, x):
    vowels = 0
    for c in word:
        if c in 'aeiou':
            vowels += 1
    return vowels * x


@program((('b', 'a', 'b'), F(1.0)))
def word_counts(words, x):
    counts = {}
    for w in words:
        counts[w] = counts.get(w, 0) + x
    return counts, sorted(counts), max(counts, key=counts.get)


@program(F(2.0), F(-3.0))
def a_dict_of_numbers(x):
    d = {'a': x, 'b': x * 2}
    d['c'] = d['a'] + d['b']
    if x > 0:
        d['a'] = F(0.0)
    d.update(b=x)
    return d, d.pop('c'), 'z' in d, len(d)


@program(XS, -XS)
def dict_state_in_a_loop(xs):
    stats = {'n': 0, 'sum': 0.0, 'max': -np.inf}
    for x in xs:
        stats['n'] += 1
        stats['sum'] += x
        if x > stats['max']:
            stats['max'] = x
    return stats


@program((F(1.0), F(2.0)), (F(-1.0), F(0.0)))
def dict_rebound_in_a_branch(x, y):
    d = {'x': x, 'y': y}
    if x > 0:
        d = {'x': y, 'y': x}
    return d['x'] - d['y']


@program((F(1.0), I(3)), (F(-1.0), I(0)))
def nested_containers_in_a_loop(x, n):
    state = {'p': (x, [x, x * 2]), 'q': {'r': x}}
    for i in range(n):
        a, (b, c) = state['p'][0], state['p'][1]
        state = {'p': (a + 1, [c, b]), 'q': {'r': state['q']['r'] * i}}
    return state


@program(({'a': F(1.0), 'b': F(2.0)},), ({'a': F(-1.0), 'b': F(0.0)},))
def dict_arguments(d):
    total = F(0.0)
    for key, value in d.items():
        if value > 0:
            total += value
        else:
            total -= 1
    return total, {k: v * 2 for k, v in d.items()}, list(d), sum(d.values())


Config = namedtuple('Config', 'rate steps')


@program((Config(0.5, 3), F(1.0)), (Config(0.1, 2), F(1.0)), traces=2)
def a_config(config, x):
    for _ in range(config.steps):
        x = x * config.rate
    return x


@program((F(1.0), {'kind': 'a', 'n': 2}), (F(2.0), {'kind': 'b', 'n': 1}), traces=2)
def dispatch_by_a_dict(x, options):
    table = {'a': lambda v: v + 1, 'b': np.sin}
    for _ in range(options['n']):
        x = table[options['kind']](x)
    return x


@program((F(3.0), I(2)), (F(-3.0), I(0)))
def sets_of_python_values(x, n):
    seen = set()
    for k in (1, 2, 2, 3):
        if k not in seen:
            seen.add(k)
            x = x + k
    return x, len(seen), n in (1, 2)


@program((A(1, 2, 3), I(2)), (A(4, 5, 6), I(9)))
def tensor_in_a_tuple(xs, n):
    return n in xs, n in (1, 2, 3), bool(np.isin(n, xs))


@program(F(0.0), F(3.0))
def truth_of_numbers(x):
    if x:
        y = 1
    else:
        y = 2
    return y, not x, x and 5.0, x or 7.0


@program((A(1.0, 2.0), A(1.0, 2.0)), (A(1.0, 2.0), A(1.0, 3.0)))
def equality_of_arrays(a, b):
    if (a == b).all():
        return 'same'
    if np.allclose(a, b, atol=2):
        return 'close'
    return 'different'


@program(F(2.0), F(-2.0))
def isinstance_and_type(x):
    return isinstance(x, np.floating), isinstance(x, np.ndarray), callable(np.sin), np.ndim(x)


@program((F(0.0), F(3.0)), (F(2.0), F(1.0)))
def mixed_numbers(x, y):
    n = 0
    z = 0.0
    if x > y:
        n = 5
        z = x
    return n + z, n * 2, z


@program((F(1.0), I(5)), (F(1.0), I(0)))
def counters_by_step(x, n):
    k = 0
    while k < n:
        k += 2
        x *= 1.5
    return x, k


@program((I(13),), (I(0),), (I(255),))
def binary_digits(n):
    ones = position = 0
    while n > 0:
        if n & 1:
            ones += 1
        n >>= 1
        position += 1
    return ones, position


@program((I(1994),), (I(4),))
def roman_numerals(n):
    out = ''
    for value, symbol in ((1000, 'M'), (900, 'CM'), (500, 'D'), (4, 'IV'), (1, 'I')):
        if n >= value:
            out = out + symbol
            n = n - value
    return n


@program(np.random.default_rng(1), np.random.default_rng(2))
def random_python_values(rng):
    n = int(rng.integers(1, 6))
    total = 0
    for i in range(n):
        total += i
    word = 'high' if rng.random() > 0.5 else 'low'
    return n, total, word


@program(np.random.default_rng(1), np.random.default_rng(2))
def shuffles_and_choices(rng):
    deck = np.arange(6)
    rng.shuffle(deck)
    return deck, rng.choice(deck, 2, replace=False), rng.permutation(3), rng.normal(size=(2, 2))


@program(7, 8, traces=2)
def generator_made_inside(seed):
    rng = np.random.default_rng(seed)
    total = F(0.0)
    for _ in range(4):
        if rng.random() > 0.5:
            total += rng.normal()
    return total


@program((np.random.default_rng(1), F(0.2)), (np.random.default_rng(1), F(0.9)))
def draws_in_branches(rng, p):
    heads = 0
    while rng.random() > p:
        heads += 1
        if heads >= 10:
            break
    if heads > 2:
        return heads, rng.uniform()
    return heads, F(-1.0)


def _helper_with_default(x, scale=2.0, *, offset=0.0):
    if x > 0:
        return x * scale + offset
    return offset


@program(F(2.0), F(-2.0))
def helper_with_defaults(x):
    return _helper_with_default(x) + _helper_with_default(-x, 3.0, offset=x)


def _many(x):
    if x > 1:
        return x, x * 2, 'large'
    return x, F(0.0), 'small'


@program(F(2.0), F(-2.0))
def helper_with_many_results(x):
    a, b, kind = _many(x)
    if kind == 'large':
        return a + b
    return a - b
