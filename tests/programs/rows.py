"""Rows of the corpus: functions of a module, each marked with the calls that it is run with."""
from __future__ import annotations

import functools
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from differential import Difference, Program, compare, run_printed

import autograph_lite as ag

F, I = np.float64, np.int64  # noqa: E741
CORPUS = Path(__file__).parent / 'corpus'
AnyFunction = TypeVar('AnyFunction', bound=Callable[..., Any])


@dataclass(frozen=True)
class Row:
    """What is known of one program beside its text."""

    calls: tuple[tuple[Any, ...], ...]
    traces: int | None
    refused: str | None
    fails: str | None


def program(
    *calls: Any, traces: int | None = 1, refused: str | None = None, fails: str | None = None
) -> Callable[[AnyFunction], AnyFunction]:
    """Marks a function as a row.

    Args:
      *calls: the arguments of each call; what is no tuple is the only argument.
      traces: how many traces all calls take together; None if it does not matter.
      refused: a part of the message with which the graph is refused.
      fails: why the row does not pass yet, although it is promised.
    """
    row = Row(
        tuple(each if isinstance(each, tuple) else (each,) for each in calls), traces, refused,
        fails)

    def mark(function: AnyFunction) -> AnyFunction:
        function.row = row  # type: ignore[attr-defined]
        return function

    return mark


def A(*values: Any) -> np.ndarray[Any, Any]:
    """An array of what is given."""
    return np.array(values)


def rows() -> Iterator[tuple[str, str, Row]]:
    """The topic, the name and the row of each program, in the order of the text."""
    for path in sorted(CORPUS.glob('*.py')):
        for name, value in vars(_module(path.stem)).items():
            if isinstance(value, types.FunctionType) and hasattr(value, 'row'):
                yield path.stem, name, value.row


def load(topic: str, name: str) -> Program:
    """A program in a module that is run anew, so that all it reaches is as at first."""
    namespace = vars(_module(topic))
    return Program(namespace[name], namespace[name].row.calls, namespace)


def _module(topic: str) -> types.ModuleType:
    module = types.ModuleType(f'corpus_{topic}')
    module.__file__ = str(CORPUS / f'{topic}.py')
    sys.modules[module.__name__] = module
    exec(_code(topic), vars(module))
    return module


@functools.cache
def _code(topic: str) -> types.CodeType:
    path = CORPUS / f'{topic}.py'
    return compile(path.read_text(encoding='utf-8'), str(path), 'exec')


def differences(topic: str, name: str) -> tuple[list[Difference], int]:
    """How the ways to run a program differ from plain Python, and how often it was traced."""
    graphs = []

    def graph(f: Callable[..., Any]) -> Callable[..., Any]:
        graphs.append(ag.function(f))
        return graphs[-1]

    ways = {
        'converted': ag.to_graph, 'printed': lambda f: run_printed(f, f.__globals__),
        'graph': graph}
    found = list(compare(lambda: load(topic, name), ways, joins=True))
    return found, graphs[-1].tracing_count
