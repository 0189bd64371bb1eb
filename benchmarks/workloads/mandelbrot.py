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
