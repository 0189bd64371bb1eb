"""The number of Collatz steps to 1: a `while` with an `if`, on integers."""
import numpy as np


def make():
    return (np.int64(837799),)


def numpy(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:  # noqa: SIM108
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def tensorflow(tf):
    return numpy


def jax(jax):
    jnp = jax.numpy

    def turn(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    return lambda n: jax.lax.while_loop(lambda state: state[0] != 1, turn, (n, 0))[1]
