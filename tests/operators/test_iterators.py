"""`map`, `filter`, `sorted` and generator expressions over tensors; iterators that are left."""
from __future__ import annotations

import io

import numpy as np
import pytest
from differential import check, joined, same
from sweep import differences

import autograph_lite as ag

VECTORS = [(np.array(v),) for v in ([3.0, 1.0, 2.0], [-1.0, -2.0, -3.0], [2.0, 2.0, 0.0])]


def filtered(xs):
    total = 0.0
    for x in filter(lambda x: x > 1, xs):
        total = total * 2 + x
    return total


def filtered_truths(xs):
    return sum(filter(None, xs))


def mapped(xs):
    total = 0.0
    for x in map(lambda x: x * 2 if x > 1 else x, xs):
        if x > 3:
            break
        total += x
    return total


def mapped_pairs(xs):
    return sum(map(lambda x, y: x * y if x > 1 else y, xs, xs[::-1]))


def mapped_and_listed(xs):
    a, b, c = map(lambda x: x + 1, xs)
    return a, b, c


def chosen(xs):
    total = 0.0
    for x in (x * 2 for x in xs if x > 1):
        total = total * 2 + x
    return total


def chosen_until(xs):
    for x in (x * 2 for x in xs if x > 0):
        if x > 3:
            return x
    return -1.0


def sorted_numbers(xs):
    a, b, c = sorted([xs[2], xs[0], xs[1]])
    return a, b, c


def sorted_backwards(xs):
    return sorted([xs[2], xs[0], xs[1]], reverse=True)


def sorted_by_a_key(xs):
    return sorted(xs, key=lambda x: -x), sorted([0, 1, 2], key=lambda i: xs[i])


def sorted_by_a_key_backwards(xs):
    return sorted([0, 1, 2], key=lambda i: xs[i], reverse=True)


def sorted_by_a_python_key(xs):
    return sorted([xs, xs + 1, xs + 2], key=lambda y: 3 if y is xs else 2)


@pytest.mark.parametrize(
    'f',
    [
        filtered, filtered_truths, mapped, mapped_pairs, mapped_and_listed, chosen, chosen_until,
        sorted_numbers, sorted_backwards, sorted_by_a_key, sorted_by_a_key_backwards,
        sorted_by_a_python_key,
    ],
)  # fmt: skip
def test_over_tensors(f):
    check(f, *VECTORS, joins=True)


def resumed(xs):
    numbers = iter([1, 2, 3, 4])
    total = xs[0]
    for n in numbers:
        total = total * 10 + n
        break
    for n in numbers:
        if n > 2:
            break
        total = total * 10 + n
    return total, list(numbers)


def read_on(xs):
    elements = iter(xs)
    first = next(elements)
    total = 0.0
    for x in elements:
        total = total * 2 + x - first
    return total, next(elements, None)


def taken_once(xs):
    elements = (x * 2 for x in xs)
    return sum(elements), sum(elements)


@pytest.mark.parametrize('f', [resumed, read_on, taken_once])
def test_iterators_go_on_where_they_are(f):
    check(f, *VECTORS)


def test_a_generator_expression_is_taken_where_it_is_made():
    def f(xs):
        elements = (x * 2 for x in xs)
        if xs[0] > 0:
            return sum(elements)
        return sum(elements) + 1

    with pytest.raises(ag.errors.OwnershipError, match='made outside of it'):
        ag.function(f)(np.ones(2))


class Counter:
    def __init__(self, xs):
        self.xs, self.taken = xs, 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.taken >= len(self.xs):
            raise StopIteration
        self.taken += 1
        return self.xs[self.taken - 1]


def next_of_an_array(xs, n):
    elements = iter(xs)
    total = np.float64(0)
    for _ in range(n):
        total = total * 2 + next(elements)
    return total


def next_of_a_list(xs, n):
    numbers = iter([1, 2, 3, 4])
    total = xs[0]
    for _ in range(n):
        total = total * 2 + next(numbers, -1)
    return total, next(numbers, 9)


def next_of_a_range(xs, n):
    numbers = iter(range(n))
    total = xs[0]
    while total < 8:
        total = total + next(numbers) + 1
    return total, next(numbers, -1)


def next_of_an_object(xs, n):
    counter = Counter(xs)
    total = np.float64(0)
    for _ in range(n):
        total = total * 2 + next(counter)
    return total, counter.taken


def next_of_an_object_or_a_default(xs, n):
    counter = Counter(xs)
    total = np.float64(0)
    for _ in range(n):
        total = total * 2 + next(counter, -1.0)
    return total, counter.taken


def next_in_a_branch(xs, n):
    elements = iter(xs)
    first = next(elements)
    if n > 2:
        first = first + next(elements)
    return first, next(elements)


def next_in_a_function(xs, n):
    elements = iter(xs)

    def take():
        return next(elements, 0.0)

    total = np.float64(0)
    while total < n:
        total = total + take() + 1
    return total, take()


def next_besides_the_loop(xs, n):
    elements = iter(xs[xs > n - 2])
    total = np.float64(0)
    for x in elements:
        total = total * 2 + x - next(elements, 5.0)
    return total


def left_and_resumed(xs, n):
    elements = iter(xs)
    total = np.float64(0)
    for x in elements:
        if x > n:
            break
        total = total * 2 + x
    for x in elements:
        total = total * 3 + x
    return total, next(elements, None) is None


def left_and_resumed_list(xs, n):
    numbers = iter([1, 2, 3])
    total = xs[0]
    for i in numbers:
        if i > n:
            break
        total = total * 2 + i
    return total, next(numbers, -1)


def left_through_enumerate(xs, n):
    elements = iter(xs)
    for i, x in enumerate(elements):
        if x + i > n:
            break
    return next(elements, None)


def left_through_zip(xs, n):
    elements = iter(xs)
    total = np.float64(0)
    for x, y in zip(elements, xs[xs > n]):
        total = total * 2 + x * y
    for x, y in zip(xs[xs < n], elements):
        total = total * 3 + x * y
    return total, next(elements, None)


def until_it_stops(xs, n):
    elements = iter(xs)
    total = np.float64(0)
    while True:
        try:
            x = next(elements)
        except StopIteration:
            break
        total = total + x * n
    return total


def rows_of_a_matrix(xs, n):
    rows = iter(np.outer(xs, xs))
    total = np.zeros(3)
    while np.sum(total) < n:
        total = total + next(rows)
    return total


@pytest.mark.parametrize(
    'f',
    [
        next_of_an_array, next_of_a_list, next_of_a_range, next_of_an_object,
        next_of_an_object_or_a_default, next_in_a_branch, next_in_a_function,
        next_besides_the_loop, left_and_resumed, left_and_resumed_list,
        left_through_enumerate, left_through_zip, until_it_stops, rows_of_a_matrix,
    ],
)  # fmt: skip
def test_what_a_staged_block_takes_is_taken(f):
    check(f, *((np.array([3.0, 1.0, 2.0]), np.int64(n)) for n in range(6)), joins=True)


def test_how_much_of_an_iterator_is_left():
    def of_an_object(xs, counter):
        for x in counter:
            if x > xs[0]:
                break
        return xs

    def by_python(xs):
        elements = iter(xs)
        if xs[0] > 0:
            next(elements)
        return list(elements), np.fromiter(elements, float)

    xs = np.ones(3)
    for counter in (Counter([1.0, 2.0]), iter([1.0, 2.0])):
        with pytest.raises(ag.errors.OwnershipError, match='what is left'):
            ag.function(of_an_object)(xs, counter)
    check(by_python, (xs,), (-xs,))


def test_a_loop_over_what_only_it_has_may_be_left():
    def f(xs):
        total = np.float64(0)
        for i, x in enumerate([1.0, 2.0, 3.0]):
            if x > xs[i]:
                break
            total += x
        for x in Counter([1.0, 2.0, 3.0]):
            if x > xs[0]:
                break
            total += x
        return total

    check(f, *VECTORS, joins=True)


def run_over_twice(xs):
    pairs = enumerate(xs)
    total = np.float64(0)
    for i, x in pairs:
        total += i * x
    for i, x in pairs:
        total += i * x
    return total, list(pairs)


def inside_another(xs):
    pairs = zip(xs, xs)
    numbered = enumerate(pairs)
    total = np.float64(0)
    for i, (x, y) in numbered:
        total += i * x * y
    for x, y in pairs:
        total += x * y
    return total


def left_once(xs):
    total = np.float64(0)
    backwards = reversed(xs)
    for x in backwards:
        if x < 0:
            break
        total = total * 2 + x
    return total


def made_anew(xs):
    total = np.float64(0)
    for k in range(2):
        pairs = zip(xs, xs[::-1])
        total += sum(x * y for x, y in pairs)
        total += sum(x * y + k for x, y in pairs)
    return total


@pytest.mark.parametrize('f', [run_over_twice, inside_another, left_once, made_anew])
def test_what_is_run_over_is_taken(f):
    check(f, *VECTORS)


def test_run_over_again_where_only_the_running_graph_knows_what_is_left():
    def left(xs):
        pairs, total = enumerate(xs), xs[0]
        for i, x in pairs:
            if x > i:
                break
        for i, x in pairs:
            total += i * x
        return total

    def in_a_loop(xs):
        pairs, total = enumerate(xs), xs[0]
        while total < 5:
            for i, x in pairs:
                total += i * x + 1
        return total

    for f in (left, in_a_loop):
        with pytest.raises(ag.errors.StagingError, match=r'(?s)run over again.*pairs.*anew'):
            ag.function(f)(np.ones(3))


@pytest.mark.parametrize(
    'make',
    [
        lambda: iter([1, 2, 3]),
        lambda: iter(np.arange(3)),
        lambda: (n * 2 for n in [1, 2, 3]),
        lambda: zip([1, 2], [3, 4], strict=True),
        lambda: enumerate([5, 6, 7]),
    ],
)
def test_an_iterator_from_outside_goes_on_at_every_call(make):
    def first(x, numbers):
        return np.sum(next(numbers)) * x

    def total(x, numbers):
        for n in numbers:
            x = x + np.sum(n)
        return x

    for f in (first, total):
        mine, others, graph = make(), make(), ag.function(f)
        for _ in range(2):
            assert same(graph(np.float64(2), others), f(np.float64(2), mine))
        assert len(list(mine)) == len(list(others))
        # Another iterator is another argument.
        assert same(graph(np.float64(2), make()), f(np.float64(2), make()))
        assert graph.tracing_count == 3


def test_an_iterator_from_outside_in_a_staged_block():
    def f(x, numbers):
        while x < 3:
            x = x + next(numbers)
        return x

    with pytest.raises(ag.errors.OwnershipError, match='make the iterator in the function'):
        ag.function(f)(np.float64(1), iter([1, 2, 3]))


def test_a_list_of_as_many_as_there_are():
    def f(xs, make):
        return make(xs[xs > 1])

    graph = ag.function(f)
    for (xs,) in VECTORS:
        assert same(f(xs, list), graph(xs, list))
    assert graph.tracing_count == 1


AFTER_NEXT = [
    lambda it: (next(it), [v for v in it]),
    lambda it: (next(it), sum(it)),
    lambda it: (next(it), next(it), list(it)),
    lambda it: (next(it), max(it), list(it)),
    lambda it: (next(it), np.array([*it]), tuple(it)),
    lambda it: (next(it), any(v > 5 for v in it)),
    lambda it: (next(it), next(it), next(it), next(it, -1)),
]


@pytest.mark.parametrize('make', [
    lambda xs: (x * 2 for x in xs),
    lambda xs: map(abs, xs),
    lambda xs: map(lambda x: x * 3, xs),
    lambda xs: (x * y for x in xs for y in xs),
    lambda xs: map(lambda x: x, [xs[0], xs[1], xs[2]]),
])
@pytest.mark.parametrize('take', AFTER_NEXT)
def test_what_is_left_after_next(make, take):
    def f(xs):
        return take(make(xs))

    xs = np.array([1.0, 2.0, 3.0])
    assert same(f(xs), ag.function(f)(xs))


def test_a_loop_over_what_is_left_after_next():
    def f(xs):
        it = (x * 2 for x in xs)
        best = next(it)
        for v in it:
            if v > best:
                best = v
        return best

    check(f, (np.array([1.0, 3.0, 2.0]),), (np.array([4.0, 3.0, 2.0]),))


def test_what_a_loop_leaves_that_python_itself_ends():
    def f(x):
        it = map(lambda n: n * x, [1, 2, 3, 4])
        s = x
        for _ in [0, 0]:
            s = s + next(it)
        return s, list(it)

    check(f, (np.float64(2),))


def leaves_elements(xs):
    it = (x * 2 for x in xs)
    for v in it:
        if v > 2:
            break
    return list(it)


def leaves_pythons(xs):
    it = (x * 2 for x in [1.0, 2.0, 3.0])
    for v in it:
        if v > xs[0]:
            break
    return list(it)


@pytest.mark.parametrize('f', [leaves_elements, leaves_pythons])
def test_what_is_left_only_the_running_graph_knows(f):
    with pytest.raises(ag.errors.AutographError, match='only the running graph'):
        ag.function(f)(np.array([1.0, 2.0, 3.0]))


def test_a_file_is_not_read_in_a_staged_block(tmp_path):
    (tmp_path / 'numbers').write_text('2\n3\n')

    @ag.function
    def f(x, file):
        if x > 0:
            x = x * float(file.readline())
        return x

    with (tmp_path / 'numbers').open() as file:
        for each in file, io.StringIO('2\n3\n'):
            with pytest.raises(ag.errors.OwnershipError, match='Read it before the branch'):
                f(np.float64(1.0), each)


def test_a_file_may_be_written_in_a_staged_block_while_tracing():
    out = io.StringIO()

    @ag.function
    def f(x):
        if x > 0:
            print('traced', file=out)
            x = x + 1
        return x

    assert [f(np.float64(1.0)), f(np.float64(2.0))] == [2.0, 3.0]
    assert out.getvalue() == 'traced\n'


ITERATED = [
    lambda it: (next(it), list(it), [*it]),
    lambda it: (next(it), [v * 2 for v in it], list(it)),
    lambda it: (next(it), sum(it), sum(it)),
    lambda it: (next(it), sorted(it), max(it, default=-1)),
]


@pytest.mark.parametrize('take', ITERATED)
def test_what_is_left_of_a_list_of_unknown_length(take):
    def f(xs):
        return take(iter([x for x in xs if x > 1]))

    graph = ag.function(f)
    for xs in np.array([3.0, 1.0, 2.0]), np.array([0.0, 0.0, 2.0]):
        assert joined(f(xs), graph(xs))
    assert graph.tracing_count == 1


def by_map(x):
    it = map(lambda n: n * x, [1, 2, 3, 4])
    for _ in range(2):
        x = x + next(it)
    return x, list(it)


def by_a_generator(x):
    it = (n * x for n in [1, 2, 3, 4])
    if x > 0:
        x = x + 1
    return x, list(it)


def on_the_way(x):
    s = x
    it = (s * n for n in [x, x + 1, x + 2])
    for _ in range(2):
        s = s + next(it)
    return s


@pytest.mark.parametrize('f', [by_map, by_a_generator, on_the_way])
def test_elements_are_made_of_what_names_stand_for_when_they_are_taken(f):
    check(f, (np.float64(2),), (np.float64(-3),))


def its_own_loop_sets_what_it_reads(xs):
    s = 1.0
    for v in (v * s for v in xs):
        s = s + v
    return s


def its_own_loop_sets_what_map_reads(xs):
    s = 1.0
    for v in map(lambda v: v * s, xs):
        s = s + v
    return s


@pytest.mark.parametrize('f', [its_own_loop_sets_what_it_reads, its_own_loop_sets_what_map_reads])
def test_elements_are_made_of_what_a_name_stands_for(f):
    check(f, *VECTORS)


def the_first(xs):
    found = next(x * 2 for x in xs if x > 0)
    return (
        found + 1, next((i for i, x in enumerate(xs) if x < 0), None), next(reversed(xs)),
        next(zip(xs, filter(None, xs))), next((x for x in (xs[0], xs[1]) if x < 2), -1.0),
    )  # fmt: skip


def the_first_of_none(xs):
    return next(x for x in xs if x > 9)


@pytest.mark.parametrize('f', [the_first, the_first_of_none])
def test_the_first_element(f):
    check(f, *VECTORS[:1], *VECTORS[2:], joins=True)


def strictly(xs, ys):
    return list(zip(xs, ys, strict=True))


def strictly_until(xs, ys):
    total = np.float64(0)
    for i, (x, y) in enumerate(zip(xs, ys, strict=True)):
        if x < 0:
            break
        total += i * x * y
    return total


def strictly_three(xs, ys):
    return [x + y + z for x, y, z in zip(ys, xs, xs[xs > -9], strict=True)]


@pytest.mark.parametrize('f', [strictly, strictly_until, strictly_three])
def test_strict_zip(f):
    xs = np.array([3.0, 1.0, -2.0])
    for args in ((xs, xs), (xs, xs[:2]), (xs[:2], xs), (xs, xs[:0]), (-xs, xs[1:])):
        assert differences(f, *args) == []


def test_what_a_zip_leaves_is_unknown():
    def f(xs):
        doubled = map(lambda x: x * 2, xs)
        pairs = list(zip(doubled, xs[xs > 2]))
        return pairs, list(doubled)

    with pytest.raises(ag.errors.StagingError, match='is run over again'):
        ag.function(f)(np.ones(2))


def test_a_zip_asks_a_function_with_effects_as_often_as_python():
    def f(xs):
        return list(zip(map(noted, xs), xs[xs > 2]))

    def noted(x):
        ag.print(x)
        return x

    with pytest.raises(ag.errors.StagingError, match='has an effect'):
        ag.function(f)(np.ones(2))


def test_reversed_pairs():
    def f(xs):
        found = []
        for x, y in reversed(list(zip(xs[1:], xs[:-1]))):
            if x < y:
                found.append(x)
        return found, any(reversed(xs)), [*reversed([x for x in xs if x > 0])]

    check(f, *VECTORS)


def test_complex_by_keywords():
    check(lambda xs: (complex(real=xs[0], imag=2), complex(imag=xs[1])), *VECTORS)


@pytest.mark.parametrize('x', [np.int64(3), np.float32(1.5), np.array(2.0)], ids=repr)
@pytest.mark.parametrize('f', [lambda x: next(iter(x)), lambda x: list(reversed(x))])
def test_what_cannot_be_iterated_over_is_told_in_pythons_words(f, x):
    with pytest.raises(TypeError) as plain:
        f(x)
    with pytest.raises(TypeError) as found:
        ag.function(f)(x)
    assert str(found.value).split('\n')[0] == str(plain.value)


def test_a_loop_over_what_a_loop_around_it_takes_from():
    def f(xs):
        it, n, total = iter(xs), 0, np.float64(0)
        for v in it:
            n += 1
            if v > 1:
                for w in it:
                    total += w
        return n, total

    check(f, *VECTORS)


def test_the_graph_knows_where_enumerate_starts():
    def listed(x, n):
        return list(enumerate(x, start=n)), tuple(enumerate([x[0], 2.0], n + 1)), [
            f'{i}{c}' for i, c in enumerate('ab', n)]

    def loops(x, n):
        total = 0.0
        for k in range(2):
            for i, v in enumerate([1.0, x[0]], start=k + n):
                total += i * v
        for i, (a, b) in enumerate(zip(x, [1.0, 2.0]), n):
            total += i * a * b
        return total

    def keys(x, n):
        return {i for i, v in enumerate([x[0], 2.0], n)}, {i: v for i, v in enumerate(x, n)}

    def by_a_float(x, n):
        return list(enumerate([1.0], x[0]))

    calls = [(np.array([3.0, 1.0]), np.int64(n)) for n in (0, 5, -1)]
    for f in (listed, loops, keys):
        check(f, *calls)
    check(by_a_float, *calls, traces=3)  # which each call tries
