"""The main test: plain Python, converted Python and the graph give the same, to the last bit."""
from __future__ import annotations

import copy
import dataclasses
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

import autograph_lite as ag

Outcome = tuple[str, Any]


def check(
    f: Callable[..., Any],
    *calls: tuple[Any, ...],
    traces: int | None = None,
    joins: bool = False,
) -> Any:
    """Runs every call in all four ways and compares value, dtype, shape and type.

    Args:
      f: the function under test.
      *calls: the arguments of each call, as tuples; fresh copies go to every way.
      traces: how many traces all the calls together may take; 1 unless told.
      joins: whether the graph may give NumPy's number for a Python number, as it does where
        another way to the same place gives NumPy's.

    Returns:
      The `ag.Function`, for tests that go on to look at the graph.
    """
    converted = ag.to_graph(f)
    printed = run_printed(f)
    graph = ag.function(f)
    for args in calls:
        expected = outcome(f, args)
        for way, run in (('converted', converted), ('printed', printed), ('graph', graph)):
            got = outcome(run, args)
            alike = joined if joins and way == 'graph' else same
            assert alike(expected, got), (
                f'{way}: {f.__name__}{args} gives\n  {got!r}, plain Python\n  {expected!r}\n'
                + ag.to_code(f)
            )
    wanted = 1 if traces is None else traces
    assert graph.tracing_count == wanted, f'{graph.tracing_count} traces, not {wanted}'
    return graph


def outcome(f: Callable[..., Any], args: tuple[Any, ...]) -> Outcome:
    """What a call returns, or the exception that it raises."""
    try:
        return 'returns', f(*copy.deepcopy(args))
    except Exception as error:
        return 'raises', error


def run_printed(f: Callable[..., Any]) -> Callable[..., Any]:
    """The function that the text of `to_code` defines, in a copy of the user's module."""
    names = dict(f.__globals__) | {'ag': ag}
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            continue
    text = textwrap.dedent(ag.to_code(f))
    if f.__name__ == '<lambda>':
        return eval(text, names)
    exec(text, names)
    return names[f.__name__]


def joined(a: Any, b: Any) -> bool:
    """Whether two results are the same, or the second one NumPy's number for the first."""
    if type(a) is type(b) and isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(joined, a, b))
    if type(a) is type(b) and isinstance(a, dict):
        return list(a) == list(b) and all(joined(a[k], b[k]) for k in a)
    if type(a) is type(b) and dataclasses.is_dataclass(a):
        return joined(vars(a), vars(b))
    if isinstance(b, np.generic) and isinstance(a, (bool, int, float, np.generic)):
        return bool(a == b) and isinstance(a, bool) <= isinstance(b, np.bool_)
    return same(a, b)


def same(a: Any, b: Any) -> bool:
    """Whether two results are equal in value, dtype, shape and type; NaN equals NaN."""
    if isinstance(a, BaseException) or isinstance(b, BaseException):
        is_ours = isinstance(b, ag.errors.AutographError)
        return type(b) is type(a) or (isinstance(b, type(a)) and is_ours)
    if type(a) is not type(b):
        return False
    if isinstance(a, (np.ndarray, np.generic)):
        return a.dtype == b.dtype and a.shape == b.shape and _same_content(a, b)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    if dataclasses.is_dataclass(a):
        return same(vars(a), vars(b))
    return repr(a) == repr(b)


def _same_content(a: Any, b: Any) -> bool:
    if a.dtype.char in 'gG':  # there is room between two numbers, which holds anything
        parts = (lambda x: x.real, lambda x: x.imag)
        return all(
            np.array_equal(part(a), part(b), equal_nan=True)
            and np.array_equal(np.signbit(part(a)), np.signbit(part(b)))
            for part in parts
        )
    if a.dtype.char in 'OT':  # what is there is an address
        return same(a.tolist(), b.tolist())
    return bool(a.tobytes() == b.tobytes())
