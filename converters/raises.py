"""`raise`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import operator
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def raises(tree: Node, context: Context) -> Node:
    """Let what is raised, or what that is raised from, be one that only the running graph knows.

    Nobody needs to see this, so `to_code` leaves it out.

    >>> show(raises, '''
    ... def attempt(x):
    ...     failed = None
    ...     try:
    ...         return invert(x)
    ...     except ValueError as error:
    ...         failed = error
    ...     raise RuntimeError('no inverse') from failed
    ... ''')
    def attempt(x):
        failed = None
        try:
            return invert(x)
        except ValueError as error:
            failed = error
        raise RuntimeError('no inverse') from ag.cause(failed)
    """
    _Raises(context).rewrite(tree)
    return tree


class _Raises(Rewriter):
    def visit_Raise(self, node: Node) -> Node:
        self.generic_visit(node)
        if node.exc is not None and not self._is_new(node.exc):
            node.exc = located(operator(self._context, 'raised', node.exc), node.exc)
        if node.cause is not None and not self._is_new(node.cause):
            node.cause = located(operator(self._context, 'cause', node.cause), node.cause)
        return node

    def _is_new(self, value: Node) -> bool:
        """Whether it is made here, or is a class; `None` says that there is no cause."""
        if isinstance(value, gast.Constant):
            return True
        made = value.func if isinstance(value, gast.Call) else value
        return isinstance(meaning(made, self._context), type)
