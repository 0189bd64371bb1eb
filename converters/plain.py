"""Tests that are plain Python whatever the function is called with."""
from __future__ import annotations

import functools
from collections.abc import Iterator

import gast

from autograph_lite.analysis.cfg import build
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.analysis.reaching import ReachingDefinitions, Source, reaching_definitions
from autograph_lite.analysis.scopes import Scopes
from autograph_lite.converters.context import Context
from autograph_lite.pyct.tree import Node


class Plain:
    """Which tests of a function's statements are Python values for certain.

    Such a test compares something with `None` that was passed to the function, or that it has from
    outside, as in `if x is None: x = 0`; the `if` can stay. What is computed in a staged block may
    hold a value or `None` depending on a tensor.
    """

    def __init__(self, function: Node, context: Context) -> None:
        self._function = function
        self._context = context

    def __call__(self, test: Node) -> bool:
        names = list(_compared_with_none(test))
        return None not in names and all(
            isinstance(name, str) and self._is_from_outside(name, test) for name in names)

    def _is_from_outside(self, name: str, test: Node) -> bool:
        found = self._reaching.before(test, QualName(name))
        return all(
            each.source is Source.PARAMETER
            or (each.source is Source.OUTSIDE and not self._context.namespace.is_local(name))
            for each in found)

    @functools.cached_property
    def _reaching(self) -> ReachingDefinitions:
        cfg = build(self._function)
        return reaching_definitions(cfg, Scopes(cfg))


def _compared_with_none(test: Node) -> Iterator[str | None]:
    """The names that a test compares with `None`; None for anything else that it does."""
    match test:
        case gast.Constant():
            return
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            yield from _compared_with_none(operand)
        case gast.BoolOp(values=values):
            for value in values:
                yield from _compared_with_none(value)
        case gast.Compare(
            left=gast.Name(id=name),
            ops=[gast.Is() | gast.IsNot()],
            comparators=[gast.Constant(value=None)],
        ):
            yield name
        case _:
            yield None
