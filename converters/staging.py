"""The functions that branches and loop bodies become, and the calls that take them."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import gast

from autograph_lite.converters.build import load, operator, parameter, together
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import LoopPlan, Names, Shared
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


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
