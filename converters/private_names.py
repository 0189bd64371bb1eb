"""Private names, which Python calls otherwise than they are written."""
from __future__ import annotations

import gast

from autograph_lite.converters.context import Context
from autograph_lite.pyct.names import mangled
from autograph_lite.pyct.tree import Node, children

_FIELDS: dict[type[Node], tuple[str, ...]] = {
    gast.Name: ('id',),
    gast.Attribute: ('attr',),
    gast.keyword: ('arg',),
    gast.alias: ('name', 'asname'),
    gast.FunctionDef: ('name',),
    gast.AsyncFunctionDef: ('name',),
    gast.ClassDef: ('name',),
    gast.MatchAs: ('name',),
    gast.MatchStar: ('name',),
    gast.MatchMapping: ('rest',),
}


def private_names(tree: Node, context: Context) -> Node:
    """Call what is private in a class as it is called there: `__x` in a class `C` is `_C__x`.

    What is traced has names of attributes in texts too, which Python does not see.

    >>> show(private_names, '''
    ... class Model:
    ...     def scale(self, x):
    ...         return x * self.__rate
    ... ''')
    def scale(self, x):
        return x * self._Model__rate
    """
    if context.class_name is not None:
        _mangle(tree, context.class_name)
        if context.receiver is not None:
            context.receiver = mangled(context.receiver, context.class_name)
    return tree


def _mangle(tree: Node, class_name: str) -> None:
    pending = [(tree, class_name)]
    while pending:
        node, owner = pending.pop()
        for field in _FIELDS.get(type(node), ()):
            name = getattr(node, field)
            if name is not None:
                setattr(node, field, mangled(name, owner))
        if isinstance(node, gast.Global | gast.Nonlocal):
            node.names = [mangled(name, owner) for name in node.names]
        inner = node.name if isinstance(node, gast.ClassDef) else owner
        around = _around(node) if isinstance(node, gast.ClassDef) else ()
        pending += [(child, owner if child in around else inner) for child in children(node)]


def _around(class_: Node) -> list[Node]:
    """What stands in the head of a class, and belongs to the class around it."""
    return [*class_.bases, *class_.keywords, *class_.decorator_list]
