"""What `docs/supported.md` says is refused is refused: by class, with file, line and advice."""
from __future__ import annotations

import importlib.util
import linecache
from pathlib import Path

import numpy as np
import pytest

import autograph_lite as ag

_PATH = Path(__file__).parent.parent.parent / 'docs' / 'refusals.py'
_spec = importlib.util.spec_from_file_location('docs_refusals', _PATH)
refusals = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(refusals)


@pytest.mark.parametrize('row', refusals.REFUSALS, ids=lambda row: row.what)
def test_it_is_refused_at_the_users_line(row):
    filename = f'<{row.what}>'
    lines = row.program.splitlines(keepends=True)
    linecache.cache[filename] = (len(row.program), None, lines, filename)
    names = {'np': np, '__name__': 'refused'}
    exec(compile(row.program, filename, 'exec'), names)
    with pytest.raises(getattr(ag.errors, row.error)) as caught:
        ag.function(names['f'])(*row.args)
    for number, text in enumerate(lines, 1):
        if '# here' in text:
            assert f'File "{filename}", line {number}, in ' in str(caught.value)
