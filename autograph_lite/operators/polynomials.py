"""`np.poly1d`: a polynomial whose coefficients only the running graph knows.

It is a nest of the array of its coefficients, of which NumPy drops leading zeros, so that their
number is not known either. What the graph returns of it is NumPy's own.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph.dispatch import replaces
from ..graph.nest import Nest
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import is_tracing
from ..ops.calls import call
from ..ops.template import holds_array


class Polynomial(Nest):
    """A `np.poly1d` while a graph is traced.

    Attributes:
      coeffs: its coefficients, that of the highest power first.
    """

    __slots__ = ('coeffs', 'variable')

    def __init__(self, coeffs: Any, variable: str) -> None:
        self.coeffs = coeffs
        self.variable = variable

    def parts(self) -> tuple[tuple[Any, ...], list[Any]]:
        return (self.variable,), [self.coeffs]

    @classmethod
    def of(cls, keys: tuple[Any, ...], parts: Sequence[Any]) -> Any:
        (coeffs,), (variable,) = parts, keys
        return cls(coeffs, variable) if is_tracing() else np.poly1d(coeffs, variable=variable)

    @classmethod
    def shown(cls, keys: tuple[Any, ...], parts: Sequence[str]) -> str:
        return f'poly1d({parts[0]})'

    @classmethod
    def steps(cls, keys: tuple[Any, ...], size: int) -> list[str]:
        return ['.coeffs']

    def stacked(self) -> Any:
        raise _unsupported('to be given to NumPy', 'Give it the coefficients: `p.coeffs`.')

    @property
    def order(self) -> Any:
        """The highest power."""
        return self.coeffs.shape[0] - 1

    @property
    def roots(self) -> Any:
        """Where it is zero."""
        return call('numpy.roots', (self.coeffs,), {})

    c = coef = coefficients = property(lambda self: self.coeffs)
    o = order
    r = roots

    def __call__(self, val: Any) -> Any:
        return call('numpy.polyval', (self.coeffs, val), {})

    def deriv(self, m: int = 1) -> Polynomial:
        """Its derivative."""
        return _polynomial(call('numpy.polyder', (self.coeffs,), {'m': m}))

    def integ(self, m: int = 1, k: Any = 0) -> Polynomial:
        """Its integral."""
        return _polynomial(call('numpy.polyint', (self.coeffs,), {'m': m, 'k': k}))

    def __getitem__(self, power: Any) -> Any:
        raise _unsupported('an index', 'Index `p.coeffs`, where the highest power comes first.')

    def __setitem__(self, power: Any, coefficient: Any) -> None:
        self[power]

    def __iter__(self) -> Any:
        return iter(self.coeffs)

    def __len__(self) -> int:
        return len(self.coeffs) - 1

    def __neg__(self) -> Polynomial:
        return _polynomial(-self.coeffs)

    def __pos__(self) -> Polynomial:
        return self

    def __add__(self, other: Any) -> Polynomial:
        return _polynomial(call('numpy.polyadd', (self.coeffs, _coeffs(other)), {}))

    def __sub__(self, other: Any) -> Polynomial:
        return _polynomial(call('numpy.polysub', (self.coeffs, _coeffs(other)), {}))

    def __mul__(self, other: Any) -> Polynomial:
        if np.isscalar(other):
            return _polynomial(self.coeffs * other)
        return _polynomial(call('numpy.polymul', (self.coeffs, _coeffs(other)), {}))

    def __truediv__(self, other: Any) -> Any:
        if np.isscalar(other):
            return _polynomial(self.coeffs / other)
        parts = call('numpy.polydiv', (self.coeffs, _coeffs(other)), {})
        return tuple(map(_polynomial, parts))

    def __pow__(self, power: Any) -> Polynomial:
        if not isinstance(power, int):
            raise _unsupported(f'the power {power!r}', 'Give a number that is known.')
        result = _polynomial(call('numpy.ones', (1,), {'dtype': int}))
        for _ in range(power):
            result = self * result
        return result

    def __radd__(self, other: Any) -> Polynomial:
        return _polynomial(call('numpy.polyadd', (self.coeffs, _left(other)), {}))

    def __rsub__(self, other: Any) -> Polynomial:
        return _polynomial(call('numpy.polysub', (_left(other), self.coeffs), {}))

    def __rmul__(self, other: Any) -> Polynomial:
        if np.isscalar(other):
            return _polynomial(other * self.coeffs)
        return _polynomial(call('numpy.polymul', (_left(other), self.coeffs), {}))

    def __eq__(self, other: object) -> Any:
        fix = 'Compare the coefficients: `np.array_equal(p.coeffs, q.coeffs)`.'
        raise _unsupported('`==`', fix)

    __ne__ = __eq__
    __hash__ = None  # type: ignore[assignment]


@replaces(np.poly1d)
def _poly1d(c_or_r: Any, r: bool = False, variable: str | None = None) -> Any:
    c_or_r = valued(c_or_r)
    if isinstance(c_or_r, Polynomial):
        return Polynomial(c_or_r.coeffs, variable or c_or_r.variable)
    if isinstance(c_or_r, np.poly1d) or not holds_array(c_or_r):
        return np.poly1d(c_or_r, r, variable)
    return _polynomial(call('numpy.poly', (c_or_r,), {}) if r else c_or_r, variable or 'x')


def _polynomial(coeffs: Any, variable: str = 'x') -> Polynomial:
    """The polynomial with these coefficients, without leading zeros but for a single one."""
    coeffs = call('numpy.atleast_1d', (coeffs,), {})
    if coeffs.ndim > 1:
        raise ValueError('Polynomial must be 1d only.')
    trimmed = call('numpy.trim_zeros', (coeffs, 'f'), {})
    is_empty = call('builtins.int', (trimmed.size == 0,), {})
    zero = call('numpy.zeros', (is_empty,), {'dtype': coeffs.dtype})
    return Polynomial(call('numpy.concatenate', ([trimmed, zero],), {}), variable)


@replaces(np.polyval)
def _polyval(p: Any, x: Any) -> Any:
    if isinstance(valued(x), Polynomial):
        raise _unsupported('to be put into another', 'Multiply and add polynomials.')
    p = valued(p)
    return call('numpy.polyval', (p.coeffs if _is_polynomial(p) else p, x), {})


def _coeffs(x: Any) -> Any:
    return x.coeffs if _is_polynomial(x) else x


def _is_polynomial(x: Any) -> bool:
    return isinstance(x, Polynomial | np.poly1d)


def _left(x: Any) -> Any:
    """What a polynomial is to the right of; NumPy takes it for an array there."""
    if isinstance(x, np.ndarray | np.generic) or (isinstance(x, Tensor) and not x.type.weak):
        raise _unsupported('what NumPy has to its left', 'Write the polynomial first: `p * x`.')
    return _coeffs(x)


def _unsupported(what: str, fix: str) -> StagingError:
    what = f'A polynomial that only the running graph knows does not support {what}.'
    return StagingError(describe(what, user_location(), fix))
