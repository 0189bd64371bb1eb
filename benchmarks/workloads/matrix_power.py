"""A 10 by 10 matrix of int32 to the power 100."""
import numpy as np


def make():
    return np.arange(100, dtype=np.int32).reshape(10, 10) % 3, np.int64(100)


def numpy(a, power):
    result = np.eye(10, dtype=np.int32)
    while power > 0:
        result = result @ a
        power -= 1
    return result


def tensorflow(tf):
    def run(a, power):
        result = tf.eye(10, dtype=tf.int32)
        while power > 0:
            result = result @ a
            power -= 1
        return result

    return run


def jax(jax):
    jnp = jax.numpy

    def run(a, power):
        eye = jnp.eye(10, dtype=jnp.int32)
        return jax.lax.fori_loop(0, power, lambda _, result: result @ a, eye)

    return run
