"""Fizzbuzz to 1000, counted: a `for` with an `elif` chain, on integers."""
import numpy as np


def make():
    return (np.int64(1000),)


def numpy(n):
    fizz = buzz = fizzbuzz = 0
    for i in range(1, n + 1):
        if i % 15 == 0:
            fizzbuzz += 1
        elif i % 3 == 0:
            fizz += 1
        elif i % 5 == 0:
            buzz += 1
    return fizz, buzz, fizzbuzz
