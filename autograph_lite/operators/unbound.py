"""A value for a name that has none yet, so that it can be passed and returned like any other."""
from __future__ import annotations

import copy
from typing import Any

from ..errors import UnboundError, describe, user_location
from ..graph.graph import Graph
from ..graph.part_names import PartName
from ..graph.state import State
from ..graph.tensor import Tensor
from ..graph.tracing import constant, current_graph, emit_one, site, unwrap
from ..graph.types import python_scalar
from ..ops.control_flow import IS_MISSING, MISSING, NOT
from .reentry import cond


class NotYetError(UnboundError):
    """A turn of a loop reads a variable of which only a later turn may know the type."""


class _Nothing:
    """What is there where a name certainly has no value."""

    def __repr__(self) -> str:
        return 'nothing'


NOTHING = _Nothing()


class Unbound(State):
    """What a name holds where plain Python may have nothing: reading it is an error then.

    Attributes:
      name: the user's name; empty for a name that only generated code uses, under a flag.
      why: which way left the name without a value, where that is known while tracing.
      block: where it is known: a block inside may run only where the name has a value.
      there: what is there unless the value is missing at run time: a tensor, or what is no array.
      reads: in a loop that may yet find its type, takes the errors for where it is read.
      optional: whether what is there may be None, too.
      shared: whether what is there may have another name, and so is modified no more.
    """

    __slots__ = ('block', 'name', 'optional', 'reads', 'shared', 'there', 'why')

    def __init__(
        self,
        name: str,
        why: str = '',
        there: Any = NOTHING,
        reads: list[UnboundError] | None = None,
        optional: bool = False,
        block: Graph | None = None,
        shared: bool = False,
    ) -> None:
        self.name = name
        self.why = why
        self.there = there
        self.reads = reads
        self.optional = optional
        self.shared = shared
        self.block = block or current_graph()

    @property
    def value(self) -> Any:
        """The value, where the name is read.

        Raises:
          UnboundError: it has none.
        """
        found = value_of_name(self)
        if self.shared:
            from .watched import watch  # it needs what is here

            watch(found)
        return found

    @property
    def tensor(self) -> Tensor | None:
        """In a graph, the tensor that is there unless the value is missing at run time.

        A result under a flag is read only where it was the last thing to be given a value: what
        other ways do to its memory does not matter.
        """
        if not isinstance(self.there, Tensor):
            return None
        if self.name:
            return self.there
        return type(self.there)(self.there.held, self.there.memory)

    @property
    def is_bound(self) -> Any:
        """Whether it has a value; a symbolic bool where only the running graph knows.

        Raises:
          UnboundError: nothing tells.
        """
        if self.tensor is None or (self.name and self.optional):
            return False if self.there is NOTHING else bool(self.value)
        return emit_one(NOT, [is_missing(self.tensor)])

    def holding(self, there: Any) -> Unbound:
        """The same, of what may be there."""
        return Unbound(
            self.name, self.why, there,
            optional=self.optional, block=self.block, shared=self.shared,
        )  # fmt: skip

    def as_variable(self) -> Unbound:
        """The same where plain Python, which finds nothing there, does not raise."""
        found = self.holding(self.there)
        found.name, found.reads = str(self.name), self.reads
        return found

    def untold(self) -> Unbound:
        """The same where nothing is known of what is there, nor why there may be nothing."""
        return Unbound(self.name, optional=self.optional, shared=self.shared)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:
        if self.there is NOTHING:
            return self
        return cond(self.is_bound, lambda: copy.deepcopy(self.value), lambda: unbound(self.name))

    def __repr__(self) -> str:
        return f'<{self.name or "a result"} is unbound>'

    def __bool__(self) -> bool:
        return bool(self.value)

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.value, name)


def is_missing(x: Tensor) -> Tensor:
    """Whether a value that may be missing is; a symbolic bool."""
    from .known import root

    graph = current_graph()
    assert graph is not None, 'asked outside a trace'
    value = x.read()
    made = root(value).node
    if made is not None and made.op is MISSING:
        return constant(True)
    value = graph.local(value)
    node = graph.add(IS_MISSING, [value], {'type': python_scalar(bool)}, site=site())
    return Tensor(node.outputs[0])


def unbound(name: str = '') -> Any:
    """A value for the name that has none yet."""
    return Unbound(name)


def value_of_name(value: Unbound) -> Any:
    """The value of a name; where only the running graph can know whether it has one, checked there.

    Raises:
      UnboundError: it has none.
      AttributeError: an object has no such attribute, and no way that leads here gives it one.
      KeyError: the same of a dict outside.
    """
    is_told = value.why and value.block is current_graph()
    if value.tensor is not None and not is_told and not (value.name and value.optional):
        return unwrap(value.tensor, value.name, sure=not value.name)
    if value.there is not NOTHING and not value.name:
        return value.there
    message = describe(
        f'{value.name!r} is read here, but {value.why or _why(value)}.',
        user_location(),
        f'Give {value.name!r} a value on every way that leads here.',
    )
    is_early = value.reads is not None and not value.why
    is_certain = value.there is NOTHING and not value.why
    if is_certain and not is_early and isinstance(value.name, PartName):
        raise value.name.error(value.name.argument)
    error = NotYetError(message) if is_early else UnboundError(message)
    if isinstance(value.name, PartName):
        error.in_python = value.name.error
    elif value.name.isidentifier():
        error.in_python = UnboundLocalError
    if value.reads is not None and is_early:
        value.reads.append(UnboundError(message))
        raise error
    error.certain = is_certain
    raise error


def _why(value: Unbound) -> str:
    if value.there is NOTHING:
        return 'it has no value yet'
    if value.optional:
        return 'it may have no value, or be None: a graph does not tell which'
    return 'it has no value on some of the ways that lead here'
