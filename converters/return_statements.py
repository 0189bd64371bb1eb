"""`return` in branches and loops."""
from __future__ import annotations

import functools
from collections.abc import Iterator

import gast

from autograph_lite.converters.build import any_of, assign, constant, load
from autograph_lite.converters.context import Context
from autograph_lite.converters.jumps import DEEPEST, LOOPS, TailForm, falls, own_jumps
from autograph_lite.converters.python_values import Plain
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.pyct.names import names_in
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def return_statements(tree: Node, context: Context) -> Node:
    """Let a function return only where nothing follows.

    A branch becomes a function, and so does a loop's body; a `return` in them would leave only
    these. So what follows an `if` that returns becomes its other branch.

    >>> show(return_statements, '''
    ... def sign(x):
    ...     if x > 0:
    ...         return 1
    ...     return 0
    ... ''')
    def sign(x):
        if x > 0:
            return 1
        else:
            return 0

    A loop is left by `break`, and the result given after it.

    >>> show(return_statements, '''
    ... def position(xs, limit):
    ...     for i, x in enumerate(xs):
    ...         if x > limit:
    ...             return i
    ...     return -1
    ... ''')
    def position(xs, limit):
        result = -1
        did_return = False
        for i, x in enumerate(xs):
            if x > limit:
                result = i
                did_return = True
                break
        return result
    """
    for function in functions(tree):
        returns = list(_returns(function.body))
        has_result = any(not _is_none(node.value) for node in returns)
        form = (_Results if has_result else _Returns)(function, context)
        jumping = [statement for statement in function.body if form.may_jump(statement)]
        ends_straight = jumping == function.body[-1:] and jumping[0] in returns
        if form.leaves_finally(jumping):
            for statement in _ended_by_finally(jumping):
                statement.finalbody = form.lower(statement.finalbody, True)
                if not statement.orelse:
                    idle = _Overridden(function, context)
                    for block in (statement.body, *(each.body for each in statement.handlers)):
                        block[:] = idle.lowered(block)
        elif jumping and not ends_straight:
            function.body = form.lowered(function.body)
    return tree


class _Returns(TailForm):
    """A function without a result: nothing is left of a `return` after which nothing follows."""

    kind = gast.Return

    def __init__(self, function: Node, context: Context) -> None:
        super().__init__()
        self._context = context
        self._is_plain = Plain(function, context)
        self._flag = context.flag('did_return')
        self._is_asked = False  # whether anything depends on the flag
        self._settings: set[Node] = set()

    def lowered(self, statements: list[Node]) -> list[Node]:
        """Statements after which nothing follows, without a `return` on which that depends."""
        body = self.without_idle_flag(self.lower(statements, True))
        return body or [located(gast.Pass(), statements[0])]

    def jump(self, node: Node, last: bool) -> list[Node]:
        return [] if last else [self._set(True, node)]

    def flags(self, statements: list[Node]) -> list[str]:
        del statements  # a function returns once, so one flag is enough
        self._is_asked = True
        return [self._flag]

    def start(self, flags: list[str], like: Node) -> list[Node]:
        return [] if self.started else [self._set(False, like)]

    def lower_one(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        if last and self._is_guard(statement):
            return [statement, *self.lower(rest, True)]
        return super().lower_one(statement, rest, last)

    def _is_guard(self, statement: Node) -> bool:
        """Whether this is an `if` that Python decides and that does no more than return."""
        match statement:
            case gast.If(test=test, body=[*before, gast.Return()], orelse=[]):
                return self._is_plain(test) and not any(map(self.may_jump, before))
        return False

    def skip(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        if rest or not last or not isinstance(statement, LOOPS):
            return super().skip(statement, rest, last)
        if _is_nested(statement.body):
            return [*self.start([], statement), self.loop(statement)]
        statement.body = self._leaving(statement.body, flagged=False)
        statement.orelse = self.lower(statement.orelse, True)
        return [statement]

    def loop(self, loop: Node) -> Node:
        self._is_asked = True
        loop.body = self._leaving(loop.body)
        loop.orelse = self.lower(loop.orelse, False)
        return loop

    def _leaving(self, statements: list[Node], flagged: bool = True) -> list[Node]:
        """Statements in a loop, with a `break` where they return."""
        result: list[Node] = []
        for statement in statements:
            if isinstance(statement, gast.Return):
                left = self.jump(statement, False) if flagged else []
                result += [*left, self._break(statement, flagged)]
            elif isinstance(statement, LOOPS) and self.may_jump(statement):
                leave = gast.If(load(self._flag), [self._break(statement)], [])
                result += [self.loop(statement), located(leave, statement)]
            else:
                if self.may_jump(statement):
                    for block in blocks(statement):
                        block[:] = self._leaving(block, flagged)
                result.append(statement)
        return result

    def _break(self, like: Node, flagged: bool = True) -> Node:
        node = located(gast.Break(), like)
        if flagged:
            self._context.flag_at[node] = self._flag
        return node

    def _set(self, value: bool, like: Node) -> Node:
        setting = located(assign(self._flag, constant(value)), like)
        self._settings.add(setting)
        return setting

    def without_idle_flag(self, statements: list[Node]) -> list[Node]:
        """The statements without those that set the flag, if nothing depends on it."""
        if self._is_asked:
            return statements
        for statement in statements:
            for block in blocks(statement):
                block[:] = self.without_idle_flag(block)
        return [statement for statement in statements if statement not in self._settings]


class _Overridden(_Returns):
    """What a `finally` ends that returns itself: nobody gets the result, only its effects stay."""

    def jump(self, node: Node, last: bool) -> list[Node]:
        value = node.value or constant(None)
        is_idle = isinstance(value, gast.Constant | gast.Name)
        effects = [] if is_idle else [located(gast.Expr(value), node)]
        return [*effects, *super().jump(node, last)]


class _Results(_Returns):
    """A function with a result: where nothing follows, the `return` stays."""

    def __init__(self, function: Node, context: Context) -> None:
        super().__init__(function, context)
        self._result = context.helper('result')
        self._near = function
        self._function = function

    @functools.cached_property
    def _seen(self) -> set[str]:
        return set(_seen_by_others(self._function))

    def jump(self, node: Node, last: bool) -> list[Node]:
        if last:
            return [node]
        return [self._keep(node.value or constant(None), node), self._set(True, node)]

    def end(self, statements: list[Node], last: bool) -> list[Node]:
        if last and falls(statements):
            return [*statements, self._return(constant(None), statements)]
        return statements

    def repeats(self, rest: list[Node]) -> bool:
        match rest:
            case [] | [gast.Return(value=None | gast.Name() | gast.Constant())]:
                return True
        return False

    def lower_one(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        self._near = statement
        if last and _length(statement) > DEEPEST:
            return self.skip(statement, rest, last)
        lowered = super().lower_one(statement, rest, last)
        match lowered:
            case [gast.If(test=test) as branches] if last and not self._is_plain(test):
                branches.body = self._ended(self._directly(branches.body))
                branches.orelse = self._ended(self._directly(branches.orelse))
        return lowered

    def _ended(self, branch: list[Node]) -> list[Node]:
        """A branch that returns also where a `with` at its end takes in an exception."""
        if falls(branch):
            return [*branch, self._return(constant(None), branch)]
        return branch

    def _directly(self, branch: list[Node]) -> list[Node]:
        """`return x` instead of `y = x; return y`, if a branch does no more than that."""
        match branch:
            case [
                gast.Assign(targets=[gast.Name(id=name)], value=value) as assignment,
                gast.Return(value=gast.Name(id=returned)),
            ] if name == returned and name not in self._seen:
                if not any(self._context.has_comment(statement) for statement in branch):
                    return [located(gast.Return(value), assignment)]
        return branch

    def skip(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        if not last:
            return super().skip(statement, rest, last)
        if _ends_first(statement):
            value = statement.body[0].body[0]
            statement.body[0].body = [located(gast.Break(), value)]
            return [statement, value]
        if _holds_all(statement, rest):
            return [self.inside(statement, True), *(self.lower(rest, True) if rest else [])]
        the_result = located(gast.Return(load(self._result)), statement)
        if not falls([statement]):
            return [*self.start([], statement), self.inside(statement, False), the_result]
        if _is_literal(rest):
            value = rest[0].value if rest and rest[0].value else constant(None)
            return [
                self._keep(value, statement),
                *self.start([], statement),
                self.inside(statement, False),
                the_result,
            ]
        result = [*self.start([], statement), self.inside(statement, False)]
        test = any_of(self.flags([statement]))
        with self.after_start():
            leave = gast.If(test, [the_result], self._directly(self.lower(rest, True)))
        return [*result, located(leave, statement)]

    def in_pieces(self, statements: list[Node], jumping: list[int], last: bool) -> list[Node]:
        if not last:
            return super().in_pieces(statements, jumping, last)
        if falls(statements):
            statements = [*statements, self._return(constant(None), statements)]
            jumping = [*jumping, len(statements) - 1]
        result = super().in_pieces(statements, jumping, False)
        return [*result, self._return(load(self._result), statements)]

    def _keep(self, value: Node, like: Node) -> Node:
        return located(assign(self._result, value), like)

    def _return(self, value: Node, after: list[Node]) -> Node:
        return located(gast.Return(value), after[-1] if after else self._near)


def _ends_first(loop: Node) -> bool:
    """Whether a loop does no more than ask first, each turn, whether to return."""
    match loop:
        case gast.While(
            test=gast.Constant(value=value),
            body=[gast.If(body=[gast.Return()], orelse=[]), *rest],
        ) if value:
            return not any(own_jumps(rest, gast.Break)) and not any(_returns(rest))
    return False


def _holds_all(statement: Node, rest: list[Node]) -> bool:
    """Whether a `with` or `match` can keep its `return`s, since nothing is skipped by them."""
    match statement:
        case gast.With() | gast.Match():
            return not rest or not any(map(falls, blocks(statement)))
        case gast.Try(orelse=[]):
            return not rest or not falls([statement])
    return False


def _ended_by_finally(statements: list[Node]) -> Iterator[Node]:
    """The `try` statements whose `finally` always ends the function."""
    for statement in statements:
        if isinstance(statement, gast.Try | gast.TryStar) and not falls(statement.finalbody):
            yield statement
        for block in blocks(statement):
            yield from _ended_by_finally(block)


def _is_nested(statements: list[Node]) -> bool:
    """Whether there is a `return` in a loop among the statements of a loop."""
    return any(
        bool(list(_returns([statement])))
        if isinstance(statement, LOOPS)
        else any(_is_nested(block) for block in blocks(statement))
        for statement in statements)


def _is_literal(rest: list[Node]) -> bool:
    """Whether what follows gives a literal, which the result can be from the start."""
    match rest:
        case [] | [gast.Return(value=None | gast.Constant())]:
            return True
        case [gast.Return(value=gast.UnaryOp(op=gast.USub(), operand=gast.Constant()))]:
            return True
    return False


def _is_none(value: Node) -> bool:
    return value is None or (isinstance(value, gast.Constant) and value.value is None)


def _seen_by_others(function: Node) -> Iterator[str]:
    """The variables that are not the function's own, or not its alone."""
    for node in walk(function):
        if isinstance(node, gast.Global | gast.Nonlocal):
            yield from node.names
        elif isinstance(node, gast.FunctionDef | gast.Lambda) and node is not function:
            yield from names_in(node)


def _length(statement: Node) -> int:
    """The number of `elif`s in a row."""
    length = 0
    while isinstance(statement, gast.If) and len(statement.orelse) == 1:
        length, statement = length + 1, statement.orelse[0]
    return length


def _returns(statements: list[Node]) -> Iterator[Node]:
    """The `return`s of a function, without those of functions in it."""
    for statement in statements:
        if isinstance(statement, gast.Return):
            yield statement
        for block in blocks(statement):
            yield from _returns(block)
