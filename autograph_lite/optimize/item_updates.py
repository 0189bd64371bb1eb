"""An item that is read, updated in place and written back, in one statement as the user has it.

    a = x[i];  a += v;  x[i] = a   ->   x[i] += v
"""
from __future__ import annotations

from typing import Any

from ..graph.graph import Graph, Node
from ..ops.indexing import GETITEM, SETITEM, UPDATE_ITEM, VIEW
from ..ops.template import Arguments, Listed, Sliced, Slot
from ..ops.ufuncs import UFUNC_OUT
from .changes import note
from .facts import Facts
from .rewriting import copy_graph


def item_updates(graph: Graph) -> Graph | None:
    """A copy of the graph in which such items are updated; None if there is none."""
    if not any(node.op is SETITEM and _update(node) is not None for node in graph.walk()):
        return None
    copy = copy_graph(graph)
    return copy if _rewrite(copy, copy, Facts(copy)) else None


def _update(written: Node) -> Node | None:
    """The update in place whose result the node writes back to where it came from."""
    update = written.inputs[1].node
    if update is None or update.op is not UFUNC_OUT or len(update.inputs) != 3:
        return None
    if update.attrs['arguments'] != Arguments((Slot(1), Slot(2)), (('out', Slot(0)),)):
        return None
    read = update.inputs[0].node
    if not update.attrs['operator'] or read is None or read.op not in (GETITEM, VIEW):
        return None
    given = [written.inputs[0], *written.inputs[2:]]
    return update if list(read.inputs) == given and _same_index(read, written) else None


def _same_index(read: Node, written: Node) -> bool:
    return bool(_moved(read.attrs['index']) == written.attrs['index'])


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
        update = _update(node) if node.op is SETITEM else None
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
