"""Which functions of NumPy trace: a walk over its public names, each called with sample arguments.

`python tests/ops/numpy_coverage.py` writes `docs/numpy-coverage.md`.
"""
from __future__ import annotations

import copy
import pathlib
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

TESTS = pathlib.Path(__file__).parents[1]
if __name__ == '__main__':
    sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from ops.evaluate import check  # noqa: E402  where it is found is said above
from ops.numpy_names import NOT_ON_VALUES, functions  # noqa: E402

import autograph_lite as ag  # noqa: E402

PAGE = TESTS.parent / 'docs' / 'numpy-coverage.md'

# Functions that modify their first argument.
_UPDATES = {
    'copyto', 'fill', 'fill_diagonal', 'partition', 'place', 'put', 'put_along_axis', 'putmask',
    'setfield', 'sort',
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A function: whether it traces, and why not where it does not."""

    name: str
    verdict: str
    why: str
    failures: tuple[str, ...]


def tensors(part: Any) -> list[Any]:
    """The arrays and NumPy scalars among the arguments."""
    if isinstance(part, tuple | list):
        return [tensor for item in part for tensor in tensors(item)]
    return [part] if isinstance(part, np.ndarray | np.generic) else []


def replaced(part: Any, inputs: Iterator[Any]) -> Any:
    """The arguments with others for the arrays and NumPy scalars."""
    if isinstance(part, tuple | list):
        return type(part)(replaced(item, inputs) for item in part)
    return next(inputs) if isinstance(part, np.ndarray | np.generic) else part


def accepted(function: Callable[..., Any], sample: tuple[Any, ...]) -> bool:
    """Whether NumPy itself takes the arguments."""
    with warnings.catch_warnings(), np.errstate(all='ignore'):
        warnings.simplefilter('ignore')
        try:
            function(*copy.deepcopy(sample))
        except Exception:
            return False
    return True


def outcome(
    name: str, function: Callable[..., Any], sample: tuple[Any, ...], symbolic: bool
) -> tuple[str, str]:
    """'same', 'refused' or 'fails', and why."""
    updates = name.rpartition('.')[2] in _UPDATES

    def run(*inputs: Any) -> Any:
        args = replaced(sample, iter(inputs))
        if not updates:
            return ag.call(function, *args)
        changed = args[0].copy()
        return ag.call(function, changed, *args[1:]), changed

    try:
        check(run, *tensors(sample), symbolic=symbolic)
    except ag.errors.AutographError as error:
        return 'refused', str(error).splitlines()[0]
    except Exception as error:
        return 'fails', f'{sample}: {type(error).__name__}: {error}'
    return 'same', ''


def row(name: str, function: Callable[..., Any], samples: list[tuple[Any, ...]]) -> Row | None:
    """What becomes of one function; None where NumPy takes none of the samples."""
    known, unknown, failures = [], [], []
    for sample in samples:
        # Vectors of unknown length are taken to be of 3; those of 2 are gone from NumPy 2.5.
        if not accepted(function, sample) or (function is np.cross and len(sample) > 2):
            continue
        for symbolic, found in ((False, known), (True, unknown)):
            kind, why = outcome(name, function, sample, symbolic)
            found.append((kind, why))
            if kind == 'fails':
                failures.append(why)
    if not known:
        return None
    refused = [why for kind, why in known if kind == 'refused']
    later = [why for kind, why in unknown if kind == 'refused']
    verdict = 'refused' if len(refused) == len(known) else 'partly' if refused else 'traces'
    why = refused[0] if refused else f'unknown lengths: {later[0]}' if later else ''
    return Row(name, verdict, _plain(why), tuple(failures))


def _plain(why: str) -> str:
    return re.sub(r'Tensor\(".*?, dtype=[^)]+\)', 'A tensor', why).replace('|', r'\|')


def rows() -> list[Row]:
    """Every public name with a meaning on values that a sample fits."""
    return [found for each in functions() if (found := row(*each)) is not None]


def page(found: list[Row]) -> str:
    """The page of what traces and what does not."""
    counts = {
        verdict: sum(each.verdict == verdict for each in found)
        for verdict in ('traces', 'partly', 'refused')
    }
    head = f"""# NumPy in a graph

Every public name of NumPy {np.__version__} that is called or indexed: the functions and classes of
`numpy`, `numpy.linalg`, `fft`, `emath`, `strings`, `char`, `random` and `lib.stride_tricks`, the
methods of random generators and ufuncs, the methods and attributes of arrays. Each is called
eagerly and as a graph with the same arguments: value, dtype, shape and type are the same, or the
call is refused while tracing, in one sentence. {counts['traces']} trace,
{counts['partly']} trace for some arguments only, {counts['refused']} are refused;
{len(NOT_ON_VALUES)} more have no meaning on values and stand
[at the end](#what-has-no-meaning-on-values). Made by `python tests/ops/numpy_coverage.py`; the
tests compare.

What is called stays as it is written. While tracing, every call of NumPy sees its arguments first,
so that lists of tensors (`np.sum([a, b])`, `np.maximum.reduce([a, b])`) are the arrays that NumPy
would make of them, and draws from a random generator are made when the graph runs, in order.

| function | | why not, and where |
|---|---|---|
"""
    lines = (f'| `{each.name}` | {each.verdict} | {each.why} |' for each in found)
    others = (f'| `{name}` | {why} |' for name, why in NOT_ON_VALUES.items())
    return head + '\n'.join(lines) + """

## What has no meaning on values

| name | what it does |
|---|---|
""" + '\n'.join(others) + '\n'


if __name__ == '__main__':
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(rows()))
