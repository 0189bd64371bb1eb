"""Numerical methods: roots, integrals, series, linear algebra."""
from __future__ import annotations

import math

import numpy as np
from programs.rows import A, F, I, program

EYE = np.eye(3)
SPD = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
DATA = np.linspace(-1.0, 2.0, 7)


@program(F(2.0), F(9.0), F(1e-6))
def newton_square_root(a):
    x = a
    while abs(x * x - a) > 1e-9 * a:
        x = 0.5 * (x + a / x)
    return x


@program(F(2.0), F(0.5), F(7.0))
def newton_with_limit(a):
    x = F(1.0)
    for i in range(50):
        step = (x**3 - a) / (3 * x**2)
        x = x - step
        if abs(step) < 1e-10:
            break
    else:
        i = -1
    return x, i


@program((F(0.0), F(2.0)), (F(1.0), F(1.5)), (F(2.0), F(3.0)))
def bisection(low, high):
    if (low * low - 2) * (high * high - 2) > 0:
        return None
    while high - low > 1e-8:
        middle = (low + high) / 2
        if (middle * middle - 2) * (low * low - 2) <= 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


@program((F(1.0), F(2.0)), (F(0.0), F(4.0)))
def secant(a, b):
    for _ in range(30):
        fa, fb = np.cos(a) - a, np.cos(b) - b
        if fb == fa:
            break
        a, b = b, b - fb * (b - a) / (fb - fa)
    return b


@program((F(0.0), F(1.0), I(4)), (F(-1.0), F(2.0), I(10)), (F(0.0), F(1.0), I(0)))
def trapezoid(a, b, n):
    if n < 1:
        return F(0.0)
    h = (b - a) / n
    total = 0.5 * (np.exp(a) + np.exp(b))
    for i in range(1, n):
        total += np.exp(a + i * h)
    return total * h


@program((F(0.0), F(1.0)), (F(1.0), F(3.0)))
def simpson(a, b):
    n = 8
    h = (b - a) / n
    total = np.sin(a) + np.sin(b)
    for i in range(1, n):
        total += (4 if i % 2 else 2) * np.sin(a + i * h)
    return total * h / 3


@program((F(0.0), F(1.0)), (F(0.0), F(2.5)))
def romberg(a, b):
    table = np.zeros((4, 4))
    for i in range(4):
        xs = np.linspace(a, b, 2**i + 1)
        ys = xs * np.exp(-xs)
        table[i, 0] = (b - a) / 2**i * (ys.sum() - 0.5 * (ys[0] + ys[-1]))
        for j in range(1, i + 1):
            table[i, j] = table[i, j - 1] + (table[i, j - 1] - table[i - 1, j - 1]) / (4**j - 1)
    return table[3, 3]


@program(F(0.5), F(-0.3), F(3.0))
def series_of_exp(x):
    term = total = F(1.0)
    n = 0
    while abs(term) > 1e-12:
        n += 1
        term *= x / n
        total += term
    return total, n


@program(F(0.3), F(0.9))
def arctan_series(x):
    total = F(0.0)
    for k in range(200):
        term = (-1) ** k * x ** (2 * k + 1) / (2 * k + 1)
        if abs(term) < 1e-6:
            return total, k
        total += term
    return total, -1


@program((A(1.0, 2.0, 3.0), F(2.0)), (A(-1.0, 0.0, 0.5), F(0.0)))
def horner(coefficients, x):
    result = 0.0
    for c in coefficients:
        result = result * x + c
    return result


@program((SPD.copy(), A(1.0, 2.0, 3.0)), (EYE.copy(), A(0.0, 1.0, 0.0)))
def conjugate_gradient(a, b):
    x = np.zeros_like(b)
    r = b - a @ x
    p = r
    rs = r @ r
    for _ in range(10):
        if rs < 1e-20:
            break
        ap = a @ p
        alpha = rs / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        p = r + new / rs * p
        rs = new
    return x


@program(SPD.copy(), EYE.copy() * 2)
def power_iteration(a):
    v = np.ones(3) / np.sqrt(3)
    eigenvalue = F(0.0)
    while True:
        w = a @ v
        new = v @ w
        v = w / np.linalg.norm(w)
        if abs(new - eigenvalue) < 1e-10:
            return new, v
        eigenvalue = new


@program(SPD.copy(), EYE.copy())
def cholesky(a):
    n = len(a)
    out = np.zeros_like(a)
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j] - out[i, :j] @ out[j, :j]
            if i == j:
                out[i, j] = np.sqrt(s)
            else:
                out[i, j] = s / out[j, j]
    return out


@program((SPD.copy(), A(1.0, 2.0, 3.0)))
def jacobi(a, b):
    x = np.zeros(3)
    d = np.diag(a)
    for n in range(100):
        new = (b - a @ x + d * x) / d
        if np.max(np.abs(new - x)) < 1e-9:
            return new, n
        x = new
    return x, 100


@program((SPD.copy(), A(1.0, 2.0, 3.0)))
def gauss_seidel(a, b):
    x = np.zeros(3)
    for _ in range(20):
        for i in range(3):
            x[i] = (b[i] - a[i, :i] @ x[:i] - a[i, i + 1:] @ x[i + 1:]) / a[i, i]
    return x


@program((SPD.copy(), A(1.0, 2.0, 3.0)))
def gaussian_elimination(a, b):
    a, b = a.copy(), b.copy()
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        a[[k, p]] = a[[p, k]]
        b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i] -= f * a[k]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for k in range(n - 1, -1, -1):
        x[k] = (b[k] - a[k, k + 1:] @ x[k + 1:]) / a[k, k]
    return x


@program(SPD.copy())
def gram_schmidt(a):
    q = a.copy()
    for j in range(3):
        for k in range(j):
            q[:, j] -= (q[:, k] @ q[:, j]) * q[:, k]
        q[:, j] /= np.sqrt(q[:, j] @ q[:, j])
    return q


@program((A(2.0, 2.0, 2.0), A(1.0, 1.0), A(1.0, 2.0, 3.0)))
def tridiagonal(d, e, b):
    n = len(d)
    c, x = np.zeros(n), np.zeros(n)
    beta = d[0]
    x[0] = b[0] / beta
    for i in range(1, n):
        c[i] = e[i - 1] / beta
        beta = d[i] - e[i - 1] * c[i]
        x[i] = (b[i] - e[i - 1] * x[i - 1]) / beta
    for i in range(n - 2, -1, -1):
        x[i] -= c[i + 1] * x[i + 1]
    return x


@program((I(48), I(18)), (I(7), I(13)), (I(5), I(0)))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@program((I(240), I(46)), (I(3), I(11)))
def extended_gcd(a, b):
    x0, x1, y0, y1 = 1, 0, 0, 1
    while b != 0:
        q = a // b
        a, b = b, a - q * b
        x0, x1 = x1, x0 - q * x1
        y0, y1 = y1, y0 - q * y1
    return a, x0, y0


@program((I(3), I(13), I(7)), (I(2), I(0), I(5)))
def modular_power(base, exponent, modulus):
    result = I(1)
    base = base % modulus
    while exponent > 0:
        if exponent & 1:
            result = result * base % modulus
        exponent >>= 1
        base = base * base % modulus
    return result


@program(I(2), I(97), I(91), I(1))
def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return True


@program(I(27), I(1), I(6))
def collatz(n):
    steps, highest = 0, n
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        highest = max(highest, n)
        steps += 1
    return steps, highest


@program(I(30), I(3))
def sieve(n):
    flags = np.ones(31, dtype=bool)
    flags[:2] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            flags[i * i :: i] = False
        i += 1
    return flags


@program(I(10), I(0), I(1))
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@program(F(2.5), F(0.0), F(-4.0))
def digits_of_a_float(x):
    count = 0
    x = abs(x)
    while x >= 1 and count < 20:
        x /= 10
        count += 1
    return count


@program((DATA.copy(), F(0.3)), (DATA.copy(), F(5.0)), (DATA.copy(), F(-3.0)))
def interpolate(xs, x):
    if x <= xs[0]:
        return xs[0] ** 2
    for i in range(len(xs) - 1):
        if xs[i] <= x < xs[i + 1]:
            t = (x - xs[i]) / (xs[i + 1] - xs[i])
            return (1 - t) * xs[i] ** 2 + t * xs[i + 1] ** 2
    return xs[-1] ** 2


@program((A(0.0, 1.0, 2.0), A(1.0, 3.0, 2.0), F(0.5)), (A(0.0, 1.0, 2.0), A(1.0, 3.0, 2.0), F(1.0)))
def lagrange(xs, ys, x):
    total = F(0.0)
    for i in range(len(xs)):
        basis = F(1.0)
        for j in range(len(xs)):
            if i != j:
                basis *= (x - xs[j]) / (xs[i] - xs[j])
        total += ys[i] * basis
    return total


@program(A(1.0, 4.0, 9.0, 16.0), A(2.0, 2.0, 2.0, 2.0))
def divided_differences(ys):
    table = ys.copy()
    for k in range(1, len(ys)):
        table[k:] = (table[k:] - table[k - 1:-1]) / k
    return table


@program(A(3.0, 1.0, 2.0), A(-1.0, -5.0, 4.0))
def softmax_and_entropy(x):
    p = np.exp(x - x.max())
    p /= p.sum()
    return p, -(p * np.log(p)).sum()


@program(A(1.0, 2.0, 4.0, 7.0))
def finite_differences(y):
    d = np.empty_like(y)
    d[0] = y[1] - y[0]
    d[-1] = y[-1] - y[-2]
    d[1:-1] = (y[2:] - y[:-2]) / 2
    return d


@program(A(1.0, 2.0, 3.0), A(5.0, 5.0, 5.0), A(1e8, 1e8 + 1, 1e8 + 2))
def welford(xs):
    mean, m2, n = 0.0, 0.0, 0
    for x in xs:
        n += 1
        delta = x - mean
        mean += delta / n
        m2 += delta * (x - mean)
    return mean, m2 / n, n


@program(A(0.1, 0.2, 0.3), A(1e16, 1.0, -1e16))
def kahan_sum(xs):
    total, c = 0.0, 0.0
    for x in xs:
        y = x - c
        t = total + y
        c = (t - total) - y
        total = t
    return total


@program((F(1.0), F(0.1)), (F(0.2), F(0.8)))
def kepler(mean_anomaly, e):
    anomaly = mean_anomaly
    for _ in range(20):
        step = (anomaly - e * np.sin(anomaly) - mean_anomaly) / (1 - e * np.cos(anomaly))
        anomaly -= step
        if abs(step) < 1e-12:
            break
    return anomaly


@program((F(3.0), F(1.0)), (F(2.0), F(5.0)))
def arithmetic_geometric_mean(a, b):
    n = 0
    while abs(a - b) > 1e-12 and n < 30:
        a, b = (a + b) / 2, np.sqrt(a * b)
        n += 1
    return a, n


@program((F(0.0), F(4.0)), (F(-2.0), F(1.0)))
def golden_section(a, b):
    ratio = (math.sqrt(5) - 1) / 2
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    while abs(b - a) > 1e-5:
        if (c - 1.5) ** 2 < (d - 1.5) ** 2:
            b = d
        else:
            a = c
        c, d = b - ratio * (b - a), a + ratio * (b - a)
    return (a + b) / 2


@program(A(3.0, -2.0), A(0.5, 0.5))
def gradient_descent_with_line_search(x):
    for _ in range(20):
        g = 2 * x * A(1.0, 4.0)
        step = 1.0
        value = x[0] ** 2 + 4 * x[1] ** 2
        while True:
            new = x - step * g
            if new[0] ** 2 + 4 * new[1] ** 2 <= value - 0.1 * step * (g @ g) or step < 1e-6:
                break
            step *= 0.5
        x = new
    return x


@program(A(1.0, 2.0, 3.0, 4.0), A(0.0, 1.0, 0.0, 0.0))
def discrete_fourier(x):
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.exp(-2j * np.pi * k * t / n)
    return out


@program((A(1.0, 2.0, 3.0), A(0.0, 1.0)), (A(1.0, 1.0, 1.0), A(0.5, 0.5)))
def convolve(x, k):
    out = np.zeros(len(x) + len(k) - 1)
    for i in range(len(x)):
        for j in range(len(k)):
            out[i + j] += x[i] * k[j]
    return out


@program((F(1.0), F(2.0), F(1.0)), (F(1.0), F(0.0), F(1.0)), refused="same structure")
def quadratic_roots(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return ()
    elif d == 0:
        return (-b / (2 * a),)
    return (-b - np.sqrt(d)) / (2 * a), (-b + np.sqrt(d)) / (2 * a)


@program((F(-1.0), F(0.5)), (F(0.3), F(0.1)))
def mandelbrot(x, y):
    c = complex(x, y)
    z = 0j
    for n in range(50):
        if abs(z) > 2:
            return n
        z = z * z + c
    return 50


@program((np.linspace(-2, 1, 4), np.linspace(-1, 1, 3)))
def mandelbrot_grid(xs, ys):
    c = xs[None, :] + 1j * ys[:, None]
    z = np.zeros_like(c)
    counts = np.zeros(c.shape, dtype=np.int64)
    for _ in range(20):
        inside = np.abs(z) <= 2
        if not inside.any():
            break
        z[inside] = z[inside] ** 2 + c[inside]
        counts[inside] += 1
    return counts


@program(A(1, 2, 3), A(9, 9, 9))
def digits_to_number(digits):
    n = 0
    for d in digits:
        n = n * 10 + int(d)
    return n


@program((F(10.0), I(3)), (F(0.5), I(-2)), (F(2.0), I(0)))
def power_by_squaring(x, n):
    if n < 0:
        x, n = 1 / x, -n
    result = F(1.0)
    while n:
        if n % 2:
            result *= x
        x *= x
        n //= 2
    return result
