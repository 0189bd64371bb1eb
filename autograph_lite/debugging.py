"""`ag.debugging`: assertions about arrays, checked when the graph runs, and a watch for NaNs."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from .config import check_numerics
from .graph.tensor import Tensor, valued
from .graph.tracing import is_tracing
from .operators.effects import assert_
from .operators.formatting import text
from .ops.strings import Part

__all__ = [
    'assert_all_finite',
    'assert_equal',
    'assert_greater',
    'assert_greater_equal',
    'assert_less',
    'assert_less_equal',
    'assert_near',
    'assert_negative',
    'assert_non_negative',
    'assert_non_positive',
    'assert_none_equal',
    'assert_positive',
    'assert_rank',
    'assert_shapes',
    'assert_type',
    'disable_check_numerics',
    'enable_check_numerics',
]


def _require(holds: Any, message: str | None, *what: Part) -> None:
    """Asserts that every element is true, now or when the graph runs."""
    staged = isinstance(holds, Tensor) or (is_tracing() and any(map(_is_staged, what)))
    test = np.all(holds) if staged else bool(np.all(holds))
    assert_(test, lambda: text(f'{message}\n' if message else '', *what))


def _is_staged(part: Part) -> bool:
    return isinstance(part, tuple) and isinstance(part[0], Tensor)


def _values(**values: Any) -> list[Part]:
    """The end of a message: what the arguments are."""
    parts: list[Part] = ['.']
    for name, value in values.items():
        parts += [f'\n  {name} = ', (value, -1, '')]
    return parts


def _comparison(name: str, ufunc: np.ufunc, sign: str) -> Callable[..., None]:
    def compare(x: Any, y: Any, message: str | None = None) -> None:
        x, y = valued(x), valued(y)
        what = f'x {sign} y does not hold for every element'
        _require(ufunc(x, y), message, what, *_values(x=x, y=y))

    compare.__name__ = compare.__qualname__ = name
    compare.__doc__ = f"""Asserts that `x {sign} y` for every pair of elements.

    Args:
      x: an array or number.
      y: another, which broadcasts with it.
      message: what else the error says.

    Raises:
      AssertionError: it does not hold.
    """
    return compare


def _against_zero(name: str, ufunc: np.ufunc, sign: str) -> Callable[..., None]:
    def compare(x: Any, message: str | None = None) -> None:
        x = valued(x)
        what = f'x {sign} 0 does not hold for every element'
        _require(ufunc(x, 0), message, what, *_values(x=x))

    compare.__name__ = compare.__qualname__ = name
    compare.__doc__ = f"""Asserts that `x {sign} 0` for every element.

    Raises:
      AssertionError: it does not hold.
    """
    return compare


assert_equal = _comparison('assert_equal', np.equal, '==')
assert_none_equal = _comparison('assert_none_equal', np.not_equal, '!=')
assert_less = _comparison('assert_less', np.less, '<')
assert_less_equal = _comparison('assert_less_equal', np.less_equal, '<=')
assert_greater = _comparison('assert_greater', np.greater, '>')
assert_greater_equal = _comparison('assert_greater_equal', np.greater_equal, '>=')
assert_positive = _against_zero('assert_positive', np.greater, '>')
assert_non_negative = _against_zero('assert_non_negative', np.greater_equal, '>=')
assert_negative = _against_zero('assert_negative', np.less, '<')
assert_non_positive = _against_zero('assert_non_positive', np.less_equal, '<=')


def assert_near(
    x: Any, y: Any, rtol: float = 1e-5, atol: float = 1e-8, message: str | None = None
) -> None:
    """Asserts that `|x - y| <= atol + rtol * |y|` for every pair of elements.

    Raises:
      AssertionError: it does not hold.
    """
    x, y = valued(x), valued(y)
    near = np.less_equal(np.abs(np.subtract(x, y)), np.add(atol, np.multiply(rtol, np.abs(y))))
    _require(near, message, 'x and y are not near for every element', *_values(x=x, y=y))


def assert_all_finite(x: Any, message: str | None = None) -> None:
    """Asserts that no element is a NaN or an infinity.

    Raises:
      AssertionError: one is.
    """
    x = valued(x)
    _require(np.isfinite(x), message, 'x has a NaN or an infinity', *_values(x=x))


def assert_type(x: Any, dtype: Any, message: str | None = None) -> None:
    """Asserts the dtype, at once: it is known while tracing.

    Raises:
      AssertionError: it is another.
    """
    found = np.dtype(getattr(x, 'dtype', None) or np.asarray(x).dtype)
    _at_once(found == np.dtype(dtype), message, f'x has the dtype {found}, not {np.dtype(dtype)}')


def assert_rank(x: Any, rank: int, message: str | None = None) -> None:
    """Asserts the number of axes, at once: it is known while tracing.

    Raises:
      AssertionError: it is another.
    """
    found = len(_shape(x))
    _at_once(found == rank, message, f'x has {found} axes, not {rank}')


def assert_shapes(
    shapes: Iterable[tuple[Any, Any]] | dict[Any, Any], message: str | None = None
) -> None:
    """Asserts shapes whose lengths may have names: equal names stand for equal lengths.

        ag.debugging.assert_shapes([(x, ('N', 'Q')), (y, ('N', 3)), (scalar, ())])

    Args:
      shapes: pairs of an array and its shape: an integer, a name, or None for any length; `...`
        first for any number of axes.
      message: what else the error says.

    Raises:
      AssertionError: a shape is another, at once as far as it is known while tracing.
    """
    pairs = shapes.items() if isinstance(shapes, dict) else shapes
    lengths: dict[str, Any] = {}
    for i, (x, wanted) in enumerate(pairs):
        wanted = wanted if isinstance(wanted, Sequence) else (wanted,)
        shape = _shape(x)
        if wanted and wanted[0] is ...:
            wanted = wanted[1:]
            shape = shape[len(shape) - len(wanted) :] if len(shape) >= len(wanted) else shape
        found: list[Part] = [f'array {i} has the shape ', *_shown(shape)]
        not_found = f', not {tuple(wanted)}'
        if len(shape) != len(wanted):
            known_only = [part if isinstance(part, str) else '?' for part in found]
            _at_once(False, message, ''.join(known_only) + not_found)
        for length, symbol in zip(shape, wanted, strict=True):
            if symbol in (None, '.', '*'):
                continue
            where: list[Part] = ['.']
            wanted_length = symbol
            if isinstance(symbol, str):
                wanted_length = lengths.setdefault(symbol, length)
                where = [f', where {symbol} is ', (wanted_length, -1, ''), '.']
            if wanted_length is not length:
                holds = np.equal(length, wanted_length)
                _require(holds, message, *found, not_found, *where)


def _shown(shape: Sequence[Any]) -> list[Part]:
    """A shape whose lengths may be known only when the graph runs."""
    parts: list[Part] = []
    for length in shape:
        parts += [', ' if parts else '(', (length, -1, '')]
    return [*parts, ',)' if len(shape) == 1 else ')'] if parts else ['()']


def _shape(x: Any) -> tuple[Any, ...]:
    shape = getattr(x, 'shape', None)
    return np.shape(x) if shape is None else tuple(shape)


def _at_once(holds: bool, message: str | None, what: str) -> None:
    if not holds:
        raise AssertionError(f'{message}\n{what}.' if message else f'{what}.')


def enable_check_numerics() -> None:
    """Makes every graph check what it computes.

    The first operation that makes a NaN or an infinity raises FloatingPointError at the user's
    line. Functions are traced anew for it.
    """
    check_numerics(True)


def disable_check_numerics() -> None:
    """Ends what `enable_check_numerics` began."""
    check_numerics(False)
