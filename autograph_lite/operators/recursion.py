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
from contextlib import nullcontext
from inspect import BoundArguments
from typing import Any

from ..errors import AutographError, StagingError, describe, user_location
from ..graph.checkpoints import checkpoint, undo
from ..graph.tracing import called_here, depth, is_tracing
from ..graph.trials import trying
from ..pyct.asking import get_attribute
from ..pyct.codes import once_by_code
from .activations import (
    Activation,
    Again,
    Given,
    active,
    bound_arguments,
    endless_recursion,
    is_recursive,
    keep,
)
from .definitions import Definition
from .holders import Holder
from .moved import staged_lists
from .reachable import Reachable
from .reaches import Reaches
from .recursive_calls import call_defined, recurse
from .repeated_calls import find
from .restaging import change
from .staging import staging

# A function that calls itself this deep inside staged branches does not end while tracing.
_MAX_DEPTH = 48


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
    repeated = find(function, arguments.arguments, depth())
    if repeated is not None:
        definition: Definition = repeated.definition
        return recurse(definition, repeated.operands(arguments.arguments))
    call = _Call(Activation(function, arguments.arguments, depth()), arguments)
    with active(call.activation), trying() if _names_itself(function.__code__) else nullcontext():
        while True:
            try:
                if call.is_function:
                    return call.as_function()
                return function(*args, **kwargs)
            except Again as again:
                call.widen(again)
            except Reaches as reaches:
                call.hand_over(reaches)
            except (AutographError, RecursionError) as error:
                call.narrow(error)


def check_depth(f: Callable[..., Any]) -> None:
    """Refuses a call that is ever deeper in staged blocks.

    Raises:
      StagingError: it is.
    """
    if depth() > _MAX_DEPTH and is_recursive():
        raise StagingError(
            describe(
                endless_recursion()
                or f'{get_attribute(f, "__name__", f)!r} is called ever deeper inside branches '
                'whose condition is a tensor; tracing such a recursion does not end.',
                user_location(),
                'Give it arguments of the same types and the same Python values at every level, or '
                'write it as a loop.',
            )
        )


def local_call(function: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
    """Calls a converted function that is defined in the one that calls it.

    Raises:
      StagingError: it calls itself on every way, or its result has no type that holds.
    """
    if not is_tracing():
        return function(*args, **kwargs)
    check_depth(function)
    with called_here() as returned:
        return returned(enter(function, *args, **kwargs))


@once_by_code
def _names_itself(code: types.CodeType) -> bool:
    """Whether a function has its own name in it, so that it may come to call itself."""
    return code.co_name in _names_in(code)


def _names_in(code: types.CodeType) -> set[str]:
    inner = (_names_in(part) for part in code.co_consts if isinstance(part, types.CodeType))
    return {*code.co_names, *code.co_freevars}.union(*inner)


class _Call:
    """A call that is traced where it stands or, if it calls itself, as a function of the graph.

    Attributes:
      is_function: whether it is known to call itself.
    """

    def __init__(self, activation: Activation, arguments: BoundArguments) -> None:
        self.activation = activation
        self.is_function = False
        self._arguments = arguments
        self._start = checkpoint()
        # What it reaches must hold what it held whenever it is traced again.
        self._around = Reachable(None, activation.function, *arguments.arguments.values())
        # What it was called with before that was widened, what it was given beside that, and
        # whether it was a function then.
        self._narrow: tuple[bool, Given, tuple[Holder, ...]] | None = None
        # In the forms of these, one after the other, it is given its lists and dicts.
        self._likes: tuple[Any, ...] = ()
        # Why it cannot be traced for what it was given before that was made less again.
        self._first: AutographError | None = None

    def as_function(self) -> Any:
        """What a function of the graph returns that is called here."""
        with staged_lists(*self._operands()) as held:
            return self._as_function(held)

    def _operands(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What it is given, as it is here and in the form that it needs."""
        operands = self.activation.operands(self._arguments.arguments)
        return operands, functools.reduce(change, self._likes, operands)

    def _as_function(self, operands: dict[str, Any]) -> Any:
        activation = self.activation
        around = Reachable(None, activation.function, *operands.values())
        definition = activation.definition = Definition(activation, self._arguments.signature)
        try:
            with staging(f'the recursive function {definition.name!r}'):
                while definition.traced_again():
                    around.check_unchanged(activation.places)
                around.check_unchanged(activation.places)
        finally:
            activation.definition = None
        return call_defined(definition, operands)

    def hand_over(self, reaches: Reaches) -> None:
        """The function changes places that it is not given: from now on it is.

        Raises:
          Reaches: they are for a block around the call.
        """
        activation = self.activation
        known = {place.identity for place in activation.places}
        if not self.is_function or reaches.is_for_others or known.intersection(
            place.identity for place in reaches.places
        ):
            raise reaches
        self._undo()
        activation.places += tuple(reaches.places)
        self._likes = ()  # they do not know of these places
        activation.take(self._operands()[1])

    def widen(self, again: Again) -> None:
        """The call was found to be repeated.

        Raises:
          Again: it is another one that was.
        """
        self._undo()
        if again.activation is not self.activation:
            raise again
        if again.like is not None:
            self._note()
            self._likes += (again.like,)
            self.activation.take(self._operands()[1])
            self.is_function = True
            return
        if again.given != self.activation.given:
            self._note()
        self.is_function, self.activation.given = True, again.given

    def _note(self) -> None:
        """What it is traced for may be less than what it will be."""
        activation = self.activation
        self._narrow = self._narrow or (self.is_function, activation.given, activation.places)

    def narrow(self, error: AutographError | RecursionError) -> None:
        """It cannot be traced; if for less, then for less.

        Raises:
          AutographError: it cannot be traced for less either: why it cannot be for more.
          RecursionError: for less it does not end.
        """
        if self._narrow is None:
            raise self._first or error
        if isinstance(error, AutographError):
            self._first = error
        self._undo()
        self.is_function, self.activation.given, self.activation.places = self._narrow
        self._narrow, self._likes = None, ()
        keep(self.activation.function)

    def _undo(self) -> None:
        undo(self._start)
        self._around.restore()
