"""What Python functions, `ag.print`, messages and `assert` are given is what plain Python has."""
import collections
import dataclasses
import operator
import pickle
import string

import numpy as np
import pytest
from differential import check

import autograph_lite as ag

Pair = collections.namedtuple('Pair', ('a', 'b'))


@dataclasses.dataclass
class Data:
    a: object
    b: object


class Box:
    def __init__(self, content):
        self.content = content

    def __repr__(self):
        return f'Box({self.content})'


def shown(*values):
    print(*map(repr, values))


def show(value):
    ag.print(value, [value])
    ag.py_function(shown, [value, {'k': (value, 1)}], None)


def staged_list(xs):
    out = []
    for x in xs:
        show(out)
        if x > 1:
            out.append(x * 2)
    show(out)
    ag.print(f'{out}')
    return ag.py_function(len, [out], np.int64)


def result_that_is_found(xs):
    out = []
    for x in xs:
        out.append(x)
    return ag.py_function(sum, [out])


def list_of_tuples(xs):
    out = []
    for x in xs:
        out.append((x, x * 2))
        show(out)
    return xs


def list_of_lists(xs):
    out = [[1.0]]
    for x in xs:
        out.append([x])
    show(out)
    return xs


def numbers_and_texts(xs):
    numbers, texts = [], []
    for x in xs:
        numbers.append(int(x))
        texts.append('big' if x > 1 else 'small')
    show(numbers)
    show(texts)
    return xs


def nothing_yet(xs):
    best = None
    for x in xs:
        show(best)
        if best is None or x > best:
            best = x
    show(best)
    return best


def no_pair_yet(xs):
    best = None
    for i, x in enumerate(xs):
        show(best)
        if best is None or x > best[1]:
            best = i, x
    return best


def deque(xs):
    last = collections.deque(maxlen=2)
    for x in xs:
        last.append(x)
        ag.print(last)
        ag.py_function(shown, [last], None)
    return xs


def other_nests(xs):
    ag.print(Pair(xs, 1), Data(xs, [xs]), Box(xs), [Pair(1, xs)])
    ag.py_function(shown, [Pair(xs, 1), Data(xs, [xs]), Box(xs)], None)
    return xs


@pytest.mark.parametrize(
    'f',
    [
        staged_list, result_that_is_found, list_of_tuples, list_of_lists, numbers_and_texts,
        nothing_yet, no_pair_yet, deque, other_nests,
    ],
    ids=lambda f: f.__name__,
)  # fmt: skip
def test_the_same_is_given(f, capsys):
    xs = np.array([1.0, 3.0, 2.0])
    expected = repr(f(xs)), capsys.readouterr().out
    traced = ag.function(f)
    traced.get_concrete_function(xs)
    capsys.readouterr()
    assert (repr(traced(xs)), capsys.readouterr().out) == expected


def test_a_list_in_a_message():
    def f(xs):
        out = []
        for x in xs:
            out.append(x)
        if xs[0] > 0:
            raise ValueError(out, f'{out}')
        return xs

    raised = []
    for run in (f, ag.function(f)):
        with pytest.raises(ValueError, match='float64') as caught:
            run(np.ones(2))
        raised.append(repr(caught.value.args))
    assert raised[0] == raised[1]


def test_a_list_that_is_changed_there_is_refused():
    @ag.function
    def f(xs):
        out = []
        for x in xs:
            out.append(x)
            ag.py_function(lambda items: items.append(1.0), [out], None)
        return out

    with pytest.raises(ag.errors.OwnershipError, match='modifies what it is given'):
        f(np.ones(2))


def test_what_is_given_pickles(capsys):
    concrete = ag.function(other_nests).get_concrete_function(np.ones(2))
    capsys.readouterr()
    concrete(np.ones(2))
    expected = capsys.readouterr().out
    pickle.loads(pickle.dumps(concrete))(np.ones(2))
    assert capsys.readouterr().out == expected


@ag.do_not_convert
def print_while_tracing(*values):
    print(*values)


def test_a_text_in_a_list_as_it_is_shown_while_tracing(capsys):
    @ag.function
    def f(a):
        print_while_tracing([f'{a}!'], f'{a}!')
        return a

    f(np.int64(1))
    text = 'Tensor("a:0", shape=(), dtype=int64)!'
    assert capsys.readouterr().out == f'{[text]} {text}\n'


def kept(xs):
    found = []
    for x in xs:
        found.append(x if x > 1 else None)
    return found


def by_key(xs):
    found = {}
    for x in xs:
        found['a' if x > 1 else 'b'] = x
    return found


def rows(xs):
    found = []
    for x in xs:
        found.append((int(x), x))
    return found


@pytest.mark.parametrize(('f', 'says'), [
    (lambda xs: pickle.dumps(rows(xs)), 'Pickle what the function returns'),
    (lambda xs: pickle.dumps(by_key(xs)), 'Pickle what the function returns'),
    (lambda xs: string.Template('$a').substitute(a=rows(xs)), 'in a text that Python makes'),
    (lambda xs: string.Template('$a').substitute(a=by_key(xs)), 'in a text that Python makes'),
    (lambda xs: (lambda **named: named)(**by_key(xs)), r'the dict itself, not its items by `\*\*`'),
    (lambda xs: getattr(np, ['sin', 'cos'][int(xs[0])])(1.0), r'`\(np\.sin, np\.cos\)\[k\]\(x\)`'),
    (lambda xs: operator.add([1.0], rows(xs)), 'Put elements of one form'),
    (lambda xs: np.array(kept(xs)), r'`\[x for x in items if x is not None\]`'),
])
def test_containers_of_the_graph_are_refused_with_what_to_write(f, says):
    with pytest.raises(ag.errors.StagingError, match=says) as caught:
        ag.function(f)(np.array([1.0, 2.0]))
    assert 'test_given_to_python.py' in str(caught.value)


def test_what_is_advised_for_them():
    def f(xs):
        found = []
        for i, x in enumerate(xs):
            found.append((np.sin, np.cos)[i % 2](x))
        return found, np.array([x for x in kept(xs) if x is not None])

    check(f, (np.array([1.0, 2.0, 3.0]),), (np.array([0.5, 0.2, 3.0]),))


def test_operators_that_python_does_not_have_name_its_classes():
    def added(xs):
        return operator.add(rows(xs), (1.0,))

    def less(xs):
        return by_key(xs) < by_key(xs)

    for f in (added, less, lambda xs: by_key(xs) + by_key(xs)):
        with pytest.raises(TypeError) as wanted:
            f(np.ones(2))
        with pytest.raises(TypeError) as got:
            ag.function(f)(np.ones(2))
        assert str(got.value) == str(wanted.value)


def test_vectorized_over_a_list_that_grows():
    check(lambda xs: np.vectorize(lambda v: v + 1)([x for x in xs if x > 1]), (np.arange(4.0),))


class Sides:
    def __init__(self):
        self.a, self.b = 1.0, 2.0


def test_the_name_of_an_attribute_that_only_the_graph_knows():
    def named(x, use):
        pair = Sides()
        name = 'a'
        if x[0] > 0:
            name = 'b'
        return use(pair, name)

    def tested(x):
        pair = Sides()
        name = 'a'
        if x[0] > 0:
            name = 'b'
        if name == 'a':
            pair.a = x[0]
        else:
            pair.b = x[0]
        return pair.a if name == 'a' else pair.b

    def sets(pair, name):
        setattr(pair, name, 3.0)

    def deletes(pair, name):
        delattr(pair, name)

    for use in (sets, deletes, lambda p, k: getattr(p, k, 0.0), lambda p, k: hasattr(p, k)):
        with pytest.raises(ag.errors.StagingError, match='Only the running graph knows the name'):
            ag.function(named)(np.ones(2), use)
    check(tested, (np.ones(2),), (-np.ones(2),))
