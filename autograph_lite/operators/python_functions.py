"""`py_function` and `numpy_function`: Python that the running graph calls, in program order."""
from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import StagingError, describe, user_location
from ..graph import nest
from ..graph.graph import Value
from ..graph.specs import TensorSpec
from ..graph.tensor import Memory, Storage, Tensor, valued
from ..graph.tracing import current_graph, emit, is_tracing, not_tracing
from ..graph.types import TensorType, type_of
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..replay import call
from ..signatures import accepts

_UNDECLARED: Any = object()


class ResultError(StagingError, ValueError):
    """A Python function gives another result than was declared."""


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[Any] | None = None,
    Tout: Any = _UNDECLARED,
    name: str | None = None,
) -> Any:
    """Calls a Python function with NumPy arrays whenever the graph runs, in program order.

    `ag.py_function(f, [x, y], np.float64)` is `f(x, y)`. Without `inp` it is a function that calls
    `f` so, and without `func` a decorator that makes one.

    Args:
      func: the Python function; what it does besides returning a result is done at every run.
      inp: its arguments.
      Tout: what it returns: a dtype (then the result is found to be like no argument: its shape is
        unknown), a TensorSpec, or a list of them for several results; None if it returns nothing.
        Where it is not given and the result is used, the function is called once more, while
        tracing, on arrays of ones, to find it.
      name: what the result is called in the graph.

    Returns:
      The result; a list of them if `Tout` is a list.

    Raises:
      ResultError: when it runs, the result has another dtype or shape than was declared.
    """
    if func is None:
        return functools.partial(py_function, Tout=Tout, name=name)
    if inp is None:
        return functools.wraps(func)(lambda *args: py_function(func, args, Tout, name))
    inputs = [valued(x) for x in inp]
    specs = None if Tout is _UNDECLARED else _specs(Tout)
    if not is_tracing():
        return call(func, tuple(inputs)) if specs is None else _Checked(func, specs)(*inputs)
    label = name or _name(func)
    if specs is None:
        return _emit_undeclared(func, inputs, label)
    leaves, structure = nest.flatten(specs)
    results = _emit(_Checked(func, specs), inputs, [leaf.type for leaf in leaves], label)
    return nest.unflatten(structure, results) if leaves else None


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Sequence[Any] | None = None,
    Tout: Any = _UNDECLARED,
    stateful: bool = True,
    name: str | None = None,
) -> Any:
    """`py_function`, by the other name that it has in TensorFlow; `stateful` changes nothing."""
    if func is None:
        return functools.partial(numpy_function, Tout=Tout, stateful=stateful, name=name)
    return py_function(func, inp, Tout, name)


def _specs(declared: Any) -> Any:
    """What was declared, as TensorSpecs in a list, alone, or none."""
    if declared is None:
        return []
    if isinstance(declared, list | tuple):
        return [_specs(item) for item in declared]
    return declared if isinstance(declared, TensorSpec) else TensorSpec(None, declared)


def _emit(
    run: Callable[..., Any], inputs: Sequence[Any], types: list[TensorType], label: str
) -> list[Tensor]:
    op = PYTHON_FUNCTION if types else PYTHON_ACTION
    attrs = {'run': run, 'types': types}
    values = [x if _is_numeric(x) else np.asarray(x) for x in inputs]
    return list(emit(op, values, attrs, names=[label] * len(types)))


def _name(function: Callable[..., Any]) -> str:
    """What the lowered program calls the function."""
    name: str = getattr(function, '__name__', '')
    return name if name.isidentifier() else 'python_function'


def _is_numeric(x: Any) -> bool:
    return isinstance(x, Tensor) or type_of(x) is not None


class _Called:
    """A Python function that a graph calls.

    Attributes:
      function: the function.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.__name__ = _name(function)

    def __getstate__(self) -> dict[str, Any]:
        try:
            pickle.dumps(self.function)
        except Exception as error:
            raise pickle.PicklingError(
                f'The graph calls {self.function!r}, which does not pickle: {error}.\n'
                'Define it by `def` in a module, and give that to `ag.py_function`.'
            ) from None
        return self.__dict__

    def __repr__(self) -> str:
        return self.__name__


class _Checked(_Called):
    """A Python function whose results are what was declared.

    It gives an array, a tuple of several, or None.
    """

    def __init__(self, function: Callable[..., Any], specs: Any) -> None:
        super().__init__(function)
        self._specs = specs

    def __call__(self, *args: Any) -> Any:
        returned = call(self.function, args)
        if not isinstance(self._specs, list):
            return _checked(returned, self._specs)
        if not self._specs:
            return None
        if not isinstance(returned, list | tuple) or len(returned) != len(self._specs):
            raise ResultError(f'{self!r} returns {returned!r}, not {len(self._specs)} results.')
        results = [_checked(x, spec) for x, spec in zip(returned, self._specs, strict=True)]
        return results if len(results) > 1 else results[0]


def _checked(value: Any, spec: TensorSpec) -> Any:
    """The result as an array, or a NumPy scalar where there is no axis."""
    array = np.asarray(value)
    if type_of(value) is None or type(value) in (bool, int, float, complex):
        array = array.astype(spec.dtype) if np.can_cast(array.dtype, spec.dtype, 'same_kind') \
            else array
    given = TensorType(array.dtype, array.shape)
    if not accepts(spec.type, given):
        raise ResultError(
            f'A Python function returns an array of {given}, where {spec} was declared.'
        )
    return array[()] if spec.shape == () else array


# Results that were not declared.


class Undeclared(Tensor):
    """The result of a Python function, whose type is found when the result is first used."""

    __slots__ = ('_find', '_found')

    def __init__(self, find: Callable[[], Any]) -> None:
        self._find = find
        self._found: list[Any] = []

    @property
    def found(self) -> Any:
        """The tensor, or the nest of them, that the function returns."""
        if not self._found:
            self._found.append(self._find())
        return self._found[0]

    def _one(self) -> Tensor:
        found = self.found
        if not isinstance(found, Tensor):
            what = f'A Python function returns {found}; it is used as an array.'
            raise StagingError(describe(what, user_location()))
        return found

    @property
    def _value(self) -> Value:  # type: ignore[override]
        return self._one().held

    @property
    def _memory(self) -> Memory:  # type: ignore[override]
        return self._one().memory

    @property
    def _versions(self) -> list[int]:  # type: ignore[override]
        return [storage.version for storage in self._memory]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.found)

    def __getitem__(self, index: Any) -> Any:
        return self.found[index]


def found_result(x: Any) -> Any:
    """What a Python function returns, where `x` stands for it; anything else itself."""
    return x.found if isinstance(x, Undeclared) else x


def _emit_undeclared(func: Callable[..., Any], inputs: list[Any], label: str) -> Undeclared:
    """A node without results, which gets them if they are used."""
    runner = _Finding(func)
    _emit(runner, inputs, [], label)
    graph = current_graph()
    assert graph is not None
    node = graph.nodes[-1]

    def find() -> Any:
        leaves, structure = runner.find([value.type for value in node.inputs])
        types = [type_ for type_ in leaves if type_ is not None]
        owner = f'the result of {label}'
        node.op = PYTHON_FUNCTION if types else PYTHON_ACTION
        node.attrs['types'] = types
        node.outputs = tuple(Value(graph, t, graph.unique(label), node) for t in types)
        tensors = iter([Tensor(value, (Storage(graph, owner),)) for value in node.outputs])
        return nest.unflatten(structure, [t and next(tensors) for t in leaves])

    return Undeclared(find)


class _Finding(_Called):
    """A Python function that says what it returns by being run on ones."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._types: list[TensorType | None] = []
        self._structure: nest.Structure | None = None

    def find(self, types: Sequence[TensorType]) -> tuple[list[TensorType | None], nest.Structure]:
        """The types of the results for arguments of these types; None for None.

        Raises:
          StagingError: it fails on ones, or returns what is no array or number.
        """
        try:
            with not_tracing():
                returned = self.function(*map(_ones, types))
        except Exception as error:
            raise self._unknown(f'it raises {type(error).__name__} on arrays of ones') from error
        leaves, structure = nest.flatten(returned)
        for leaf in leaves:
            type_ = type_of(leaf)
            if type_ is not None:
                type_ = replace(type_, shape=tuple(None for _ in type_.shape or ()))
            elif leaf is not None:
                raise self._unknown(f'it returns {leaf!r}')
            self._types.append(type_)
        self._structure = structure
        return self._types, structure

    def _unknown(self, why: str) -> StagingError:
        return StagingError(
            describe(
                f'What {self!r} returns cannot be found: {why}.',
                user_location(),
                'Declare it: `ag.py_function(f, [x], np.float64)`.',
            )
        )

    def __call__(self, *args: Any) -> Any:
        returned = call(self.function, args)
        if self._structure is None:
            return None
        leaves, structure = nest.flatten(returned)
        if structure != self._structure or not all(map(_fits, self._types, leaves)):
            shown = ', '.join(map(str, self._types))
            raise ResultError(f'{self!r} returns {returned!r}; while tracing it gave {shown}.')
        results = [leaf for leaf in leaves if leaf is not None]
        return results[0] if len(results) == 1 else results or None


def _fits(found: TensorType | None, leaf: Any) -> bool:
    given = type_of(leaf)
    if found is None or given is None:
        return found is given and leaf is None
    return found.kind == given.kind and accepts(found, given)


def _ones(type_: TensorType) -> Any:
    """A stand-in for an argument."""
    if type_.weak:
        return type_.python_type(1)
    array = np.ones([1 if n is None else n for n in type_.shape or ()], type_.dtype)
    return array if type_.kind == 'array' else array[()]
