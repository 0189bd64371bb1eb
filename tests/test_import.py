"""Importing the package: what is there, and how little is loaded for it."""
import subprocess
import sys

import autograph_lite as ag


def loaded_by(statement):
    """The modules that a statement loads in a new process that has NumPy."""
    code = f'import sys, numpy; had = set(sys.modules); {statement}; print(*set(sys.modules) - had)'
    run = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_every_name_is_there():
    assert dir(ag) == ag.__all__
    for name in ag.__all__:
        assert getattr(ag, name) is not None


def test_what_only_a_trace_needs_is_loaded_for_a_trace():
    loaded = loaded_by('import autograph_lite as ag; f = ag.function(lambda x: x + 1)')
    assert len([name for name in loaded if name.startswith('autograph_lite')]) < 25
    for part in 'ops', 'operators', 'optimize', 'backends', 'converters', 'pyct', 'report':
        assert f'autograph_lite.{part}' not in loaded
    assert loaded.isdisjoint({'numpy.random', 'gast', 'astunparse'})
