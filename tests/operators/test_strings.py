"""Strings of which only the running graph knows which they are."""
from __future__ import annotations

import datetime
import difflib
import os
import re
import string
import warnings
from collections import OrderedDict
from typing import NamedTuple

import numpy as np
import pytest
from differential import check
from sweep import differences

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
        return name.maketrans('c', 'd')

    with pytest.raises(ag.errors.StagingError, match=r'does not support `str\.maketrans`'):
        f(np.int64(2))


def test_a_key_of_several_parts():
    def lookup(n):
        return {('a', 1): 1}['a' if n > 1 else 'b', 1]

    check(lookup, (np.int64(2),), (np.int64(0),))


# Strings that grow.


def grown(xs):
    s = ''
    for x in xs:
        if x > 0:
            s += '+'
        else:
            s += '-'
    return s


def joined(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(f'{x:.2f}')
        else:
            out.append('negative')
    return ', '.join(out), '|'.join(['a', f'{xs[0]}']), ''.join(f'{x:.1f}' for x in xs)


def kept(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append('p')
    return '-'.join(out)


@pytest.mark.parametrize('f', [grown, joined, kept])
def test_strings_that_grow(f):
    check(f, (np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, -2.0, -3.0]),))


def containers_in_texts(x):
    whole = [x.sum(), (1, x[0])]
    return (
        f'{x.shape} of {x.dtype}', f'{whole}', str({'a': x[0], 'b': 2}),
        str((x[0],)), '%s and %d' % (x.shape, 3), '%s' % (x.shape,),  # noqa: UP031
        '{}: {:.1f}'.format(x.shape, x[0]),  # noqa: UP032
    )  # fmt: skip


def test_containers_in_texts():
    assert differences(containers_in_texts, np.array([1.5, 2])) == []


def test_containers_that_show_themselves():
    class Pair(NamedTuple):
        first: object

    assert differences(lambda x: f'{Pair(x[0])}', np.array([1.5, 2])) == []
    assert differences(lambda x: f'{OrderedDict(a=x[0])}', np.array([1.5, 2])) == []


def texts_of_arrays(words):
    line, count = '', 0
    for word in words:
        line += word + ','
        if word[0] == 'a' or word[-1] == 'z':
            count += len(word[1:])
    return (
        line, count, '-'.join(words), ''.join(words[1:]), ', '.join(w for w in words if w != 'b'),
        words.tolist(), [w[0] for w in words.tolist()], words[0][::-1], words[0][len(words[0]) - 1],
        words[0] + '!', '<' + words[1], words[0] + words[1],
    )  # fmt: skip


@pytest.mark.parametrize('kind', ['U3', np.dtypes.StringDType()])
def test_texts_of_arrays(kind):
    assert differences(texts_of_arrays, np.array(['abc', 'b', 'x', 'zz'], kind)) == []


@pytest.mark.parametrize('f', [
    lambda words: words[1][4],
    lambda words: words[0]['a'],
    lambda words: '-'.join([len(words), words[0]]),
    lambda words: '-'.join([words[0], words]),
])  # fmt: skip
def test_what_texts_refuse(f):
    assert differences(f, np.array(['abc', 'b'])) == []


def test_while_tracing_a_text_shows_its_tensors(capsys):
    show = ag.do_not_convert(lambda *texts: print(*texts))

    @ag.function
    def f(x):
        show(f'Tracing with {x}', f'{x:.2f}')
        show('%s' % x, '{}'.format(x), 'with ' + str(x), repr(x).upper())  # noqa: UP031, UP032
        return x

    f(ONE)
    f(ZERO)
    shown = 'Tensor("x:0", shape=(), dtype=float64)'
    assert capsys.readouterr().out == (
        f'Tracing with {shown} {shown}\n{shown} {shown} with {shown} {shown.upper()}\n'
    )


def test_a_warning_with_tensors_is_given_when_the_graph_runs_for_the_line_of_the_user():
    @ag.function
    def f(x):
        warnings.warn(f'x is {x}', stacklevel=1)
        if x > 0:
            warnings.warn('positive', DeprecationWarning, stacklevel=1)
        warnings.warn('called', stacklevel=2)
        return x

    with pytest.warns() as caught:
        list(map(f, (ONE, ZERO)))
    first = f.python_function.__code__.co_firstlineno
    assert [(each.category, str(each.message), each.lineno - first) for each in caught] == [
        (DeprecationWarning, 'positive', 4),
        (UserWarning, 'called', 9),
        (UserWarning, 'x is 1.0', 2),
        (UserWarning, 'x is 0.0', 2),
    ]
    assert {each.filename for each in caught} == {__file__}


def test_dates_in_texts():
    def shown(day, span):
        return '%s' % day, f'{day}', str(day), '%s and %s' % (day, span)  # noqa: UP031

    check(shown, (np.datetime64('2020-01-01'), np.timedelta64(3, 'D')))


def test_whether_a_text_that_may_be_none_is_true():
    def f(x):
        mark = None if x > 0 else 'a' if x < -1 else ''
        while not mark and x < 3:
            x = x + 1
            mark = mark or ('found' if x > 2 else None)
        return mark or 'none', bool(mark), (1 if mark else 2), x

    check(f, *((np.float64(x),) for x in (3.0, 1.0, -1.0, -2.0)))


def listed(x):
    with warnings.catch_warnings(record=True) as found:
        y = np.log(x)
    return y, len(found)


def made_errors(x):
    with warnings.catch_warnings():
        warnings.simplefilter('error')
        try:
            return np.log(x)
        except RuntimeWarning:
            return x


@pytest.mark.parametrize('f', [listed, made_errors])
def test_what_the_running_graph_warns_of_is_not_caught_while_tracing(f):
    with pytest.raises(ag.errors.StagingError, match='is left while tracing') as refused:
        ag.function(f)(ZERO)
    assert 'with warnings.catch_warnings(' in str(refused.value)


def test_a_warning_with_tensors_is_given_as_a_text():
    @ag.function
    def f(x):
        warnings.warn(RuntimeWarning(f'x is {x}'), stacklevel=1)

    with pytest.raises(ag.errors.StagingError, match=r"warnings.warn\(f'...', RuntimeWarning\)"):
        f(ONE)


def test_a_width_and_a_precision_that_the_graph_knows():
    def f(x, n):
        aligned = f'{x:>{n}}|{x!r:>{n}}|{n:0{n}d}|{"ab":<{n}}|{3.5:{n}.{2}f}'
        if n > 3:
            aligned += format(x, f'{"<" if x > 0 else ">"}{n}')
        return aligned, f'{x:.{int(n)}f}'

    check(f, *((np.float64(x), np.int64(n)) for x, n in ((2.5, 6), (-2.5, 2), (2.5, 0))))


def table(xs):
    width = max(len(str(x)) for x in xs)
    return [f'{x:>{width}}' for x in xs]


def test_a_column_as_wide_as_its_widest_text():
    check(table, (np.array([1.5, 20.25]),), (np.array([3.0, 4.0]),))


def test_a_method_of_a_known_text_takes_one_that_the_graph_knows():
    def f(x, n):
        sign = 'a' if x > 0 else 'c'
        return (
            'abca'.strip(sign), 'abc'.replace('b', sign), 'banana'.split(sign), 'abc'.center(n * 3),
            'abc'.find(sign), b'abc'.ljust(n), 'abc'.startswith(sign))

    check(f, *((np.float64(x), np.int64(n)) for x, n in ((1, 2), (-1, 3))))


LETTERS = 'abcz'


def test_a_text_of_the_graph_in_a_given_text_and_what_methods_find_of_it():
    def f(x):
        t = 'b' if x > 0 else 'z'
        table = {98: t, 97: None}
        return (
            t in 'abc', t not in LETTERS, b'abc'.find(t.encode()), t.encode() in b'abc',
            [s for s in ('abc', 'xyz') if t in s], LETTERS.index(t), string.ascii_letters.find(t),
            'abc'.startswith(('k', t)), 'abc'.translate(table), 'abc'.split(sep=t),
            str.join('+', [t, 'x']), b'-'.join([t.encode(), b'q']), 'abc'.__contains__(t),
            'abc'.encode('ascii' if x > 0 else 'utf8'))

    check(f, (ONE,), (MINUS,))


def test_a_text_that_is_put_into_one_without_a_place_for_it():
    def f(x):
        return 'abc'.__mod__('b' if x > 0 else 'z')

    check(f, (ONE,))


def test_a_part_of_a_given_text():
    def f(x):
        i = int(x)
        return 'abcde'[i:], LETTERS[:i], LETTERS[-i::2], b'abc'[i:], 'abc'[1:]

    check(f, (ONE,), (MINUS,), (np.float64(2),))


def test_texts_in_order():
    def f(x):
        t, u = 'b' if x > 0 else 'z', 'q' if x > 1 else 'a'
        items = [t, 'm', u]
        items.sort(key=lambda item: item + '!', reverse=True)
        return sorted([t, u, 'm']), items, sorted({t: 1, 'm': 2}), sorted([(1, t), (1, u)])

    check(f, (ONE,), (MINUS,), (np.float64(2),))


@pytest.mark.parametrize(('use', 'says'), [
    (lambda t: re.sub(t, '-', 'abc'), '`sub` of the module `re` is not converted'),
    (lambda t: os.path.join('a', t), r'test_strings\.py.*ag\.py_function'),
    (lambda t: datetime.date.fromisoformat('2020-01-0' + t), 'ag.py_function'),
    (lambda t: difflib.SequenceMatcher(None, t, 'abc').ratio(), 'ag.py_function'),
])
def test_functions_of_python_refuse_a_text_of_the_graph(use, says):
    def f(x):
        return use('1' if x > 0 else '2')

    with pytest.raises(ag.errors.StagingError, match=f'(?s){says}'):
        ag.function(f)(ONE)


def test_a_method_of_a_text_that_may_be_none():
    def f(x):
        name = None
        if x > 0:
            name = 'ab'
        try:
            return name.upper()
        except AttributeError as error:
            return str(error)

    check(f, (ONE,), (MINUS,))
