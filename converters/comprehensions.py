"""List comprehensions and generator expressions."""
from __future__ import annotations

import gast

from autograph_lite.converters.build import constant, load, operator, parameter
from autograph_lite.converters.callees import Callee, callee
from autograph_lite.converters.context import Context
from autograph_lite.converters.python_values import Lazy
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

_DISPLAYS = gast.List | gast.Tuple | gast.Set | gast.Dict | gast.Constant | gast.SetComp
_OF_ITERABLES = frozenset({'enumerate', 'zip', 'reversed', 'sorted'})
_OF_CONTAINERS = frozenset({'items', 'keys', 'values', 'split', 'splitlines'})


def comprehensions(tree: Node, context: Context) -> Node:
    """Turn comprehensions into calls; what they make of an item becomes a function.

    >>> show(comprehensions, '''
    ... def f(xs):
    ...     ys = [i * x for i, x in enumerate(xs)]
    ...     return sum(y * y for y in ys if y > 0)
    ... ''')
    def f(xs):
        ys = ag.list_of(lambda i, x: i * x, enumerate(xs))
        return sum(ag.each(lambda y: y * y, ys, where=lambda y: y > 0))

    What certainly is Python's own, Python does itself; so are sets and dicts, which are made of
    Python values.

    >>> show(comprehensions, '''
    ... def f(shapes):
    ...     return [2 * i for i in range(3)], {k: len(v) for k, v in shapes.items()}
    ... ''')
    def f(shapes):
        return [2 * i for i in range(3)], {k: len(v) for k, v in shapes.items()}
    """
    return _Comprehensions(tree, context).rewrite(tree)


class _Comprehensions(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._lazy = Lazy(tree, context)

    def visit_ListComp(self, node: Node) -> Node:
        return self._comprehension(node, 'list_of')

    def visit_GeneratorExp(self, node: Node) -> Node:
        return self._comprehension(node, 'each')

    def _comprehension(self, node: Node, name: str) -> Node:
        is_python = stays(node, self._lazy, self._context)
        self.generic_visit(node)
        if is_python:
            return node
        generators = list(node.generators)
        call = self._call(node.elt, generators.pop(), name if not generators else 'each', False)
        while generators:
            last = generators.pop()
            call = self._call(call, last, name if not generators else 'each', True)
        return located(call, node)

    def _call(self, element: Node, generator: Node, name: str, flat: bool) -> Node:
        target = generator.target
        arguments = [self._function(target, element), generator.iter]
        call = operator(self._context, name, *arguments)
        if generator.ifs:
            tests = generator.ifs
            test = tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), list(tests))
            call.keywords.append(gast.keyword('where', self._function(target, test)))
        if flat:
            call.keywords.append(gast.keyword('flat', constant(True)))
        return call

    def _function(self, target: Node, value: Node) -> Node:
        """What the value is for an item: a function of the target's names."""
        if isinstance(target, gast.Name):
            return _lambda([target.id], value)
        names = []
        for index, part in enumerate(target.elts):
            if isinstance(part, gast.Name):
                names.append(part.id)
                continue
            names.append(self._context.helper('item', str(index)))
            parts = gast.Starred(load(names[-1]), gast.Load())
            value = gast.Call(self._function(part, value), [parts], [])
        return _lambda(names, value)


def stays(node: Node, lazy: Lazy, context: Context) -> bool:
    """Whether a comprehension is left to Python: for sure over Python's values, or no functions."""
    return not _can_be_functions(node) or all(
        surely_python(generator.iter, context) and all(map(lazy.is_python, generator.ifs))
        for generator in node.generators)


def surely_python(iterable: Node, context: Context) -> bool:
    """Whether an iterable certainly is one of Python's, so that a loop over it is unrolled."""
    match iterable:
        case _ if isinstance(iterable, _DISPLAYS):
            return True
        case gast.Call(func=gast.Attribute(attr=attr)):
            return attr in _OF_CONTAINERS
        case gast.Call(func=function, args=args):
            kind, name = callee(function, context)
            if kind is not Callee.BUILTIN:
                return False
            if name == 'range':
                return all(isinstance(each, gast.Constant | gast.UnaryOp) for each in args)
            return name in _OF_ITERABLES and all(surely_python(each, context) for each in args)
    return False


def _lambda(names: list[str], value: Node) -> Node:
    arguments = gast.arguments(list(map(parameter, names)), [], None, [], [], None, [])
    return gast.Lambda(arguments, value)


def _can_be_functions(node: Node) -> bool:
    """Whether functions can do what a comprehension does.

    They cannot bind names around them; and a closure made in a comprehension sees its variables
    change, while each call of a function has variables of its own.
    """
    targets = [generator.target for generator in node.generators]
    names = {name for target in targets for name in _names(target)}
    return (
        all(_is_simple(target) for target in targets)
        and all(len(found) == len(set(found)) for found in map(_names, targets))
        and not isinstance(node.elt, gast.GeneratorExp)
        and not any(
            isinstance(part, gast.NamedExpr)
            or (isinstance(part, gast.Lambda) and not names.isdisjoint(_names(part.body)))
            for part in walk(node)))


def _names(node: Node) -> list[str]:
    return [part.id for part in walk(node) if isinstance(part, gast.Name)]


def _is_simple(target: Node) -> bool:
    """Whether a target can be the parameters of a function."""
    if isinstance(target, gast.Tuple | gast.List):
        return len(target.elts) > 1 and all(map(_is_simple, target.elts))
    return isinstance(target, gast.Name)
