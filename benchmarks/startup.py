"""What the start costs: `import numpy`, and from `import autograph_lite` to a first result.

Each in new interpreters, by turns, compiled before, as the files are where they were installed.

    python -m benchmarks.startup
"""
from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def small(xs: Any) -> Any:
    """A small function: the sum of what is above a limit."""
    total = 0.0
    for x in xs:
        if x > 0.5:
            total += x
    return total


def run(way: str) -> float:
    """The seconds of this process that one way takes."""
    start = time.perf_counter()
    import numpy as np

    if way == 'first_result':
        import autograph_lite as ag

        ag.function(small)(np.ones(3))
    return time.perf_counter() - start


def startup(rounds: int = 12) -> str:
    """The least times in milliseconds, in one sentence."""
    ways = ('import_numpy', 'first_result')
    with tempfile.TemporaryDirectory() as compiled:
        environment = {
            **os.environ, 'PYTHONPATH': str(ROOT), 'PYTHONPYCACHEPREFIX': compiled,
            'PYTHONDONTWRITEBYTECODE': ''}  # fmt: skip
        command = [sys.executable, '-m', 'benchmarks.startup']
        times = [
            [float(subprocess.check_output([*command, way], env=environment)) for way in ways]
            for _ in range(rounds + 1)
        ]
    numpy, first = (min(each) * 1e3 for each in zip(*times[1:], strict=True))
    return (
        f'`import numpy` {numpy:.0f} ms; from there to the first result of a small function, '
        f'`import autograph_lite` included, {first - numpy:.0f} ms more.'
    )


if __name__ == '__main__':
    print(run(sys.argv[1]) if len(sys.argv) > 1 else startup())
