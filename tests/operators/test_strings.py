"""Strings of which only the running graph knows which they are."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

ONE, ZERO, MINUS = np.float64(1), np.float64(0), np.float64(-1)


def test_one_of_several():
    def sign(x):
        return 'positive' if x > 0 else 'negative' if x < 0 else 'zero'

    check(sign, (ONE,), (ZERO,), (MINUS,))


def test_methods_and_operators():
    def use(x):
        name = 'a'
        if x > 0:
            name = 'b'
        return (
            name, name + '!', '<' + name, name * 2, name == 'b', name != 'b', name < 'b',
            len(name), name.upper(), name.find('a'), name.startswith('a'), name == 1,
        )

    check(use, (ONE,), (MINUS,))


def test_formats():
    def show(x, n):
        return (
            f'{x}', f'{x:.2f} {n!r:>4}', str(n), repr(x), format(n), '{} of {}'.format(n, x),  # noqa: UP032
            '{a:.1f}{b}'.format(a=x, b='?'), '%d and %5.2f' % (n, x), '%s' % n,  # noqa: UP031
        )

    check(show, (ONE, np.int64(3)), (MINUS, np.int64(-3)))


def test_a_state_machine():
    def machine(n):
        state = 'start'
        log = []
        i = 0
        while i < n and state != 'done':
            if state == 'start':
                state = 'run'
            elif state == 'run' and i > 3:
                state = 'done'
            i += 1
            log.append(state)
        return state, i, log

    check(machine, (np.int64(9),), (np.int64(2),), (np.int64(0),))


def test_a_list_of_them():
    def fizzbuzz(n):
        out = []
        for i in range(1, n + 1):
            if i % 15 == 0:
                out.append('FizzBuzz')
            elif i % 3 == 0:
                out.append('Fizz')
            elif i % 5 == 0:
                out.append('Buzz')
            else:
                out.append(str(i))
        return out

    check(fizzbuzz, (np.int64(16),), (np.int64(0),))


def test_perhaps_none():
    def message(n):
        found = None
        if n > 3:
            found = 'large'
        if found is None:
            return 'none'
        return found

    check(message, (np.int64(4),), (np.int64(3),))


def test_a_match_of_one():
    def step(n):
        kind = 'even' if n % 2 == 0 else 'odd'
        match kind:
            case 'even':
                return n // 2
            case 'odd' | 'strange':
                return 3 * n + 1

    check(step, (np.int64(4),), (np.int64(3),))


def test_a_text_shows_what_was_there_when_it_was_made():
    def show(x):
        x = x.copy()
        before = f'{x}'
        x[0] = 9
        assert x[0] == 9, before
        return before, f'{x}'

    check(show, (np.arange(3),))


def test_a_list_in_a_text():
    def show(n):
        out = []
        for i in range(n):
            out.append(i / 2)
        return f'{out}'

    check(show, (np.int64(3),), (np.int64(0),))


def test_messages_are_put_together_only_when_they_are_needed():
    @ag.function
    def f(x):
        assert np.sum(x) > 0, f'{x} is bad'
        return x

    code = f.get_concrete_function(np.ones(2)).lowered_code
    assert "raise AssertionError(f'{x} is bad')" in code
    with pytest.raises(AssertionError, match=r'0\. 0\.'):
        f(np.zeros(2))


def test_a_string_and_a_number_do_not_join():
    @ag.function
    def f(n):
        return 'large' if n > 1 else 1

    with pytest.raises(ag.errors.StagingError, match='str against int'):
        f(np.int64(2))


def test_what_only_a_known_string_can_do():
    @ag.function
    def f(n):
        name = 'a b' if n > 1 else 'c'
        return name.split()

    with pytest.raises(ag.errors.StagingError, match=r'does not support `str\.split`'):
        f(np.int64(2))

    @ag.function
    def lookup(n):
        return {'a': 1, 'b': 2}['a' if n > 1 else 'b']

    with pytest.raises(ag.errors.StagingError, match='dict key'):
        lookup(np.int64(2))
