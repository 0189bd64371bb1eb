"""Which of the user's lines gave a variable its value, and which lines leave a block.

What a constant, another name or a jump becomes is no operation, so no node knows its line. The
user's text tells it: what a name may stand for where a block begins, where it ends, where it is
used.
"""
from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import gast

from ..analysis.cfg import build
from ..analysis.qualnames import QualName, qualname_of, root_node
from ..analysis.reaching import Definition, Source, reaching_definitions
from ..pyct.deep import deeply
from ..pyct.tree import Node
from .statements import statement_starts

# Where an expression begins and ends: the line, and in it the column in characters.
Position = tuple[int, int]
Span = tuple[Position, Position]

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_LOOPS = (gast.For, gast.While)
_JUMPS = (gast.Break, gast.Continue, gast.Return)


class Bindings:
    """What is bound where in one file; all places are numbers of lines.

    Attributes:
      filename: the file.
    """

    def __init__(self, filename: str) -> None:
        self.filename = filename
        self._lines = linecache.getlines(filename)
        try:
            tree = deeply(gast.parse, ''.join(self._lines))
        except SyntaxError:  # such as a cell with magics
            tree = gast.Module([], [])
        self._around: dict[Node, Node] = {}
        self._heads: dict[int, Node] = {}
        for node in gast.walk(tree):
            self._around.update(dict.fromkeys(gast.iter_child_nodes(node), node))
            if isinstance(node, gast.stmt | gast.match_case):
                self._heads.setdefault(_first(node), node)
        self._starts = statement_starts(filename)
        self._definitions = cache(lambda function: reaching_definitions(build(function)))

    def start(self, line: int) -> int:
        """The first line of the statement that a line belongs to."""
        return self._starts.get(line, line)

    def before(self, line: int, name: str) -> list[int]:
        """The lines that may have bound a name before the statement of a line."""
        statement = self._heads.get(line)
        return [] if statement is None else self._found(statement, name, after=False)

    def handed(self, line: int, role: str, name: str) -> list[int]:
        """The lines of a block that may have bound what a name is where the block ends."""
        block = self._block(line, role)
        if not block:
            return []
        jumps = isinstance(block[-1], _JUMPS)
        first, last = _first(block[0]), block[-1].end_lineno
        found = self._found(block[-1], name, after=not jumps)
        return [number for number in found if first <= number <= last]

    def variable(self, line: int, name: str) -> str:
        """The variable of the user's that goes by a name, or a part of which does; '' if none."""
        statement = self._heads.get(line)
        while statement is not None and name:
            if self._reaching(statement, name, after=False):
                return name
            name = name.rpartition('_')[0]
        return ''

    def jumps(self, line: int, role: str) -> list[int]:
        """The lines of a block that leave it."""
        return [_first(jump) for jump in _jumps(self._block(line, role))]

    def returns(self, line: int) -> list[int]:
        """The lines that return from the function that begins at a line."""
        return _returns(self._heads.get(line))

    def otherwise(self, line: int) -> list[int]:
        """Where the loop of a line may return, the line after it that returns a constant if not."""
        loop = self._heads.get(line)
        following = self._following(loop)[:1] if isinstance(loop, _LOOPS) else ()
        match list(following):
            case [gast.Return(value=gast.Constant() | gast.UnaryOp()) as last]:
                return [_first(last)] if _returns(loop) else []
        return []

    def goes_on(self, line: int) -> list[int]:
        """The lines by which a way of the statement of a line goes on with the loop around."""
        match self._heads.get(line):
            case gast.If(body=body, orelse=orelse):
                ways = [*body, *orelse]
            case gast.For(orelse=orelse) | gast.While(orelse=orelse):
                ways = orelse
            case _:
                return []
        return [_first(jump) for jump in ways if isinstance(jump, gast.Continue)]

    def leaves(self, line: int) -> list[int]:
        """The lines by which the choice of a line leaves the loop around."""
        return self.jumps(line, 'true') if isinstance(self._heads.get(line), gast.If) else []

    def definition(self, line: int) -> int:
        """The line of the `def` of a function that begins at a line, perhaps with a decorator."""
        for node in self._heads.values():
            decorators = getattr(node, 'decorator_list', ())
            if isinstance(node, _FUNCTIONS) and line in (d.lineno for d in decorators):
                return int(node.lineno)
        return line

    def jumping(self) -> Iterator[tuple[int, int]]:
        """The lines that jump, each with that of the statement around it."""
        for line, node in self._heads.items():
            around = self._around.get(node)
            if isinstance(node, _JUMPS) and isinstance(around, gast.stmt | gast.match_case):
                yield line, _first(around)

    def loop(self, line: int, other: int) -> int:
        """The line of the innermost loop with both lines, its own included; 0 if there is none."""
        return max((
            first for first, node in self._heads.items()
            if isinstance(node, _LOOPS) and first <= min(line, other)
            and max(line, other) <= node.end_lineno
        ), default=0)

    def subject(self, line: int) -> list[int]:
        """The line of the `match` that a `case` belongs to."""
        case = self._heads.get(line)
        return [self._around[case].lineno] if isinstance(case, gast.match_case) else []

    def extent(self, line: int) -> range:
        """The lines that the statement of a line decides about."""
        match self._heads.get(line):
            case gast.match_case() as case:
                cases = self._around[case].cases
                return range(_first(case) + 1, cases[-1].body[-1].end_lineno + 1)
            case gast.If() | gast.For() | gast.While() | gast.Try() as statement:
                rest = self._rest(statement) if isinstance(statement, gast.If) else ()
                last = rest[-1] if rest else statement
                return range(_first(statement.body[0]), last.end_lineno + 1)
        return range(0)

    def used(
        self, line: int, span: Span | None, inner: Iterable[Span]
    ) -> Iterator[tuple[str, list[int]]]:
        """For each name in an expression, but not in inner ones, what lines may have bound it."""
        statement = self._heads.get(line)
        if statement is None or isinstance(statement, gast.match_case):
            return
        others = [other for other in inner if other != span]
        for part in _places_read(statement):
            at = self._span(root_node(part))
            if span is not None and not _within(at, span):
                continue
            if not any(_within(at, other) and (span is None or _within(other, span))
                       for other in others):
                place = str(qualname_of(part))
                yield place, self._found(statement, place, after=False)

    def is_whole(self, line: int, span: Span) -> bool:
        """Whether that is all of an expression of the statement of a line, not its first line."""
        statement = self._heads.get(line)
        return statement is None or any(
            self._span(part) == span for part in _expressions(statement)
            if (part.lineno, part.end_lineno) == (span[0][0], span[1][0])
        )

    def _span(self, node: Node) -> Span:
        """Python counts bytes."""
        return self._position(node.lineno, node.col_offset), self._position(
            node.end_lineno, node.end_col_offset)

    def _position(self, line: int, column: int) -> Position:
        return line, len(self._lines[line - 1].encode()[:column].decode(errors='ignore'))

    def _found(self, statement: Node, name: str, after: bool) -> list[int]:
        found = self._reaching(statement, name, after)
        return [self._line(each.node) for each in found if each.source is Source.BINDING]

    def _line(self, node: Node) -> int:
        """The line of a node, or of what is around one without, such as the name of a handler."""
        while not hasattr(node, 'lineno'):
            node = self._around[node]
        return int(node.lineno)

    def _reaching(self, statement: Node, name: str, after: bool) -> Sequence[Definition]:
        function = self._function(statement)
        if function is None:
            return ()
        known = self._definitions(function)
        try:
            return (known.after if after else known.before)(statement, _place(name))
        except KeyError:  # what never runs
            return ()

    def _function(self, node: Node) -> Node | None:
        while node is not None and not isinstance(node, _FUNCTIONS):
            node = self._around.get(node)
        return node

    def _block(self, line: int, role: str) -> Sequence[Node]:
        """The statements that run in one role of the statement of a line."""
        block: Sequence[Node] = ()
        statement = self._heads.get(line)
        around = self._around.get(statement)
        if isinstance(around, _LOOPS) and around.orelse[:1] == [statement]:
            statement = around  # whether its `else` runs is decided where that begins
        match statement, role:
            case (gast.If(body=body) | gast.match_case(body=body), 'true'):
                block = body
            case (gast.For(body=body) | gast.While(body=body), 'body'):
                block = body
            case (gast.If() as choice, 'false'):
                block = choice.orelse or self._rest(choice)
            case (gast.For(orelse=orelse) | gast.While(orelse=orelse), 'true'):
                block = orelse
            case (gast.For() | gast.While() as loop, 'false'):
                block = self._following(loop)
            case (gast.Try(body=body, orelse=orelse), 'try'):
                block = [*body, *orelse]
            case (gast.Try(handlers=[handler]), 'except'):
                block = handler.body
            case (gast.match_case() as case, 'false'):
                cases = self._around[case].cases
                following = cases[cases.index(case) + 1 :]
                block = following[0].body if following else ()
        return block

    def _rest(self, choice: Node) -> Sequence[Node]:
        """What follows a choice that leaves its block: its other way."""
        around = self._around[choice]
        if not list(_jumps(choice.body)):
            return []
        if isinstance(around, gast.If) and around.orelse == [choice]:
            return self._rest(around)
        return self._following(choice)

    def _following(self, statement: Node) -> Sequence[Node]:
        """What stands after a statement in its block."""
        for name in ('body', 'orelse', 'finalbody'):
            block = getattr(self._around[statement], name, None)
            if isinstance(block, list) and statement in block:
                return block[block.index(statement) + 1 :]
        return ()


@cache
def _place(name: str) -> QualName:
    """`x`, or `self.x` and the like."""
    try:
        return qualname_of(gast.parse(name, mode='eval').body) or QualName(name)
    except SyntaxError:  # a name of ours, such as `or`
        return QualName(name)


def _first(node: Node) -> int:
    """The first line; that of a function is its `def`, that of a case its pattern's."""
    if isinstance(node, gast.match_case):
        return int(node.pattern.lineno)
    return int(node.lineno)


def _jumps(block: Iterable[Node]) -> Iterator[Node]:
    """The jumps out of a block, but for those within loops and functions of its own."""
    for node in block:
        if isinstance(node, _JUMPS):
            yield node
        elif isinstance(node, _LOOPS):
            inner = _jumps([*node.body, *node.orelse])
            yield from (jump for jump in inner if isinstance(jump, gast.Return))
        elif not isinstance(node, (*_FUNCTIONS, gast.ClassDef)):
            yield from _jumps(
                child for child in gast.iter_child_nodes(node)
                if isinstance(child, gast.stmt | gast.match_case | gast.ExceptHandler))


def _returns(node: Node | None) -> list[int]:
    """The lines in a function, or a loop, that return from it."""
    body = getattr(node, 'body', None)
    found = _jumps(body) if isinstance(body, list) else ()
    return [_first(jump) for jump in found if isinstance(jump, gast.Return)]


def _own_parts(statement: Node) -> list[Node]:
    """The parts of a statement, without its blocks."""
    return [
        child for name, field in gast.iter_fields(statement)
        if name not in ('body', 'orelse', 'handlers', 'finalbody', 'cases')
        for child in (field if isinstance(field, list) else [field])
        if isinstance(child, gast.AST)
    ]


def _expressions(statement: Node) -> Iterator[Node]:
    for part in _own_parts(statement):
        yield from (node for node in gast.walk(part) if isinstance(node, gast.expr))


def _places_read(statement: Node) -> Iterator[Node]:
    """The names and places that a statement itself reads, without its blocks."""
    pending = _own_parts(statement)
    while pending:
        node = pending.pop(0)
        place = qualname_of(node) if isinstance(node, gast.expr) else None
        if place is not None:
            if not isinstance(node.ctx, gast.Store) or isinstance(statement, gast.AugAssign):
                yield node
        elif not isinstance(node, gast.Lambda):
            pending += gast.iter_child_nodes(node)


def _within(inner: Span, outer: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]
