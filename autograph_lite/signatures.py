"""What tells one trace of a function from another: the structure and types of its arguments."""
from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from .binding import Binder
from .errors import ConversionError, SignatureError, StagingError, describe, user_location
from .graph import nest
from .graph.dispatch import UNREACHED
from .graph.specs import TensorSpec
from .graph.tensor import Tensor, valued
from .graph.types import ObjectType, TensorType, of_any_length, scalar_type, type_of

Parameters = Sequence[inspect.Parameter]

_PLAIN = (int, float, complex, bool, str, bytes, type(None), type(...))
# Python values that cannot change, told by what they equal.
_VALUES = (range, np.dtype)


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call.

    Attributes:
      leaves: the arrays and Python values, in order.
      structure: what holds them: a tuple with one value a parameter.
      key: equal for two calls that one trace can serve.
      declared: for each leaf the TensorSpec that was declared for it, if any.
      values: one value a parameter.
    """

    leaves: list[Any]
    structure: nest.Structure
    key: Hashable
    declared: list[Any]
    values: tuple[Any, ...] = ()

    def types(self) -> list[TensorType | None]:
        """The type of each leaf that is staged; None for a Python value."""
        return [
            leaf_type(leaf if spec is None else spec)
            for leaf, spec in zip(self.leaves, self.declared, strict=True)
        ]


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except ValueError:
        raise ConversionError(
            f'ag.function needs a function whose parameters Python knows; those of {function!r} '
            'it does not.'
        ) from None


class Signature:
    """How a function's arguments become leaves, and leaves a cache key.

    Attributes:
      parameters: the function's.
      bound: whether the first of them is the instance that the function is a method of.
    """

    def __init__(
        self, function: Callable[..., Any], specs: Sequence[Any] | None = None
    ) -> None:
        self._function = function
        try:
            self._signature = inspect.signature(function, follow_wrapped=False)
        except ValueError:
            # A callable that has a signature because it says that it wraps another.
            self._signature = _signature(function)
        self.parameters = list(self._signature.parameters.values())
        self.bound = bool(self.parameters) and self.parameters[0].name == 'self'
        self._specs = None if specs is None else _checked_specs(specs)
        self._binder = Binder(function) if isinstance(function, FunctionType) else None

    @property
    def declares(self) -> bool:
        """Whether there is a declared signature."""
        return self._specs is not None

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """One value a parameter; `*args` as a tuple, `**kwargs` as a dict.

        Raises:
          TypeError: the arguments do not fit; Python's own.
        """
        if self._binder is not None:
            return self._binder(args, kwargs)
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise _python_error(self._function, args, kwargs) or error from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """The leaves and the key of a call.

        Raises:
          TypeError: the arguments do not fit the function.
          SignatureError: they do not fit the declared signature.
        """
        values = self.bind(args, kwargs)
        declared: list[Any]
        if self._specs is None:
            leaves, structure = nest.flatten(values)
            declared = [None] * len(leaves)
            key = (structure, *map(leaf_key, leaves))
            return Arguments(leaves, structure, key, declared, values)
        fitted, wanted = self._fit(values)
        leaves, structure = nest.flatten(tuple(fitted))
        specs, _ = nest.flatten(wanted)
        # An array without axes is told from a scalar: it has a trace of its own.
        declared = [
            None if isinstance(leaf, np.ndarray) and leaf.ndim == 0 else spec
            for leaf, spec in zip(leaves, specs, strict=True)
        ]
        keys = tuple(
            leaf_key(leaf if spec is None else spec)
            for leaf, spec in zip(leaves, declared, strict=True)
        )
        return Arguments(leaves, structure, (structure, *keys), declared, tuple(fitted))

    def _fit(self, values: tuple[Any, ...]) -> tuple[list[Any], list[Any]]:
        """The values as the declared signature wants them, and the specs in the same places."""
        assert self._specs is not None
        fitted = list(values)
        wanted: list[Any] = [nest.map_leaves(lambda _: None, value) for value in values]
        specs: Iterator[Any] = iter(self._specs)
        try:
            for i in range(self.bound, len(self.parameters)):
                kind = self.parameters[i].kind
                if kind is inspect.Parameter.VAR_POSITIONAL:
                    rest = list(specs)
                    if len(rest) != len(values[i]):
                        raise _MisfitError
                    pairs = zip(values[i], rest, strict=True)
                    fitted[i] = tuple(_fitted(value, spec) for value, spec in pairs)
                    wanted[i] = tuple(rest)
                elif kind is not inspect.Parameter.VAR_KEYWORD:
                    spec = next(specs, None)
                    if spec is not None:
                        fitted[i], wanted[i] = _fitted(values[i], spec), spec
        except _MisfitError:
            message = (
                'The arguments do not fit the declared signature.\n'
                f'  inputs:          {_shown(values[self.bound :])}\n'
                f'  input_signature: {_shown(self._specs)}'
            )
            fix = 'Pass arguments that fit it, or declare others.'
            raise SignatureError(describe(message, user_location(), fix)) from None
        if next(specs, None) is not None:
            raise TypeError(
                f'input_signature declares {len(self._specs)} arguments; the function takes '
                f'{len(self.parameters) - self.bound}.'
            )
        return fitted, wanted

    def names(self, structure: nest.Structure) -> list[str]:
        """What the user would write for each leaf, such as `x` or `params['w']`."""
        return leaf_names(self.parameters, structure)

    def specs(self) -> tuple[Any, ...]:
        """The declared signature."""
        assert self._specs is not None
        return self._specs

    def call(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """Calls the function with one value a parameter."""
        args, kwargs = as_call(self.parameters, values)
        return function(*args, **kwargs)


def leaf_names(parameters: Parameters, structure: nest.Structure) -> list[str]:
    """What the user would write for each leaf of the arguments."""
    return [
        path
        for parameter, child in zip(parameters, structure.children, strict=True)
        for path in nest.paths(child, parameter.name)
    ]


def as_call(parameters: Parameters, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any]]:
    """The positional and keyword arguments that give each parameter its value."""
    args: list[Any] = []
    kwargs: dict[str, Any] = {}
    for parameter, value in zip(parameters, values, strict=True):
        if parameter.kind is parameter.VAR_POSITIONAL:
            args += value
        elif parameter.kind is parameter.VAR_KEYWORD:
            kwargs.update(value)
        elif parameter.kind is parameter.KEYWORD_ONLY:
            kwargs[parameter.name] = value
        else:
            args.append(value)
    return args, kwargs


# Declared signatures.


class _MisfitError(Exception):
    """An argument does not fit what was declared for it."""


def _checked_specs(specs: Sequence[Any]) -> tuple[Any, ...]:
    """The declared signature as a tuple.

    Raises:
      TypeError: it is not a sequence of TensorSpecs, or of nests of them.
    """
    if not isinstance(specs, list | tuple):
        raise TypeError(
            f'input_signature is a list or tuple of TensorSpecs, one an argument; not {specs!r}.'
        )
    for leaf in nest.flatten(tuple(specs))[0]:
        if not isinstance(leaf, TensorSpec):
            raise TypeError(
                f'input_signature holds {leaf!r}; it takes TensorSpecs and nests of them.'
            )
    return tuple(specs)


def _fitted(value: Any, spec: Any) -> Any:
    """The value as the spec wants it, a list of numbers as an array.

    Raises:
      _MisfitError: it does not fit.
    """
    if isinstance(spec, TensorSpec):
        return _fitted_leaf(value, spec)
    if type(value) is not type(spec) or len(nest.children(value)) != len(nest.children(spec)):
        raise _MisfitError
    if isinstance(spec, dict):
        if value.keys() != spec.keys():
            raise _MisfitError
        return {key: _fitted(value[key], spec[key]) for key in spec}
    return nest.map_children(_fitted, value, spec)


def _fitted_leaf(value: Any, spec: TensorSpec) -> Any:
    value = valued(value)
    if isinstance(value, TensorSpec):
        if not accepts(spec.type, value.type):
            raise _MisfitError
        return value
    if isinstance(value, Tensor):
        if value.type.weak and np.can_cast(value.dtype, spec.dtype, 'same_kind'):
            value = UNREACHED[spec.dtype.type](value)
        if not accepts(spec.type, value.type):
            raise _MisfitError
        return value
    if type(value) in (bool, int, float, complex, list, tuple):
        value = _converted(value, spec.dtype)
        value = value[()] if spec.shape == () else value
    type_ = type_of(value)
    if type_ is None or not accepts(spec.type, type_):
        raise _MisfitError
    return value


def _converted(value: Any, dtype: np.dtype[Any]) -> Any:
    """Python numbers as an array of the dtype, if it holds them."""
    try:
        array = np.asarray(value)
        are_integers = array.dtype.kind in 'iu' and dtype.kind in 'iu'
        if are_integers or np.can_cast(array.dtype, dtype, 'same_kind'):
            converted = array.astype(dtype)
            if dtype.kind not in 'iuSU' or np.array_equal(converted, array):
                return converted
    except (TypeError, OverflowError, ValueError):
        pass
    raise _MisfitError


def accepts(wanted: TensorType, given: TensorType) -> bool:
    """Whether an argument of the given type can stand for a parameter of the wanted one."""
    if isinstance(wanted, ObjectType) or isinstance(given, ObjectType):
        return wanted == given
    if wanted.dtype not in (given.dtype, of_any_length(given).dtype):
        return False
    if wanted.shape is None:
        return True
    return given.shape is not None and len(wanted.shape) == len(given.shape) and all(
        m in (None, n) for m, n in zip(wanted.shape, given.shape, strict=True)
    )


def _shown(values: Sequence[Any]) -> str:
    shown = [nest.map_leaves(_Shown, value) for value in values]
    return '(' + ', '.join(map(repr, shown)) + (',)' if len(shown) == 1 else ')')


class _Shown:
    """A leaf in a message: an array as its spec."""

    def __init__(self, leaf: Any) -> None:
        self._leaf = leaf

    def __repr__(self) -> str:
        if isinstance(self._leaf, (np.ndarray, np.generic)):
            return repr(TensorSpec(self._leaf.shape, self._leaf.dtype))
        return repr(self._leaf)


# Leaves.


def leaf_type(leaf: Any) -> TensorType | None:
    """The type of the parameter that a leaf becomes; None for a Python value.

    Raises:
      StagingError: a subclass of ndarray.
    """
    if isinstance(leaf, TensorSpec):
        return scalar_type(leaf.dtype) if leaf.shape == () else leaf.type
    if isinstance(leaf, Tensor):
        return leaf.type
    if isinstance(leaf, np.ndarray):
        if type(leaf) is not np.ndarray:
            raise StagingError(
                f'A {type(leaf).__name__} cannot be traced as an array. '
                'Pass a plain one: `np.asarray(x)`.'
            )
        return type_of(leaf)
    if type(leaf).__name__ == 'Generator' and isinstance(leaf, np.random.Generator):
        return ObjectType(of=np.random.Generator)
    return type_of(leaf) if isinstance(leaf, np.generic) else None


def leaf_key(leaf: Any) -> Hashable:
    """What of a leaf the trace depends on: an array's type, a Python value, or an identity."""
    kind = type(leaf)
    if kind is np.ndarray:
        return (leaf.dtype, leaf.shape)
    if kind in _PLAIN:
        return (kind, leaf.hex() if kind is float else _exact(leaf))
    if kind in (set, frozenset):
        return (kind, frozenset(map(leaf_key, leaf)))
    if kind is slice:
        return (kind, *map(leaf_key, (leaf.start, leaf.stop, leaf.step)))
    if isinstance(leaf, _VALUES):
        return (kind, leaf)
    type_ = leaf_type(leaf)
    if type_ is not None:
        return type_ if type_.kind != 'array' else (type_.dtype, type_.shape)
    return Identity(leaf)


def _exact(leaf: Any) -> Any:
    return repr(leaf) if isinstance(leaf, complex) else leaf


class Identity:
    """An object told by identity; held weakly where Python can, so that no cache keeps it alive."""

    __slots__ = ('_hash', '_held')

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        try:
            self._held: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            self._held = lambda: value

    @property
    def gone(self) -> bool:
        """Whether the object is no more, so that nothing equals this."""
        return self._held() is None

    def value(self) -> Any:
        """The object; None if it is gone."""
        return self._held()

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        mine = self._held()
        return mine is not None and isinstance(other, Identity) and mine is other._held()


def _python_error(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> TypeError | None:
    """The TypeError of Python itself for arguments that do not fit; the body is not reached."""
    try:
        function(*args, **kwargs)
    except TypeError as error:
        return error.with_traceback(None)
    return None
