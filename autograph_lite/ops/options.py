"""What tells a function how to do its work, such as an axis: tracing has to know it."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import StagingError
from ..graph.dispatch import FALLBACKS
from ..graph.tensor import Tensor
from ..graph.types import TensorType, python_text
from .public_names import target
from .refusals import refuse

_EACH_WAY = 'Call it on each way, `f(x, {}) if c else f(x, {})`, with results of one type.'
_DTYPES = (
    'An array has one dtype in a graph: give both ways one that holds the values of both, such as '
    "`np.result_type('f4', 'f8')`.")


def check_options(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """No argument that may be None is one for which None has a meaning, such as all axes.

    Raises:
      StagingError: one is.
    """
    given = [*enumerate(args), *kwargs.items()]
    optional = [
        at for at, x in given
        if isinstance(x, Tensor) and x.type.maybe and not FALLBACKS['is there'](x)]
    options = _options(name) if optional else ()
    for at in optional:
        option = next((each[1] for each in options if at in each), 'axis' if at == 'axis' else '')
        if option:
            why = f'has its `{option}` from what may be None when the graph runs.'
            raise refuse(name, why, _EACH_WAY.format(f'{option}=a', f'{option}=None'))


@functools.lru_cache(maxsize=256)
def _options(name: str) -> tuple[tuple[int, str], ...]:
    """The places and names of the parameters that take None."""
    try:
        function = target(name.replace('ndarray.', 'numpy.'))  # with the array for its first
        parameters = inspect.signature(function).parameters.values()
    except (AttributeError, TypeError, ValueError):
        return ()
    is_clip = name.rpartition('.')[2] == 'clip'
    return tuple(
        (i, each.name) for i, each in enumerate(parameters)
        if i and (each.default is None or each.name == 'axis' or is_clip))


def check_texts(name: str, types: Sequence[TensorType], error: Exception) -> None:
    """What a function says of the text that stands for one of the running graph, nobody asked.

    Raises:
      StagingError: it was given such a text.
    """
    is_numpys = name.startswith(('numpy.', 'ndarray.'))
    if isinstance(error, StagingError) or not is_numpys:
        return
    if any(python_text(type_) is not None for type_ in types):
        fix = _DTYPES if 'data type' in str(error) else _EACH_WAY.format("'this'", "'that'")
        raise refuse(name, 'is given a text that only the running graph knows.', fix) from None
