"""The likeliest path through a hidden Markov model: 100 steps, 20 states."""
import numpy as np


def make():
    rng = np.random.default_rng(2)
    return (
        np.log(rng.dirichlet(np.ones(20))),
        np.log(rng.dirichlet(np.ones(20), size=20)),
        np.log(rng.dirichlet(np.ones(8), size=20)),
        rng.integers(0, 8, size=100),
    )


def numpy(start, move, emit, seen):
    steps = seen.shape[0]
    back = np.zeros((steps, start.shape[0]), np.int64)
    score = start + emit[:, seen[0]]
    for t in range(1, steps):
        ways = score[:, np.newaxis] + move
        back[t] = np.argmax(ways, axis=0)
        score = np.max(ways, axis=0) + emit[:, seen[t]]
    path = np.zeros(steps, np.int64)
    state = np.argmax(score)
    path[steps - 1] = state
    for t in range(steps - 1, 0, -1):
        state = back[t, state]
        path[t - 1] = state
    return path


def tensorflow(tf):
    def run(start, move, emit, seen):
        back = tf.TensorArray(tf.int64, size=100, clear_after_read=False)
        score = start + tf.gather(emit, seen[0], axis=1)
        for t in tf.range(1, 100):
            ways = score[:, tf.newaxis] + move
            back = back.write(t, tf.argmax(ways, axis=0))
            score = tf.reduce_max(ways, axis=0) + tf.gather(emit, seen[t], axis=1)
        path = tf.TensorArray(tf.int64, size=100)
        state = tf.argmax(score)
        path = path.write(99, state)
        for t in tf.range(99, 0, -1):
            state = back.read(t)[state]
            path = path.write(t - 1, state)
        return path.stack()

    return run


def jax(jax):
    jnp = jax.numpy

    def run(start, move, emit, seen):
        def forward(score, letter):
            ways = score[:, None] + move
            return jnp.max(ways, axis=0) + emit[:, letter], jnp.argmax(ways, axis=0)

        def backward(state, row):
            return row[state], row[state]

        score, back = jax.lax.scan(forward, start + emit[:, seen[0]], seen[1:])
        last = jnp.argmax(score)
        _, path = jax.lax.scan(backward, last, back, reverse=True)
        return jnp.append(path, last)

    return run
