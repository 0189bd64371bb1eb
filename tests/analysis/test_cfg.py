"""The ways through a function, listed as the names that each of them touches."""
from __future__ import annotations

import textwrap

import gast
import pytest

from autograph_lite.analysis.cfg import CFG, build
from autograph_lite.analysis.flow import Flow


def ways(cfg: CFG) -> list[str]:
    """All ways from the entry to the exit, taking each edge back at most once, in order."""
    found: list[str] = []

    def follow(point: int, touched: str, taken: frozenset[tuple[int, int]]) -> None:
        touched += ''.join(str(access.name) for access in cfg.points[point].accesses)
        if point == cfg.exit:
            found.append(touched)
        for successor in cfg.points[point].successors:
            edge = (point, successor)
            if edge not in taken:
                follow(successor, touched, taken | ({edge} if successor <= point else set()))

    follow(cfg.entry, '', frozenset())
    return sorted(set(found))


def check_ways(source: str, expected: str) -> None:
    function = gast.parse('def _():\n' + textwrap.indent(textwrap.dedent(source), '    ')).body[0]
    assert ways(build(function)) == sorted(expected.split())


@pytest.mark.parametrize(
    ('source', 'expected'),
    [
        ('a\nb', 'ab'),
        ('if a: b\nelse: c\nd', 'abd acd'),
        ('if a: b\nelif c: d\ne', 'abe acde ace'),
        ('if a and not b: c', 'a ab abc'),
        ('if not (a and b): c', 'ac ab abc'),
        ('if a or b: c\nelse: d', 'abc abd ac'),
        ('a if b else c', 'ba bc'),
        ('a and b or c', 'abc ab ac'),
        ('a < b < c', 'ab abc'),
        ('while a: b', 'a aba'),
        ('while True:\n  if a: break\n  b', 'a aba'),
        ('while a:\n  if b: continue\n  c\nelse: d', 'ad abad abcad abcabad ababcad'),
        ('for a in b: c\nelse: d', 'bd bacd'),
        ('for a in b:\n  if c: break\nelse: d', 'bd bacd bac bacac'),
        ('[a for b in c]', 'c ca caa'),
        ('[a for b in c if d]', 'c cd cda cdd cdda cdad cdada cddad cddada cdadd cdadda'),
        ('if a: return b\nc', 'ab ac'),
        ('assert a, b\nc', 'ac'),
        ('if a: raise b\nc', 'ac'),
        ('try:\n  a\n  b\nfinally: c\nd', 'abcd'),
        ('while a:\n  try:\n    if b: break\n    c\n  finally: d', 'a abd abcda abcdabd'),
        ('try:\n  return a\nfinally: b\nc', 'ab'),
        ('try: a\nexcept b: c\nelse: d', 'ad bc abc'),
        ('try:\n  try: a\n  finally: b\nexcept c: d', 'ab abcd bcd cd'),
        ('with a: b', 'ab'),
        ('with suppress(a): b', 'suppressa suppressab'),
    ],
)
def test_ways(source: str, expected: str) -> None:
    check_ways(source, expected)


def test_match_goes_through_its_cases_in_turn() -> None:
    source = '''
        match a:
            case [b] if c:
                d
            case e.f:
                g
            case _:
                h
        i
    '''
    check_ways(source, 'abcdi abcee.fgi abcee.fhi aee.fgi aee.fhi')


def test_what_stands_after_a_jump_is_not_reached() -> None:
    cfg = build(gast.parse('def f():\n  return a\n  b').body[0])
    reached = {point.accesses[0].name.root: point.reachable for point in cfg.points[1:-1]}
    assert reached == {'a': True, 'b': False}


def test_nothing_is_written_on_the_tree() -> None:
    source = 'def f(x):\n  for i in x:\n    try: y = (lambda: i)()\n    finally: del i'
    tree = gast.parse(source)
    noted = {node: dict(vars(node)) for node in gast.walk(tree)}
    build(tree.body[0])
    assert all(vars(node) == before for node, before in noted.items())


def test_a_flow_joins_each_point_once() -> None:
    flow = Flow()
    start = flow.point()
    flow.optional()
    flow.join()
    assert flow.frontier == [start]
    end = flow.point()
    assert flow.successors == [[end], []]
