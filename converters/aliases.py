"""Which local names are no more than short ones for something from outside."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import gast

from autograph_lite.pyct.tree import Node, walk


def aliases(tree: Node) -> frozenset[str]:
    """The names of which every part is read by itself.

    `rates = self.config['rates']` is one if all that follows are reads such as `rates['w']`,
    `rates.get('w')`, `'w' in rates`, `len(rates)`: then those are what depends on the container,
    and not the whole of it.
    """
    nodes = list(walk(tree))
    named = [
        node.targets[0].id
        for node in nodes
        if isinstance(node, gast.Assign) and len(node.targets) == 1
        and isinstance(node.targets[0], gast.Name)
    ]  # fmt: skip
    bound = Counter(_bound(nodes))
    parts = {id(name) for name in _read_in_part(nodes)}
    whole = {
        node.id
        for node in nodes
        if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load) and id(node) not in parts
    }
    return frozenset(name for name in named if bound[name] == 1 and name not in whole)


def is_key(node: Node) -> bool:
    """Whether it can be evaluated before what it is the key of."""
    if isinstance(node, gast.Slice | gast.Tuple):
        return False
    return not any(isinstance(part, gast.Call | gast.NamedExpr) for part in walk(node))


def _bound(nodes: Iterable[Node]) -> Iterator[str]:
    """Every name, as often as something may give it a value."""
    for node in nodes:
        match node:
            case gast.Name(id=name, ctx=gast.Store() | gast.Del() | gast.Param()):
                yield name
            case gast.FunctionDef(name=name) | gast.ClassDef(name=name):
                yield name
            case gast.ExceptHandler(name=gast.Name(id=name)) | gast.MatchAs(name=str(name)):
                yield name
            case gast.MatchStar(name=str(name)) | gast.MatchMapping(rest=str(name)):
                yield name
            case gast.Global(names=names) | gast.Nonlocal(names=names):
                yield from names * 2
            case gast.alias(name=name, asname=other):
                yield other or name.partition('.')[0]


def _read_in_part(nodes: Iterable[Node]) -> Iterator[Node]:
    """The names of which an attribute, an item or a length is read, or whether there is an item."""
    for node in nodes:
        match node:
            case gast.Attribute(value=gast.Name() as name, ctx=gast.Load()):
                yield name
            case gast.Subscript(value=gast.Name() as name, slice=key, ctx=gast.Load()):
                if is_key(key):
                    yield name
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[gast.Name() as name]):
                yield name
            case gast.Call(func=gast.Name(id='len'), args=[gast.Name() as name], keywords=[]):
                yield name
            case gast.Call(func=gast.Attribute(attr='len'), args=[gast.Name() as name]):
                yield name
