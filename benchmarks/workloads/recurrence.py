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


def tensorflow(tf):
    def run(x):
        y = tf.TensorArray(tf.float64, size=1000)
        last = x[0]
        y = y.write(0, last)
        for i in tf.range(1, 1000):
            last = 0.9 * last + 0.1 * x[i]
            y = y.write(i, last)
        return y.stack()

    return run


def jax(jax):
    def turn(last, x):
        new = 0.9 * last + 0.1 * x
        return new, new

    def run(x):
        return jax.numpy.append(x[:1], jax.lax.scan(turn, x[0], x[1:])[1])

    return run
