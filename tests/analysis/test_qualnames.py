"""Names of places."""
from __future__ import annotations

from typing import Any

import gast
import pytest

from autograph_lite.analysis.qualnames import Attribute, Item, QualName, qualname_of, to_node


def read(text: str) -> Any:
    return gast.parse(text, mode='eval').body


@pytest.mark.parametrize('text', ['x', 'self.x', "d['k']", "a.b['k'].c", "d['\\n']"])
def test_a_place_is_printed_as_it_is_written_and_built_as_it_is_read(text: str) -> None:
    name = qualname_of(read(text))
    assert str(name) == text
    assert name is not None
    assert gast.dump(to_node(name, gast.Load())) == gast.dump(read(text))


def test_places_are_compared_by_what_they_name() -> None:
    assert qualname_of(read('d["k"]')) == qualname_of(read("d['k']")) != qualname_of(read('d.k'))


@pytest.mark.parametrize('text', ['x[i]', 'x[0]', 'x[1:2]', 'f()', 'f().x', 'x[i].y', '1', 'x + y'])
def test_other_expressions_are_no_places(text: str) -> None:
    assert qualname_of(read(text)) is None


def test_parents() -> None:
    name = QualName('a', (Attribute('b'), Item('k')))
    assert [str(parent) for parent in name.parents] == ['a', 'a.b']
    assert name.root == 'a'
    assert not name.is_simple
    assert QualName('a').is_simple
    assert QualName('a').parents == ()


def test_only_the_place_itself_is_stored() -> None:
    node = to_node(QualName('a', (Attribute('b'), Item('k'))), gast.Store())
    assert isinstance(node.ctx, gast.Store)
    assert isinstance(node.value.ctx, gast.Load)
    assert isinstance(node.value.value.ctx, gast.Load)
    assert isinstance(to_node(QualName('a'), gast.Del()).ctx, gast.Del)
