"""Python 3.10 keeps no columns: an instruction of a line is found among its expressions by number.

The second instruction that takes an item is that of the second expression that does, in the order
in which Python evaluates them.
"""
from __future__ import annotations

import ast
import dis
from collections.abc import Iterator
from types import CodeType

_OF_THEIR_OWN = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def expression_at(code: CodeType, instruction: int, text: str) -> str:
    """The expression that an instruction evaluates, as `ast.unparse` writes it; '' if not known.

    Args:
      code: the code that it is of.
      instruction: where it stands there.
      text: its line.
    """
    found = [each for each in _of_line(code, instruction) if _kind(each) is not None]
    here = next((each for each in found if each.offset == instruction), None)
    statement = _parsed(text)
    if here is None or statement is None:
        return ''
    alike = [each.offset for each in found if _kind(each) is _kind(here)]
    nodes = [node for node in _evaluated(statement) if type(node) is _kind(here)]
    # The test of a `while` loop is compiled twice.
    if not nodes or len(alike) % len(nodes):
        return ''
    return ast.unparse(nodes[alike.index(instruction) % len(nodes)])


def _of_line(code: CodeType, instruction: int) -> list[dis.Instruction]:
    lines: dict[int | None, list[dis.Instruction]] = {}
    line, at = None, None
    for each in dis.get_instructions(code):
        line = each.starts_line or line
        lines.setdefault(line, []).append(each)
        at = line if each.offset == instruction else at
    return lines.get(at, [])


def _kind(instruction: dis.Instruction) -> type[ast.expr] | None:
    """The expressions that an instruction evaluates."""
    name = instruction.opname
    if name == 'BINARY_SUBSCR':
        return ast.Subscript
    kinds = {'CALL': ast.Call, 'BINARY': ast.BinOp, 'UNARY': ast.UnaryOp, 'COMPARE': ast.Compare}
    return kinds.get(name.partition('_')[0])


def _parsed(text: str) -> ast.stmt | None:
    """The statement that a line is, or begins with."""
    text = text.strip()
    text = text[2:] if text.startswith('elif ') else text
    try:
        statement = ast.parse(f'{text} pass' if text.endswith(':') else text).body[0]
    except SyntaxError:
        return None
    is_known = not any(isinstance(node, _OF_THEIR_OWN) for node in ast.walk(statement))
    return statement if is_known else None


def _evaluated(node: ast.AST) -> Iterator[ast.AST]:
    """The expressions in the order in which Python evaluates them."""
    parts = list(ast.iter_child_nodes(node))
    for part in reversed(parts) if isinstance(node, ast.Assign) else parts:
        yield from _evaluated(part)
    yield node
