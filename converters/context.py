"""What the passes share about the function that is being converted."""
from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import gast

from autograph_lite.pyct.names import Namer, names_in
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
      receiver: the name of a method's first parameter, None for a function that is no method.
      ag: the name by which the generated code calls this package.
      flags: the names of the flags that the passes have introduced for jumps.
      helpers: the functions that branches and loops have become.
      live: what each loop needs from before it, as long as it is the user's own.
      changing: tests that change something, so that it matters where they are asked.
      tries: the `try` statements that become calls if they can.
      plan: what the statements that become calls take and give, once it is known.
      else_binds: the variables that the `else` of a `try` gives a value for certain.
      leaving: the handlers of a `try` that end by a jump.
      flag_at: the flag that is known to be true at a `break`.
    """

    name: str
    source: Source
    receiver: str | None
    ag: str
    namespace: Namespace
    namer: Namer
    flags: set[str] = field(default_factory=set)
    else_binds: dict[Node, set[str]] = field(default_factory=dict)
    leaving: set[Node] = field(default_factory=set)
    flag_at: dict[Node, str] = field(default_factory=dict)
    helpers: set[Node] = field(default_factory=set)
    live: dict[Node, frozenset[str]] = field(default_factory=dict)
    changing: set[Node] = field(default_factory=set)
    tries: set[Node] = field(default_factory=set)
    plan: Plan | None = None
    _helpers: dict[tuple[str, str], str] = field(default_factory=dict)

    def has_comment(self, node: Node) -> bool:
        """Whether the user wrote a comment at a node's line."""
        line = self.source.piece(node.lineno).logical_line(node.lineno)
        return line is not None and bool(line.comments)

    def helper(self, name: str, purpose: str = '') -> str:
        """A name for something generated: the same for the same purpose, and none of the user's."""
        key = name, purpose
        if key not in self._helpers:
            self._helpers[key] = self.namer.fresh(name)
        return self._helpers[key]

    def flag(self, name: str, purpose: str = '') -> str:
        """A name for a flag that stands for a jump, a different one for each purpose."""
        fresh = self.helper(name, purpose)
        self.flags.add(fresh)
        return fresh


def context_of(function: FunctionType, tree: Node, source: Source, in_class: bool) -> Context:
    """The surroundings of a function that Python knows, and of its tree."""
    namespace = Namespace(function, tree)
    namer = Namer(namespace.mentioned)
    ag = 'ag' if _means_package(namespace) else namer.fresh('ag')
    parameters = (*tree.args.posonlyargs, *tree.args.args)
    receiver = parameters[0].id if in_class and parameters else None
    return Context(function.__name__, source, receiver, ag, namespace, namer)


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
      functions: the names that are only ever bound by a `def` or to a `lambda` in the function.
    """

    def __init__(self, function: FunctionType, tree: Node) -> None:
        self._outer: list[Mapping[str, Any]] = [
            _cells(function), function.__globals__, vars(builtins)]
        self.mentioned = frozenset(names_in(tree))
        self._bound: set[str] = set()
        defined: set[str] = set()
        for name, is_function in _bindings(tree):
            (defined if is_function else self._bound).add(name)
        self.functions = frozenset(defined - self._bound)
        self._bound |= defined

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


def _cells(function: FunctionType) -> dict[str, Any]:
    cells = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # the variable has no value yet
            cells[name] = MISSING
    return cells


def _bindings(tree: Node) -> Iterator[tuple[str, bool]]:
    """Each name that is bound somewhere in the function, and whether to a function of its own."""
    lambdas = set()
    for node in walk(tree):
        if isinstance(node, gast.Name):  # most of them are
            if not isinstance(node.ctx, gast.Load) and node not in lambdas:
                yield node.id, False
            continue
        match node:
            case gast.FunctionDef() if node is not tree:
                yield node.name, True
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
