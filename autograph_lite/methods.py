"""A `Function` that is a method, bound to its instance."""
from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from .concrete import ConcreteFunction
    from .function import Function


Q = ParamSpec('Q')
R = TypeVar('R')


class BoundFunction(functools.partial[R], Generic[Q, R]):
    """A `Function` bound to an instance, as a method of Python is; a partial calls fastest."""

    if TYPE_CHECKING:
        # What a partial calls takes the arguments that the method takes.
        def __call__(self, *args: Q.args, **kwargs: Q.kwargs) -> R: ...

    @property
    def __func__(self) -> Function[..., R]:
        """The Function."""
        function: Any = self.func
        return cast('Function[..., R]', function)

    @property
    def __self__(self) -> Any:
        """The instance."""
        return self.args[0]

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if there is none."""
        function = self.__func__
        concrete: ConcreteFunction = function.get_concrete_function(*self.args, *args, **kwargs)
        return concrete

    @property
    def python_function(self) -> Any:
        """The method as it was written, bound to the instance."""
        return functools.partial(self.__func__.python_function, self.__self__)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]
        doc: str | None = self.__func__.__doc__
        return doc

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
