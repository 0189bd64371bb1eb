"""The edit distance of two texts of 60 and 50 letters."""
import numpy as np


def make():
    rng = np.random.default_rng(5)
    return rng.integers(0, 4, size=60), rng.integers(0, 4, size=50)


def numpy(a, b):
    row = np.arange(51)
    for i in range(60):
        corner = row[0]
        row[0] = i + 1
        for j in range(50):
            cost = corner if a[i] == b[j] else corner + 1
            corner = row[j + 1]
            row[j + 1] = min(cost, corner + 1, row[j] + 1)
    return row[50]


def jax(jax):
    jnp = jax.numpy

    def run(a, b):
        def cell(j, state):
            row, corner, i = state
            cost = jnp.where(a[i] == b[j], corner, corner + 1)
            corner = row[j + 1]
            best = jnp.minimum(cost, jnp.minimum(corner + 1, row[j] + 1))
            return row.at[j + 1].set(best), corner, i

        def line(i, row):
            start = row.at[0].set(i + 1), row[0], i
            return jax.lax.fori_loop(0, 50, cell, start)[0]

        return jax.lax.fori_loop(0, 60, line, jnp.arange(51))[50]

    return run
