"""L-BFGS on the Rosenbrock function of ten variables, with a backtracking line search."""
import numpy as np


def make():
    return (np.full(10, -1.2),)


def rosenbrock(x):
    return np.sum(100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2)


def slope(x):
    g = np.zeros_like(x)
    inner = x[1:] - x[:-1] ** 2
    g[:-1] = -400 * x[:-1] * inner - 2 * (1 - x[:-1])
    g[1:] += 200 * inner
    return g


def numpy(x):
    s = np.zeros((5, 10))
    y = np.zeros((5, 10))
    rho = np.zeros(5)
    g = slope(x)
    turns = 0
    while np.max(np.abs(g)) > 1e-6 and turns < 200:
        q = g
        a = np.zeros(5)
        for i in range(4, -1, -1):
            a[i] = rho[i] * (s[i] @ q)
            q = q - a[i] * y[i]
        scale = y[4] @ y[4]
        if scale > 0:
            q = q * ((s[4] @ y[4]) / scale)
        for i in range(5):
            q = q + s[i] * (a[i] - rho[i] * (y[i] @ q))
        step = np.float64(1.0)
        value = rosenbrock(x)
        fall = g @ q
        while rosenbrock(x - step * q) > value - 1e-4 * step * fall and step > 1e-10:
            step = step * 0.5
        new = x - step * q
        new_g = slope(new)
        ds = new - x
        dy = new_g - g
        if ds @ dy > 1e-10:
            s = np.concatenate((s[1:], ds[np.newaxis]))
            y = np.concatenate((y[1:], dy[np.newaxis]))
            rho = np.append(rho[1:], 1 / (ds @ dy))
        x = new
        g = new_g
        turns += 1
    return x, turns
