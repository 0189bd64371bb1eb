"""`print` of what only the running graph knows: when it runs, what plain Python prints."""
import builtins
import collections
import contextlib
import dataclasses
import functools
import gc
import io
import os
import pickle
import sys
import warnings

import numpy as np
import pytest

import autograph_lite as ag

Pair = collections.namedtuple('Pair', ('a', 'b'))
LOG = io.StringIO()


@dataclasses.dataclass
class Point:
    x: float
    hidden: float = dataclasses.field(default=1.0, repr=False)


@dataclasses.dataclass
class Shown:
    x: float

    def __str__(self):
        return f'<{self.x:.1f}>'


class Box:
    def __init__(self, content):
        self.content = content

    def __repr__(self):
        return f'Box({self.content})'


def printed(f, *args):
    """What a call prints, on both of the standard files."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        f(*args)
    return out.getvalue(), err.getvalue()


def check(f, *calls):
    """Converted Python and graphs, also of unknown lengths, print what plain Python prints."""
    converted, graph, checked = ag.to_graph(f), ag.function(f), ag.function(f, check=True)
    ways = [converted, graph, checked]
    if np.ndim(calls[0]):
        ways.append(ag.function(f, input_signature=[ag.TensorSpec([None], np.float64)]))
    for given in calls:
        expected = printed(f, given)
        assert any(expected)
        for run in ways:
            assert printed(run, given) == expected


ONE = [
    lambda x: print(x),
    lambda x: print('x is', x, sep='=', end='!\n', flush=True),
    lambda x: print(f'{x:.3f}', f'{x!r}', 'at ' + str(x), '%.1f' % x),  # noqa: UP031
    lambda x: print([x, (x,)], {'a': x}, Pair(x, [x]), Point(x, x), [Point(x)]),
    lambda x: print(Shown(x), [Shown(x)], f'{Shown(x)}'),
    lambda x: print(Box(x), [Box(x)], Box(1), Point(Box(x))),
    lambda x: print(f'{Pair(x, 1)} {Point(x)} {[Shown(x)]} {Shown(x)}'),
    lambda x: print({'a': x}.values(), {'a': x}.items(), f'{ {1: x}.keys()}'),
    lambda x: print(slice(int(x)), range(int(x)), f'{range(int(x), 9, 2)}'),
    lambda x: print(x.shape, x.dtype, x.item(), [x.item()], int(x), x > 1, [x > 1], x + 1j),
    lambda x: print('a', x, sep=f'{x}', end=f'{x}\n'),
    lambda x: print(x, None, sep=None, end=None, file=None),
    lambda x: print(x, file=sys.stderr),
    lambda x: print(*[x, 1], **{'sep': '-'}),
    lambda x: [print(v) for v in (x, x + 1)],
    lambda x: x > 1 and print('large', x),
    lambda x: list(map(print, [x, x + 1])),
    lambda x: functools.partial(print, 'at', end=';\n')(x),
    lambda x: (lambda show: show(x, sep=''))(print),
]  # fmt: skip


@pytest.mark.parametrize('f', ONE)
def test_one_number(f):
    check(f, np.float64(1.5), np.float64(2.5))


def each_on_a_line(xs):
    for x in xs:
        print(x, end=' ')
    print(xs)


def until_it_stops(xs):
    out = []
    for i, x in enumerate(xs):
        if x < 0:
            print('skip', i, x)
            continue
        if x > 5:
            print('stop', i, x)
            break
        out.append(x)
        print(out, len(out))
    else:
        print('all', out)


def caught(xs):
    for x in xs:
        try:
            if x < 0:
                raise ValueError(f'{x} is negative')
            print('fine', x)
        except ValueError as error:
            print('caught', error)
        else:
            print('after', x)
        finally:
            print('at last', x)


def smaller_numbers(xs):
    total, count, found = np.float32(0), 0, False
    for x in xs.astype(np.float32):
        total += x
        count += 1
        found = found or x > 1
        print(total, [total], count, [count], found, f'{total} {count} {found}')


def perhaps_none(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
        print(best, [best])


class Total:
    def __init__(self):
        self.sum = 0.0

    def add(self, x):
        self.sum += x
        print(self, 'after', x)

    def __str__(self):
        return f'{self.sum:.2f}'


def in_a_method(xs):
    total = Total()
    for x in xs:
        total.add(x)


def in_a_helper(xs):
    def show(*values, **options):
        print(*values, **options)

    for x in xs:
        show(x, x * 2, sep='|')


def with_stars(xs):
    print(*xs, sep=', ')
    kept = [(i, x) for i, x in enumerate(xs) if x > 0]
    print('kept', *kept, 'of', *reversed(xs))


def what_changes_later(xs):
    items, names, box = [1], {'a'}, Box(1)
    print(items, names, box, xs)
    items.append(2)
    names.add('b')
    box.content = 2
    print(items, sorted(names), box, xs)


@pytest.mark.parametrize(
    'f',
    [
        each_on_a_line, until_it_stops, caught, smaller_numbers, perhaps_none, in_a_method,
        in_a_helper, with_stars, what_changes_later,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_many_numbers(f):
    check(f, np.array([1.0, -2.0, 3.5]), np.array([0.0, 6.0, 2.0]))


def counted_until_it_is_large(xs):
    k = 0
    while True:
        k += 1
        print('turn', k)
        if xs[2] * k > 5:
            break


def counted_by_steps(xs):
    k = 0
    while k < 3:
        print('at', k)
        k += 1 if xs[0] > 0 else 2


def a_list_that_grows(xs):
    found = []
    for x in xs:
        if x < 0:
            print('found', len(found), found)
        found.append(x)


def a_range_that_is_left(xs):
    for i in range(3):
        print('turn', i)
        if xs[i] < 0:
            break


def taken_by_the_body(xs):
    it = iter([1, 2, 3, 4])
    for i in it:
        print('taken', i)
        if xs[0] > 0:
            next(it)


@pytest.mark.parametrize(
    'f',
    [
        counted_until_it_is_large, counted_by_steps, a_list_that_grows, a_range_that_is_left,
        taken_by_the_body,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_python_values_in_staged_blocks_are_printed_once_a_turn(f):
    graph, checked = ag.function(f), ag.function(f, check=True)
    for xs in np.array([1.0, -2.0, 3.5]), np.array([0.0, -6.0, 2.0]):
        expected = printed(f, xs)
        for run in (ag.to_graph(f), graph, checked, graph):
            assert printed(run, xs) == expected


def test_a_block_that_is_traced_in_several_rounds_prints_once(capsys):
    @ag.function
    def f(xs):
        total, found = 0, []
        for x in xs:
            print('tracing')
            if x > 0:
                print('positive')
            total += x
            found.append(x)
        return total, found

    f(np.ones(2))
    f(np.zeros(2))
    assert capsys.readouterr().out == 'tracing\npositive\n'


def test_what_is_traced_in_vain_is_printed_before_an_error(capsys):
    @ag.function
    def f(x):
        n = 0
        while n < 2:
            n += 1
            print('turn', n)
            if n == 2:
                raise KeyError(n)

    with pytest.raises(KeyError):
        f(np.ones(2))
    assert capsys.readouterr().out == 'turn 1\nturn 2\n'


def test_what_python_knows_is_printed_while_tracing(capsys):
    @ag.function
    def f(x):
        print('tracing', x.shape)
        print()
        return x

    f(np.ones(2))
    f(np.zeros(2))
    assert capsys.readouterr().out == 'tracing (2,)\n\n'


def test_a_function_of_the_users_with_that_name(capsys):
    def print(value):
        builtins.print('mine', value)

    check(lambda x: print(x), np.float64(1.5))
    ag.function(lambda x, print: print(x))(np.float64(2.5), print)
    assert capsys.readouterr().out == 'mine 2.5\n'


def test_the_code():
    def f(x, log):
        print('done')
        print()
        print('x', x, file=log)

    assert ag.to_code(f).splitlines()[1:] == [
        "    print('done')",
        '    print()',
        "    ag.print_('x', x, file=log)",
    ]


def test_a_variable_is_described_as_python_does():
    v = ag.Variable(3.0, name='v')
    check(lambda x: print(v, [v], x), np.float64(1.5))


# Files.


def test_a_file_that_is_given():
    @ag.function
    def f(x, file):
        print('x', x, file=file)

    for x in 1.5, 2.5:
        file = io.StringIO()
        f(np.float64(x), file)
        assert file.getvalue() == f'x {x}\n'


def test_a_file_from_outside():
    LOG.truncate(LOG.seek(0))

    @ag.function
    def f(x):
        print(x, file=LOG)
        with contextlib.redirect_stdout(LOG):
            print('inside', x)

    f(np.float64(1.5))
    f(np.float64(2.5))
    assert LOG.getvalue() == '1.5\ninside 1.5\n2.5\ninside 2.5\n'


def test_a_standard_file_is_the_one_of_the_call():
    graph = ag.function(lambda x: print(x, file=sys.stdout))
    assert printed(graph, np.float64(1.5)) == ('1.5\n', '')
    assert printed(graph, np.float64(2.5)) == ('2.5\n', '')


def test_a_concrete_function_with_a_standard_file_pickles():
    graph = ag.function(lambda x: print(x, file=sys.stderr))
    concrete = graph.get_concrete_function(np.float64(1.5))
    again = pickle.loads(pickle.dumps(concrete))
    assert printed(again, np.float64(2.5)) == ('', '2.5\n')
    assert 'print(x, file=stderr())' in concrete.lowered_code


def writes_and_returns(x):
    file = io.StringIO()
    print(x, file=file)
    return file.getvalue()


def redirects_and_returns(x):
    with contextlib.redirect_stdout(io.StringIO()) as file:
        print(x)
    return file.getvalue()


def writes_in_a_branch(x):
    file = io.StringIO()
    if x > 0:
        print('xs', file=file)
    return file.getvalue()


def redirects_in_a_branch(x):
    with contextlib.redirect_stdout(io.StringIO()) as file:
        if x > 0:
            print('xs')
    return file.getvalue()


@pytest.mark.parametrize('f', [
    writes_and_returns, redirects_and_returns, writes_in_a_branch, redirects_in_a_branch,
])  # fmt: skip
def test_a_file_that_the_trace_makes_is_refused(f):
    with pytest.raises(ag.errors.StagingError, match='is made while tracing') as caught:
        ag.function(f)(np.float64(1))
    assert 'print(' in str(caught.value)


def test_a_file_that_it_opens_is_refused():
    @ag.function
    def f(x):
        with open(os.devnull, 'w') as file:
            print(x, file=file)

    with pytest.raises(ag.errors.StagingError, match='is made while tracing'):
        f(np.float64(1))
    with warnings.catch_warnings():
        warnings.simplefilter('ignore', ResourceWarning)
        gc.collect()


class Lines:
    def __init__(self):
        self.lines = []

    def write(self, text):
        self.lines.append(text)

    def count(self):
        return len(self.lines)


def reads_a_file(x, file):
    print(x, file=file)
    return file.getvalue()


def reads_an_attribute(x, file):
    print(x, file=file)
    return len(file.lines)


def asks_a_method(x, file):
    print(x, file=file)
    return file.count()


@pytest.mark.parametrize(
    ('f', 'kind'),
    [(reads_a_file, io.StringIO), (reads_an_attribute, Lines), (asks_a_method, Lines)],
)
def test_what_was_printed_is_not_read_while_tracing(f, kind):
    with pytest.raises(ag.errors.StagingError, match='is read while tracing'):
        ag.function(f)(np.float64(1), kind())


def test_what_is_no_file(capsys):
    for f in lambda x: print(x, file=3), lambda x: print(x, sep=3):
        raised = []
        for run in f, ag.function(f):
            with pytest.raises((AttributeError, TypeError)) as caught:
                run(np.float64(1))
            raised.append((type(caught.value), str(caught.value)))
        assert raised[0] == raised[1]
    assert capsys.readouterr().out == ''
