"""What a `finally` prints or assigns, also where the running graph raises."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check, outcome, same

import autograph_lite as ag

VECTORS = [np.array(v) for v in ([1.5, 2.5, 0.5], [-1.0, 2.0, 3.0], [0.5, -2.0, 1.0])]


def root(x):
    if x < 0:
        raise ValueError(f'{x} is negative')
    return x * 2


def what_the_block_has_set(xs):
    y, n = xs[0], 0
    try:
        for x in xs:
            n += 1
            y = root(x)
    finally:
        print('done', n, y)
    return y


def jumps(xs):
    for i, x in enumerate(xs):
        try:
            if x > 2.75:
                break
            y = root(x)
            if y > 3:
                continue
            print('small', y)
        finally:
            print('turn', i, x)
    return x


def returns(xs):
    try:
        return root(xs[1])
    finally:
        print(f'{xs[1]:.1f}', abs(xs[0]), xs.sum(), max(xs))


def branches_and_loops(xs):
    try:
        y = root(xs[0])
    finally:
        if xs[1] > 0:
            print('positive', xs[1])
        for x in xs:
            print(x)
    return y


def handlers(xs):
    y = xs[0]
    try:
        y = root(xs[1])
    except ValueError as error:
        print('caught', error)
        if xs[2] > 0.75:
            raise
    else:
        print('fine', y)
    finally:
        print('done', y)
    return y


def list_that_is_filled(xs):
    out = []
    try:
        for x in xs:
            out.append(root(x))
    finally:
        print(out, len(out))
    return out


def list_beside_effects(xs):
    out = []
    try:
        if xs[0] > 0:
            raise ValueError('positive')
        raise KeyError('negative')
    finally:
        out.append(xs[0])
        print(out)


def list_beside_effects_after_a_return(xs):
    out = []
    try:
        if xs[1] > 1:
            return out
        out.append(1.0 / int(xs[0]))
    finally:
        out.append(xs[1])
        print(out)
    return out


def list_that_both_blocks_change(xs):
    out = []
    try:
        out.append(xs[0])
        print('before', out)
        raise KeyError('certain')
    except KeyError as error:
        print('caught', error, out)
        raise ValueError('next') from None
    finally:
        out.append(xs[1])
        print('after', out)


def after_a_loop_with_a_break(xs):
    n = 0
    try:
        for _ in range(int(abs(xs[0]))):
            if n > 1:
                break
        raise ValueError('certain')
    finally:
        print('done', xs[1])


@pytest.mark.parametrize(
    'f',
    [
        after_a_loop_with_a_break, what_the_block_has_set, jumps, returns, branches_and_loops,
        handlers, list_that_is_filled,
        list_beside_effects, list_beside_effects_after_a_return, list_that_both_blocks_change,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_it_comes_where_it_is_raised(f, capsys):
    graph = ag.function(f)
    for xs in VECTORS:
        expected = outcome(f, (xs,)), capsys.readouterr().out
        got = outcome(graph, (xs,)), capsys.readouterr().out
        assert same(expected[0], got[0])
        assert expected[1] == got[1]


class Journal:
    """What lives outside, and is changed in its places."""

    def __init__(self):
        self.notes = []
        self.counts = {'turns': 0}


journal = Journal()
notes: list[object] = []


def list_outside_after_a_return(x):
    try:
        if x > 0:
            return root(x)
    finally:
        notes.append('done')
    return -root(x)


def list_outside_of_what_was_reached(x):
    done = False
    try:
        x = root(x)
        done = True
    finally:
        notes.append(done)
    return x


def places_of_an_object_outside(x):
    total = x * 0
    for k in range(3):
        try:
            if k > x:
                continue
            total += root(x)
        finally:
            journal.notes.append(total)
            journal.counts['turns'] += 1
    return total


def lists_outside_under_an_except(x):
    try:
        try:
            x = root(x)
        finally:
            notes.append('inner')
    except ValueError:
        notes.append('caught')
    finally:
        notes.append(len(notes))
    return x


@pytest.mark.parametrize('f', [
    list_outside_after_a_return, list_outside_of_what_was_reached, places_of_an_object_outside,
    lists_outside_under_an_except,
])  # fmt: skip
def test_what_is_outside_is_changed_where_it_is_raised(f):
    def run(function, x):
        notes.clear()
        journal.__init__()
        return *outcome(function, (np.float64(x),))[:2], list(notes), dict(vars(journal))

    graph = ag.function(f)
    for x in (1, -1, 2):
        assert same(run(f, x), run(graph, x))


def log(x):
    print('done', x)


def helper_with_effects(x):
    try:
        y = root(x)
    finally:
        log(x)
    return y


def helper_after_a_certain_raise(x):
    try:
        if x > 0:
            raise ValueError('positive')
        raise KeyError('negative')
    finally:
        log(x)


def helper_after_what_may_raise_and_a_certain_raise(x):
    try:
        y = root(x)
        raise KeyError(y)
    finally:
        log(x)


def helper_before_a_return(x):
    try:
        return root(x)
    finally:
        log(x)


def helper_that_may_raise(x):
    def checked(y):
        if y > 3:
            raise KeyError(y)
        notes.append(y)
        return y

    try:
        y = root(x)
    finally:
        x = checked(x + 1)
    return x + y


def raising_in_its_place(x):
    try:
        y = root(x)
    finally:
        if x < 0 or x > 3:
            raise KeyError(x)
    return y


@pytest.mark.parametrize('f', [
    helper_with_effects, helper_after_a_certain_raise, helper_before_a_return,
    helper_after_what_may_raise_and_a_certain_raise, helper_that_may_raise, raising_in_its_place,
])  # fmt: skip
def test_what_functions_do_comes_also_where_it_raises(f, capsys):
    def run(function, x):
        notes.clear()
        return *outcome(function, (np.float64(x),))[:2], capsys.readouterr().out, list(notes)

    graph = ag.function(f)
    for x in (1, -1, 2, 9, -1):
        assert same(run(f, x), run(graph, x))


class Logged:
    """A context manager that prints."""

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        return self

    def __exit__(self, *_):
        print('done', self.x)


def manager(x):
    with Logged(x):
        y = root(x)
    return y


def method_with_effects(x):
    logged = Logged(x)
    try:
        y = root(x)
    finally:
        logged.__exit__()
    return y


@pytest.mark.parametrize('f', [manager, method_with_effects])
def test_what_else_it_does_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match='does not come there'):
        ag.function(f)(np.float64(1))


def test_managers_print_where_nothing_raises(capsys):
    def f(x):
        with Logged(x):
            return x * 2

    f(np.float64(1))
    expected = capsys.readouterr().out
    assert ag.function(f)(np.float64(1)) == 2
    assert capsys.readouterr().out == expected


class Stopped(Exception):
    """What nothing here raises."""


def array_that_is_made_anew(x):
    y, n = x * np.ones(2), 0
    try:
        try:
            y[0] = 5
            y = y * 2
            y = y + 1
        finally:
            n += 1
    except Stopped:
        pass
    return y, n


def dict_that_gets_keys(x):
    found = {}
    try:
        found['once'] = x
        found['twice'] = x * 2
    finally:
        notes.append(x)
    return found


def dict_that_is_returned(x):
    found = {}
    try:
        found['once'] = x
        found['twice'] = x * 2
        return found
    finally:
        journal.notes.append(x)


@pytest.mark.parametrize(
    'f', [array_that_is_made_anew, dict_that_gets_keys, dict_that_is_returned])
def test_what_is_not_likely_to_raise_may_change_anything(f):
    check(f, (np.float64(1),))


def counted_after_what_may_raise(x):
    n = 0
    try:
        try:
            y = root(x)
            raise KeyError(y)
        finally:
            n += 1
    except (ValueError, KeyError):
        return n


def counted_after_a_certain_raise(x):
    n = 0
    try:
        try:
            if x > 0:
                raise ValueError
            raise KeyError
        finally:
            n += 1
    except (ValueError, KeyError):
        return n


def counted_in_two(x):
    n = 0
    try:
        try:
            y = root(x)
        except ValueError as error:
            n += 10
            raise KeyError(str(error)) from error
        finally:
            n += 1
    except KeyError:
        y = -x
        n += 100
    return y, n


@pytest.mark.parametrize(
    'f', [counted_after_what_may_raise, counted_after_a_certain_raise, counted_in_two])
def test_a_handler_around_it_finds_what_it_has_changed(f):
    check(f, (np.float64(1),), (np.float64(-1),))


@pytest.mark.parametrize('xs', VECTORS, ids=str)
def test_an_array_outside_that_it_changes_deep_in_branches_and_loops(xs):
    total = np.zeros(2)

    def f(xs):
        for x in xs:
            if x < 0:
                continue
            try:
                y = x * 2
            finally:
                total[0] += x
        if xs[0] > 0:
            if xs[1] > 3:
                return y
            try:
                y = xs[0]
            finally:
                total[1] += y
        return y

    f(xs)
    plain, total[:] = total.copy(), 0
    ag.function(f)(xs)
    assert same(total, plain)


class Counter:
    def __init__(self):
        self.n = 0.0


def with_a_function_in_the_block(x):
    count = Counter()
    try:
        def scaled(y):
            return y * 2 if x > 0 else y

        z = scaled(x)
    finally:
        count.n += 1
    return z, count.n


def test_a_function_in_the_block_returns_for_itself():
    check(with_a_function_in_the_block, (np.float64(1),), (np.float64(-1),))


def test_python_numbers_are_added_in_a_block_after_which_something_is_printed(capsys):
    def f(x):
        turns = 0
        for k in range(3):
            with Logged(x):
                if x > k:
                    continue
                turns = turns + 1
        return turns

    for x in (1.0, 5.0):
        assert ag.function(f)(np.float64(x)) == f(np.float64(x))
        *printed, _ = capsys.readouterr().out.split('done')
        assert len(printed) == 6


def an_attribute(x):
    count = Counter()
    try:
        count.half = x / 2
        count.n = root(x)
    except ValueError:
        x = -x
    finally:
        del count.half
    return x, count.n, hasattr(count, 'half')


def a_name(x):
    try:
        half = x / 2
        x = root(half)
    except ValueError:
        x = -x
    finally:
        del half
    return x


@pytest.mark.parametrize('f', [an_attribute, a_name])
def test_what_it_deletes_that_the_block_has_made(f):
    check(f, (np.float64(1),), (np.float64(-1),), joins=True)


def test_what_it_deletes_of_an_object_that_is_given():
    def f(count, x):
        try:
            count.half = x / 2
            return root(count.half)
        finally:
            del count.half

    for x in np.float64(1), np.float64(-1):
        count = Counter()
        assert same(outcome(ag.function(f), (count, x))[1], outcome(f, (Counter(), x))[1])
        assert not hasattr(count, 'half')


def test_an_attribute_that_two_change_is_named():
    def f(x):
        count, parts, log = Counter(), {'b': 1.0}, [0.0]
        try:
            try:
                parts['b'] = x - 1.0
            except AttributeError:
                if len(log) > 2:
                    return count.n
            else:
                log.append(count.n)
            finally:
                count.n += 1
        finally:
            count.n += 1
        return count.n

    with pytest.raises(ag.errors.OwnershipError, match="changes the attribute 'n' and then"):
        ag.function(f)(np.float64(1))
