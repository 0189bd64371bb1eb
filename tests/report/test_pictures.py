"""Pictures: nothing overlaps, everything is where it belongs, and other programs' formats."""
from __future__ import annotations

import itertools

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.report.diagram import diagram
from autograph_lite.report.dot import dot, mermaid
from autograph_lite.report.layout import layout
from autograph_lite.report.svg import svg


def loop(x, limit):
    total = np.sum(x)
    while total > limit:
        x = x * 0.5
        if np.min(x) > 0:
            total = np.sum(x)
        else:
            total = total - 1
    return x, total


def graph_of(f, *args):
    return ag.function(f).get_concrete_function(*args).graph


@pytest.fixture
def graph():
    return graph_of(loop, np.ones(3), np.float64(1.0))


def every(placed):
    yield placed
    for bodies in placed.inner.values():
        for body in bodies.values():
            yield from every(body)


def apart(a, b):
    return (
        abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-6
        or a.y + a.height <= b.y or b.y + b.height <= a.y
    )


def components(graph):
    return [each for placed in every(layout(diagram(graph))) for each in placed.components]


def test_users_names(graph):
    boxes = {(box.kind, box.name, box.text) for box in diagram(graph)}
    assert ('operation', 'x', 'multiply(x, 0.5)') in boxes
    assert ('operation', 'total', 'sum(x)') in boxes
    assert ('input', 'limit', '') in boxes
    assert any(kind == 'control' and text.startswith('while') for kind, _, text in boxes)


def test_every_turn_of_an_unrolled_loop_has_the_names():
    def unrolled(x):
        for i in range(3):
            scaled = x * (i + 2)
            x = x + np.sum(scaled) - 1
        return x

    names = [box.name for box in diagram(graph_of(unrolled, np.ones(3)))]
    assert names.count('x') == 4  # the argument too
    assert names.count('scaled') == 3


def test_edges_carry_types(graph):
    labels = {edge.label for edge in diagram(graph).edges}
    assert {'float64[3]', 'float64', 'total: float64'} <= labels


@pytest.fixture(params=['loop', 'step', 'unrolled', 'wide', 'long', 'separate'])
def some_graph(request):
    ones = np.ones((4, 4))
    return {
        'loop': lambda: graph_of(loop, np.ones(3), np.float64(1.0)),
        'step': lambda: graph_of(training_step, ones, [ones] * 5, ones),
        'unrolled': lambda: graph_of(recurrent, ones, ones, np.ones(4)),
        'wide': lambda: graph_of(wide, np.ones(3)),
        'long': lambda: graph_of(long, np.ones(3), np.int64(2)),
        'separate': lambda: graph_of(separate, [np.ones(3)] * 20),
    }[request.param]()


def training_step(x, weights, target):
    layers = [x]
    for weight in weights:
        layers.append(np.tanh(layers[-1] @ weight))
    error = layers[-1] - target
    changed = []
    for i in (4, 3, 2, 1, 0):
        error = error * (1 - layers[i + 1] ** 2)
        changed.append(weights[i] - 0.1 * (layers[i].T @ error))
        error = error @ weights[i].T
    return changed


def recurrent(xs, weight, state):
    for i in (0, 1, 2, 3, 2, 1, 0, 1, 2, 3):
        gate = 1 / (1 + np.exp(-(weight @ xs[i])))
        state = gate * state + (1 - gate) * np.tanh(weight @ (xs[i] + state))
    return state


def wide(x):
    return np.sum(np.stack([np.tanh(x + i) for i in range(250)]))


def long(x, turns):
    while turns > 0:
        for i in tuple(range(125)):
            y = x * i
            x = np.tanh(y) + np.cos(x)
        turns = turns - 1
    return x


def separate(xs):
    return [np.tanh(x) + 1 for x in xs]


def test_no_two_boxes_overlap(some_graph):
    for placed in every(layout(diagram(some_graph))):
        for component in placed.components:
            items = list(component.items.values())
            assert component.x + component.width <= placed.width + 1e-6
            assert component.y + component.height <= placed.height + 1e-6
            for i, item in enumerate(items):
                assert item.x - item.width / 2 >= -1e-6
                assert item.x + item.width / 2 <= component.width + 1e-6
                assert item.y + item.height <= component.height + 1e-6
                assert all(apart(item, other) for other in items[i + 1 :])
        for one, other in itertools.combinations(placed.components, 2):
            assert (
                one.x + one.width <= other.x or other.x + other.width <= one.x
                or one.y + one.height <= other.y or other.y + other.height <= one.y
            )


def test_edges_go_down_and_pass_no_box(some_graph):
    """They bend between the layers; in a layer they go straight down, where no box is."""
    for component in components(some_graph):
        for _, way in component.ways:
            assert all(upper.bottom <= lower.top for upper, lower in itertools.pairwise(way))
            for passed in way[1:-1]:
                assert (passed.y, passed.y + passed.height) == (passed.top, passed.bottom)
                assert all(apart(passed, item) for item in component.items.values())


def test_five_hundred_nodes_are_all_there():
    assert svg(graph_of(wide, np.ones(3))).count('<rect') > 500


def test_what_is_not_connected_stands_side_by_side():
    def apart(x, k):
        for i in range(6):
            x = np.tanh(x + i)
        return x, k - 1

    placed = layout(diagram(graph_of(apart, np.ones(3), np.int64(3))))
    tall, short = placed.components
    assert tall.height > short.height
    assert short.y == 0
    assert short.x - tall.width < 100


def test_an_input_stands_once_more_where_it_is_taken_far_away():
    def far(x, limit):
        y = x + limit
        for _ in range(5):
            y = np.tanh(y)
        return y * limit

    (component,) = layout(diagram(graph_of(far, np.ones(3), np.float64(2.0)))).components
    rows = [item.row for box, item in component.items.items() if box.name == 'limit']
    assert rows == [0, 6]


def test_few_edges_cross():
    (component,) = layout(diagram(graph_of(crossed, *[np.ones(3)] * 4))).components
    ends = {(way[0].x, way[-1].x) for _, way in component.ways if way[0].row == 0}
    assert not any(
        (a - c) * (b - d) < 0 for (a, b), (c, d) in itertools.combinations(ends, 2)
    )


def crossed(a, b, c, d):
    return np.sum(a * d) * np.sum(a + c) * np.sum(b * c)


def test_long_texts_are_cut():
    def stacked(x):
        return np.stack([x + i for i in range(100)])

    assert max(len(box.shown) for box in diagram(graph_of(stacked, np.ones(3)))) < 60


def test_conditions_are_told_in_whole(graph):
    def both(x):
        if np.sum(x) > 1 and np.min(x) > 0:
            x = x - 1
        return x

    texts = [box.text for box in diagram(graph_of(both, np.ones(3))) if box.kind == 'control']
    assert texts == ['if greater(sum(x), 1)', 'if greater(sum(x), 1) and …']


def test_svg_is_deterministic(graph):
    assert svg(graph) == svg(graph)


def test_dot(graph):
    text = dot(graph)
    assert text.startswith('digraph "loop" {')
    assert text.count('{') == text.count('}')
    assert 'subgraph cluster_' in text
    assert '[label="float64[3]"]' in text


def test_mermaid(graph):
    text = mermaid(graph)
    assert text.startswith('flowchart TB')
    assert text.count('subgraph') == text.count('end\n')


def test_what_gives_nothing_has_a_point_and_room_for_its_roles():
    def checked(x):
        if np.sum(x) > 3:
            raise ValueError('much')
        return x + 1

    graph = graph_of(checked, np.ones(3))
    assert '""' not in dot(graph) + mermaid(graph)
    assert '[shape=point]' in dot(graph)
    assert all(part.width >= 44 for part in every(layout(diagram(graph))))


def test_a_function_that_calls_itself_has_its_name_in_the_picture():
    drawn = diagram(graph_of(fibonacci, np.int64(5)))
    assert [box.text for box in drawn.boxes if box.kind == 'control'] == ['fibonacci(n)']


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)
