"""What the tests of functions share."""
from __future__ import annotations

import pytest

from autograph_lite.optimize import optimize


@pytest.fixture
def _wrong_tanh(monkeypatch):
    """In graphs, `np.tanh` is `np.sinh`."""

    def wrong(graph):
        for node in graph.walk():
            if node.attrs.get('ufunc') == 'numpy.tanh':
                node.attrs['ufunc'] = 'numpy.sinh'
        return optimize(graph)

    monkeypatch.setattr('autograph_lite.trace.optimize', wrong)
