"""Numbers that rewrites stumble over."""
from __future__ import annotations

import numpy as np


def values(dtype):
    """The values of a dtype that are known for trouble, in rows."""
    dtype = np.dtype(dtype)
    if dtype.kind == 'b':
        return np.array([[True, False], [False, True]])
    if dtype.kind in 'iu':
        most = np.iinfo(dtype)
        found = [0, 1, 2, 3, 4, 5, 7, most.max, most.max - 1, most.min, most.min + 1, most.max // 2]
        return np.array(found, dtype).reshape(3, 4)
    most = np.finfo(dtype)
    real = np.array(
        [0.0, -0.0, 1, -1, 0.5, -2.5, 3, np.nan, np.inf, -np.inf, most.max, most.min, most.tiny,
         -most.smallest_subnormal, most.eps, 1 / 3],
        most.dtype)
    if dtype.kind == 'c':
        whole = np.empty((len(real), len(real)), dtype)
        whole.real, whole.imag = np.meshgrid(real, real)
        return whole
    return real.reshape(4, 4)
