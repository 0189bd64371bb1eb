"""Importing the package: what is there, and how little is loaded for it."""
import builtins
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import autograph_lite as ag


def loaded_by(statement):
    """The modules that a statement loads in a new process that has NumPy."""
    code = f'import sys, numpy; had = set(sys.modules); {statement}; print(*set(sys.modules) - had)'
    run = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_every_name_is_there():
    assert len(dir(ag)) <= 80
    for name in (*dir(ag), *dir(ag.operators)):
        assert getattr(ag, name) is not None
    with pytest.raises(AttributeError, match=r"'autograph_lite' has no attribute 'nothing'"):
        ag.nothing  # noqa: B018  that is the test


def test_importing_every_name_hides_no_builtin():
    assert set(ag.__all__) == {name for name in dir(ag) if not hasattr(builtins, name)}


@pytest.mark.parametrize('name', dir(ag))
def test_every_name_is_in_the_reference(name):
    page = Path(__file__).parent.parent / 'docs' / 'reference.md'
    assert re.search(rf'`ag\.{name}\b', page.read_text(encoding='utf-8'))


def test_what_only_a_trace_needs_is_loaded_for_a_trace():
    loaded = loaded_by('import autograph_lite as ag; f = ag.function(lambda x: x + 1)')
    assert len([name for name in loaded if name.startswith('autograph_lite')]) < 25
    for part in 'ops', 'operators', 'optimize', 'backends', 'converters', 'pyct.parser', 'report':
        assert f'autograph_lite.{part}' not in loaded
    assert loaded.isdisjoint({'numpy.random', 'gast', 'astunparse'})


def test_a_first_trace_loads_no_more_than_it_needs(tmp_path, monkeypatch):
    script = tmp_path / 'user.py'
    script.write_text('import autograph_lite as ag\n\n@ag.function\ndef f(x):\n    return x + 1\n')
    monkeypatch.setenv('PYTHONPATH', str(tmp_path), prepend=os.pathsep)
    loaded = loaded_by('import user; user.f(numpy.ones(3))')
    assert 'autograph_lite.trace' in loaded
    assert loaded.isdisjoint({'numpy.random', 'astunparse', 'concurrent.futures'})
    assert 'autograph_lite.report' not in loaded
