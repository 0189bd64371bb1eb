"""The tail form: what `return`, `continue` and `break` have in common.

A jump skips what follows it. Where it ends one branch of an `if`, what follows the `if` can move
into the other branch instead; then nothing follows the jump, and what it means is all that is left
of it. Only where neither branch always ends there, a flag says whether the jump was made, and what
follows is guarded by it.

    if a:                       if a:
        b()                         b()
        continue        ->      else:
    c()                             c()
"""
from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

import gast

from autograph_lite.converters.build import any_of, assign, branch, constant, negated
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

DEEPEST = 16  # what follows moves into branches no deeper than this
LOOPS = gast.For | gast.While


class TailForm:
    """Lowers one kind of jump in one region: the body of a function or of a loop.

    `last` says of a list of statements that nothing follows it in its region.
    """

    kind: Any  # the class of the jump's node

    def __init__(self) -> None:
        self.started = False  # whether the flags have a value already
        self._may_jump: dict[Node, bool] = {}

    # What a kind of jump decides for itself.

    def jump(self, node: Node, last: bool) -> list[Node]:
        """What is left of a jump."""
        raise NotImplementedError

    def flags(self, statements: list[Node]) -> list[str]:
        """The names of which one is true if a jump was made in statements that may jump."""
        raise NotImplementedError

    def loop(self, loop: Node) -> Node:
        """A nested loop that holds the jump, without it."""
        raise NotImplementedError

    def end(self, statements: list[Node], last: bool) -> list[Node]:
        """Statements without a jump, with what is to be done at their end."""
        return statements

    def repeats(self, rest: list[Node]) -> bool:
        """Whether what follows an `if` is so simple that both branches can have it."""
        return not rest

    # The form.

    def lower(self, statements: list[Node], last: bool) -> list[Node]:
        """Statements that do the same without the jump."""
        jumping = [i for i, statement in enumerate(statements) if self.may_jump(statement)]
        if not jumping:
            return self.end(statements, last)
        if len(jumping) > DEEPEST:
            return self.in_pieces(statements, jumping, last)
        first = jumping[0]
        return statements[:first] + self.lower_one(
            statements[first], statements[first + 1:], last)

    def lower_one(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        """A statement that may jump, and what follows it."""
        if isinstance(statement, self.kind):
            return self.jump(statement, last)
        if not isinstance(statement, gast.If):
            return self.skip(statement, rest, last)
        body, orelse = statement.body, statement.orelse
        if not falls(body):
            orelse = orelse + rest
        elif not falls(orelse):
            body = body + rest
        elif self.repeats(rest):
            body, orelse = body + copy.deepcopy(rest), orelse + rest
        else:
            return self.skip(statement, rest, last)
        lowered = branch(statement.test, self.lower(body, last), self.lower(orelse, last))
        return [located(lowered, statement)]

    def skip(self, statement: Node, rest: list[Node], last: bool) -> list[Node]:
        """A statement that may jump, and what follows it guarded by a flag."""
        has_else = isinstance(statement, gast.Try | gast.TryStar) and statement.orelse
        if not rest and not has_else:
            return [self.inside(statement, last)]
        flags = self.flags([statement])
        result = [*self.start(flags, statement), self.inside(statement, False)]
        with self.after_start():
            return result + guarded(flags, self.lower(rest, last), statement)

    def in_pieces(self, statements: list[Node], jumping: list[int], last: bool) -> list[Node]:
        """A long row of statements that may jump: each piece is guarded by what came before."""
        del last  # every piece but one is followed by another
        flags = self.flags([statements[i] for i in jumping])
        result = self.start(flags, statements[0])
        ends = [i + 1 for i in jumping[DEEPEST - 1::DEEPEST]]
        with self.after_start():
            for start, end in zip([0, *ends], [*ends, len(statements)], strict=True):
                piece = self.lower(statements[start:end], False)
                result += guarded(flags, piece, statements[start]) if start and piece else piece
        return result

    def start(self, flags: list[str], like: Node) -> list[Node]:
        """The flags before any jump."""
        if self.started:
            return []
        return [located(assign(flag, constant(False)), like) for flag in flags]

    @contextlib.contextmanager
    def after_start(self) -> Iterator[None]:
        """What is lowered here runs when the flags have a value."""
        before, self.started = self.started, True
        yield
        self.started = before

    def inside(self, statement: Node, last: bool) -> Node:
        """A compound statement whose own statements are lowered."""
        if isinstance(statement, LOOPS):
            return self.loop(statement)
        if isinstance(statement, gast.Try | gast.TryStar):
            open_blocks = [statement.body, *(handler.body for handler in statement.handlers)]
            if statement.orelse:
                # a jump skips `else`; what is left of the jump does not
                jumping = [child for child in statement.body if self.may_jump(child)]
                flags = self.flags(jumping) if jumping else []
                orelse = self.lower(statement.orelse, False)
                statement.orelse = guarded(flags, orelse, statement) if flags else orelse
                last = False
        else:
            open_blocks = list(blocks(statement))
        for block in open_blocks:
            if block:
                block[:] = self.lower(block, last) or [located(gast.Pass(), block[0])]
        return statement

    def may_jump(self, statement: Node) -> bool:
        """Whether the jump may be made in a statement, and leave it."""
        known = self._may_jump.get(statement)
        if known is None:
            known = isinstance(statement, self.kind)
            # Not `any`: how deep its calls may nest, Python 3.12 does not let a program say.
            for block in self._open(statement):
                for child in block:
                    known = known or self.may_jump(child)
            self._may_jump[statement] = known
        return known

    def _open(self, statement: Node) -> list[list[Node]]:
        """The blocks of a statement out of which the jump leads."""
        if isinstance(statement, LOOPS) and self.kind is not gast.Return:
            return [statement.orelse]
        return list(blocks(statement))

    def leaves_finally(self, statements: list[Node]) -> bool:
        """Whether the jump is made in a `finally`, where it also ends an exception."""
        return any(
            isinstance(node, gast.Try | gast.TryStar)
            and any(self.may_jump(child) for child in node.finalbody)
            for statement in statements
            if self.may_jump(statement)
            for node in walk(statement))


def guarded(flags: list[str], statements: list[Node], like: Node) -> list[Node]:
    """Statements that run only if none of the flags is true."""
    if not statements:
        return []
    return [located(gast.If(negated(any_of(flags)), statements, []), like)]


def falls(statements: list[Node]) -> bool:
    """Whether control may go from the last of the statements to what follows."""
    return all(_falls(statement) for statement in statements)


def _falls(statement: Node) -> bool:
    match statement:
        case gast.Return() | gast.Raise() | gast.Break() | gast.Continue():
            return False
        case gast.If():
            return falls(statement.body) or falls(statement.orelse)
        case gast.While(test=gast.Constant(value=value)) if value:
            return any(own_jumps(statement.body, gast.Break))
        case gast.Try() | gast.TryStar():
            return falls(statement.finalbody) and (
                falls(statement.body + statement.orelse)
                or any(falls(handler.body) for handler in statement.handlers))
    return True  # a `with` may end an exception that was raised in it


def own_jumps(statements: list[Node], kind: Any) -> Iterator[tuple[list[Node], int]]:
    """The jumps of one kind out of the loop whose body these are: their block and place in it."""
    for index, statement in enumerate(statements):
        if isinstance(statement, kind):
            yield statements, index
        inner = [statement.orelse] if isinstance(statement, LOOPS) else blocks(statement)
        for block in inner:
            yield from own_jumps(block, kind)


def tail_flags(loop: Node, context: Context) -> list[str]:
    """The flags by which a `for` is left at the end of its body, if that is how it is left."""
    match loop:
        case gast.For(body=[*_, gast.If(test=test, body=[gast.Break()], orelse=[])]):
            names = [node.id for node in walk(test) if isinstance(node, gast.Name)]
            return names if context.flags.issuperset(names) else []
    return []
