"""`try` with `except`: what is raised when the graph runs is caught when it runs."""
from __future__ import annotations

import pickle

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag
from autograph_lite.graph.verify import verify

F, N = np.float64, np.int64
GOOD = np.array([[2.0, 1.0], [1.0, 2.0]])
BAD = np.array([[1.0, 2.0], [2.0, 1.0]])
SINGULAR = np.zeros((2, 2))


class Other(Exception):
    """An exception of the user's."""


def root(x):
    if x < 0:
        raise ValueError('negative')
    return np.sqrt(x)


def factor(a):
    try:
        lower = np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        lower = np.eye(2)
    return lower


def with_jitter(a):
    jitter = 1e-6
    while True:
        try:
            lower = np.linalg.cholesky(a + jitter * np.eye(2))
            break
        except np.linalg.LinAlgError:
            jitter = jitter * 10
    return lower, jitter


def is_positive(a):
    try:
        np.linalg.cholesky(a)
        return True
    except np.linalg.LinAlgError:
        return False


def is_positive_where_asked(a):
    ok = 1
    try:
        if a[0, 0] > 0:
            np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        ok = 0
    return ok


def is_positive_for_all(a):
    failed = False
    try:
        for i in range(3):
            lower = np.linalg.cholesky(a - i * np.eye(2))  # noqa: F841
    except np.linalg.LinAlgError:
        failed = True
    return failed


def raised_before(a):
    inverse = np.linalg.inv(a)
    try:
        result = inverse + np.linalg.cholesky(a)
    except np.linalg.LinAlgError:
        result = a
    return result


def or_default(x, default):
    try:
        return root(x)
    except ValueError:
        return default


def raised_again(x):
    try:
        return root(x)
    except ValueError:
        ag.print('failed')
        raise


def raised_by_name(x):
    try:
        return root(x)
    except ValueError as error:
        raise error


def raised_from(x):
    try:
        return root(x)
    except ValueError as error:
        raise Other(f'bad {x}') from error


def raised_from_none(x):
    try:
        return root(x)
    except ValueError:
        raise Other('bad') from None


def several(x):
    try:
        if x > 10:
            raise TypeError('large')
        y = root(x)
    except ValueError:
        y = x * 0 - 1
    except (TypeError, KeyError):
        y = x * 0 - 2
    return y


def any_error(x):
    try:
        y = root(x)
    except:  # noqa: E722
        y = x * 0
    return y


def by_class(x):
    try:
        return root(x)
    except Exception as error:
        if isinstance(error, ValueError):
            return x * 0
        raise


def with_else_and_finally(x):
    n = 0
    try:
        y = root(x)
    except ValueError:
        y = x
        n = 1
    else:
        y = y * 2
        n = 2
    finally:
        n = n + 10
    return y, n


def raised_in_else(x):
    try:
        y = root(x)
    except ValueError:
        y = x
    else:
        if y > 2:
            raise ValueError('large')
    return y


def nested(x):
    try:
        try:
            return root(x)
        except TypeError:
            return x * 0
    except ValueError as first:
        try:
            return root(x + 10)
        except ValueError:
            raise Other('both') from first


def in_turns(xs):
    count = 0
    for x in xs:
        try:
            xs = xs * 0 + root(x)
        except ValueError:
            continue
        count += 1
    return xs, count


def until_it_fails(x):
    turns = 0
    while turns < 5:
        try:
            x = root(x - 1)
        except ValueError:
            break
        turns += 1
    return x, turns


def retried(x):
    for _ in range(4):
        try:
            y = root(x)
            break
        except ValueError:
            x = x + 2
    else:
        y = x * 0
    return y


def in_branch(x):
    if x > 100:
        try:
            y = root(x - 200)
        except ValueError:
            y = x
    else:
        y = x * 2
    return y


def both_or_none(x, y):
    a = x
    b = x
    try:
        a, b = root(x), root(y)
    except ValueError:
        pass
    return a, b


def written_last(x, i):
    y = x.copy()
    try:
        value = root(x[0])
        y[i] = value
    except (ValueError, IndexError):
        y[0] = 7.0
    return y


def collected(xs):
    found = []
    for x in xs:
        try:
            found.append(root(x))
        except ValueError:
            found.append(x)
    return np.stack(found)


def best_or_none(x):
    best = None
    try:
        best = root(x)
    except ValueError:
        pass
    return x if best is None else best


def checked(x):
    try:
        assert x > 0, 'not positive'
        return 1
    except AssertionError:
        return 0


def divided(x, y):
    try:
        return int(x) // int(y)
    except ZeroDivisionError:
        return 0


def under_errstate(x):
    with np.errstate(divide='raise', invalid='raise'):
        try:
            return 1.0 / x
        except FloatingPointError:
            return x * 0


def failing(x, y):
    try:
        ratio = x / y
        if not np.isfinite(ratio):
            raise ArithmeticError('not finite')
    except (ArithmeticError, ValueError) as error:
        raise Other('failed') from error
    else:
        ratio = ratio + 1
    return ratio


def shapes_that_do_not_fit(x, y):
    if x[0] > 0:
        try:
            return x + y
        except ValueError:
            return x
    return x * 2


def depth(n):
    try:
        if n > 3:
            raise ValueError('deep')
        return depth(n + 1)
    except ValueError:
        return n


def summed(xs):
    try:
        total = xs[0] * 0
        for x in xs:
            if x < 0:
                raise ValueError('negative')
            total = total + x
    except ValueError:
        total = xs[0]
    return total


def added_up(xs):
    total = xs[0] * 0
    for x in xs:
        try:
            with np.errstate(invalid='ignore'):
                total += root(x)
        except ValueError:
            total = total - 1
    return total


def tried_twice(x):
    y = x
    try:
        try:
            y = root(x)
        except TypeError:
            y = x * 0
    except ValueError:
        y = y - 1
    return y


class Model:
    """A model that is fitted."""

    def __init__(self) -> None:
        self.scale = 0.0

    def fit(self, x):
        try:
            self.scale = root(x)
        except ValueError:
            self.scale = x * 0
        return self.scale


def fitted(x):
    return Model().fit(x)


SQUARE = [(GOOD,), (BAD,), (SINGULAR,)]
SIGNS = [(F(4),), (F(-4),)]


@pytest.mark.parametrize(
    ('f', 'calls'),
    [
        (factor, SQUARE),
        (with_jitter, SQUARE),
        (is_positive, SQUARE),
        (is_positive_where_asked, SQUARE),
        (is_positive_for_all, [*SQUARE, (GOOD * 10,)]),
        (raised_before, SQUARE),
        (or_default, [(F(4), F(7)), (F(-4), F(7))]),
        (raised_again, SIGNS),
        (raised_by_name, SIGNS),
        (raised_from, SIGNS),
        (raised_from_none, SIGNS),
        (several, [*SIGNS, (F(40),)]),
        (any_error, SIGNS),
        (by_class, SIGNS),
        (with_else_and_finally, SIGNS),
        (raised_in_else, [*SIGNS, (F(40),)]),
        (nested, [*SIGNS, (F(-40),)]),
        (in_turns, [(np.array([1.0, -1.0, 4.0]),), (np.array([-1.0, -1.0, -4.0]),)]),
        (until_it_fails, [*SIGNS, (F(1e9),)]),
        (retried, [*SIGNS, (F(-40),)]),
        (in_branch, [(F(1),), (F(150),), (F(250),)]),
        (both_or_none, [(F(1), F(4)), (F(1), F(-4)), (F(-1), F(4))]),
        (written_last, [(np.ones(3), N(2)), (np.ones(3), N(5)), (-np.ones(3), N(1))]),
        (collected, [(np.array([1.0, -2.0, 9.0]),)]),
        (best_or_none, SIGNS),
        (checked, SIGNS),
        (divided, [(F(7), F(2)), (F(7), F(0))]),
        (under_errstate, [(F(4),), (F(0),)]),
        (failing, [(F(4), F(2)), (F(np.inf), F(1))]),
        (shapes_that_do_not_fit, [(np.ones(3), np.ones(2)), (-np.ones(3), np.ones(2))]),
        (depth, [(N(1),), (N(9),)]),
        (summed, [(np.array([1.0, 2.0]),), (np.array([1.0, -2.0]),)]),
        (added_up, [(np.array([1.0, -2.0, 4.0]),)]),
        (tried_twice, SIGNS),
        (fitted, SIGNS),
    ],
    ids=lambda x: getattr(x, '__name__', ''),
)
def test_same_as_python(f, calls):
    graph = check(f, *calls)
    [concrete] = graph.traces
    verify(concrete.graph)
    again = pickle.loads(pickle.dumps(concrete))
    verify(again.graph)
    assert concrete._repr_html_()


def test_what_is_raised_from_what():
    with pytest.raises(Other, match='bad -1') as caught:
        ag.function(raised_from)(F(-1))
    assert repr(caught.value.__cause__) == "ValueError('negative')"
    with pytest.raises(Other) as caught:
        ag.function(raised_from_none)(F(-1))
    assert caught.value.__suppress_context__


def test_in_the_program():
    concrete = ag.function(factor).get_concrete_function(GOOD)
    assert concrete.lowered_code == '''\
def factor(a):
    try:
        lower = np.linalg.cholesky(a)
    except LinAlgError:
        lower = np.eye(2)
    return lower
'''


def test_effects_are_those_until_it_is_raised(capsys):
    def printed(x):
        try:
            ag.print('first')
            y = root(x)
            ag.print('second')
        except ValueError:
            ag.print('failed')
            y = x
        return y

    f = ag.function(printed)
    f(F(4))
    assert capsys.readouterr().out.split() == ['first', 'second']
    assert f(F(-4)) == -4
    assert capsys.readouterr().out.split() == ['first', 'failed']


def test_around_python_alone():
    def number(x, text):
        seen = []
        try:
            seen.append(1)
            factor = float(text)
        except ValueError as error:
            factor = float(len(str(error)) > 3)
        return x * factor, len(seen)

    check(number, (F(4), '3'), (F(4), 'no'), traces=2)


# What is refused.


def half_done(x):
    step = 1
    try:
        y = root(x)
        step = 2
        y = root(y - 1)
        step = 3
    except ValueError:
        y = x
    return y, step


def class_name(x):
    try:
        return root(x), ''
    except ValueError as error:
        return x, type(error).__name__


def test_what_is_caught_has_no_value():
    with pytest.raises(ag.errors.StagingError, match='has no value while tracing'):
        ag.function(class_name)(F(4))


def by_another_name(x, i):
    y = x.copy()
    rest = y[1:]
    try:
        y[i] = root(x[0])
    except IndexError:
        y = rest + 1
    return y


def test_a_mistake_is_no_exception_of_the_program():
    def joined(x):
        try:
            y = x if x > 0 else np.ones(3)
        except TypeError:
            y = x
        return y

    with pytest.raises(ag.errors.StagingError, match='axes'):
        ag.function(joined)(F(1))


def test_saved_with_exceptions_of_ones_own():
    concrete = ag.function(raised_from).get_concrete_function(F(1))
    again = pickle.loads(pickle.dumps(concrete))
    assert same(again(F(4)), concrete(F(4)))
    with pytest.raises(Other):
        again(F(-4))


def says(x):
    try:
        y = root(x)
    except ValueError as error:
        y = -1.0 * x
        said = f'{error!r}: {error}'
    else:
        said = 'fine'
    return y, said, len(said)


def test_what_a_caught_exception_says():
    check(says, (F(4),), (F(-4),))


def counted(x):
    try:
        y = root(x)
    except ValueError:
        y = -1.0 * x
        n = 1
    else:
        n = 2
    return y, n


def test_what_only_a_handler_and_the_else_give_a_value():
    check(counted, (F(4),), (F(-4),))


# `finally`.


def printed_at_the_end(x):
    try:
        y = root(x)
    finally:
        ag.print('done', x)
    return y


def printed_after_the_result(x):
    try:
        return root(x)
    finally:
        ag.print('done')


def printed_after_the_handler(x):
    try:
        y = root(x)
    except TypeError:
        y = x
    finally:
        ag.print('done')
    return y


def printed_and_counted(x):
    turns = 0
    try:
        y = root(x)
    finally:
        turns += 1
        ag.print('turn', turns)
    return y + turns


def printed_every_turn(x):
    for i in range(3):
        try:
            x = root(x) - i
        finally:
            ag.print('turn', i)
    return x


def printed_inside_and_outside(x):
    try:
        try:
            y = root(x)
        finally:
            ag.print('inner')
    except ValueError:
        ag.print('outer')
        y = x
    return y


@pytest.mark.parametrize(
    'f',
    [
        printed_at_the_end, printed_after_the_result, printed_after_the_handler,
        printed_and_counted, printed_every_turn, printed_inside_and_outside,
    ],
)  # fmt: skip
def test_the_effects_of_finally_come_where_it_is_raised(f, capsys):
    graph = ag.function(f)
    for x in (F(4), F(-4), F(1.5)):
        expected = outcome(f, (x,)), capsys.readouterr().out
        got = outcome(graph, (x,)), capsys.readouterr().out
        assert same(expected[0], got[0])
        assert expected[1] == got[1]


def inverted(a):
    try:
        b = np.linalg.inv(a)
    except np.linalg.LinAlgError:
        return a * 0
    return b + 1


def until_the_end(xs):
    i = 0
    while True:
        try:
            x = xs[i]
        except IndexError:
            break
        i += 1
    return x, i


def skipping(xs):
    total = np.float64(0)
    for x in xs:
        try:
            y = root(x)
        except ValueError:
            continue
        total += y
    return total


def in_a_branch(x, z):
    if z > 0:
        try:
            y = root(x)
        except ValueError:
            return x
    else:
        y = z
    return y


def test_what_follows_a_handler_that_leaves():
    check(inverted, (np.array([[4.0, 2.0], [2.0, 3.0]]),), (np.ones((2, 2)),))
    check(until_the_end, (np.array([4.0, 2.0]),))
    check(skipping, (np.array([4.0, -1.0, 9.0]),), (np.array([-1.0, -1.0, -1.0]),))
    check(in_a_branch, (F(4), F(1)), (F(-4), F(1)), (F(4), F(-1)))


def test_a_variable_that_no_way_gave_a_value():
    with pytest.raises(UnboundLocalError, match='x'):
        ag.function(until_the_end)(np.zeros(0))
