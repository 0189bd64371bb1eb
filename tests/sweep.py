"""Many small programs, each run plainly and as graphs: values, types, errors and warnings."""
from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from differential import same

import autograph_lite as ag

Warned = list[tuple[str, str]]


def differences(f: Callable[..., Any], *args: Any, unknown: bool = True) -> list[str]:
    """How the graph of a function differs from plain Python, for these arguments.

    Value, dtype, shape and type of what it returns, or class and message of what it raises, and the
    warnings. With `unknown`, also for a trace in which the length of no axis is known; there an
    error of NumPy's may come without the lengths.
    """
    expected, warned = _run(f, args)
    found = []
    for way, graph in _graphs(f, args, unknown):
        got, also_warned = _run(graph, args)
        if not _alike(expected, got, exact=way == 'known axes'):
            found.append(f'{way}: {got!r} instead of {expected!r}')
        elif warned != also_warned:
            found.append(f'{way}: warns {also_warned} instead of {warned}')
    return found


def check_all(
    programs: Iterable[tuple[str, Callable[..., Any], tuple[Any, ...]]], unknown: bool = True
) -> None:
    """Asserts that no program differs; they are named where they do."""
    found = [
        f'{name}: {difference}'
        for name, program, args in programs
        for difference in differences(program, *args, unknown=unknown)
    ]
    assert not found, '\n'.join(found)


def refusal(f: Callable[..., Any], *args: Any) -> str:
    """The message with which a graph refuses what plain Python does."""
    f(*copy.deepcopy(args))
    try:
        ag.function(f)(*copy.deepcopy(args))
    except ag.errors.AutographError as error:
        return str(error)
    return ''


def _graphs(
    f: Callable[..., Any], args: tuple[Any, ...], unknown: bool
) -> Iterable[tuple[str, Callable[..., Any]]]:
    yield 'known axes', ag.function(f)
    if unknown and any(isinstance(x, np.ndarray) and x.ndim for x in args):
        yield 'unknown axes', ag.function(f, input_signature=[_spec(x) for x in args])


def _spec(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return ag.TensorSpec([None] * x.ndim, x.dtype)
    return ag.TensorSpec((), x.dtype) if isinstance(x, np.generic) else x


def _run(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Warned]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter('always')
        try:
            result = f(*copy.deepcopy(args))
        except Exception as error:
            result = error
    # What is computed once for two expressions warns once.
    return result, sorted({(each.category.__name__, str(each.message)) for each in caught})


def _alike(expected: Any, got: Any, exact: bool) -> bool:
    if not isinstance(expected, Exception) or type(got) is not type(expected):
        return same(expected, got)
    return not exact or _first_line(got) == _first_line(expected)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [''])[0].strip()
