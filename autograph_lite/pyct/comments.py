"""Comments and blank lines of a source text, by the logical line that they belong to.

A logical line is one that Python would call a statement, or the head of one: it may span several
lines of the file. Comments and blank lines in front of it lead it. A comment behind it trails it,
and one between its brackets is inside it. A comment that is indented deeper than the next logical
line ends the block that it is indented like, and comes after the last logical line there.
"""
from __future__ import annotations

import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

CLAUSES = frozenset(('elif', 'else', 'except', 'finally'))  # these go on with a statement

Remark = tuple[int, str]  # a line number and a comment, or '' for a blank line


@dataclass
class LogicalLine:
    """One logical line, with all comments that belong to it. Lines count from 1."""

    start: int
    end: int
    indent: int
    keyword: str
    leading: tuple[Remark, ...] = ()
    trailing: str = ''  # with the space in front of it
    inside: tuple[Remark, ...] = ()
    after: tuple[Remark, ...] = ()
    in_string: frozenset[int] = frozenset()  # lines that begin within a string

    @property
    def comments(self) -> tuple[str, ...]:
        """All comments that belong to the line, in their order."""
        remarks = (*self.leading, *self.inside, (self.end, self.trailing.strip()), *self.after)
        return tuple(text for _, text in remarks if text)


@dataclass
class _Open:
    """A logical line while its tokens are read."""

    start: int
    indent: int
    keyword: str
    comments: list[Remark] = field(default_factory=list)
    in_string: set[int] = field(default_factory=set)


def logical_lines(lines: Sequence[str], first: int) -> tuple[LogicalLine, ...]:
    """The logical lines of some lines of a file, the first of which has the given number.

    They are to be whole statements; of anything else, nothing is known.
    """
    try:
        found, own_line = _read(lines, first)
    except (tokenize.TokenError, SyntaxError):
        return ()
    _attach(found, own_line, lines, first)
    return tuple(found)


def _read(lines: Sequence[str], first: int) -> tuple[list[LogicalLine], dict[int, int]]:
    """The logical lines, and the columns of the comments between them by line."""
    found: list[LogicalLine] = []
    own_line: dict[int, int] = {}
    current: _Open | None = None
    f_strings: list[int] = []
    for token in tokenize.generate_tokens((line + '\n' for line in lines).__next__):
        kind = tokenize.tok_name[token.type]
        row, last = token.start[0] + first - 1, token.end[0] + first - 1
        if kind in ('INDENT', 'DEDENT', 'NL', 'ENDMARKER'):
            continue
        if kind == 'COMMENT' and current is None:
            own_line[row] = _column(token.line[:token.start[1]])
        elif kind == 'COMMENT' and current is not None:
            current.comments.append((row, token.string))
        elif kind == 'NEWLINE' and current is not None:
            found.append(_closed(current, row, lines[row - first]))
            current = None
        else:
            if current is None:
                indent = _column(token.line[:token.start[1]])
                current = _Open(row, indent, token.string)
            if kind == 'FSTRING_START':
                f_strings.append(row)
            begin = f_strings.pop() if kind == 'FSTRING_END' else row
            if kind in ('STRING', 'FSTRING_END'):
                current.in_string.update(range(begin + 1, last + 1))
    return found, own_line


def _column(indentation: str) -> int:
    return len(indentation.replace('\f', '').expandtabs(8))


def _closed(line: _Open, end: int, text: str) -> LogicalLine:
    trailing = ''
    if line.comments and line.comments[-1][0] == end:
        comment = line.comments.pop()[1]
        before = text.rstrip()[:-len(comment)]
        trailing = before[len(before.rstrip()):] + comment
    return LogicalLine(
        line.start, end, line.indent, line.keyword,
        trailing=trailing, inside=tuple(line.comments), in_string=frozenset(line.in_string))


def _attach(
    found: list[LogicalLine], own_line: dict[int, int], lines: Sequence[str], first: int
) -> None:
    """Give the comments and blank lines between logical lines to the one they belong to."""
    blocks: list[LogicalLine] = []  # the last statement of every open block, from the outermost
    previous = first - 1
    for line in found:
        remarks = list(_remarks(range(previous + 1, line.start), lines, first))
        line.leading = _after(blocks, remarks, own_line, line.indent)
        while blocks and blocks[-1].indent > line.indent:
            blocks.pop()
        if blocks and blocks[-1].indent == line.indent:
            opener = blocks.pop()
            blocks.append(opener if line.keyword in CLAUSES else line)
        else:
            blocks.append(line)
        previous = line.end
    remarks = list(_remarks(range(previous + 1, first + len(lines)), lines, first))
    _after(blocks, remarks, own_line, -1)


def _remarks(numbers: range, lines: Sequence[str], first: int) -> Iterator[Remark]:
    for number in numbers:
        text = lines[number - first].strip()
        if not text or text.startswith('#'):
            yield number, text


def _after(
    blocks: list[LogicalLine], remarks: list[Remark], own_line: dict[int, int], indent: int
) -> tuple[Remark, ...]:
    """Hand out the comments that end a block; the rest leads what comes next at `indent`."""
    start = 0
    for index, (number, text) in enumerate(remarks):
        if not text:
            continue
        block = next(
            (line for line in reversed(blocks) if line.indent <= own_line.get(number, 0)), None)
        if block is None or block.indent <= indent:
            break
        block.after += tuple(remarks[start:index + 1])
        start = index + 1
    return tuple(remarks[start:])
