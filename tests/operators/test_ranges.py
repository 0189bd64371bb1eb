"""Ranges whose end only the running graph knows, where more is asked than a loop."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def test_length_items_and_membership():
    def asked(n):
        numbers = range(1, n)
        return len(numbers), numbers[0], numbers[-1], 2 in numbers, n in numbers

    check(asked, (np.int64(5),), (np.int64(3),), (np.int64(2),))


def test_membership_in_a_loop():
    def first_beyond(n):
        for i in range(10):
            if i not in range(n):
                return i
        return -1

    check(first_beyond, (np.int64(4),), (np.int64(0),), (np.int64(20),))


def test_slices_are_refused():
    with pytest.raises(ag.errors.StagingError, match=r'slice is taken of a range'):
        ag.function(lambda n: range(n)[1:3])(np.int64(5))
