"""What `ag.function` does, in the order in which one meets it: run it and read along."""
import numpy as np

import autograph_lite as ag


def title(text):
    print(f'\n--- {text}')


title('A function becomes a graph for each kind of argument')


@ag.function
def relu(x):
    print('tracing for', x)  # Python's print runs while tracing only
    return np.maximum(0, x)


print(relu(np.float32(5.5)))
print(relu([1, -1]))
print(relu(np.array([3.0, -3.0])))
print(relu(np.array([-7.0, 7.0])))  # the same signature: no trace
print(relu.pretty_printed_concrete_signatures())

title('Python numbers are part of the signature, arrays are not')


@ag.function
def power(x, n):
    result = x
    for _ in range(n - 1):
        result = result * x
    return result


for n in (2, 3):
    print(power(np.float64(2.0), n))
print(power.trace_report())

title('One trace for every length')


@ag.function(input_signature=[ag.TensorSpec([None], np.int64)])
def collatz_step(x):
    return np.where(x % 2 == 0, x // 2, 3 * x + 1)


print(collatz_step(np.array([1, 2])), collatz_step(np.array([3, 4, 5])))
try:
    collatz_step(np.array([[1, 2]]))
except ValueError as error:
    print(error)

title('Conditions and loops over arrays are in the graph')


@ag.function
def fizzbuzz(n):
    for i in range(1, n + 1):
        if i % 15 == 0:
            ag.print('fizzbuzz', end=' ')  # prints whenever the graph runs
        elif i % 3 == 0:
            ag.print('fizz', end=' ')
        elif i % 5 == 0:
            ag.print('buzz', end=' ')
        else:
            ag.print(i, end=' ')
    ag.print()


fizzbuzz(np.int64(15))
fizzbuzz(np.int64(5))
print(fizzbuzz.get_concrete_function(np.int64(5)).lowered_code)

title('One trace, by itself')


@ag.function
def scale(a, b):
    np.take(a, [99])  # out of range, but nobody needs it: it is not in the graph
    return a * b


twice = scale.get_concrete_function(a=ag.TensorSpec([3], np.float64), b=2)
print(twice)
print(twice(np.arange(3.0)))
print(twice.graph)
try:
    twice(np.arange(3.0), b=3)
except TypeError as error:
    print(error)

title('State lives in variables')


class Counter:
    """Counts; its variable is created at the first call."""

    def __init__(self):
        self.count = None

    @ag.function
    def __call__(self):
        if self.count is None:
            self.count = ag.Variable(0, name='count')
        return self.count.assign_add(1)


counter = Counter()
print(counter(), counter(), counter())

title('What a function reads from outside may change')

RATE = 2.0


@ag.function
def scaled(x):
    return x * RATE


print(scaled(np.float64(1.0)))
RATE = 3.0
print(scaled(np.float64(1.0)))
print(scaled.trace_report())

title('Python inside a graph')

seen = []


@ag.function
def noted(x):
    ag.py_function(seen.append, [x], None)
    return x + 1


for x in (1.0, 2.0):
    noted(np.float64(x))
print(seen)
