"""The names of results, for messages and for the graph."""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.build import constant, operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks, functions
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node

_CHOOSING = ('and_', 'or_')
_BLOCKS = ('cond', 'try_', 'while_loop', 'for_loop')
_STAGED = (*_BLOCKS, *_CHOOSING)


def result_names(tree: Node, context: Context) -> Node:
    """Tell, while tracing, what the user calls the results of branches and loops.

    Of what an item is set to, they are told of what it is an item; and which results are variables
    of others.

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

    What is unpacked into several of them may be no tuple: a list, or an array.

    >>> show(result_names, after='lambdas', text='''
    ... def settled(a, b):
    ...     while a > b:
    ...         a, b = step(a, b)
    ...     return a
    ... ''')
    def settled(a, b):
        a, b = ag.while_loop(
            lambda a, b: a > b, lambda a, b: ag.several(ag.call(step, a, b), 2), a, b,
            names=('a', 'b'))
        return a
    """
    named: set[Node] = set()
    for function in functions(tree):
        if function not in named:
            _Names(context, named, _declared(function.body)).block(function, ())
    return tree


def _declared(statements: list[Node]) -> set[str]:
    """The variables of others that a function declares that it sets."""
    found: set[str] = set()
    for statement in statements:
        if isinstance(statement, gast.Global | gast.Nonlocal):
            found.update(statement.names)
        found.update(*map(_declared, blocks(statement)))
    return found


class _Names:
    """Names the results in one function of the user's.

    Args:
      context: of the function.
      named: takes the functions that this names them in.
      declared: the variables of others that it sets.
    """

    def __init__(self, context: Context, named: set[Node], declared: set[str]) -> None:
        self._context = context
        self._named = named
        self._declared = declared

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
                    self._call(value, [self._name(part) for part in parts], bodies)
                    self._item(value, target)
                case gast.Return(value=value) if value is not None:
                    self._call(value, results, bodies)
                    statement.value = self._several(value, results)
                case gast.Expr(value=value):
                    self._call(value, (), bodies)
                case _:
                    for inner in blocks(statement):
                        self._statements(inner, results, bodies)

    def _call(self, call: Node, names: Sequence[str], bodies: dict[str, Node]) -> None:
        kind = self._kind(call)
        if not kind:
            return
        if kind in _CHOOSING and not any(name in names for name in _read(call)):
            return  # what it chooses from is called otherwise
        _add(call, 'names', names)
        if kind in _BLOCKS:
            _add(call, 'outer', [name for name in names if name in self._declared])
        if kind == 'for_loop':
            _add(call, 'items', _items(call.args[1], bodies))
        for i, argument in enumerate(call.args):
            given = () if kind == 'while_loop' and i == 0 else names  # its test gives one answer
            if isinstance(argument, gast.Name) and argument.id in bodies:
                self.block(bodies[argument.id], given)
            elif isinstance(argument, gast.Lambda):
                self._call(argument.body, given, {})
                argument.body = self._several(argument.body, given)

    def _several(self, value: Node, names: Sequence[str]) -> Node:
        """What a function gives for these names: as many items, where it may be no tuple."""
        if len(names) < 2 or isinstance(value, gast.Tuple) or self._kind(value):
            return value
        return located(operator(self._context, 'several', value, constant(len(names))), value)

    def _item(self, value: Node, target: Node) -> None:
        """Tells choices between expressions of what the user sets an item to them."""
        match target, value:
            case gast.Subscript(value=gast.Name(id=owner)), gast.Call(
                args=[_, gast.Lambda() as true, gast.Lambda() as false]
            ) if self._kind(value) == 'cond':
                read = located(gast.Name(owner, gast.Load(), None, None), value)
                value.keywords.append(located(gast.keyword('into', read), value))
                self._item(true.body, target)
                self._item(false.body, target)

    def _name(self, target: Node) -> str:
        """What the user calls a target; in `<>` where nobody wrote it."""
        name = qualname_of(target)
        if name is None:
            return '_'
        is_users = name.root in self._context.namespace.mentioned
        return str(name) if is_users else f'<{name}>'

    def _kind(self, node: Node) -> str:
        """Which of the staged constructs a call is, if any."""
        match node:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name), attr=attr)):
                return attr if name == self._context.ag and attr in _STAGED else ''
        return ''


def _read(call: Node) -> Iterator[str]:
    """The variables and attributes that a call is given, or a function that it is given gives."""
    for argument in call.args:
        value = argument.body if isinstance(argument, gast.Lambda) else argument
        name = qualname_of(value)
        if name is not None:
            yield str(name)


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
