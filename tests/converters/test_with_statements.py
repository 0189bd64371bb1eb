"""`with np.errstate(...)` holds when the graph runs; warnings are errors in these tests."""
from __future__ import annotations

import contextlib

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([1.0, 2.0, 4.0], [0.0, 1.0, -1.0])]


def quiet(x):
    with np.errstate(divide='ignore', invalid='ignore'):
        y = np.log(x) / x
    return y * 2


def given_back(x):
    with np.errstate(all='ignore'):
        return 1 / x


def in_a_loop(x):
    total = 0.0
    for y in x:
        with np.errstate(divide='ignore'):
            if y >= 0:
                total += 1 / y
    return total


def unused(x):
    with np.errstate(divide='raise'):
        n = x.ndim
    return x * n


def after_a_loop_that_returns(x):
    for y in x:
        if y > 3:
            return y
    with np.errstate(divide='ignore'):
        return 1 / x[0]


@pytest.mark.parametrize('f', [quiet, given_back, in_a_loop, unused, after_a_loop_that_returns])
def test_same_as_python(f):
    check(f, *VECTORS)


def test_raises_when_the_graph_runs():
    @ag.function
    def strict(x):
        with np.errstate(divide='raise'):
            y = 1 / x
        return y

    assert strict(np.array([2.0])) == 0.5
    before = np.geterr()
    with pytest.raises(FloatingPointError):
        strict(np.array([0.0]))
    assert np.geterr() == before


def test_the_program_has_it():
    code = ag.function(quiet).get_concrete_function(np.zeros(3)).lowered_code
    assert "    with np.errstate(divide='ignore', invalid='ignore'):\n        " in code


# As a decorator.


@np.errstate(divide='ignore', invalid='ignore')
def decorated(x):
    if x[0] > 0:
        x = x * 2
    return 1 / x


@np.errstate(divide='raise')
@np.errstate(invalid='ignore')
def twice_decorated(x):
    return 1 / x


class Quiet:
    """Divides without a warning."""

    @np.errstate(all='ignore')
    def over(self, x):
        return 1 / x if x[0] > 0 else -1 / x


def calls_decorated(x):
    return decorated(x), Quiet().over(x)


def test_decorated_functions():
    for f in (decorated, Quiet().over, calls_decorated):
        graph = ag.function(f)
        for (x,) in VECTORS:
            assert same(graph(x), f(x))
        assert graph.tracing_count == 1
    assert 'np.errstate(all=' in ag.function(Quiet().over).get_concrete_function(
        np.ones(3)).lowered_code
    strict = ag.function(twice_decorated)
    assert strict(np.array([2.0])) == 0.5
    with pytest.raises(FloatingPointError):
        strict(np.array([0.0]))


def suppressed(x):
    y = x * 2
    with contextlib.suppress(ValueError, KeyError):
        y = checked(x)
    return y


def returned_under_suppress(x):
    with contextlib.suppress(ValueError):
        return checked(x)
    return -x


def checked(x):
    if x > 0:
        raise ValueError('too large')
    return x


def test_suppressed():
    check(suppressed, (np.float64(3),), (np.float64(-3),))
    check(returned_under_suppress, (np.float64(3),), (np.float64(-3),))


def test_suppressed_by_another_name():
    quiet = contextlib.suppress(ValueError)

    def f(x):
        y = x
        with quiet:
            y = checked(x)
        return y

    with pytest.raises(ag.errors.StagingError, match='cannot catch'):
        ag.function(f)(np.float64(3))


# What the running graph raises in the block, `__exit__` does not see.


class Swallowing:
    """Swallows a ValueError."""

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is not None and issubclass(kind, ValueError)


class Counting:
    """Counts how often it was left."""

    def __init__(self):
        self.times = 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.times += 1


class Noting(Counting):
    """Knows whether it was left by an exception."""

    def __exit__(self, kind, *_):
        self.times = kind


@contextlib.contextmanager
def swallowing():
    with contextlib.suppress(ValueError):
        yield


@contextlib.contextmanager
def catching():
    try:
        yield
    except ValueError:
        pass


def by_a_generator(x):
    y = 0.0
    with swallowing():
        y = checked(x)
    return y


def by_a_handler_in_a_generator(x):
    with catching():
        return checked(x)
    return 0.0


def by_a_stack(x):
    y = 0.0
    with contextlib.ExitStack() as stack:
        stack.enter_context(catching())
        y = checked(x)
    return y


@pytest.mark.parametrize(('f', 'name'), [
    (by_a_generator, 'swallowing'),
    (by_a_handler_in_a_generator, 'catching'), (by_a_stack, 'ExitStack'),
])  # fmt: skip
def test_what_may_swallow_is_refused(f, name):
    with pytest.raises(ag.errors.StagingError, match=f'`{name}` may swallow') as caught:
        ag.function(f)(np.float64(-3))
    assert 'Write `try` with `except`' in str(caught.value)
    assert same(ag.to_graph(f)(np.float64(3)), 0.0)


class Checker:
    def checked(self, x):
        return checked(x)


checker = Checker()


def test_what_is_raised_is_asked_for():
    def f(x):
        with Noting() as noting:
            checked(x)
        return noting.times, x

    def by_a_method(x):
        with Noting() as noting:
            checker.checked(x)
        return noting.times, x

    check(f, (np.float64(3),), (np.float64(-3),))
    with pytest.raises(ag.errors.StagingError, match=r'`Noting.__exit__` reads what is raised'):
        ag.function(by_a_method)(np.float64(-3))


def test_a_refusal_is_not_swallowed():
    def f(x):
        with Swallowing():
            y = 'a' if x > 0 else 1.0
            print(y)
        return 0

    with pytest.raises(ag.errors.StagingError):
        ag.function(f)(np.int64(1))


def test_what_a_handler_around_it_finds_changed():
    def left(x):
        counting = Counting()
        try:
            with counting:
                checked(x)
        except ValueError:
            pass
        return counting.times

    def finished(x):
        n = 0
        try:
            try:
                checked(x)
            finally:
                n += 1
        except ValueError:
            pass
        return n

    check(finished, (np.float64(-3),), (np.float64(3),))
    with pytest.raises(ag.errors.StagingError, match='__exit__` changes what is read after'):
        ag.function(left)(np.float64(-3))


def counted(x):
    counting = Counting()
    with counting:
        if x > 0:
            y = x * 2
        else:
            y = checked(-x)
    return y, counting.times


def nothing_staged(x):
    with Swallowing():
        raise ValueError
    return x


def finally_under_try(x):
    n = 0
    try:
        try:
            n = 2
        finally:
            n += 1
        y = checked(x)
    except ValueError:
        y = x
    return y, n


def test_contexts_that_leave_exceptions_alone():
    for f in (counted, nothing_staged, finally_under_try):
        check(f, (np.float64(3),), (np.float64(-3),))


def test_suppress_that_the_function_itself_imports_is_named():
    def f(x):
        from contextlib import suppress

        y = 0.0
        with suppress(ValueError):
            if x > 0:
                raise ValueError
            y = 1.0
        return y

    with pytest.raises(ag.errors.StagingError, match=r'in this `with suppress'):
        ag.function(f)(np.float64(1.0))


def test_what_numpy_is_told_in_a_generator_is_what_the_user_is_told():
    total = np.zeros(2)

    @contextlib.contextmanager
    def counted(x):
        total[0] += x
        yield

    @ag.function
    def f(x):
        with counted(x):
            return x * 2

    with pytest.raises(ag.errors.StagingError, match='`counted` is a generator'):
        f(np.float64(2))


class Timer:
    def __init__(self):
        self.n, self.log = 0.0, []

    def __enter__(self):
        self.n += 1
        return self

    def __exit__(self, *error):
        self.n += 10
        self.log.append(self.n)


def returned_where_nothing_else_is(x):
    with Timer() as timer:
        x = x + 1 if x > 0 else x
        return timer.n, timer.log, x


def returned_after_it(x):
    with Timer() as timer:
        y = -1.0
        if x > 0:
            y = x
    return timer.n, timer.log, y


def something_else_returned(x):
    with Timer() as timer:
        if x > 0:
            return x
    return x + timer.n


@pytest.mark.parametrize(
    'f', [returned_where_nothing_else_is, returned_after_it, something_else_returned])
def test_what_a_manager_changes_when_it_is_left(f):
    check(f, (np.float64(1),), (np.float64(-1),), joins=True)


def test_what_it_changes_after_one_way_has_returned_it_is_refused():
    def f(x):
        with Timer() as timer:
            if x > 0:
                return timer.log
        return timer.log

    with pytest.raises(ag.errors.OwnershipError, match='Return it after the `with` statement'):
        ag.function(f)(np.float64(1))


def changed_before_it_ends(x):
    n = 0
    with contextlib.suppress(ValueError):
        if x > 0:
            n = 5
            if x > 1:
                raise ValueError(n)
            n = 7
    return n


def turns_before_it_ends(x):
    n = 0
    with contextlib.suppress(ValueError):
        for k in range(3):
            n = n + 1
            if x > k:
                raise ValueError(n)
    return n


@pytest.mark.parametrize('f', [changed_before_it_ends, turns_before_it_ends])
def test_what_a_block_has_changed_by_the_time_that_it_ends_there(f):
    check(f, *((np.float64(x),) for x in (-1, 0.5, 2)))


@contextlib.contextmanager
def named():
    yield


def ended_by_a_class(x):
    n = 0
    with Swallowing():
        if x > 0:
            n = 5
            raise ValueError
    return n


def ended_by_a_generator(x):
    n = 0
    with swallowing():
        for i in range(3):
            n += 1
            if x > i:
                raise ValueError
    return n


@pytest.mark.parametrize('f', [ended_by_a_class, ended_by_a_generator])
def test_what_a_block_has_changed_by_the_time_that_a_manager_of_the_users_ends_it(f):
    for x in (-1.0, 0.5, 2.0):
        assert ag.to_graph(f)(x) == f(x)


def ended_by_nobody(x):
    n = 0
    with named():
        if x > 0:
            n = 5
    return n


def test_a_manager_that_swallows_nothing_changes_no_text():
    assert 'nonlocal' not in ag.to_code(ended_by_nobody)


def test_what_a_stack_is_to_call_that_is_entered_after_a_break():
    def after(xs):
        log = []
        for x in xs:
            with contextlib.ExitStack() as stack:
                stack.callback(log.append, x)
                if x == 0:
                    break
                stack.callback(log.append, -x)
        return log

    def in_its_own(xs):
        log = []
        for x in xs:
            with contextlib.ExitStack() as stack:
                stack.callback(log.append, x)
                if x == 0:
                    break
                with contextlib.ExitStack() as more:
                    more.callback(log.append, -x)
        return log

    def finally_(xs):
        log = []
        for x in xs:
            try:
                if x == 0:
                    break
            finally:
                if x != 0:
                    log.append(-x)
                log.append(x)
        return log

    xs = np.array([1.0, 2.0, 0.0, 3.0])
    with pytest.raises(ag.errors.OwnershipError) as caught:
        ag.function(after)(xs)
    assert 'changes what stack calls at its end' in str(caught.value)
    assert '`with ExitStack() as more:`' in str(caught.value)
    check(in_its_own, (xs,))
    check(finally_, (xs,))


@contextlib.contextmanager
def strictly(**states):
    with np.errstate(**(states or {'all': 'raise'})):
        yield


class Strictly:
    def __enter__(self):
        self.states = np.errstate(all='raise')
        self.states.__enter__()

    def __exit__(self, *error):
        self.states.__exit__(*error)


def of_a_helper(x):
    with strictly():
        return 1 / x


def of_a_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(np.errstate(all='raise'))
        return 1 / x


def of_a_class(x):
    with Strictly():
        return 1 / x


@strictly()
def inverse(x):
    return 1 / x


def of_a_decorator(x):
    return inverse(x) + 1


def entered_by_hand(x):
    states = np.errstate(divide='raise')
    states.__enter__()
    try:
        return 1 / x
    finally:
        states.__exit__(None, None, None)


def in_a_helper_and_a_loop(x):
    total = 0.0
    for i in range(3):
        with strictly(divide='raise'):
            total = total + 1 / (x - i)
    return total


def within_each_other(x):
    with strictly(), np.errstate(divide='ignore'):
        y = 1 / x
        with strictly(divide='raise'):
            y = y + 1 / (x - 1)
    return y


def computed_twice(x):
    with np.errstate(divide='ignore'):
        y = 1 / x
    with strictly():
        z = 1 / x
    return y + z


def once_more(n, x):
    if n <= 0:
        return x
    with strictly():
        return once_more(n - 1, 1 / x)


def in_a_recursion(x):
    return once_more(x.astype(int), x - 2)


@pytest.mark.parametrize('f', [
    of_a_helper, of_a_stack, of_a_class, of_a_decorator, entered_by_hand, in_a_helper_and_a_loop,
    within_each_other, computed_twice, in_a_recursion])
def test_an_error_state_holds_however_it_was_entered(f):
    check(f, *((np.float64(x),) for x in (4.0, 2.0, 1.0, 0.0, -1.0)))


def test_what_a_manager_does_not_set_is_as_at_the_call():
    partly = ag.function(within_a_part)
    for states in ({'all': 'raise'}, {'all': 'ignore'}, {'all': 'raise'}):
        with np.errstate(**states):
            for x in map(np.float64, (2.0, 0.0, -1.0)):
                assert same(outcome(within_a_part, (x,)), outcome(partly, (x,)))


def within_a_part(x):
    with strictly(divide='raise'):
        y = 1 / x
        return y + np.log(x)


def shown(x):
    before = str(x)
    with np.printoptions(precision=2):
        within = str(x), f'{x}', f'{[x]}'
    return before, within, str(x)


@contextlib.contextmanager
def shortly():
    with np.printoptions(precision=2):
        yield


def shown_by_a_helper(x):
    with shortly():
        if x[0] > 0:
            raise ValueError(f'{x}')
    return str(x)


def shown_one_by_one(x):
    texts = []
    with np.printoptions(formatter={'float': lambda v: f'<{v:.1f}>'}):
        for row in x.reshape(-1, 1):
            texts.append(str(row))
    return texts


@pytest.mark.parametrize('f', [shown, shown_by_a_helper, shown_one_by_one])
def test_print_options_hold_when_the_graph_runs(f):
    check(f, (np.array([1 / 3, 1.0]),), (np.array([-2 / 3, 0.1]),))


@pytest.mark.skipif(
    np.lib.NumpyVersion(np.__version__) < '2.1.0',
    reason='NumPy 2.0 does not tell options that were set to the values that they had')
def test_print_options_of_the_call_hold_for_the_rest():
    f = ag.function(shown)
    x = np.array([1e-9, 1 / 3])
    for options in ({}, {'precision': 2}, {'suppress': True}, {}):
        with np.printoptions(**options):
            assert f(x) == shown(x)


def test_prints_with_print_options(capsys):
    @ag.function
    def f(x):
        with np.printoptions(precision=2):
            print(x)
        print(x)

    f(np.array([1 / 3]))
    f(np.array([2 / 3]))
    assert capsys.readouterr().out == '[0.33]\n[0.33333333]\n[0.67]\n[0.66666667]\n'


def test_the_program_shows_what_a_helper_sets():
    concrete = ag.function(shown_by_a_helper).get_concrete_function(np.ones(2))
    assert 'with np.printoptions(precision=2):' in concrete.lowered_code


def test_a_branch_that_leaves_another_state_is_refused():
    state = np.errstate(all='raise')

    def f(x):
        if x > 0:
            state.__enter__()
        return 1 / x

    with pytest.raises(ag.errors.AutographError, match='Set it outside of the block'):
        ag.function(f)(np.float64(1.0))
