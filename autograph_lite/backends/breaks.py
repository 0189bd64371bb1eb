"""A flag that ends a loop, written as `break`.

The body of the loop starts with the flag false and is followed by `if flag: break`. That test moves
up into the branch that sets the flag, as far as nothing follows it there.

    if x < 0:                       if x < 0:
        found = i                       found = i
        done = True                     break
    if done:                ->
        break
"""
from __future__ import annotations

import ast

from .expressions import name, names
from .printer import Origins

Block = list[ast.stmt]


class FlagToBreak:
    """Rewrites the body of one loop.

    Args:
      flag: the variable.
      keep: whether its value is read after the loop.
      origins: where the statements came from; the new ones are added.
    """

    def __init__(self, flag: str, keep: bool, origins: Origins) -> None:
        self._flag = flag
        self._keep = keep
        self._origins = origins

    def __call__(self, body: Block) -> Block:
        """The body with a `break` wherever it would end with the flag true."""
        return self._sink(body)

    def _sink(self, block: Block) -> Block:
        """`block; if flag: break`, where the flag is false before the block."""
        if not block or not any(self._sets(statement) for statement in block):
            return block
        *before, last = block
        if isinstance(last, ast.If) and self._is_guard(last):
            return self._sink(before) + self._sink(last.body)
        if any(self._sets(statement) for statement in before) or not self._sets(last):
            return [*block, self._break_if(name(self._flag), last)]
        if isinstance(last, ast.If):
            last.body = self._sink(last.body) or [ast.Pass()]
            rest, last.orelse = self._sink(last.orelse), []
            if isinstance(last.body[-1], ast.Break):
                return [*block, *rest]
            last.orelse = rest
            return block
        if isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
            return before + self._assigned(last)
        return [*block, self._break_if(name(self._flag), last)]

    def _assigned(self, last: ast.Assign) -> Block:
        kept: Block = [last] if self._keep else []
        value = last.value
        if isinstance(value, ast.Constant):
            return [*kept, ast.Break()] if value.value else kept
        if self._keep:
            value = name(self._flag)
        return [*kept, self._break_if(value, last)]

    def _break_if(self, test: ast.expr, like: ast.stmt) -> ast.If:
        statement = ast.If(test, [ast.Break()], [])
        if like in self._origins:
            self._origins[statement] = self._origins[like]
        return statement

    def _is_guard(self, statement: ast.If) -> bool:
        """Whether this is `if not flag: ...`."""
        test = statement.test
        return (
            not statement.orelse
            and isinstance(test, ast.UnaryOp)
            and isinstance(test.op, ast.Not)
            and isinstance(test.operand, ast.Name)
            and test.operand.id == self._flag
        )

    def _sets(self, statement: ast.stmt) -> bool:
        return self._flag in names(statement, ast.Store)

    def is_read(self, body: Block) -> bool:
        """Whether the rewritten body still reads the flag."""
        return any(self._flag in names(statement, ast.Load) for statement in body)

