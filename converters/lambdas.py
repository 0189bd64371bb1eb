"""The shape of the functions that branches, tests and bodies have become."""
from __future__ import annotations

import copy

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk
from autograph_lite.pyct.unparser import fits, unparse

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
        others = (each.names for each in tree.body if isinstance(each, gast.Global | gast.Nonlocal))
        _Lambdas(context, {name for names in others for name in names}).rewrite(tree)
    return tree


class _Lambdas(StatementRewriter):
    def __init__(self, context: Context, others: set[str]) -> None:
        super().__init__(context)
        self._indent = 0
        self._others = others  # the variables of modules and of functions around

    def visit_FunctionDef(self, node: Node) -> Node:
        if node in self._context.helpers:
            _return_directly(node, self._others)
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
        inside: set[str] = set()
        for keyword in call.keywords:  # a test, which may stand on a line of its own
            name = getattr(keyword.value, 'id', '')
            value = lambdas.pop(name, None)
            if value and self._fits(located(gast.Expr(value), statement), INDENT + len('test=)')):
                keyword.value = value
                inside.add(name)
        contained = self._contained(lambdas, statement)
        if not contained:
            for name in sorted(lambdas, key=lambda name: len(unparse(lambdas[name]).text)):
                contained |= self._contained({name: lambdas[name]}, statement)
        inside |= contained
        return [*(helper for helper in helpers if helper.name not in inside), statement]

    def _contained(self, lambdas: dict[str, Node], statement: Node) -> set[str]:
        """Put lambdas in the place of the functions with these names, if the statement fits.

        Returns:
          The names of the functions in whose places they are.
        """
        call = _call(statement)
        arguments = call.args
        names = {getattr(each, 'id', '') for each in arguments}.intersection(lambdas)
        call.args = [lambdas.get(getattr(each, 'id', ''), each) for each in arguments]
        if self._fits(statement):
            return names
        call.args = arguments
        return set()

    def _is_short(self, helper: Node, statement: Node) -> bool:
        """Whether a function only gives a value, and has no comment of its own."""
        match helper.body:
            case [gast.Return(value=value) as returned] if value is not None:
                is_whole = _stands_for_all(_call(statement))
                return not any(
                    self._context.has_own_comment(node, statement, is_whole)
                    for node in (helper, returned))
        return False

    def _fits(self, statement: Node, more: int = 0) -> bool:
        alone = copy.copy(statement)
        del alone.lineno  # so that the comments in front of it do not count
        return fits(alone, self._indent + more, source=self._context.source)


def _call(statement: Node) -> Node:
    """The call in a statement with helpers; what functions give back may stand beside it."""
    value = statement.value
    while isinstance(value, gast.Tuple):
        value = value.elts[0]
    return value


def _stands_for_all(call: Node) -> bool:
    """Whether a call is no more than its statement: in a `cond`, one branch is not there."""
    arguments = [getattr(each, 'attr', '') for each in call.args]
    return call.func.attr != 'cond' or 'unchanged' in arguments


def _return_directly(helper: Node, others: set[str]) -> None:
    """Turn `x = ag.cond(...); return x` at the end of a function into `return ag.cond(...)`.

    A variable of `others` that others may look at is set.
    """
    declared = (each.names for each in helper.body if isinstance(each, gast.Global | gast.Nonlocal))
    shared = others & {name for names in declared for name in names}
    match helper.body:
        case [
            *before,
            gast.Assign(targets=[target], value=gast.Call(func=gast.Attribute(attr=name))) as last,
            gast.Return(value=value),
        ] if name in OPERATORS and _is_same(target, value) and shared.isdisjoint(_names(target)):
            helper.body = [*before, located(gast.Return(last.value), last)]


def _names(target: Node) -> set[str]:
    return {part.id for part in walk(target) if isinstance(part, gast.Name)}


def _is_same(target: Node, value: Node | None) -> bool:
    """Whether a value is just what was assigned to a target."""
    if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
        pairs = zip(target.elts, value.elts, strict=False)
        return len(target.elts) == len(value.elts) and all(_is_same(*pair) for pair in pairs)
    name = None if value is None else qualname_of(value)
    return name is not None and name == qualname_of(target)
