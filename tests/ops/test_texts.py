"""Arrays of texts: how long they may be is part of the dtype, and depends on values."""
from __future__ import annotations

import numpy as np
import pytest
from sweep import differences, refusal

import autograph_lite as ag

TEXTS = np.array(['ab', 'Cd e', ' 12 '])
BYTES = TEXTS.astype('S4')
n = np.strings


def changed(s):
    return (
        n.replace(s, 'a', 'xyz'), n.multiply(s, 3), n.center(s, 10), n.mod(n.add(s, '%d'), 3),
        n.zfill(s, 5), n.ljust(s, 2), n.rjust(s, 7, '*'), n.expandtabs(s), n.encode(s),
        n.partition(s, 'a'), n.rpartition(s, ' '), n.replace(s, 'a', 'b') == s,
        n.add(n.replace(s, 'b', ''), s), n.upper(n.replace(s, 'b', 'ccc')),
        n.str_len(n.multiply(s, 2)),
    )  # fmt: skip


def changed_bytes(s):
    return n.decode(s), n.replace(s, b'a', b'xyz'), n.multiply(s, 3), n.add(s, b'abc'), n.lower(s)


def by_char(s):
    c = np.char
    return c.join('-', s), c.mod('%s!', s), c.partition(s, ' '), c.replace(s, 'a', 'yy'), c.split(s)


def items(s):
    first = s[0]
    pair = np.array([first, s[1]])
    copy = pair.copy()
    copy[0] = 'longer'
    return (
        first + '!', pair, copy, np.take(s, 0), s.max(), np.concatenate([pair, s]), first == s[1],
        [w for w in s], np.str_(3), s.tolist() if len(s) == 3 else None,
    )  # fmt: skip


def arrays(s):
    longer = n.replace(s, 'a', 'bbb')
    return (
        np.zeros_like(longer), np.where(s == 'ab', s, 'zzzzzzz'), np.unique(longer), s.astype('U2'),
        longer.astype(np.dtypes.StringDType()), longer[:, None], longer.shape, np.stack([s, s]),
    )  # fmt: skip


def blocks(s):
    last = s[0]
    for w in s:
        if w > last:
            last = w
    y = n.replace(s, 'a', 'bbb')
    if s[0] == 'ab':
        y = n.upper(y)
    for _ in range(2):
        y = n.add(y, 'x')
    return last, y


def of_numbers(x):
    return x.astype(str), np.array(x, dtype=str), x.astype('S'), np.char.mod('%5.1f', x)


@pytest.mark.parametrize('f', [changed, by_char, arrays])
@pytest.mark.parametrize('s', [TEXTS, TEXTS[:0], np.array(['a' * 20]), np.array([['abc', '']])])
def test_texts(f, s):
    assert differences(f, s) == []


@pytest.mark.parametrize(('f', 's'), [
    (changed_bytes, BYTES), (blocks, TEXTS), (of_numbers, np.array([1.5, -2])),
    (of_numbers, np.array([1, 22])), (of_numbers, np.array([True, False])),
    (of_numbers, np.array([1, 2.5], object)), (of_numbers, np.float64(2.5)),
])  # fmt: skip
def test_more_of_them(f, s):
    assert differences(f, s) == []


def test_items():
    assert differences(items, TEXTS, unknown=False) == []


@pytest.mark.parametrize('f', [lambda s: s[0].dtype, lambda s: n.replace(s, 'a', 'bb').itemsize])
def test_what_needs_the_length(f):
    assert 'how long the texts are' in refusal(f, TEXTS)


def test_a_spec_of_texts_of_any_length():
    @ag.function(input_signature=[ag.TensorSpec([None], 'U')])
    def f(s):
        return n.add(s, '!')

    for s in (TEXTS, np.array(['x' * 9])):
        assert f(s).dtype == n.add(s, '!').dtype
        assert list(f(s)) == list(n.add(s, '!'))
    assert f.tracing_count == 1
