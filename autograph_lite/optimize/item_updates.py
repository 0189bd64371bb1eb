"""An item that is read, updated in place and written back is not written back, or at once.

    a = x[i];  a += v;  x[i] = a   ->   a = x[i];  a += v     where the item is a view
                                   ->   x[i] += v             where it is a copy, as with a mask

NumPy would copy the view to where it lies. Measured: 0.8 of the time for rows of eight numbers. The
second is for who reads the program: it takes as long either way.
"""
from __future__ import annotations

from typing import Any

from ..graph.graph import Graph, Node, Op, Value
from ..ops.indexing import GETITEM, SETITEM, UPDATE_ITEM, VIEW
from ..ops.template import Arguments, Listed, Sliced, Slot
from ..ops.ufuncs import UFUNC_OUT
from .changes import note
from .facts import Facts
from .rewriting import copy_graph

# What the array is once its item was updated in place; nothing needs to be done.
WRITTEN = Op('written', lambda types, _: types[0], statement=lambda *_: [], updates=True)


def item_updates(graph: Graph) -> Graph | None:
    """A copy of the graph in which such items are updated; None if there is none."""
    if not any(_update(node) is not None or _is_there(node) for node in graph.walk()):
        return None
    copy = copy_graph(graph)
    return copy if _rewrite(copy, copy, Facts(copy)) else None


def _update(written: Node) -> Node | None:
    """The update in place whose result the node writes back to where it came from."""
    update = written.inputs[1].node if written.op is SETITEM else None
    if update is None or update.op is not UFUNC_OUT or len(update.inputs) != 3:
        return None
    if update.attrs['arguments'] != Arguments((Slot(1), Slot(2)), (('out', Slot(0)),)):
        return None
    read = update.inputs[0].node
    if not update.attrs['operator'] or read is None or read.op is not GETITEM:
        return None
    return update if _same_place(read, written) else None


def _is_there(written: Node) -> bool:
    """Whether what a node writes lies there: a view of that place, whatever was done to it."""
    if written.op is not SETITEM:
        return False
    made = written.inputs[1].node
    while made is not None and made.op.updates:
        made = made.inputs[0].node
    return made is not None and made.op is VIEW and _same_place(made, written)


def _same_place(read: Node, written: Node) -> bool:
    taken = [_unwritten(read.inputs[0]), *read.inputs[1:]]
    given = [_unwritten(written.inputs[0]), *written.inputs[2:]]
    return taken == given and bool(_moved(read.attrs['index']) == written.attrs['index'])


def _unwritten(array: Value) -> Value:
    """The array before what lay there was written to it."""
    while array.node is not None and array.node.op is WRITTEN:
        array = array.node.inputs[0]
    return array


def _moved(index: Any) -> Any:
    """The index of an item that is read, as that of one that is written."""
    match index:
        case Slot(i):
            return Slot(i + 1)
        case Sliced(start, stop, step):
            return Sliced(*map(_moved, (start, stop, step)))
        case Listed(items):
            return Listed(tuple(map(_moved, items)))
        case tuple():
            return tuple(map(_moved, index))
    return index


def _rewrite(graph: Graph, whole: Graph, facts: Facts) -> bool:
    found = False
    for node in list(graph.nodes):
        for inner in node.graphs.values():
            found |= _rewrite(inner, whole, facts)
        if _is_there(node):
            note(whole, 'item_updates', node)
            node.op, node.inputs, node.attrs = WRITTEN, node.inputs[:2], {}
            found = True
            continue
        update = _update(node)
        if update is None or not _is_alone(graph, node, update, facts):
            continue
        read = update.inputs[0].node
        note(whole, 'item_updates', node)
        node.op, node.inputs = UPDATE_ITEM, (node.inputs[0], update.inputs[-1], *node.inputs[2:])
        node.attrs = {'index': node.attrs['index'], 'update': update.attrs['operator']}
        graph.nodes = [other for other in graph.nodes if other not in (read, update)]
        found = True
    return found


def _is_alone(graph: Graph, written: Node, update: Node, facts: Facts) -> bool:
    """Whether nothing else reads the item, and nothing else is written to the memory meanwhile."""
    read = update.inputs[0].node
    if read not in graph.nodes or update not in graph.nodes:
        return False
    item, result = update.inputs[0], update.outputs[0]
    times = update.inputs.count(item)
    if facts.uses(item) != times or facts.uses(result) != 1 or update.inputs[-1] is item:
        return False
    between = graph.nodes[graph.nodes.index(read) + 1 : graph.nodes.index(written)]
    buffer = facts.buffer(written.inputs[0])
    return not any(
        node is not update
        and (node.graphs or (node.op.updates and facts.buffer(node.inputs[0]) is buffer))
        for node in between
    )
