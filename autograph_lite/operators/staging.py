"""What every staged construct shares: conditions, and captures that agree between subgraphs."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.graph import Graph, Node, Op, Value
from ..graph.names import stored_name
from ..graph.sites import CodeSite
from ..graph.tensor import Tensor, valued
from ..graph.tracing import current_graph, is_tracing, site
from ..pyct.asking import get_attribute


class AmbiguousTruthError(StagingError, ValueError):
    """The truth value of an array with more than one element, as NumPy calls it."""


def truth(x: Tensor) -> Tensor:
    """The tensor itself, if it can be a condition.

    Raises:
      StagingError: it has more than one element (also a ValueError, as in NumPy).
    """
    if any(n not in (1, None) for n in x.type.shape or ()):
        raise AmbiguousTruthError(
            describe(
                'The truth value of an array with more than one element is ambiguous; '
                f'the condition is {x.type}.',
                user_location(),
                'Write `np.any(...)` or `np.all(...)`, or choose element by element with '
                '`np.where(...)`.',
            )
        )
    return x


def condition(x: Any) -> Any:
    """What tells whether a value is true: of a list its length, of what may be None whether it is.

    Anything else is itself; a tensor with one element is a condition as it stands.
    """
    x = valued(x)
    asked = getattr(type(x), 'as_condition', None)
    return x if asked is None else asked(x)


class staging:
    """Errors in the block get a note of what was being staged, on Pythons that have notes."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if error is None or getattr(error, '__notes__', None):
            return
        location = user_location()
        add_note = getattr(error, 'add_note', None)
        if add_note is not None and location is not None:
            add_note(f'while staging {self._what} at line {location.line}')


def graph_now() -> Graph:
    """The graph that is being traced."""
    graph = current_graph()
    assert graph is not None, 'staging outside a trace'
    return graph


def parameter_names(function: Callable[..., Any], skip: int, size: int) -> Sequence[str]:
    """What the user calls the state that a function takes, as far as its parameters tell."""
    code = get_attribute(function, '__code__')
    names = code.co_varnames[skip : code.co_argcount] if code else ()
    return names if len(names) == size else ()


def stored_names(size: int) -> Sequence[str]:
    """What the user's statement stores a single result in."""
    name = stored_name(site())
    return [name] if name is not None and size == 1 else ()


def run_block(block: Callable[..., Any], args: Sequence[Any], names: Sequence[str]) -> Any:
    """What a block that Python chose returns; what its `return` made has the user's name for it."""
    returned = block(*args)
    if not is_tracing():
        return returned
    code = getattr(block, '__code__', None)
    parts = (returned,) if len(names) == 1 else returned if isinstance(returned, tuple) else ()
    for part, name in zip(parts, names, strict=False):
        site = part.held.node.site if isinstance(part, Tensor) and part.held.node else None
        if isinstance(site, CodeSite) and site.code is code and site.stored is None:
            part.held.node.site = replace(site, variable=identifier(name))
    return returned


def identifier(path: str) -> str:
    """The name of a value for what the user calls `self.x` or `d['k']`."""
    parts = ''.join(c if c.isidentifier() or c.isdigit() else ' ' for c in path).split()
    return '_'.join(parts)


def capture_same(graphs: Sequence[Graph]) -> list[Value]:
    """Gives the subgraphs of one node the same captures, those that some of them use."""
    used: dict[Value, None] = {}
    pairs: list[dict[Value, Value]] = []
    for graph in graphs:
        needed = {v for node in graph.nodes for v in node.inputs} | set(graph.outputs)
        params = graph.params[len(graph.params) - len(graph.captures) :]
        own = {c: p for c, p in zip(graph.captures, params, strict=True) if p in needed}
        pairs.append(own)
        used |= dict.fromkeys(own)
    for graph, own in zip(graphs, pairs, strict=True):
        graph.params = graph.own_params
        graph.captures = list(used)
        for captured in used:
            if captured in own:
                graph.params.append(own[captured])
            else:
                graph.param(captured.type, captured.name)
    return list(used)


def add_node(
    op: Op,
    inputs: Sequence[Value],
    attrs: dict[str, Any],
    graphs: dict[str, Graph],
    names: Sequence[str],
) -> Node:
    """A control-flow node in the graph that is traced, with the captures of its subgraphs."""
    captures = capture_same(list(graphs.values()))
    return graph_now().add(op, [*inputs, *captures], attrs, graphs, site(), names)
