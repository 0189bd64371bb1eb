"""What a rewrite merges into another operation is lit there by the line that it came from."""
from __future__ import annotations

import pickle

import numpy as np
import pytest
from report.looked_at import FUNCTIONS

import autograph_lite as ag
from autograph_lite.conversion import written_function
from autograph_lite.report.correspondence import Correspondence
from autograph_lite.report.labels import MEANINGS
from autograph_lite.report.lines import program_lines
from autograph_lite.report.statements import statement_starts

# What these say is said to Python alone.
NOTHING = ('pass', 'global ', 'nonlocal ', 'import ', 'try:', 'finally:', '#', '"""')

SIX = np.arange(6.0)
LARGE = np.ones(1 << 19)


def updated_view(x):
    y = x * 1.5
    v = y[1:]
    v *= 2
    return y


def updated_rows(m):
    out = m * 2
    for i in range(60):
        row = out[i]
        row += 1
        out[i] = row
    return out


def shared(x):
    a = np.tanh(x)
    b = np.tanh(x)
    return a + b


def same(x):
    a = np.tanh(x)
    b = a * 1
    c = np.maximum(b, b)
    return c + 1


def elements(x):
    out = np.zeros((60, 2))
    for i in range(60):
        pair = np.array([x[0], 2.0])
        out[i] = pair
    return out


def products(xs, w):
    h = np.zeros((3, 3))
    for i in range(len(xs)):
        row = xs[i]
        p = row @ w
        h = np.tanh(h + p)
    return h


def blocks(x):
    a = np.tanh(x)
    b = a * 0.5
    c = b + a
    d = c * c
    return d


def spread(x):
    n = np.linalg.norm(x)
    v = np.var(x)
    return n + v


def sums(x):
    y = x * x
    s = y.sum(axis=-1)
    return s


def hoisted(x):
    total = np.float64(0)
    for _ in range(60):
        k = np.sum(x)
        total = total + k
    return total


def reused(x):
    a = x * 2
    b = a + 1
    c = np.where(b > 0, 1.0, b)
    return c


def conversions(x):
    s = np.sum(x)
    f = float(s)
    g = float(f)
    h = np.float64(g)
    return h * 2


def unboxed(n):
    while n > 1:
        half = n * 0.5
        n = half
    return n


MERGING = {
    'updated_view': (updated_view, (SIX,)),
    'updated_rows': (updated_rows, (np.ones((60, 3)),)),
    'shared': (shared, (SIX,)),
    'same': (same, (SIX,)),
    'elements': (elements, (SIX,)),
    'products': (products, (np.ones((60, 3, 3)), np.ones((3, 3)))),
    'blocks': (blocks, (LARGE,)),
    'spread': (spread, (SIX,)),
    'sums': (sums, (np.ones((500, 4)),)),
    'hoisted': (hoisted, (SIX,)),
    'reused': (reused, (np.ones(500),)),
    'conversions': (conversions, (SIX,)),
    'unboxed': (unboxed, (np.float64(9),)),
}


@pytest.mark.parametrize('name', [*MERGING, *FUNCTIONS])
def test_every_line_lights_a_line_of_the_program_or_says_why_not(name):
    function, args = (MERGING | FUNCTIONS)[name]
    shown = ag.inspect(function, *args)
    lines = [line for listing in shown.source for line in listing.lines]
    (file,) = {line.places[0][0] for line in lines}
    starts = statement_starts(file)
    program = program_lines(shown.traces[0].program, shown.behind[0])
    lit = {starts.get(n, n) for line in program for _, n in line.places}
    told = {
        starts.get(line.number, line.number)
        for line in lines if not MEANINGS.keys().isdisjoint(line.note.split(' · '))
    }  # fmt: skip
    dark = [
        line.text for line in lines
        if starts.get(line.number, line.number) not in lit | told
        and line.text and not line.text.strip().startswith(NOTHING)
    ]  # fmt: skip
    assert dark == []


def lights(function, args, text):
    """What a line of a function lights in the program."""
    shown = ag.inspect(function, *args)
    own = next(line for line in shown.source[0].lines if line.text.strip() == text)
    program = program_lines(shown.traces[-1].program, shown.behind[-1])
    return [line.text.strip() for line in program if {*line.places} & {*own.places}]


@pytest.mark.parametrize(('name', 'text', 'lit'), [
    ('updated_view', 'v = y[1:]', ['v = y[1:]']),
    ('updated_view', 'v *= 2', ['v *= 2']),
    ('updated_rows', 'out[i] = row', ['row += _1']),
    ('shared', 'a = np.tanh(x)', ['a = np.tanh(x)']),
    ('shared', 'b = np.tanh(x)', ['a = np.tanh(x)']),
    ('same', 'b = a * 1', ['return np.tanh(x) + 1']),
    ('same', 'c = np.maximum(b, b)', ['return np.tanh(x) + 1']),
])  # fmt: skip
def test_what_was_merged_lights_what_it_was_merged_into(name, text, lit):
    assert lights(*MERGING[name], text) == lit


def test_all_that_runs_in_blocks_lights_the_call():
    for text in ('a = np.tanh(x)', 'b = a * 0.5', 'c = b + a', 'd = c * c'):
        assert any('in_blocks(' in line for line in lights(blocks, (LARGE,), text)), text


def test_what_was_merged_stays_known_when_it_is_saved_and_when_it_is_called():
    concrete = ag.function(shared).get_concrete_function(SIX)

    def calls(x):
        return concrete(x) + 1

    loaded = pickle.loads(pickle.dumps(concrete))
    outer = ag.function(calls).get_concrete_function(SIX)
    start = written_function(shared).__code__.co_firstlineno
    for known in (concrete, loaded, outer):
        lines = program_lines(known.program, Correspondence.of_trace(known))
        assert any({start + 1, start + 2} <= {n for _, n in line.places} for line in lines)


def test_errors_point_at_what_raises_not_at_what_was_merged_into_it():
    def broken(x, y):
        a = x @ y
        b = x @ y
        return a + b

    spec = ag.TensorSpec([None, 2])
    run = ag.function(broken, input_signature=[spec, spec])
    with pytest.raises(ValueError, match='matmul') as caught:
        run(np.ones((2, 2)), np.ones((3, 2)))
    entry = caught.traceback[-1]
    assert str(entry.statement).strip() == 'a = x @ y'


def test_what_a_handler_gives_lights_what_it_became():
    def first(x):
        try:
            z = x[0]
            if z > 100:
                raise ValueError('big')
        except ValueError:
            z = np.float64(0)
        return z

    assert lights(first, (SIX,), 'z = np.float64(0)') == ['z = np.float64(0.0)']
