"""What a `try` block has changed before it raises, as its handlers find it."""
import contextlib

import numpy as np
import pytest
from differential import check

import autograph_lite as ag
from autograph_lite.operators.kept_variables import half_done

CALLS = [
    (np.float64(3.0), np.int64(4), np.array([1.0, -2.0, 3.0, 0.5])),
    (np.float64(-1.0), np.int64(0), np.array([-1.0, -2.0, 0.0, 5.0])),
    (np.float64(7.0), np.int64(9), np.array([2.0, 2.0, 9.0, -4.0])),
]


def small(a):
    if a > 3:
        raise ValueError('large', a)
    return a * 2


def step_by_step(x, n, xs):
    k = 0
    try:
        k += 1
        y = small(x)
        k += 1
        y = small(y)
    except ValueError:
        y = x
    return y, k


def until_nothing_is_left(x, n, xs):
    rest, k = iter(xs), 0
    try:
        while n < 5:
            next(rest)
            k += 1
    except StopIteration:
        pass
    return k


def leaving_two_loops(x, n, xs):
    try:
        for i in range(3):
            for j in range(3):
                x = x + j
                if x > 8:
                    raise StopIteration
    except StopIteration:
        pass
    return x, i, j


def in_branches(x, n, xs):
    k = 0
    try:
        k = 5
        if x > 0:
            k = 1
        elif n == 0:
            small(xs[3] + 1)
        else:
            k = 2
        small(x)
    except ValueError:
        return k
    return -1


def one_in_another(x, n, xs):
    k, s = 0, 0.5 * x
    try:
        for e in xs:
            try:
                s = s + e
                small(e)
                k += 1
            except ValueError:
                k += 10
                if s > 5:
                    raise KeyError from None
    except KeyError:
        return -k, s
    return k, s


def in_a_loop(x, n, xs):
    s = 0
    for e in xs:
        k = 0
        try:
            k = k + 1
            small(e)
            k = k + 1
            small(e + 1)
        except ValueError:
            s = s + 100
        s = s + k
    return s


def several_handlers(x, n, xs):
    a, b = x, n
    try:
        a, b = a + 1, b + 1
        if a > 3:
            raise KeyError
        a, b = a * 2, b * 2
        if b > 6:
            raise ValueError
    except KeyError:
        a = a - b
    except ValueError:
        b = b - 1
    else:
        a = a + 1000
    return a, b


def texts_and_nothing(x, n, xs):
    state, best = 'begun', None
    try:
        for e in xs:
            state = state + '.'
            small(e)
            if best is None or e > best:
                best = e
        state = 'done'
    except ValueError:
        pass
    return state, best


def suppressed(x, n, xs):
    with contextlib.suppress(ValueError):
        n = n + 1
        x = small(x)
        n = n + 1
        x = small(x)
    return n, x


class Box:
    def __init__(self):
        self.n = 0

    def add(self, e):
        self.n += 1
        small(e)


def attribute(x, n, xs):
    box = Box()
    try:
        for e in xs:
            box.add(e)
    except ValueError:
        box.n = -box.n
    return box.n


def object_that_a_method_changes(x, n, xs):
    box = Box()
    for e in xs:
        try:
            box.add(e)
        except ValueError:
            box.n = box.n - 100
    return box.n


def changed_after_all_that_may_raise(x, n, xs):
    best, y = x, x
    try:
        y = small(x)
        best = y + 1
        y = small(np.float64(1.5))
    except ValueError:
        pass
    return best, y


def put(items, e):
    items.append(e)
    small(e)


def list_that_a_helper_changes(x, n, xs):
    out = [x]
    try:
        put(out, x)
    except ValueError:
        out.append(-x)
    return out


def count(found, e):
    found['k'] = found['k'] + e
    small(e)


def dict_that_a_helper_changes(x, n, xs):
    found = {'k': x}
    for e in xs:
        try:
            count(found, e)
        except ValueError:
            found['k'] = found['k'] - 100
    return found


def list_that_a_loop_fills(x, n, xs):
    out = []
    try:
        for e in xs:
            out.append(small(e))
    except ValueError:
        return out
    return out


def lists_of_nested_loops(x, n, xs):
    out, seen = [], [x]
    for e in xs:
        try:
            for other in xs:
                seen.append(other)
                if other > e:
                    out.append(small(other - e))
        except ValueError:
            break
    return out, seen


def list_that_a_branch_and_a_loop_change(x, n, xs):
    out = [1.0, 2.0]
    try:
        if x > 0:
            out.append(x)
        while len(out) < n:
            out[0] = out[0] + 1
            out.append(small(xs[len(out) - 3]))
    except ValueError:
        return out
    out.pop()
    return out


def under_errstate(x, n, xs):
    try:
        with np.errstate(all='ignore'):
            y = x + 1
            z = y * (1.0 / int(n))
    except ZeroDivisionError:
        z = y
    return z


def overflowing(x, n, xs):
    k = np.int8(100)
    try:
        for e in xs:
            k += np.int8(20)
            small(e)
    except ValueError:
        pass
    return k


def filled_array(x, n, xs):
    v, k = np.zeros(4), 0
    try:
        for i in range(4):
            k += 1
            v[i] = small(xs[i])
    except ValueError:
        v[k - 1] = -1.0
    return v, k


@pytest.mark.filterwarnings('ignore:overflow:RuntimeWarning')
@pytest.mark.parametrize('f', [
    step_by_step, until_nothing_is_left, leaving_two_loops, in_branches, one_in_another, in_a_loop,
    several_handlers, texts_and_nothing, suppressed, attribute, overflowing, filled_array,
    changed_after_all_that_may_raise, object_that_a_method_changes, list_that_a_helper_changes,
    dict_that_a_helper_changes, list_that_a_loop_fills, lists_of_nested_loops,
    list_that_a_branch_and_a_loop_change, under_errstate,
])  # fmt: skip
def test_what_is_changed_before(f):
    check(f, *CALLS)


def test_the_widest_type_of_what_it_was():
    def f(x):
        k = 1
        try:
            k = k + x
            small(x)
            k = 2
            small(x + 1)
        except ValueError:
            return k
        return -1

    check(f, *((np.float64(x),) for x in (1.0, 2.5, 9.0)), joins=True)


def test_an_array_that_is_made_anew_is_refused():
    def f(x, xs):
        try:
            xs = xs + 1
            small(x)
            xs = xs * 2
            small(x + 1)
        except ValueError:
            pass
        return xs

    with pytest.raises(ag.errors.StagingError, match='before something that may raise'):
        ag.function(f)(np.float64(3), np.ones(2))


def test_a_dict_with_two_names_is_refused_by_its_line():
    @ag.function
    def f(x):
        d = {'a': x, 'c': 1.0}
        e, items = d, [x, x]
        try:
            e['c'] = e['c'] - x
            d['c'] = d['c'] + x
            if x > 2:
                raise ValueError
        except ValueError:
            items[1] = items[1] - 0.5
            e['a'] = e['a'] * x
        return d, e, items

    with pytest.raises(ag.errors.StagingError, match='which value it has then'):
        f(np.float64(1))


class Account:
    def __init__(self, balance):
        self.balance = balance
        self.log = []

    def draw(self, x):
        if x > self.balance:
            raise ValueError('too much')
        self.balance -= x
        self.log.append(x)

    def note(self, x):
        self.log.append(x)
        if x > self.balance:
            raise ValueError('too much')


def test_a_method_that_raises_before_it_appends():
    def f(xs):
        account, refused = Account(xs[0]), 0
        for x in xs[1:]:
            try:
                account.draw(x)
            except ValueError:
                refused += 1
        return account.balance, account.log, refused

    check(f, (np.array([5.0, 1.0, 7.0, 2.0]),), (np.array([1.0, 2.0, 3.0, 4.0]),))


def test_a_method_that_appends_before_it_raises():
    def f(xs):
        account, refused = Account(xs[0]), 0
        for x in xs[1:]:
            try:
                account.note(x)
            except ValueError:
                refused += 1
        return account.log, refused

    check(f, (np.array([5.0, 1.0, 7.0]),), (np.array([0.0, 1.0, 7.0]),))


def test_a_list_that_one_branch_fills_while_the_other_sets_an_attribute_outside():
    account = Account(1.0)

    def f(x):
        filled = []
        try:
            if x[0] > 1:
                account.balance = x[0]
            else:
                filled.insert(0, round(x[1], 2))
        except (IndexError, ValueError):
            pass
        return filled

    check(f, (np.array([2.0, 2.0]),), (np.array([-1.0, 2.456]),))


def test_a_local_array_that_is_set_back_after_what_raises_is_refused():
    def array(x):
        y = old = x * 2
        try:
            y = x * 3
            if x[0] > 0:
                raise ValueError
            y = old
        except ValueError:
            pass
        return y

    def nothing(x):
        y = None
        try:
            y = x * 3
            if x[0] > 0:
                raise ValueError
            y = None
        except ValueError:
            pass
        return y is None

    for f in (array, nothing):
        with pytest.raises(ag.errors.StagingError, match="needs 'y'"):
            ag.function(f)(np.ones(2))


def no_more(number):
    return 0


@pytest.mark.parametrize(('old', 'new'), [
    ([1.0], [2.0]), ({'a': 1}, {'a': 2}), ({1}, {2}), (abs, no_more), (slice(1), slice(2)),
    (b'a', b'b'), (range(2), range(3)), (([1.0], 1), ([2.0], 1)),
])  # fmt: skip
def test_what_is_set_back_after_what_raises_is_refused(old, new):
    def at_once(x):
        y = old
        try:
            y = new
            if x[0] > 0:
                raise ValueError
            y = old
        except ValueError:
            pass
        return y is old

    def in_a_loop(x):
        y = old
        try:
            for v in x:
                y = new
                if v > 0:
                    raise ValueError
                y = old
        except ValueError:
            pass
        return y is old

    for f in (at_once, in_a_loop):
        with pytest.raises(ag.errors.AutographError, match=r"needs 'y'|changes y"):
            ag.function(f)(np.ones(2))


def test_a_list_that_nothing_replaces_is_no_other_in_a_loop():
    def f(x):
        y, total = [1.0, 2.0], 0.0
        try:
            for v in x:
                total = total + y[0] + v
                if v > 3:
                    raise ValueError
            y = [total]
        except ValueError:
            pass
        return y

    check(f, (np.ones(2),), (np.array([1.0, 4.0]),))


def test_a_dict_that_gets_keys_before_what_raises_is_named():
    def f(x):
        found = {'parts': {}}
        try:
            found['parts']['twice'] = x * 2
            if x > 1:
                raise KeyError('twice')
        except KeyError:
            found['parts']['failed'] = x
        return found

    with pytest.raises(ag.errors.StagingError, match=r"needs \"found\['parts'\]\""):
        ag.function(f)(np.float64(1))


def test_what_another_handler_sets_is_not_found():
    def f(x):
        n, y = 0, 0
        try:
            n = 0
            if x > 4:
                raise KeyError
            if x > 2:
                raise ValueError
            n = 7
        except ValueError:
            n = 5
            if x > 3:
                n = 6
        except KeyError:
            y = n + 1
        return n, y

    check(f, *((np.float64(x),) for x in (1, 2.5, 3.5, 5)))


def test_a_variable_beside_a_list_that_a_handler_makes_grow():
    def f(x):
        n, out = 0, []
        try:
            try:
                n = n + 1
                if x > 2:
                    raise ValueError(n)
                if x > 1:
                    raise KeyError(n)
            except KeyError:
                out.append(n)
        except ValueError:
            x = x + n
        return x, out

    check(f, *((np.float64(x),) for x in (1, 1.5, 3)))


class Stopped(Exception):
    """One of the user's."""


def test_a_return_before_what_raises_beside_two_handlers_that_count():
    def f(x):
        n, y, out = 0, x, []
        try:
            if n > 3:
                return x, n, y
            if x < 5:
                raise Stopped
        except ValueError:
            n += 2
        except Stopped:
            n += 1
            out.append(n)
        finally:
            out.append(n)
        return x, n, y

    check(f, (np.float64(1),), (np.float64(6),))


def test_what_an_exit_changes_that_is_kept_is_named():
    class Counted:
        def __init__(self, value):
            self.value = value

        def __enter__(self):
            return self

        def __exit__(self, *error):
            self.value = self.value + 1.0

    def f(x):
        counted = Counted(x)
        try:
            with counted:
                y = counted.value
                if x > 0:
                    raise KeyError('a')
        except KeyError:
            y = 2.0
        except IndexError:
            pass
        return y, counted.value

    with pytest.raises(ag.errors.StagingError, match=r'`Counted\.__exit__` changes what is read'):
        ag.function(f)(np.float64(2))


@pytest.mark.parametrize(('name', 'needed'), [
    ('', 'needs what this `try` block changes'),
    ('.n', "needs the attribute 'n', which this"),
    ('a.n', "needs 'a.n', which this"),
])
def test_what_has_no_name_is_called_by_none(name, needed):
    assert needed in str(half_done(name))
