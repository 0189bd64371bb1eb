"""What a statement, or a list of statements, does to names."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograph_lite.analysis.accesses import Access, Kind
from autograph_lite.analysis.cfg import CFG, build
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node

Names = tuple[QualName, ...]

_READS = frozenset({Kind.READ, Kind.REACH, Kind.MODIFY, Kind.CAPTURE, Kind.PEEK, Kind.HOLD})
_CHANGES = frozenset({Kind.WRITE, Kind.MODIFY, Kind.DELETE, Kind.POKE})


@dataclass(frozen=True)
class Scope:
    """The names that a piece of a function touches, each once, in order of first appearance.

    read       whose value it uses, closures that it makes or may call included
    modified   bound, changed in place or deleted, also by closures that it may call
    bound      given another value
    deleted    unbound by `del`, or at the end of `except ... as`
    params     the parameters, if the piece is the whole function
    globals_   declared `global` in the function
    nonlocals  declared `nonlocal` in the function
    free       not local to the function
    captured   used by a closure that it makes
    """

    read: Names
    modified: Names
    bound: Names
    deleted: Names
    params: Names
    globals_: Names
    nonlocals: Names
    free: Names
    captured: Names


@dataclass(frozen=True, eq=False)
class Scopes:
    """A table from nodes (or lists of statements) to what they do to names."""

    cfg: CFG

    @property
    def function(self) -> Scope:
        """The scope of the whole body, with the parameters."""
        return self[self.cfg.function]

    def __getitem__(self, node: Node | Sequence[Node]) -> Scope:
        params: tuple[str, ...] = ()
        if isinstance(node, Sequence):
            accesses = [access for each in node for access in self._accesses(each)]
        elif node is self.cfg.function:
            accesses, params = list(self.cfg.accesses), self.cfg.symbols.params
        else:
            accesses = list(self._accesses(node))
        return self._summary(accesses, params)

    def __contains__(self, node: Node) -> bool:
        return node is self.cfg.function or node in self.cfg.spans

    def _accesses(self, node: Node) -> Sequence[Access]:
        start, end = self.cfg.spans[node]
        return self.cfg.accesses[start:end]

    def _summary(self, accesses: list[Access], params: tuple[str, ...]) -> Scope:
        symbols = self.cfg.symbols
        own, declared_global = set(symbols.locals), set(symbols.globals_)
        declared_nonlocal = set(symbols.nonlocals)
        roots = _names(QualName(access.name.root) for access in accesses)
        return Scope(
            read=_names(access.name for access in accesses if access.kind in _READS),
            modified=_names(access.name for access in accesses if access.kind in _CHANGES),
            bound=_of_kind(accesses, Kind.WRITE),
            deleted=_of_kind(accesses, Kind.DELETE),
            params=tuple(QualName(name) for name in params),
            globals_=tuple(name for name in roots if name.root in declared_global),
            nonlocals=tuple(name for name in roots if name.root in declared_nonlocal),
            free=_names(access.name for access in accesses if access.name.root not in own),
            captured=_of_kind(accesses, Kind.CAPTURE),
        )


def scopes(function: Node) -> Scopes:
    """What each statement, test and iterable of a function does to names."""
    return Scopes(build(function))


def _of_kind(accesses: list[Access], kind: Kind) -> Names:
    return _names(access.name for access in accesses if access.kind is kind)


def _names(names: Iterable[QualName]) -> Names:
    return tuple(dict.fromkeys(names))
