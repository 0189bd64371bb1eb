"""`break`."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import any_of, assign, constant, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import TailForm, own_jumps
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node


def break_statements(tree: Node, context: Context) -> Node:
    """Let a flag say that a loop is left.

    The body becomes a function, and whether there is another turn is then for the loop to ask. A
    `while` asks in its test, a `for` after each turn, in the one `break` that remains.

    >>> show(break_statements, '''
    ... def first_negative(xs):
    ...     found = -1
    ...     for i, x in enumerate(xs):
    ...         if x < 0:
    ...             found = i
    ...             break
    ...     return found
    ... ''')
    def first_negative(xs):
        found = -1
        did_break = False
        for i, x in enumerate(xs):
            if x < 0:
                found = i
                did_break = True
            if did_break:
                break
        return found

    A loop that asks first whether to go on is a `while` with that test.

    >>> show(break_statements, '''
    ... def collatz(n):
    ...     while True:
    ...         if n == 1:
    ...             break
    ...         n = n // 2 if n % 2 == 0 else 3 * n + 1
    ...     return n
    ... ''')
    def collatz(n):
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
        return n

    >>> show(break_statements, '''
    ... def halve(x, n):
    ...     while np.sum(x) > 1:
    ...         if n == 0:
    ...             break
    ...         x, n = x / 2, n - 1
    ...     return x
    ... ''')
    def halve(x, n):
        while np.sum(x) > 1 and n != 0:
            x, n = x / 2, n - 1
        return x
    """
    return _Loops(context).rewrite(tree)


class _Loops(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._depth = 0

    def visit_For(self, node: Node) -> list[Node]:
        if isinstance(node, gast.While):
            _ask_first(node, self._context)
        depth = self._depth
        form = _Breaks(node.body, self._context, depth)
        self._depth += form.starts
        node.body = self.block(node.body)
        self._depth = depth
        node.orelse = self.block(node.orelse)
        jumping = [statement for statement in node.body if form.may_jump(statement)]
        if not jumping or node.orelse or form.leaves_finally(jumping):
            return [node]
        flags, last = any_of(form.flags(jumping)), jumping[-1]
        node.body = form.lower(node.body, True) or [located(gast.Pass(), last)]
        if isinstance(node, gast.While):
            node.test = located(_unless(flags, node.test), node.test)
        else:
            node.body.append(located(gast.If(flags, [gast.Break()], []), last))
        if form.starts:
            return [located(assign(form.own_flag, constant(False)), node), node]
        return [node]

    visit_While = visit_For


class _Breaks(TailForm):
    """The region is a loop's body. What is left of a `break` is that a flag is true.

    Where another flag says so already, as after a `return` that became a `break`, that one is it.

    Attributes:
      own_flag: the flag of all other ways to leave the loop.
      starts: whether there are any.
    """

    kind = gast.Break

    def __init__(self, body: list[Node], context: Context, depth: int) -> None:
        super().__init__()
        self.started = True
        self._known = {
            node: context.flag_at.get(node)
            for node in (block[index] for block, index in own_jumps(body, gast.Break))}
        self.starts = None in self._known.values()
        self.own_flag = context.flag('did_break', str(depth)) if self.starts else ''

    def jump(self, node: Node, last: bool) -> list[Node]:
        del last  # the flag is asked in any case
        return [] if self._known[node] else [located(assign(self.own_flag, constant(True)), node)]

    def flags(self, statements: list[Node]) -> list[str]:
        found = (
            self._known[block[index]] or self.own_flag
            for block, index in own_jumps(statements, gast.Break))
        return list(dict.fromkeys(found))

    def lower_one(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        match statement:
            case gast.If(test=gast.Compare(ops=[_]), body=[gast.Break()], orelse=[]) if not rest:
                return [located(assign(self.own_flag, statement.test), statement)]
        lowered = super().lower_one(statement, rest, last)
        match lowered:
            case [gast.If(test=gast.Name(), body=[gast.Pass()], orelse=[])]:
                return []
        return lowered


def _unless(flags: Node, test: Node) -> Node:
    """The test of a `while` that is asked only if no flag has ended the loop."""
    goes_on = negated(flags)
    if isinstance(test, gast.Constant) and test.value:
        return goes_on
    return gast.BoolOp(gast.And(), [goes_on, test])


def _ask_first(loop: Node, context: Context) -> None:
    """Turn `while True: if b: break; ...` into `while not b: ...`, and `while a: ...` likewise.

    The latter only if no flag remains, and no comment says something of the `break`.
    """
    match loop.body:
        case [gast.If(test=test, body=[gast.Break() as jump], orelse=orelse) as first, *rest]:
            body, goes_on = orelse + rest, located(negated(test), test)
            if not body or test in context.changing:
                return
            if isinstance(loop.test, gast.Constant) and loop.test.value:
                loop.test, loop.body = goes_on, body
            elif not any(own_jumps(body, gast.Break)) and not any(
                map(context.has_comment, (first, jump))
            ):
                both = gast.BoolOp(gast.And(), [loop.test, goes_on])
                loop.test, loop.body = located(both, loop.test), body
