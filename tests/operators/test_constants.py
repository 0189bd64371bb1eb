"""`ag.constant`."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag


def test_in_a_graph_and_outside():
    def use(x):
        return (
            ag.constant(2), ag.constant([1, 2], np.float32), ag.constant(0.5, shape=(2, 2)),
            ag.constant([1, 2, 3, 4], shape=(2, 2)), ag.constant([x, 2 * x]), ag.constant(x) + 1,
        )

    check(use, (np.float64(1),), (np.float64(-2),))


def test_it_is_an_array_of_its_own():
    x = np.zeros(2)
    y = ag.constant(x)
    y[0] = 1
    assert x[0] == 0
    assert y.dtype == np.float64


def test_elements_for_the_shape():
    with pytest.raises(ValueError, match='reshape'):
        ag.constant([1, 2, 3], shape=(2, 2))
