"""`ag.function`: a Python function that is traced once a signature, and runs as a NumPy program."""
from __future__ import annotations

import copy
import functools
import sys
import threading
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, overload

from .config import active_debugger, functions_run_eagerly, numerics_are_checked, unusual
from .errors import describe, for_the_user, user_location
from .graph import nest
from .graph.tracing import called_here, is_tracing
from .methods import BoundFunction
from .miss import MISS
from .pyct.asking import get_attribute
from .signatures import Signature
from .traceable import check_backend, check_traceable
from .watching import made

if TYPE_CHECKING:
    from .concrete import ConcreteFunction
    from .entries import Entry
    from .trace_cache import TraceCache
    from .traces import Traces

P = ParamSpec('P')
Q = ParamSpec('Q')
R = TypeVar('R')
Instance = TypeVar('Instance')


class Function(Generic[P, R]):
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
        check_backend(jit_compile)
        self._kind: type[Any] = type(python_function)
        if isinstance(python_function, staticmethod | classmethod):
            python_function = python_function.__func__
        if isinstance(python_function, Function):
            python_function = python_function.python_function
        check_traceable(python_function, autograph)
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._options: dict[str, Any] = {
            'input_signature': input_signature,
            'autograph': autograph,
            'reduce_retracing': reduce_retracing,
            'check': check,
        }
        self._signature = Signature(python_function, input_signature)
        self._code = get_attribute(python_function, '__code__')
        self._name = get_attribute(python_function, '__name__') or type(python_function).__name__
        self._entries: list[Entry] = []
        self._lock = threading.RLock()
        self._known_traces: Traces | None = None
        made(self)

    # What is known of it.

    @property
    def tracing_count(self) -> int:
        """How often a trace was begun; one that raised counts too, since the function was run."""
        return self._traces.count

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
            return _stepped_over(self._call, args, kwargs)  # type: ignore[no-any-return]
        except TypeError as error:
            if self._has_other_code:  # the entry has the parameters of the code before
                self._follow()
                return self(*args, **kwargs)
            raise for_the_user(error)  # noqa: B904  it is the same error
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _call_otherwise(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if is_tracing():
            from .changed import unchanged
            from .operators.calls import note_inner
            from .operators.recursion import enter

            note_inner(self.python_function)
            function = functools.partial(enter, self._converted(inner=True))
            with called_here() as returned:
                if not self._signature.declares:
                    return returned(function(*args, **kwargs))
                arguments = self._signature.arguments(args, kwargs)
                values = nest.unflatten(arguments.structure, arguments.leaves)
                with unchanged(self._name, arguments.structure, values):
                    return returned(self._signature.call(function, values))
        if functions_run_eagerly():
            return self.python_function(*args, **kwargs)
        try:
            return _stepped_over(self._call, args, kwargs)
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call that no entry serves."""
        self._follow()
        arguments = self._signature.arguments(args, kwargs)
        ran: list[Any] = []

        def run(concrete: ConcreteFunction) -> Any:
            bound = self._signature.bind(args, kwargs) if concrete.changed else ()
            ran.append(concrete.run(arguments.leaves, bound))
            return ran[0]

        concrete, undo = self._traces.concrete(self, arguments, run)
        if ran:
            return ran[0]
        if self._options['check'] and not concrete.lasts:
            from .comparison import compare

            return compare(
                self.python_function, self._signature, concrete, arguments,
                self._signature.bind(args, kwargs), undo)
        if not concrete.done_by_python:
            self._enter_fast(concrete)
        return run(concrete)

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
        self._follow()
        if self._signature.declares and len(args) <= self._signature.bound and not kwargs:
            args = (*args, *self._signature.specs())
        try:
            arguments = self._signature.arguments(args, kwargs)
            return _stepped_over(self._traces.concrete, self, arguments)[0]  # type: ignore[no-any-return]
        except Exception as error:
            if type(error) is TypeError and self._wants_class(args):
                what = f'{error}: from Python 3.13 on, a classmethod does not pass on its class.'
                fix = 'Write `@ag.function` above `@classmethod`, or give the class first.'
                error.args = (describe(what, user_location(), fix),)
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _wants_class(self, args: tuple[Any, ...]) -> bool:
        """Whether it is the function of a classmethod, and is not given the class."""
        is_given = bool(args) and isinstance(args[0], type)
        parameters = self._signature.parameters[: self._signature.bound]
        return not is_given and any(parameter.name == 'cls' for parameter in parameters)

    # Tracing.

    @property
    def _has_other_code(self) -> bool:
        """Whether the function was given other code since it was last looked at."""
        return get_attribute(self.python_function, '__code__') is not self._code

    def _follow(self) -> None:
        """A function that was given other code, as reloaders do, is another one."""
        if not self._has_other_code:
            return
        signature = Signature(self.python_function, self._options['input_signature'])
        with self._lock:
            signature.bound = self._signature.bound
            self._signature = signature
            self._code = get_attribute(self.python_function, '__code__')
            self._traces.restart()

    @property
    def _traces(self) -> Traces:
        """Its traces, which nobody asks for before the first call."""
        if self._known_traces is None:
            from .traces import Traces

            with self._lock:
                if self._known_traces is None:
                    self._known_traces = Traces(
                        self._name, self._options['reduce_retracing'], self._entries, self._lock)
        return self._known_traces

    @property
    def _cache(self) -> TraceCache:
        return self._traces.cache()

    def _converted(self, inner: bool = False) -> Callable[..., Any]:
        """What is traced."""
        if not self._options['autograph']:
            return self.python_function
        from .conversion import converted_for_function

        return converted_for_function(self.python_function, inner)

    def _enter_fast(self, concrete: ConcreteFunction) -> None:
        """Makes the next call that this trace serves a fast one; no debugger stops in that."""
        if not isinstance(self.python_function, FunctionType):
            return
        if numerics_are_checked() or active_debugger() is not None:
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
        return BoundFunction(self, instance)

    def __set_name__(self, owner: type, name: str) -> None:
        self._signature.bound = not issubclass(self._kind, staticmethod)

    def __deepcopy__(self, memo: dict[int, Any]) -> Function[P, R]:
        copied = Function(copy.deepcopy(self.python_function, memo), **self._options)
        copied._kind = self._kind
        copied._signature.bound = self._signature.bound
        return copied

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

    def _repr_html_(self) -> str:
        from .report import as_html

        return as_html(self)


_LATER: Any = object()  # the function is given when the decorator is called


@overload
def function(python_function: Callable[P, R], /) -> Function[P, R]:
    """A decorator without arguments, or a call."""


@overload
def function(
    *,
    input_signature: Sequence[Any] | None = ...,
    autograph: bool = ...,
    reduce_retracing: bool = ...,
    check: bool = ...,
    jit_compile: bool | None = ...,
) -> Callable[[Callable[P, R]], Function[P, R]]:
    """A decorator with arguments."""


def function(
    python_function: Any = _LATER,
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
        where the results differ, at the first line at which a variable, what is returned, or the
        way through a branch or a loop does. A Python number that takes a NumPy type where two ways
        meet is no difference. What `ag.print`, variables, random generators and `ag.py_function`
        do is done once. A trace that took from an iterator, or read a file, is not checked: plain
        Python would take again.
      jit_compile: kept for the compiler that is to come: True is refused.

    Returns:
      A `Function`.

    Raises:
      TypeError: it is not callable.
      ConversionError: it is a class, a builtin, a generator or a coroutine; or `jit_compile` is
        true.
      SourceNotFoundError: its source cannot be found, and `autograph` asks for a conversion.
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

    return decorate if python_function is _LATER else decorate(python_function)


def _stepped_over(run: Callable[..., Any], *args: Any) -> Any:
    """Calls a function of the library; a debugger that steps on stops in the user's code alone."""
    # What is called here, a debugger steps through.
    debugger, bdb = getattr(sys.gettrace(), '__self__', None), sys.modules.get('bdb')
    if bdb is None or not isinstance(debugger, bdb.Bdb):
        return run(*args)
    sys.settrace(None)  # nor while this is loaded
    from .stepping import in_users_code

    return in_users_code(debugger, run, *args)


__all__ = ['BoundFunction', 'ConcreteFunction', 'Function', 'function']
