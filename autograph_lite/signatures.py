"""What tells one trace of a function from another: the structure and types of its arguments."""
from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .errors import SignatureError, StagingError
from .graph import nest
from .graph.specs import TensorSpec
from .graph.tensor import Tensor
from .graph.types import TensorType, scalar_type, type_of

_PLAIN = (int, float, complex, bool, str, bytes, type(None), type(...))


@dataclass(frozen=True)
class Arguments:
    """The arguments of one call: leaves, their structure, and the name of each leaf."""

    leaves: list[Any]
    structure: nest.Structure
    key: Hashable


class Signature:
    """How a function's arguments become leaves, and leaves a cache key."""

    def __init__(
        self, function: Callable[..., Any], specs: Sequence[Any] | None = None
    ) -> None:
        self._function = function
        self._signature = inspect.signature(function)
        self.parameters = list(self._signature.parameters.values())
        self._specs = None if specs is None else nest.flatten(tuple(specs))

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """One value a parameter; `*args` as a tuple, `**kwargs` as a dict.

        Raises:
          TypeError: the arguments do not fit; Python's own.
        """
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
        leaves, structure = nest.flatten(values)
        if self._specs is not None:
            leaves = self._fit(leaves, structure)
            return Arguments(leaves, structure, 'declared')
        return Arguments(leaves, structure, (structure, *map(leaf_key, leaves)))

    def _fit(self, leaves: list[Any], structure: nest.Structure) -> list[Any]:
        """The leaves as the declared signature wants them."""
        assert self._specs is not None
        specs, declared = self._specs
        if structure == declared:
            fitted = [fit(leaf, spec) for leaf, spec in zip(leaves, specs, strict=True)]
            if not any(leaf is _MISFIT for leaf in fitted):
                return fitted
        raise SignatureError(
            'The arguments do not fit the declared signature.\n'
            f'  inputs:          {_shown(leaves, structure)}\n'
            f'  input_signature: {_shown(specs, declared)}'
        )

    def names(self, structure: nest.Structure) -> list[str]:
        """What the user would write for each leaf, such as `x` or `params['w']`."""
        return [
            path
            for parameter, child in zip(self.parameters, structure.children, strict=True)
            for path in nest.paths(child, parameter.name)
        ]

    def declared(self) -> tuple[Any, ...]:
        """The declared signature as arguments."""
        assert self._specs is not None
        specs, structure = self._specs
        return tuple(nest.unflatten(structure, specs))

    def specs(self) -> tuple[list[Any], nest.Structure] | None:
        """The leaves and structure of the declared signature."""
        return self._specs

    def call(self, function: Callable[..., Any], values: Sequence[Any]) -> Any:
        """Calls the function with one value a parameter."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for parameter, value in zip(self.parameters, values, strict=True):
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += value
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs.update(value)
            elif parameter.kind is parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            else:
                args.append(value)
        return function(*args, **kwargs)


_MISFIT = object()


def fit(leaf: Any, spec: Any) -> Any:
    """The leaf as the spec wants it: a number becomes an array scalar; `_MISFIT` if it cannot."""
    if not isinstance(spec, TensorSpec):
        return leaf if leaf is spec or leaf == spec else _MISFIT
    if isinstance(leaf, TensorSpec):
        return leaf if leaf == spec else _MISFIT
    if isinstance(leaf, np.generic) or type(leaf) in (bool, int, float, complex):
        python = not isinstance(leaf, np.generic)
        try:
            leaf = spec.dtype.type(leaf) if python else leaf
        except (TypeError, OverflowError, ValueError):
            return _MISFIT
    type_ = type_of(leaf)
    if type_ is None or not accepts(spec.type, type_):
        return _MISFIT
    return leaf[()] if spec.shape == () else leaf


def accepts(wanted: TensorType, given: TensorType) -> bool:
    """Whether an argument of the given type can stand for a parameter of the wanted one."""
    if wanted.dtype != given.dtype:
        return False
    if wanted.shape is None:
        return True
    return given.shape is not None and len(wanted.shape) == len(given.shape) and all(
        m in (None, n) for m, n in zip(wanted.shape, given.shape, strict=True)
    )


def _shown(leaves: Sequence[Any], structure: nest.Structure) -> str:
    return repr(nest.unflatten(structure, [_Shown(leaf) for leaf in leaves]))


class _Shown:
    """A leaf in a message: an array as its spec."""

    def __init__(self, leaf: Any) -> None:
        self._leaf = leaf

    def __repr__(self) -> str:
        if isinstance(self._leaf, (np.ndarray, np.generic)):
            return repr(TensorSpec(self._leaf.shape, self._leaf.dtype))
        return repr(self._leaf)


def leaf_type(leaf: Any) -> TensorType | None:
    """The type of the parameter that a leaf becomes; None for a Python value.

    Raises:
      StagingError: a subclass of ndarray, or an array of Python objects.
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
    return type_of(leaf) if isinstance(leaf, np.generic) else None


def leaf_key(leaf: Any) -> Hashable:
    """What of a leaf the trace depends on: an array's type, a Python value, or an identity."""
    if type(leaf) is np.ndarray:
        return (leaf.dtype, leaf.shape)
    if type(leaf) in _PLAIN:
        return (type(leaf), leaf.hex() if type(leaf) is float else _exact(leaf))
    type_ = leaf_type(leaf)
    if type_ is not None:
        return type_
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
