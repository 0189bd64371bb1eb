"""Every public function of NumPy traces and gives NumPy's result, or refuses; and the page is true.

Run with `-s` to see the counts.
"""
from __future__ import annotations

import collections
import re
from typing import Any

import numpy as np
import pytest
from ops.numpy_coverage import PAGE, page, rows
from ops.numpy_names import MEMORY, NOT_ON_VALUES, functions, names

import autograph_lite as ag


def test_every_public_function_traces_or_refuses() -> None:
    found = rows()
    counts = collections.Counter(each.verdict for each in found)
    print(dict(counts))
    assert [f'{each.name} {why}' for each in found for why in each.failures] == []
    assert counts['traces'] > 700
    written = PAGE.read_text()
    if f'NumPy {np.__version__} ' in written:
        assert page(found) == written, 'run python tests/ops/numpy_coverage.py'
        assert {each.name for each in found} == {name for name, _, _ in functions()}
    told = dict(re.findall(r'^\| `(.*?)` \| (\w+) \|', written, re.MULTILINE))
    differ = [each for each in found if told.get(each.name, each.verdict) != each.verdict]
    if np.lib.NumpyVersion(np.__version__) < '2.3.0':
        # Four functions on texts are plain functions there, which hand their arguments to others.
        differ = [each for each in differ if not each.name.startswith('numpy.char.')]
    assert differ == []


def test_every_name_is_of_numpy() -> None:
    if f'NumPy {np.__version__} ' in PAGE.read_text():
        assert set(NOT_ON_VALUES) <= {name for name, _, _ in names()}


@pytest.mark.parametrize('name', MEMORY)
def test_what_asks_for_memory_is_refused(name: str) -> None:
    home, _, local = name.partition('.')

    def asked(x: Any) -> Any:
        found = getattr(np if home == 'numpy' else x, local)
        return found(x) if local == 'isfortran' else found(x, x) if callable(found) else found

    with pytest.raises(ag.errors.StagingError, match=f'{local}` (asks|changes)'):
        ag.function(asked)(np.zeros(3))
