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
from typing import Any

from ..errors import Location, OwnershipError, describe, once_by_code, user_location
from ..graph import nest
from ..graph.tensor import Tensor
from .holders import Held, content, walk
from .unbound import Unbound

_CALLED = (types.FunctionType, types.MethodType)

# Lists and dicts with more items are not compared at every staged block.
_MOST_ITEMS = 1000


class _World:
    """What is known to live outside, and what it held when that became known."""

    def __init__(self) -> None:
        self.known: dict[int, Any] = {}
        self.called: dict[int, types.FunctionType] = {}
        self.inlined: list[Callable[..., Any]] = []
        # Those of them that the trace has made.
        self.made_here: set[int] = set()
        # What lists, dicts and objects held.
        self.held: dict[int, Held] = {}
        # Global variables and cells: their owner, how to set one, what they held.
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


def lives_outside(x: Any) -> bool:
    """Whether the traced function was given it or reads it from outside, or a part of that is it.

    That is looked at in depth, so it is asked only of what is known to be changed.
    """
    world = _tracing.world
    if world is None:
        return False
    called = [f for key, f in world.called.items() if key not in world.made_here]
    roots = [('', known) for known in (*world.known.values(), *called)]
    return is_outside(x) or any(held.owner is x for held in walk(*roots))


def note(*values: Any) -> None:
    """Remembers what the traced function was given or reads from outside."""
    world = _tracing.world
    if world is None:
        return
    for value in values:
        if isinstance(value, (Tensor, *_CALLED)) or id(value) in world.known:
            continue
        world.known[id(value)] = value
        _note_held(world, value)


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
        world.made_here.add(id(f))
        world.variables += [
            (variable, variable.read()) for variable in variables_set_by(f) if variable.is_global
        ]
        return
    names = [name for name in _names(f.__code__) if name in f.__globals__]
    held = {name: f.__globals__[name] for name in names}
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    inside = {name: cell.cell_contents for name, cell in cells.items() if _is_set(cell)}
    world.places.append((f, lambda: f.__globals__, _set_global, held))
    world.variables += [(variable, variable.read()) for variable in variables_set_by(f)]
    world.places.append((f, lambda: {n: cells[n].cell_contents for n in inside}, _set_cell, inside))
    for value in (*held.values(), *inside.values()):
        if isinstance(value, (list, dict)):
            world.known[id(value)] = value
            _note_held(world, value)


def _note_held(world: _World, value: Any) -> None:
    """Remembers what can be reached from a value, and what it holds."""
    for held in walk(('', value)):
        if len(held.content) <= _MOST_ITEMS and not isinstance(held.owner, _CALLED):
            world.held.setdefault(id(held.owner), held)
            world.known[id(held.owner)] = held.owner


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
        world = _tracing.world or _World()
        self._held = {x: held.now() for x, held in world.held.items()}
        self._variables = [(variable, variable.read()) for variable, _ in world.variables]

    def check(self, own: Collection[Hashable]) -> None:
        """It is what it was.

        Args:
          own: variables that are the block's state.

        Raises:
          OwnershipError: it is not; it is now.
        """
        world = _tracing.world or _World()
        # What became known only in the block has been noted before anything changed it.
        for held in (world.held | self._held).values():
            if held.is_changed:
                attribute = held.changed_attribute()
                held.restore()
                self.restore()
                raise modifies_outside(held.owner, attribute=attribute)
        for variable, value in (*self._variables, *world.variables[len(self._variables) :]):
            if variable.key not in own and variable.read() is not value:
                variable.put(value)
                self.restore()
                raise _sets_variable(variable.name)

    def restore(self) -> None:
        """Gives everything back what it held."""
        for held in self._held.values():
            if held.is_changed:
                held.restore()
        for variable, value in self._variables:
            variable.put(value)


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
    is_global: bool


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
        key_of(cell), name, lambda: cell.cell_contents if _is_set(cell) else _UNSET, put,
        False)


def _in_module(name: str, module: dict[str, Any]) -> Variable:
    def put(value: Any) -> None:
        if value is not _UNSET:
            module[name] = value

    return Variable((id(module), name), name, lambda: module.get(name, _UNSET), put, True)


@once_by_code
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


def _sets_variable(name: str) -> OwnershipError:
    return OwnershipError(
        describe(
            f'A staged block sets the variable {name!r} in a function that it calls; the graph '
            'would not do so when it runs.',
            user_location(),
            'Let the function return the new value, and assign it in the block.',
        )
    )


def modified(before: nest.Contents) -> list[int]:
    """Which of these lists and dicts hold something else now."""
    return [i for i, (held, content) in enumerate(before) if not nest.holds(held, content)]


def modifies_outside(container: Any, name: str = '', attribute: str = '') -> OwnershipError:
    """The error for what is not the traced function's to change.

    Args:
      container: the object, list or dict.
      name: what the user calls it.
      attribute: of an object, which attribute.
    """
    what = f'A staged block modifies {attribute!r} of' if attribute else 'A staged block modifies'
    return _not_ours(what, container, user_location(), name)


def _not_ours(
    what: str, container: Any, location: Location | None, name: str = ''
) -> OwnershipError:
    kind = type(container).__name__
    kind = f'{name}, a {kind},' if name else f'a {kind}'
    return OwnershipError(
        describe(
            f'{what} {kind} that lives outside the function; the graph would not do so when it '
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
    for held in world.held.values():
        now = content(held.owner)
        traced = [key for key in now if now[key] is not held.content.get(key)]
        traced = [key for key in traced if _is_traced(now[key])]
        if traced:
            what = f'{traced[0]!r} becomes a tensor in' if held.is_object else _PUT_INTO
            left = left or _not_ours(what, held.owner, None)
            held.restore()
    for owner, read, put, before in world.places:
        now = read()
        for name in before:
            if name in now and now[name] is not before[name] and _is_traced(now[name]):
                left = left or _not_ours(f'{name!r} becomes a tensor in', owner, None)
                put(owner, name, before[name])
    return left


_PUT_INTO = 'A tensor is put into'


def _is_traced(value: Any) -> bool:
    """Whether something of a trace is in it."""
    if isinstance(value, (Tensor, Unbound, nest.Nest)):
        return True
    return any(map(_is_traced, nest.children(value)))


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

