"""The traces of one function: which serves a call, and why each was made."""
from __future__ import annotations

import sys
import warnings
import weakref
from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from types import FunctionType

from .concrete import ConcreteFunction, Parameter
from .description import brief
from .entries import Entry, NoEntryError, entry_of
from .errors import RetracingWarning, is_internal
from .graph.joins import join_shapes
from .graph.specs import TensorSpec
from .graph.types import TensorType
from .signatures import Arguments, Identity

# So many traces made for one reason are warned of, once.
_MANY_TRACES = 6
# What a trace read from outside may change at every call; so many of its traces are kept.
_MOST_VERSIONS = 16
# So many of the traces that were used last are entered the fast way.
_MOST_ENTRIES = 8


@dataclass(frozen=True)
class Cause:
    """Why a trace was made.

    Attributes:
      kind: 'first', 'value', 'object', 'type', 'shape', 'structure' or 'capture'.
      path: the argument or capture.
      text: for people.
    """

    kind: str
    path: str
    text: str


_ADVICE = {
    'value': 'Pass a NumPy array or scalar in its place, such as np.int64(n): its value is no '
    'part of the signature.',
    'object': 'Pass the same object again, or arrays that hold what changes.',
    'shape': 'Use reduce_retracing=True, or an input_signature with None for the axis.',
    'type': 'Pass arrays of one dtype, or declare an input_signature.',
    'structure': 'Pass one structure, or stack the parts into one array.',
    'capture': 'Pass it as an argument, or keep it in an ag.Variable.',
}


class TraceCache:
    """The traces, by the key of their arguments; those with unknown axes serve many keys.

    Args:
      name: what the function is called.
      relax: whether axes whose lengths differ become unknown.
      entries: a list for the fast ways into the traces that were used last.
    """

    def __init__(self, name: str, relax: bool, entries: list[Entry]) -> None:
        self._name = name
        self._relax = relax
        self._exact: dict[Hashable, list[ConcreteFunction]] = {}
        self._general: list[ConcreteFunction] = []
        self._causes: list[Cause] = []
        self._warned = False
        self._entries = entries
        self._entered: dict[ConcreteFunction, Entry | None] = {}

    def __iter__(self) -> Iterator[ConcreteFunction]:
        """The traces, in the order in which they were made."""
        known = [c for versions in list(self._exact.values()) for c in versions]
        return iter(sorted([*known, *self._general], key=lambda concrete: concrete.number))

    def find(self, arguments: Arguments) -> ConcreteFunction | None:
        """The trace that serves a call now."""
        for concrete in self._exact.get(arguments.key, ()):
            if concrete.holds(arguments.values):
                return concrete
        for concrete in self._general:
            if concrete.accepts(arguments) and concrete.holds(arguments.values):
                return concrete
        return None

    def to_trace(self, arguments: Arguments) -> Arguments:
        """The arguments to trace for: with unknown axes where earlier traces had other lengths."""
        if not self._relax:
            return arguments
        types = arguments.types()
        relaxed = list(types)
        for concrete in self:
            if concrete.structure != arguments.structure:
                continue
            pairs = list(zip(concrete.leaves, arguments.leaves, relaxed, strict=True))
            if all(_alike(parameter, leaf, type_) for parameter, leaf, type_ in pairs):
                relaxed = [_joined(parameter, type_) for parameter, _, type_ in pairs]
        if relaxed == types:
            return arguments
        declared = [
            spec if old == new or new is None else TensorSpec(new.shape, new.dtype)
            for spec, old, new in zip(arguments.declared, types, relaxed, strict=True)
        ]
        return replace(arguments, declared=declared)

    def add(self, arguments: Arguments, concrete: ConcreteFunction) -> None:
        """Remembers a trace, for as long as the objects that it was made for live."""
        concrete.number = len(self._causes)
        concrete.cause = self._cause(concrete)
        self._causes.append(concrete.cause)
        if any(leaf.type is not None and _is_open(leaf.type) for leaf in concrete.leaves):
            self._general.insert(0, concrete)
        else:
            versions = self._exact.setdefault(arguments.key, [])
            versions.insert(0, concrete)
            del versions[_MOST_VERSIONS:]
        self._forget_with(concrete)
        self._warn()

    def _forget_with(self, concrete: ConcreteFunction) -> None:
        """Drops the trace when an object goes that it was made for."""
        cache = weakref.ref(self)

        def forget() -> None:
            mine = cache()
            if mine is not None:
                mine._drop_gone()

        for leaf in concrete.leaves:
            if isinstance(leaf.key, Identity):
                try:
                    weakref.finalize(leaf.key.value(), forget).atexit = False
                except TypeError:
                    continue

    def _drop_gone(self) -> None:
        """Drops the traces that no call can ask for any more."""
        for key, versions in list(self._exact.items()):
            if versions and versions[0].gone:
                self._exact.pop(key, None)
        self._general = [c for c in self._general if not c.gone]
        self._entered = {c: e for c, e in list(self._entered.items()) if not c.gone}
        self._list_entries()

    def enter(self, function: FunctionType, concrete: ConcreteFunction) -> None:
        """Puts the entry of a trace of the function before the others."""
        if concrete in self._entered:
            entry = self._entered.pop(concrete)
        else:
            try:
                entry = entry_of(function, concrete)
            except NoEntryError:
                entry = None
        while len(self._entered) >= _MOST_ENTRIES:
            del self._entered[next(iter(self._entered))]
        self._entered[concrete] = entry
        self._list_entries()

    def _list_entries(self) -> None:
        known = [entry for entry in self._entered.values() if entry is not None]
        self._entries[:] = known[::-1]

    def report(self) -> str:
        """Each trace, and which argument or capture caused it."""
        count = len(self._causes)
        lines = [f'{self._name}: {count} trace{"s" * (count != 1)}']
        lines += [f'  {i}. {cause.text}' for i, cause in enumerate(self._causes, 1)]
        return '\n'.join(lines)

    def _cause(self, concrete: ConcreteFunction) -> Cause:
        """What tells a trace from the most similar one before."""
        best: list[Cause] | None = None
        for other in reversed(list(self)):
            differences = _differences(other, concrete)
            if best is None or _distance(differences) < _distance(best):
                best = differences
        if best is None:
            return Cause('first', '', 'the first call')
        if not best:
            return Cause('capture', '', 'something that it reads changed')
        text = '; '.join(cause.text for cause in best)
        return Cause(best[0].kind, best[0].path, text)

    def _warn(self) -> None:
        """Warns once, when many traces have one cause."""
        counts = Counter((cause.kind, cause.path) for cause in self._causes)
        (kind, path), count = counts.most_common(1)[0]
        if self._warned or count + 1 < _MANY_TRACES or kind == 'first':
            return
        self._warned = True
        what = 'what it reads from outside' if kind == 'capture' else 'the argument'
        warnings.warn(
            f'{self._name} was traced {len(self._causes)} times, {count} of them for another '
            f'{kind} of {what} {path!r} (last: {self._causes[-1].text}). Tracing is slow. '
            + _ADVICE[kind],
            RetracingWarning,
            stacklevel=_user_level(),
        )


def _user_level() -> int:
    """How far up the stack the user's code is, for `warnings.warn`."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and is_internal(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    return level


def _is_open(type_: TensorType) -> bool:
    """Whether some axis is unknown."""
    return type_.shape is None or None in type_.shape


def _alike(parameter: Parameter, leaf: object, type_: TensorType | None) -> bool:
    """Whether the two differ in no more than the lengths of axes."""
    if type_ is None or parameter.type is None:
        return parameter.accepts(leaf)
    a, b = parameter.type, type_
    if a.dtype != b.dtype or a.shape is None or b.shape is None:
        return False
    return len(a.shape) == len(b.shape)


def _joined(parameter: Parameter, type_: TensorType | None) -> TensorType | None:
    """The type for both."""
    if type_ is None or parameter.type is None:
        return type_
    return replace(type_, shape=join_shapes(parameter.type.shape, type_.shape))


def _distance(causes: list[Cause]) -> tuple[bool, int]:
    """How different arguments are; what was read from outside has changed since the last trace."""
    arguments = [cause for cause in causes if cause.kind != 'capture']
    return any(cause.kind == 'structure' for cause in arguments), len(arguments)


def _differences(old: ConcreteFunction, new: ConcreteFunction) -> list[Cause]:
    """What the two were traced for, where it is not the same."""
    if old.structure != new.structure:
        return [_structural(old, new)]
    pairs = zip(old.leaves, new.leaves, strict=True)
    found = [_difference(a, b) for a, b in pairs if (a.type, a.key) != (b.type, b.key)]
    if found:
        return found
    changed = [guard.path for guard in old.guards if not guard.holds()]
    return [
        Cause('capture', path, f'{path} has changed, which the function reads from outside')
        for path in changed
    ]


def _structural(old: ConcreteFunction, new: ConcreteFunction) -> Cause:
    names = [p.path for p in new.leaves]
    pairs = zip(new.parameter_names, old.structure.children, new.structure.children, strict=True)
    for name, a, b in pairs:
        if a != b:
            text = f'the argument {name} has the structure {b}, not {a}'
            return Cause('structure', name, text)
    return Cause('structure', names[0] if names else '', 'the structure of the arguments differs')


def _difference(old: Parameter, new: Parameter) -> Cause:
    path = new.path
    if old.type is not None and new.type is not None:
        kind = 'shape' if old.type.dtype == new.type.dtype else 'type'
        return Cause(kind, path, f'the argument {path} is {new.type}, not {old.type}')
    if isinstance(new.key, Identity):
        return Cause('object', path, f'the argument {path} is another object')
    was, now = (str(p.type) if p.type else brief(p.value) for p in (old, new))
    return Cause('value', path, f'the argument {path} is {now}, not {was}')

