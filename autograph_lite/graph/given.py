"""The objects that a function is traced for: its graph does not keep them alive.

A trace goes when an object goes that it was made for, so what the graph needs of such an object it
can hold weakly: the object of a method that it calls, an argument of an exception that it raises.
"""
from __future__ import annotations

import functools
import threading
import types
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any


class _Tracing(threading.local):
    objects: dict[int, Weakly] | None = None


_tracing = _Tracing()


@contextmanager
def given(objects: Iterable[Any]) -> Iterator[None]:
    """Inside, a function is traced for these objects."""
    outer, known = _tracing.objects, {}
    for x in objects:
        with suppress(TypeError):  # it cannot be held weakly
            known[id(x)] = Weakly(x)
    _tracing.objects = known
    try:
        yield
    finally:
        _tracing.objects = outer


class Weakly:
    """Stands for an object that the graph does not keep alive; called, it gives the object."""

    def __init__(self, value: Any) -> None:
        self._kind = type(value).__name__
        self._held: Callable[[], Any] = weakref.ref(value)

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return self._kind.lower()

    def stands_for(self, x: Any) -> bool:
        """Whether it does for this object."""
        return self._held() is x

    def __call__(self) -> Any:
        """The object.

        Raises:
          ReferenceError: it is gone.
        """
        value = self._held()
        if value is None:
            raise ReferenceError(
                f'The {self._kind} is gone that the function was traced for; keep it for as '
                'long as its concrete functions are called.')
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Weakly) and self._held() is other._held()

    def __hash__(self) -> int:
        return hash(self._held)

    def __repr__(self) -> str:
        return self.__name__

    def __reduce__(self) -> Any:
        return _pickled, (self(),)


def _pickled(value: Any) -> Weakly:
    """What stands for an object that came with the graph, and is its own."""
    stands = object.__new__(Weakly)
    stands._kind = type(value).__name__
    stands._held = functools.partial(_same, value)
    return stands


def _same(value: Any) -> Any:
    return value


def stand_for(x: Any, stands: Weakly) -> None:
    """From here on, while this is traced, the graph keeps this in the place of an object."""
    if _tracing.objects is not None:
        _tracing.objects[id(x)] = stands


def weakly(x: Any) -> Any:
    """What to keep of a value: what stands for it, if the function is traced for it."""
    known = (_tracing.objects or {}).get(id(x))
    return x if known is None or not known.stands_for(x) else known


def maker(x: Any) -> Callable[[], Any] | None:
    """What makes a function again that holds an object that the function is traced for.

    Args:
      x: a method, a partial or a function with variables of those around it; or anything else.

    Returns:
      What to call; None where there is no such object, so that `x` itself can be kept.
    """
    kept = weakly(x)
    if isinstance(kept, Weakly):
        return kept
    if isinstance(x, types.MethodType):
        owner = maker(x.__self__)
        return owner and functools.partial(_method, x.__func__, owner)
    if isinstance(x, functools.partial):
        parts = [x.func, *x.args, *x.keywords.values()]
        makers = list(map(maker, parts))
        if any(makers):
            return functools.partial(_partial, type(x), _each(parts, makers), tuple(x.keywords))
    if isinstance(x, types.FunctionType):
        return _maker_of_function(x)
    return None


def _maker_of_function(f: types.FunctionType) -> Callable[[], Any] | None:
    cells = [cell for cell in f.__closure__ or () if _is_set(cell)]
    defaults = f.__defaults__ or ()
    inside = {id(cell): weakly(cell.cell_contents) for cell in cells}
    inside = {key: kept for key, kept in inside.items() if isinstance(kept, Weakly)}
    makers = list(map(maker, defaults))
    if not inside and not any(makers):
        return None
    closure = [inside.get(id(cell), cell) for cell in f.__closure__ or ()]
    known = f.__code__, f.__globals__, f.__name__
    return functools.partial(_function, known, _each(defaults, makers), closure, f.__kwdefaults__)


def _each(parts: Iterable[Any], makers: Iterable[Any]) -> list[Callable[[], Any]]:
    """What gives each part."""
    pairs = zip(parts, makers, strict=True)
    return [made or functools.partial(_same, part) for part, made in pairs]


def _is_set(cell: types.CellType) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _method(function: Any, owner: Callable[[], Any]) -> Any:
    return types.MethodType(function, owner())


def _partial(kind: Any, parts: list[Callable[[], Any]], names: tuple[str, ...]) -> Any:
    function, *rest = [part() for part in parts]
    positional = rest[: len(rest) - len(names)]
    return kind(function, *positional, **dict(zip(names, rest[len(positional) :], strict=True)))


def _function(
    known: tuple[Any, ...], defaults: list[Callable[[], Any]], closure: list[Any], named: Any
) -> types.FunctionType:
    cells = [types.CellType(x()) if isinstance(x, Weakly) else x for x in closure]
    code, namespace, name = known
    values = tuple(x() for x in defaults)
    made = types.FunctionType(code, namespace, name, values, tuple(cells))
    made.__kwdefaults__ = named
    return made
