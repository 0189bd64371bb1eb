"""Functions whose statements a test replaces, and the text of what comes out."""
from __future__ import annotations

import textwrap

from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_statements
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import to_gast
from autograph_lite.pyct.unparser import Printed, unparse


def text(code: str) -> str:
    """Code as it stands in a test, at the margin."""
    return textwrap.dedent(code).strip('\n')


def generated(code: str, width: int = 88) -> str:
    """The text of a tree that is in no file."""
    return unparse(parse_statements(text(code)), width=width).text


class Function:
    """A function in a file, some statements of which are replaced."""

    def __init__(self, code: str) -> None:
        self.source = Source(text(code) + '\n', 'file.py')
        self.tree = to_gast(self.source.tree).body[0]

    def replace(self, index: int, new: str) -> Function:
        """Put statements of which the text is given in the place of another."""
        self.tree.body[index:index + 1] = located(
            parse_statements(text(new)), self.tree.body[index])
        return self

    def printed(self, width: int = 88) -> Printed:
        """What is printed for the function."""
        return unparse(self.tree, self.source, width)

    @property
    def text(self) -> str:
        """The text that is printed for the function."""
        return self.printed().text
