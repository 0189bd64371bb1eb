"""A recurrent network of 100 steps, batch 8, from 16 to 32 units."""
import numpy as np


def make():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(100, 8, 16)).astype(np.float32)
    w = rng.normal(size=(16, 32)).astype(np.float32) * np.float32(0.2)
    u = rng.normal(size=(32, 32)).astype(np.float32) * np.float32(0.1)
    return x, w, u, np.zeros(32, np.float32)


def numpy(x, w, u, b):
    h = np.zeros((x.shape[1], u.shape[0]), x.dtype)
    for t in range(x.shape[0]):
        h = np.tanh(x[t] @ w + h @ u + b)
    return h


def tensorflow(tf):
    def run(x, w, u, b):
        h = tf.zeros((8, 32), tf.float32)
        for t in tf.range(100):
            h = tf.tanh(x[t] @ w + h @ u + b)
        return h

    return run


def jax(jax):
    jnp = jax.numpy

    def run(x, w, u, b):
        h = jnp.zeros((8, 32), jnp.float32)
        return jax.lax.scan(lambda h, row: (jnp.tanh(row @ w + h @ u + b), None), h, x)[0]

    return run
