"""Calls that are possible for some lengths of unknown axes only."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from differential import same

import autograph_lite as ag

ROW, TABLE = ag.TensorSpec([None]), ag.TensorSpec([None, None])
CALLS: dict[str, tuple[Any, Any, Any]] = {
    'as many counts': (lambda x: x.repeat([1, 2, 3, 4], axis=0), TABLE, np.ones((4, 2))),
    'as many parts': (lambda x: np.split(x, 7), ROW, np.arange(14.0)),
    'as many samples': (lambda x: np.polyfit([1, 2, 3, 4, 5], x, 2), ROW, np.arange(5.0)),
    'as many observations': (lambda x: np.cov(x, [1, 2, 3, 4, 5]), ROW, np.arange(5.0)),
    'a list of lists': (lambda x: (x.tolist(), x.T.tolist()), TABLE, np.eye(2, 3)),
    'an iterator': (lambda x: np.fromiter((a * 2 for a in x if a), int), ROW, np.arange(4.0)),
}


@pytest.mark.parametrize('name', CALLS)
def test_lengths_that_the_call_tells(name):
    f, spec, x = CALLS[name]
    assert same(f(x), ag.function(f).get_concrete_function(spec)(x))


def test_numpys_own_errors():
    with pytest.raises(np.linalg.LinAlgError, match='1-dimensional array given'):
        ag.function(lambda x: np.linalg.inv(x)).get_concrete_function(ROW)


def test_a_tuple_of_unknown_length():
    with pytest.raises(ag.errors.StagingError, match='Make a list of them'):
        ag.function(lambda x: tuple(x)).get_concrete_function(ROW)
