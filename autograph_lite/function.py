"""`ag.function`: a Python function that is traced once a signature, and runs as a NumPy program."""
from __future__ import annotations

import contextlib
import copy
import functools
import gc
import inspect
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

from .binding import MISS
from .config import Displayed, functions_run_eagerly, numerics_are_checked, unusual
from .errors import ConversionError, for_the_user
from .graph import nest
from .graph.tracing import called_here, is_tracing
from .pyct.asking import get_attribute, resumes
from .signatures import Arguments, Identity, Signature

if TYPE_CHECKING:
    from .concrete import ConcreteFunction
    from .entries import Entry
    from .trace_cache import TraceCache

P = ParamSpec('P')
Q = ParamSpec('Q')
R = TypeVar('R')
Instance = TypeVar('Instance')


class BoundFunction(functools.partial[R], Generic[Q, R]):
    """A `Function` that is a method, bound to its instance; a partial calls fastest."""

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


class Function(Displayed, Generic[P, R]):
    """A Python function that runs as a graph.

    A call traces the function unless it was traced before for arguments of the same structure,
    dtypes, shapes and Python values, and what it read from outside is what it was; then it runs the
    program of that trace.

    Attributes:
      python_function: the function as it was written.
    """

    python_function: Callable[P, R]

    def __init__(
        self,
        python_function: Callable[P, R],
        *,
        input_signature: Sequence[Any] | None = None,
        autograph: bool = True,
        reduce_retracing: bool = False,
        check: bool = False,
        jit_compile: bool | None = None,
    ) -> None:
        _check_backend(jit_compile)
        self._kind: type[Any] = type(python_function)
        if isinstance(python_function, staticmethod | classmethod):
            python_function = python_function.__func__
        if isinstance(python_function, Function):
            python_function = python_function.python_function
        _check_convertible(python_function)
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._options: dict[str, Any] = {
            'input_signature': input_signature,
            'autograph': autograph,
            'reduce_retracing': reduce_retracing,
            'check': check,
        }
        self._signature = Signature(python_function, input_signature)
        self._name = get_attribute(python_function, '__name__') or type(python_function).__name__
        self._caches: dict[bool, TraceCache] = {}
        self._entries: list[Entry] = []
        self._lock = threading.RLock()
        self._count = 0
        self._traced_for: set[Any] = set()

    # What is known of it.

    @property
    def tracing_count(self) -> int:
        """How often a trace was begun; one that raised counts too, since the function was run."""
        return self._count

    @property
    def code(self) -> str:
        """The converted source."""
        from .conversion import to_code

        return to_code(self.python_function)

    @property
    def traces(self) -> list[ConcreteFunction]:
        """Every trace, in the order in which they were made."""
        return list(self._cache)

    def pretty_printed_concrete_signatures(self) -> str:
        """Every trace: its bound arguments, the staged ones, what it returns."""
        return '\n\n'.join(concrete.pretty_printed_signature() for concrete in self._cache)

    def trace_report(self) -> str:
        """Every trace, and which argument or captured value caused it."""
        return self._cache.report()

    # Calling.

    def __call__(self, /, *args: P.args, **kwargs: P.kwargs) -> R:
        if unusual and (is_tracing() or functions_run_eagerly() or numerics_are_checked()):
            return self._call_otherwise(args, kwargs)  # type: ignore[no-any-return]
        try:
            for entry in self._entries:
                # Passing on keywords costs as much as the tests of an argument.
                result = entry(*args, **kwargs) if kwargs else entry(*args)
                if result is not MISS:
                    return result  # type: ignore[no-any-return]
            return self._call(args, kwargs)  # type: ignore[no-any-return]
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _call_otherwise(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if is_tracing():
            from .operators.calls import check_depth
            from .operators.guards import record_function
            from .operators.outside import note_inlined
            from .operators.recursion import enter

            check_depth(self.python_function)
            note_inlined(self.python_function)
            if isinstance(self.python_function, FunctionType):
                record_function(self.python_function)
            function = functools.partial(enter, self._converted(inner=True))
            with called_here():
                if not self._signature.declares:
                    return function(*args, **kwargs)
                arguments = self._signature.arguments(args, kwargs)
                values = nest.unflatten(arguments.structure, arguments.leaves)
                return self._signature.call(function, values)
        if functions_run_eagerly():
            return self.python_function(*args, **kwargs)
        try:
            return self._call(args, kwargs)
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that no entry serves."""
        arguments = self._signature.arguments(args, kwargs)
        concrete = self._concrete(arguments)
        if self._options['check']:
            from .comparison import compare

            return compare(self.python_function, self._signature, concrete, arguments)
        self._enter_fast(concrete)
        return concrete.run(arguments.leaves, arguments.values)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if there is none.

        Args:
          *args: arrays, TensorSpecs or Python values, as the function takes them; with a declared
            signature none are needed.
          **kwargs: likewise.

        Raises:
          TypeError: the function does not take these arguments.
          SignatureError: they do not fit the declared signature (also a ValueError).
          AutographError: the function does not convert, or cannot be traced for them.
        """
        if self._signature.declares and len(args) <= self._signature.bound and not kwargs:
            args = (*args, *self._signature.specs())
        try:
            return self._concrete(self._signature.arguments(args, kwargs))
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    # Tracing.

    @property
    def _cache(self) -> TraceCache:
        return self._cache_for(False)

    def _cache_for(self, checked: bool) -> TraceCache:
        """The traces; those that check their numbers are apart."""
        with self._lock:
            if checked not in self._caches:
                self._caches[checked] = _tracing().TraceCache(
                    self._name, self._options['reduce_retracing'],
                    [] if checked else self._entries)
            return self._caches[checked]

    def _converted(self, inner: bool = False) -> Callable[..., Any]:
        """What is traced."""
        if not self._options['autograph']:
            return self.python_function
        from .conversion import converted_for_call, converted_for_trace
        from .operators.calls import undecorated

        under_errstate = undecorated(self.python_function)
        if under_errstate is not None:
            return under_errstate
        if inner and isinstance(self.python_function, FunctionType):
            return converted_for_call(self.python_function)
        return converted_for_trace(self.python_function)

    def _concrete(self, arguments: Arguments) -> ConcreteFunction:
        cache = self._cache_for(numerics_are_checked())
        found = cache.find(arguments)
        if found is None:
            with self._lock:
                found = cache.find(arguments)
                if found is None:
                    found = self._trace(cache, arguments)
        return found

    def _trace(self, cache: TraceCache, arguments: Arguments) -> ConcreteFunction:
        """A new trace; the first may create variables, and is then made once more without."""
        arguments = cache.to_trace(arguments)
        owner = self._owner(arguments)
        first = owner not in self._traced_for
        concrete = self._traced(arguments, may_create=first)
        if concrete is None:
            concrete = self._traced(arguments, may_create=False)
            assert concrete is not None
        with contextlib.suppress(TypeError):  # not everything can be held weakly
            concrete.python_function = weakref.ref(self.python_function)
        self._traced_for = {o for o in self._traced_for if not (o and o.gone)} | {owner}
        cache.add(arguments, concrete)
        return concrete

    def _traced(self, arguments: Arguments, may_create: bool) -> ConcreteFunction | None:
        self._count += 1
        from .trace import trace

        return trace(self._name, self._converted(), self._signature, arguments, may_create)

    def _owner(self, arguments: Arguments) -> Identity | None:
        """The instance whose method is called: each may create its variables once."""
        first = arguments.structure.children[:1]
        if not self._signature.bound or not first or first[0].type is not None:
            return None
        return Identity(arguments.leaves[0])

    def _enter_fast(self, concrete: ConcreteFunction) -> None:
        """Makes the next call that this trace serves a fast one."""
        if not isinstance(self.python_function, FunctionType) or numerics_are_checked():
            return
        with self._lock:
            self._cache.enter(self.python_function, concrete)

    # As a Python object.

    @overload
    def __get__(self, instance: None, owner: type | None = None) -> Function[P, R]: ...

    @overload
    def __get__(
        self: Function[Concatenate[Instance, Q], R], instance: Instance, owner: type | None = None
    ) -> BoundFunction[Q, R]: ...

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if issubclass(self._kind, classmethod):
            return BoundFunction(self, owner)
        if instance is None or issubclass(self._kind, staticmethod):
            return self
        # A class method outside is what binds it, and sets no name.
        self._signature.bound = True
        return BoundFunction(self, instance)

    def __set_name__(self, owner: type, name: str) -> None:
        self._signature.bound = not issubclass(self._kind, staticmethod)

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[P, R]:
        function = copy.deepcopy(self.python_function, memo)
        return Function(function, **self._options)

    def __reduce__(self) -> Any:
        qualified: str = getattr(self, '__qualname__', '')
        target: Any = sys.modules.get(self.__module__)
        for part in qualified.split('.'):
            target = getattr(target, part, None)
        if target is self:
            return qualified
        return functools.partial(Function, **self._options), (self.python_function,)

    def __repr__(self) -> str:
        return f'<ag.Function {getattr(self, "__qualname__", self.python_function)}>'


def _tracing() -> ModuleType:
    """The module of traces; what a first trace needs is imported here, at one go.

    The garbage collector waits: so many new objects would start it again and again, for nothing.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        from . import conversion, trace, trace_cache  # noqa: F401  used by the methods above
    finally:
        if collects:
            gc.enable()
    return trace_cache


def _check_backend(jit_compile: bool | None) -> None:
    """Refuses a backend that there is not.

    Raises:
      ConversionError: it is asked for (also a NotImplementedError).
    """
    if jit_compile:
        raise ConversionError(
            'jit_compile=True asks for compiled machine code, which autograph_lite does not make '
            'yet.\nLeave it out: the graph runs as an optimised NumPy program.'
        )


def _check_convertible(f: Any) -> None:
    """Refuses what cannot be traced.

    Raises:
      TypeError: it is not callable.
      ConversionError: it is a class or a builtin, or no function that returns once.
    """
    if isinstance(f, property):
        raise TypeError('ag.function needs a function: write @property above @ag.function.')
    if not callable(f):
        raise TypeError(f'ag.function needs a function; {f!r} is not callable.')
    name = get_attribute(f, '__qualname__') or repr(f)
    if isinstance(f, type):
        raise ConversionError(f'ag.function needs a function; {name} is a class.')
    if inspect.isbuiltin(f):
        raise ConversionError(f'ag.function needs a function written in Python; {name} is none.')
    what = resumes(f)
    if what:
        raise ConversionError(f'ag.function needs a function that returns; {name} is {what}.')


@overload
def function(python_function: Callable[P, R], /) -> Function[P, R]: ...


@overload
def function(
    *,
    input_signature: Sequence[Any] | None = ...,
    autograph: bool = ...,
    reduce_retracing: bool = ...,
    check: bool = ...,
    jit_compile: bool | None = ...,
) -> Callable[[Callable[P, R]], Function[P, R]]: ...


def function(
    python_function: Callable[..., Any] | None = None,
    /,
    *,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    reduce_retracing: bool = False,
    check: bool = False,
    jit_compile: bool | None = None,
) -> Any:
    """Makes a function run as a graph; a decorator, with and without arguments, or a call.

    Args:
      python_function: the function.
      input_signature: a TensorSpec (or nest of them) an argument: one trace for all calls.
      autograph: whether `if`, `for`, `while` over tensors are converted.
      reduce_retracing: whether axes whose length varies from call to call become unknown, so that
        one trace serves them all.
      check: whether every call runs the plain function too, on copies of the arguments, and raises
        where the results differ. A Python number that takes a NumPy type where two ways meet is no
        difference. What `ag.print`, variables, random generators and `ag.py_function` do is done
        once.
      jit_compile: kept for the compiler that is to come: True is refused.

    Returns:
      A `Function`.

    Raises:
      TypeError: it is not callable.
      ConversionError: it is a class, a builtin, a generator or a coroutine; or `jit_compile` is
        true.
    """

    def decorate(f: Callable[..., Any]) -> Function[..., Any]:
        return Function(
            f,
            input_signature=input_signature,
            autograph=autograph,
            reduce_retracing=reduce_retracing,
            check=check,
            jit_compile=jit_compile,
        )

    return decorate if python_function is None else decorate(python_function)


__all__ = ['BoundFunction', 'ConcreteFunction', 'Function', 'function']
