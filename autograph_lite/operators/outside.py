"""What lives outside of a traced function: a graph cannot change it, and no trace may leave in it.

Objects and containers that the function was given or reads from outside, and the variables of its
module and of the functions around it, hold after a trace what they held before, as far as tensors
are concerned; a staged block changes none of their lists and dicts at all.
"""
from __future__ import annotations

import dis
import sys
import threading
import types
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

from ..asking import has_attribute
from ..errors import Location, OwnershipError, describe, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from .unbound import Unbound

_PACKAGE = __package__.partition('.')[0]

# Lists and dicts with more items are not compared at every staged block.
_MOST_ITEMS = 1000


class _World:
    """What is known to live outside, and what it held when that became known."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}
        self.called: dict[int, types.FunctionType] = {}
        self.inlined: list[Callable[..., Any]] = []
        self.contents: nest.Contents = []
        # Attributes, global variables and cells: their owner, how to set one, what they held.
        self.places: list[tuple[Any, Callable[[], Any], Any, dict[str, Any]]] = []
        # What the functions that were called set of the variables of others, and what it was.
        self.variables: list[tuple[Variable, Any]] = []


class _Tracing(threading.local):
    world: _World | None = None


_tracing = _Tracing()


@contextmanager
def outside_world() -> Iterator[None]:
    """Around a trace: it leaves nothing of its own outside.

    Raises:
      OwnershipError: it does; everything is put back first.
    """
    outer = _tracing.world
    _tracing.world = world = _World()
    failed = True
    random = sys.modules.get('random')
    drawn = random and random.getstate()
    try:
        yield
        failed = False
    finally:
        _tracing.world = outer
        left = _clean(world)
        if random and random.getstate() != drawn:
            random.setstate(drawn)
            left = left or _draws()
        if left is not None and not failed:
            raise left


def is_outside(x: Any) -> bool:
    """Whether it is known to live outside of the traced function."""
    return _tracing.world is not None and id(x) in _tracing.world.known


def note(*values: Any) -> None:
    """Remembers what the traced function was given or reads from outside."""
    world = _tracing.world
    if world is None:
        return
    for value in values:
        if isinstance(value, Tensor) or id(value) in world.known:
            continue
        world.known[id(value)] = value
        if isinstance(value, (list, dict)):
            if len(value) <= _MOST_ITEMS:
                world.contents += nest.contents(value)
                world.known.update((id(held), held) for held, _ in world.contents)
        elif _has_attributes(value):
            attributes = vars(value)
            world.places.append((value, partial(vars, value), setattr, dict(attributes)))
            world.contents += _small_contents(attributes.values())


def note_function(f: Any, is_made_here: bool = False) -> None:
    """Remembers what a function reads or sets outside of itself; a method, its object.

    Args:
      f: the function.
      is_made_here: whether the trace has made it: then the variables around it are the trace's.
    """
    world = _tracing.world
    if isinstance(f, types.MethodType):
        note(f.__self__)
        f = f.__func__
    if world is None or not isinstance(f, types.FunctionType) or id(f) in world.called:
        return
    world.called[id(f)] = f
    if is_made_here:
        world.variables += [(variable, variable.read()) for variable in variables_set_by(f)]
        return
    names = [name for name in _names(f.__code__) if name in f.__globals__]
    held = {name: f.__globals__[name] for name in names}
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    inside = {name: cell.cell_contents for name, cell in cells.items() if _is_set(cell)}
    world.places.append((f, lambda: f.__globals__, _set_global, held))
    world.variables += [(variable, variable.read()) for variable in variables_set_by(f)]
    world.places.append((f, lambda: {n: cells[n].cell_contents for n in inside}, _set_cell, inside))
    for value in (*held.values(), *inside.values()):
        world.contents += _small_contents([value])
        if isinstance(value, (list, dict)):
            world.known[id(value)] = value


def note_inlined(*functions: Callable[..., Any] | None) -> None:
    """Remembers functions whose own traces became part of this one."""
    if _tracing.world is not None:
        _tracing.world.inlined += [f for f in functions if f is not None]


def called_functions() -> list[Callable[..., Any]]:
    """The functions of which something was traced so far, in the order of their calls."""
    world = _tracing.world
    return [] if world is None else [*world.called.values(), *world.inlined]


class Outside:
    """What lives outside, as it is where a staged block begins."""

    def __init__(self) -> None:
        world = _tracing.world
        self._contents: nest.Contents = []
        self._attributes: list[tuple[Any, dict[str, Any]]] = []
        self._variables: list[tuple[Variable, Any]] = []
        if world is not None:
            self._contents = [(held, held.copy()) for held, _ in world.contents]
            self._attributes = [(x, dict(vars(x))) for x in _objects(world)]
            self._variables = [(variable, variable.read()) for variable, _ in world.variables]

    def check(self, own: Collection[Hashable]) -> None:
        """It is what it was.

        Args:
          own: attributes and variables that are the block's state.

        Raises:
          OwnershipError: it is not; it is now.
        """
        changed = modified(self._contents)
        if changed:
            self.restore()
            raise modifies_outside(self._contents[changed[0]][0])
        found = next(self._changed(own), None)
        if found is not None:
            self.restore()
            raise modifies_reached(found)

    def restore(self) -> None:
        """Gives everything back what it held."""
        nest.restore(self._contents)
        for x, content in self._attributes:
            vars(x).clear()
            vars(x).update(content)
        for variable, value in self._variables:
            variable.put(value)

    def _changed(self, own: Collection[Hashable]) -> Iterator[str]:
        world = _tracing.world
        if world is None:
            return
        # What became known only in the block has been noted before anything changed it.
        new = [(x, held) for x, _, put, held in world.places if put is setattr and _is_object(x)]
        for x, held in (*self._attributes, *new[len(self._attributes):]):
            now = vars(x)
            for name in dict.fromkeys([*held, *now]):
                is_state = name in own or is_cache(x, name)
                if not is_state and now.get(name, self) is not held.get(name, self):
                    yield f'{name!r} of a {type(x).__name__}'
        for variable, value in (*self._variables, *world.variables[len(self._variables):]):
            if variable.key not in own and variable.read() is not value:
                yield f'the variable {variable.name!r}'


def _objects(world: _World) -> list[Any]:
    return [x for x, _, put, _ in world.places if put is setattr and _is_object(x)]


def _is_object(x: Any) -> bool:
    """Whether it is an object of a class that is not the library's."""
    return (type(x).__module__ or '').partition('.')[0] != _PACKAGE


def is_cache(x: Any, name: str) -> bool:
    """Whether an attribute is what `functools.cached_property` keeps."""
    return isinstance(getattr(type(x), name, None), cached_property)


@dataclass(frozen=True)
class Variable:
    """A variable of a module or of an enclosing function that a function sets.

    Attributes:
      key: which one it is.
    """

    key: Hashable
    name: str
    read: Callable[[], Any]
    put: Callable[[Any], None]


def variables_set_by(f: types.FunctionType) -> list[Variable]:
    """The variables of its module and of the functions around it that a function sets."""
    globals_, nonlocals = _sets(f.__code__)
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    found = [_in_cell(name, cells[name]) for name in nonlocals if name in cells]
    return found + [_in_module(name, f.__globals__) for name in globals_]


def key_of(cell: types.CellType) -> Hashable:
    """The key of a variable of an enclosing function."""
    return types.CellType, id(cell)


_UNSET = object()


def _in_cell(name: str, cell: types.CellType) -> Variable:
    def put(value: Any) -> None:
        if value is not _UNSET:
            cell.cell_contents = value

    return Variable(
        key_of(cell), name, lambda: cell.cell_contents if _is_set(cell) else _UNSET, put)


def _in_module(name: str, module: dict[str, Any]) -> Variable:
    def put(value: Any) -> None:
        if value is not _UNSET:
            module[name] = value

    return Variable((id(module), name), name, lambda: module.get(name, _UNSET), put)


@lru_cache(maxsize=1024)
def _sets(code: types.CodeType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The global and the nonlocal names that a function, or one in it, sets or deletes."""
    globals_: dict[str, None] = {}
    nonlocals: dict[str, None] = {}
    for instruction in dis.get_instructions(code):
        if instruction.opname in ('STORE_GLOBAL', 'DELETE_GLOBAL'):
            globals_[instruction.argval] = None
        elif instruction.opname in ('STORE_DEREF', 'DELETE_DEREF'):
            nonlocals[instruction.argval] = None
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            for found, inner in zip((globals_, nonlocals), _sets(const), strict=True):
                found.update(dict.fromkeys(inner))
    return tuple(globals_), tuple(nonlocals)


def modifies_reached(what: str) -> OwnershipError:
    """The error for what a staged block changes without having been given it."""
    return OwnershipError(
        describe(
            f'A staged block modifies {what}, which it reaches through another name or a '
            'method; the graph would not do so at every turn.',
            user_location(),
            'Let the function or method return the new value, and assign it in the block.',
        )
    )


def modified(before: nest.Contents) -> list[int]:
    """Which of these lists and dicts hold something else now."""
    return [i for i, (held, content) in enumerate(before) if not _same(held, content)]


def modifies_outside(container: Any) -> OwnershipError:
    """The error for a list or a dict that is not the traced function's to change."""
    return _not_ours('A staged block modifies', container, user_location())


def _not_ours(what: str, container: Any, location: Location | None) -> OwnershipError:
    kind = type(container).__name__
    return OwnershipError(
        describe(
            f'{what} a {kind} that lives outside the function; the graph would not do so when it '
            'runs.',
            location,
            'Make it in the function and return it, or keep state in an `ag.Variable`.',
        )
    )


def _draws() -> OwnershipError:
    return OwnershipError(
        describe(
            "A traced function draws from Python's `random`, whose numbers the graph would repeat "
            'at every call.',
            fix='Draw from a `numpy.random.Generator`, such as `np.random.default_rng(7)`.',
        )
    )


def _clean(world: _World) -> OwnershipError | None:
    """Takes out what the trace left behind; the error for it."""
    left: OwnershipError | None = None
    for held, content in world.contents:
        if not _same(held, content) and _is_traced(held):
            left = left or _not_ours('A tensor is put into', held, None)
            nest.restore([(held, content)])
    for owner, read, put, content in world.places:
        now = read()
        for name in [*content, *(n for n in now if put is setattr and n not in content)]:
            if name in now and now[name] is not content.get(name) and _is_traced(now[name]):
                left = left or _not_ours(f'{name!r} becomes a tensor in', owner, None)
                if name in content:
                    put(owner, name, content[name])
                else:
                    delattr(owner, name)
    return left


def _is_traced(value: Any) -> bool:
    """Whether something of a trace is in it."""
    if isinstance(value, (Tensor, Unbound, nest.Nest)):
        return True
    return any(map(_is_traced, nest.children(value)))


def _has_attributes(value: Any) -> bool:
    """Whether it is an object of a class of the user's, as far as one can tell."""
    return has_attribute(value, '__dict__') and not isinstance(
        value, (type, types.ModuleType, types.FunctionType, types.MethodType)
    )


def _small_contents(values: Any) -> nest.Contents:
    return [
        pair
        for value in values
        if isinstance(value, (list, dict)) and len(value) <= _MOST_ITEMS
        for pair in nest.contents(value)
    ]


def _names(code: types.CodeType) -> list[str]:
    """The global names in a function and in those that are defined in it."""
    inner = [name for const in code.co_consts if isinstance(const, types.CodeType)
             for name in _names(const)]  # fmt: skip
    return list(dict.fromkeys([*code.co_names, *inner]))


def _is_set(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


def _set_global(f: Any, name: str, value: Any) -> None:
    f.__globals__[name] = value


def _set_cell(f: Any, name: str, value: Any) -> None:
    f.__closure__[f.__code__.co_freevars.index(name)].cell_contents = value


def _same(held: Any, content: Any) -> bool:
    if len(held) != len(content):
        return False
    if isinstance(held, dict):
        return all(k in content and content[k] is v for k, v in held.items())
    return all(a is b for a, b in zip(held, content, strict=True))
