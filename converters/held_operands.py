"""What an expression holds while it evaluates what comes after it."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gast

from autograph_lite.converters.build import constant, store
from autograph_lite.converters.callees import calls_nobody, is_operator
from autograph_lite.converters.context import Context
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, children, walk

# Operators that call what they are given, or what operators of the user's classes mean.
_CALLING = ('local_call', 'operation', 'try_')
# Operators that give what stands for their first argument while it is changed, or an item is read.
_STANDING_FOR = ('deleting', 'items', 'setting')

# Where an operand stands: in a list, or among the fields of a node.
_Slot = tuple[Any, Any]


def held_operands(tree: Node, context: Context) -> Node:
    """Give what an expression holds a name, while it calls what may bind anew where it was found.

    Python has evaluated `self.rows` before it calls `self.flush`. A branch there that sets
    `self.rows` asks which names there are for the list: this is one more. Nobody needs to see
    this, so `to_code` shows the tree before it.

    >>> show(held_operands, after='captures', text='''
    ... def f(self, x):
    ...     self.rows.append(self.flush(x))
    ... ''')
    def f(self, x):
        ag.call(
            (held := ag.method(self, '.rows', '.append')),
            (ag.call(ag.method(self, '.flush'), x), (held := None))[0])
    """
    _Held(tree, context).rewrite(tree)
    return tree


class _Held(Rewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._rebindable = rebindable(tree)
        self._calling: set[Node] = set()

    def generic_visit(self, node: Node) -> Node:
        node = super().generic_visit(node)
        if not isinstance(node, gast.Lambda) and not self._calling.isdisjoint(children(node)):
            self._calling.add(node)
        return node

    def visit_Call(self, node: Node) -> Node:
        self._in_order(node)
        if self._calls(node):
            self._calling.add(node)
        return node

    def _calls(self, node: Node) -> bool:
        """Whether a call may run code of the user's."""
        given = (*node.args, *(keyword.value for keyword in node.keywords))
        if any(isinstance(each, gast.Lambda) and each.body in self._calling for each in given):
            return True
        if any(is_operator(node.func, name, self._context) for name in _CALLING):
            return True
        return not calls_nobody(node, self._context)

    def visit_comprehension(self, node: Node) -> Node:
        self._each(node.ifs)  # Python allows no name to be given in what it goes through
        return node

    def _in_order(self, node: Node) -> Node:
        """A node whose operands are evaluated in their order, and held until the last is there."""
        self.generic_visit(node)
        if isinstance(node, gast.Tuple | gast.List) and not isinstance(node.ctx, gast.Load):
            return node  # what is assigned to stands in the statement
        slots = list(_slots(node))
        calling = [i for i, (among, key) in enumerate(slots) if among[key] in self._calling]
        before = slots[:calling[-1]] if calling else []
        names = [
            self._hold(among, key) for among, key in before if self._may_be_changed(among[key])]
        if names:
            among, key = slots[calling[-1]]
            value = among[key]
            forgotten = [gast.NamedExpr(store(name), constant(None)) for name in names]
            both = gast.Tuple([value, *forgotten], gast.Load())
            among[key] = located(gast.Subscript(both, constant(0), gast.Load()), value)
            self._calling.add(among[key])
        return node

    visit_Tuple = visit_List = visit_Set = visit_Dict = visit_BinOp = visit_Compare = _in_order
    visit_Subscript = visit_Assign = visit_AugAssign = visit_arguments = _in_order

    def _hold(self, among: Any, key: Any) -> str:
        """Gives an operand a name; what only stands for something while it is used, that itself."""
        while isinstance(among[key], gast.Call) and any(
                is_operator(among[key].func, name, self._context) for name in _STANDING_FOR):
            among, key = among[key].args, 0
        name = self._context.namer.fresh('held')
        value = among[key]
        among[key] = located(gast.NamedExpr(store(name), value), value)
        return name

    def _may_be_changed(self, node: Node) -> bool:
        """Whether it may be a container that some place holds, which a call may bind anew."""
        match node:
            case gast.Constant() | gast.Lambda() | gast.JoinedStr() | gast.Compare():
                return False
            case gast.Name(id=name):
                return name in self._rebindable
            case gast.Attribute(value=gast.Name()):
                return False
            case gast.Tuple(elts=parts) | gast.List(elts=parts) | gast.Set(elts=parts):
                return any(map(self._may_be_changed, parts))
            case gast.Call(func=function):
                if is_operator(function, 'operation', self._context):
                    return False
        return True


def rebindable(tree: Node) -> frozenset[str]:
    """The variables that more than one function sets."""
    return frozenset(
        name for node in walk(tree) if isinstance(node, gast.Global | gast.Nonlocal)
        for name in node.names)


def held_in_target(node: Node, is_sure: Callable[[str], bool]) -> Iterator[_Slot]:
    """Where the parts of the target of an augmented assignment stand that its value may bind anew.

    Args:
      node: the statement.
      is_sure: whether a variable of this name is what it was after any call.
    """
    target = node.target
    if isinstance(target, gast.Name) or not any(isinstance(part, gast.Call) for part in walk(node)):
        return
    index = _slots_of_index(target) if isinstance(target, gast.Subscript) else ()
    for among, key in ((target.__dict__, 'value'), *index):
        part = among[key]
        if not isinstance(part, gast.Constant) and not (
                isinstance(part, gast.Name) and is_sure(part.id)):
            yield among, key


def _slots(node: Node) -> Iterator[_Slot]:
    """Where the operands of a node stand, in the order in which they are evaluated."""
    fields = node.__dict__
    match node:
        case gast.Call():
            yield fields, 'func'
            yield from _each(node.args)
            for keyword in node.keywords:
                yield keyword.__dict__, 'value'
        case gast.Tuple() | gast.List() | gast.Set():
            yield from _each(node.elts)
        case gast.Dict():
            for key, value in zip(_each(node.keys), _each(node.values), strict=True):
                if key[0][key[1]] is not None:
                    yield key
                yield value
        case gast.BinOp():
            yield fields, 'left'
            yield fields, 'right'
        case gast.Compare():
            yield fields, 'left'
            yield from _each(node.comparators)
        case gast.Subscript():
            yield fields, 'value'
            yield from _slots_of_index(node)
        case gast.Assign():
            yield fields, 'value'
            for target in node.targets:
                yield from _slots_of_target(target)
        case gast.AugAssign(target=target):
            yield from _slots_of_target(target)
            yield fields, 'value'
        case gast.arguments():
            yield from _each(node.defaults)
            for among, key in _each(node.kw_defaults):
                if among[key] is not None:
                    yield among, key


def _slots_of_target(target: Node) -> Iterator[_Slot]:
    match target:
        case gast.Subscript():
            yield from _slots(target)
        case gast.Attribute() | gast.Starred():
            yield target.__dict__, 'value'
        case gast.Tuple() | gast.List():
            for part in target.elts:
                yield from _slots_of_target(part)


def _slots_of_index(node: Node) -> Iterator[_Slot]:
    """Where the operands of what stands in brackets stand; those of slices by themselves."""
    parts = node.slice.elts if isinstance(node.slice, gast.Tuple) else [node.slice]
    if not any(isinstance(part, gast.Slice) for part in parts):
        yield node.__dict__, 'slice'
        return
    for i, part in enumerate(parts):
        if isinstance(part, gast.Slice):
            fields = part.__dict__
            yield from ((fields, key) for key in _OF_SLICES if fields[key] is not None)
        else:
            yield parts, i


_OF_SLICES = 'lower', 'upper', 'step'


def _each(nodes: list[Node]) -> Iterator[_Slot]:
    for i, node in enumerate(nodes):
        yield (node.__dict__, 'value') if isinstance(node, gast.Starred) else (nodes, i)
