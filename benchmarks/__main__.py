"""Runs every workload every way, in rounds that alternate between the ways, and prints a table.

    python -m benchmarks
    python -m benchmarks --python tensorflow=venv/bin/python --python xla=venv/bin/python
"""
from __future__ import annotations

import argparse
import base64
import json
import math
import os
import pickle
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .startup import startup
from .workloads import NAMES

OURS = ('eager', 'autograph_lite')
ROOT = Path(__file__).parents[1]


class Worker:
    """A process that runs the workloads one way."""

    def __init__(self, way: str, python: str) -> None:
        environment = {**os.environ, 'PYTHONPATH': str(ROOT), 'TF_CPP_MIN_LOG_LEVEL': '3'}
        self.process = subprocess.Popen(
            [python, '-m', 'benchmarks.worker', way],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if os.environ.get('BENCH_ERRORS') else subprocess.DEVNULL,
            env=environment,
            text=True,
        )

    def ask(self, *request: Any) -> Any:
        """The answer to a request; None where it failed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        return json.loads(line).get('answer') if line else None

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def agree(expected: Sequence[Any], found: Sequence[Any], exact: bool) -> bool:
    """Whether the results are the same; those of a peer up to rounding."""
    if len(expected) != len(found):
        return False
    for a, b in zip(expected, found, strict=True):
        x, y = np.asarray(a), np.asarray(b)
        if exact and (type(a) is not type(b) or x.dtype != y.dtype or x.tobytes() != y.tobytes()):
            return False
        if x.shape != y.shape or not np.allclose(x, y, rtol=1e-3, atol=1e-3, equal_nan=True):
            return False
    return True


def measure(
    workers: dict[str, Worker], names: Sequence[str], rounds: int, seconds: float
) -> dict[str, dict[str, dict[str, Any]]]:
    """For each workload and way: the best mean time of a call, the first call's, agreement."""
    table: dict[str, dict[str, dict[str, Any]]] = {}
    for name in names:
        row = table[name] = {}
        expected = None
        for way, worker in workers.items():
            prepared = worker.ask('prepare', name)
            if prepared is None:
                continue
            result = pickle.loads(base64.b64decode(prepared['result']))
            expected = expected or result
            exact = way in OURS
            row[way] = {
                'first': prepared['first'],
                'agrees': agree(expected, result, exact),
                'time': math.inf,
            }
        for _ in range(rounds):
            for way, cell in row.items():
                cell['time'] = min(cell['time'], workers[way].ask('time', name, seconds))
        print(f'measured {name}', file=sys.stderr)
    return table


def mean_ratio(table: dict[str, dict[str, dict[str, Any]]], way: str, base: str) -> str:
    """The geometric mean of the ratios of times, over the workloads that both run."""
    logs = [
        math.log(row[way]['time'] / row[base]['time'])
        for row in table.values()
        if way in row and base in row
    ]
    return f'{math.exp(sum(logs) / len(logs)):.2f} ({len(logs)})' if logs else ''


def report(table: dict[str, dict[str, dict[str, Any]]], imports: dict[str, float]) -> str:
    """The tables as Markdown."""
    ways = list(imports)
    lines = ['Time of a call in microseconds, and in brackets its ratio to eager NumPy:', '']
    lines += _head('workload', ways)
    for name, row in table.items():
        cells = [_time(row, way) for way in ways]
        lines.append(f'| {name} | ' + ' | '.join(cells) + ' |')
    means = [mean_ratio(table, way, 'eager') for way in ways]
    lines.append('| geometric mean of the ratios | ' + ' | '.join(means) + ' |')
    means = [mean_ratio(table, 'autograph_lite', way) for way in ways]
    lines.append('| `autograph_lite` to this one | ' + ' | '.join(means) + ' |')
    lines += ['', 'The first call in milliseconds:', '', *_head('workload', ways)]
    for name, row in table.items():
        cells = [f'{row[way]["first"] * 1e3:.1f}' if way in row else '' for way in ways]
        lines.append(f'| {name} | ' + ' | '.join(cells) + ' |')
    times = ' | '.join(f'{imports[way] * 1e3:.0f}' for way in ways)
    lines += ['', 'The import in milliseconds:', '', *_head('', ways), f'| import | {times} |']
    lines += ['', startup()]
    return '\n'.join(lines)


def _head(first: str, ways: Sequence[str]) -> list[str]:
    return [f'| {first} | ' + ' | '.join(ways) + ' |', '|---|' + '--:|' * len(ways)]


def _time(row: dict[str, dict[str, Any]], way: str) -> str:
    if way not in row:
        return ''
    ratio = row[way]['time'] / row['eager']['time']
    text = f'{row[way]["time"] * 1e6:.1f} ({ratio:.2f})'
    return text if row[way]['agrees'] else text + ' differs'


def plot(table: dict[str, dict[str, dict[str, Any]]], ways: Sequence[str], path: str) -> None:
    """A bar for each workload and way: its time over that of eager NumPy."""
    import matplotlib

    matplotlib.use('Agg')
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(11, 5), layout='constrained')
    shown = [way for way in ways if way != 'eager']
    width = 0.8 / len(shown)
    for i, way in enumerate(shown):
        places = [j + i * width for j, row in enumerate(table.values()) if way in row]
        values = [r[way]['time'] / r['eager']['time'] for r in table.values() if way in r]
        axes.bar(places, values, width, label=way)
    axes.axhline(1, color='black', linewidth=0.8)
    axes.set_yscale('log')
    axes.set_ylabel('time of a call, eager NumPy = 1')
    axes.set_xticks([j + 0.4 for j in range(len(table))], list(table), rotation=45, ha='right')
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks', description=__doc__)
    parser.add_argument('names', nargs='*', default=NAMES, help='the workloads; all of them')
    parser.add_argument(
        '--python', action='append', default=[], metavar='WAY=PATH',
        help='the interpreter for tensorflow, xla, jax or numba',
    )  # fmt: skip
    parser.add_argument('--rounds', type=int, default=100)
    parser.add_argument('--seconds', type=float, default=0.005, help='time for one measurement')
    parser.add_argument('--plot', metavar='PATH', help='also draws the ratios')
    options = parser.parse_args()
    pythons = dict.fromkeys(OURS, sys.executable)
    pythons |= dict(text.split('=', 1) for text in options.python)
    workers = {way: Worker(way, python) for way, python in pythons.items()}
    imports = {way: worker.ask('imported') for way, worker in workers.items()}
    table = measure(workers, options.names, options.rounds, options.seconds)
    for worker in workers.values():
        worker.close()
    print(f'`python {" ".join(["-m", "benchmarks", *map(_bare, sys.argv[1:])])}`')
    print(f'{platform.processor() or platform.machine()}, {os.cpu_count()} cores, ', end='')
    print(f'Python {platform.python_version()}, NumPy {np.__version__}\n')
    print(report(table, imports))
    if options.plot:
        plot(table, list(pythons), options.plot)


def _bare(argument: str) -> str:
    """An option without a path of this machine."""
    way, _, path = argument.partition('=')
    return f'{way}=.../{Path(path).name}' if path else argument


if __name__ == '__main__':
    main()
