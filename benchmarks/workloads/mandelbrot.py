"""How soon each point of a 100 by 100 grid leaves the Mandelbrot set."""
import numpy as np


def make():
    x, y = np.meshgrid(np.linspace(-2, 1, 100), np.linspace(-1.5, 1.5, 100))
    return (x + 1j * y,)


def numpy(c):
    z = np.zeros_like(c)
    count = np.zeros(c.shape, np.int64)
    for _ in range(50):
        inside = z.real**2 + z.imag**2 < 4
        z = np.where(inside, z * z + c, z)
        count += inside
    return count


def tensorflow(tf):
    def run(c):
        z = tf.zeros_like(c)
        count = tf.zeros(c.shape, tf.int64)
        for _ in tf.range(50):
            inside = tf.math.real(z) ** 2 + tf.math.imag(z) ** 2 < 4
            z = tf.where(inside, z * z + c, z)
            count += tf.cast(inside, tf.int64)
        return count

    return run


def jax(jax):
    jnp = jax.numpy

    def run(c):
        def turn(_, state):
            z, count = state
            inside = z.real**2 + z.imag**2 < 4
            return jnp.where(inside, z * z + c, z), count + inside

        return jax.lax.fori_loop(0, 50, turn, (jnp.zeros_like(c), jnp.zeros(c.shape, int)))[1]

    return run
