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


def tensorflow(tf):
    return numpy


def jax(jax):
    jnp = jax.numpy

    def turn(state):
        low, high = state
        middle = (low + high) / 2
        below = middle * middle * middle - middle - 2 < 0
        return jnp.where(below, middle, low), jnp.where(below, high, middle)

    def run(low, high):
        low, high = jax.lax.while_loop(lambda s: s[1] - s[0] > 1e-12, turn, (low, high))
        return (low + high) / 2

    return run
