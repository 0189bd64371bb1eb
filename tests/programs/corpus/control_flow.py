"""Branches, loops, early returns, breaks, exceptions, contexts, patterns, recursion."""
from __future__ import annotations

import numpy as np
from programs.rows import A, F, I, program

XS = A(1.0, -2.0, 3.0, -4.0)


@program(F(3.0), F(0.0), F(-3.0))
def sign(x):
    if x > 0:
        return 1
    elif x < 0:
        return -1
    return 0


@program((F(3.0), F(1.0)), (F(-1.0), F(2.0)), (F(0.0), F(0.0)))
def nested_branches(x, y):
    if x > y:
        if x > 2:
            z = x * 2
        else:
            z = x
        z += 1
    elif x == y:
        z = F(0.0)
    else:
        z = -y if y > 1 else y
    return z


@program((F(3.0), F(1.0)), (F(-1.0), F(2.0)))
def and_or_not(x, y):
    a = x > 0 and y > 0
    b = x > 0 or y > 5
    c = not (x > y)
    return a, b, c, 0 < x < 5, x < y < 10


@program((A(1.0, 2.0), F(0.0)), (A(1.0, 2.0), F(3.0)))
def short_circuit_guards(xs, x):
    if x != 0 and (xs / x).max() > 0.5:
        return 1.0
    return x or F(9.0)


@program(XS, np.abs(XS), -XS)
def first_negative(xs):
    found = -1
    for i, x in enumerate(xs):
        if x < 0:
            found = i
            break
    return found


@program(XS, np.abs(XS), -np.abs(XS))
def return_from_a_loop(xs):
    for i, x in enumerate(xs):
        if x < 0:
            return i, x
    return -1, F(0.0)


@program(XS, np.abs(XS))
def for_else(xs):
    for x in xs:
        if x < -3:
            result = x
            break
    else:
        result = F(100.0)
    return result


@program(F(10.0), F(1000.0))
def while_else(x):
    n = 0
    while x > 1:
        x /= 2
        n += 1
        if n > 5:
            break
    else:
        n = -n
    return n, x


@program(XS, -XS)
def continue_in_a_loop(xs):
    total = F(0.0)
    for x in xs:
        if x < 0:
            continue
        if x > 2:
            total += 10
            continue
        total += x
    return total


@program(I(3), I(0), I(7))
def nested_loops_with_break(n):
    count = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            if (i + j) % 3 == 0:
                continue
            count += i * j
        if count > 20:
            break
    return count


@program(I(5), I(0))
def return_from_nested_loops(n):
    for i in range(n):
        for j in range(i):
            if i * j == 6:
                return i, j
    return -1, -1


@program(F(5.0), F(0.0))
def while_true(x):
    n = 0
    while True:
        if x <= 0:
            return n
        x -= 1
        n += 1
        if n > 100:
            break
    return -1


@program(I(10), I(1))
def range_with_steps(n):
    total = 0
    for i in range(n, 0, -2):
        total += i
    for i in range(2, n, 3):
        total -= i
    return total


@program(I(4), I(0))
def loop_variable_after_the_loop(n):
    i = -1
    for i in range(n):
        pass
    return i


@program((F(2.0), True), (F(2.0), False), traces=2)
def python_conditions(x, flag):
    if flag:
        x = x * 2
    return x


@program((F(2.0), 'square'), (F(2.0), 'double'), traces=2)
def string_arguments(x, how):
    if how == 'square':
        return x * x
    return x * 2


@program(F(2.0), F(-2.0))
def bound_in_both_branches(x):
    if x > 0:
        y, z = x, 1
    else:
        y, z = -x, 2
    return y * z


@program(F(2.0), F(-2.0))
def python_numbers_in_branches(x):
    n = 1 if x > 0 else 2
    m = n + 3
    return m


@program(F(2.0), F(-2.0))
def walrus(x):
    if (y := x * 2) > 1:
        return y
    while (y := y + 1) < 0:
        x -= 1
    return x + y


@program((F(2.0), F(3.0)), (F(-2.0), F(0.0)))
def min_max_abs_of_python(x, y):
    return min(x, y), max(x, y, F(1.0)), abs(x), round(x), pow(x, 2), divmod(x, F(2.0))


@program(F(2.0), F(-1.0))
def raising(x):
    if x < 0:
        raise ValueError('negative')
    return np.sqrt(x)


@program(XS, np.abs(XS))
def raising_in_a_loop(xs):
    total = F(0.0)
    for x in xs:
        if x < -3:
            raise ArithmeticError(f'too small: {x:.1f}')
        total += x
    return total


@program(F(2.0), F(-1.0))
def asserting(x):
    assert x > 0, 'must be positive'
    return 1 / x


class Custom(Exception):
    """The user's own."""


@program(F(2.0), F(-1.0))
def custom_exception(x):
    if x < 0:
        raise Custom('bad', 3)
    return x


@program(F(2.0), F(-1.0))
def try_except_around_a_raise(x):
    try:
        if x < 0:
            raise ValueError('negative')
        y = x * 2
    except ValueError:
        return F(0.0)
    return y


def checked(x):
    if x < 0:
        raise ValueError('negative')
    return np.sqrt(x)


@program(F(4.0), F(-1.0))
def try_except_around_a_helper(x):
    try:
        return checked(x)
    except ValueError:
        return F(-1.0)
    finally:
        x = x + 1


@program(A(4.0, -1.0, 9.0), A(-1.0, -1.0, -1.0), fails='`else` of a staged try')
def try_in_a_loop(xs):
    failures, total = 0, F(0.0)
    for x in xs:
        try:
            root = checked(x)
        except ValueError:
            failures += 1
        else:
            total += root
    return failures, total


@program(F(4.0), F(-1.0))
def try_finally(x):
    n = 0
    try:
        if x > 0:
            return x, n
        x = x * 2
    finally:
        n += 1
    return x, n


@program((F(4.0), F(0.0)), (F(4.0), F(2.0)))
def errstate(x, y):
    with np.errstate(divide='ignore'):
        z = x / y
    if np.isinf(z):
        return F(0.0)
    return z


@program(I(0), I(1), I(2), I(9))
def match_numbers(n):
    match n:
        case 0:
            return 10
        case 1 | 2:
            return 20
        case _ if n > 5:
            return 30
        case _:
            return 40


@program((F(1.0), F(0.0)), (F(0.0), F(2.0)), (F(3.0), F(3.0)))
def match_tuples(x, y):
    match (x, y):
        case (a, 0):
            return a
        case (0, b):
            return b * 2
        case (a, b) if a == b:
            return a * b
    return F(-1.0)


class Shape:
    __match_args__ = ('width', 'height')

    def __init__(self, width, height):
        self.width, self.height = width, height


@program((F(1.0), F(1.0)), (F(2.0), F(5.0)))
def match_classes(w, h):
    match Shape(w, h):
        case Shape(1.0, height):
            return height
        case Shape(width=width, height=height) if width > 1:
            return width * height
        case _:
            return F(0.0)


@program(({'kind': 'circle', 'r': F(2.0)},), ({'kind': 'square', 'a': F(2.0)},), traces=2)
def match_dicts(shape):
    match shape:
        case {'kind': 'circle', 'r': r}:
            return 3.0 * r * r
        case {'kind': 'square', 'a': a}:
            return a * a


@program((5, F(1.0)), (0, F(2.0)), traces=2)
def recursion_on_python_numbers(n, x):
    if n == 0:
        return x
    return recursion_on_python_numbers(n - 1, x * 2) + 1


@program(I(5), I(0), I(1))
def factorial(n):
    if n <= 1:
        return I(1)
    return n * factorial(n - 1)


@program(I(7), I(0))
def fibonacci_by_recursion(n):
    if n < 2:
        return n
    return fibonacci_by_recursion(n - 1) + fibonacci_by_recursion(n - 2)


@program((I(2), I(3)), (I(0), I(0)), (I(1), I(2)))
def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, I(1))
    return ackermann(m - 1, ackermann(m, n - 1))


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@program(I(4), I(5))
def mutual_recursion(n):
    return is_even(n)


@program((I(3), F(1.0)), (I(0), F(1.0)))
def koch_length(n, x):
    if n == 0:
        return x
    return 4 * koch_length(n - 1, x / 3)


@program((F(0.0), F(2.0), I(4)), (F(0.0), F(1.0), I(0)))
def adaptive_integral(a, b, depth):
    middle = (a + b) / 2
    whole = (b - a) * middle**2
    halves = (b - a) / 2 * (((a + middle) / 2) ** 2 + ((middle + b) / 2) ** 2)
    if depth == 0 or abs(whole - halves) < 1e-3:
        return halves
    return adaptive_integral(a, middle, depth - 1) + adaptive_integral(middle, b, depth - 1)


@program(F(2.0), F(-3.0))
def lambdas(x):
    square = lambda v: v * v  # noqa: E731
    twice = lambda f, v: f(f(v)) if v > 0 else v  # noqa: E731
    return twice(square, x)


@program((F(2.0), F(1.0)), (F(-3.0), F(0.0)))
def keyword_and_star_arguments(x, y):
    def f(a, *rest, scale=1.0, **more):
        total = a * scale
        for r in rest:
            total += r
        for key, value in more.items():
            total += value if key == 'bonus' else -value
        return total

    args = (x, y)
    return f(*args, scale=2.0, bonus=y) + f(x, **{'malus': y})


@program((F(2.0), F(1.0)), (F(-3.0), F(0.0)))
def functions_in_a_list(x, y):
    for f in (np.sin, np.cos, lambda v: v * 2):
        x = f(x) + y
    return x


@program((F(2.0), I(1)), (F(-3.0), I(0)))
def delete_a_variable(x, n):
    y = x * 2
    if n > 0:
        del y
        y = x
    return y


@program(F(5.0), F(0.5))
def deep_nesting(x):
    n = 0
    for i in range(3):
        if x > i:
            while x > 1:
                x *= 0.5
                if x < 2:
                    for j in range(2):
                        if j == 1 and x < 1.5:
                            n += 1
    return x, n


@program((I(3), F(2.0)), (I(0), F(1.0)))
def comprehension_of_calls(n, x):
    def f(i):
        return x * i if i % 2 == 0 else x

    return sum(f(i) for i in range(n))


@program((A(3.0, 1.0, 2.0),), (A(1.0, 1.0, 1.0),))
def argmax_by_hand(xs):
    best, where = -np.inf, None
    for i in range(len(xs)):
        if xs[i] > best:
            best, where = xs[i], i
    return where, best


@program((F(1.0), F(2.0), F(3.0)), (F(3.0), F(2.0), F(1.0)), (F(2.0), F(2.0), F(2.0)))
def classify_triangle(a, b, c):
    if a <= 0 or b <= 0 or c <= 0:
        raise ValueError('sides')
    if a + b <= c or b + c <= a or a + c <= b:
        return 'none'
    if a == b == c:
        return 'equilateral'
    if a == b or b == c or a == c:
        return 'isosceles'
    return 'scalene'
