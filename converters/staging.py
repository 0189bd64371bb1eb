"""The functions that branches and loop bodies become, and the calls that take them."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import gast

from autograph_lite.analysis.qualnames import QualName, qualname_of, to_node
from autograph_lite.converters.build import load, operator, parameter, together
from autograph_lite.converters.context import Context
from autograph_lite.converters.plan import Place, Places
from autograph_lite.converters.rewriter import Rewriter
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


def inner_block(
    block: list[Node], takes: Places, changes: Places, context: Context, like: Node
) -> list[Node]:
    """Statements as they stand in a function that takes some places and changes some.

    An attribute or item that nobody else looks at meanwhile is a variable of the function; a place
    that others may look at is set to what the function was given.
    """
    variables = {
        place.name: place.parameter
        for place in (*takes, *changes) if not place.name.is_simple and not place.is_shared}
    start: list[Node] = []
    for place in takes:
        if place.is_shared:
            if place.declaration is not None:
                start.append(place.declaration([place.name.root]))
            start.append(gast.Assign(
                [to_node(place.name, gast.Store())], load(place.parameter), None))
    block = _Variables(variables, context).block(block) if variables else block
    return located(start, like) + block


def inner_value(place: Place) -> Node:
    """The value of a place in a function that takes or changes it."""
    if place.name.is_simple or place.is_shared:
        return outer_value(place)
    return load(place.parameter)


def outer_value(place: Place) -> Node:
    """The value of a place in a function that does neither."""
    return to_node(place.name, gast.Load())


def give(values: Sequence[Node], like: Node) -> list[Node]:
    """The `return` of a function; none if there is nothing to return."""
    if not values:
        return []
    return [located(gast.Return(together(values, gast.Load())), like)]


def take(
    places: Places, name: str, arguments: Sequence[Node], keywords: Mapping[str, Node],
    context: Context, like: Node
) -> Node:
    """The statement that calls an operator and gives places what it returns."""
    call = operator(context, name, *arguments)
    call.keywords = [gast.keyword(keyword, value) for keyword, value in keywords.items()]
    if not places:
        return located(gast.Expr(call), like)
    targets = [to_node(place.name, gast.Store()) for place in places]
    return located(gast.Assign([together(targets, gast.Store())], call, None), like)


def sole_value(block: list[Node], places: Places, context: Context) -> Node | None:
    """The value of a block that does no more than give the places a value."""
    *before, last = block or [None]
    if not places or any(statement not in context.helpers for statement in before):
        return None
    match last:
        case gast.Assign(targets=[target], value=value):
            targets = target.elts if isinstance(target, gast.Tuple) else [target]
            names = [qualname_of(each) for each in targets]
            if names == [place.name for place in places] and not _binds(value):
                return value
    return None


def _binds(value: Node) -> bool:
    """Whether an expression gives variables a value, which a function has to be given first."""
    return any(isinstance(part, gast.NamedExpr) for part in walk(value))


class _Variables(Rewriter):
    """Lets variables stand for attributes and items."""

    def __init__(self, variables: Mapping[QualName, str], context: Context) -> None:
        self._variables = variables
        self._context = context

    def visit_For(self, node: Node) -> Node:
        """A loop that is yet to be lowered has the variables for its state."""
        plan = self._context.plan
        if plan is not None and node in plan.states:
            plan.states[node] = tuple(map(self._renamed, plan.states[node]))
        return self.generic_visit(node)

    visit_While = visit_For

    def _renamed(self, place: Place) -> Place:
        name = place.name
        for parent in (name, *name.parents):
            if parent in self._variables:
                steps = name.steps[len(parent.steps):]
                return replace(place, name=QualName(self._variables[parent], steps))
        return place

    def visit_Attribute(self, node: Node) -> Node:
        name = qualname_of(node)
        if name is not None and name in self._variables:
            return located(
                gast.Name(self._variables[name], node.ctx, None, None), node)
        return self.generic_visit(node)

    visit_Subscript = visit_Attribute


def loop_body(block: list[Node], state: Places, context: Context) -> list[Node]:
    """The statements of a loop as they stand in the function that its body becomes."""
    is_shared = any(place.is_shared for place in state)
    value = None if is_shared else sole_value(block, state, context)
    if value is None:
        returned = give([inner_value(place) for place in state], block[-1])
    else:
        block, returned = block[:-1], give([value], block[-1])
    like = block[0] if block else returned[0]
    return inner_block(block + returned, state, (), context, like)
