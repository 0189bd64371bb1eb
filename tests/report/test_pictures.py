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


def long(x):
    for i in range(250):
        y = x + i
        x = np.tanh(y) * x
    return x


def every(placed):
    yield placed
    for parts in placed.inner.values():
        for part in parts.values():
            yield from every(part)


def apart(a, b):
    return (
        abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-6
        or a.y + a.height <= b.y or b.y + b.height <= a.y
    )


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


def test_no_two_boxes_overlap_and_edges_go_down(graph):
    for placed in every(layout(diagram(graph))):
        items = list(placed.items.values())
        for i, item in enumerate(items):
            assert item.x - item.width / 2 >= -1e-6
            assert item.x + item.width / 2 <= placed.width + 1e-6
            assert item.y + item.height <= placed.height + 1e-6
            assert all(apart(item, other) for other in items[i + 1 :])
        for _, way in placed.ways:
            for above, below in itertools.pairwise(way):
                assert above.y + above.height <= below.y


def test_five_hundred_nodes_are_drawn():
    def wide(x):
        parts = [np.tanh(x + i) for i in range(250)]
        return np.sum(np.stack(parts))

    graph = graph_of(wide, np.ones(3))
    assert svg(graph).count('<rect') > 500


def test_an_input_that_many_use_stands_beside_each():
    def many(x, limit):
        for i in range(20):
            x = np.tanh(x) * limit
        return x

    boxes = list(diagram(graph_of(many, np.ones(3), np.float64(1.0))))
    assert [box.name for box in boxes].count('limit') == 20


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
