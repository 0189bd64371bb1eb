"""Elements of an array of objects, which may be of any class."""
from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag

OBJECTS = np.array([1, 'x', None], dtype=object)


@pytest.mark.parametrize('f', [
    lambda x: x is None,
    lambda x: x == None,  # noqa: E711
    lambda x: isinstance(x, str),
    lambda x: type(x) is int,
])  # fmt: skip
def test_what_one_is_only_the_running_graph_knows(f):
    graph = ag.function(lambda xs: [f(x) for x in xs])
    with pytest.raises(ag.errors.StagingError, match='an element of an array of objects'):
        graph(OBJECTS)


def test_as_the_advice_says():
    def missing(xs):
        n = 0
        for x in xs:
            if ag.py_function(lambda x: x is None, [x], bool):
                n += 1
        return n

    assert ag.function(missing)(OBJECTS) == missing(OBJECTS) == 1


def test_their_lists():
    assert ag.function(lambda xs: xs.tolist().count(None))(OBJECTS) == 1
    with pytest.raises(ag.errors.StagingError, match='an element of an array of objects'):
        ag.function(lambda xs: None in xs.tolist())(OBJECTS)
    for xs in (OBJECTS, OBJECTS.reshape(1, 3)):
        assert ag.function(lambda x: x.tolist())(xs) == xs.tolist()
