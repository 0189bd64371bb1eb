"""The variables of a program: which value each holds, and which are free to hold another."""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from ..graph.graph import Graph, Node, Value
from ..graph.names import base_name, stored_name
from ..ops.control_flow import CAST, COND
from ..ops.ufuncs import UFUNC_OUT
from ..ops.unboxed import ITEMS
from ..optimize.facts import Facts
from .names import Names
from .waiting import Expr


@dataclass
class Cursor:
    """The place in the graph that is being written.

    `node` is None at the end of a graph, where its results are written.
    """

    graph: Graph
    position: int = 0
    node: Node | None = None


class Variables:
    """Hands out variables; one is reused where what it holds is read no more."""

    def __init__(self, graph: Graph, facts: Facts, names: Names, cursor: Cursor) -> None:
        self._facts = facts
        self._names = names
        self._cursor = cursor
        self._hints: dict[Value, str] = {}
        self._overwritten: dict[Value, Value] = {}
        self._home: dict[Value, str] = {}
        self._holder: dict[str, Value | None] = {}
        self._wish: dict[str, str] = {}
        self._latest: dict[str, str] = {}
        self._want: dict[Value, str] = {}
        self._log: list[tuple[str, Value | None]] = []
        self._in_use: list[str] = []
        self._collect_hints(graph)

    # Which value is where.

    def __contains__(self, name: object) -> bool:
        return name in self._wish

    def home(self, value: Value) -> str | None:
        """The variable that a value was assigned to."""
        return self._home.get(self._facts.root(value))

    def holds(self, variable: str, value: Value) -> bool:
        """Whether the variable holds the value now."""
        return self._holder.get(variable) is self._facts.root(value)

    def hold(self, variable: str, value: Value) -> None:
        """The variable holds the value from now on."""
        root = self._facts.root(value)
        self._log.append((variable, self._holder.get(variable)))
        self._holder[variable] = root
        self._home[root] = variable

    def mark(self) -> int:
        """The start of a block that `revert` ends."""
        return len(self._log)

    def revert(self, mark: int) -> list[str]:
        """Takes variables back to what they held at the mark; those that were assigned since."""
        changed = [variable for variable, _ in self._log[mark:]]
        for variable, old in reversed(self._log[mark:]):
            self._holder[variable] = old
        del self._log[mark:]
        return list(dict.fromkeys(changed))

    def forget(self, variables: Iterable[str]) -> None:
        """What was held before a block that assigns the variables, if it runs, is of no use."""
        for variable in dict.fromkeys(variables):
            self._log.append((variable, self._holder.get(variable)))
            self._holder[variable] = None

    # Which variable a value gets.

    def want(self, value: Value, variable: str) -> None:
        """The value is on its way to this variable."""
        self._want.setdefault(self._facts.root(value), variable)

    def wanted(self, value: Value) -> bool:
        """Whether the value could go to the variable that it is on its way to right now."""
        variable = self._want.get(self._facts.root(value))
        return variable is not None and self._usable(variable, value, (), None)

    def new(self, wish: str) -> str:
        """A variable that did not exist."""
        variable = self._names.fresh(wish)
        self._wish[variable] = wish
        self._latest[wish] = variable
        return variable

    def choose(self, value: Value, avoid: Sequence[str] = (), loop: Node | None = None) -> str:
        """The variable for a value that is made now: one that is free, or a new one.

        Args:
          value: the value.
          avoid: variables that it must not be.
          loop: the loop whose state it is, if it is.
        """
        root = self._facts.root(value)
        wish = self.hint(root)
        for variable in (self._want.get(root), self._latest.get(wish)):
            if variable is not None and self._usable(variable, root, avoid, loop):
                return variable
        return self.new(wish)

    def has_wish(self, variable: str, wish: str) -> bool:
        """Whether the variable has this name, perhaps with a number behind it."""
        return self._wish[variable] == wish

    def named_alike(self, variable: str, value: Value) -> bool:
        """Whether the variable has the name that the value would get."""
        return self._wish[variable] == self.hint(value)

    def _usable(
        self, variable: str, value: Value, avoid: Sequence[str], loop: Node | None
    ) -> bool:
        if variable in avoid or variable in self._in_use:
            return False
        holder = self._holder.get(variable)
        if holder is None:
            return True
        if loop is not None and self._facts.captures(loop, holder):
            return False
        here = self._cursor
        # What waited is made before the current node runs, and so before that has read its inputs.
        waited = here.node is not None and value.node is not here.node
        return not self._facts.live_after(holder, here.graph, here.position - waited)

    @contextmanager
    def using(self, exprs: Sequence[Expr], *variables: str) -> Iterator[None]:
        """Inside, no variable is handed out that these expressions, not yet written, read."""
        count = len(self._in_use)
        self._in_use += variables
        for expr in exprs:
            self._in_use += expr.reads
        yield
        del self._in_use[count:]

    # Names.

    def hint(self, value: Value) -> str:
        """What to call the value: as the user does, or by what makes it."""
        if value.node is not None and value.node.op is ITEMS:
            return self.hint(self._facts.origin(value.node.inputs[0])) + '_items'
        return self.user_name(value) or base_name(value)

    def user_name(self, value: Value) -> str | None:
        """What the user calls the value, or what it becomes."""
        later: Value | None = value
        while later is not None:
            node = later.node
            # Control flow, and what is cast for it, is at a statement that assigns something else.
            is_own = node is not None and not node.graphs and node.op is not CAST
            stored = stored_name(node.site) if node is not None and is_own else None
            found = stored or self._hints.get(later)
            if found is not None:
                return found
            later = self._overwritten.get(later)
        return None

    def _collect_hints(self, graph: Graph) -> None:
        """What values that the user gave no name are on their way to become."""
        for node in graph.walk():
            if node.op is UFUNC_OUT and node.attrs.get('reuses'):
                self._overwritten[self._facts.root(node.inputs[0])] = node.outputs[0]
            elif node.op is COND:
                for branch in node.graphs.values():
                    for output, result in zip(node.outputs, branch.outputs, strict=True):
                        self._hint_at(result, base_name(output))
            elif 'body' in node.graphs:
                body = node.graphs['body']
                count = len(node.outputs)
                first = len(node.inputs) - len(body.captures) - count
                params = body.own_params[len(body.own_params) - count :]
                for i, param in enumerate(params):
                    self._hints[node.outputs[i]] = param.name
                    self._hint_at(node.inputs[first + i], param.name)
                    self._hint_at(body.outputs[i], param.name)

    def _hint_at(self, value: Value, name: str) -> None:
        root = self._facts.root(value)
        if root.node is not None:
            self._hints.setdefault(root, name)
