"""How long functions take to convert, and unrolled graphs to become programs, by their size.

    python -m benchmarks.compiling
    python -m benchmarks.compiling --lines 1000 --operations 10000
"""
from __future__ import annotations

import argparse
import gc
import itertools
import linecache
import platform
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import autograph_lite as ag
from autograph_lite import concrete, trace

# What stands again and again in a function of some shape, with a number in the place of `#`.
SHAPES = {
    'straight-line': ['y = x * # + y', 'x = np.tanh(x) - y[0]'],
    'long expressions': ['x = x * # + y - (x + y * n - #) * np.sin(x + #) / np.sqrt(y * y)'],
    'calls': ['x = helper(x, #)', 'y = helper(y, x)'],
    'ifs': ['if x > #:', '    x = x - #'],
    'if else': ['if x > #:', '    x = x - #', 'else:', '    y = x + #'],
    'elifs': ['if x == #:', '    y = 0', *5 * ['elif x == y + #:', '    y = y + #']],
    'for': ['for i in range(n):', '    x = x + i * #'],
    'while': ['while x > #:', '    x = x - #'],
    'nested loops': [
        'for i in range(n):', '    while x > y:', '        for j in range(i):',
        '            if x > j:', '                x = x + i * j', '            y = y + x'],
    'returns': ['if x == #:', '    return #'],
    'returns in loops': [
        'for i in range(n):', '    if x == i:', '        return #', '    x = x + i'],
    'breaks': ['for i in range(n):', '    if x > i:', '        break', '    x = x + #'],
    'and, or, if else': ['x = x > # and y < # or not x', 'y = x if y > # else y + 1'],
    'comprehensions': ['x = sum([v * # for v in x if v > #])'],
}

# Loops over lists, which are unrolled; how many operations a turn has.
UNROLLED = {
    'arithmetic': (2, 'x = x * c + y'),
    'branches': (4, 'if x[0] > c: x = x + y'),
    'functions': (5, 'y = np.tanh(x) * c; x = np.where(y > x[1], x, y)'),
    'items': (3, 'x[int(c) % 3] = x[0] + y[1]'),
}


_numbers = itertools.count()


def function_of(lines: Sequence[str], **names: Any) -> Callable[..., Any]:
    """The function of a text, which stands where Python looks for the text of files."""
    text = '\n'.join(lines) + '\n'
    filename = f'<compiled {next(_numbers)}>'
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    namespace = {'np': np, 'helper': lambda a, b: a + b, **names}
    exec(compile(text, filename, 'exec'), namespace)
    function: Callable[..., Any] = namespace['f']
    return function


def written(shape: str, count: int) -> Callable[..., Any]:
    """A function of a shape, of so many lines."""
    lines = ['def f(x, n=3):', '    y = 0']
    while len(lines) < count - 1:
        lines += [f'    {line}'.replace('#', str(len(lines))) for line in SHAPES[shape]]
    return function_of([*lines, '    return x'])


def converting(shape: str, count: int) -> float:
    """The least time of three conversions, if they are short, each of a function of its own."""
    times: list[float] = []
    while len(times) < 3 and sum(times) < 1:
        function = written(shape, count)
        gc.collect()  # what the functions before have left is none of its time
        start = time.process_time()
        ag.to_graph(function)
        times.append(time.process_time() - start)
    return min(times)


def unrolled(body: str, turns: int) -> dict[str, float]:
    """How long tracing, optimising and lowering take, and the first call after them."""
    lines = ['def f(x, y):', '    x = x.copy()', '    for c in NUMBERS:', f'        {body}']
    function = ag.function(function_of(
        [*lines, '    return x'], NUMBERS=[1 + i * 1e-9 for i in range(turns)]))
    args = np.array([0.5, 0.25, 0.125]), np.array([0.1, 0.2, 0.3])
    found: dict[str, float] = {}

    def timed(name: str, step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            start = time.process_time()
            result = step(*args)
            found[name] = time.process_time() - start
            return result

        return run

    optimize, lower = trace.optimize, concrete.lower
    trace.optimize, concrete.lower = timed('optimise', optimize), timed('lower', lower)
    try:
        timed('all', function.get_concrete_function)(*args)
    finally:
        trace.optimize, concrete.lower = optimize, lower
    found['trace'] = found.pop('all') - found['optimise'] - found['lower']
    timed('call', function)(*args)
    return {name: found[name] for name in ('trace', 'optimise', 'lower', 'call')}


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(prog='python -m benchmarks.compiling', description=__doc__)
    parser.add_argument('--lines', type=int, nargs='*', default=[1000, 3000, 10_000])
    parser.add_argument('--operations', type=int, nargs='*', default=[10_000, 100_000])
    options = parser.parse_args()
    converting('ifs', 20)
    print(f'{platform.processor() or platform.machine()}, Python {platform.python_version()}\n')
    print('Converting a function of so many lines, in seconds of the processor:\n')
    _row('', *(f'{count:,}' for count in options.lines))
    print('|---|' + '--:|' * len(options.lines))
    for shape in SHAPES:
        _row(shape, *(f'{converting(shape, count):.2f}' for count in options.lines))
    print('\nUnrolled loops over a list, in seconds of the processor:\n')
    _row('', 'operations', 'trace', 'optimise', 'lower', 'call')
    print('|---|' + '--:|' * 5)
    for name, (operations, body) in UNROLLED.items():
        for count in options.operations:
            times = unrolled(body, count // operations)
            _row(name, f'{count:,}', *(f'{seconds:.2f}' for seconds in times.values()))


def _row(*cells: str) -> None:
    print('| ' + ' | '.join(cells) + ' |', flush=True)


if __name__ == '__main__':
    main()
