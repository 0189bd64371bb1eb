"""A polynomial of one number: nothing but the cost of a call."""
import numpy as np


def make():
    return (np.float64(3.0),)


def numpy(x):
    return x * x + 2


def tensorflow(tf):
    return numpy


def jax(jax):
    return numpy
