"""How the arguments of a call go to the parameters of one trace, of which some are bound."""
from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from .binding import with_parameters

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Taking:
    """What a trace takes: all the parameters, without the instance of a method, or the free ones.

    Args:
      name: of the function.
      parameters: its parameters.
      bound: what each of them is where it is left out.
      free: those that must be given; of a `**kwargs`, its name and what it must hold.
      is_method: whether the first is the instance.
    """

    def __init__(
        self,
        name: str,
        parameters: Sequence[inspect.Parameter],
        bound: Mapping[str, Any],
        free: Mapping[str, Sequence[str]],
        is_method: bool,
    ) -> None:
        self._name = name
        self._bound = bound
        required = [p for p in parameters if p.name in free and not _is_variadic(p)]
        self._required = {p.name: p for p in required}
        self._variadic = {p.name: p.kind for p in parameters if _is_variadic(p)}
        self._held = {name: keys for name, keys in free.items() if name in self._variadic}
        self._ways = [list(parameters), self._free_by_place(parameters)]
        if is_method and parameters[0].name not in free:
            self._ways.insert(0, list(parameters[1:]))

    def _free_by_place(
        self, parameters: Sequence[inspect.Parameter]
    ) -> list[inspect.Parameter]:
        """The parameters where those that are bound are given by name alone."""
        taken = []
        for parameter in parameters:
            if parameter.kind not in _BY_PLACE or parameter.name in self._required:
                taken.append(parameter)
            elif parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
                taken.append(parameter.replace(kind=parameter.KEYWORD_ONLY))
        return sorted(taken, key=lambda parameter: parameter.kind)

    def ways(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
        """One value a parameter, for each way in which the arguments can be taken."""
        for way in self._ways:
            with suppress(TypeError):
                given = inspect.Signature(way).bind_partial(*args, **kwargs).arguments
                if not self._missing(given):
                    yield tuple(self._value(name, given) for name in self._bound)

    def _missing(self, given: Mapping[str, Any]) -> list[inspect.Parameter]:
        """What must be given and is not."""
        named = [parameter for name, parameter in self._required.items() if name not in given]
        held = [
            inspect.Parameter(key, inspect.Parameter.KEYWORD_ONLY)
            for name, keys in self._held.items()
            for key in keys
            if key not in given.get(name, ())
        ]
        return named + held

    def _value(self, name: str, given: Mapping[str, Any]) -> Any:
        if self._variadic.get(name) is inspect.Parameter.VAR_KEYWORD:
            return {**self._bound[name], **given.get(name, {})}
        if name in self._held:
            return given.get(name, ())
        return given.get(name, self._bound[name])

    def error(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError:
        """Python's own for arguments that can be taken in no way."""
        way = self._ways[0]
        try:
            given = inspect.Signature(way).bind_partial(*args, **kwargs).arguments
        except TypeError as error:
            return self._python_error(self._with_defaults(way), args, kwargs) or error
        missing = self._python_error(self._missing(given), (), {})
        assert missing is not None
        return missing

    def _with_defaults(self, way: Sequence[inspect.Parameter]) -> list[inspect.Parameter]:
        """The parameters, where those that are bound may be left out."""
        shown: list[inspect.Parameter] = []
        may = True
        for parameter in reversed(way):
            if parameter.kind in _BY_PLACE:
                may = may and parameter.name not in self._required
            has = not _is_variadic(parameter) and parameter.name not in self._required
            by_name = parameter.kind is parameter.KEYWORD_ONLY
            shown.append(parameter.replace(default=None) if has and (by_name or may) else parameter)
        return shown[::-1]

    def _python_error(
        self,
        parameters: Sequence[inspect.Parameter],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> TypeError | None:
        try:
            with_parameters(self._name, parameters)(*args, **kwargs)
        except TypeError as error:
            return error.with_traceback(None)
        return None


def _is_variadic(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
