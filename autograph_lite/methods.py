"""A `Function` that is a method, bound to its instance."""
from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .concrete import ConcreteFunction
    from .function import Function


class BoundFunction:
    """A `Function` bound to an instance, as a method of Python is.

    Attributes:
      __func__: the Function.
      __self__: the instance.
    """

    __slots__ = ('__func__', '__self__', '__weakref__')

    def __init__(self, function: Function, instance: Any) -> None:
        self.__func__ = function
        self.__self__ = instance

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self.__self__, *args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if there is none."""
        return self.__func__.get_concrete_function(self.__self__, *args, **kwargs)

    @property
    def python_function(self) -> Any:
        """The method as it was written, bound to the instance."""
        return functools.partial(self.__func__.python_function, self.__self__)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        return self.__func__.__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        signature = inspect.signature(self.__func__)
        return signature.replace(parameters=list(signature.parameters.values())[1:])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundFunction)
            and self.__func__ is other.__func__
            and self.__self__ is other.__self__
        )

    def __hash__(self) -> int:
        return hash((id(self.__func__), id(self.__self__)))

    def __repr__(self) -> str:
        return f'<bound {self.__func__!r} of {self.__self__!r}>'
