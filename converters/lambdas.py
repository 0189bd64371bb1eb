"""The shape of the functions that branches, tests and bodies have become."""
from __future__ import annotations

import copy

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

INDENT = 4
OPERATORS = frozenset({'cond', 'while_loop', 'for_loop'})


def lambdas(tree: Node, context: Context) -> Node:
    """Write a function that only gives a value as a `lambda`, where the call fits on a line.

    >>> show(lambdas, after='if_statements', text='''
    ... def rectified(x):
    ...     if x < 0:
    ...         x = 0
    ...     return x
    ... ''')
    def rectified(x):
        x = ag.cond(x < 0, lambda x: 0, ag.unchanged, x)
        return x
    """
    if isinstance(tree, gast.FunctionDef):
        _Lambdas(context).rewrite(tree)
    return tree


class _Lambdas(StatementRewriter):
    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._indent = 0

    def visit_FunctionDef(self, node: Node) -> Node:
        if node in self._context.helpers:
            _return_directly(node)
        return super().visit_FunctionDef(node)

    def block(self, statements: list[Node]) -> list[Node]:
        self._indent += INDENT
        statements = super().block(statements)
        result: list[Node] = []
        waiting: list[Node] = []  # helpers of the statement that comes next
        for statement in statements:
            waiting.append(statement)
            if statement not in self._context.helpers:
                result += self._inlined(waiting[:-1], statement)
                waiting = []
        self._indent -= INDENT
        return result

    def _inlined(self, helpers: list[Node], statement: Node) -> list[Node]:
        """A statement and its helpers, without those that it can contain."""
        lambdas = {
            helper.name: located(gast.Lambda(helper.args, helper.body[0].value), helper.body[0])
            for helper in helpers if self._is_short(helper, statement)}
        if not lambdas:
            return [*helpers, statement]
        call = _call(statement)
        for keyword in call.keywords:  # a test, which may stand on a line of its own
            value = lambdas.pop(keyword.value.id, keyword.value)
            if self._fits(located(gast.Expr(value), statement), INDENT + len('test=)')):
                keyword.value = value
        if not self._contain(lambdas, statement):
            for name in sorted(lambdas, key=lambda name: _length(lambdas[name])):
                self._contain({name: lambdas[name]}, statement)
        values = (*call.args, *(keyword.value for keyword in call.keywords))
        used = {
            part.id for value in values for part in walk(value) if isinstance(part, gast.Name)}
        return [*(helper for helper in helpers if helper.name in used), statement]

    def _contain(self, lambdas: dict[str, Node], statement: Node) -> bool:
        """Put lambdas in the place of the functions with these names, if the statement fits."""
        call = _call(statement)
        arguments = call.args
        call.args = [lambdas.get(getattr(each, 'id', ''), each) for each in arguments]
        if self._fits(statement):
            return True
        call.args = arguments
        return False

    def _is_short(self, helper: Node, statement: Node) -> bool:
        """Whether a function only gives a value, and has no comment of its own."""
        match helper.body:
            case [gast.Return(value=value, lineno=line)] if value is not None:
                return line == statement.lineno or not self._context.has_comment(helper.body[0])
        return False

    def _fits(self, statement: Node, more: int = 0) -> bool:
        alone = copy.copy(statement)
        del alone.lineno  # so that the comments in front of it do not count
        from autograph_lite.pyct.unparser import fits  # only `to_code` needs it

        return fits(alone, self._indent + more, source=self._context.source)


def _length(tree: Node) -> int:
    """How long the text of an expression is."""
    from autograph_lite.pyct.unparser import unparse

    return len(unparse(tree).text)


def _call(statement: Node) -> Node:
    """The call in a statement with helpers; what a function gives back may stand beside it."""
    value = statement.value
    return value.elts[0] if isinstance(value, gast.Tuple) else value


def _return_directly(helper: Node) -> None:
    """Turn `x = ag.cond(...); return x` at the end of a function into `return ag.cond(...)`."""
    match helper.body:
        case [
            *before,
            gast.Assign(targets=[target], value=gast.Call(func=gast.Attribute(attr=name))) as last,
            gast.Return(value=value),
        ] if name in OPERATORS and _is_same(target, value):
            helper.body = [*before, located(gast.Return(last.value), last)]


def _is_same(target: Node, value: Node | None) -> bool:
    """Whether a value is just what was assigned to a target."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return len(target.elts) == len(value.elts) and all(_is_same(*pair) for pair in pairs)
    name = None if value is None else qualname_of(value)
    return name is not None and name == qualname_of(target)
