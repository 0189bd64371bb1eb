"""The notebooks run from top to bottom, each in a fresh interpreter."""
from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / 'examples'
NOTEBOOKS = sorted(EXAMPLES.glob('*.ipynb'))

# IPython itself, without a server or a kernel between: what a cell's last line gives is displayed.
RUN = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
for cell in json.load(open(sys.argv[1]))['cells']:
    if cell['cell_type'] == 'code':
        shell.run_cell(''.join(cell['source']), store_history=True).raise_error()
"""


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda path: path.stem)
def test_runs(path, tmp_path):
    command = [sys.executable, '-c', RUN, str(path)]
    environment = {'IPYTHONDIR': str(tmp_path), 'MPLBACKEND': 'agg'}
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda path: path.stem)
def test_is_shown_as_it_was_run(path):
    text = path.read_text(encoding='utf-8')
    cells = [cell for cell in json.loads(text)['cells'] if cell['cell_type'] == 'code']
    assert [cell['execution_count'] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell['outputs']]
    assert not [o for o in outputs if o['output_type'] == 'error' or o.get('name') == 'stderr']
    assert not re.search(r'/(?:tmp|home|root|usr)/', json.dumps(outputs))


def test_every_notebook_is_there():
    assert [path.stem[0] for path in NOTEBOOKS] == ['1', '2', '3', '4']
