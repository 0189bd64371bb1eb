"""`warnings.warn` while a graph is traced: what tells of tensors warns when the graph runs.

Anything else warns while tracing, as `print` prints.
"""
from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from ..errors import StagingError, describe, is_internal, user_location
from ..graph.dispatch import replaces
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value
from ..ops.python_functions import PYTHON_ACTION


@replaces(warnings.warn)
def _warn(
    message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **kwargs: Any
) -> None:
    """`warnings.warn`, which counts the user's frames alone.

    Raises:
      StagingError: it is given an exception that tensors are in, of which Python makes the text.
    """
    if isinstance(message, Warning) and any(isinstance(x, Tensor) for x in message.args):
        name = type(message).__name__
        what = f'The text of a {name} with values that only the running graph knows is not known.'
        fix = f"Give the text and the class: `warnings.warn(f'...', {name})`."
        raise StagingError(describe(what, user_location(), fix))
    depth, left = 0, max(stacklevel, 1)
    found: FrameType | None = None
    frame: FrameType | None = sys._getframe(0)
    while frame is not None and left:
        is_users = not is_internal(frame.f_code.co_filename)
        found = frame if is_users else found
        left -= is_users
        depth, frame = depth + 1, frame.f_back
    if not isinstance(message, Tensor) or found is None:
        warnings.warn(message, category, depth + left, *args, **kwargs)
        return
    names = found.f_globals
    registry = names.setdefault('__warningregistry__', {})
    place = found.f_code.co_filename, found.f_lineno, str(names.get('__name__', '<string>'))
    run = Warned(category or UserWarning, *place, registry)
    emit(PYTHON_ACTION, [message], {'run': run, 'types': []}, value_of=held_value)


@dataclass(frozen=True)
class Warned:
    """Warns when the graph runs, for the line of the user's."""

    category: Any
    filename: str
    line: int
    module: str
    registry: dict[Any, Any] = field(repr=False)

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return 'warn'

    def __call__(self, message: Any) -> None:
        """Warns with this text."""
        warnings.warn_explicit(
            message, self.category, self.filename, self.line, self.module, self.registry)
