"""The notebooks run from top to bottom, each in a fresh interpreter, and show what they gave."""
from __future__ import annotations

import ast
import importlib.util
import json
import re
import sys
from importlib import resources
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / 'examples'
NOTEBOOKS = sorted(EXAMPLES.glob('*.ipynb'))


@pytest.fixture(scope='module')
def run():
    spec = importlib.util.spec_from_file_location('examples_run', EXAMPLES / 'run.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cells_of(notebook):
    return [cell for cell in notebook['cells'] if cell['cell_type'] == 'code']


def texts(notebook):
    """What the cells print and give, as text, but for what is measured."""
    for cell in cells_of(notebook):
        if 'measured' not in cell['metadata'].get('tags', ()):
            for output in cell['outputs']:
                yield ''.join(output.get('text') or output['data']['text/plain'])


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda path: path.stem)
def test_says_what_the_code_does(path, run):
    """After a change of what the library prints, run `python docs/build.py` and look at it."""
    committed = json.loads(path.read_text(encoding='utf-8'))
    again = run.executed(path)
    if sys.version_info >= (3, 11):  # Python 3.10 keeps no columns to show
        assert list(texts(again)) == list(texts(committed))


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda path: path.stem)
def test_is_shown_as_it_was_run(path):
    cells = cells_of(json.loads(path.read_text(encoding='utf-8')))
    assert [cell['execution_count'] for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell['outputs']]
    assert not [o for o in outputs if o['output_type'] == 'error' or o.get('name') == 'stderr']
    assert not re.search(r'/(?:tmp|home|root|usr)/', json.dumps(outputs))


@pytest.mark.parametrize('path', NOTEBOOKS, ids=lambda path: path.stem)
def test_reports_look_as_they_do_now(path):
    cells = cells_of(json.loads(path.read_text(encoding='utf-8')))
    shown = [''.join(o.get('data', {}).get('text/html', ())) for c in cells for o in c['outputs']]
    reports = [html for html in shown if 'class="ag-report"' in html]
    assert reports
    for name in ('page.css', 'page.js'):
        now = resources.files('autograph_lite.report').joinpath(name).read_text(encoding='utf-8')
        assert all(now in html for html in reports)
    drawing = resources.files('autograph_lite.report').joinpath('picture.js').read_text('utf-8')
    assert all((drawing in html) == ('ag-drawing"' in html) for html in reports)


def test_every_notebook_is_there():
    assert [path.stem[0] for path in NOTEBOOKS] == ['1', '2', '3', '4']


def test_the_gallery_has_every_construct_of_control_flow():
    gallery = json.loads((EXAMPLES / '2_control_flow.ipynb').read_text(encoding='utf-8'))
    cells = [ast.parse(''.join(cell['source'])) for cell in cells_of(gallery)]
    shown = {type(node) for cell in cells for node in ast.walk(cell)}
    assert shown >= {
        ast.If, ast.IfExp, ast.BoolOp, ast.Match, ast.While, ast.For, ast.Break, ast.Continue,
        ast.ListComp, ast.Assert, ast.Raise, ast.Try, ast.With, ast.Lambda, ast.NamedExpr,
        ast.Nonlocal, ast.Global, ast.Delete,
    }
