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
