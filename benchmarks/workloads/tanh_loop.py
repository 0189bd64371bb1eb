"""A `while` whose test is a reduction, on an array of five numbers."""
import numpy as np


def make():
    return (np.linspace(0.5, 1.5, 5),)


def numpy(x):
    while np.sum(x) > 1:
        x = np.tanh(x)
    return x
