"""From a gast tree to text: statements laid out by a subclass of astunparse's printer.

The user's own statements look as the user wrote them, with their comments and blank lines; what was
generated looks like Python's own `ast.unparse`, with long calls broken over several lines.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import astunparse
import gast

from autograph_lite.pyct.comments import LogicalLine
from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.expressions import Expressions
from autograph_lite.pyct.originals import BLOCKS, Originals, Written
from autograph_lite.pyct.page import INDENT, Page
from autograph_lite.pyct.text import Source, first_line
from autograph_lite.pyct.tree import Node, is_gast, to_gast

WIDTH = 88
DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


@dataclass(frozen=True)
class Printed:
    """Generated text, and for each of its lines the user's line that it came from."""

    text: str
    lines: tuple[int | None, ...]


def unparse(tree: Node, source: Source | None = None, width: int = WIDTH) -> Printed:
    """The text of a tree, or of a list of statements.

    `source` is the text that the tree was parsed from; without it all is printed as if generated.
    """
    return deeply(_unparse, tree, source, width)


def fits(statement: Node, indent: int, width: int = WIDTH, source: Source | None = None) -> bool:
    """Whether a statement prints on one line when it is indented by so many characters."""
    lines = unparse(statement, source, width=10**9).text.split('\n')
    return len(lines) == 1 and indent + len(lines[0]) <= width


def _unparse(tree: Node, source: Source | None, width: int) -> Printed:
    roots = tree if isinstance(tree, list) else [tree]
    roots = [root if is_gast(root) else to_gast(root) for root in roots]
    roots = [root.body if isinstance(root, gast.Expression) else root for root in roots]
    printer = _Printer(source, width)
    match roots:
        case [ast.expr() as expression]:
            line = getattr(expression, 'lineno', None)
            return Printed(printer.expressions.one_line(expression), (line,))
        case [gast.Module() as module]:
            printer.module(module)
        case _:
            printer.statements(roots)
    return Printed('\n'.join(printer.page.text), tuple(printer.page.lines))


class _Printer(astunparse.Unparser):  # type: ignore[misc]  # astunparse is untyped
    """Lays out statements. The methods `_If`, `_Assign`, ... print one statement each.

    Those of simple statements, many of which are the base class's, use `fill` and `write`, and what
    these write is taken up by `code`; those of compound statements print head and body.
    """

    def __init__(self, source: Source | None, width: int) -> None:
        # Not the base class's, which prints a whole tree while it is initialised.
        self.page = Page(source)
        self.originals = Originals(source)
        self.expressions = Expressions(self.originals)
        self.source = source
        self.width = width
        self.future_imports: list[str] = []
        self._written: list[str] = []
        self._docstring: Node = None

    # whole trees

    def module(self, tree: Node) -> None:
        """Print a module with all its comments."""
        self._mark_docstring(tree)
        self.block(tree.body)
        if self.source is not None:
            self.page.finish(self.source.logical_lines)

    def statements(self, roots: list[Node]) -> None:
        """Print statements; of a function, without the comments around it."""
        for root in roots:
            located = getattr(root, 'lineno', None) is not None
            if isinstance(root, DEFINITIONS) and self.source is not None and located:
                first = self.source.piece(root.lineno).logical_line(first_line(root))
                self.page.claim(first, 'leading')
                self.page.claim(self.page.logical_line(root), 'after')
        self.block(roots)
        for root in roots:
            if self.source is not None and getattr(root, 'lineno', None) is not None:
                self.page.finish(self.source.lines_of(root))

    def block(self, statements: list[Node], head: LogicalLine | None = None) -> None:
        """Print the statements of a block that has this head."""
        lines = [self.page.logical_line(statement) for statement in statements]
        last = {
            line.start: index for index, line in enumerate(lines)
            if line is not None and not self._is_added_return(statements[index])}
        for index, (statement, line) in enumerate(zip(statements, lines, strict=True)):
            set_off = isinstance(statement, DEFINITIONS) and not self._is_own(statement)
            if set_off:
                self.page.want_blank()
            self.dispatch(statement)
            if line is not None and line is not head and last.get(line.start) == index:
                self.page.close(line)
            if set_off and index + 1 < len(statements):
                self.page.want_blank()

    def _is_added_return(self, statement: Node) -> bool:
        """Whether it ends a block that the user's code, and comments, are part of."""
        return isinstance(statement, gast.Return) and self.originals.at(statement) is None

    def _is_own(self, definition: Node) -> bool:
        old = self.originals.at(definition)
        return old is not None and bool(old.name == definition.name)

    def dispatch(self, tree: Node) -> None:
        if isinstance(tree, ast.expr):
            self.write(self.expressions.one_line(tree))
        elif BLOCKS.isdisjoint(tree._fields) and isinstance(tree, ast.stmt):
            self._simple(tree)
        else:
            super().dispatch(tree)

    # simple statements

    def _simple(self, statement: Node) -> None:
        self._put(statement, self.originals.statement(statement), lambda: self.code(statement))

    def code(self, statement: Node) -> str:
        """The text of a simple statement; lines after the first bring their indentation."""
        self._written = []
        super().dispatch(statement)
        return ''.join(self._written)

    def fill(self, text: str = '') -> None:
        self._written.append(text)

    def write(self, text: str) -> None:
        self._written.append(text)

    def _Expr(self, t: Node) -> None:
        if t is self._docstring:
            module = ast.Module([ast.Expr(ast.Constant(t.value.value, kind=t.value.kind))], [])
            self.write(ast.unparse(module))
        else:
            self._valued('', t.value)

    def _Return(self, t: Node) -> None:
        if t.value is None:
            self.write('return')
        else:
            self._valued('return ', t.value)

    def _Assign(self, t: Node) -> None:
        self._valued(''.join(self._target(target) + ' = ' for target in t.targets), t.value)

    def _AugAssign(self, t: Node) -> None:
        operator = self.binop[type(t.op).__name__]
        self._valued(f'{self.expressions.one_line(t.target)} {operator}= ', t.value)

    def _AnnAssign(self, t: Node) -> None:
        target = self.expressions.one_line(t.target)
        if isinstance(t.target, gast.Name) and not t.simple:
            target = f'({target})'
        annotation = self.expressions.one_line(t.annotation)
        if t.value is None:
            self.write(f'{target}: {annotation}')
        else:
            self._valued(f'{target}: {annotation} = ', t.value)

    def _TypeAlias(self, t: Node) -> None:
        value = self.expressions.one_line(t.value)
        self.write(f'type {t.name.id}{self._type_parameters(t)} = {value}')

    def _target(self, target: Node) -> str:
        text = self.expressions.bare(target)
        if self._fits(text) or not isinstance(target, gast.Tuple):
            return text
        return self._tuple('(', target)

    def _valued(self, head: str, value: Node) -> None:
        """Write a statement that ends in a value; if it is too long, break it there."""
        text = head + self.expressions.bare(value)
        if self._fits(text):
            self.write(text)
        elif isinstance(value, gast.Call) and (value.args or value.keywords):
            function = self.expressions.one_line(gast.Call(value.func, [], []))
            arguments = self.expressions.arguments(value)
            self.write(self._filled(head + function.removesuffix(')'), arguments))
        elif isinstance(value, gast.Tuple) and value.elts:
            self.write(self._tuple(head + '(', value))
        else:
            self.write(text)

    def _tuple(self, head: str, value: Node) -> str:
        items = [self.expressions.one_line(item) for item in value.elts]
        return self._filled(head, items, ')' if len(items) > 1 else ',)')

    def _fits(self, text: str) -> bool:
        """Whether a text, or the last line of one that is broken, is short enough."""
        return len((self.page.indent + text).rpartition('\n')[2]) <= self.width

    def _filled(
        self, head: str, pieces: Iterable[str], close: str = ')', depth: int = 1
    ) -> str:
        """Some pieces after an opening bracket, on as few lines as they need."""
        indent = self.page.indent + INDENT * depth
        *most, last = pieces
        lines: list[str] = []
        for piece in *(piece + ',' for piece in most), last + close:
            if lines and len(lines[-1]) + 1 + len(piece) <= self.width:
                lines[-1] += ' ' + piece
            else:
                lines.append(indent + piece)
        return '\n'.join([head, *lines])

    # compound statements

    def _compound(self, statement: Node, head: str) -> None:
        """Print the head and the body of a compound statement."""
        self._body(statement.body, self._head(statement, head))

    def _head(self, statement: Node, text: str) -> LogicalLine | None:
        self._put(statement, self.originals.head(statement, text), lambda: text)
        return self.page.logical_line(statement)

    def _body(self, statements: list[Node], head: LogicalLine | None) -> None:
        self.page.enter()
        self.block(statements, head)
        self.page.leave()

    def _mark_docstring(self, owner: Node) -> None:
        """Have the first statement printed as a docstring, if it is one."""
        if gast.get_docstring(owner, clean=False) is not None:
            self._docstring = owner.body[0]

    def _clause(self, keyword: str, statement: Node, field: str) -> None:
        """Print an `else` or a `finally`, if there is one."""
        body = getattr(statement, field)
        if not body:
            return
        line = self._clause_line(keyword, getattr(self.originals.at(statement), field, None))
        self.page.put(line, [f'{keyword}:'], [None if line is None else line.start])
        self._body(body, line)
        if line is not None:
            self.page.close(line)

    def _clause_line(self, keyword: str, old: list[ast.stmt] | None) -> LogicalLine | None:
        if self.source is None or not old:
            return None
        return self.source.piece(old[0].lineno).clause(keyword, old)

    def _If(self, t: Node) -> None:
        keyword = 'if'
        while True:
            self._compound(t, f'{keyword} {self.expressions.one_line(t.test)}:')
            if not self._goes_on(t):
                break
            keyword, t = 'elif', t.orelse[0]
        self._clause('else', t, 'orelse')

    def _goes_on(self, t: Node) -> bool:
        """Whether an `if` goes on with an `elif`, and not with an `else` that has an `if` in it."""
        if len(t.orelse) != 1 or not isinstance(t.orelse[0], gast.If):
            return False
        old, inner = self.originals.at(t), self.originals.at(t.orelse[0])
        if self.source is None or old is None or inner is None or inner not in old.orelse:
            return True
        line: str = self.source.lines[inner.lineno - 1]
        return line.lstrip().startswith('elif')

    def _While(self, t: Node) -> None:
        self._compound(t, f'while {self.expressions.one_line(t.test)}:')
        self._clause('else', t, 'orelse')

    def _For(self, t: Node, prefix: str = '') -> None:
        target, iterable = self.expressions.bare(t.target), self.expressions.bare(t.iter)
        self._compound(t, f'{prefix}for {target} in {iterable}:')
        self._clause('else', t, 'orelse')

    def _AsyncFor(self, t: Node) -> None:
        self._For(t, 'async ')

    def _With(self, t: Node, prefix: str = '') -> None:
        items = []
        for item in t.items:
            text = self.expressions.one_line(item.context_expr)
            if item.optional_vars is not None:
                text += f' as {self.expressions.one_line(item.optional_vars)}'
            items.append(text)
        self._compound(t, f'{prefix}with {", ".join(items)}:')

    def _AsyncWith(self, t: Node) -> None:
        self._With(t, 'async ')

    def _Try(self, t: Node, star: str = '') -> None:
        self._compound(t, 'try:')
        for handler in t.handlers:
            kind = '' if handler.type is None else ' ' + self.expressions.one_line(handler.type)
            name = '' if handler.name is None else f' as {handler.name.id}'
            self._compound(handler, f'except{star}{kind}{name}:')
        self._clause('else', t, 'orelse')
        self._clause('finally', t, 'finalbody')

    def _TryStar(self, t: Node) -> None:
        self._Try(t, '*')

    def _Match(self, t: Node) -> None:
        self._head(t, f'match {self.expressions.bare(t.subject)}:')
        self.page.enter()
        for case in t.cases:
            pattern = self.expressions.one_line(case.pattern)
            guard = '' if case.guard is None else f' if {self.expressions.one_line(case.guard)}'
            line = self.page.logical_line(case.pattern)
            number = getattr(case.pattern, 'lineno', None)
            self.page.put(line, [f'case {pattern}{guard}:'], [number])
            self._body(case.body, line)
            if line is not None:
                self.page.close(line)
        self.page.leave()

    def _FunctionDef(self, t: Node, prefix: str = '') -> None:
        self._decorators(t)
        returns = '' if t.returns is None else f' -> {self.expressions.one_line(t.returns)}'
        head = f'{prefix}def {t.name}{self._type_parameters(t)}('
        parameters = self.expressions.parameters(t.args)
        text = f'{head}{", ".join(parameters)}){returns}:'
        if parameters and not self._fits(text):
            text = self._filled(head, parameters, f'){returns}:', depth=2)
        self._mark_docstring(t)
        self._compound(t, text)

    def _AsyncFunctionDef(self, t: Node) -> None:
        self._FunctionDef(t, 'async ')

    def _ClassDef(self, t: Node) -> None:
        self._decorators(t)
        bases = self.expressions.arguments(gast.Call(None, t.bases, t.keywords))
        text = f'({", ".join(bases)})' if bases else ''
        self._mark_docstring(t)
        self._compound(t, f'class {t.name}{self._type_parameters(t)}{text}:')

    def _decorators(self, t: Node) -> None:
        for decorator in t.decorator_list:
            text = self.expressions.one_line(decorator)
            line = self.page.logical_line(decorator)
            self.page.put(line, [f'@{text}'], [getattr(decorator, 'lineno', None)])

    def _type_parameters(self, t: Node) -> str:
        parameters = getattr(t, 'type_params', None)
        if not parameters:
            return ''
        return f'[{", ".join(ast.unparse(gast.gast_to_ast(item)) for item in parameters)}]'

    # layout

    def _put(self, node: Node, written: Written | None, code: Callable[[], str]) -> None:
        """Print a statement or a head: as the user wrote it, if that is known, or the code.

        What the user wrote on several lines though it fits on one is printed on one.
        """
        line = self.page.logical_line(node)
        texts = code().split('\n') if written is None or len(written.lines) > 1 else []
        if written is not None and self._keeps_lines(written, texts) and (
            not written.logical.inside or self.page.claim(line, 'inside')
        ):
            self.page.put(line, written.indented(self.page.indent), written.numbers)
        else:
            self.page.put(line, texts, [getattr(node, 'lineno', None)] * len(texts))

    def _keeps_lines(self, written: Written, texts: list[str]) -> bool:
        """Whether a statement stays on the lines that the user wrote, or does not fit on one."""
        return written.is_long or len(texts) != 1 or not self._fits(texts[0])
