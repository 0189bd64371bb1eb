"""Variables of modules, and of functions around the traced one, that traced code sets.

    global total
    total = total + x

While such code is traced they hold what it sets them to. The graph reads them where it begins, and
sets them where the code does; when tracing ends they are what they were.
"""
from __future__ import annotations

from collections.abc import Callable, Container, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from ..errors import user_frame
from ..graph.graph import Graph, Node, Value
from ..graph.part_names import part_name
from ..graph.storage import Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, site
from ..graph.types import TensorType, type_of
from ..ops.outer_variables import READ_OUTER, UNSET, settled
from ..pyct.asking import attributes
from .guards import is_recorded, record, record_type
from .holders import Holder
from .later_reads import LaterReads
from .leaves import enclosing
from .outer_sets import find_lists, note_arrays, set_variable
from .outside import handing, rebound, world_now
from .outside_errors import (
    looked_at,
    read_after_change,
    set_by_python,
)
from .places import Place
from .set_variables import (
    Variable,
    may_set,
    names_set_by,
    sets_itself,
    variables_within_reach,
)
from .staging import graph_now, identifier
from .unbound import NOTHING, Unbound

_NUMBERS = (int, float, complex)


def read(place: Place, value: Any, guarded: Place | None = None) -> Any:
    """What a variable outside is for the traced code: an input of the graph if that may set it.

    Args:
      place: the variable.
      value: what it holds.
      guarded: for an attribute or an item, where it can be read again.

    Raises:
      OwnershipError: a Python function has set it that the running graph calls.
    """
    world = rebound()
    if world is None or world.known(place.where) is None:
        value = settled(place.where, value)
    if world is not None and place.where in world.foreign:
        raise set_by_python(place.name)
    known = None if world is None else world.known(place.where)
    if world is not None and known is not None:
        _check_current(known)
        if not world.is_as_seen(known):
            from .set_by_python import tell_what_python_set  # which tells by what is here

            tell_what_python_set()
        if world.reads and world.bindings.has_list(place.where, graph_now()):
            from .held_lists import stand_in  # which reads what is outside

            return stand_in(known)
        world.note_look_at(known)
    if world is None or not world.may_read(place.where):
        return value
    variable = world.known(place.where)
    assert variable is not None
    if place.where in world.inputs:
        return value if variable.path else world.inputs[place.where][0]
    type_ = type_of_input(value)
    if type_ is None:
        return value
    graph = _root()
    attrs = {'variable': world.outer(variable), 'type': type_}
    node = Node(READ_OUTER, (), attrs, site=site())
    node.outputs = (Value(graph, type_, graph.unique(identifier(variable.shown)), node),)
    memory = Storage(graph, f'the captured array {variable.shown!r}', is_lent=True)
    tensor = Tensor(node.outputs[0], (memory,))
    world.note_read(variable, tensor, node)
    record_type(guarded or place, type_)
    return tensor


def _check_current(variable: Variable) -> None:
    """The variable is what it is in the blocks that are traced: none has it in a parameter.

    The text of a block does not tell that it runs code of a property, or of an operator.

    Raises:
      OwnershipError: one has.
      TracedAnew: one has a list, which the running graph might find there.
    """
    name = str(variable.name)
    having: list[CodeType] = []
    frame = user_frame()
    while frame is not None:
        code = frame.f_code
        if name in code.co_varnames[: code.co_argcount]:
            having.append(code)
        if having and sets_itself(name, code) and any(is_in(each, code) for each in having):
            find_lists(variable, variable.read())
            raise looked_at(name)
        frame = frame.f_back


def is_in(code: CodeType, outer: CodeType) -> bool:
    """Whether the code of a function is within that of another one."""
    inner = [const for const in outer.co_consts if isinstance(const, CodeType)]
    return any(each is code or is_in(code, each) for each in inner)


def is_set_here(key: Any, type_: TensorType) -> bool:
    """Whether the code that reads an attribute sets one of that name, too.

    Not so for arrays, which it may modify in place.
    """
    frame = user_frame()
    if type_.kind == 'array' or frame is None or not isinstance(key, str):
        return False
    code = frame.f_code
    while True:
        if key in names_set_by(code):
            return True
        while frame is not None and not is_in(code, frame.f_code):
            frame = frame.f_back
        if frame is None:
            return False
        code = frame.f_code


def type_of_input(value: Any) -> TensorType | None:
    """The type of what a graph reads; None for what is guarded, such as a flag or a text."""
    if type(value) in _NUMBERS or type(value) is np.ndarray or isinstance(value, np.number):
        return type_of(value)
    return None


def _root() -> Graph:
    graph = current_graph()
    assert graph is not None
    while graph.parent is not None:
        graph = graph.parent
    return graph


def tell(place: Place, passed: bool) -> bool:
    """The traced code has set a variable; whether it is one outside.

    Args:
      place: the variable.
      passed: whether it holds what a block was passed for it, or gave back: the graph knows.
    """
    world = rebound()
    variable = None if world is None else world.known(place.where)
    if world is None or variable is None:
        return False
    _check_current(variable)
    tell_of(variable, passed)
    return True


def tell_of(variable: Variable, passed: bool = False) -> None:
    """The same, of one that is known to live outside."""
    world = rebound()
    assert world is not None
    known = handing()
    if known is not None and variable not in world.changed:
        # Modified in place, and never set to anything else, it is the array that it was.
        array = known.array_of(variable.read())
        passed = passed or (array is not None and array is world.before(variable.where))
    world.note_set(variable, passed)
    if not passed:
        world.foreign.discard(variable.where)
        set_variable(variable)


def variables_holding(tensors: Container[int]) -> list[VariablePlace]:
    """The variables outside that hold tensors of these identities."""
    world = rebound()
    held = [] if world is None else world.all_held
    return [
        place_of_variable(variable) for variable in held
        if id(variable.read()) in tensors and not is_found_by_graph(variable.where)]


def called_back(f: Callable[..., Any]) -> LaterReads:
    """The running graph calls a Python function here.

    Returns:
      What it is not to change, which grows until the trace ends.

    Raises:
      OwnershipError: it sets a variable that the next turn of a loop reads.
    """
    world, graph = rebound(), current_graph()
    later = LaterReads()
    if world is not None:
        if any(each.parent and each.name not in ('true', 'false') for each in enclosing(graph)):
            later.include(world.reads_so_far)
        if graph is not None and graph.parent is not None:  # it has them in parameters
            world.note_variables(later)
        world.calls.append(later)
    f = getattr(f, '__func__', f)
    if world is None or not isinstance(f, FunctionType):
        return later
    parts = [each for each in world.parts if may_set(f, each)]
    for variable in (*variables_within_reach(f, set()), *parts):
        world.foreign.add(variable.where)
        is_used = variable.where in world.now or is_recorded(variable.where)
        if is_used and any(each.name == 'body' for each in enclosing(graph)):
            raise set_by_python(variable.shown)
    return later


def as_before() -> AbstractContextManager[None]:
    """Inside, variables outside are what they are for others than the trace."""
    world = rebound()
    return nullcontext() if world is None else world.let_be()


def inputs() -> list[tuple[Tensor, Node]]:
    """What stands for the arrays outside that the graph reads when it begins, and what reads them.
    """
    world = rebound()
    found = [] if world is None else world.inputs.values()
    return [(tensor, node) for tensor, node in found if tensor.type.kind == 'array']


def place_reads(graph: Graph) -> None:
    """Lets the graph begin with what it reads of variables outside."""
    world = rebound()
    assert world is not None
    graph.nodes[:0] = [node for _, node in world.inputs.values()]


@dataclass(frozen=True, eq=False)
class VariablePlace(Holder):
    """A variable outside, as state of a staged block that calls what sets it.

    Its `owner` is the `Variable`.
    """

    def held(self) -> Any:
        """What it is at this point of the trace."""
        return self._value()

    def _value(self) -> Any:
        variable: Variable = self.owner
        check_known(variable.holder, variable.name)
        value = variable.read()
        place = Place(variable.read, variable.where, variable.shown)
        found = _missing(variable) if value is UNSET else read(place, value)
        if (found is value or value is UNSET) and not variable.path:
            record(place, value)  # a block joins what it sets with what was there
        return found

    def put(self, value: Any) -> None:
        """Lets it hold a value; the graph knows."""
        for other in self.others:
            other.put(value)
        variable: Variable = self.owner
        world = rebound()
        assert world is not None
        variable.put(UNSET if isinstance(value, Unbound) and value.there is NOTHING else value)
        world.note_set(variable, passed=True)
        note_arrays(variable)

    def held_by_each(self) -> list[Any]:
        """What it holds, and whether the trace has set it."""
        world = rebound()
        assert world is not None
        others = (other.held_by_each() for other in self.others)
        return [self.owner.held(), world.now.get(self.identity), *others]

    def put_back(self, values: Sequence[Any]) -> None:
        """Lets it be again what `held_by_each` gave."""
        value, count, *more = values
        world = rebound()
        assert world is not None
        self.owner.put(value)
        world.note_seen(self.owner)
        world.now.pop(self.identity, None)
        if count is not None:
            world.now[self.identity] = count
        for other, held in zip(self.others, more, strict=True):
            other.put_back(held)

    @property
    def identity(self) -> Any:
        """Equal for two places that are the same."""
        return self.owner.where

def check_known(container: Any, key: Any) -> None:
    """The running graph has not changed a container of which an item is read.

    Raises:
      OwnershipError: it has.
    """
    world = rebound()
    if world is None or world.in_place.is_set(container, key):
        return
    if id(container) in world.in_place.changed:
        raise read_after_change(container)


def variable_at(where: Hashable) -> Variable | None:
    """The variable outside that is there, if traced code may set it."""
    world = rebound()
    return None if world is None else world.known(where)


def has_itself(x: Any, name: str) -> bool:
    """Whether an object has an attribute since before the trace, and does not read it of its class.
    """
    variable = variable_at((name, id(x)))
    return name in attributes(x) if variable is None else not variable.is_of_class


def is_told_of(f: FunctionType, number: int) -> bool:
    """Whether a variable of a function around it is one that code tells of when it sets it."""
    cell = (f.__closure__ or ())[number]
    return variable_at((f.__code__.co_freevars[number], id(cell))) is not None


def variables_changed() -> Sequence[Variable]:
    """The variables outside that the traced code has changed so far, each as often as it did."""
    world = rebound()
    return [] if world is None else world.changed


def is_chosen(where: Hashable) -> bool:
    """Whether a variable outside holds what a branch or a loop has made of several things."""
    world = rebound()
    return world is not None and world.known(where) is not None and world.is_chosen(where)


def is_set(where: Hashable) -> bool:
    """Whether a variable outside holds what the traced code has set it to, at this point of it."""
    world = rebound()
    return world is not None and where in world.now


def is_found_by_graph(where: Hashable) -> bool:
    """Whether the running graph finds a list in a variable outside, which no block is passed."""
    world = rebound()
    return world is not None and world.bindings.are_of(where)


def is_set_to(where: Hashable, value: Any) -> bool:
    """Whether a value is what the traced code has set a variable outside to."""
    world = rebound()
    return world is not None and any(value is each for each in world.set_to.get(where, ())[1:])


def place_of_variable(variable: Variable) -> VariablePlace:
    """The variable as state of a staged block."""
    return VariablePlace(variable, None, variable.shown)


def was_before_trace(place: VariablePlace) -> bool:
    """Whether nothing that the traced code has made has the variable."""
    holder = place.owner.holder
    world = world_now()
    return (
        id(holder) not in world.rebound.objects and id(holder) not in world.rebound.new
        and id(holder) not in world.own_cells)


def _missing(variable: Variable) -> Unbound:
    """What stands for a variable that is not there."""
    owner = variable.owner or variable.holder
    return Unbound(
        part_name(variable.path, owner, variable.name) if variable.path else variable.shown)
