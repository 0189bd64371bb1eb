"""Functions that call themselves on tensors: the graph gets a function that calls itself.

    def fact(n):                        fact: int64 = fact(n: int64 = n_0):
        if n <= 1:                        function:
            return 1               ->       ...  fact(n - 1)  ...
        return n * fact(n - 1)

A call is traced where it stands, as any other, until it is found to be repeated inside a staged
block. Then it is traced again, for arguments of which only the types are known.
"""
from __future__ import annotations

import functools
import types
from collections.abc import Callable
from inspect import BoundArguments
from typing import Any

from ..errors import AutographError
from ..graph import nest
from ..graph.tracing import checkpoint, depth, is_tracing, undo
from .activations import (
    Activation,
    Again,
    Given,
    active,
    bound_arguments,
    find,
    keep,
    known,
)
from .definitions import Definition
from .staging import staging
from .state import Snapshot


def enter(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls a converted function.

    Raises:
      StagingError: it calls itself on every way, or its result has no type that holds.
    """
    if not is_tracing():
        return function(*args, **kwargs)
    while isinstance(function, functools.partial | types.MethodType):
        if isinstance(function, functools.partial):
            args, kwargs = (*function.args, *args), {**function.keywords, **kwargs}
            function = function.func
        else:
            args, function = (function.__self__, *args), function.__func__
    if not isinstance(function, types.FunctionType):
        return function(*args, **kwargs)
    arguments = bound_arguments(function, args, kwargs)
    if arguments is None:
        return function(*args, **kwargs)
    leaves, structure = nest.flatten(dict(arguments.arguments))
    given = Given(structure, tuple(map(known, leaves)))
    repeated = find(function, given, depth())
    if repeated is not None:
        definition: Definition = repeated.definition
        return definition.recurse(leaves)
    call = _Call(Activation(function, given, depth()), arguments)
    with active(call.activation):
        while True:
            try:
                if call.is_function:
                    return call.as_function(leaves)
                return function(*args, **kwargs)
            except Again as again:
                call.widen(again)
            except AutographError as error:
                call.narrow(error)


local_call = enter  # what generated code calls it


class _Call:
    """A call that is traced where it stands or, if it calls itself, as a function of the graph.

    Attributes:
      is_function: whether it is known to call itself.
    """

    def __init__(self, activation: Activation, arguments: BoundArguments) -> None:
        self.activation = activation
        self.is_function = False
        self._signature = arguments.signature
        self._start = checkpoint()
        # What it reaches must hold what it held whenever it is traced again.
        self._around = Snapshot(('', activation.function), *arguments.arguments.items())
        # What it was called with before that was widened, and whether it was a function then.
        self._narrow: tuple[bool, Given] | None = None

    def as_function(self, leaves: list[Any]) -> Any:
        """What a function of the graph returns that is called here."""
        activation = self.activation
        definition = activation.definition = Definition(activation, self._signature)
        try:
            with staging(f'the recursive function {definition.name!r}'):
                while definition.traced_again():
                    self._around.check_unchanged()
                self._around.check_unchanged()
        finally:
            activation.definition = None
        return definition.call(leaves)

    def widen(self, again: Again) -> None:
        """The call was found to be repeated.

        Raises:
          Again: it is another one that was.
        """
        self._undo()
        if again.activation is not self.activation:
            raise again
        if again.given != self.activation.given:
            self._narrow = self._narrow or (self.is_function, self.activation.given)
        self.is_function, self.activation.given = True, again.given

    def narrow(self, error: AutographError) -> None:
        """It cannot be traced; if for less, then for less.

        Raises:
          AutographError: it cannot be traced for less either.
        """
        if self._narrow is None:
            raise error
        self._undo()
        self.is_function, self.activation.given = self._narrow
        self._narrow = None
        keep(self.activation.function)

    def _undo(self) -> None:
        undo(self._start)
        self._around.rollback()
