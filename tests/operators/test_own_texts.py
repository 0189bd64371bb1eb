"""Objects whose classes say how they are shown."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from differential import check


class Both:
    def __init__(self, a):
        self.a = a

    def __str__(self):
        return f'V({self.a})' if self.a > 0 else 'negative'

    def __repr__(self):
        return f'<V {self.a:.2f}>'


class Formatted:
    def __init__(self, a):
        self.a = a

    def __format__(self, spec):
        return f'<F {self.a:{spec}}>' if spec else 'F'


@dataclass
class Point:
    a: float

    def __str__(self):
        return f'at {self.a}'


def shown(x):
    v = Both(x)
    return str(v), repr(v), f'{v}', f'{v!r}', f'{v!s:>10}', f'{[v, v]}', str((v,))


def formatted(x):
    v = Formatted(x)
    return f'{v:.1f} {v}', format(v, '.2f')


def of_a_dataclass(x):
    return str(Point(x)), f'{Point(x)}'


def by_other_ways(x):
    return '%s' % Both(x), '{} {}'.format(Both(x), 1), ' '.join([str(Both(x)), 'z'])  # noqa: UP031, UP032


def raised(x):
    if x > 0:
        raise ValueError(f'bad {Both(x)}')
    return x


@pytest.mark.parametrize('f', [shown, formatted, of_a_dataclass, by_other_ways, raised])
def test_is_python(f):
    check(f, (np.float64(1.5),), (np.float64(-2.5),))
