"""Generated code that is too long for a line: broken after opening brackets and commas."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import gast

from autograph_lite.pyct.expressions import Expressions
from autograph_lite.pyct.page import INDENT
from autograph_lite.pyct.tree import LOAD, Node, has_more_nodes, walk


class Piece(NamedTuple):
    """Something between two commas: a text, and the expression that follows it, if one does."""

    text: str
    node: Node = None


class Breaking:
    """Breaks what does not fit into a width."""

    def __init__(self, expressions: Expressions, width: int) -> None:
        self._expressions = expressions
        self._width = width

    def fits(self, text: str) -> bool:
        """Whether a text, or the last line of one that is broken, is short enough."""
        return len(text.rpartition('\n')[2]) <= self._width

    def value(self, indent: str, head: str, value: Node) -> str:
        """A head and the value that it ends in, without the indentation of the first line."""
        text = head + self._expressions.bare(value)
        opened = None if self.fits(indent + text) else self._opened(value)
        if opened is None:
            return text
        start, pieces, end = opened
        return self.filled(head + start, pieces, end, indent + INDENT)

    def _may_fit(self, piece: Piece) -> bool:
        """Whether a piece may be short enough, as far as a look at so many of its nodes tells."""
        return piece.node is None or not has_more_nodes(piece.node, self._width)

    def filled(self, head: str, pieces: Sequence[Piece], close: str, indent: str) -> str:
        """Some pieces after an opening bracket, on as few lines as they need."""
        lines = [head]
        goes_on = False
        if self._leads(pieces, close, indent):
            lines.append(f'{indent}{self._text(pieces[0])},')
            pieces = pieces[1:]
        for number, piece in enumerate(pieces):
            end = ',' if number + 1 < len(pieces) else close
            if not self._may_fit(piece):
                lines.append(indent + self._broken(piece, end, indent))
                goes_on = False
                continue
            text = self._text(piece) + end
            if goes_on and self.fits(f'{lines[-1]} {text}'):
                lines[-1] += ' ' + text
                continue
            goes_on = self.fits(indent + text)
            lines.append(indent + (text if goes_on else self._broken(piece, end, indent)))
        return '\n'.join(lines)

    def _leads(self, pieces: Sequence[Piece], close: str, indent: str) -> bool:
        """Whether the first piece stands alone, so that what follows it stays on one line.

        That is so in calls that are given functions.
        """
        if len(pieces) < 2 or any(
            piece.text or not self._may_fit(piece) for piece in pieces
        ) or not any(
            isinstance(part, gast.Lambda) for piece in pieces for part in walk(piece.node)
        ):
            return False
        first, *rest = map(self._text, pieces)
        below = indent + ', '.join(rest) + close
        return self.fits(f'{indent}{first},') and self.fits(below) and not self.fits(
            f'{indent}{first}, {below.lstrip()}')

    def _text(self, piece: Piece) -> str:
        return piece.text + ('' if piece.node is None else self._expressions.one_line(piece.node))

    def _broken(self, piece: Piece, end: str, indent: str) -> str:
        """A piece that is too long, and what follows it, broken inside."""
        text, node = piece
        if isinstance(node, gast.Lambda):
            # Where the user wrote it in another way, it stays so.
            head = self._expressions.head(node)
            text, node = text + (head or ''), None if head is None else node.body
        opened = None if node is None else self._opened(node)
        if opened is None:
            return self._text(piece) + end
        start, pieces, close = opened
        return self.filled(text + start, pieces, close + end, indent + INDENT)

    def _opened(self, node: Node) -> tuple[str, list[Piece], str] | None:
        """What is before the opening bracket, between it and the closing one, and that one."""
        match node:
            case gast.Call(args=args, keywords=keywords) if args or keywords:
                function = self._expressions.one_line(gast.Call(node.func, [], []))
                named = [
                    Piece(f'{each.arg}=' if each.arg else '**', each.value) for each in keywords]
                return function.removesuffix(')'), [*_pieces(args), *named], ')'
            case gast.Tuple(elts=[_, *_] as elements):
                return '(', _pieces(elements), ')' if len(elements) > 1 else ',)'
            case gast.List(elts=[_, *_] as elements):
                return '[', _pieces(elements), ']'
            case gast.Set(elts=elements):
                return '{', _pieces(elements), '}'
            case gast.Dict(keys=[_, *_] as keys, values=values):
                return '{', list(map(self._item, keys, values)), '}'
            case gast.Starred(value=value):
                opened = self._opened(value)
                return opened and (f'*{opened[0]}', *opened[1:])
        return None

    def _item(self, key: Node, value: Node) -> Piece:
        if key is None:  # needs parentheses where a value with one star does, unlike in a call
            return Piece('*', gast.Starred(value, LOAD))
        return Piece(f'{self._expressions.one_line(key)}: ', value)


def _pieces(nodes: Sequence[Node]) -> list[Piece]:
    return [Piece('', node) for node in nodes]
