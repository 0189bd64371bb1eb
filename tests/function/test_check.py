"""`check=True`: plain Python beside the graph."""
import re

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.comparison import DifferenceError
from autograph_lite.optimize import optimize


def test_equal_results_are_what_the_graph_gives():
    @ag.function(check=True)
    def f(x, items):
        total = 0
        for row in x:
            if np.sum(row) > 2:
                total += 1
        return x * 2, {'total': total, 'items': items}

    for _ in range(3):
        doubled, rest = f(np.ones((2, 3)), [np.float64(1)])
    np.testing.assert_array_equal(doubled, np.full((2, 3), 2.0))
    assert rest == {'total': 2, 'items': [1.0]}
    assert f.tracing_count == 1


@pytest.fixture
def _wrong_tanh(monkeypatch):
    """In graphs, `np.tanh` is `np.sinh`."""

    def wrong(graph):
        for node in graph.walk():
            if node.attrs.get('ufunc') == 'numpy.tanh':
                node.attrs['ufunc'] = 'numpy.sinh'
        return optimize(graph)

    monkeypatch.setattr('autograph_lite.trace.optimize', wrong)


@pytest.mark.usefixtures('_wrong_tanh')
def test_a_wrong_operation_is_found_at_its_line():
    @ag.function(check=True)
    def f(x):
        a = x + 1.0
        b = np.tanh(a)
        c = b * 2.0
        return c + a

    with pytest.raises(DifferenceError) as caught:
        f(np.ones(2))
    message = str(caught.value)
    assert re.search(r'the result differs\.\n  plain Python: array.*\n  the graph: ', message)
    assert 'b = np.tanh(a)' in message
    assert __file__ in message


def test_what_is_not_the_same_at_every_call():
    numbers = iter(range(100))

    @ag.function(check=True)
    def f(x):
        return x * next(numbers)

    with pytest.raises(DifferenceError, match='the result differs'):
        f(np.float64(1.0))


def test_exceptions_are_compared_too():
    @ag.function(check=True)
    def f(x):
        if x < 0:
            raise ValueError('negative')
        return x

    assert f(np.float64(1)) == 1.0
    with pytest.raises(ValueError, match='negative'):
        f(np.float64(-1))


def test_variables_are_written_once():
    v = ag.Variable(0)

    @ag.function(check=True)
    def f(x):
        v.assign_add(1)
        return v + x

    assert [f(np.int64(10)) for _ in range(3)] == [11, 12, 13]


def test_arguments_stay_what_they_are():
    @ag.function(check=True)
    def f(x):
        y = x.copy()
        y[0] = 5.0
        return y

    x = np.zeros(2)
    f(x)
    np.testing.assert_array_equal(x, [0.0, 0.0])


def test_effects_are_not_doubled(capsys):
    rng = np.random.default_rng(3)
    calls = []

    @ag.function(check=True)
    def f(x):
        ag.print('once')
        ag.py_function(lambda a: calls.append(float(a[0])), [x], None)
        return x + rng.normal(size=2) + np.random.rand(2)

    np.random.seed(3)
    found = [f(np.full(2, i)) for i in (1.0, 2.0)]
    again = np.random.default_rng(3)
    np.random.seed(3)
    expected = [i + again.normal(size=2) + np.random.rand(2) for i in (1.0, 2.0)]
    np.testing.assert_array_equal(found, expected)
    assert capsys.readouterr().out == 'once\n' * 2
    assert calls == [1.0, 2.0]


@pytest.mark.usefixtures('_wrong_tanh')
def test_nothing_is_printed_while_a_difference_is_looked_for(capsys):
    @ag.function(check=True)
    def f(x):
        ag.print('once')
        return np.tanh(x)

    with pytest.raises(DifferenceError):
        f(np.ones(2))
    assert capsys.readouterr().out == 'once\n'


@pytest.mark.parametrize(
    ('wrong', 'told'),
    [
        (lambda y: y.astype(np.float32), r'ndarray float32\[2\]'),
        (lambda y: y.reshape(1, 2), r'ndarray float64\[1, 2\]'),
        (lambda y: y * 2, r'array\(\[4., 4.\]\)'),
        (lambda y: tuple(y), r'the structure \*, the graph \(\*, \*\)'),
    ],
)
def test_what_may_differ(wrong, told):
    """Plain Python and the graph run different ways here, which no program should."""

    def f(x):
        return wrong(x * 2) if isinstance(x, ag.Tensor) else x * 2

    with pytest.raises(DifferenceError, match=told):
        ag.function(check=True)(f)(np.ones(2))


def test_a_python_number_is_not_a_numpy_one():
    def f(x):
        return x * 2.0 if isinstance(x, ag.Tensor) else float(x) * 2.0

    with pytest.raises(DifferenceError, match=r'plain Python: 2\.0'):
        ag.function(check=True)(f)(np.float64(1))


def test_where_two_ways_meet_a_number_may_become_one_of_numpys():
    @ag.function(check=True)
    def f(x):
        return 1 if x > 0 else x

    assert type(f(np.float64(2))) is np.float64


def test_numbers_that_meet_in_the_wider_type():
    @ag.function(check=True)
    def f(x):
        return 1 if x > 0 else 2.5

    assert f(np.float64(1)) == 1
    assert f(np.float64(-1)) == 2.5


def test_lists_of_any_length():
    @ag.function(check=True)
    def f(xs):
        return [x for x in xs if x > 0]

    assert f(np.ones(1)) == [1]
    assert f(np.array([1.0, -1.0])) == [1]
    assert f(np.ones(2)) == [1, 1]


def test_the_order_of_memory_is_kept():
    x = np.arange(6.0).reshape(2, 3).T
    f = ag.function(lambda x: x.ravel(order='K'), check=True)
    np.testing.assert_array_equal(f(x), x.ravel(order='K'))


def parts_in_a_python_value(x):
    return 2 if isinstance(x, ag.Tensor) else 3  # here


def raises_in_plain_python(x):
    if not isinstance(x, ag.Tensor):
        raise ValueError('plain')  # here
    return x


def raises_in_the_graph(x):
    if np.sum(x) > 0 and isinstance(x, ag.Tensor):
        raise ValueError('graph')  # here
    return x


@pytest.mark.parametrize(
    'f',
    [parts_in_a_python_value, raises_in_plain_python, raises_in_the_graph],
    ids=lambda f: f.__name__,
)
def test_the_line_where_the_two_part_is_told(f):
    with pytest.raises(DifferenceError) as caught:
        ag.function(f, check=True)(np.ones(2))
    assert f'File "{__file__}", line ' in str(caught.value)
    assert '# here' in str(caught.value)
