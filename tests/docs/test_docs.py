"""The pages of `docs/` say what the code does: their blocks run, and print what they say."""
from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / 'docs'
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
