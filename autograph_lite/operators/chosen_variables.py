"""`(a if x > 0 else b).value`: attributes of a variable that only the running graph knows.

What a staged block gives of different variables is the value that they hold there.
"""
from __future__ import annotations

from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.graph import Value
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph
from ..ops.calls import no_attribute
from ..ops.control_flow import COND
from ..ops.variables import READ


def of_chosen_variable(x: Tensor, name: str) -> Any:
    """An attribute of a variable that a staged block has chosen.

    Args:
      x: the value; it may stand for variables.
      name: an attribute that arrays have not.

    Raises:
      AttributeError: variables have no such attribute either.
      OwnershipError: one of the variables was assigned to since.
      StagingError: the value does not tell.
    """
    if name not in _OF_VARIABLES:
        raise no_attribute(x, name)
    if name in _READING and _is_of_variables(x.read()):
        return _value(x) if name == 'value' else lambda: _value(x).copy()
    if name in _READING:
        fix = 'Leave it out: what a branch or a loop gives of a variable is its value.'
    elif name.startswith('assign'):
        fix = 'Do it where the variable is known: `if x > 0: a.assign(y)`, `else: b.assign(y)`.'
    else:
        pairs = f"(a, a.{name}) if x > 0 else (b, b.{name})"
        fix = f"Choose it beside the variable: `v, {name} = {pairs}`."
    raise asked_of_chosen(f'`.{name}` is', fix)


def asked_of_chosen(what: str, fix: str) -> StagingError:
    """The error for what the value of a variable does not tell.

    Args:
      what: what is asked, with its verb.
      fix: what to write instead.
    """
    what += ' asked of a variable that a branch or a loop has chosen, of which the graph has the '
    return StagingError(describe(f'{what}value alone.', user_location(), fix))


def is_chosen_variable(x: Any) -> bool:
    """Whether it stands for a variable whatever the branches choose."""
    return isinstance(x, Tensor) and x.may_be_state and _is_of_variables(x.read())


_READING = ('value', 'numpy')
_OF_VARIABLES = (*_READING, 'assign', 'assign_add', 'assign_sub', 'is_set', 'name', 'trainable')


def _value(x: Tensor) -> Tensor:
    graph = current_graph()
    assert graph is not None
    return Tensor(graph.local(x.read()), (Storage(graph, 'the value of a variable'),))


def _is_of_variables(value: Value) -> bool:
    """Whether branches alone have chosen it, and each gives a variable."""
    node = value.node
    if node is None or node.op not in (READ, COND):
        return False
    index = node.outputs.index(value)
    return all(_is_of_variables(graph.outputs[index]) for graph in node.graphs.values())
