"""On Pythons that have notes, errors say what was being staged."""
from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph_lite as ag


def grows(xs):
    total = xs
    for x in xs:
        if x > 0:
            total = total[None]
    return total


@pytest.mark.skipif(sys.version_info < (3, 11), reason='exceptions have notes since 3.11')
def test_what_was_being_staged():
    with pytest.raises(ag.errors.StagingError) as caught:
        ag.function(grows)(np.ones(3))
    line = grows.__code__.co_firstlineno + 3
    assert caught.value.__notes__ == [f'while staging the branches at line {line}']


def a_note(x):
    if x > 0:
        error = ValueError('too large')
        error.add_note(f'it is {x}')
        raise error
    return x


def an_argument(x):
    if x > 0:
        raise ValueError('too large', f'it is {x}')
    return x


@pytest.mark.skipif(sys.version_info < (3, 11), reason='exceptions have notes since 3.11')
def test_a_note_of_what_only_the_graph_knows_is_to_be_an_argument():
    with pytest.raises(ag.errors.StagingError, match=r'`ValueError\(message, text\)`'):
        ag.function(a_note)(np.int64(7))
    with pytest.raises(ValueError) as caught:  # noqa: PT011  the arguments are compared
        ag.function(an_argument)(np.int64(7))
    assert caught.value.args == ('too large', 'it is 7')
