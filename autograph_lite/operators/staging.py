"""What every staged construct shares: conditions, and captures that agree between subgraphs."""
from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import CodeType
from typing import Any

from ..errors import AutographError, StagingError, describe, is_package, user_location
from ..graph import dispatch, nest
from ..graph.checkpoints import Checkpoint
from ..graph.graph import Graph, Node, Op, Value
from ..graph.names import stored_name
from ..graph.sites import CodeSite
from ..graph.state import asked
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, is_tracing, site
from ..pyct.asking import get_attribute
from .reentry import cond


class AmbiguousTruthError(StagingError, ValueError):
    """The truth value of an array with more than one element, or none, as NumPy calls it."""


def truth(x: Tensor) -> Tensor:
    """The tensor itself, if it can be a condition.

    Raises:
      StagingError: it has more than one element, or none (also a ValueError, as in NumPy).
    """
    shape = x.type.shape or ()
    if all(n in (1, None) for n in shape):
        return x
    what, fix = _SEVERAL
    if 0 in shape:
        what, fix = _EMPTY
    raise AmbiguousTruthError(
        describe(
            f'The truth value of {what} is ambiguous; the condition is {x.type}.',
            user_location(),
            fix,
        )
    )


_SEVERAL = (
    'an array with more than one element',
    'Write `np.any(...)` or `np.all(...)`, or choose element by element with `np.where(...)`.')
_EMPTY = 'an empty array', 'Write `x.size > 0` to ask whether there are elements.'


def condition(x: Any) -> Any:
    """What tells whether a value is true: of a list its length, of what may be None whether it is.

    Anything else is itself; a tensor with one element is a condition as it stands.
    """
    x = nest.actual(x) if isinstance(x, nest.Nest) else asked(x)
    if is_tracing():
        x = dispatch.FALLBACKS['truth'](x)
    own = getattr(type(x), 'as_condition', None)
    if own is None:
        return x
    if isinstance(x, Tensor) and x.type.maybe:  # a text or a list that may be None
        from .is_none import is_none

        return cond(is_none(x), lambda: 0, lambda: own(x))
    return own(x)


class staging:
    """Errors in the block get a note of what was being staged, on Pythons that have notes.

    Where it is begun anew, what was handled in it is not what the user's code handles.
    """

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        self._handled = sys.exc_info()[1]

    def __exit__(self, kind: Any, error: BaseException | None, traceback: Any) -> None:
        if error is None:
            return
        if is_package(kind.__module__) and not isinstance(error, AutographError):
            _forget(error, self._handled)
        if getattr(error, '__notes__', None):
            return
        location = user_location()
        add_note = getattr(error, 'add_note', None)
        if add_note is not None and location is not None:
            add_note(f'while staging {self._what} at line {location.line}')


def _forget(error: BaseException, handled: BaseException | None) -> None:
    """What the user's code handled where the library's own exception came up, but not around."""
    before = error.__context__
    while before is not handled and before is not None:
        if not is_package(type(before).__module__):
            error.__context__ = handled
            return
        error, before = before, before.__context__


def graph_now() -> Graph:
    """The graph that is being traced."""
    graph = current_graph()
    assert graph is not None, 'staging outside a trace'
    return graph


def changes_since(start: Checkpoint) -> bool:
    """Whether what was staged since then has effects, or changes in place what was there before."""
    return any(node.effect for node in graph_now().nodes[start.nodes :]) or modifies_since(start)


def modifies_since(start: Checkpoint) -> bool:
    """Whether what was staged since then changes in place what was there before."""
    made: set[Value] = set()
    for node in graph_now().nodes[start.nodes :]:
        older = [value for value in node.inputs if value not in made]
        made.update(node.outputs)
        updated = [inner.inputs[0].type for inner in node.inside() if inner.op.updates]
        if node.op.updates and node.inputs[0] in older:
            return True
        if any(value.type in updated for value in older):
            return True
    return False


def parameter_names(function: Callable[..., Any], skip: int, size: int) -> Sequence[str]:
    """What the user calls the state that a function takes, as far as its parameters tell."""
    code = get_attribute(function, '__code__')
    names = code.co_varnames[skip : code.co_argcount] if code else ()
    return [_of_variable(name, code) for name in names] if len(names) == size else ()


def _of_variable(name: str, code: CodeType) -> str:
    """What other code may look at comes in by a numbered name, and goes to the variable itself."""
    variable = name.rstrip('0123456789').removesuffix('_')
    return variable if variable in code.co_freevars else name


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


# What has no name of the user's: what a function returns, or an expression gives.
UNNAMED = 'the result'


def is_made(name: str) -> bool:
    """Whether only generated code has the name: the converter writes `<result>` for it."""
    return name.startswith('<')


def shown(name: str, is_returned: bool = False) -> str:
    """A place as messages call it."""
    made, _, part = name[1:].partition('>') if is_made(name) else ('', '', name)
    if made.startswith('result') or (is_returned and name.startswith(UNNAMED)):
        return 'what is returned' + part.removeprefix(UNNAMED)
    return f'a value{part}' if made else name


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


def unchanged(*operands: Any) -> Any:
    """The branch that does nothing: one operand itself, several as a tuple, None for none."""
    if len(operands) == 1:
        return operands[0]
    return operands or None
