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
