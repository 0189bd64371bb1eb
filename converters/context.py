"""What the passes share about the function that is being converted."""
from __future__ import annotations

import builtins
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import gast

from autograph_lite.analysis.qualnames import QualName
from autograph_lite.converters.rewriter import is_kept
from autograph_lite.pyct.names import Namer, names_of
from autograph_lite.pyct.origin import front_of, is_in_front, located, standing_at
from autograph_lite.pyct.source import Source
from autograph_lite.pyct.tree import Node, walk

if TYPE_CHECKING:
    from autograph_lite.converters.plan import Plan

PACKAGE = 'autograph_lite'
MISSING = object()


@dataclass
class Context:
    """The surroundings of one function while it is converted.

    Attributes:
      name: what the function is called in messages.
      source: the text it stands in.
      class_name: the class around it, None for a function that is in none.
      receiver: the name of a method's first parameter, None for a function that is no method.
      ag: the name by which the generated code calls this package.
      flags: the names of the flags that the passes have introduced for jumps.
      results: the names of what jumps return later.
      answers: those that are the result, too, and so have to be `True` or `False` themselves.
      helpers: the functions that branches and loops have become.
      live: what each loop and each handler needs from before it, as long as it is the user's own.
      changing: tests that change something, so that it matters where they are asked.
      tries: the `try` statements that become calls if they can.
      finals: of those that a `finally` has become without effects, where what it changes is:
        'here', in variables of the function, or 'outside', too; 'jumps' where it ends what
        is raised.
      finishing: the names of the flags that say that what a `finally` does is done.
      returned_first: the `try` statements whose `finally` does all before each `return`, if any.
      plan: what the statements that become calls take and give, once it is known.
      else_binds: the variables that the `else` of a `try` gives a value for certain.
      leaving: the handlers of a `try` that end by a jump.
      flag_at: the flag that is known to be true at a `break`.
      touched: of each statement that becomes a call, by name, the steps to the items of a variable
        that alone it touches.
    """

    name: str
    source: Source
    class_name: str | None
    receiver: str | None
    ag: str
    namespace: Namespace
    namer: Namer
    flags: set[str] = field(default_factory=set)
    results: set[str] = field(default_factory=set)
    answers: set[str] = field(default_factory=set)
    else_binds: dict[Node, set[str]] = field(default_factory=dict)
    leaving: set[Node] = field(default_factory=set)
    flag_at: dict[Node, str] = field(default_factory=dict)
    touched: dict[Node, dict[str, list[Node]]] = field(default_factory=dict)
    helpers: set[Node] = field(default_factory=set)
    live: dict[Node, frozenset[QualName]] = field(default_factory=dict)
    changing: set[Node] = field(default_factory=set)
    tries: set[Node] = field(default_factory=set)
    finals: dict[Node, str] = field(default_factory=dict)
    finishing: set[str] = field(default_factory=set)
    returned_first: set[Node] = field(default_factory=set)
    plan: Plan | None = None
    _helpers: dict[tuple[str, str], str] = field(default_factory=dict)

    def has_comment(self, node: Node) -> bool:
        """Whether the user wrote a comment at a node's line."""
        line = self.source.logical_line(node.lineno)
        return line is not None and bool(line.comments)

    def has_own_comment(self, node: Node, statement: Node, is_whole: bool = True) -> bool:
        """The same, unless the comment is about the compound statement that begins on the line.

        Behind `if x: y = 1` it is; with an `else` below, or if the statement has become part of
        something larger, it is not.
        """
        line = self.source.logical_line(node.lineno)
        if line is None or line is not self.source.logical_line(statement.lineno):
            return line is not None and bool(line.comments)
        is_behind = not is_in_front(node) and node.col_offset > statement.col_offset
        if not is_behind or not line.trailing:
            return False
        return not is_whole or self.source.piece(line.start).goes_on(line)

    def head_of(self, block: list[Node], statement: Node) -> Node:
        """Where one branch of an `if` begins: at the `if`, at its `else`, or at a `case`.

        A branch without a head of its own, such as what follows a `return`, stands beside it.
        """
        if block is statement.body:
            return statement
        head = self.source.head_of(block[0]) if block else None
        if head is None or head.start <= statement.lineno or head.keyword not in ('else', 'case'):
            return front_of(statement)
        if block[0].lineno == head.start:
            return front_of(statement)  # where only the branch is run, its line is
        text = self.source.lines[head.start - 1]
        return standing_at(head.start, len(text) - len(text.lstrip()), len(head.keyword))

    def helper(self, name: str, purpose: str = '') -> str:
        """A name for something generated: the same for the same purpose, and none of the user's."""
        key = name, purpose
        if key not in self._helpers:
            self._helpers[key] = self.namer.fresh(name)
        return self._helpers[key]

    def in_place_of(self, node: Node, new: Node) -> Node:
        """What stands in the place of an expression, and changes what that changes."""
        if node in self.changing:
            self.changing.add(new)
        return located(new, node)

    def flag(self, name: str, purpose: str = '') -> str:
        """A name for a flag that stands for a jump, a different one for each purpose."""
        fresh = self.helper(name, purpose)
        self.flags.add(fresh)
        return fresh

    def result(self, purpose: str = '') -> str:
        """A name for what a jump returns later, a different one for each purpose."""
        fresh = self.helper('result', purpose)
        self.results.add(fresh)
        return fresh


def context_of(
    function: FunctionType, tree: Node, source: Source, class_name: str | None
) -> Context:
    """The surroundings of a function that Python knows, and of its tree."""
    namespace = Namespace(function, tree)
    namer = Namer(namespace.mentioned)
    ag = 'ag' if _means_package(namespace) else namer.fresh('ag')
    return Context(
        function.__name__, source, class_name, _receiver(tree, class_name), ag, namespace, namer)


def _receiver(tree: Node, class_name: str | None) -> str | None:
    """The name by which a method knows the object that it is called on."""
    parameters = (*tree.args.posonlyargs, *tree.args.args)
    is_static = any(
        getattr(each, 'id', '') == 'staticmethod' for each in getattr(tree, 'decorator_list', ()))
    return parameters[0].id if class_name is not None and parameters and not is_static else None


def _means_package(namespace: Namespace) -> bool:
    """Whether the name `ag` is free for this package: the function means it, or means nothing."""
    if 'ag' not in namespace.mentioned:
        return True
    value = namespace.value('ag')
    return isinstance(value, ModuleType) and value.__name__ == PACKAGE


class Namespace:
    """What names mean in a function, as far as that is known before it runs.

    Attributes:
      mentioned: every name in the function's text.
      functions: the names that are only ever bound by a `def`, without decorators, or to a
        `lambda` in the function.
      widest: how many columns an expression takes at most; infinite if one takes several lines.
    """

    def __init__(self, function: FunctionType, tree: Node) -> None:
        self._outer: list[Mapping[str, Any]] = [
            _cells(function), function.__globals__, vars(builtins)]
        nodes = list(walk(tree))
        self.mentioned = frozenset(names_of(nodes))
        self._kinds = set(map(type, nodes))
        comparisons = [node.ops for node in nodes if isinstance(node, gast.Compare)]
        self._kinds.update(type(each) for operators in comparisons for each in operators)
        self._has_chains = any(len(operators) > 1 for operators in comparisons)
        self.widest = max(map(_width, nodes), default=0)
        self._bound: set[str] = set()
        defined: set[str] = set()
        for name, is_function in _bindings(tree, nodes):
            (defined if is_function else self._bound).add(name)
        self.functions = frozenset(defined - self._bound)
        self._bound |= defined

    def has(self, *kinds: type) -> bool:
        """Whether a node of one of these kinds is in the function's text.

        The operators of comparisons count. Passes make none of these kinds but of a `match`, of
        which they may make anything.
        """
        return not self._kinds.isdisjoint((*kinds, gast.Match))

    def add(self, function: Node) -> None:
        """Take in a function that a pass has made, which nothing else is called like."""
        self.functions |= {function.name}
        self._bound.add(function.name)
        self._kinds.update(map(type, walk(function)))

    def compares_in_chains(self) -> bool:
        """Whether there is a comparison of more than two values in the function's text."""
        return self._has_chains

    def is_local(self, name: str) -> bool:
        """Whether the name is bound in the function itself, or in one that is nested in it."""
        return name in self._bound

    def value(self, name: str) -> Any:
        """What a name that is free in the function means now, MISSING for any other."""
        if self.is_local(name):
            return MISSING
        for scope in self._outer:
            if name in scope:
                return scope[name]
        return MISSING


def _width(node: Node) -> float:
    if not isinstance(node, gast.expr) or isinstance(node, gast.Name):
        return 0
    if node.end_lineno != node.lineno:
        return math.inf
    return float(node.end_col_offset - node.col_offset)


def _cells(function: FunctionType) -> dict[str, Any]:
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # the variable has no value yet
            cells[name] = MISSING
    return cells


def _bindings(tree: Node, nodes: list[Node]) -> Iterator[tuple[str, bool]]:
    """Each name that is bound somewhere in the function, and whether to a function of its own."""
    lambdas = set()
    for node in nodes:
        if isinstance(node, gast.Name):  # most of them are
            if not isinstance(node.ctx, gast.Load) and node not in lambdas:
                yield node.id, False
            continue
        match node:
            case gast.FunctionDef() if node is not tree:
                yield node.name, not (is_kept(node) or node.decorator_list)
            case gast.Assign(targets=[gast.Name() as target], value=gast.Lambda()):
                lambdas.add(target)
                yield target.id, True
            case gast.ClassDef() | gast.AsyncFunctionDef():
                yield node.name, False
            case gast.alias():
                yield node.asname or node.name.split('.')[0], False
            case gast.MatchAs(name=str(name)) | gast.MatchStar(name=str(name)):
                yield name, False
            case gast.MatchMapping(rest=str(name)):
                yield name, False
