"""What Python itself makes of values that only the running graph knows: it is asked when that runs.

    json.dumps(rows)        statistics.mean(kept)       str(groups)
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph import dispatch, nest
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value, not_tracing
from ..graph.types import PYTHON_TEXTS, ListType, TensorType, type_of
from ..ops.python_functions import PYTHON_FUNCTION
from ..pyct.asking import get_attribute
from .dict_methods import DictMethods
from .folding import Folding
from .listing import gathered
from .passed_to_python import Passed, passed_arguments
from .python_functions import found_result
from .staged_iterable import Staged
from .unconverted import check_given
from .view_sets import SetOfView

# The functions of these modules that give a number or a text, and change nothing.
_FUNCTIONS = {
    'json': {'dumps'},
    'statistics': {
        'fmean', 'geometric_mean', 'harmonic_mean', 'mean', 'median', 'median_grouped',
        'median_high', 'median_low', 'mode', 'pstdev', 'pvariance', 'quantiles', 'stdev',
        'variance'},
}


def asks_python(f: Any) -> bool:
    """Whether a function is one of these."""
    return get_attribute(f, '__name__') in _FUNCTIONS.get(get_attribute(f, '__module__'), ())


def asked(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`; where there are tensors among these, when the graph runs.

    Raises:
      StagingError: the type of what the function gives depends on the values.
    """
    check_given(f, *args, *kwargs.values())
    args = args if f.__name__ == 'dumps' else tuple(map(_gone_through, args))
    passed, inputs = passed_arguments([list(args), kwargs], found_result)
    if not any(isinstance(x, Tensor) for x in inputs):
        return f(*args, **kwargs)
    if f.__name__ == 'dumps':
        return told(f, *args, **kwargs)
    return _emitted(_Asking(f, passed), inputs, *_found(f, passed, inputs))


def told(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """The text that a function gives when the graph runs."""
    passed, inputs = passed_arguments([list(args), kwargs], found_result)
    return _emitted(_Asking(f, passed), inputs, [PYTHON_TEXTS[str]], nest.LEAF)


class _Asking:
    """A function and its arguments, with holes for what the graph gives."""

    def __init__(self, function: Callable[..., Any], passed: Passed) -> None:
        self._function = function
        self._passed = passed

    def __call__(self, *values: Any) -> Any:
        args, kwargs = self._passed.fill(values)
        found = self._function(*args, **kwargs)
        return tuple(found) if isinstance(found, list) else found

    def __repr__(self) -> str:
        return self._function.__name__


def _gone_through(x: Any) -> Any:
    is_listed = isinstance(nest.actual(x), Folding | Staged | SetOfView | DictMethods)
    return gathered(x) if is_listed else x


def _emitted(
    asking: _Asking, inputs: Sequence[Any], types: list[TensorType], form: nest.Structure
) -> Any:
    attrs = {'run': asking, 'types': types}
    names = [repr(asking)] * len(types)
    found = emit(PYTHON_FUNCTION, inputs, attrs, names=names, value_of=held_value)
    return nest.unflatten(form, [dispatch.FALLBACKS['handle'](x) for x in found])


def _found(
    f: Callable[..., Any], passed: Passed, inputs: Sequence[Any]
) -> tuple[list[TensorType], nest.Structure]:
    """The types of what a function gives, and how that is nested: the same for several values."""
    types = [held_value(x).type for x in inputs]
    answers: list[tuple[list[TensorType | None], nest.Structure]] = []
    error: Exception | None = None
    for numbers in ((1, 1, 1), (1, 2, 2), (1, 2)):
        try:
            with not_tracing():
                args, kwargs = passed.fill([_stand_in(type_, numbers) for type_ in types])
                leaves, form = nest.flatten(f(*args, **kwargs))
        except (TypeError, ValueError) as raised:
            error = raised
            continue
        answers.append(([PYTHON_TEXTS.get(type(x)) or type_of(x) for x in leaves], form))
    if not answers:
        assert error is not None
        raise error
    first, form = answers[0]
    known = [type_ for type_ in first if type_ is not None]
    if len(known) < len(first) or any(each != answers[0] for each in answers):
        what = f'The type of what `{f.__name__}` gives depends on the values.'
        fix = 'Give it floats: `[float(x) for x in items]`.'
        raise StagingError(describe(what, user_location(), fix))
    return known, form


def _stand_in(type_: TensorType, numbers: Sequence[int]) -> Any:
    """A value of a type, of which a list has these numbers."""
    if isinstance(type_, ListType):
        element = type_.element
        return [] if element is None else [_number(element, n) for n in numbers]
    if type_.kind == 'array' and len(type_.shape or ()) == 1:
        return [_number(type_, n) for n in numbers]
    return _number(type_, numbers[0])


def _number(type_: TensorType, n: int) -> Any:
    if isinstance(type_, ListType):
        return _stand_in(type_, (n, n))
    if type_ in PYTHON_TEXTS.values():
        return str(n)
    return type_.python_type(n) if type_.weak else type_.dtype.type(n)
