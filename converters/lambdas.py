"""The shape of the functions that branches, tests and bodies have become."""
from __future__ import annotations

from collections.abc import Iterable

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.expressions import Expressions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.originals import Originals
from autograph_lite.pyct.tree import Node, walk
from autograph_lite.pyct.unparser import WIDTH

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
        self._expressions = Expressions(Originals(context.source))
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
            helper.name: _lambda(helper, statement)
            for helper in helpers if self._is_short(helper, statement)}
        if not lambdas:
            return [*helpers, statement]
        call = _call(statement)
        inside: set[str] = set()
        for keyword in call.keywords:  # a test, which may stand on a line of its own
            name = getattr(keyword.value, 'id', '')
            value = lambdas.pop(name, None)
            if value and self._has_room(len(f'{keyword.arg}=') + self._length_of(value)):
                keyword.value = value
                inside.add(name)
        given = {each.id for each in call.args if isinstance(each, gast.Name)}
        lambdas = {name: each for name, each in lambdas.items() if name in given}
        chosen = self._chosen(lambdas, statement, call) if lambdas else {}
        call.args = [chosen.get(getattr(each, 'id', ''), each) for each in call.args]
        inside.update(chosen)
        return [*(helper for helper in helpers if helper.name not in inside), statement]

    def _chosen(
        self, lambdas: dict[str, Node], statement: Node, call: Node
    ) -> dict[str, Node]:
        """Those of the functions that the call of a statement has room for.

        On one line with everything else it takes all that fit there; else those that fit on two
        lines below, the first of what it is given on one and the rest on another; and where it has
        to be broken without them, too, those that fit on a line each.
        """
        lengths = {name: self._length_of(each) for name, each in lambdas.items()}
        names = [getattr(each, 'id', '') for each in call.args]
        given = list(map(self._length, call.args))
        given += [len(f'{each.arg}=') + self._length(each.value) for each in call.keywords]
        before = self._indent + self._length_beside(statement)
        before += len(f'{call.func.value.id}.{call.func.attr}()')

        def row(inside: Iterable[str], start: int = 0) -> int:
            """The length of what the call is given, in a row, with some functions."""
            new = sum(lengths[name] - len(name) for name in inside if name in names[start:])
            return sum(given[start:]) + new + len(', ') * (len(given) - start - 1)

        if before + row(lambdas) <= WIDTH:
            return lambdas
        flat = {name: each for name, each in lambdas.items() if not _is_nest(each)}
        first = lengths[names[0]] if names[0] in flat else given[0]
        if self._has_room(first) and self._has_room(row(flat, 1)):
            return flat
        fits_without = before + row(()) <= WIDTH
        chosen: dict[str, Node] = {}
        for name in sorted(lambdas if fits_without else flat, key=lengths.__getitem__):
            more = chosen | {name: lambdas[name]}
            if before + row(more) <= WIDTH if fits_without else self._has_room(lengths[name]):
                chosen = more
        return chosen

    def _is_short(self, helper: Node, statement: Node) -> bool:
        """Whether a function only gives a value, and has no comment of its own."""
        match helper.body:
            case [gast.Return(value=value) as returned] if value is not None:
                is_whole = _stands_for_all(_call(statement))
                return not any(
                    self._context.has_own_comment(node, statement, is_whole)
                    for node in (helper, returned))
        return False

    def _has_room(self, length: int) -> bool:
        """Whether so much, and a comma, fits on a line of its own in a call."""
        return self._indent + INDENT + length + len(',') <= WIDTH

    def _length_of(self, function: Node) -> int:
        """How long a function that only gives a value is as a lambda."""
        parameters = ', '.join(each.id for each in function.args.args)
        return len(f'lambda {parameters}'.rstrip() + ': ') + self._length(function.body)

    def _length(self, expression: Node) -> int:
        """How long an expression is on one line, as far as it may fit there."""
        match expression:
            case gast.Name(id=name):
                return len(name)
            case gast.Constant(value=bool() | None as value):
                return len(str(value))
            case gast.Tuple(elts=[_, _, *_] as parts):
                return self._length_in_brackets(parts)
        text = self._expressions.users_text(expression)
        return self._length_of_generated(expression) if text is None else len(text)

    def _length_of_generated(self, expression: Node) -> int:
        """The same for what the user did not write, which mostly is of few kinds."""
        match expression:
            case gast.Attribute(value=gast.Name(id=name), attr=attribute):
                return len(f'{name}.{attribute}')
            case gast.Lambda(args=gast.arguments(
                posonlyargs=[], vararg=None, kwonlyargs=[], kwarg=None, defaults=[])):
                return self._length_of(expression)
            case gast.Call(
                func=gast.Name() | gast.Attribute(value=gast.Name()) as function, args=args,
                keywords=keywords,
            ) if not args or not isinstance(args[0], gast.GeneratorExp):  # that may bring its own
                names = sum(len(f'{each.arg}=' if each.arg else '**') for each in keywords)
                given = [*args, *(each.value for each in keywords)]
                return self._length(function) + names + self._length_in_brackets(given)
        left = WIDTH - self._indent
        for node in walk(expression):  # most that is too long is so by its names alone
            if isinstance(node, gast.Name):
                left -= len(node.id) + 1
                if left < 0:
                    return WIDTH
        text = deeply(self._expressions.one_line, expression)
        return WIDTH if '\n' in text else len(text)

    def _length_in_brackets(self, parts: list[Node]) -> int:
        """How long several expressions are between commas and in brackets."""
        between = len(', ') * (len(parts) - 1) if parts else 0
        return len('()') + sum(map(self._length, parts)) + between

    def _length_beside(self, statement: Node) -> int:
        """How long a statement is without its call."""
        length = len('return ') if isinstance(statement, gast.Return) else 0
        for target in statement.targets if isinstance(statement, gast.Assign) else ():
            parts = target.elts if isinstance(target, gast.Tuple) else [target]
            length += sum(self._length(part) + len(', ') for part in parts) + len('=')
        value = statement.value
        while isinstance(value, gast.Tuple):
            value, *others = value.elts
            length += sum(self._length(other) + len(', ') for other in others)
        return length


def _call(statement: Node) -> Node:
    """The call in a statement with helpers; what functions give back may stand beside it."""
    value = statement.value
    while isinstance(value, gast.Tuple):
        value = value.elts[0]
    return value


def _is_nest(function: Node) -> bool:
    """Whether a function that takes something chooses or repeats, which begins a line."""
    return bool(function.args.args) and any(
        isinstance(part, gast.Attribute) and part.attr in OPERATORS for part in walk(function.body))


def _stands_for_all(call: Node) -> bool:
    """Whether a call is no more than its statement: in a `cond`, one branch is not there."""
    arguments = [getattr(each, 'attr', '') for each in call.args]
    return call.func.attr != 'cond' or 'unchanged' in arguments


def _lambda(helper: Node, statement: Node) -> Node:
    """What a function gives, on its line; that it is made is told of the line of the statement."""
    value = located(helper.body[0].value, helper.body[0])
    return located(gast.Lambda(helper.args, value), statement)


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
