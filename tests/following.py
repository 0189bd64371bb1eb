"""What is refused, and the same as the message says to write it: that runs as in plain Python."""
from __future__ import annotations

import copy

import numpy as np
import pytest
from differential import run_printed

import autograph_lite as ag


def shown(x):
    """What a value is and holds; a number of NumPy is what it is in Python."""
    if isinstance(x, (list, tuple)):
        return type(x).__name__, list(map(shown, x))
    if isinstance(x, dict):
        return [(key, shown(value)) for key, value in x.items()]
    if isinstance(x, (np.ndarray, np.generic)):
        return x.tolist()
    if hasattr(x, '__dict__'):
        return type(x).__name__, {name: shown(value) for name, value in vars(x).items()}
    return x


def ran(f, args, outside):
    """What a call returns, and what it leaves in what it is given and in a list outside."""
    before, given = copy.deepcopy(outside), copy.deepcopy(args)
    found = shown([f(*given), given, outside])
    outside[:] = before
    return found


def check_advice(refused, followed, advice, calls, other_calls=None, outside=None):
    """Follows what is said.

    Args:
      refused: a function.
      followed: the same as the message says to write it.
      advice: what the message says.
      calls: arguments.
      other_calls: those of the changed function, where it is given something else.
      outside: a list outside that it changes.
    """
    outside = [] if outside is None else outside
    with pytest.raises(ag.errors.AutographError) as caught:
        ag.function(refused)(*copy.deepcopy(calls[0]))
    place, *_, text = str(caught.value).splitlines()[1:]
    assert place.endswith(f', in {refused.__name__}')
    assert advice in text
    graph = ag.function(followed)
    for args in other_calls or calls:
        expected = ran(followed, args, outside)
        if other_calls is None:
            assert expected == ran(refused, args, outside)
        for run in (ag.to_graph(followed), run_printed(followed), graph):
            assert ran(run, args, outside) == expected
