"""`bytes(...)` of texts, numbers and arrays that only the running graph knows."""
from __future__ import annotations

import builtins
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.strings import bytes_of
from .listing import gathered
from .lists import StagedList


@replaces(builtins.bytes)
def _bytes(*args: Any, **kwargs: Any) -> Any:
    """`bytes(x)`, `bytes(text, encoding)`.

    Raises:
      StagingError: of a list that may have any length: the program has an array for it.
    """
    args, kwargs, is_staged = _read(args, kwargs)
    if args and isinstance(args[0], StagedList):
        what = 'Bytes are made of a list of which only the running graph knows the length.'
        fix = 'Write `np.array(items, np.uint8).tobytes()`.'
        raise StagingError(describe(what, user_location(), fix))
    return bytes_of(*args, **kwargs) if is_staged else builtins.bytes(*args, **kwargs)


@replaces(builtins.bytearray)
def _bytearray(*args: Any, **kwargs: Any) -> Any:
    """`bytearray(...)` of what is known.

    Raises:
      StagingError: only the running graph knows what is in it.
    """
    args, kwargs, is_staged = _read(args, kwargs)
    if is_staged:
        what = 'A bytearray is made of what only the running graph knows.'
        fix = 'Write `bytes(...)`, or an array of `np.uint8` to set its items.'
        raise StagingError(describe(what, user_location(), fix))
    return builtins.bytearray(*args, **kwargs)


def _read(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any, bool]:
    """The arguments as they are now, and whether there are tensors among them."""
    if not is_tracing():
        return args, kwargs, False
    args = tuple(map(valued, args))
    kwargs = {name: valued(x) for name, x in kwargs.items()}
    if args and not isinstance(args[0], Tensor):
        args = gathered(args[0]), *args[1:]
    leaves = nest.flatten((args, kwargs))[0]
    return args, kwargs, any(isinstance(x, Tensor) for x in leaves)
