"""Trees that several passes build, and the functions that blocks of statements become."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import gast

from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import LoopPlan, Names, Shared
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def load(name: str) -> Node:
    """A name that is read."""
    return gast.Name(name, gast.Load(), None, None)


def parameter(name: str) -> Node:
    """A parameter."""
    return gast.Name(name, gast.Param(), None, None)


def together(items: Sequence[Node], context: Node) -> Node:
    """One expression by itself, or several as a tuple; `context` says what for."""
    return items[0] if len(items) == 1 else gast.Tuple(list(items), context)


def constant(value: object) -> Node:
    """A literal."""
    return gast.Constant(value, None)


def assign(name: str, value: Node) -> Node:
    """`name = value`."""
    return gast.Assign([gast.Name(name, gast.Store(), None, None)], value, None)


_OPPOSITES = {
    gast.Eq: gast.NotEq, gast.NotEq: gast.Eq, gast.Is: gast.IsNot, gast.IsNot: gast.Is,
    gast.In: gast.NotIn, gast.NotIn: gast.In,
}  # fmt: skip  # of `<` there is none: neither it nor `>=` holds for NaN


def negated(test: Node) -> Node:
    """`not test`."""
    match test:
        case gast.UnaryOp(op=gast.Not(), operand=operand):
            return operand
        case gast.Compare(left=left, ops=[operation], comparators=right) if (
            type(operation) in _OPPOSITES
        ):
            return gast.Compare(left, [_OPPOSITES[type(operation)]()], right)
    return gast.UnaryOp(gast.Not(), test)


def any_of(names: Sequence[str]) -> Node:
    """`first or second or ...`."""
    values = [load(name) for name in names]
    return values[0] if len(values) == 1 else gast.BoolOp(gast.Or(), values)


def branch(test: Node, body: list[Node], orelse: list[Node]) -> Node:
    """An `if` statement, with `pass` where the first branch has become empty."""
    return gast.If(test, body or [gast.Pass()], orelse)


def stores(tree: Node, name: str) -> bool:
    """Whether a name is bound somewhere in a tree."""
    return any(
        isinstance(node, gast.Name) and node.id == name and isinstance(node.ctx, gast.Store)
        for node in walk(tree))


def operator(context: Context, name: str, *arguments: Node) -> Node:
    """A call of one of this package's operators."""
    function = gast.Attribute(load(context.ag), name, gast.Load())
    return gast.Call(function, list(arguments), [])


def thunk(value: Node) -> Node:
    """`lambda: value`."""
    return gast.Lambda(gast.arguments([], [], None, [], [], None, []), value)


def unbound(name: str, context: Context) -> Node:
    """`ag.unbound('name')`; what nobody wrote needs no name."""
    is_users = name in context.namespace.mentioned
    return operator(context, 'unbound', *([constant(name)] if is_users else []))


def without_pass(block: list[Node]) -> list[Node]:
    """Nothing for a block that does nothing."""
    return [] if all(isinstance(statement, gast.Pass) for statement in block) else block


def returns_of(block: list[Node]) -> Iterator[Node]:
    """The `return`s among statements and in those."""
    for statement in block:
        if isinstance(statement, gast.Return):
            yield statement
        for inner in blocks(statement):
            yield from returns_of(inner)


def helper(
    purpose: str, takes: Iterable[str], body: list[Node], context: Context, like: Node
) -> Node:
    """A function of the generated code: the statement after it uses it, and nothing else does."""
    parameters = [parameter(name) for name in takes]
    arguments = gast.arguments(parameters, [], None, [], [], None, [])
    name = context.helper(purpose)
    body = [each for each in body if not isinstance(each, gast.Pass)] or body[:1]
    function = gast.FunctionDef(name, arguments, body, [], None, None, [])
    context.helpers.add(function)
    return located(function, like)


def inner_block(block: list[Node], shared: Shared, like: Node) -> list[Node]:
    """Statements as they stand in a function: what they set where it is, they declare."""
    start = [declaration([name]) for name, declaration in shared.items()]
    return located(start, like) + block


def give(values: Sequence[Node], like: Node) -> list[Node]:
    """The `return` of a function; none if there is nothing to return."""
    if not values:
        return []
    return [located(gast.Return(together(values, gast.Load())), like)]


def take(
    results: Names, name: str, arguments: Sequence[Node], keywords: Mapping[str, Node],
    context: Context, like: Node
) -> Node:
    """The statement that calls an operator and gives variables what it returns."""
    call = operator(context, name, *arguments)
    call.keywords = [gast.keyword(keyword, value) for keyword, value in keywords.items()]
    if not results:
        return located(gast.Expr(call), like)
    targets = [gast.Name(each, gast.Store(), None, None) for each in results]
    return located(gast.Assign([together(targets, gast.Store())], call, None), like)


def sole_assignment(
    block: list[Node], context: Context
) -> tuple[list[str], Node] | None:
    """What a block gives a value and that value, if it does no more than that."""
    match block:
        case [
            *before,
            gast.Assign(targets=[gast.Name(id=name)], value=value) as kept,
            gast.Assign(targets=[gast.Name(id=flag)], value=gast.Constant() as answer) as jump,
        ] if flag in context.flags and name != flag and kept.lineno == jump.lineno:
            # what a `return` has become, on a line of its own
            names, value = [name, flag], gast.Tuple([value, answer], gast.Load())
        case [*before, gast.Assign(targets=[target], value=value)]:
            is_several = isinstance(target, gast.Tuple) and len(target.elts) > 1
            parts = target.elts if is_several else [target]
            if not all(isinstance(part, gast.Name) for part in parts):
                return None
            names = [part.id for part in parts]
        case _:
            return None
    is_sole = all(statement in context.helpers for statement in before)
    return (names, value) if is_sole and not _binds(value) else None


def _binds(value: Node) -> bool:
    """Whether an expression gives variables a value, which a function has to be given first."""
    return any(isinstance(part, gast.NamedExpr) for part in walk(value))


def loop_body(block: list[Node], plan: LoopPlan, context: Context) -> list[Node]:
    """The statements of a loop as they stand in the function that its body becomes."""
    names, value = (not plan.shared and sole_assignment(block, context)) or ([], None)
    if value is not None and names == list(plan.state):
        like = block[-1]
        block = [statement for statement in block if statement in context.helpers]
        returned = give([value], like)
    else:
        returned = give(list(map(load, plan.state)), block[-1])
    block = block + returned
    return inner_block(block, plan.shared, block[0])
