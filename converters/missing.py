"""Attributes and items that an object surely does not have before a function sets them."""
from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

import gast

from autograph_lite.analysis.accesses import Kind
from autograph_lite.analysis.cfg import CFG
from autograph_lite.analysis.qualnames import Attribute, Item, QualName
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import blocks
from autograph_lite.pyct.tree import Node


def missing_places(
    function: Node, cfg: CFG, context: Context, private: set[str]
) -> set[QualName]:
    """The places that have no value yet where a branch or a loop may be the first to set them.

        b = Box()
        for k in ks:
            b.k = k
        return b.k
    """
    made = _made(function)
    first: dict[QualName, bool] = {}
    for access in cfg.accesses:
        if access.name.steps and access.kind is not Kind.REACH:
            first.setdefault(access.name, access.kind is Kind.WRITE)
    return {
        name for name, is_set_first in first.items()
        if is_set_first and len(name.steps) == 1 and made.get(name.root)
        and all(_lacks(value, name.steps[0], context) for value in made[name.root])
        and _is_of_several(name, function, cfg, name.root in private)}


def _is_of_several(name: QualName, function: Node, cfg: CFG, is_private: bool) -> bool:
    """Whether a place is set in statements that become calls, and known outside of the first."""
    seen: list[tuple[Node, bool]] = []
    for statement in function.body:
        start, end = cfg.spans[statement]
        kinds = {
            access.kind for access in cfg.accesses[start:end]
            if access.name == name or (
                access.name in name.parents and access.kind not in (Kind.REACH, Kind.WRITE))}
        if kinds:
            seen.append((statement, Kind.WRITE in kinds))
    straight = any(writes and not any(blocks(statement)) for statement, writes in seen)
    return not straight and (len(seen) > 1 or not is_private)


def _made(function: Node) -> dict[str, list[Node]]:
    """What is assigned to each variable to which nothing but calls and dicts is assigned."""
    found: dict[str, list[Node]] = {}
    bound: dict[str, int] = {}
    for node in ast.walk(function):
        match node:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                if isinstance(value, gast.Call | gast.Dict):
                    found.setdefault(name, []).append(value)
            case gast.Name(id=name, ctx=gast.Store() | gast.Param()):
                bound[name] = bound.get(name, 0) + 1
    return {name: values for name, values in found.items() if len(values) == bound[name]}


def _lacks(value: Node, step: Attribute | Item, context: Context) -> bool:
    """Whether what an expression makes does not have an attribute or item yet."""
    if isinstance(value, gast.Dict):
        keys = [key.value if isinstance(key, gast.Constant) else None for key in value.keys]
        return isinstance(step, Item) and None not in keys and step.key not in keys
    made = meaning(value.func, context)
    if not isinstance(step, Attribute) or not isinstance(made, type):
        return False
    given = {keyword.arg for keyword in value.keywords}
    return not given & {None, step.name} and not _mentions(made, step.name)


def _mentions(made: type[Any], name: str) -> bool:
    """Whether a class says anything of an attribute of its objects."""
    return any(
        name in vars(each) or name in vars(each).get('__annotations__', ())
        or any(
            name in member.__code__.co_names
            for member in vars(each).values() if isinstance(member, FunctionType))
        for each in made.__mro__)
