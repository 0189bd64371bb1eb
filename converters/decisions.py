"""What becomes of each `if`, loop, comprehension and call of one function."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import gast

from autograph_lite.analysis.symbols import symbols
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.comprehensions import stays, surely_python
from autograph_lite.converters.constructs import CONSTRUCTS
from autograph_lite.converters.context import Context
from autograph_lite.converters.fence import asked_by
from autograph_lite.converters.lazy import Lazy
from autograph_lite.converters.match_statements import is_of_python
from autograph_lite.converters.plain import Plain
from autograph_lite.converters.reasons import (
    of_comprehension,
    of_library,
    of_loop,
    of_method,
    of_test,
)
from autograph_lite.pyct.tree import Node, children, walk

STAGED, PYTHON, REFUSED = 'staged with a tensor', 'always Python', 'refused'

_CALLS = {
    Callee.USER: ('converted', 'it may be a function of yours'),
    Callee.LOCAL: ('converted', 'it is defined here'),
    Callee.BUILTIN: (STAGED, 'there is a form of it that takes tensors'),
    Callee.CREATION: (STAGED, 'there is a form of it that takes tensors'),
    Callee.MATH: (STAGED, 'there is a form of it that takes tensors'),
}
_MOST_CHARACTERS = 40


@dataclass(frozen=True)
class Decision:
    """One construct: its lines, what is decided, why, and what to write for one that is refused.

    `column` is where it begins, and `columns` are those of a call that stands on one line, in
    characters; None of anything else. `cases` are the lines at which a `match` asks. `is_perhaps`
    tells of what stands in an `if` that Python decides and that stays one, `is_exit` of an `if`
    that does nothing but leave a loop: its test may be part of that of the loop.
    """

    line: int
    end_line: int
    text: str
    outcome: str
    why: str
    fix: str = ''
    is_control_flow: bool = True
    column: int = 0
    columns: tuple[int, int] | None = None
    is_perhaps: bool = False
    cases: tuple[int, ...] = ()
    is_exit: bool = False


def decisions(tree: Node, context: Context) -> list[Decision]:
    """What is decided of a function's constructs, in the order of its text."""
    return list(_Decisions(tree, context).found())


class _Decisions:
    def __init__(self, tree: Node, context: Context) -> None:
        self._tree = tree
        self._context = context
        self._lazy = Lazy(tree, context)
        self._is_plain = None if isinstance(tree, gast.Lambda) else Plain(tree, context)
        # Functions that are defined here, and do not convert.
        self._refused = {
            node.name for node in walk(tree)
            if isinstance(node, gast.AsyncFunctionDef)
            or (isinstance(node, gast.FunctionDef) and symbols(node).yields)}

    def found(self) -> Iterator[Decision]:
        nodes = [node for node in _own_nodes(self._tree) if hasattr(node, 'lineno')]
        if isinstance(self._tree, gast.AsyncFunctionDef):
            nodes.append(self._tree)
        blocks = [
            range(node.body[0].lineno, node.end_lineno + 1) for node in nodes
            if isinstance(node, gast.If) and self._is_python(node)]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            decision = self._decision(node)
            if decision is not None:
                outcome, why, fix = (*decision, '')[:3]
                end = getattr(node, 'test', None) or getattr(node, 'iter', None) or node
                if isinstance(node, gast.Match):
                    end = node.subject
                is_call = isinstance(node, gast.Call)
                yield Decision(
                    node.lineno, end.end_lineno, self._text(node), outcome, why, fix, not is_call,
                    self._column(node.lineno, node.col_offset),
                    self._columns(node) if is_call else None,
                    any(node.lineno in block for block in blocks), tuple(_cases(node)),
                    isinstance(node, gast.If) and isinstance(node.body[0], gast.Break))

    def _decision(self, node: Node) -> tuple[str, ...] | None:
        """What becomes of a construct, why, and what to write instead; None if nothing does."""
        construct = CONSTRUCTS.get(type(node).__name__)
        if construct is not None and construct.decision == 'refused':
            return REFUSED, f'{construct.name} does not convert', construct.note
        for each in getattr(node, 'generators', ()):
            if each.is_async:
                construct = CONSTRUCTS['comprehension']
                return REFUSED, f'{construct.name} does not convert', construct.note
        match node:
            case gast.While() if self._is_python(node) and _may_end(node.body):
                return STAGED, 'a `break` or `return` in it may depend on a tensor'
            case gast.If() | gast.While() | gast.IfExp():
                if self._is_python(node):
                    return PYTHON, of_test(node.test)
                return STAGED, 'its test may be a tensor'
            case gast.For(iter=gast.Call(func=function)) if (
                callee(function, self._context) == (Callee.BUILTIN, 'range')
            ):
                return STAGED, 'it may have a tensor as bound, or many turns'
            case gast.For():
                if surely_python(node.iter, self._context):
                    return PYTHON, of_loop(node.iter)
                return STAGED, 'it may run over an array'
            case gast.Match():
                if all(is_of_python(case.pattern) and case.guard is None for case in node.cases):
                    return PYTHON, 'its patterns are for texts'
                return STAGED, 'its subject may be a tensor'
            case gast.ListComp() | gast.GeneratorExp():
                binds = any(isinstance(part, gast.NamedExpr) for part in walk(node))
                overs = [surely_python(each.iter, self._context) for each in node.generators]
                if binds and not all(overs):
                    return STAGED, 'it becomes a loop where it is evaluated first'
                if stays(node, self._lazy, self._context):
                    return PYTHON, of_comprehension(node)
                if all(overs) and self._lazy.may_be_seen(node):
                    return STAGED, 'its elements are evaluated as they are asked for'
                return STAGED, 'it may run over an array'
            case gast.SetComp() | gast.DictComp():
                if all(surely_python(each.iter, self._context) for each in node.generators):
                    return PYTHON, of_loop(node.generators[0].iter)
                return STAGED, 'it may run over an array'
            case gast.Try(handlers=[_, *_]):
                return STAGED, 'operations in it may raise when the graph runs'
            case gast.Call():
                if asked := asked_by(node, self._context):
                    return REFUSED, f'{asked[0]} looks at the variables of the function', asked[1]
                return self._call(node.func)
        return None

    def _call(self, function: Node) -> tuple[str, ...]:
        kind, name = callee(function, self._context)
        if kind is Callee.LOCAL and name in self._refused:
            return REFUSED, 'it is defined here, and does not convert'
        if kind is Callee.METHOD:
            return 'as it is', of_method(function)
        if kind is Callee.LIBRARY:
            return 'as it is', of_library(function, self._context)
        return _CALLS[kind]

    def _is_python(self, node: Node) -> bool:
        """Whether the test of a statement or of an expression is never a tensor."""
        test, is_statement = node.test, not isinstance(node, gast.IfExp)
        if is_statement and self._is_plain is not None and self._is_plain(test):
            return True
        return self._lazy.is_python(test) and not any(map(_asks_for_none, walk(test)))

    def _columns(self, node: Node) -> tuple[int, int] | None:
        if node.lineno != node.end_lineno:
            return None
        columns = node.col_offset, node.end_col_offset
        start, end = (self._column(node.lineno, each) for each in columns)
        return start, end

    def _column(self, line: int, offset: int) -> int:
        return len(self._context.source.lines[line - 1].encode()[:offset].decode())

    def _text(self, node: Node) -> str:
        """The head of a statement; an expression as far as it fits."""
        first = self._context.source.lines[node.lineno - 1].encode()
        end = node.end_col_offset if node.end_lineno == node.lineno else None
        text: str = first[node.col_offset:end].decode().strip()
        if isinstance(node, ast.expr) and node.end_lineno != node.lineno:
            text += ' ...'
        return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 4] + ' ...'


def _cases(node: Node) -> Iterator[int]:
    """The lines of the patterns and guards of a `match`."""
    for case in node.cases if isinstance(node, gast.Match) else ():
        end = case.guard or case.pattern
        yield from range(case.pattern.lineno, end.end_lineno + 1)


def _asks_for_none(node: Node) -> bool:
    """Whether it is `x is None`, which may depend on a tensor."""
    return isinstance(node, gast.Compare) and any(
        isinstance(each, gast.Constant) and each.value is None
        for each in (node.left, *node.comparators))


def _may_end(block: list[Node]) -> bool:
    """Whether a loop with these statements may be left from inside."""
    return any(isinstance(part, gast.Break | gast.Return) for each in block for part in walk(each))


def _own_nodes(tree: Node) -> Iterator[Node]:
    """What runs when the function runs: not its own defaults and decorators, nor nested classes."""
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, gast.ClassDef):
            pending.extend(children(node))
