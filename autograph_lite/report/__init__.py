"""Looking: a function's source, converted source, graph and program, side by side."""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .inspection import Inspection


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
    from .inspection import inspection

    return inspection(f, args, kwargs)


def as_html(f: Any) -> str:
    """How a notebook shows a `Function` or a `ConcreteFunction`."""
    from .inspection import inspection
    from .page import fragment

    return fragment(inspection(f, (), {}))
