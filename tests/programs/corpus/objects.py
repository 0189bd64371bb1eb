"""Objects: attributes, methods, properties, operators, inheritance, state that a method keeps."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from programs.rows import A, F, I, program


class Account:
    fee = 1.0

    def __init__(self, balance):
        self.balance = balance
        self.count = 0
        self.log = []

    def deposit(self, amount):
        self.balance += amount
        self.count += 1
        self.log.append(amount)

    def withdraw(self, amount):
        if amount + self.fee > self.balance:
            return False
        self.balance -= amount + self.fee
        self.count += 1
        return True

    @property
    def rich(self):
        return self.balance > 100

    @staticmethod
    def interest(balance):
        return balance * 0.05

    @classmethod
    def with_gift(cls, balance):
        return cls(balance + 10)


class Savings(Account):
    fee = 0.5

    def withdraw(self, amount):
        if amount > 50:
            return False
        return super().withdraw(amount)


ACCOUNT, OTHER, GIVEN = Account(F(50.0)), Savings(F(20.0)), Account(F(10.0))


@program(F(5.0), F(100.0), F(7.0))
def made_inside(x):
    account = Account(F(50.0))
    account.deposit(x)
    ok = account.withdraw(F(30.0))
    return account.balance, account.count, ok


@program(F(5.0), F(7.0), F(9.0))
def deposit_outside(x):
    ACCOUNT.deposit(x)
    return ACCOUNT.balance


@program(F(5.0), F(70.0), F(10.0))
def withdraw_outside(x):
    return ACCOUNT.withdraw(x)


@program((GIVEN, F(5.0)), (GIVEN, F(3.0)), (GIVEN, F(500.0)))
def a_given_object(account, x):
    account.deposit(x)
    if account.rich:
        account.deposit(Account.interest(account.balance))
    return account.balance


@program((ACCOUNT, F(5.0)), (OTHER, F(5.0)), traces=2)
def objects_of_two_classes(account, x):
    return account.withdraw(x), account.balance


@program(F(60.0), F(5.0))
def inheritance(x):
    savings = Savings(F(100.0))
    return savings.withdraw(x), savings.balance, savings.fee


@program(F(60.0), F(95.0))
def a_property_in_a_test(x):
    account = Account.with_gift(x)
    if account.rich:
        return account.balance - 100
    return account.balance


@program(A(1.0, 20.0, 3.0), A(100.0, -1.0, 0.0))
def methods_in_a_loop(xs):
    account = Account(F(10.0))
    refused = 0
    for x in xs:
        if x > 5:
            if not account.withdraw(x):
                refused += 1
        else:
            account.deposit(x)
    return account.balance, account.count, refused


@program((F(1.0), F(3.0)), (F(-2.0), F(0.5)))
def two_objects(x, y):
    a, b = Account(x), Account(y)
    if a.balance > b.balance:
        a.balance, b.balance = b.balance, a.balance
    b.deposit(a.balance)
    return a.balance, b.balance, b.count


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    def __eq__(self, other):
        return self.x == other.x and self.y == other.y

    def __lt__(self, other):
        return self.norm() < other.norm()

    def __abs__(self):
        return self.norm()

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        return self.x if i == 0 else self.y

    def __iter__(self):
        return iter((self.x, self.y))

    def __call__(self, k):
        return self * k

    def __bool__(self):
        return bool(self.x != 0 or self.y != 0)

    def __contains__(self, v):
        return v == self.x or v == self.y

    def norm(self):
        return np.sqrt(self.x**2 + self.y**2)

    __hash__ = None


@program((F(1.0), F(2.0)), (F(-1.0), F(0.0)))
def operators(x, y):
    v = Vector(x, y) + Vector(y, x) * 2
    w = -v
    return abs(w), v.x, w.y, len(v), v[1]


@program((F(1.0), F(2.0)), (F(3.0), F(0.0)))
def an_operator_that_compares(x, y):
    v, w = Vector(x, y), Vector(y, F(1.0))
    if v < w:
        return v.x
    return w.x


@program((F(1.0), F(2.0)), (F(0.0), F(0.0)), fails='__bool__ of a user class')
def truth_and_calls(x, y):
    v = Vector(x, y)
    if v:
        v = v(2)
    a, b = v
    return a + b


@program((F(1.0), F(2.0)), (F(2.0), F(0.0)))
def an_object_rebound_in_a_branch(x, y):
    v = Vector(x, y)
    if x > y:
        v = Vector(y, x)
    return v.x - v.y


@program(A(1.0, 2.0, 3.0), A(-1.0, -1.0, 5.0))
def an_object_carried_by_a_loop(xs):
    v = Vector(F(0.0), F(1.0))
    for x in xs:
        v = v + Vector(x, v.x)
    return v.x, v.y


@dataclass
class Point:
    x: float
    y: float = 0.0

    def moved(self, dx):
        return replace(self, x=self.x + dx)


@dataclass
class Box:
    corner: Point
    size: np.ndarray
    tags: list = field(default_factory=list)


class Pair(NamedTuple):
    first: float
    second: float

    def swapped(self):
        return Pair(self.second, self.first)


@program((Point(F(1.0), F(2.0)), F(1.0)), (Point(F(1.0), F(2.0)), F(-5.0)))
def a_dataclass_argument(p, dx):
    if dx > 0:
        p = p.moved(dx)
    return p


POINT = Point(F(0.0), F(0.0))


@program((POINT, F(1.0)), (POINT, F(-2.0)), (POINT, F(3.0)))
def a_dataclass_changed(p, dx):
    p.x += dx
    if p.x > 0:
        p.y = p.x * 2
    return p.x + p.y


@program((Pair(F(1.0), F(2.0)),), (Pair(F(3.0), F(0.0)),))
def a_named_tuple(pair):
    if pair.first > pair.second:
        pair = pair.swapped()
    return pair._replace(first=pair.first * 2)


BOX = Box(Point(F(1.0)), np.zeros(2))


@program(F(1.0), F(-1.0), F(4.0), fails='traces again for a number that it reads and writes')
def nested_dataclasses(x):
    BOX.corner.x = BOX.corner.x + x
    BOX.size[0] += x
    if x > 0:
        BOX.corner.y = x
    return BOX.corner.x


@program(F(1.0), F(2.0),
    fails='an outer list that is appended to has the length it had while tracing')
def a_list_in_an_object_outside(x):
    BOX.tags.append(x * 2)
    return len(BOX.tags)


class Counter:
    total = 0

    def __init__(self):
        self.n = 0

    def __call__(self, x):
        self.n += 1
        if x > 0:
            return x * self.n
        return x

    def __enter__(self):
        self.n += 10
        return self

    def __exit__(self, *error):
        self.n -= 1


COUNTER = Counter()


@program(F(1.0), F(2.0), F(-1.0))
def a_callable_object(x):
    return COUNTER(x)


@program(F(1.0), F(-2.0))
def a_context(x):
    with COUNTER as c:
        if x > 0:
            c.n += 1
        y = c.n * x
    return y, COUNTER.n


@program(F(1.0), F(-2.0), F(3.0))
def a_counter_in_a_branch(x):
    if x > 0:
        COUNTER.n += 1
    return COUNTER.n


@program(F(3.0), F(-2.0))
def an_attribute_first_set_in_branches(x):
    c = Counter()
    if x > 0:
        c.extra = x
    else:
        c.extra = -x
    return c.extra


@program(F(3.0), F(5.0))
def a_class_attribute(x):
    Counter.total += 1
    return x * Counter.total


class Matrix:
    def __init__(self, data):
        self._data = data

    @property
    def data(self):
        return self._data

    @data.setter
    def data(self, value):
        self._data = np.maximum(value, 0)

    def __matmul__(self, other):
        return Matrix(self._data @ other._data)

    def __setitem__(self, i, value):
        self._data[i] = value


@program(A(1.0, -2.0), A(-1.0, 3.0))
def a_property_with_a_setter(x):
    m = Matrix(x)
    m.data = m.data * 2
    m[0] = 7.0
    return m.data


@program(np.eye(2), np.ones((2, 2)))
def a_matrix_product(x):
    m = Matrix(x) @ Matrix(x * 2)
    return m.data


class Stack:
    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def pop(self):
        return self.items.pop()

    def __len__(self):
        return len(self.items)


@program(A(1.0, -2.0, 3.0), A(-1.0, -1.0, -1.0), fails='the length of a list is read too late')
def a_stack_object(xs):
    stack = Stack()
    for x in xs:
        if x > 0 or len(stack) == 0:
            stack.push(x)
        else:
            stack.push(stack.pop() + x)
    return len(stack), stack.pop()


class Node:
    def __init__(self, value, left=None, right=None):
        self.value, self.left, self.right = value, left, right

    def total(self):
        result = self.value
        if self.left is not None:
            result += self.left.total()
        if self.right is not None:
            result += self.right.total()
        return result


@program(F(1.0), F(-2.0))
def a_tree_built_inside(x):
    return Node(x, Node(x * 2), Node(x * 3, Node(F(1.0)))).total()


TREE = Node(F(1.0), Node(F(2.0)), Node(F(3.0)))


@program(F(1.0), F(0.5))
def a_tree_outside(x):
    TREE.left.value *= x
    if x < 1:
        TREE.right.value = x
    return TREE.total()


@program((I(3), F(1.0)), (I(0), F(1.0)))
def a_loop_that_sets_attributes(n, x):
    p = Point(x, F(0.0))
    for i in range(n):
        p.x *= 2
        if p.x > 3:
            p.y += i
    return p


class RunningMean:
    def __init__(self):
        self.n, self.mean, self.last = 0, 0.0, None

    def update(self, x):
        self.n += 1
        self.mean += (x - self.mean) / self.n
        if self.last is None or x > self.last:
            self.last = x
        return self.mean


MEAN = RunningMean()


@program(F(1.0), F(3.0), F(2.0), traces=None)
def a_running_mean_outside(x):
    return MEAN.update(x)


@program(A(1.0, 3.0, 2.0), A(5.0, 5.0, 5.0))
def a_running_mean_in_a_loop(xs):
    mean = RunningMean()
    for x in xs:
        mean.update(x)
    return mean.mean, mean.n, mean.last


class Particle:
    __slots__ = ('alive', 'v', 'x')

    def __init__(self, x, v):
        self.x, self.v, self.alive = x, v, True

    def step(self, dt):
        self.x = self.x + self.v * dt
        if self.x > 3:
            self.v = -self.v
        if self.x < 0:
            self.alive = False


@program((F(0.0), F(1.0)), (F(2.0), F(4.0)), (F(0.0), F(-1.0)))
def slots(x, v):
    p = Particle(x, v)
    for _ in range(4):
        p.step(1.0)
        if not p.alive:
            break
    return p.x, p.v, p.alive


PARTICLES = [Particle(F(0.0), F(1.0)), Particle(F(1.0), F(2.0))]


@program(F(1.0), F(0.5))
def a_list_of_objects(dt):
    for p in PARTICLES:
        p.step(dt)
    return sum(p.x for p in PARTICLES)


@program((A(1.0, 2.0), F(3.0)), (A(0.0, 0.0), F(-3.0)))
def an_array_attribute_in_place(v, x):
    m = Matrix(v.copy())
    m._data += x
    if x > 0:
        m._data[0] = x
    return m.data.sum(), v


@program((F(1.0), F(2.0)), refused='used as a Python bool')
def comparison_by_a_dataclass(x, y):
    return Point(x, y) == Point(y, x)


@program(F(4.0), F(-4.0))
def a_method_as_a_value(x):
    account = Account(F(0.0))
    put = account.deposit
    put(x)
    put(x * 2)
    return account.balance, len(account.log)


@program(F(4.0), F(-4.0))
def getattr_and_setattr(x):
    p = Point(x, F(1.0))
    for name in ('x', 'y'):
        setattr(p, name, getattr(p, name) * 2)
    return p.x, p.y, hasattr(p, 'z')
