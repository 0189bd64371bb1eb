"""What each rewrite gains: every workload that it changes, with it and without it, by turns.

    python -m benchmarks.gains
"""
from __future__ import annotations

import argparse
import importlib
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

import autograph_lite as ag
from autograph_lite import optimize

from .workloads import NAMES

# Those that prepare a graph for the NumPy program: what stands in the place of one does nothing.
LOWERING = {
    'unboxing': 'unboxed',
    'elementwise_blocks': 'elementwise_blocks',
    'item_updates': 'item_updates',
    'products': 'products',
    'mask_rows': 'mask_rows',
    'short_sums': 'short_sums',
    'buffer_reuse': 'buffer_reuse',
    'scratch': 'scratch',
}
REWRITES = [rewrite.__name__ for rewrite in optimize.REWRITES] + list(LOWERING)
Run = Callable[[], Any]


# What the workloads, written with care, have nothing of.


def repetitions(x: Any) -> Any:
    """The same part twice, a part that nobody needs, and some that change nothing."""
    np.sort(x)
    y = np.sin(x) * 2 + np.abs(np.abs(np.sin(x)))
    return np.negative(-y) + (x / 2) ** 2


def fixed_part(x: Any, a: Any) -> Any:
    """A part that is the same in each turn."""
    for _ in range(20):
        x = np.tanh(np.linalg.inv(a) @ x)
    return x


SMALL = {
    repetitions: (np.linspace(0, 1, 1000),),
    fixed_part: (np.ones(10), np.eye(10)),
}


@contextmanager
def without(name: str) -> Iterator[None]:
    """While this lasts, graphs are made into programs without the rewrite."""
    if name in LOWERING:
        module = importlib.import_module(f'autograph_lite.optimize.{name}')
        with mock.patch.object(module, LOWERING[name], return_value=None):
            yield
    else:
        kept = tuple(each for each in optimize.REWRITES if each.__name__ != name)
        with mock.patch.object(optimize, 'REWRITES', kept):
            yield


def program(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[str, Run]:
    """The lowered code of a function, and a call of it."""
    concrete = ag.function(function).get_concrete_function(*args)
    return concrete.lowered_code, lambda: concrete(*args)


def subjects() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The functions to measure, by name, and what they are called with."""
    modules = {name: importlib.import_module(f'benchmarks.workloads.{name}') for name in NAMES}
    found = {name: (module.numpy, module.make()) for name, module in modules.items()}
    return found | {function.__name__: (function, args) for function, args in SMALL.items()}


def gain(before: Run, after: Run, rounds: int) -> tuple[float, float]:
    """The best times of a call, measured by turns, in seconds."""
    best = {before: float('inf'), after: float('inf')}
    for _ in range(rounds):
        for run in best:
            calls, start = 0, time.perf_counter()
            while (taken := time.perf_counter() - start) < 0.005:
                run()
                calls += 1
            best[run] = min(best[run], taken / calls)
    return best[before], best[after]


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.gains', description=__doc__)
    parser.add_argument('--rounds', type=int, default=50)
    options = parser.parse_args()
    found = subjects()
    programs = {name: program(*subject) for name, subject in found.items()}
    print('| rewrite | program | without, us | with, us | ratio |\n|---|---|--:|--:|--:|')
    for rewrite in REWRITES:
        print(f'measures {rewrite}', file=sys.stderr)
        for name, (code, run) in programs.items():
            with without(rewrite):
                plain_code, plain = program(*found[name])
            if plain_code != code:
                before, after = gain(plain, run, options.rounds)
                cells = f'{before * 1e6:.1f} | {after * 1e6:.1f} | {after / before:.2f}'
                print(f'| `{rewrite}` | {name} | {cells} |', flush=True)


if __name__ == '__main__':
    main()
