"""Python's bytes of which only the running graph knows which they are, and texts that meet."""
from __future__ import annotations

import struct

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

TEXTS = np.array(['ab', 'Cd e', ' 12 '])
BYTES = np.array([b'ab', b'cde'])
X = np.array([3.0, 1.0, 2.0])
SIGNS = np.float64(1.0), np.float64(-1.0)


def test_the_bytes_of_an_array():
    def raw(x):
        found = x.tobytes()
        return found, len(found), found[0], found[:2], np.frombuffer(found, np.uint8), found.hex()

    check(raw, (X,))


def test_bytes_that_meet():
    def met(x, y):
        name = b'a' if y > 0 else b'bc'
        first = x[0] if y > 0 else b'none'
        return name + x[0], name == x[0], name.decode(), name.upper(), name[0], first

    check(met, *((BYTES, y) for y in SIGNS))


def test_bytes_in_a_loop():
    def joined(x):
        out = b''
        for s in x:
            out = out + s.upper()
        return out

    check(joined, (BYTES,))


def test_a_text_of_numpys_meets_one_of_pythons():
    def first(x, y):
        name = x[0] if y > 0 else 'none'
        return name, name == x[0], name + '!', len(name), f'<{name}>'

    check(first, *((TEXTS, y) for y in SIGNS))


def test_the_longest_text():
    def longest(x, y):
        best = ''
        for s in x:
            if len(s) > len(best) and y > 0:
                best = s
        return best

    check(longest, *((TEXTS, y) for y in SIGNS))


def test_texts_of_different_lengths_meet():
    def longer(x, y):
        s = x.copy()
        if y > 0:
            s = np.array(['much longer', 'than', 'that'])
        return s, s[0], s == 'ab', np.strings.upper(s)

    check(longer, *((TEXTS, y) for y in SIGNS))


def test_an_array_of_texts_against_one_that_only_the_graph_knows():
    def compared(x, y):
        name = 'ab' if y > 0 else 'none'
        return x == name, name != x, x[0] == name, np.strings.add(x, name)

    check(compared, *((TEXTS, y) for y in SIGNS))


def test_the_parts_of_a_text():
    def parts(x):
        words = x[1].split(' ')
        return words, len(words), x[0].partition('b')

    check(parts, (TEXTS,))


def test_bytes_of_what_the_graph_knows():
    def made(x):
        name = 'ab' if x[0] > 0 else 'cde'
        count = len(name)
        number = bytes([count, 1])[0]
        return bytes(x), bytes(x[:1]), bytes(name, 'utf8'), bytes(count), number

    check(made, (X,), (-X,))


def test_bytes_of_a_list_of_the_graph():
    def made(x):
        return bytes([len(x) for v in x if v > 0])

    def by_an_array(x):
        return np.array([len(x) for v in x if v > 0], np.uint8).tobytes()

    with pytest.raises(ag.errors.StagingError, match=r'np\.uint8\)\.tobytes\(\)'):
        ag.function(made)(X)
    check(by_an_array, (X,))


def test_a_bytearray_and_a_struct_are_refused():
    with pytest.raises(ag.errors.StagingError, match=r'Write `bytes\(\.\.\.\)`'):
        ag.function(lambda x: bytearray(x))(X)
    with pytest.raises(ag.errors.StagingError, match=r"np\.array\(\[x\], '<f8'\)\.tobytes"):
        ag.function(lambda x: struct.pack('<d', x[0]))(X)
    check(lambda x: np.array([x[0]], '<f8').tobytes(), (X,))


def test_parts_of_a_text_of_the_graph():
    def parts(x):
        name = 'a-b-c' if x[0] > 0 else 'de'
        before, _, after = name.partition('-')
        return before, after, name.rpartition('-'), name.encode().partition(b'-')[0]

    check(parts, (X,), (-X,))
