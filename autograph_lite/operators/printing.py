"""`print`: when the graph runs, where a tensor is among what it prints."""
from __future__ import annotations

import builtins
import io
import sys
from collections.abc import Sequence
from typing import Any

from ..converters.callees import is_of_library
from ..graph import nest
from ..graph.dispatch import replaces
from ..graph.given import Weakly
from ..graph.graph import Attrs, Graph
from ..graph.state import State, valued
from ..graph.tensor import Tensor
from ..graph.tracing import emit, held_value, is_tracing, not_tracing
from ..graph.trials import once_settled
from ..ops.effects import OPTIONS, PRINT, PRINTED, Display
from ..replay import is_silent
from .anew import is_in_vain
from .effects import part_of
from .files import check_printed, printed_file
from .iterables import Range
from .outside import lives_outside
from .own_methods import own_method
from .staging import graph_now
from .text import text
from .text_forms import form_of


def print(
    *values: Any, sep: Any = ' ', end: Any = '\n', file: Any = None, flush: Any = False
) -> None:
    """Prints the values when the graph runs, at every call; outside a graph, at once.

    Of a variable, alone or in a list, tuple or dict, it prints the value; `str(v)` and `repr(v)`
    describe the variable, with its name.

    Raises:
      StagingError: the traced function has made the file, or redirects `sys.stdout` to it.
    """
    if is_tracing():
        attrs, inputs = _attributes(values, sep, end, flush)
        _emit(attrs, inputs, file)
    elif not is_silent():
        shown = [_printed(x) for x in values]
        builtins.print(*shown, sep=sep, end=end, file=file, flush=flush)


def _printed(value: Any) -> Any:
    """What is printed for a value outside of a graph."""
    if isinstance(value, State):
        return valued(value)
    if type(value) in (tuple, list, dict) and _holds_state(value):
        return nest.map_children(_printed, value)
    return value


def _holds_state(value: Any) -> bool:
    return any(isinstance(leaf, State) for leaf in nest.flatten(value)[0])


@replaces(builtins.print)
def print_(
    *values: Any, sep: Any = ' ', end: Any = '\n', file: Any = None, flush: Any = False
) -> None:
    """`print(...)`; when the graph runs, at every call, where a tensor is among what it prints.

    Raises:
      StagingError: the traced function has made the file, or redirects `sys.stdout` to it.
    """
    if not is_tracing():
        builtins.print(*values, sep=sep, end=end, file=file, flush=flush)
        return
    told = [_as_told(x) for x in values]
    attrs, inputs = _attributes(told, sep, end, flush)
    for leaf in nest.flatten(told)[0] if inputs else ():
        if not isinstance(leaf, Tensor) and is_of_library(type(leaf)):
            str(leaf)  # which is refused where it holds tensors
    if inputs:
        _emit(*_attributes([*map(_as_it_is, told)], sep, end, flush), file)
        return
    shown, written = [*map(_known, attrs['parts'])], io.StringIO()
    with not_tracing():
        builtins.print(*shown, sep=sep, end=end, file=written)
    given = sys.stdout if file is None else file

    def show() -> None:
        if not is_in_vain():
            builtins.print(written.getvalue(), end='', file=given, flush=flush)

    if graph_now().parent is None:
        once_settled(show)
    else:
        check_printed(given)
        # Of the rounds in which a block is traced, the last one counts.
        graph_now().add(PRINTED, [], {'show': show})


def print_traced(graph: Graph) -> None:
    """Prints what the blocks of a graph print while tracing, and takes it out of the graph."""
    nodes, graph.nodes = graph.nodes, [node for node in graph.nodes if node.op is not PRINTED]
    for node in nodes:
        if node.op is PRINTED:
            node.attrs['show']()
        for inner in node.graphs.values():
            print_traced(inner)


def _as_told(value: Any) -> Any:
    """The text of what no nest stands for; anything else itself."""
    is_told = isinstance(value, BaseException) or _holds_state(value) or _holds_error(value)
    is_other = form_of(value) is not None and (nest.is_leaf(value) or type(value) is Range)
    return text((value, ord('s'), '')) if is_told or is_other else value


def _holds_error(value: Any) -> bool:
    return any(isinstance(leaf, BaseException) for leaf in nest.flatten(value)[0])


def _as_it_is(value: Any) -> Any:
    """The text of an object that the trace has made, and may change before the graph runs."""
    if own_method(value, '__repr__') is None and own_method(value, '__str__') is None:
        return value
    return value if lives_outside(value) else text((value, ord('s'), ''))


def _known(part: Any) -> Any:
    """A part without tensors."""
    if isinstance(part, Display):
        with not_tracing():
            return nest.unflatten(part.structure, [*map(_known, part.parts)])
    return part() if isinstance(part, Weakly) else part


def _attributes(
    values: Sequence[Any], sep: Any, end: Any, flush: Any
) -> tuple[Attrs, list[Any]]:
    """The attributes of the node that prints, and its inputs."""
    inputs: list[Any] = []
    options = {'sep': sep, 'end': end, 'flush': flush}
    attrs: Attrs = {'parts': [part_of(value, inputs) for value in values]}
    for name, value in options.items():
        if type(value) is not type(OPTIONS[name]) or value != OPTIONS[name]:
            attrs[name] = part_of(value, inputs)
    return attrs, inputs


def _emit(attrs: Attrs, inputs: Sequence[Any], file: Any) -> None:
    kept = printed_file(file)
    attrs |= {} if kept is None else {'file': kept}
    emit(PRINT, inputs, attrs, value_of=held_value)
