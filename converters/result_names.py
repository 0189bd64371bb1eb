"""The names of results, for messages and for the graph."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.build import constant
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_STAGED = ('cond', 'try_', 'while_loop', 'for_loop')


def result_names(tree: Node, context: Context) -> Node:
    """Tell, while tracing, what the user calls the results of branches and loops.

    Errors then speak of `x` and `self.total`, and the lowered program uses these names. Nobody
    needs to see this, so `to_code` shows the tree before it.

    >>> show(result_names, after='lambdas', text='''
    ... def total(xs):
    ...     s = 0
    ...     for x in xs:
    ...         s = s + x
    ...     return s
    ... ''')
    def total(xs):
        s = 0
        s = ag.for_loop(xs, lambda x, s: s + x, s, names=('s',), items=('x',))
        return s
    """
    named: set[Node] = set()
    for function in functions(tree):
        if function not in named:
            _Names(context, named).block(function, ())
    return tree


class _Names:
    def __init__(self, context: Context, named: set[Node]) -> None:
        self._context = context
        self._named = named

    def block(self, function: Node, results: Sequence[str]) -> None:
        """Names the results in a function whose own results have these names."""
        self._named.add(function)
        self._statements(function.body, results, {})

    def _statements(
        self, block: list[Node], results: Sequence[str], bodies: dict[str, Node]
    ) -> None:
        for statement in block:
            match statement:
                case gast.FunctionDef(name=name):
                    bodies[name] = statement
                case gast.Assign(targets=[target], value=value):
                    parts = target.elts if isinstance(target, gast.Tuple) else [target]
                    self._call(value, [str(qualname_of(part) or '_') for part in parts], bodies)
                case gast.Return(value=value):
                    self._call(value, results, bodies)
                case gast.Expr(value=value):
                    self._call(value, (), bodies)
                case _:
                    for inner in blocks(statement):
                        self._statements(inner, results, bodies)

    def _call(self, call: Node, names: Sequence[str], bodies: dict[str, Node]) -> None:
        kind = self._kind(call)
        if not kind:
            return
        _add(call, 'names', names)
        if kind == 'for_loop':
            _add(call, 'items', _items(call.args[1], bodies))
        for argument in call.args:
            if isinstance(argument, gast.Name) and argument.id in bodies:
                self.block(bodies[argument.id], names)
            elif isinstance(argument, gast.Lambda):
                self._call(argument.body, names, {})

    def _kind(self, node: Node) -> str:
        """Which of the staged constructs a call is, if any."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                return attr if name == self._context.ag and attr in _STAGED else ''
        return ''


def _items(body: Node, bodies: dict[str, Node]) -> list[str]:
    """The names that a loop's body gives the parts of an item."""
    match body:
        case gast.Lambda(args=gast.arguments(args=[gast.Name(id=name), *_])):
            return [name]
        case gast.Name(id=name) if name in bodies and bodies[name].args.args:
            item = bodies[name].args.args[0].id
            match bodies[name].body[0]:
                case gast.Assign(targets=[target], value=gast.Name(id=read)) if read == item:
                    return _targets(target)
            return [item]
    return []


def _targets(target: Node) -> list[str]:
    """The names in a target, in the order of the values that they get."""
    if isinstance(target, gast.Tuple | gast.List):
        return [name for part in target.elts for name in _targets(part)]
    return [str(qualname_of(target) or '_')]


def _add(call: Node, keyword: str, names: Sequence[str]) -> None:
    if names and all(given.arg != keyword for given in call.keywords):
        value = gast.Tuple([constant(name) for name in names], gast.Load())
        call.keywords.append(located(gast.keyword(keyword, value), call))
