"""Arguments that a function modifies in place: what the graph made of them is put back.

    def centre(x):
        x -= x.mean()

The graph works on a copy, and gives what becomes of it as one more result. That is put into the
caller's array when the graph has run, so a call that raises leaves it as it was.
"""
from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from .errors import OwnershipError, describe, user_location
from .graph import dispatch
from .graph.graph import Graph, Value
from .graph.storage import Storage
from .graph.tensor import Tensor, of_another
from .graph.tracing import CONSTANT, rewrite
from .optimize.rewriting import replace_values


def modified_arguments(operands: Sequence[Any], graph: Graph) -> dict[int, Value]:
    """What becomes of the arguments that the traced function has modified.

    Args:
      operands: the leaves of its arguments, as it saw them.
      graph: its graph.

    Returns:
      By their positions.

    Raises:
      OwnershipError: one was modified by another name, or is not of its type any more.
    """
    found: dict[int, Value] = {}
    for i, param in _params(operands, graph).items():
        operand = operands[i]
        if operand.is_stale or operand.held.type != param.type:
            raise of_another(operand.memory[0], operand.memory[0].written)
        if operand.held is not param:
            found[i] = operand.held
    return found


def set_apart(modified: Collection[int], operands: Sequence[Any], graph: Graph) -> None:
    """Lets the graph that is traced work on copies of what it modifies."""
    params = _params(operands, graph)
    before = list(graph.nodes)
    copy = dispatch.METHODS['copy']
    copies = {
        # As they lie in memory: sums depend on that.
        params[i]: copy(Tensor(params[i], (Storage(graph),)), order='K').read()
        for i in modified
    }
    made = graph.nodes[len(before) :]
    graph.nodes[:] = before
    replace_values(graph, copies)
    graph.nodes[:0] = made


def _params(operands: Sequence[Any], graph: Graph) -> dict[int, Value]:
    """The parameters of a graph, by their positions among what the function was traced with."""
    staged = [i for i, operand in enumerate(operands) if isinstance(operand, Tensor)]
    return dict(zip(staged, graph.own_params, strict=True))


class Modified:
    """The arguments that a graph gives back modified.

    Attributes:
      paths: what the user calls each, by its position among the leaves.

    Args:
      paths: that.
      graph: the graph; its last results are what becomes of them.
    """

    def __init__(self, paths: Mapping[int, str], graph: Graph) -> None:
        self.paths = dict(paths)
        values = [node.attrs['value'] for node in graph.walk() if node.op is CONSTANT]
        self._captured = [value for value in values if isinstance(value, np.ndarray)]

    def __bool__(self) -> bool:
        return bool(self.paths)

    def check(self, name: str, leaves: Sequence[Any]) -> None:
        """Each can be modified, and nothing else that the graph reads is modified with it.

        Args:
          name: the function's.
          leaves: what it is called with.

        Raises:
          OwnershipError: that is not so.
        """
        for i, path in self.paths.items():
            if not leaves[i].flags.writeable:
                what = f'{name} modifies its argument {path!r} in place, which is read-only.'
                raise OwnershipError(describe(what, user_location(), 'Pass a copy.'))
            others = [x for j, x in enumerate(leaves) if i != j and isinstance(x, np.ndarray)]
            if any(_overlap(leaves[i], x) for x in (*others, *self._captured)):
                what = (
                    f'{name} modifies its argument {path!r} in place, which shares memory with '
                    'another array that it reads.'
                )
                raise OwnershipError(describe(what, user_location(), 'Pass a copy of one.'))

    def put_back(self, leaves: Sequence[Any], results: Sequence[Any]) -> list[Any]:
        """Puts what became of them into the caller's arrays; the other results."""
        count = len(results) - len(self.paths)
        others = [self._apart(x, leaves) for x in results[:count]]
        changed = [self._apart(x, leaves) for x in results[count:]]
        for i, value in zip(self.paths, changed, strict=True):
            leaves[i][...] = value
        return others

    def _apart(self, result: Any, leaves: Sequence[Any]) -> Any:
        """A result that does not change with them."""
        if isinstance(result, np.ndarray) and any(_overlap(result, leaves[i]) for i in self.paths):
            return result.copy('K')
        return result

    def move_on(self, name: str, leaves: Sequence[Any], results: Sequence[Any]) -> list[Any]:
        """The same while another graph is traced, whose handles are moved on.

        Raises:
          OwnershipError: one is none of that graph's, or has another name in the call.
        """
        count = len(results) - len(self.paths)
        for (i, path), value in zip(self.paths.items(), results[count:], strict=True):
            given = leaves[i]
            memory = set(given.memory) if isinstance(given, Tensor) else set()
            others = (x for j, x in enumerate(leaves) if i != j and isinstance(x, Tensor))
            if not memory or any(memory.intersection(x.memory) for x in others):
                what = f'{name} modifies its argument {path!r}, which has another name for it.'
                fix = 'Call it with an array of its own: `x = x.copy()`.'
                raise OwnershipError(describe(what, user_location(), fix))
            rewrite(given, value.read())
        return list(results[:count])


def _overlap(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether two arrays share memory, or it is too hard to tell."""
    if not np.may_share_memory(a, b):
        return False
    try:
        return np.shares_memory(a, b, max_work=_WORK)  # type: ignore[arg-type]  # NumPy's is wrong
    except np.exceptions.TooHardError:
        return True


_WORK = 10_000
