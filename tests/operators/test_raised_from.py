"""What the running graph raises: its cause, what was handled before it, its attributes."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

F = np.float64


class Other(Exception):
    """An exception of the user's."""


class Numbered(Exception):
    """One that makes its message."""

    def __init__(self, number):
        super().__init__(f'number {number}')
        self.number = number


def root(x):
    if x < 0:
        raise ValueError('negative')
    return np.sqrt(x)


def linked(error):
    """An exception, its attributes, and all that is linked to it."""
    if error is None:
        return None
    links = linked(error.__cause__), linked(error.__context__), error.__suppress_context__
    return type(error), error.args, vars(error), *links


def from_caught(x):
    try:
        return root(x)
    except ValueError as e:
        raise Other('no root of', x) from e


def from_a_new_one(x):
    if x < 0:
        raise Other('no root') from Numbered(3)


def from_a_class(x):
    if x < 0:
        raise Other('no root') from ValueError


def from_nothing(x):
    if x < 0:
        raise Other('no root') from None


def from_what_tracing_caught(x):
    try:
        1 // 0  # noqa: B018
    except ZeroDivisionError as e:
        if x < 0:
            raise Other('no root') from e


def while_tracing_handled(x):
    try:
        1 // 0  # noqa: B018
    except ZeroDivisionError:
        if x < 0:
            raise Other('no root')  # noqa: B904


def set_by_hand(x):
    if x < 0:
        error = Other('no root')
        error.__cause__ = Numbered(4)
        error.__cause__.__cause__ = KeyError('k')
        raise error


def the_outer_one_again(x):
    try:
        root(x)
    except ValueError as e:
        try:
            root(x - 1)
            raise TypeError('inner')
        except (ValueError, TypeError):
            raise e  # noqa: B904


def with_attributes(x):
    if x < 0:
        error = Other('no root')
        error.value = x
        error.path = ['x', x * 2]
        error.kind = 'root'
        raise error


def always_with_attributes(x):
    error = Other('no root')
    error.value = x
    raise error


def in_a_block_that_is_traced_twice(x):
    out = []
    try:
        out.append(x)
        raise ValueError('sure')
    except ValueError:
        print(out)
        raise Other('no root')  # noqa: B904
    finally:
        out.append(x)
        print(out)


@pytest.mark.parametrize('f', [
    always_with_attributes, from_caught, from_a_new_one, from_a_class, from_nothing,
    from_what_tracing_caught, in_a_block_that_is_traced_twice, while_tracing_handled, set_by_hand,
    the_outer_one_again, with_attributes,
])  # fmt: skip
def test_what_leaves_the_graph_is_linked_as_in_python(f):
    expected, got = [], []
    graph = ag.function(f)
    for x in (F(-1), F(-4)):
        for run, found in ((f, expected), (graph, got)):
            with pytest.raises((ValueError, Other)) as raised:
                run(x)
            found.append(linked(raised.value))
    assert repr(got) == repr(expected)
    assert graph.tracing_count == 1


def test_what_the_caller_handles_at_the_first_call_is_not_kept():
    graph = ag.function(from_nothing)
    try:
        raise KeyError('of the caller')
    except KeyError:
        with pytest.raises(Other):
            graph(F(-1))
    with pytest.raises(Other) as raised:
        graph(F(-1))
    assert raised.value.__context__ is None


def test_what_is_caught_does_not_take_another_attribute():
    def f(x):
        try:
            root(x)
        except ValueError as e:
            e.value = 1
            return True
        return False

    with pytest.raises(ag.errors.StagingError, match='hat the graph catches'):
        ag.function(f)(F(-1))


def test_a_message_that_says_the_cause():
    @ag.function
    def f(x):
        try:
            try:
                root(x)
            except ValueError as e:
                raise Other(f'no root: {e}') from e
        except Other as e:
            return str(e)
        return ''

    assert (f(F(-1)), f(F(1))) == ('no root: negative', '')


def test_an_attribute_set_where_it_is_caught_is_refused_by_its_line():
    @ag.function
    def f(x):
        try:
            root(x)
        except ValueError as e:
            e.code = 3
            raise

    with pytest.raises(ag.errors.StagingError, match=r'e\.code = 3'):
        f(F(-1))


def ends_in_an_error(x):
    try:
        root(x)
    finally:
        raise Other('at the end')


def ends_in_an_error_of_pythons_loop(x):
    try:
        root(x)
    finally:
        while True:
            raise Other('at the end')


@pytest.mark.parametrize('f', [ends_in_an_error, ends_in_an_error_of_pythons_loop])
def test_a_finally_that_raises_in_the_place_of_what_the_graph_raises(f):
    for x, context in ((F(-1), ValueError), (F(1), None)):
        for function in (f, ag.function(f)):
            with pytest.raises(Other, match='at the end') as caught:
                function(x)
            found = caught.value.__context__
            assert found is None if context is None else type(found) is context


def test_a_name_that_except_takes_away():
    @ag.function
    def f(x):
        e = 1.0
        try:
            root(x)
        except ValueError as e:  # noqa: F841
            pass
        return e

    with pytest.raises(UnboundLocalError, match='no value after `except`'):
        f(F(-1))


class Slotted(Exception):
    """One whose attributes are in slots."""

    __slots__ = ('place',)

    def __init__(self, place):
        super().__init__()
        self.place = place

    def __str__(self):
        return f'at {self.place}'


def with_slots(x):
    if x[0] < 0:
        raise Slotted((x[0], 2))
    return x


def of_numpy(x):
    if x[0] < 0:
        return np.sum(x, axis=1)
    return np.sum(x, axis=0)


def of_numpy_in_a_loop(x):
    total = 0.0
    for row in x:
        total = total + np.mean(row, axis=1)
    return total


@pytest.mark.parametrize('f', [with_slots, of_numpy, of_numpy_in_a_loop])
def test_attributes_in_slots_are_there(f):
    caught = []
    for run in (f, ag.function(f)):
        with pytest.raises(Exception, match=r'^(at \(|axis 1 is out of)') as info:
            run(np.array([-1.0, 2.0]))
        slots = [getattr(info.value, name) for name in type(info.value).__slots__]
        caught.append((type(info.value), str(info.value), slots))
    assert caught[0] == caught[1]


def test_the_class_of_what_is_caught_in_an_expression():
    def f(x):
        try:
            root(x)
        except (ValueError, TypeError) as e:
            return 1 if isinstance(e, TypeError) else 2, isinstance(e, ValueError) and x < -2
        return 3, False

    check(f, (F(-1),), (F(-4),), (F(1),), joins=True)


def test_a_message_of_what_tracing_caught():
    def f(x):
        said = []
        for error in (ValueError, KeyError, Other):
            for args in ((x,), ('no', x), ('no',)):
                try:
                    raise error(*args)
                except (ValueError, KeyError, Other) as e:
                    said += [str(e), f'{e}', len(str(e))]
        return said

    check(f, (F(-1),), (F(40),))


def test_what_tracing_handled_has_no_tensors_when_it_leaves():
    @ag.function
    def f(x):
        try:
            raise ValueError('no', x)
        except ValueError:
            raise Other('at once')  # noqa: B904

    with pytest.raises(Other) as raised:
        f(F(-1))
    assert raised.value.__context__.args == ('no', -1.0)


def test_the_name_of_the_class_of_what_is_caught():
    def f(x):
        try:
            root(x)
            if x > 9:
                raise Other('too large')
        except (ValueError, Other) as e:
            print(type(e).__name__, repr(e))
            return f'{type(e).__name__}: {e}', type(e).__name__ == 'Other'
        return '', False

    check(f, (F(-1),), (F(40),), (F(1),))


def of_its_own_class(e):
    return isinstance(e, type(e))


def kept_class(e):
    return type(e)


def shown_class(e):
    return str(type(e))


@pytest.mark.parametrize('ask', [of_its_own_class, kept_class, shown_class])
def test_of_the_class_of_what_is_caught_only_the_name_is_known(ask):
    def f(x):
        found = None
        try:
            root(x)
        except ValueError as e:
            found = ask(e)
        return found

    with pytest.raises(ag.errors.StagingError, match='hat the graph catches'):
        ag.function(f)(F(-1))


class Negative(Exception):
    def __init__(self, value):
        super().__init__(f'{value} is negative')
        self.value = value


def test_the_advice_for_what_is_asked_of_an_exception_works():
    def asks(xs):
        for x in xs:
            try:
                if x < 0:
                    raise Negative(x)
            except Exception as error:
                return error.value
        return F(0.0)

    def asks_of_its_own_class(xs):
        for x in xs:
            try:
                if x < 0:
                    raise Negative(x)
            except Negative as error:
                return error.value
        return F(0.0)

    def keeps(xs):
        worst, said = F(0.0), ''
        for x in xs:
            try:
                if x < 0:
                    raise Negative(x)
            except Negative as error:
                worst, said = x, str(error)
        if said:
            raise KeyError(worst) from ValueError(said)
        return worst

    with pytest.raises(ag.errors.StagingError, match='where its own class is caught'):
        ag.function(asks)(np.array([1.0, -2.0]))
    check(asks_of_its_own_class, (np.array([1.0, -2.0]),), (np.array([1.0, 2.0]),))
    check(keeps, (np.array([1.0, -2.0]),), (np.array([1.0, 2.0]),))


HELD = ['from outside']


class Plugin(ImportError):
    """One of the user's that has more arguments than it passes on."""

    def __init__(self, text, *, name, code):
        super().__init__(text, name=name)
        self.code = code


class Coded(Exception):
    """One that only keywords make."""

    def __new__(cls, *, code):
        made = super().__new__(cls, 'coded')
        made.code = code
        return made

    def __init__(self, *, code):
        super().__init__('initialised')


def stopped(x):
    error = StopIteration(1)
    error.value = x
    return error


def at_line(x):
    error = SyntaxError('bad')
    error.lineno = int(x)
    return error


def with_a_file(x):
    error = OSError(2, 'not there', 'x.csv')
    error.count = x
    return error


@pytest.mark.parametrize(('make', 'names'), [
    (lambda x: ImportError('no', name=f'{x}', path='p'), ('msg', 'name', 'path')),
    (lambda x: AttributeError('no', name='a', obj=x), ('name', 'obj')),
    (lambda x: NameError('no', name='a'), ('name',)),
    (lambda x: Plugin('no', name='p', code=x), ('msg', 'name', 'path', 'code')),
    (lambda x: Coded(code=x), ('code',)),
    (lambda x: SystemExit(x), ('code',)),
    (stopped, ('value',)),
    (at_line, ('msg', 'lineno', 'text')),
    (with_a_file, ('errno', 'strerror', 'filename', 'count')),
    (lambda x: UnicodeDecodeError('utf8', b'abc', 1, 2, 'why'), ('object', 'start', 'reason')),
])  # fmt: skip
def test_what_it_holds_beside_its_arguments(make, names):
    def f(x):
        if x > 0:
            raise make(x)
        return x

    graph = ag.function(f)
    for x in (F(-1), F(2), F(3)):
        told = []
        for run in (f, graph):
            try:
                told.append(run(x))
            except BaseException as e:
                told.append((type(e), str(e), e.args, vars(e), [getattr(e, n) for n in names]))
        assert repr(told[0]) == repr(told[1])
    assert graph.tracing_count == 1


def test_what_is_made_for_it_is_made_each_time():
    @ag.function
    def f(x):
        if x > 0:
            raise Other([1], {2}, ({'k': [3]},))

    for _ in range(2):
        with pytest.raises(Other) as raised:
            f(F(1))
        made, some, (known,) = raised.value.args
        assert (made, some, known) == ([1], {2}, {'k': [3]})
        made.append(4)
        some.add(5)
        known['k'].append(6)


def test_it_holds_what_is_outside():
    @ag.function
    def f(x):
        if x > 0:
            raise Other(HELD)

    with pytest.raises(Other) as raised:
        f(F(1))
    assert raised.value.args[0] is HELD


def arguments_perhaps_set(x):
    error = ValueError('a')
    if x > 5:
        error.args = ('b',)
    if x > 0:
        raise error
    return x


def attribute_perhaps_set(x):
    error = ValueError('a')
    if x > 5:
        error.code = 3
    raise error


def note_perhaps_added(x):
    error = ValueError('a')
    if x > 5:
        error.__notes__ = ['b']
    if x > 0:
        raise error
    return x


@pytest.mark.parametrize('f', [arguments_perhaps_set, attribute_perhaps_set, note_perhaps_added])
def test_what_a_block_perhaps_gives_one_made_before_it_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match=r'[Mm]ake the exception'):
        ag.function(f)(np.float64(1))


def links(x):
    try:
        if x == 7:
            raise Other('seven')
        if x == 9:
            raise KeyError('nine') from None
    except Other as error:
        if x > 7.5:
            raise
        raise ValueError('another') from error


def what_it_was_raised_from(x):
    try:
        links(x)
    except Exception as error:
        found = error.__cause__
        if found is None:
            return 'none', repr(error.__context__), error.__suppress_context__
        return str(found), type(error.__context__).__name__, error.__suppress_context__
    return '', '', False


def what_it_was_raised_from_is_raised(x):
    try:
        links(x)
    except Exception as error:
        raise error.__cause__  # noqa: B904  it is what is tested
    return x


def how_many_there_are(x):
    times = 0
    try:
        links(x)
    except Exception as error:
        found = error
        while found is not None:
            times += 1
            found = found.__context__
    return times


@pytest.mark.parametrize(
    'f', [what_it_was_raised_from, what_it_was_raised_from_is_raised, how_many_there_are])
def test_what_a_caught_one_is_linked_to(f):
    check(f, *((F(x),) for x in (1, 7, 9)))
