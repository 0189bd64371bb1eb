"""What each rewrite gains: every workload that it changes, with it and without it, by turns.

    python -m benchmarks.gains
"""
from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import numpy as np

import autograph_lite as ag
from autograph_lite import optimize
from autograph_lite.optimize import lowering

from .workloads import NAMES

# The lists of rewrites, which name all that there are.
LISTS: tuple[tuple[Any, str], ...] = (
    (optimize, 'REWRITES'), (lowering, 'EARLY'), (lowering, 'SPECULATIVE'), (lowering, 'EXACT'))
REWRITES = [rewrite.__name__ for place in LISTS for rewrite in getattr(*place)]
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


def normalized(x: Any) -> Any:
    """Columns of mean 0 and deviation 1."""
    return (x - x.mean(axis=0)) / np.std(x, axis=0)


def accuracy(scores: Any, labels: Any) -> Any:
    """How often the largest score is that of the label, and the scores as shares."""
    hits = np.argmax(scores, axis=1) == labels
    return np.mean(hits.astype(float)), scores / np.expand_dims(np.sum(scores, axis=1), 1)


def channels_last(images: Any) -> Any:
    """Images with the channels behind and in front, as libraries of different make want them."""
    return np.moveaxis(images, 1, -1).sum(), np.moveaxis(np.moveaxis(images, 1, -1), 0, 1)


@ag.function(input_signature=[ag.TensorSpec([1000], float), ag.TensorSpec([], int)])
def activation(x: Any, kind: Any) -> Any:
    """One of two, as a number says."""
    if kind == 0:
        return np.tanh(x)
    return 1 / (1 + np.exp(-x))


@ag.function(input_signature=[ag.TensorSpec([1000], float), ag.TensorSpec([], int)])
def derivative(x: Any, kind: Any) -> Any:
    """Its derivative."""
    if kind == 0:
        return 1 - np.tanh(x) ** 2
    y = 1 / (1 + np.exp(-x))
    return y * (1 - y)


def chosen(x: Any, error: Any) -> Any:
    """Programs that choose, called with numbers that leave no choice."""
    kind = np.int64(1)
    value = activation.get_concrete_function()(x, kind)
    return value, error * derivative.get_concrete_function()(x, kind)


def orbit(start: Any) -> Any:
    """The way of a point, as rows."""
    x, y = start[0], start[1]
    out = np.empty((300, 2))
    for i in range(300):
        x, y = x + 0.01 * y, y - 0.01 * x
        out[i] = x, y
    return out


def largest(x: Any) -> Any:
    """The largest one, if there is one."""
    best = None
    for value in x:
        if best is None or value > best:
            best = value
    return best


def quantized(pixels: Any) -> Any:
    """Pixels in steps of 16, what is left of them, and the mean of the steps of neighbours."""
    steps, rest = pixels // 16, pixels % 16
    return rest, (steps[1:] + steps[:-1]) / 2


def added(x: Any, y: Any) -> Any:
    """Rows that are updated one after the other."""
    x = x.copy()
    for i in range(1, 200):
        x[i] += x[i - 1] * y[i]
    return x


def projected(x: Any, w: Any, h: Any) -> Any:
    """A recurrent layer that asks for products by their name."""
    for row in x:
        h = np.tanh(np.dot(row, w) + h)
    return h


def leaky(x: Any) -> Any:
    """A choice for each element, without a pattern."""
    return np.where(x > 0, x, x * 0.01)


def smoothed(x: Any, turns: Any) -> Any:
    """Steps on a large grid."""
    total = np.zeros_like(x)
    for _ in range(turns):
        total += np.tanh(total * x - total * total)
    return total


def spectra(x: Any) -> Any:
    """The power of each frequency, row by row, under a window."""
    return np.abs(np.fft.rfft(x * np.hanning(256), axis=1)) ** 2


def heated(x: Any, turns: Any) -> Any:
    """Heat that spreads on a grid."""
    for _ in range(turns):
        around = x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:]
        inner = x[1:-1, 1:-1] * 0.5 + around * 0.125
        x = x.copy()
        x[1:-1, 1:-1] = inner
    return x


def adapted(weights: Any, slope: Any, turns: Any) -> Any:
    """Steps of Adam on a large matrix whose weights decay."""
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for _ in range(turns):
        step = slope + weights * 0.01
        mean = mean * 0.9 + step * 0.1
        square = square * 0.99 + step * step * 0.01
        weights = weights - 0.1 * mean / (np.sqrt(square) + 1e-8)
    return weights


SMALL = {
    adapted: (np.ones((500, 500)), np.ones((500, 500)), np.int64(10)),
    spectra: (np.ones((20, 256)),),
    heated: (np.ones((200, 200)), np.int64(10)),
    quantized: (np.arange(10_000),),
    added: (np.ones((200, 8)), np.ones((200, 8))),
    smoothed: (np.ones((500, 500)), np.int64(5)),
    projected: (np.ones((100, 8, 16)), np.ones((16, 32)), np.ones((8, 32))),
    leaky: (np.random.default_rng(0).normal(size=50_000).astype(np.float32),),
    largest: (np.linspace(0, 1, 300),),
    chosen: (np.linspace(-1, 1, 1000), np.linspace(0, 1, 1000)),
    orbit: (np.array([1.0, 0.0]),),
    normalized: (np.linspace(0, 1, 1000).reshape(100, 10) ** 2,),
    repetitions: (np.linspace(0, 1, 1000),),
    accuracy: (np.linspace(0, 1, 1000).reshape(100, 10) ** 2, np.arange(100) % 10),
    channels_last: (np.ones((2, 3, 8, 8)),),
    fixed_part: (np.ones(10), np.eye(10)),
}


@contextmanager
def without(name: str) -> Iterator[None]:
    """While this lasts, graphs are made into programs without the rewrite."""
    with ExitStack() as stack:
        for place in LISTS:
            kept = tuple(rewrite for rewrite in getattr(*place) if rewrite.__name__ != name)
            stack.enter_context(mock.patch.object(*place, kept))
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


def best(run: Run, rounds: int) -> float:
    """The best time of a call, in microseconds."""
    least = float('inf')
    for _ in range(rounds):
        calls, start = 0, time.perf_counter()
        while (taken := time.perf_counter() - start) < 0.005:
            run()
            calls += 1
        least = min(least, taken / calls)
    return least * 1e6


def apart(subject: str, rewrite: str, rounds: int) -> float:
    """The best time of a call in a process of its own, without a rewrite if one is named.

    What other programs have left of its memory would be the gain of some.
    """
    command = [sys.executable, '-m', 'benchmarks.gains', '--only', subject, rewrite]
    command += ['--rounds', str(rounds)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return float(printed)


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.gains', description=__doc__)
    parser.add_argument('--rounds', type=int, default=15)
    parser.add_argument('--turns', type=int, default=4)
    parser.add_argument('--only', nargs=2, metavar=('PROGRAM', 'REWRITE'), help=argparse.SUPPRESS)
    options = parser.parse_args()
    found = subjects()
    if options.only:
        name, rewrite = options.only
        with without(rewrite):
            _, run = program(*found[name])
        print(best(run, options.rounds))
        return
    codes = {name: program(*subject)[0] for name, subject in found.items()}
    print('| rewrite | program | without, us | with, us | ratio |\n|---|---|--:|--:|--:|')
    for rewrite in REWRITES:
        print(f'measures {rewrite}', file=sys.stderr)
        for name, code in codes.items():
            with without(rewrite):
                changed = program(*found[name])[0] != code
            if not changed:
                continue
            turns = [
                [apart(name, each, options.rounds) for each in (rewrite, '')]
                for _ in range(options.turns)
            ]
            before, after = map(min, zip(*turns, strict=True))
            cells = f'{before:.1f} | {after:.1f} | {after / before:.2f}'
            print(f'| `{rewrite}` | {name} | {cells} |', flush=True)


if __name__ == '__main__':
    main()
