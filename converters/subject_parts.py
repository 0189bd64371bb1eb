"""The parts of what a `match` asks, in the place of the names that a pattern gives them."""
from __future__ import annotations

import ast
import copy
from collections.abc import Iterable, Mapping

import gast

from autograph_lite.analysis.symbols import parameters
from autograph_lite.converters.build import constant
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


class Unsupported(Exception):
    """A pattern that a test of the subject cannot stand for."""


class SubjectParts(ast.NodeTransformer):
    """Puts parts of the subject in the place of the names that a pattern gives them."""

    def __init__(self, parts: Mapping[str, Node | None]) -> None:
        self._parts = parts

    def visit_Lambda(self, node: Node) -> Node:
        node.args.defaults = list(map(self.visit, node.args.defaults))
        node.args.kw_defaults = [each and self.visit(each) for each in node.args.kw_defaults]
        node.body = self._without(each.id for each in parameters(node)).visit(node.body)
        return node

    def _visit_comprehension(self, node: Node) -> Node:
        first = node.generators[0]
        first.iter = self.visit(first.iter)  # what is not evaluated inside
        inside = self._without(
            each.id for generator in node.generators for each in walk(generator.target)
            if isinstance(each, gast.Name) and isinstance(each.ctx, gast.Store))
        outside, first.iter = first.iter, constant(None)
        inside.generic_visit(node)
        first.iter = outside
        return node

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def _without(self, names: Iterable[str]) -> SubjectParts:
        """The same where these names are others."""
        return SubjectParts(dict(self._parts, **dict.fromkeys(names)))

    def visit_Name(self, node: Node) -> Node:
        part = self._parts.get(node.id)
        if part is None:
            return node
        if not isinstance(node.ctx, gast.Load):  # the guard binds the name itself
            raise Unsupported
        return located(copy.deepcopy(part), node)
