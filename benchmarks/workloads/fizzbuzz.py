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


def tensorflow(tf):
    def run(n):
        fizz = buzz = fizzbuzz = 0
        for i in tf.range(1, n + 1):
            if i % 15 == 0:
                fizzbuzz += 1
            elif i % 3 == 0:
                fizz += 1
            elif i % 5 == 0:
                buzz += 1
        return fizz, buzz, fizzbuzz

    return run


def jax(jax):
    def turn(i, counts):
        fizz, buzz, fizzbuzz = counts
        three, five = i % 3 == 0, i % 5 == 0
        return fizz + (three & ~five), buzz + (five & ~three), fizzbuzz + (three & five)

    return lambda n: jax.lax.fori_loop(1, n + 1, turn, (0, 0, 0))
