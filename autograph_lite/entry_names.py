"""Small trees for entries, and the names in them that stand for objects."""
from __future__ import annotations

import ast
from typing import Any

from .signatures import Identity, leaf_key


class Names:
    """What the code of an entry names; a name that begins with a dot is none of the user's."""

    def __init__(self) -> None:
        used = {'type': type, 'len': len, 'tuple': tuple, 'key_of': leaf_key}
        self.values: dict[str, Any] = {f'.{name}': value for name, value in used.items()}

    def fresh(self, wish: str) -> str:
        """A name that nothing else has."""
        name = f'.{wish}_{len(self.values)}'
        self.values[name] = None
        return name

    def bind(self, wish: str, value: Any) -> ast.expr:
        """A name for an object."""
        found = self.fresh(wish)
        self.values[found] = value
        return name(found)

    def call(self, wish: str, function: Any, *args: ast.expr) -> ast.expr:
        """A call of a function."""
        return ast.Call(self.bind(wish, function), list(args), [])

    def has_type(self, value: ast.expr, kind: type[Any]) -> ast.expr:
        """`type(value) is kind`."""
        return compare(ast.Call(name('.type'), [value], []), ast.Is(), self.bind('kind', kind))

    def is_held(self, value: ast.expr, identity: Identity) -> ast.expr:
        """`value is held() is not None`: nothing is an object that is gone."""
        held = self.call('held', identity.value)
        return ast.Compare(value, [ast.Is(), ast.IsNot()], [held, ast.Constant(None)])


def name(name: str) -> ast.expr:
    """A name that is read."""
    return ast.Name(name, ast.Load())


def attribute(value: ast.expr, name: str) -> ast.expr:
    """`value.name`."""
    return ast.Attribute(value, name, ast.Load())


def compare(left: ast.expr, operator: ast.cmpop, right: Any) -> ast.expr:
    """`left operator right`."""
    right = right if isinstance(right, ast.expr) else ast.Constant(right)
    return ast.Compare(left, [operator], [right])


def both(tests: list[ast.expr]) -> ast.expr:
    """All of the tests."""
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
