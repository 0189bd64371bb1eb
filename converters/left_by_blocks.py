"""Which variables of others hold, when a block has ended, what the block gives back for them."""
from __future__ import annotations

from collections.abc import Collection, Iterator

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.tree import Node, walk


class LeftByBlocks:
    """What the blocks of one function leave in variables of others.

    Args:
      declared: the variables of others that the function sets.
      context: of the function.
    """

    def __init__(self, declared: set[str], context: Context) -> None:
        self._declared = declared
        self._context = context
        self._known: dict[str, set[str]] = {}  # by the names of the functions that the blocks are

    def by(self, function: Node) -> set[str]:
        """The variables that a function gives back as they are by then."""
        if not self._declared:
            return set()
        own = {parameter.id for parameter in function.args.args}
        returned = [
            {part.id for part in _parts(each.value) if isinstance(part, gast.Name)}
            for each in _returns(function) if each.value is not None]
        return self._declared.intersection(*returned) - own if returned else set()

    def note(self, function: Node, left: set[str]) -> None:
        """The statement after this function, if it is a block, calls it."""
        if function in self._context.helpers:
            self._known[function.name] = left

    def in_variables(self, value: Node) -> Collection[str]:
        """The variables that hold a value already which a statement sets them to.

        That is what a block was passed, or what blocks leave in them and give back.
        """
        if not self._declared:
            return set()
        if isinstance(value, gast.Name):
            own = {x for x in self._declared if self._context.helper(x, 'parameter') == value.id}
            return set() if value.id in self._context.namespace.mentioned else own
        if any(isinstance(part, gast.Lambda) for part in walk(value)):
            return set()
        names = [part.id for part in walk(value) if isinstance(part, gast.Name)]
        left = [self._known[name] for name in names if name in self._known]
        return set.intersection(*left) if left else set()


def _parts(value: Node) -> list[Node]:
    return value.elts if isinstance(value, gast.Tuple) else [value]


def _returns(function: Node) -> Iterator[Node]:
    """The `return` statements of a function, without those of functions in it."""
    waiting = list(function.body)
    while waiting:
        statement = waiting.pop()
        if isinstance(statement, gast.Return):
            yield statement
        for block in blocks(statement):
            waiting += block
