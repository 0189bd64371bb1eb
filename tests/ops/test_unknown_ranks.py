"""Results of which not even the rank is known: what is computed of them, and what is refused."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from sweep import differences

import autograph_lite as ag

ROW = np.arange(3.0).reshape(1, 3)
ANY = ag.TensorSpec([None, None])


def filled(x: Any) -> Any:
    """Changes a copy in place."""
    y = x.squeeze().copy()
    y += 1
    y[0] = 5
    return y


PROGRAMS: dict[str, Callable[..., Any]] = {
    'squeezed': lambda x: (np.squeeze(x), x.squeeze() * 2 + 1, -x.squeeze()),
    'reduced': lambda x: (x.squeeze().sum(), np.max(x.squeeze()), x.squeeze().argmin()),
    'chosen': lambda x: (np.where(x.squeeze() > 1, 1, 0), x.squeeze()[x.squeeze() > 0]),
    'shaped': lambda x: (x.squeeze().ravel(), x.squeeze().T, np.atleast_1d(x.squeeze())),
    'reshaped': lambda x: x.squeeze().reshape(-1),
    'indexed': lambda x: x.squeeze()[0],
    'filled': filled,
    'in a branch': lambda x: x.squeeze() if x.sum() > 0 else x.squeeze() * 2,
}


@pytest.mark.parametrize('name', PROGRAMS)
def test_squeezed_arrays(name: str) -> None:
    assert differences(PROGRAMS[name], ROW) == []


def test_no_axis_is_left() -> None:
    assert differences(lambda x: (np.squeeze(x), np.squeeze(x) + 1), np.ones((1, 1))) == []


def test_a_length_needs_no_rank() -> None:
    assert differences(lambda x: len(x.squeeze()), ROW) == []


def test_a_rank_that_an_argument_says() -> None:
    assert differences(lambda n: (np.ones(n), np.zeros(n)), np.array([2, 3])) == []
    assert differences(lambda x, n: np.tile(x, n), ROW, np.array([2, 1])) == []


@pytest.mark.parametrize('f', [
    lambda x: x.squeeze().shape, lambda x: x.squeeze().mean(axis=0),
    lambda x: x.squeeze() @ x.squeeze(), lambda x: float(x.squeeze()),
])  # fmt: skip
def test_what_needs_the_rank(f: Callable[..., Any]) -> None:
    with pytest.raises(ag.errors.StagingError, match='rank'):
        ag.function(f, input_signature=[ANY])(ROW)
    assert differences(f, ROW, unknown=False) == []
