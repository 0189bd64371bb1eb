"""Looking: a function's source, converted source, graph and program, side by side."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .explanation import Explanation, explanation
from .inspection import Inspection, inspection


def inspect(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Inspection:
    """Shows what a function becomes: its converted source, its graph, its NumPy program.

    The result prints itself on a terminal, displays itself in a notebook, and `.save(path)` makes a
    page of it.

        ag.inspect(newton, np.float64(2.0)).save('report.html')

    Args:
      f: a function, a `Function` or a `ConcreteFunction`.
      *args: what to trace it for: arrays, TensorSpecs or Python values. Without any, a `Function`
        shows the traces that it has, and a function its converted source.
      **kwargs: likewise.

    Raises:
      TypeError: it is not callable.
      AutographError: it does not convert, or cannot be traced for these arguments.
    """
    return inspection(f, args, kwargs)


def explain(f: Callable[..., Any]) -> Explanation:
    """What becomes of each `if`, loop, comprehension and call of a function, and why.

    Args:
      f: a function, a method or a lambda; of an `ag.Function` that was called, the table also says
        what its traces made of each.

    Raises:
      ConversionError: it is nothing that converts.
      SourceNotFoundError: its source cannot be found.
    """
    return explanation(f)


def as_html(f: Any) -> str:
    """How a notebook shows a `Function` or a `ConcreteFunction`."""
    return inspection(f, (), {})._repr_html_()
