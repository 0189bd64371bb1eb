"""Reads of variables to which only a jump that was not taken leads without a value."""
from __future__ import annotations

import gast

from autograph_lite.analysis.cfg import build
from autograph_lite.converters.build import operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.converters.unbound_reads import Reads, checked_name, unbound_reads_of
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def guarded_reads(tree: Node, context: Context) -> Node:
    """Take the value of a variable where a flag says that it has one.

    A branch that jumps away may leave a variable without a value. What follows runs under a flag
    then, and reads it only where the other ways have led. Nobody needs to see this, so `to_code`
    shows the tree without it.

    >>> show(guarded_reads, after='break_statements', text='''
    ... def f(x):
    ...     if x > 0:
    ...         if x > 5:
    ...             return x
    ...         y = x
    ...     else:
    ...         y = -x
    ...     return np.hypot(x, y)
    ... ''')
    def f(x):
        did_return = False
        if x > 0:
            if x > 5:
                result = x
                did_return = True
            else:
                y = x
        else:
            y = -x
        if did_return:
            return ag.guarded(result)
        else:
            y = ag.guarded(y)
            return np.hypot(x, y)
    """
    if not context.flags:
        return tree
    reads: dict[Node, bool] = {}
    for function in functions(tree):
        if any(any(blocks(statement)) for statement in function.body):
            reads |= unbound_reads_of(build(function))
    # What may fail in plain Python as well is checked already.
    checked = {checked_name(node, context) for node in walk(tree)}
    reads = {
        node: False for node, surely in reads.items()
        if not surely and node not in checked and node.id in context.namespace.mentioned}
    if reads:
        _Guarded(tree, reads, context).rewrite(tree)
    result = context.helper('result')
    for node in walk(tree):
        match node:
            case gast.Return(value=gast.Name(id=name)) if name == result:
                node.value = located(operator(context, 'guarded', node.value), node)
    return tree


class _Guarded(Reads):
    """The variable itself is given the value, for all that reads it from there on."""

    operator = 'guarded'

    def checks(self, statement: Node) -> list[Node]:
        found: dict[str, Node] = {}
        for node in self.evaluated(statement, surely=False):
            if node in self.reads and node.id in self.own:
                found.setdefault(node.id, self.checked(node, statement))
                if not isinstance(statement, gast.While):  # whose test is asked again
                    del self.reads[node]
        return list(found.values())

    def visit_Delete(self, node: Node) -> Node:
        """What `del` deletes need not be read."""
        return self.generic_visit(node)
