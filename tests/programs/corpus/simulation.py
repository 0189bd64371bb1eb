"""Simulations: steps in time, cellular automata, particles, random walks."""
from __future__ import annotations

import numpy as np
from programs.rows import A, F, I, program

GRID = np.array([[0, 1, 0, 0], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]])
POSITIONS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])


def rng(seed):
    return np.random.default_rng(seed)


@program((F(1.0), I(10)), (F(0.0), I(3)), (F(2.0), I(0)))
def euler_decay(y, n):
    for _ in range(n):
        y = y + 0.1 * (-y)
    return y


@program((F(1.0), F(0.0)), (F(0.0), F(2.0)))
def runge_kutta(y, v):
    h = 0.1

    def slope(y, v):
        return v, -y

    for _ in range(10):
        a1, b1 = slope(y, v)
        a2, b2 = slope(y + h / 2 * a1, v + h / 2 * b1)
        a3, b3 = slope(y + h / 2 * a2, v + h / 2 * b2)
        a4, b4 = slope(y + h * a3, v + h * b3)
        y = y + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
        v = v + h / 6 * (b1 + 2 * b2 + 2 * b3 + b4)
    return y, v


@program(F(1.0), F(20.0))
def adaptive_step(rate):
    t, y, h, steps = 0.0, F(1.0), F(0.5), 0
    while t < 1.0 and steps < 200:
        steps += 1
        if t + h > 1.0:
            h = 1.0 - t
        full = y - h * rate * y
        half = y - h / 2 * rate * y
        half = half - h / 2 * rate * half
        if abs(full - half) > 1e-3:
            h = h / 2
            continue
        t, y = t + h, half
        if abs(full - half) < 1e-4:
            h = h * 2
    return y, steps


@program((F(10.0), F(0.9)), (F(0.1), F(0.5)))
def bouncing_ball(height, restitution):
    v, y, bounces = F(0.0), height, 0
    for _ in range(60):
        v -= 9.81 * 0.02
        y += v * 0.02
        if y < 0:
            y = -y
            v = -v * restitution
            bounces += 1
    return y, v, bounces


@program(GRID.copy(), np.eye(4, dtype=int))
def life(grid):
    for _ in range(3):
        n = sum(
            np.roll(np.roll(grid, i, 0), j, 1) for i in (-1, 0, 1) for j in (-1, 0, 1)
            if (i, j) != (0, 0))
        grid = ((n == 3) | ((grid == 1) & (n == 2))).astype(grid.dtype)
    return grid


@program(GRID.copy())
def life_with_loops(grid):
    n, m = grid.shape
    new = np.zeros_like(grid)
    for i in range(n):
        for j in range(m):
            alive = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di == 0 and dj == 0:
                        continue
                    alive += grid[(i + di) % n, (j + dj) % m]
            if alive == 3 or (grid[i, j] == 1 and alive == 2):
                new[i, j] = 1
    return new


@program((A(0, 0, 1, 0, 0), I(3)), (A(1, 0, 1, 1, 0), I(0)))
def rule_30(cells, steps):
    rows = [cells]
    for _ in range(steps):
        left, right = np.roll(cells, 1), np.roll(cells, -1)
        cells = left ^ (cells | right)
        rows.append(cells)
    return cells, len(rows)


@program((A(0.0, 1.0, 0.0, 0.0), I(5)), (A(1.0, 1.0, 1.0, 1.0), I(2)))
def heat(u, steps):
    for _ in range(steps):
        u = u.copy()
        u[1:-1] += 0.25 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return u


@program(np.zeros((4, 4)))
def laplace(u):
    u = u.copy()
    u[0] = 1.0
    for n in range(100):
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[2:, 1:-1] + old[:-2, 1:-1] + old[1:-1, 2:] + old[1:-1, :-2])
        if np.abs(u - old).max() < 1e-4:
            break
    return u, n


@program((POSITIONS.copy(), np.zeros((3, 2))))
def n_body(x, v):
    for _ in range(4):
        a = np.zeros_like(x)
        for i in range(len(x)):
            for j in range(len(x)):
                if i != j:
                    d = x[j] - x[i]
                    a[i] += d / (d @ d + 0.01) ** 1.5
        v += 0.01 * a
        x += 0.01 * v
    return x, v


@program((POSITIONS.copy(), np.ones((3, 2))))
def leapfrog(x, v):
    for _ in range(5):
        v = v - 0.05 * x
        x = x + 0.1 * v
        v = v - 0.05 * x
    energy = 0.5 * (v**2).sum() + 0.5 * (x**2).sum()
    return energy


@program((F(1.0), F(0.5), I(20)), (F(0.2), F(0.1), I(5)),
    fails='np.array of a staged list of tuples')
def predator_prey(prey, predators, steps):
    history = []
    for _ in range(steps):
        born = 0.1 * prey * (1 - predators)
        died = 0.1 * predators * (prey - 1)
        prey, predators = prey + born, predators + died
        history.append((prey, predators))
    return np.array(history)


@program((A(0.99, 0.01, 0.0), I(30)), (A(0.5, 0.5, 0.0), I(1)))
def epidemic(state, days):
    s, i, r = state
    peak = i
    for _ in range(days):
        infected, recovered = 0.3 * s * i, 0.1 * i
        s -= infected
        i += infected - recovered
        r += recovered
        if i > peak:
            peak = i
    return s, i, r, peak


@program(F(3.2), F(2.5))
def logistic_map(r):
    x = F(0.5)
    seen = []
    for n in range(30):
        x = r * x * (1 - x)
        if n >= 26:
            seen.append(x)
    return np.array(seen)


@program((rng(1), I(20)), (rng(2), I(0)), (rng(3), I(5)))
def random_walk(generator, n):
    position = furthest = 0.0
    for _ in range(n):
        position += generator.normal()
        furthest = max(furthest, abs(position))
    return position, furthest


@program((rng(1), I(100)), (rng(7), I(10)))
def estimate_pi(generator, n):
    inside = 0
    for _ in range(n):
        x, y = generator.random(), generator.random()
        if x * x + y * y <= 1:
            inside += 1
    return 4 * inside / n


@program((rng(1), A(1.0, 2.0, 3.0, 4.0)), (rng(2), A(0.0, 0.0, 0.0, 1.0)))
def bootstrap(generator, data):
    means = np.zeros(10)
    for i in range(10):
        means[i] = data[generator.integers(0, len(data), len(data))].mean()
    return np.percentile(means, [5, 95])


@program((rng(3), F(2.0)), (rng(4), F(-1.0)))
def metropolis(generator, x):
    accepted = 0
    samples = np.empty(20)
    for i in range(20):
        proposal = x + generator.normal(scale=0.5)
        if np.log(generator.random()) < 0.5 * (x * x - proposal * proposal):
            x = proposal
            accepted += 1
        samples[i] = x
    return samples, accepted


@program((rng(1), F(3.0)), (rng(9), F(-3.0)))
def annealing(generator, x):
    best, energy = x, (x - 1) ** 2
    lowest = energy
    temperature = 1.0
    while temperature > 0.05:
        candidate = x + generator.uniform(-1, 1)
        e = (candidate - 1) ** 2
        if e < energy or generator.random() < np.exp((energy - e) / temperature):
            x, energy = candidate, e
            if energy < lowest:
                best, lowest = x, energy
        temperature *= 0.9
    return best, lowest


@program((rng(5), np.ones((4, 4)), F(2.0)), (rng(6), -np.ones((4, 4)), F(0.5)))
def ising(generator, spins, temperature):
    spins = spins.copy()
    for _ in range(30):
        i, j = generator.integers(0, 4), generator.integers(0, 4)
        neighbours = (
            spins[(i + 1) % 4, j] + spins[i - 1, j] + spins[i, (j + 1) % 4] + spins[i, j - 1])
        change = 2 * spins[i, j] * neighbours
        if change <= 0 or generator.random() < np.exp(-change / temperature):
            spins[i, j] = -spins[i, j]
    return spins


@program((rng(1), I(8)), (rng(2), I(3)))
def queue_of_customers(generator, n):
    clock = free_at = waited = F(0.0)
    for _ in range(n):
        clock += generator.exponential(1.0)
        start = max(clock, free_at)
        waited += start - clock
        free_at = start + generator.exponential(0.8)
    return waited / n


@program((rng(1), F(100.0)), (rng(2), F(50.0)))
def geometric_brownian_motion(generator, price):
    path = [price]
    for _ in range(5):
        path.append(path[-1] * np.exp(0.01 + 0.2 * generator.standard_normal()))
    return np.array(path).max()


@program((rng(1), A(0.2, 0.3, 0.5)), (rng(2), A(1.0, 0.0, 0.0)))
def roulette_selection(generator, weights):
    r = generator.random() * weights.sum()
    for i, w in enumerate(weights):
        r -= w
        if r < 0:
            return i
    return len(weights) - 1


@program((np.array([[0.9, 0.1], [0.5, 0.5]]), rng(1)))
def markov_chain(p, generator):
    state = 0
    visits = np.zeros(2)
    for _ in range(20):
        state = 1 if generator.random() > p[state, 0] else 0
        visits[state] += 1
    return visits / visits.sum()


@program((F(0.0), F(0.0)), (F(0.5), F(-1.0)))
def traffic_light(t, speed):
    light, timer, stops = 'red', 3, 0
    for _ in range(12):
        timer -= 1
        if timer == 0:
            if light == 'red':
                light, timer = 'green', 4
            elif light == 'green':
                light, timer = 'yellow', 1
            else:
                light, timer = 'red', 3
                stops += 1
        t += 1.0
    return light, timer, stops, t


@program((A(5.0, 3.0, 8.0), F(4.0)), (A(1.0, 1.0, 1.0), F(9.0)))
def tank_levels(levels, inflow):
    levels = levels.copy()
    overflow = F(0.0)
    for hour in range(6):
        levels[hour % 3] += inflow
        for k in range(2):
            flow = 0.5 * (levels[k] - levels[k + 1])
            levels[k] -= flow
            levels[k + 1] += flow
        if levels[2] > 10:
            overflow += levels[2] - 10
            levels[2] = 10
    return levels, overflow


@program((np.zeros((5, 5), dtype=int), I(11)), (np.ones((5, 5), dtype=int), I(4)))
def langtons_ant(grid, steps):
    grid = grid.copy()
    x = y = 2
    dx, dy = 0, 1
    for _ in range(steps):
        if grid[x, y]:
            dx, dy = -dy, dx
        else:
            dx, dy = dy, -dx
        grid[x, y] = 1 - grid[x, y]
        x, y = (x + dx) % 5, (y + dy) % 5
    return grid, x, y


@program((A(4, 0, 1), I(2)), (A(9, 9, 9), I(0)))
def sandpile(piles, at):
    piles = piles.copy()
    piles[at] += 4
    topples = 0
    while np.any(piles >= 4) and topples < 50:
        i = np.argmax(piles >= 4)
        piles[i] -= 4
        if i > 0:
            piles[i - 1] += 1
        if i < len(piles) - 1:
            piles[i + 1] += 1
        topples += 1
    return piles, topples


@program((F(20.0), F(18.0)), (F(15.0), F(25.0)))
def thermostat(temperature, outside):
    heating, switched = False, 0
    for _ in range(30):
        if heating and temperature > 21:
            heating = False
            switched += 1
        elif not heating and temperature < 19:
            heating = True
            switched += 1
        temperature += 0.1 * (outside - temperature) + (1.0 if heating else 0.0)
    return temperature, heating, switched


@program((F(1000.0), F(0.05), F(120.0)), (F(100.0), F(0.5), F(10.0)))
def loan(balance, rate, payment):
    months, interest = 0, F(0.0)
    while balance > 0:
        if months >= 50:
            return -1, interest
        due = balance * rate
        interest += due
        balance = balance + due - payment
        months += 1
    return months, interest


@program((I(5), I(12)), (I(1), I(1)))
def water_jugs(a, b):
    x = y = steps = 0
    while x != 1 and steps < 20:
        if y == 0:
            y = b
        elif x == a:
            x = 0
        else:
            poured = min(y, a - x)
            x, y = x + poured, y - poured
        steps += 1
    return x, y, steps


@program((F(0.3), F(0.4)), (F(-0.2), F(0.1)))
def double_pendulum(a, b):
    state = np.array([a, b, 0.0, 0.0])
    for _ in range(10):
        p, q, u, w = state
        d = p - q
        state = state + 0.01 * np.array(
            [u, w, -2 * np.sin(p) - w**2 * np.sin(d), -np.sin(q) + u**2 * np.sin(d)])
    return state


@program((A(1.0, 0.0), I(3)), (A(0.3, 0.2), I(6)))
def kalman_filter(x, n):
    p = np.eye(2)
    f = np.array([[1.0, 0.1], [0.0, 1.0]])
    h = np.array([[1.0, 0.0]])
    for k in range(n):
        x, p = f @ x, f @ p @ f.T + 0.01 * np.eye(2)
        s = h @ p @ h.T + 0.1
        gain = (p @ h.T) / s
        x = x + gain[:, 0] * (k * 0.1 - x[0])
        p = p - gain @ h @ p
    return x, np.trace(p)
