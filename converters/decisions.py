"""What becomes of each `if`, loop, comprehension and call of one function."""
from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

import gast

from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.comprehensions import stays, surely_python
from autograph_lite.converters.constructs import CONSTRUCTS
from autograph_lite.converters.context import Context
from autograph_lite.converters.match_statements import is_of_python
from autograph_lite.converters.python_values import Lazy, Plain
from autograph_lite.pyct.tree import Node, children

STAGED, PYTHON, REFUSED = 'staged with a tensor', 'always Python', 'refused'

_CALLS = {
    Callee.USER: ('converted', 'it may be a function of yours'),
    Callee.LOCAL: ('converted', 'it is defined here'),
    Callee.BUILTIN: (STAGED, 'there is a form of it that takes tensors'),
    Callee.CREATION: (STAGED, 'there is a form of it that takes tensors'),
    Callee.MATH: (STAGED, 'there is a form of it that takes tensors'),
    Callee.METHOD: ('as it is', 'arrays have such a method'),
    Callee.LIBRARY: ('as it is', 'it is known'),
}
_MOST_CHARACTERS = 40


@dataclass(frozen=True)
class Decision:
    """One construct: its lines, what is decided, why, and what to write for one that is refused."""

    line: int
    end_line: int
    text: str
    outcome: str
    why: str
    fix: str = ''
    is_control_flow: bool = True


def decisions(tree: Node, context: Context) -> list[Decision]:
    """What is decided of a function's constructs, in the order of its text."""
    return list(_Decisions(tree, context).found())


class _Decisions:
    def __init__(self, tree: Node, context: Context) -> None:
        self._tree = tree
        self._context = context
        self._lazy = Lazy(tree, context)
        self._is_plain = None if isinstance(tree, gast.Lambda) else Plain(tree, context)

    def found(self) -> Iterator[Decision]:
        nodes = [node for node in _own_nodes(self._tree) if hasattr(node, 'lineno')]
        for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
            decision = self._decision(node)
            if decision is not None:
                outcome, why, fix = (*decision, '')[:3]
                end = getattr(node, 'test', None) or getattr(node, 'iter', None) or node
                if isinstance(node, gast.Match):
                    end = node.subject
                is_call = isinstance(node, gast.Call)
                yield Decision(
                    node.lineno, end.end_lineno, self._text(node), outcome, why, fix, not is_call)

    def _decision(self, node: Node) -> tuple[str, ...] | None:
        construct = CONSTRUCTS.get(type(node).__name__)
        if construct is not None and construct.decision == 'refused':
            return REFUSED, f'{construct.name} does not convert', construct.note
        match node:
            case gast.If() | gast.While() | gast.IfExp():
                if self._is_python(node.test):
                    return PYTHON, 'its test is never a tensor'
                return STAGED, 'its test may be a tensor'
            case gast.For(iter=gast.Call(func=function)) if (
                callee(function, self._context) == (Callee.BUILTIN, 'range')
            ):
                return STAGED, 'it may have a tensor as bound, or many turns'
            case gast.For():
                if surely_python(node.iter, self._context):
                    return PYTHON, 'it runs over Python values'
                return STAGED, 'it may run over an array'
            case gast.Match():
                if all(is_of_python(case.pattern) and case.guard is None for case in node.cases):
                    return PYTHON, 'its patterns are for texts'
                return STAGED, 'its subject may be a tensor'
            case gast.ListComp() | gast.GeneratorExp():
                if stays(node, self._lazy, self._context):
                    return PYTHON, 'it runs over Python values, or binds names that others read'
                return STAGED, 'it may run over an array'
            case gast.SetComp() | gast.DictComp():
                return PYTHON, 'a set or dict has Python values as keys'
            case gast.Try(handlers=[_, *_]):
                return STAGED, 'operations in it may raise when the graph runs'
            case gast.Call():
                return _CALLS[callee(node.func, self._context)[0]]
        return None

    def _is_python(self, test: Node) -> bool:
        is_plain = self._is_plain is not None and self._is_plain(test)
        return is_plain or self._lazy.is_python(test)

    def _text(self, node: Node) -> str:
        """The head of a statement; an expression as far as it fits."""
        first = self._context.source.lines[node.lineno - 1].encode()
        end = node.end_col_offset if node.end_lineno == node.lineno else None
        text: str = first[node.col_offset:end].decode().strip()
        if isinstance(node, ast.expr) and node.end_lineno != node.lineno:
            text += ' ...'
        return text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 4] + ' ...'


def _own_nodes(tree: Node) -> Iterator[Node]:
    """What runs when the function runs: not its own defaults and decorators, nor nested classes."""
    body = tree.body if isinstance(tree.body, list) else [tree.body]
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, gast.ClassDef):
            pending.extend(children(node))
