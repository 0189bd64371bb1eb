"""Code of the user's that Python itself, or its library, calls."""
import functools

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

CALLS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, 2.0, -4.0]),)]


def size(x):
    return x if x > 0 else -x


class Missing(dict):
    def __init__(self, x):
        self.x = x

    def __missing__(self, key):
        return self.x if self.x > 0 else -self.x


class Marked(Missing):
    @ag.convert
    def __missing__(self, key):
        return self.x if self.x > limit else -self.x


class Hashed:
    def __init__(self, x):
        self.x = x

    def __hash__(self):
        return 1 if self.x > 0 else 2


limit = 0.0


def test_what_is_called_as_it_is_is_named_with_what_to_write():
    def f(x):
        return Missing(x[0])['key']

    with pytest.raises(ag.errors.StagingError) as info:
        ag.function(f)(*CALLS[0])
    message = str(info.value)
    assert '__missing__` at line' in message
    assert "return Missing(x[0])['key']" in message
    assert 'Write `@ag.convert` directly above `def __missing__`' in message


def test_what_python_has_to_know_is_asked_for_elsewhere():
    with pytest.raises(ag.errors.StagingError, match='such as an `if` in a `for` loop'):
        ag.function(lambda x: {Hashed(x[0]): 1})(*CALLS[0])


def test_code_without_conversion_gets_no_such_advice():
    with pytest.raises(ag.errors.StagingError, match='without `autograph=False`'):
        ag.function(lambda x: size(x[0]), autograph=False)(*CALLS[0])
    with pytest.raises(ag.errors.StagingError, match='without `autograph=False`'):
        ag.function(lambda x: ag.do_not_convert(lambda x: 1 if x > 0 else 2)(x[0]))(*CALLS[0])


def test_what_is_marked_is_converted_whoever_calls_it_and_tells_what_it_reads(monkeypatch):
    graph = check(lambda x: Marked(x[0])['key'], *CALLS)
    assert graph(np.array([-1.0])) == 1.0
    monkeypatch.setitem(globals(), 'limit', -2.0)
    assert graph(np.array([-1.0])) == -1.0


class Partial:
    def __init__(self, x):
        self.x = x

    def times(self, factor, offset):
        return self.x * factor if self.x > 0 else self.x + offset

    @classmethod
    def made(cls, x, offset):
        return cls(x).times(2.0, offset)

    doubled = functools.partialmethod(times, 2.0)
    plain = functools.partialmethod(made, offset=1.0)


def test_a_partial_method():
    check(lambda x: (Partial(x[0]).doubled(1.0), Partial.plain(x[1])), *CALLS)


class Called:
    def __init__(self, factor):
        self.__self__ = factor

    def __call__(self, x):
        return x * self.__self__ if x > 0 else x


def test_a_callable_object_with_an_attribute_as_methods_have():
    check(lambda x: Called(3.0)(x[0]), *CALLS)
