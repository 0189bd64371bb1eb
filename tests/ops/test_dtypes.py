"""Every dtype: operators, Python numbers beside it, casts, reductions, and what is refused."""
from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from differential import check
from sweep import check_all, differences, refusal

import autograph_lite as ag

Program = tuple[str, Callable[..., Any], tuple[Any, ...]]

DTYPES = '?bBhIqQefdgFD'
OPERATORS: dict[str, Callable[..., Any]] = {
    name: getattr(operator, name)
    for name in (
        'add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'pow', 'lt', 'le', 'eq', 'ne', 'gt',
        'ge', 'and_', 'or_', 'xor', 'lshift', 'rshift',
    )
}  # fmt: skip
OPERATORS['divmod'] = divmod
WEAK = (True, 2, 300, -1, 2**70, 0.5, 1e300, 1j)


def numbers(dtype: str) -> Any:
    """A few numbers that each dtype has."""
    return np.array([1, 3, 0, 1]).astype(dtype)


def raises(f: Callable[..., Any], *args: Any) -> bool:
    """Whether plain Python raises for these arguments."""
    with warnings.catch_warnings():
        warnings.simplefilter('ignore')
        try:
            f(*args)
        except Exception:
            return True
    return False


def together(name: str, fs: list[Callable[..., Any]], *args: Any) -> Iterator[Program]:
    """One program for all functions that accept the arguments, and one for each that does not."""
    good = [f for f in fs if not raises(f, *args)]
    yield name, lambda *args: [f(*args) for f in good], args
    for f in fs:
        if f not in good:
            yield f'{name}, refused', lambda *args, f=f: f(*args), args


@pytest.mark.parametrize('dtype', DTYPES)
def test_operators(dtype: str) -> None:
    fs = list(OPERATORS.values())
    x = numbers(dtype)
    for other in DTYPES:
        y = numbers(other)
        check_all(together(f'{dtype} {other}', fs, x, y), unknown=False)
        check_all(together(f'{dtype} scalar {other} scalar', fs, x[1], y[0]))


@pytest.mark.parametrize('dtype', DTYPES)
def test_python_numbers_take_the_dtype_of_what_they_meet(dtype: str) -> None:
    x = numbers(dtype)
    for number in WEAK:
        fs = [lambda x, f=f: f(x, number) for f in OPERATORS.values()]  # noqa: B023  called here
        fs += [lambda x, f=f: f(number, x) for f in OPERATORS.values()]  # noqa: B023
        check_all(together(f'{dtype} {number}', fs, x), unknown=False)
        if number != 1j:  # which as the left one asks no NumPy scalar
            check_all(together(f'{dtype} scalar {number}', fs, x[1]))


CONTENTS = {
    'booleans': np.array([True, False, True]), 'small': np.array([1, -2, 100], np.int8),
    'unsigned': np.array([250, 3], np.uint8), 'large': np.array([2**40, 5]),
    'floats': np.array([1.9, -2.5, 300.0]), 'large floats': np.array([1e30, 1, 2], np.float32),
    'nan': np.array([np.nan, np.inf, 1]), 'half': np.array([1.5, 6e4], np.float16),
    'complex': np.array([1 + 2j, 3]), 'long': np.array([1.25, -3], np.longdouble),
}  # fmt: skip


@pytest.mark.parametrize('content', CONTENTS)
def test_casts(content: str) -> None:
    x = CONTENTS[content]
    for dtype in (*DTYPES, 'U', 'S', 'U3', 'O', 'M8[s]', 'm8[s]'):
        check_all([(dtype, lambda x: x.astype(dtype), (x,))])  # noqa: B023
        if dtype in DTYPES:
            check_all([(dtype, lambda x: np.dtype(dtype).type(x[0]), (x,))])  # noqa: B023
    for python in (int, float, bool, complex):
        check_all([
            (str(python), lambda x: python(x[0]), (x,)),  # noqa: B023
            (str(python), lambda x: x.astype(python), (x,)),  # noqa: B023
        ])
    check_all([('safe', lambda x: x.astype(np.int8, casting='safe'), (x,))])


@pytest.mark.parametrize('content', CONTENTS)
def test_reductions(content: str) -> None:
    x = CONTENTS[content]
    names = ('sum', 'prod', 'mean', 'std', 'var', 'max', 'min', 'any', 'all', 'cumsum', 'cumprod',
             'argmax', 'argmin')
    fs = [lambda x, name=name: getattr(x, name)() for name in names]
    fs += [lambda x, name=name: getattr(np, name)(x) for name in (*names, 'ptp', 'median')]
    fs += [lambda x: np.sum(x, dtype=np.float32), lambda x: np.mean(x, dtype=np.complex64)]
    check_all(together(content, fs, x))


def test_overflow() -> None:
    u, big = np.array([250, 3], np.uint8), np.int64(2**62)
    check_all([
        ('wraps', lambda x: (x + np.uint8(10), x[0] + x[0], -x, x * x), (u,)),
        ('wraps', lambda x: (x * 4, x + x, -x, abs(x)), (big,)),
        ('a Python int is not an array', lambda x: (int(x) * 4, x.item() + x.item()), (big,)),
        ('too large for the array', lambda x: x + 300, (u,)),
        ('too large', lambda: np.uint8(300), ()),
        ('a cast wraps', lambda x: np.uint8(x), (big,)),
        ('compared it is not too large', lambda x: (x < 300, x == -1, x[0] > 2**70), (u,)),
    ])


def test_warnings_are_numpys() -> None:
    x = np.array([1.9, -2.5, 0.0])
    check_all([
        ('divide', lambda x: x / 0, (x,)),
        ('floor divide', lambda x: x // 0, (np.array([1, 2]),)),
        ('log', lambda x: np.log(x), (x,)),
        ('a scalar', lambda x: (np.sqrt(x[1]), x[0] / 0), (x,)),
        ('overflow', lambda x: np.exp(x * 1000), (x,)),
        ('no elements', lambda x: x[:0].mean(), (x,)),
        ('one element', lambda x: x[:1].var(ddof=1), (x,)),
        ('only nan', lambda x: np.nanmean(x * np.nan), (x,)),
        ('ignored', lambda x: ignoring(x), (x,)),
    ])


def ignoring(x: Any) -> Any:
    """Divides without a warning."""
    with np.errstate(divide='ignore', invalid='ignore'):
        return x / 0


# Dates.

DATES = np.array(['2020-01-01', '2021-03-05', 'NaT'], 'M8[D]')
SPANS = np.array([1, 5, -3], 'm8[D]')
ARITHMETIC = [OPERATORS[name] for name in ('add', 'sub', 'mul', 'truediv', 'floordiv', 'mod', 'lt',
                                           'eq', 'ne', 'divmod')]  # fmt: skip


def test_arithmetic_of_dates() -> None:
    operands = (DATES, SPANS, np.array([1, 2, 3]), np.array([1.5, 2, 0]))
    for x, y in product(operands[:2], operands):
        check_all(together(f'{x} {y}', ARITHMETIC, x, y))
        check_all(together(f'{y[0]} {x}', ARITHMETIC, y[0], x))
        check_all(together(f'{x[0]} {y[0]}', ARITHMETIC, x[0], y[0]))
    known = (np.datetime64('2020-06-01'), np.timedelta64(2, 'h'), 2, 1.5)
    for x, y in product(operands[:2], known):
        fs = [lambda x, f=f: f(x, y) for f in ARITHMETIC]  # noqa: B023
        check_all(together(f'{x} {y!r}', fs, x))


def set_dates(d: Any) -> Any:
    """Sets dates from a text, a date and another date."""
    y = d.copy()
    y[0] = '2022-02-02'
    y[1] = np.datetime64('2023-01-01')
    y[2] = y[0] + np.timedelta64(3, 'D')
    return y


DATE_PROGRAMS: dict[str, Callable[..., Any]] = {
    'differences': lambda d: (np.diff(d), d.min(), d.max(), np.argmin(d), np.ptp(d[:2])),
    'sorted': lambda d: (np.sort(d), np.unique(d), np.isnat(d), np.isin(d, d[:1])),
    'converted': lambda d: (d.astype('M8[s]'), d.astype('i8'), d.view('i8'), d.astype('U')),
    'month': lambda d: d[:2].astype('M8[M]').astype(int) % 12 + 1,
    'compared': lambda d: (d > np.datetime64('2020-06-01'), d[d > d[0]]),
    'business days': lambda d: (
        np.is_busday(d[:2]), np.busday_offset(d[:2], 1, roll='forward'),
        np.busday_count(d[0], d[1]), np.busday_count(d[:1], d[1:2], weekmask='1111100',
                                                     holidays=['2020-01-02'])),
    'a unit': lambda d: (np.datetime64(d[0], 'h'), np.timedelta64(d[1] - d[0], 'h')),
    'days': lambda d: (
        (d[1] - d[0]) / np.timedelta64(1, 'D'), (d[1] - d[0]).astype(float),
        float((d[1] - d[0]) / np.timedelta64(1, 'h')), abs(d[0] - d[1]), -(d[0] - d[1])),
    'made': lambda d: (
        np.zeros(2, 'M8[D]'), np.full(3, np.datetime64('2020-01-01')), np.datetime64('2020-01-01'),
        np.arange('2020-01', '2020-03', dtype='M8[D]'), d[0] + np.arange(3).astype('m8[D]')),
    'chosen': lambda d: np.where(np.isnat(d), np.datetime64('2000-01-01'), d),
    'reduced': lambda d: ((d[:2] - d[0]).mean(), (d[:2] - d[0]).sum(), np.median(d[:2] - d[0])),
    'as texts': lambda d: (np.datetime_as_string(d), np.datetime_as_string(d, unit='M')),
    'in a test': lambda d: d[1] if d[0] > np.datetime64('2000-01-01') else d[0],
    'joined': lambda d: (np.concatenate([d, d[:1]]), np.repeat(d, 2), np.searchsorted(d[:2], d[1])),
    'clipped': lambda d: np.clip(d[:2], np.datetime64('2020-02-02'), np.datetime64('2021-01-01')),
    'set': set_dates,
}  # fmt: skip


@pytest.mark.parametrize('name', DATE_PROGRAMS)
def test_dates(name: str) -> None:
    assert differences(DATE_PROGRAMS[name], DATES) == []


# Texts.

TEXTS = np.array(['ab', 'Cd e', ' 12 '])
KINDS = {'U': TEXTS, 'S': TEXTS.astype('S'), 'T': TEXTS.astype(np.dtypes.StringDType())}


def set_texts(s: Any) -> Any:
    """Sets texts, one of them too long."""
    y = s.copy()
    y[0] = y[2]
    y[1] = s[0] + s[1] + s[2] + s[0]
    return y


TEXT_PROGRAMS: dict[str, Callable[..., Any]] = {
    'compared': lambda s: (s == s[0], s != s[::-1], s < s[1], s[0] == s[1], s[0] < s[1]),
    'compared with a literal': lambda s: (s == 'ab', s[0] == 'ab'),
    'added': lambda s: (s + s, s[0] + s[1]),
    'changed': lambda s: (np.strings.upper(s), np.char.lower(s), np.strings.strip(s)),
    'asked': lambda s: (np.strings.str_len(s), np.char.isdigit(s), np.strings.find(s, s[0])),
    'asked as Python asks': lambda s: (len(s[0]), s[0] in s[1], s[0].isdigit(), s[0].count(s[0])),
    'sorted': lambda s: (np.sort(s), np.argsort(s), np.unique(s)),
    'counted': lambda s: np.unique(s, return_counts=True),
    'chosen': lambda s: (np.where(s == s[0], s, s[::-1]), s[np.array([0, 1, 1])], s[s == s[0]]),
    'joined': lambda s: (np.concatenate([s, s]), np.repeat(s, 2), np.append(s, s[0])),
    'converted': lambda s: (s.astype('U10'), s.astype('S3'), s.astype(object)),
    'numbers': lambda s: (int(s[2]), float(s[2]), np.arange(3).astype('U'), s[2:].astype(float)),
    'in a test': lambda s: 1.0 if s[0] == s[1] else 2.0,
    'one by one': lambda s: [text for text in s],
    'made': lambda s: (np.zeros(3, 'U5'), np.full(2, 'abc'), np.array(['q', 'rr'])),
    'set': set_texts,
}


@pytest.mark.parametrize('kind', KINDS)
@pytest.mark.parametrize('name', TEXT_PROGRAMS)
def test_texts(name: str, kind: str) -> None:
    known = name == 'one by one'
    assert differences(TEXT_PROGRAMS[name], KINDS[kind], unknown=not known) == []


LENGTHS: dict[str, Callable[..., Any]] = {
    'replace': lambda s: np.strings.replace(s, 'a', 'xyz'),
    'center': lambda s: np.strings.center(s, 9),
    'expandtabs': lambda s: np.strings.expandtabs(s),
    'multiply': lambda s: np.strings.multiply(s, np.strings.str_len(s)),
    'partition': lambda s: np.strings.partition(s, ' '),
    'zfill': lambda s: np.strings.zfill(s, 9),
}


@pytest.mark.parametrize('kind', 'UT')
@pytest.mark.parametrize('name', LENGTHS)
def test_how_long_a_text_becomes(name: str, kind: str) -> None:
    assert differences(LENGTHS[name], KINDS[kind]) == []


def test_what_is_a_text_of_python() -> None:
    for f in (lambda s: s[0].upper() + '!', lambda s: s.tolist(), lambda s: s[0].item()):
        assert differences(f, TEXTS, unknown=False) == []
    x = np.array([1.5, 2])
    for f in (lambda x: str(x[0]), lambda x: repr(x), lambda x: '%s' % x[0], lambda x: f'{x}'):  # noqa: UP031
        assert differences(f, x) == []


# Records and objects.

PEOPLE = np.array([(1, 'ann', 2.5), (2, 'bob', 3.5)], [('age', 'i4'), ('name', 'U5'), ('w', 'f8')])


def set_fields(p: Any) -> Any:
    """Sets fields, rows and items of fields."""
    q = p.copy()
    q['age'] = [5, 6]
    q['age'] += 1
    q['w'][0] = 9
    q[1] = (7, 'cy', 1.0)
    return q


RECORD_PROGRAMS: dict[str, Callable[..., Any]] = {
    'fields': lambda p: (p['age'], p[['age', 'w']], p[0], p[0]['w'], p['w'] * 2 + p['age']),
    'selected': lambda p: (p[p['age'] > 1], np.sort(p, order='w'), np.where(p['age'] > 1, p, p[0])),
    'compared': lambda p: (p == p, np.unique(p)),
    'joined': lambda p: (np.concatenate([p, p]), p.copy(), np.zeros(2, p.dtype)),
    'converted': lambda p: p.astype([('age', 'i8'), ('name', 'U5'), ('w', 'f4')]),
    'made': lambda p: np.array([(1, 2.0)], dtype=[('a', 'i4'), ('b', 'f8')]),
    'no such field': lambda p: p['height'],
    'not numbers': lambda p: p + p,
    'set': set_fields,
}


@pytest.mark.parametrize('name', RECORD_PROGRAMS)
def test_records(name: str) -> None:
    assert differences(RECORD_PROGRAMS[name], PEOPLE) == []


def test_a_row_of_records_is_not_set() -> None:
    def f(p: Any) -> Any:
        q = p.copy()
        q[0]['w'] = 3
        return q

    assert "`x['field'][i] = v`" in refusal(f, PEOPLE)


def test_objects() -> None:
    for x in (np.array([1, 2, 3], object), np.array([1, 2.5, 'a'], object)):
        check_all([
            ('moved', lambda x: (x, x[1:], x.copy(), np.concatenate([x, x]), len(x)), (x,)),
            ('computed', lambda x: (x + x, x * 2, x == x, x[0] + 1), (x,)),
            ('sorted', lambda x: np.sort(x), (x,)),
            ('no function of it', lambda x: np.sin(x), (x,)),
        ])


def test_dtypes_in_code() -> None:
    def f(x: Any) -> Any:
        kinds = x.dtype == np.float32, x.dtype.kind, x.dtype.itemsize, np.finfo(x.dtype).eps
        return kinds, x.astype(np.result_type(x, np.float64)), np.iinfo(np.int8).max + x

    assert differences(f, np.ones(2, np.float32)) == []
    assert ag.function(f).get_concrete_function(np.ones(2, np.float32))


def test_no_such_attribute():
    for value in (np.ones(2), np.float32(1), np.str_('a'), np.random.default_rng(1)):
        messages = []
        for run in (lambda x: x.nothing, ag.function(lambda x: x.nothing)):
            with pytest.raises(AttributeError) as raised:
                run(value)
            messages.append(str(raised.value))
        assert messages[0] == messages[1]


def test_spans_of_time_and_bytes_in_loops():
    def spent(spans):
        total = np.timedelta64(0, 's')
        for span in spans:
            total += span
        return total, spans.astype(int) + np.timedelta64(1, 's')

    def joined(texts):
        text = np.bytes_(b'')
        for each in texts:
            text += each
        return text

    assert differences(spent, np.array([3, 4], 'm8[s]')) == []
    assert differences(joined, np.array([b'abc', b'd'])) == []


def test_a_text_and_a_number_do_not_join():
    def f(x, texts):
        return texts[0] if x > 0 else 0

    assert 'against int' in refusal(f, np.float64(1), np.array([b'abc', b'd']))


def test_bytes_in_another_order():
    def asked(x, y):
        return x[0, 0], x[0], x.copy(), [v for v in x[0]], y.copy(), y + 1, y[()]

    check(asked, (np.array([[1, 2], [3, 4]], '>f8'), np.array(2.0, '>f8')))


def test_the_dtype_of_a_text_that_is_no_array():
    check(lambda s: np.result_type(s, s), (np.str_('ab'),))
