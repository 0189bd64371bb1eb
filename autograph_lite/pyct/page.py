"""The lines that are printed, and the comments on their way to them."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from autograph_lite.pyct.comments import CLAUSES, LogicalLine, Remark
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import Node

INDENT = '    '
Kind = Literal['leading', 'inside', 'trailing', 'after']


class Page:
    """Collects printed lines; prints every comment of the user's once.

    A comment goes with the first statement that is printed for its line. Those whose statement is
    not printed at all are put next to where it would be, when everything else is there.
    """

    def __init__(self, source: Source | None) -> None:
        self.text: list[str] = []
        self.lines: list[int | None] = []
        self.level = 0
        self._source = source
        self._printed: set[tuple[int, Kind]] = set()
        # Where in the text, and on what level, a logical line begins with its comments, is printed
        # first, and ends.
        self._begins: dict[int, tuple[int, int]] = {}
        self._heads: dict[int, tuple[int, int]] = {}
        self._ends: dict[int, tuple[int, int]] = {}
        self._at_start = True  # of a block
        self._wants_blank = False

    @property
    def indent(self) -> str:
        """The indentation of the current block."""
        return INDENT * self.level

    def logical_line(self, node: Node) -> LogicalLine | None:
        """The user's line that a statement comes from."""
        number = getattr(node, 'lineno', None)
        if self._source is None or number is None:
            return None
        return self._source.logical_line(number)

    def enter(self) -> None:
        """Begin a block."""
        self.level += 1
        self._at_start = True

    def leave(self) -> None:
        """End a block."""
        self.level -= 1

    def want_blank(self) -> None:
        """Have a blank line before what is printed next, unless it comes first on the page."""
        self._wants_blank = True

    def claim(self, line: LogicalLine | None, kind: Kind) -> bool:
        """Whether some comments of a line are still to be printed; from now on they are not."""
        if line is None or (line.start, kind) in self._printed:
            return False
        self._printed.add((line.start, kind))
        return True

    def put(
        self,
        line: LogicalLine | None,
        texts: Sequence[str],
        numbers: Sequence[int | None],
    ) -> None:
        """Print lines for a logical line, the first of them indented, with its comments."""
        if line is not None:
            self._begins.setdefault(line.start, (len(self.text), self.level))
        self._lead(list(self._take(line, 'leading')))
        if line is not None:
            self._heads.setdefault(line.start, (len(self.text), self.level))
        self.text += [self.indent + texts[0], *texts[1:]]
        self.lines += numbers
        for _, comment in self._take(line, 'trailing'):
            self.text[-1] += comment if comment.startswith((' ', '\t')) else '  ' + comment
        if line is not None:
            self._ends[line.start] = len(self.text), self.level

    def close(self, line: LogicalLine) -> None:
        """Print the comments that come after a statement in its block."""
        self._remarks(self._take(line, 'after'))
        self._ends[line.start] = len(self.text), self.level

    def _take(self, line: LogicalLine | None, kind: Kind) -> tuple[Remark, ...]:
        if line is None or not self.claim(line, kind):
            return ()
        if kind == 'trailing':
            return ((line.end, line.trailing),) if line.trailing else ()
        remarks: tuple[Remark, ...] = getattr(line, kind)
        return remarks

    def _lead(self, remarks: list[Remark]) -> None:
        if self._at_start:
            while remarks and not remarks[0][1]:
                del remarks[0]
        if self._wants_blank and self.text and not (remarks and not remarks[0][1]):
            self._remarks([(None, '')])
        self._at_start = self._wants_blank = False
        self._remarks(remarks)

    def _remarks(self, remarks: Iterable[tuple[int | None, str]]) -> None:
        for number, comment in remarks:
            self.text.append(self.indent + comment if comment else '')
            self.lines.append(number)

    def finish(self, lines: Sequence[LogicalLine]) -> None:
        """Print the comments of those lines that are not printed yet."""
        insertions: list[tuple[int, int, list[Remark]]] = []
        for index, line in enumerate(lines):
            kinds: tuple[Kind, ...] = ('leading', 'inside', 'trailing', 'after')
            remarks = [
                (number, text.strip())
                for kind in kinds for number, text in self._take(line, kind) if text]
            if remarks:
                place = self._heads.get(line.start) or self._nearest(lines, index)
                insertions.append((*place, remarks))
        insertions.sort(key=lambda insertion: insertion[0])
        for position, level, remarks in reversed(insertions):  # so that positions stay true
            self.text[position:position] = [INDENT * level + text for _, text in remarks]
            self.lines[position:position] = [number for number, _ in remarks]

    def _nearest(self, lines: Sequence[LogicalLine], index: int) -> tuple[int, int]:
        """Where comments of a line that was not printed go: index in the text, and level.

        Those of an `else` go before what its statement became. Others go before the next statement
        of the same block, else after the one before, else before what the block became part of.
        """
        indent, is_clause = lines[index].indent, lines[index].keyword in CLAUSES
        for line in () if is_clause else lines[index:]:
            if line.indent < indent:
                break
            if line.indent == indent and line.start in self._begins:
                return self._begins[line.start]
        for position in range(index - 1, -1, -1):
            line = lines[position]
            if line.indent == indent and line.start in self._ends and not is_clause:
                return self._ends[line.start]
            if line.indent < indent or (line.indent == indent and is_clause):
                return self._heads.get(line.start) or self._nearest(lines, position)
        return len(self.text), self.level
