"""Comprehensions that bind names by `:=`."""
from __future__ import annotations

from collections.abc import Callable

import gast

from autograph_lite.converters.build import assign, constant, load
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.comprehensions import surely_python
from autograph_lite.converters.context import Context
from autograph_lite.converters.named_expressions import named_expressions
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

# What takes all the elements of a generator expression before it does anything else.
_TAKE_ALL = frozenset({'list', 'max', 'min', 'set', 'sorted', 'sum', 'tuple'})
_FIRST_PARTS = {
    gast.Attribute: ('value',), gast.AugAssign: ('value',), gast.BinOp: ('left', 'right'),
    gast.BoolOp: ('values',), gast.Call: ('func', 'args'), gast.Compare: ('left', 'comparators'),
    gast.IfExp: ('test',), gast.List: ('elts',), gast.NamedExpr: ('value',),
    gast.Starred: ('value',), gast.Subscript: ('value',), gast.Tuple: ('elts',),
    gast.UnaryOp: ('operand',),
}  # fmt: skip
_SURELY_FIRST = (gast.BoolOp, gast.Compare)  # only the first operand is evaluated for certain


def named_comprehensions(tree: Node, context: Context) -> Node:
    """Turn comprehensions that bind names into loops before the statement that they stand in.

    A function that makes the elements could not bind the name around it; a loop can.

    >>> show(named_comprehensions, after='fence', text='''
    ... def f(xs):
    ...     ys = [y for x in xs if (y := x * 2) > 1]
    ...     if any((y := x) < 0 for x in xs):
    ...         return y
    ...     return ys
    ... ''')
    def f(xs):
        elements = []
        for x in xs:
            if (y := x * 2) > 1:
                elements.append(y)
        ys = elements
        found = False
        for x in xs:
            if (y := x) < 0:
                found = True
                break
        if found:
            return y
        return ys
    """
    if context.namespace.has(gast.NamedExpr):
        _Statements(tree, context).rewrite(tree)
        named_expressions(tree, context)  # the conditions are tests now
    return tree


class _Statements(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        inside = {part for node in walk(tree) if isinstance(node, _COMPREHENSIONS)
                  for part in _variables_of(node)}
        self._others = {_id(node) for node in walk(tree) if node not in inside}

    def visit_If(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        return self._with_loops(node, 'test')

    def visit_Assign(self, node: Node) -> Node | list[Node]:
        return self._with_loops(node, 'value')

    visit_AnnAssign = visit_Return = visit_Expr = visit_Assign

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        # What it changes is read first.
        if isinstance(node.target, gast.Name) and node.target.id not in _bound_in(node.value):
            return self._with_loops(node, 'value')
        return node

    def visit_Assert(self, node: Node) -> Node | list[Node]:
        return self._with_loops(node, 'test')

    def _with_loops(self, statement: Node, field: str) -> Node | list[Node]:
        before: list[Node] = []
        self._read_before: set[str] = set()
        value = getattr(statement, field)
        if value is not None:
            setattr(statement, field, self._replaced(value, before)[0])
        return [*before, statement]

    def _replaced(self, node: Node, before: list[Node]) -> tuple[Node, bool]:
        """What stands for an expression, and whether what follows it may be evaluated first."""
        if isinstance(node, gast.Constant | gast.Name):
            self._read_before |= {node.id} if isinstance(node, gast.Name) else set()
            return node, True
        if isinstance(node, gast.ListComp) and self._is_to_be_loop(node):
            return self._listed(node, before), True
        if isinstance(node, gast.Call):
            found = self._taken(node, before)
            if found is not None:
                return found, True
        goes_on = True
        for field in _FIRST_PARTS.get(type(node), ()):
            value = getattr(node, field)
            parts = value if isinstance(value, list) else [value]
            for i, part in enumerate(parts):
                if not goes_on:
                    return node, False
                parts[i], goes_on = self._replaced(part, before)
                goes_on = goes_on and not isinstance(node, _SURELY_FIRST)
            if not isinstance(value, list):
                setattr(node, field, parts[0])
        return node, False

    def _taken(self, call: Node, before: list[Node]) -> Node | None:
        """What stands for a call that takes the elements of a generator expression."""
        match call:
            case gast.Call(func=gast.Name(id=name) as function,
                           args=[gast.GeneratorExp() as each, *_]):
                if not self._is_to_be_loop(each) or (
                    callee(function, self._context)[0] is not Callee.BUILTIN
                    and name not in _TAKE_ALL
                ):
                    return None
                if name in ('any', 'all') and len(each.generators) == 1:
                    return self._searched(each, name == 'any', before)
                if name in _TAKE_ALL:
                    call.args[0] = self._listed(each, before)
                    return call
        return None

    def _is_to_be_loop(self, node: Node) -> bool:
        binds = any(isinstance(part, gast.NamedExpr) for part in walk(node))
        inner = (part for part in walk(node) if part is not node)
        return (
            binds
            and self._read_before.isdisjoint(_bound_in(node))
            and not any(isinstance(part, _SCOPES) for part in inner)
            and not all(surely_python(each.iter, self._context) for each in node.generators))

    def _listed(self, node: Node, before: list[Node]) -> Node:
        """The list of the elements, which a loop makes."""
        name = self._fresh('elements', node)
        append = gast.Attribute(load(name), 'append', gast.Load())
        take = lambda element: [gast.Expr(gast.Call(append, [element], []))]  # noqa: E731
        empty = located(assign(name, gast.List([], gast.Load())), node)
        before += [empty, located(self._loop(node, take), node)]
        return located(load(name), node)

    def _searched(self, node: Node, ending: bool, before: list[Node]) -> Node:
        """Whether an element was found that ends the search."""
        name = self._fresh('found' if ending else 'holds', node)

        def take(element: Node) -> list[Node]:
            test = element if ending else gast.UnaryOp(gast.Not(), element)
            return [gast.If(test, [assign(name, constant(ending)), gast.Break()], [])]

        start = located(assign(name, constant(not ending)), node)
        before += [start, located(self._loop(node, take), node)]
        return located(load(name), node)

    def _fresh(self, name: str, node: Node) -> str:
        return self._context.helper(name, f'{node.lineno}:{node.col_offset}')

    def _loop(self, node: Node, take: Callable[[Node], list[Node]]) -> Node:
        self._rename(node)
        block = take(node.elt)
        for each in reversed(node.generators):
            if each.ifs:
                tests = each.ifs
                test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), list(tests))
                block = [gast.If(test, block, [])]
            block = [gast.For(each.target, each.iter, block, [], None)]
        return block[0]

    def _rename(self, node: Node) -> None:
        """Its variables are its own: those that the function knows, too, get another name."""
        for part in _variables_of(node):
            if part.id in self._others:
                part.id = self._fresh(part.id, node)


def _variables_of(comprehension: Node) -> list[Node]:
    """Its own variables, wherever they stand in it."""
    generators = comprehension.generators
    own = {_id(part) for each in generators for part in walk(each.target)} - {None}
    outer = set(walk(generators[0].iter))
    return [part for part in walk(comprehension) if _id(part) in own and part not in outer]


_COMPREHENSIONS = gast.ListComp | gast.SetComp | gast.DictComp | gast.GeneratorExp
_SCOPES = gast.Lambda | _COMPREHENSIONS


def _id(node: Node) -> str | None:
    return node.id if isinstance(node, gast.Name) else None


def _bound_in(*trees: Node) -> set[str]:
    return {
        part.target.id for tree in trees for part in walk(tree) if isinstance(part, gast.NamedExpr)}
