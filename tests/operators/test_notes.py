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
