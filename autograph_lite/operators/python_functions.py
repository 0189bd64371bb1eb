"""`py_function` and `numpy_function`: Python that the running graph calls, in program order."""
from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..description import brief
from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph import nest
from ..graph.given import maker
from ..graph.graph import Value
from ..graph.specs import TensorSpec
from ..graph.storage import Memory, Storage
from ..graph.tensor import Tensor
from ..graph.tracing import current_graph, emit, held_value, is_tracing, not_tracing
from ..graph.types import PYTHON_TEXTS, ListType, TensorType, type_of
from ..ops.python_functions import PYTHON_ACTION, PYTHON_FUNCTION
from ..replay import call
from ..signatures import accepts
from .handles import handle
from .later_reads import LaterReads
from .left_outside import put_back
from .living_lists import LivingList
from .outer_variables import as_before, called_back
from .passed_to_python import Passed, passed_arguments, plain_arguments

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
      inp: its arguments: tensors arrive as arrays, alone or in lists, tuples and dicts, anything
        else as it is.
      Tout: what it returns: a dtype (then the result is found to be like no argument: its shape is
        unknown), `str` or `bytes` for a text, a TensorSpec, or a list of them for several results;
        None if it returns nothing.
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
    specs = None if Tout is _UNDECLARED else _specs(Tout)
    if not is_tracing():
        inputs = plain_arguments(inp)
        return call(func, tuple(inputs)) if specs is None else _Checked(func, specs)(*inputs)
    later = called_back(func)
    passed, inputs = passed_arguments(inp, found_result)
    label = name or _name(func)
    if specs is None:
        return _emit_undeclared(_Finding(func, passed, later), inputs, label)
    leaves, structure = nest.flatten(specs)
    runner = _Checked(func, specs, passed, later)
    results = _emit(runner, inputs, list(map(_type, leaves)), label)
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
    """What was declared, as TensorSpecs, str or bytes, in a list, alone, or none."""
    if declared is None:
        return []
    if isinstance(declared, list | tuple):
        return [_specs(item) for item in declared]
    if isinstance(declared, TensorSpec) or _is_text(declared):
        return declared
    return TensorSpec(None, declared)


def _is_text(declared: Any) -> bool:
    """Whether a text was declared."""
    return isinstance(declared, type) and declared in PYTHON_TEXTS


def _type(spec: Any) -> TensorType:
    return PYTHON_TEXTS[spec] if _is_text(spec) else spec.type


def _emit(
    run: Callable[..., Any], inputs: Sequence[Any], types: list[TensorType], label: str
) -> list[Tensor]:
    op = PYTHON_FUNCTION if types else PYTHON_ACTION
    attrs = {'run': run, 'types': types}
    made = emit(op, inputs, attrs, names=[label] * len(types), value_of=held_value)
    return [handle(x.held, x.memory) for x in made]


def _name(function: Callable[..., Any]) -> str:
    """What the lowered program calls the function."""
    name: str = getattr(function, '__name__', '')
    return name if name.isidentifier() else 'python_function'


class Called:
    """A Python function that a graph calls."""

    def __init__(
        self, function: Callable[..., Any], passed: Passed | None = None,
        later: LaterReads | None = None,
    ) -> None:
        self._passed = passed
        self._later = later or LaterReads()
        self._maker = maker(function)
        self._function = None if self._maker else function
        self.__name__ = _name(function)
        self._shown = getattr(function, '__name__', self.__name__)
        self.location = user_location()

    @property
    def function(self) -> Any:
        """The function."""
        return self._maker() if self._maker else self._function

    @property
    def given(self) -> list[Any]:
        """What the function is given that the graph does not compute."""
        return [] if self._passed is None else self._passed.known

    def _call(self, values: tuple[Any, ...]) -> Any:
        """What the function returns for what the graph gives it.

        Raises:
          OwnershipError: it modifies a list or dict that the traced code has made, or what is read
            from outside after it.
        """
        before = self._later.now()
        returned = self._called(values)
        self._later.check(before, self.location)
        return returned

    def _called(self, values: tuple[Any, ...]) -> Any:
        if self._passed is None:
            return call(self.function, values)
        args = self.arguments(values)
        before = self._passed.made_for(args)
        returned = call(self.function, tuple(args))
        if self._passed.made_for(args) != before:
            what = f'{self!r} modifies what it is given, which the graph does not see.'
            fix = 'Let it return what it changes, or modify a list from outside of the function.'
            raise OwnershipError(describe(what, self.location, fix))
        return returned

    def arguments(self, values: tuple[Any, ...]) -> Sequence[Any]:
        """What the function is given, with what the graph gives in its places."""
        return values if self._passed is None else self._passed.fill(values)

    def _error(self, returned: Any, wanted: str, fix: str) -> ResultError:
        """The error for a result that is not what is wanted."""
        what = f'{self!r} returns {_found(returned)}, where {wanted}.'
        return ResultError(describe(what, self.location, fix))

    def __getstate__(self) -> dict[str, Any]:
        function = self.function
        try:
            pickle.dumps(function)
        except Exception as error:
            raise pickle.PicklingError(
                f'The graph calls {function!r}, which does not pickle: {error}.\n'
                'Define it by `def` in a module, and give that to `ag.py_function`.'
            ) from None
        return {
            **self.__dict__, '_function': function, '_maker': None, '_later': LaterReads()}

    def __repr__(self) -> str:
        return self._shown


class _Checked(Called):
    """A Python function whose results are what was declared.

    It gives an array, a tuple of several, or None.
    """

    def __init__(
        self, function: Callable[..., Any], specs: Any, passed: Passed | None = None,
        later: LaterReads | None = None,
    ) -> None:
        super().__init__(function, passed, later)
        self._specs = specs

    def __call__(self, *args: Any) -> Any:
        returned = self._call(args)
        if not isinstance(self._specs, list):
            return self._checked(returned, self._specs)
        if not self._specs:
            return None
        count = len(self._specs)
        if not isinstance(returned, list | tuple) or len(returned) != count:
            fix = f'Return a list or tuple of {count} results, or declare as Tout what it returns.'
            raise self._error(returned, f'{count} results were declared', fix)
        results = [self._checked(x, spec) for x, spec in zip(returned, self._specs, strict=True)]
        return results if len(results) > 1 else results[0]

    def _checked(self, value: Any, spec: Any) -> Any:
        """The result as an array, or a NumPy scalar where there is no axis; a text as it is."""
        fix = 'Declare as Tout what it returns, or return what is declared.'
        if _is_text(spec):
            text = value.item() if isinstance(value, np.generic) else value
            if type(text) is not spec:
                raise self._error(value, f'{spec.__name__} was declared', fix)
            return text
        array = np.asarray(value)
        if type_of(value) is None or type(value) in (bool, int, float, complex):
            can = np.can_cast(array.dtype, spec.dtype, 'same_kind')
            array = array.astype(spec.dtype) if can else array
        given = TensorType(array.dtype, array.shape)
        if not accepts(spec.type, given):
            raise self._error(value, f'{spec} was declared', fix)
        return array[()] if spec.shape == () else array


def _found(returned: Any) -> str:
    """A result in a message: the type of an array, anything else itself."""
    type_ = type_of(returned)
    return brief(returned) if type_ is None or type_.weak else f'an array of {type_}'


# Results that were not declared.


class Undeclared(Tensor):
    """The result of a Python function, whose type is found when the result is first used."""

    __slots__ = ('_find', '_found')

    def __init__(self, find: Callable[[], Any]) -> None:
        self.place = self.chosen = None
        self._find = find
        self._found: list[Any] = []

    @property
    def is_found(self) -> bool:
        return bool(self._found)

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
    """What a Python function returns, or what is in a list outside, where `x` stands for it."""
    if isinstance(x, LivingList):
        return x.as_it_is()
    return x.found if isinstance(x, Undeclared) else x


def _emit_undeclared(runner: _Finding, inputs: list[Any], label: str) -> Undeclared:
    """A node without results, which gets them if they are used."""
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


class _Finding(Called):
    """A Python function that says what it returns by being run on ones."""

    def __init__(self, function: Callable[..., Any], passed: Passed, later: LaterReads) -> None:
        super().__init__(function, passed, later)
        self._filled = passed.fill
        self._types: list[TensorType | None] = []
        self._structure: nest.Structure | None = None

    def find(self, types: Sequence[TensorType]) -> tuple[list[TensorType | None], nest.Structure]:
        """The types of the results for arguments of these types; None for None.

        Raises:
          StagingError: it fails on ones, or returns what is no array or number.
        """
        try:
            with not_tracing(), as_before(), put_back(self.function):
                returned = self.function(*self._filled([*map(_ones, types)]))
        except Exception as error:
            raise self._unknown(f'it raises {type(error).__name__} on arrays of ones') from error
        leaves, structure = nest.flatten(returned)
        for leaf in leaves:
            type_ = type_of(leaf)
            if type_ is not None:
                type_ = replace(type_, shape=tuple(None for _ in type_.shape or ()))
            elif leaf is not None:
                raise self._unknown(f'it returns {brief(leaf)}', leaf)
            self._types.append(type_)
        self._structure = structure
        return self._types, structure

    def _unknown(self, why: str, returned: Any = None) -> StagingError:
        texts = [text.__name__ for text in PYTHON_TEXTS if isinstance(returned, text)]
        dtype = texts[0] if texts else 'np.float64'
        return StagingError(
            describe(
                f'What {self!r} returns cannot be found: {why}.',
                user_location(),
                f'Declare it: `ag.py_function(f, [x], {dtype})`.',
            )
        )

    def __call__(self, *args: Any) -> Any:
        returned = self._call(args)
        if self._structure is None:
            return None
        leaves, structure = nest.flatten(returned)
        if structure != self._structure or not all(map(_fits, self._types, leaves)):
            shown = ', '.join(map(str, self._types))
            fix = 'Let it return the same types at every call, or declare them as Tout.'
            raise self._error(returned, f'it gave {shown} while tracing', fix)
        results = [leaf for leaf in leaves if leaf is not None]
        return results[0] if len(results) == 1 else results or None


def _fits(found: TensorType | None, leaf: Any) -> bool:
    given = type_of(leaf)
    if found is None or given is None:
        return found is given and leaf is None
    return found.kind == given.kind and accepts(found, given)


def _ones(type_: TensorType) -> Any:
    """A stand-in for an argument."""
    if isinstance(type_, ListType):
        return [] if type_.element is None else [_ones(type_.element)]
    if type_.weak:
        return type_.python_type(1)
    array = np.ones([1 if n is None else n for n in type_.shape or ()], type_.dtype)
    return array if type_.kind == 'array' else array[()]
