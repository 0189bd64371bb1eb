"""Every public function of NumPy traces and gives NumPy's result, or refuses; and the page is true.

Run with `-s` to see the counts.
"""
from __future__ import annotations

import collections
import re

import numpy as np
from ops.numpy_coverage import PAGE, page, rows


def test_every_public_function_traces_or_refuses() -> None:
    found = rows()
    counts = collections.Counter(each.verdict for each in found)
    print(dict(counts))
    assert [f'{each.name} {why}' for each in found for why in each.failures] == []
    assert counts['traces'] > 450
    written = PAGE.read_text()
    if f'NumPy {np.__version__} ' in written:
        assert page(found) == written, 'run python tests/ops/numpy_coverage.py'
    told = dict(re.findall(r'^\| `(.*?)` \| (\w+) \|', written, re.MULTILINE))
    differ = [each for each in found if told.get(each.name, each.verdict) != each.verdict]
    if np.lib.NumpyVersion(np.__version__) < '2.3.0':
        # Four functions on texts are plain functions there, which hand their arguments to others.
        differ = [each for each in differ if not each.name.startswith('numpy.char.')]
    assert differ == []
