"""The root of a cubic by bisection: a `while` on floats."""
import numpy as np


def make():
    return np.float64(1.0), np.float64(2.0)


def numpy(low, high):
    while high - low > 1e-12:
        middle = (low + high) / 2
        if middle * middle * middle - middle - 2 < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2
