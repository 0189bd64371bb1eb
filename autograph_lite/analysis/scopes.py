"""What a statement, or a list of statements, does to names."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from autograph_lite.analysis.accesses import CHANGES, Access, Kind
from autograph_lite.analysis.cfg import CFG, build
from autograph_lite.analysis.qualnames import QualName
from autograph_lite.pyct.tree import Node

Names = tuple[QualName, ...]

_READS = (Kind.READ, Kind.REACH, Kind.MODIFY, Kind.CAPTURE, Kind.PEEK, Kind.HOLD)


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
        if isinstance(node, Sequence):
            return self._summary(access for each in node for access in self._accesses(each))
        if node is self.cfg.function:
            return self._summary(self.cfg.accesses, self.cfg.symbols.params)
        return self._summary(self._accesses(node))

    def __contains__(self, node: Node) -> bool:
        return node is self.cfg.function or node in self.cfg.spans

    def _accesses(self, node: Node) -> Sequence[Access]:
        start, end = self.cfg.spans[node]
        return self.cfg.accesses[start:end]

    def _summary(self, accesses: Iterable[Access], params: Sequence[str] = ()) -> Scope:
        symbols = self.cfg.symbols
        # Far fewer than the accesses: everything below looks at each name and kind once.
        made = tuple(dict.fromkeys((access.kind, access.name) for access in accesses))

        def of_kind(*kinds: Kind) -> Names:
            return _names(name for kind, name in made if kind in kinds)

        names = _names(name for _, name in made)
        return Scope(
            read=of_kind(*_READS),
            modified=of_kind(*CHANGES),
            bound=of_kind(Kind.WRITE),
            deleted=of_kind(Kind.DELETE),
            params=_plain(params, params),
            globals_=_plain((name.root for name in names), symbols.globals_),
            nonlocals=_plain((name.root for name in names), symbols.nonlocals),
            free=tuple(name for name in names if name.root not in symbols.locals),
            captured=of_kind(Kind.CAPTURE),
        )


def scopes(function: Node) -> Scopes:
    """What each statement, test and iterable of a function does to names."""
    return Scopes(build(function))


def _plain(names: Iterable[str], declared: Sequence[str]) -> Names:
    return _names(QualName(name) for name in names if name in declared)


def _names(names: Iterable[QualName]) -> Names:
    return tuple(dict.fromkeys(names))
