"""The pages of `docs/` say what the code does: their blocks run, and print what they say."""
from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / 'docs'
LIBRARY = DOCS.parent / 'autograph_lite'
PAGES = sorted(DOCS.glob('*.md'))


@pytest.fixture(scope='module')
def build():
    spec = importlib.util.spec_from_file_location('docs_build', DOCS / 'build.py')
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.version_info < (3, 11), reason='Python 3.10 keeps no columns to show')
@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_a_page_says_what_the_code_does(page, build):
    """After a change of what the library prints, run `python docs/build.py` and read the change."""
    assert build.built(page) == page.read_text(encoding='utf-8')


@pytest.mark.parametrize('page', PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in re.findall(r'\]\(([\w./-]+)\)', page.read_text(encoding='utf-8')):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize('folder', ['', 'graph', 'operators'])
def test_every_file_has_its_place_on_the_map(folder):
    """Put a new file where it belongs in `docs/map.md`; `python docs/build.py` writes the rest."""
    found = re.findall(r'\(\.\./autograph_lite/(\S+\.py)\):', (DOCS / 'map.md').read_text('utf-8'))
    placed = [name for name in found if (LIBRARY / name).parent == LIBRARY / folder]
    files = (LIBRARY / folder).glob('[!_]*.py')
    there = [path.relative_to(LIBRARY).as_posix() for path in files]
    assert sorted(placed) == sorted(there)
