"""The line that `check=True` names: where the graph and plain Python part."""

import numpy as np
import pytest
from impure import impure, start

import autograph_lite as ag
from autograph_lite.comparison import DifferenceError


@pytest.fixture(autouse=True)
def _fresh():
    start()


def branch(x, xs):
    y = x + 1
    if y > 0:
        z = y * 2
        y = z * impure()  # here
    return y


def loop(x, xs):
    t = 0.0
    for v in xs:
        u = v + 1
        t = t + u * impure()  # here
    return t


def nested_blocks(x, xs):
    t = 0.0
    for a in xs:
        if a > 0:
            for b in xs:
                u = a + b
                if u > 3:
                    t = t + u * impure()  # here
                else:
                    t = t + 1
    return t


def while_loop(x, xs):
    turns = 0
    while x < 100:
        x = x + impure()  # here
        turns = turns + 1
    return turns


def endless_loop(x, xs):
    while True:
        x = x + impure()  # here
        if x > 50:
            return x


def helper(z):
    w = z + 1
    return w * impure()  # here


def called(x, xs):
    z = helper(x + 1)
    return z + x


def called_in_a_loop(x, xs):
    t = 0.0
    for v in xs:
        t = t + helper(v)
    return t


def called_in_a_comprehension(x, xs):
    return [helper(v) for v in xs]


def comprehension(x, xs):
    ys = [v * 2 for v in xs]
    zs = [v * impure() for v in xs]  # here
    return ys, zs


def early_return(x, xs):
    y = x + 1
    if y > 1:
        return y * impure()  # here
    return y


def constant_in_a_branch(x, xs):
    y = x + 1
    if y > 1:
        y = impure()  # here
    return y


def question_of_a_branch(x, xs):
    if x * impure() > 7:  # here
        z = x + 2
    else:
        z = x + 3
    return z


def number_of_turns(x, xs):
    t = x * 1.0
    for _ in range(int(x) + int(impure())):  # here
        t = t + 1
    return t


def item(x, xs):
    z = xs * 2
    for i in range(len(z)):
        z[i] = z[i] + impure()  # here
    return z


def appended(x, xs):
    out = []
    for v in xs:
        out.append(v * impure())  # here
    return np.stack(out)


def several_targets(x, xs):
    a, b = 0.0, 1.0
    for v in xs:
        a, b = b, a + v * impure()  # here
    return a


def conditional_expression(x, xs):
    y = x + 1 if x < 0 else x * impure()  # here
    return y * 2


class Total:
    value = 0.0


def attribute(x, xs):
    total = Total()
    total.value = 0.0
    for v in xs:
        total.value = total.value + v * impure()  # here
    return total.value + 1


def dict_item(x, xs):
    d = {'s': 0.0}
    for v in xs:
        d['s'] = d['s'] + v * impure()  # here
    return d


def of_lambda(x, xs):
    f = lambda z: z * impure()  # noqa: E731  # here
    return f(x) + 1


def match_statement(x, xs):
    match x:
        case 1:
            y = x * 2
        case _:
            y = x * impure()  # here
    return y


def unrolled(x, xs):
    for k in range(3):
        if x > 0:
            y = x + k
            x = y * impure()  # here
    return x


def branch_on_one_line(x, xs):
    if x > 0: y = x * impure()  # noqa: E701  # here
    else: y = x  # noqa: E701
    return y


def loop_on_one_line(x, xs):
    s = 0.0
    for v in xs: s = s + v * impure()  # noqa: E701  # here
    return s


@pytest.mark.parametrize(
    'f',
    [
        branch_on_one_line, loop_on_one_line,
        branch, loop, nested_blocks, while_loop, endless_loop, called, called_in_a_loop,
        called_in_a_comprehension, comprehension, early_return, constant_in_a_branch,
        question_of_a_branch, number_of_turns, item, appended, several_targets,
        conditional_expression, attribute, dict_item, of_lambda, match_statement, unrolled,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_the_line_inside_a_block_is_named(f):
    with pytest.raises(DifferenceError, match='The first to differ is') as caught:
        ag.function(f, check=True)(np.float64(3.0), np.array([1.0, 2.0, 3.0]))
    last = [line for line in str(caught.value).splitlines() if '^' not in line][-1]
    assert last.endswith('# here')


@ag.do_not_convert
def bumped(x):
    return x if isinstance(x, ag.Tensor) else x + (x == 4)


def test_it_says_which_turn_and_what_the_values_are():
    @ag.function(check=True)
    def f(xs):
        t = 0.0
        for x in xs:
            t = t + bumped(x)
        return t

    with pytest.raises(DifferenceError) as caught:
        f(np.array([1.0, 2.0, 4.0]))
    message = str(caught.value)
    assert (
        'The first to differ is `t` at this line, the 3rd time:\n'
        '  plain Python: np.float64(8.0) (float64 float64[])\n'
        '  the graph:    np.float64(7.0) (float64 float64[])\n'
        '  File ' in message)


def test_what_is_moved_out_of_a_loop_is_not_taken_for_another_turn():
    @ag.function(check=True)
    def f(x, xs):
        t = 0.0
        for v in xs:
            for _ in range(10):
                a = np.tanh(x)
                b = a + v
                t = t + b * impure()
        return t

    with pytest.raises(DifferenceError, match=r't = t \+ b \* impure\(\)'):
        f(np.float64(2.0), np.ones(3))


def test_a_branch_that_changes_its_mind_because_of_a_value_is_not_named():
    @ag.function(check=True)
    def f(xs):
        t = 0.0
        for x in xs:
            t = t + x * impure()
            if t > 10:
                break
        return t

    with pytest.raises(DifferenceError, match=r't = t \+ x \* impure\(\)'):
        f(np.ones(9))


def test_the_same_parting_where_debuggers_look_on():
    import sys

    seen = []
    sys.settrace(lambda *args: seen.append(args))
    try:
        with pytest.raises(DifferenceError, match=r'y = z \* impure\(\)'):
            ag.function(branch, check=True)(np.float64(3.0), np.ones(2))
        assert sys.gettrace() is not None
    finally:
        sys.settrace(None)


def test_what_a_variable_is_beside_others_in_a_tuple():
    @ag.function(check=True)
    def f(xs):
        pair = 0.0, 0
        for x in xs:
            pair = pair[0] + x * 2, pair[1] + 1
        total = pair[0] * impure()
        return total

    with pytest.raises(DifferenceError, match=r'total = pair\[0\] \* impure\(\)'):
        f(np.ones(3))


def test_a_statement_that_raises_stores_nothing():
    def positive(x):
        if x < 0:
            raise ValueError
        return x * 2

    @ag.function(check=True)
    def f(xs):
        y = np.float64(0.0)
        for x in xs:
            try:
                y = positive(x)
            except ValueError:
                pass
        return y * impure()

    with pytest.raises(DifferenceError, match=r'return y \* impure\(\)'):
        f(np.array([1.0, -1.0, 2.0]))


def test_what_follows_in_the_else_of_a_loop_comes_after_the_loop():
    @ag.function(check=True)
    def f(xs):
        n = 0
        for x in xs:
            if x < 0:
                break
            n = n + 1
        else:
            n = n + 10
        return n * impure()

    with pytest.raises(DifferenceError, match=r'return n \* impure\(\)'):
        f(np.ones(3))


class Counter:
    def __init__(self):
        self.v = ag.Variable(0.0)


@pytest.mark.parametrize('way', ['assign', 'assign_add', 'item', 'in a loop'])
def test_a_variable_that_is_assigned_something_else(way):
    counter, items = Counter(), ag.Variable(np.zeros(2))

    @ag.function(check=True)
    def f(x, xs):
        match way:
            case 'assign':
                counter.v.assign(x * impure())  # here
            case 'assign_add':
                counter.v.assign_add(x * impure())  # here
            case 'item':
                items[0] = x * impure()  # here
            case 'in a loop':
                for y in xs:
                    items.assign_add(xs)
                    counter.v.assign_add(y * impure())  # here
        return x

    with pytest.raises(DifferenceError, match='The first to differ is') as caught:
        f(np.float64(2.0), np.ones(2))
    last = [line for line in str(caught.value).splitlines() if '^' not in line][-1]
    assert last.endswith('# here')
