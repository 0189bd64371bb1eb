"""Which variables a `try` block gives a value so late that no handler sees the block half done."""
from __future__ import annotations

from collections.abc import Sequence

import gast

from autograph_lite.analysis.qualnames import qualname_of
from autograph_lite.converters.effects import Effects
from autograph_lite.pyct.tree import Node


def unsettled(statement: Node, effects: Effects) -> list[str]:
    """What a `try` block modifies, and what follows may need as it was when something was raised.

    A variable that only the last statement that may raise gives a value has its old one then.
    """
    handlers = [handler.body for handler in statement.handlers]
    modified = effects.modified(statement.body)
    needed = {name for block in handlers for name in effects.live_into(block)}
    needed |= set(filter(effects.outlives, modified))
    return [
        name for name in modified
        if name in needed and not _is_late(statement.body, name, effects)]


def _is_late(block: Sequence[Node], name: str, effects: Effects) -> bool:
    """Whether nothing in a block may raise once the place is modified."""
    for i, statement in enumerate(block):
        if name in effects.modified([statement]):
            last = _gives_last(statement, name, effects)
            return last and all(map(_is_safe, block[i + 1 :]))
    return True


def _gives_last(statement: Node, name: str, effects: Effects) -> bool:
    match statement:
        case gast.Assign(targets=[target]):
            parts = target.elts if isinstance(target, gast.Tuple) else [target]
            found = [qualname_of(part) for part in parts]
            is_simple = None not in found and all(each.is_simple for each in found if each)
            return is_simple or len(parts) == 1
        case gast.AnnAssign(target=gast.Name()) | gast.AugAssign(target=gast.Name()):
            return True
        case gast.Expr(value=gast.Call(func=gast.Attribute(value=place, attr='append'))):
            return str(qualname_of(place)) == name
        case gast.Try(body=body, handlers=handlers, orelse=[], finalbody=[]):
            inner = [body, *(handler.body for handler in handlers)]
            return all(_is_late(each, name, effects) for each in inner)
        case gast.With(items=[gast.withitem(context_expr=context)], body=body):
            return _is_errstate(context) and _is_late(body, name, effects)
        case gast.If(body=body, orelse=orelse):
            return _is_late(body, name, effects) and _is_late(orelse, name, effects)
    return False


def _is_errstate(context: Node) -> bool:
    match context:
        case gast.Call(func=gast.Attribute(attr='errstate')):
            return True
    return False


def _is_safe(statement: Node) -> bool:
    """Whether a statement never raises."""
    match statement:
        case gast.Assign(targets=[gast.Name()], value=gast.Constant() | gast.Name()):
            return True
        case gast.Return(value=None | gast.Constant() | gast.Name()):
            return True
    return isinstance(statement, gast.Pass | gast.Break | gast.Continue)
