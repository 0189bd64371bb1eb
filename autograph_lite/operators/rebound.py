"""What a trace does with variables that live outside: which it has set, and which it reads."""
from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..errors import Location, OwnershipError
from ..graph import nest
from ..graph.graph import Graph, Node, Value
from ..graph.tensor import Tensor
from ..ops.new_objects import NewObject
from ..ops.outer_variables import (
    SET_OUTER,
    UNSET,
    OuterVariable,
    held_for_others,
    hold,
    let_go,
    tracing_sets,
)
from .bindings import Bindings
from .in_place import InPlace
from .later_reads import LaterReads
from .places import Place
from .set_variables import Variable

# What tracing knows of a value that a variable is set to: that it is a Python value; that the graph
# computes it; that it is there already, or the graph has made it; that it is a container that each
# call makes; that it is an object, which Python sets while tracing; that no graph can set it.
STATIC, STAGED, GIVEN, NEW, OBJECT, UNFIT = 'static', 'staged', 'given', 'new', 'object', 'unfit'

# What is raised where something is modified: what it is, and where it was to be left as it is.
Error = Callable[[Any, Location | None], OwnershipError]


class Rebound:
    """The variables outside that a trace sets or, because it or a later one may, reads at a run.

    Args:
      read: takes the names of those that the graph reads; None if it may read none, so that what
        they are is guarded.

    Attributes:
      now: which of them the traced code has set, at this point of the trace, and by which of all
        its assignments.
      foreign: those that Python functions set which the running graph calls.
      told: those that it has set anywhere, as it told, and what to.
      parts: the attributes and items that traced code sets.
      seen: what each of them holds, unless code has set it that Python runs as it is.
      noted: all that it has set so far, each as often as it did.
      changed: of these, those that it has set other than to what blocks were passed or gave back.
      set_to: of these, what to, one after the other.
      kept: of these, those that Python sets while tracing, and no graph.
      arrays: those that it has set to arrays, and these.
      known_arrays: of each graph, what its operations have set them to.
      made: those that it has set to containers which each call makes, and what these held then.
      new: those containers, and what can change in them, by identity.
      objects: the objects that the graph makes and puts outside, by identity of what they are while
        tracing: that, and what stands for it in the graph.
      found: objects that code has given which is not converted, by identity.
      functions: those that close over variables and that it has put outside, by identity; where.
      given: what it has put into containers outside, or is to leave as it is, what that held then,
        where, in which graph, and the error of changing it.
      in_place: the containers outside that the graph changes by their methods.
      bindings: when the graph sets those that it finds lists in.
      inputs: what stands for those that the graph reads, and what reads them.
      expected: attributes and items that the traced code was found to set after it read them.
      places: of dicts and dataclasses outside, by identity, where they were found.
      fixed: those that it has read as they are while tracing.
      reads_so_far: all that it has read from outside.
      calls: for each Python function that the running graph calls, what is read after it.
    """

    def __init__(self, read: list[str] | None, expected: Collection[Hashable] = ()) -> None:
        self.expected = expected
        self.places: dict[int, Place] = {}
        self.fixed: set[Hashable] = set()
        self.reads_so_far = LaterReads()
        self.calls: list[LaterReads] = []
        self.parts: list[Variable] = []
        self._of: dict[int, set[Any]] = {}
        self._read = read
        self._outer: dict[Hashable, OuterVariable] = {}
        self._held: dict[Hashable, tuple[Variable, Any, bool]] = {}
        self.now: dict[Hashable, int] = {}
        self.foreign: set[Hashable] = set()
        self.told: dict[Hashable, Any] = {}
        self.seen: dict[Hashable, Any] = {}
        self.noted: list[Variable] = []
        self.changed: list[Variable] = []
        self.set_to: dict[Hashable, list[Any]] = {}
        self.kept: set[Hashable] = set()
        self.arrays: list[tuple[Variable, Tensor]] = []
        self.known_arrays: dict[Graph, dict[Hashable, list[Value]]] = {}
        self.new: dict[int, Any] = {}
        self.made: dict[Hashable, tuple[Any, list[Any], nest.Structure, Graph]] = {}
        self.objects: dict[int, tuple[Any, NewObject]] = {}
        self.found: dict[int, Any] = {}
        self.functions: dict[int, tuple[Any, Location | None]] = {}
        self.given: list[tuple[Any, Any, Location | None, Graph, Error]] = []
        self.in_place = InPlace(expected)
        self.bindings = Bindings(expected)
        self.inputs: dict[Hashable, tuple[Tensor, Node]] = {}

    def known(self, where: Hashable) -> Variable | None:
        """The variable, if traced code may set it: it holds what is traced."""
        return self._held[where][0] if where in self._held else None

    @property
    def all_held(self) -> list[Variable]:
        """The variables that hold what is traced."""
        return [variable for variable, *_ in self._held.values()]

    def keys_of(self, owner: Any) -> frozenset[Any]:
        """The attributes or items of something that traced code may set."""
        return frozenset(self._of.get(id(owner), ()))

    @property
    def reads(self) -> bool:
        """Whether the graph may read variables."""
        return self._read is not None

    def of_the_graph(self) -> Collection[Hashable]:
        """Which of them the graph has read or set so far."""
        return frozenset(
            where for where, (variable, *_) in self._held.items()
            if where in self.now or isinstance(variable.read(), Tensor))

    def may_read(self, where: Hashable) -> bool:
        """Whether the graph may read the variable, since nothing has set it so far."""
        return self._read is not None and where in self._held and where not in self.now

    def note_look(self, key: Hashable, name: str, read: Callable[[], Any]) -> None:
        """Something outside is read: see `LaterReads.add`."""
        for each in (self.reads_so_far, *self.calls):
            each.add(key, name, read)

    def note_look_at(self, variable: Variable) -> None:
        """One of the variables is read."""
        self.note_look(variable.where, variable.shown, self.outer(variable).get)

    def note_variables(self, later: LaterReads) -> None:
        """All variables of modules and functions may be read after a call."""
        for variable in self.all_held:
            if not variable.path:
                later.add(variable.where, variable.shown, self.outer(variable).get)

    def note_read(self, variable: Variable, tensor: Tensor, node: Node) -> None:
        """A tensor stands for a variable that a node reads."""
        assert self._read is not None
        self._read.append(variable.shown)
        self.inputs[variable.where] = tensor, node

    def outer(self, variable: Variable) -> OuterVariable:
        """What the graph reads and sets."""
        _, holder = self.objects.get(id(variable.holder), (None, variable.holder))
        made = OuterVariable(variable.shown, holder, variable.name, variable.where)
        return self._outer.setdefault(variable.where, made)

    def note_set(self, variable: Variable, passed: bool) -> None:
        """The traced code has set the variable, which holds what it was set to.

        Args:
          variable: which one.
          passed: whether that is what a block was passed for it, or gave back.
        """
        if not passed:
            self.changed.append(variable)
            self.set_to.setdefault(variable.where, [self.before(variable.where)]).append(
                variable.read())
        self.noted.append(variable)
        self.now[variable.where] = len(self.noted)
        self.told[variable.where] = variable.read()
        self.note_seen(variable)

    def held(self, where: Hashable) -> Any:
        """What a variable is at this point of the trace."""
        return self._held[where][0].read()

    def before(self, where: Hashable) -> Any:
        """What a variable was when the trace began."""
        return self._held[where][1]

    def outside(self, where: Hashable) -> Any:
        """What the holder of a variable is to have itself for others than the trace."""
        variable, before, is_first = self._held[where]
        value = held_for_others(where) if is_first else before
        return UNSET if variable.is_of_class and value is before else value

    def is_chosen(self, where: Hashable) -> bool:
        """Whether a variable holds what a branch or a loop has made of what it was set to."""
        value = self.held(where)
        return all(value is not each for each in self.set_to.get(where, [value]))

    def is_as_told(self, where: Hashable) -> bool:
        """Whether a variable holds what the code has told of, and nothing that it did not tell of.

        An `import` sets a variable, too.
        """
        return self.held(where) is self.told[where]

    def hold(self, variable: Variable, before: Any) -> None:
        """From now on the variable holds what is traced: nobody else's graph sets it."""
        if not self._held:
            tracing_sets.acquire()
        where = variable.where
        if variable.path:
            self.parts.append(variable)
            self._of.setdefault(id(variable.holder), set()).add(variable.name)
        others = self.in_place.before_python(variable.holder, variable.name, before)
        self._held[where] = variable, before, hold(where, others)

    def note_restored(self, variable: Variable) -> None:
        """The variable holds what it held before a block."""
        if variable.where in self.told:
            self.told[variable.where] = variable.read()
        self.note_seen(variable)

    def note_seen(self, variable: Variable) -> None:
        """What the variable holds now traced code knows of."""
        self.seen[variable.where] = variable.held()

    def is_as_seen(self, variable: Variable) -> bool:
        """Whether it holds that still, if it has been seen."""
        held = variable.held()
        return held is self.seen.get(variable.where, held)

    @contextmanager
    def let_be(self) -> Iterator[None]:
        """Inside, the variables are what they are for others; what is set there is forgotten."""
        held = self.all_held
        traced = [variable.held() for variable in held]
        for variable in held:
            variable.put(self.outside(variable.where))
        try:
            yield
        finally:
            for variable, value in zip(held, traced, strict=True):
                variable.put(value)

    def release(self) -> None:
        """What the graph sets is again what it was before, and nothing is held any more."""
        held = self._held
        try:
            for where, (variable, _, is_first) in held.items():
                if (where in self.told or variable.path) and where not in self.kept:
                    variable.put(self.outside(where))
                if is_first:
                    let_go(where)
        finally:
            self._held, self._of, self.parts = {}, {}, []
            if held:
                tracing_sets.release()


def sets_of(graph: Graph) -> dict[Hashable, list[Node]]:
    """The operations that set each variable outside."""
    found: dict[Hashable, list[Node]] = {}
    for node in graph.walk():
        if node.op is SET_OUTER:
            found.setdefault(node.attrs['variable'].where, []).append(node)
    return found


def without(graph: Graph, nodes: Iterable[Node]) -> None:
    """Takes operations out of a graph."""
    gone = {id(node) for node in nodes}
    graphs = [graph, *(inner for node in graph.walk() for inner in node.graphs.values())]
    for each in graphs:
        each.nodes = [node for node in each.nodes if id(node) not in gone]
