"""What is refused, and what to write instead: the second table of `supported.md`.

Each row has a program that is refused, at the line with `# here` if it has one; the tests run it.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Refusal(NamedTuple):
    """One row.

    Attributes:
      what: what is refused.
      instead: what to write instead.
      error: the class of the error in `ag.errors`.
      program: defines `f`.
      args: what `f` is called with.
    """

    what: str
    instead: str
    error: str
    program: str
    args: tuple[object, ...] = (np.array([3.0, 1.0, 2.0]),)


REFUSALS = [
    Refusal(
        '`yield`', 'Collect the values in a list and return it.', 'ConversionError', '''
def f(x):
    def parts():
        yield x  # here
    return list(parts())
'''),
    Refusal(
        '`async`, `await`', 'Await outside the function and pass the result.',
        'ConversionError', '''
def f(x):
    async def later():  # here
        return x
    return x
'''),
    Refusal(
        'a test on a tensor in code without source (`exec`, `eval`, a prompt)',
        'Put the function into a file or a notebook.', 'StagingError', '''
names = {}
exec('def clip(x):\\n    return x if x > 0 else 0 * x', names)
clip = names['clip']

def f(x):
    return clip(x[0])
'''),
    Refusal(
        'a tensor as a key of a dict, or in a set',
        'Compare it with each key, or index an array.', 'StagingError', '''
def f(x):
    return {0: 'a', 3: 'b'}[x[0]]  # here
'''),
    Refusal(
        'one of several objects or functions, chosen by a tensor',
        'Choose among their results: call both in the branches.', 'StagingError', '''
class Step:
    def __init__(self, size):
        self.size = size

small, large = Step(1.0), Step(2.0)

def f(x):
    if x[0] > 0:  # here
        step = large
    else:
        step = small
    return x * step.size
'''),
    Refusal(
        'branches or turns that give arrays of different dtypes',
        'Convert one: `y.astype(x.dtype)`.', 'StagingError', '''
def f(x):
    y = np.ones(3, np.float32)
    if x[0] > 0:  # here
        y = np.ones(3, np.float64)
    return y
'''),
    Refusal(
        'branches or turns that give values of different structure or rank',
        'Give both the same structure.', 'StagingError', '''
def f(x):
    if x[0] > 0:  # here
        y = x, x
    else:
        y = x
    return y
'''),
    Refusal(
        'a variable that has a value on one way only, and is read',
        'Give it a value before the branch or loop.', 'UnboundError', '''
def f(x):
    if x[0] > 5:
        y = x * 2
    return y  # here
'''),
    Refusal(
        'reading an array through a name or view that no longer holds it',
        'Write `x = x.copy()` first.', 'OwnershipError', '''
def f(x):
    y = x + 1
    flat = y.reshape(-1)
    y[0] = 5.0
    return y + flat  # here
'''),
    Refusal(
        'a tensor given to library code that is not NumPy\'s',
        'Use NumPy\'s function, or wrap the call in `ag.py_function`.', 'StagingError', '''
import statistics

def f(x):
    return statistics.median(x)  # here
'''),
    Refusal(
        'a new key of a dict in a staged branch or loop',
        'Give the dict all its keys before.', 'OwnershipError', '''
def f(x):
    found = {}
    if x[0] > 0:  # here
        found['first'] = x[0]
    return found
'''),
    Refusal(
        'a list of arrays of different rank, built in a staged loop',
        'Give the arrays one rank: `reshape` them.', 'StagingError', '''
def f(x):
    parts = []
    for i in range(x.shape[0]):
        if x[i] > 1:
            parts.append(x[:1])  # here
        else:
            parts.append(np.ones((2, 2)))
    return parts
'''),
    Refusal(
        'a handler that reads what the `try` block had assigned before it raised',
        'Assign before `try`, or let the block only compute.', 'StagingError', '''
def f(x):
    y = x
    try:  # here
        y = y * 2
        y = y[np.argmax(x) + 5] + y
    except IndexError:
        return y
    return y
'''),
    Refusal(
        'a `deque`, `Counter` or `heapq` changed in a staged branch or loop',
        'Use a list, or an array and an index.', 'OwnershipError', '''
import collections

def f(x):
    waiting = collections.deque()
    for value in x:  # here
        waiting.append(value)
    return waiting.popleft()
'''),
]
