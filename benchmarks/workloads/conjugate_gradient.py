"""Conjugate gradient with a tolerance, 50 unknowns."""
import numpy as np


def make():
    rng = np.random.default_rng(1)
    a = rng.normal(size=(50, 50))
    return a @ a.T + 50 * np.eye(50), rng.normal(size=50)


def numpy(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rho = r @ r
    while np.sqrt(rho) > 1e-10:
        q = a @ p
        alpha = rho / (p @ q)
        x = x + alpha * p
        r = r - alpha * q
        new = r @ r
        p = r + (new / rho) * p
        rho = new
    return x


def tensorflow(tf):
    def run(a, b):
        x = tf.zeros_like(b)
        r = b - tf.linalg.matvec(a, x)
        p = r
        rho = tf.tensordot(r, r, 1)
        while tf.sqrt(rho) > 1e-10:
            q = tf.linalg.matvec(a, p)
            alpha = rho / tf.tensordot(p, q, 1)
            x = x + alpha * p
            r = r - alpha * q
            new = tf.tensordot(r, r, 1)
            p = r + (new / rho) * p
            rho = new
        return x

    return run


def jax(jax):
    jnp = jax.numpy

    def run(a, b):
        def turn(state):
            x, r, p, rho = state
            q = a @ p
            alpha = rho / (p @ q)
            r = r - alpha * q
            new = r @ r
            return x + alpha * p, r, r + (new / rho) * p, new

        start = jnp.zeros_like(b), b, b, b @ b
        return jax.lax.while_loop(lambda s: jnp.sqrt(s[3]) > 1e-10, turn, start)[0]

    return run
