"""What a handler has caught, kept for later; and what it was made of."""
from __future__ import annotations

import logging
import sys
import traceback

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

CALLS = [(np.array(x),) for x in ([1.0, 2.0], [-1.0, -2.0], [7.0, -1.0], [1.0, -3.0], [-2.0, 7.0])]


def root(x):
    if x < 0:
        raise ValueError(f'{x} is negative')
    if x > 5:
        raise KeyError('large')
    return np.sqrt(x)


class Negative(Exception):
    """One with a value of its own."""

    def __init__(self, value, why='small'):
        super().__init__(f'{value} is {why}')
        self.value = value
        self.why = why


def asked_after_it(x):
    error = None
    y = x[0]
    try:
        y = root(x[0])
    except (ValueError, KeyError) as e:
        error = e
    if error is not None:
        return -1.0, str(error), repr(error), type(error).__name__
    return y, '', '', ''


def truth(x):
    error = None
    try:
        root(x[0])
    except ValueError as e:
        error = e
    except KeyError:
        pass
    return bool(error), not error, error is None, error == None  # noqa: E711


def of_which_class(x):
    error = None
    try:
        root(x[0])
    except Exception as e:
        error = e
    if type(error) is KeyError or error.__class__ is TypeError:
        return 0
    return 1 if isinstance(error, (ValueError, TypeError)) else 2


def matched(x):
    error = None
    try:
        root(x[0])
    except Exception as e:
        error = e
    match error:
        case ValueError():
            return 1
        case KeyError():
            return 2
    return 3


def the_last_of_a_loop(x):
    last = None
    for v in x:
        try:
            return root(v)
        except (ValueError, KeyError) as e:
            last = e
    raise last


def the_cause_of_another(x):
    last = None
    for v in x:
        try:
            return root(v)
        except (ValueError, KeyError) as e:
            last = e
    raise RuntimeError('no root') from last


def again_from_another(x):
    first = second = None
    try:
        root(x[0])
    except (ValueError, KeyError) as e:
        first = e
    try:
        root(x[1])
    except (ValueError, KeyError) as e:
        second = e
    if first and second:
        raise first from second
    return first is None, second is None


def what_may_be_none(x):
    error = None
    try:
        root(x[0])
    except (ValueError, KeyError) as e:
        error = e
    try:
        raise error
    except TypeError as e:
        return str(e)
    except (ValueError, KeyError) as e:
        return f'again: {e}'


def in_a_list(x):
    errors = []
    for v in x:
        try:
            root(v)
        except (ValueError, KeyError) as e:
            errors.append(e)
    print(errors, [str(e) for e in errors])
    if len(errors) > 1:
        raise errors[-1]
    return len(errors)


def beside_values(x):
    found = []
    for v in x:
        try:
            found.append((root(v), None))
        except (ValueError, KeyError) as e:
            found.append((v, e))
    for v, e in found:
        if e is not None:
            print(v, e)
    return len(found)


class Attempt:
    def __init__(self):
        self.error = None

    def run(self, v):
        try:
            return root(v)
        except (ValueError, KeyError) as e:
            self.error = e
        return -1.0


def in_an_attribute(x):
    attempt = Attempt()
    y = attempt.run(x[0])
    if attempt.error is not None:
        print(attempt.error)
    return y


def made_in_a_branch(x):
    error = ValueError('small') if x[0] < 0 else KeyError(f'{x[0]} is large')
    if x[1] > 0:
        raise error
    return str(error), type(error).__name__


def made_and_kept(x):
    error = None
    if x[0] < 0:
        error = Negative(x[0])
    elif x[1] < 0:
        error = ValueError('second', x[1])
    if error:
        raise error
    return 1


def made_in_a_loop(x):
    errors = []
    for v in x:
        if v < 0:
            errors.append(ValueError(f'{v} is negative'))
    for e in errors:
        print(e)
    return len(errors)


def raised_in_another(x):
    try:
        return root(x[0])
    except ValueError as e:
        raise Negative(e) from None


def printed_in_a_list(x):
    try:
        root(x[0])
    except ValueError as e:
        print([e], {'e': e})
    except KeyError:
        return 2
    return 1


@pytest.mark.parametrize('f', [
    asked_after_it, truth, of_which_class, matched, the_last_of_a_loop, the_cause_of_another,
    again_from_another, what_may_be_none, in_a_list, beside_values, in_an_attribute,
    made_in_a_branch, made_and_kept, made_in_a_loop, raised_in_another, printed_in_a_list,
])  # fmt: skip
def test_it_is_kept(f, capsys):
    graph = check(f, *CALLS, joins=True)
    capsys.readouterr()
    for args in CALLS:
        printed = []
        for run in (f, graph):
            try:
                run(*args)
            except Exception as error:
                print(repr(error), repr(error.__cause__), vars(error).get('value'))
            printed.append(capsys.readouterr().out)
        assert printed[0] == printed[1]


def test_it_is_returned_as_it_is():
    @ag.function
    def f(x):
        try:
            return root(x), None
        except ValueError as e:
            return -1.0, e

    for x in (4.0, -4.0, 1.0):
        y, error = f(np.float64(x))
        assert (y, repr(error)) == (
            (np.sqrt(x), 'None') if x > 0 else (-1.0, "ValueError('-4.0 is negative')"))


def test_in_the_program():
    def f(x):
        error = None
        try:
            if x < 0:
                raise ValueError('negative')
        except ValueError as e:
            error = e
        if error is not None:
            raise error
        return x

    assert ag.function(f).get_concrete_function(np.float64(1)).lowered_code == '''\
def f(x):
    try:
        if x < 0:
            raise ValueError('negative')
        error = None
    except ValueError as caught:
        error = caught
    if not error is None:
        raise error
    return x
'''


# What it was made of.


def attributes(x):
    try:
        if x[0] < 0:
            raise Negative(x[0])
        if x[1] < 0:
            raise Negative(x[1], f'no {x[0]}')
    except Negative as e:
        return e.value, e.why, e.args[0], len(e.args)
    return x[0], '', '', 1


def arguments(x):
    try:
        root(x[0])
    except ValueError as e:
        return e.args[0], e.args == ('large',)
    except KeyError as e:
        (why,) = e.args
        return why, e.args == ('large',)
    return '', False


def of_numpy(x):
    try:
        np.linalg.inv(np.array([[x[0] - 1, 0.0], [0.0, 0.0]]))
        return '', [1, 2, 3][int(x[1])]
    except np.linalg.LinAlgError as e:
        return e.args[0], 0
    except IndexError as e:
        return e.args[0], 1


# pytest has messages of its own for what it finds in a file.
of_an_assert = define('''
def of_an_assert(x):
    try:
        assert x[0] > 0, f'{x[0]} is negative'
        assert x[1] > 0, 'second'
    except AssertionError as e:
        return e.args[0]
    return ''
''')
without_a_text = define('''
def without_a_text(x):
    try:
        assert x[0] > 0
    except AssertionError as e:
        return len(e.args), str(e)
    return 7, ''
''')


class Large(Negative):
    """One of a class of that."""

    def __init__(self, value):
        super().__init__(value, 'large')


def signed(x):
    """What raises one of two classes."""
    if x < 0:
        raise Negative(x)
    if x > 5:
        raise Large(x)
    return x


def after_it_was_kept(x):
    error = None
    y = x[0]
    try:
        y = signed(y)
    except Negative as e:
        error = e
    text = '' if error is None else error.why
    return error.value * 2 if error is not None else y, text


def kept_in_a_loop(x):
    last, count = None, 0
    for v in x:
        try:
            count += 1
            signed(v)
            count += 10
        except Large as e:
            last = e
        except Negative as e:
            last = e
            count += int(e.value)
    return count if last is None else count + last.value, count


def kept_in_a_list(x):
    errors = []
    for v in x:
        try:
            signed(v)
        except Negative as e:
            errors.append(e)
    total = x[0] * 0
    for e in errors:
        total += e.value
    return total, len(errors)


def asked_for_its_class_before(x):
    try:
        signed(x[0])
        if x[1] < 0:
            raise KeyError('second')
    except Exception as e:
        return e.why if isinstance(e, Negative) else 'another'
    return 'none'


def what_another_has_not(x):
    try:
        if x[0] < 0:
            raise KeyError('first')
        signed(x[1])
    except Exception as e:
        return e.why
    return ''


def raised_again(x):
    try:
        try:
            signed(x[0])
        except Negative as e:
            if e.value > 0:
                raise
            raise e
    except Negative as e:
        return e.value
    return x[1]


def what_may_not_be_there(x):
    error = None
    try:
        signed(x[0])
    except Negative as e:
        error = e
    return error.value


def several_of_pythons(x):
    try:
        if x[0] < 0:
            raise KeyError('missing', 3)
        if x[1] < 0:
            raise IndexError('beyond', 4)
        y = np.sqrt(x[0])
    except LookupError as e:
        why, code = e.args
        return code, why, len(e.args)
    return y, '', 0


def a_number_of_pythons(x):
    try:
        if x[0] < 0:
            raise KeyError(x[0])
    except KeyError as e:
        return e.args[0]
    return x[1]


@pytest.mark.parametrize('f', [
    attributes, arguments, of_numpy, of_an_assert, without_a_text, after_it_was_kept,
    kept_in_a_loop, kept_in_a_list, asked_for_its_class_before, what_another_has_not, raised_again,
    what_may_not_be_there, several_of_pythons, a_number_of_pythons,
])  # fmt: skip
def test_what_it_was_made_of(f):
    check(f, *CALLS, joins=True)


def of_two_types(x):
    try:
        raise Negative(x[0] if x[0] < 0 else 1) if x[1] > 0 else Negative('text')
    except Negative as e:
        return e.value


def of_any_class(x):
    try:
        if x[0] < 0:
            raise Negative(x[0])
    except Exception as e:
        return e.value
    return x[0]


def an_array(x):
    try:
        if x[0] < 0:
            raise Negative(x)
    except Negative as e:
        return e.value
    return x


def formatted(x):
    try:
        root(x[0])
    except ValueError:
        return traceback.format_exc()
    return ''


def logged(x):
    try:
        root(x[0])
    except ValueError:
        logging.getLogger('kept').exception('no root')
    return x


def logged_with_it(x):
    if x[0] < 0:
        logging.getLogger('kept').warning('it is %s', x)
    return x


def by_system(x):
    try:
        root(x[0])
    except ValueError:
        return isinstance(sys.exc_info()[1], ValueError)
    return False


@pytest.mark.parametrize('f', [
    of_two_types, of_any_class, an_array, formatted, logged, logged_with_it, by_system,
])  # fmt: skip
def test_what_is_not_known_of_it_is_refused(f, monkeypatch):
    monkeypatch.setattr(logging, 'raiseExceptions', False)
    with pytest.raises(ag.errors.StagingError, match='while tracing'):
        ag.function(f)(CALLS[0][0])


def test_arguments_of_other_classes_than_they_were_taken_to_be():
    def overflow(x):
        try:
            return float(x) ** 2, ''
        except OverflowError as e:
            return 0.0, e.args[0]

    f = ag.function(overflow)
    assert f(np.float64(2)) == (4.0, '')
    with pytest.raises(ag.errors.StagingError, match='The arguments of OverflowError'):
        f(np.float64(1e300))


def test_another_number_of_arguments_than_it_was_taken_to_have():
    def beyond(x, i):
        try:
            if i > 5:
                raise IndexError('far', 3)
            return x[i], 0
        except IndexError as e:
            return x[0], len(e.args)

    f = ag.function(beyond)
    assert f(np.arange(2), np.int64(7)) == (0, 2)
    with pytest.raises(ag.errors.StagingError, match='The arguments of IndexError'):
        f(np.arange(2), np.int64(3))


def given_back_by_two(x):
    errors = []
    n = 0
    try:
        root(x)
    except KeyError:
        try:
            n += 1
        finally:
            n += 0
        if n > 1:
            return n, errors
    try:
        root(x)
    except ValueError as e:  # noqa: F841
        try:
            root(-x)
        except KeyError as e:
            errors.append(e)
            if True:
                return n, errors
        pass


def test_a_list_that_two_functions_give_back():
    check(given_back_by_two, *[(np.float64(x),) for x in (1.0, -1.0, -7.0)])


@pytest.mark.skipif(sys.version_info < (3, 11), reason='notes are of Python 3.11')
def test_notes_are_added_to_what_is_caught():
    def f(x):
        for k in range(2):
            try:
                x = root(x) - 1
            except ValueError as e:
                e.add_note(f'in turn {k} of {x}')
                if x < -2:
                    e.add_note('far below')
                raise
        return x

    graph = ag.function(f)
    for x in (9.0, 4.0, 0.5, -1.0, -5.0):
        told = []
        for function in (f, graph):
            try:
                told.append(function(np.float64(x)))
            except (KeyError, ValueError) as error:
                told.append((type(error), str(error), getattr(error, '__notes__', [])))
        assert told[0] == told[1]


@pytest.mark.skipif(sys.version_info < (3, 11), reason='notes are of Python 3.11')
def test_a_note_is_a_text():
    def f(x):
        try:
            return root(x)
        except ValueError as e:
            e.add_note(3)
            raise

    with pytest.raises(TypeError, match="note must be a str, not 'int'"):
        ag.function(f)(np.float64(-1))
