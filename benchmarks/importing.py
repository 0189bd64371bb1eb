"""What the import costs: NumPy's alone and the package's, each in a new interpreter, by turns.

Both are compiled before, as they are where they were installed.

    python -m benchmarks.importing
"""
from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time

from . import __main__ as benchmarks

MODULES = ('numpy', 'autograph_lite')


def seconds(module: str, compiled: str) -> float:
    """How long an interpreter takes to start, import a module and end; `compiled` is a folder."""
    environment = {
        **os.environ, 'PYTHONPATH': str(benchmarks.ROOT), 'PYTHONPYCACHEPREFIX': compiled,
        'PYTHONDONTWRITEBYTECODE': ''}
    start = time.perf_counter()
    subprocess.run([sys.executable, '-c', f'import {module}'], env=environment, check=True)
    return time.perf_counter() - start


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.importing', description=__doc__)
    parser.add_argument('--rounds', type=int, default=12)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as compiled:
        rounds = [
            [seconds(module, compiled) for module in MODULES] for _ in range(options.rounds + 1)]
    numpy, ours = (min(times) * 1e3 for times in zip(*rounds[1:], strict=True))
    print(f'NumPy {numpy:.0f} ms, autograph_lite {ours:.0f} ms ({ours / numpy:.2f})')


if __name__ == '__main__':
    main()
