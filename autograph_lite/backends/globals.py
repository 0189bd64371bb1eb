"""The global names of a program: objects, and what is made once for all calls."""
from __future__ import annotations

import ast
from typing import Any

from ..graph.graph import Node
from .expressions import Binder, assignment, is_writable, name
from .names import Names


class Globals:
    """Gives names to what stands outside the function.

    Args:
      names: the names of one function.
      outer: what has the names of the function that calls it, if there is one.

    Attributes:
      constants: the objects that the program names.
      made: assignments that stand before the function.
    """

    def __init__(self, names: Names, outer: Globals | None = None) -> None:
        self._names = names
        self._bound: dict[Any, str] = {} if outer is None else outer._bound
        self.constants: dict[str, Any] = {} if outer is None else outer.constants
        self.made: list[ast.stmt] = [] if outer is None else outer.made

    def all(self) -> list[str]:
        """Every name."""
        return list(self._bound.values())

    def bind(self, value: Any, wish: str) -> str:
        """A name for an object."""
        if id(value) not in self._bound:
            wish = 'const_0' if wish.startswith('constant') else wish
            variable = self._names.fresh_global(wish)
            self._bound[id(value)] = variable
            self.constants[variable] = value
        return self._bound[id(value)]

    def bind_tree(self, tree: ast.expr, wish: str = 'const_0', kind: str = '') -> str:
        """A name for what is always the same, so that a loop does not make it each turn.

        Args:
          tree: what makes it.
          wish: what to call it.
          kind: what to put behind the name if it is taken.
        """
        text = ast.unparse(tree)
        if text not in self._bound:
            wish = self._names.free(wish, kind) if kind else wish
            self._bound[text] = self._names.fresh_global(wish)
            self.made.append(assignment([self._bound[text]], tree))
        return self._bound[text]

    def bind_methods(self, tree: ast.expr) -> ast.expr:
        """`add_reduce(x)` for `np.add.reduce(x)`, so that a loop does not look it up each turn."""
        match tree:
            case ast.Call(ast.Attribute(ast.Attribute(ast.Name('np'), ufunc), method)):
                function = name(self.bind_tree(tree.func, f'{ufunc}_{method}'))
                return ast.Call(function, tree.args, tree.keywords)
        return tree

    def bind_objects(self, tree: Any, node: Node) -> Any:
        """Names every object that an op put into its tree as a constant."""
        for inner in ast.walk(tree):
            if isinstance(inner, ast.Constant) and not is_writable(inner.value):
                return Binder(self.bind, node.op.name).visit(tree)
        return tree
