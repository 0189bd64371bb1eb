"""An array of 1000 numbers filled from a recurrence."""
import numpy as np


def make():
    return (np.sin(np.arange(1000.0)),)


def numpy(x):
    y = np.zeros(1000)
    y[0] = x[0]
    for i in range(1, 1000):
        y[i] = 0.9 * y[i - 1] + 0.1 * x[i]
    return y
