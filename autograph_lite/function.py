"""`ag.function`: a Python function that is traced once a signature, and runs as a NumPy program."""
from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any, overload

from . import ops  # noqa: F401  importing the operations registers them
from .backends.numpy import Program, lower, run
from .errors import OwnershipError, SignatureError, describe
from .graph import nest
from .graph.graph import Graph, Value
from .graph.specs import TensorSpec
from .graph.tensor import Storage, Tensor
from .graph.tracing import is_tracing, tracing_into
from .graph.types import TensorType
from .operators.captures import Guard, recording
from .operators.effects import raises_when_run
from .operators.leaves import leaf_of
from .operators.staging import identifier
from .operators.unbound import bound
from .optimize import optimize
from .signatures import Arguments, Signature, accepts, leaf_type


class ConcreteFunction:
    """One trace of a function: a graph, and the NumPy program that it was lowered to.

    Calling it takes the arguments that the function takes; those that are Python values must be
    the ones it was traced with.
    """

    def __init__(
        self,
        name: str,
        signature: Signature,
        arguments: Arguments,
        graph: Graph,
        returned: tuple[nest.Structure, list[Any]],
        guards: Sequence[Guard],
    ) -> None:
        self.name = name
        self._signature = signature
        self._arguments = arguments
        self._guards = guards
        self._structure, self._returned = returned
        self._types = [leaf_type(leaf) for leaf in arguments.leaves]
        self._staged = [i for i, type_ in enumerate(self._types) if type_ is not None]
        self._graph = graph
        self._program: Program = lower(graph)

    @property
    def graph(self) -> Graph:
        """The optimised graph."""
        return self._graph

    @property
    def lowered_code(self) -> str:
        """The source of the NumPy program that runs."""
        return self._program.code

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments it was traced with, with a TensorSpec in the place of each array."""
        paths = self._signature.names(self._arguments.structure)
        leaves = [
            leaf if type_ is None else TensorSpec(type_.shape, type_.dtype, identifier(path))
            for leaf, type_, path in zip(self._arguments.leaves, self._types, paths, strict=True)
        ]
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        values = nest.unflatten(self._arguments.structure, leaves)
        for parameter, value in zip(self._signature.parameters, values, strict=True):
            if parameter.kind is parameter.KEYWORD_ONLY:
                kwargs[parameter.name] = value
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs.update(value)
            elif parameter.kind is parameter.VAR_POSITIONAL:
                args += value
            else:
                args.append(value)
        return tuple(args), kwargs

    @property
    def structured_outputs(self) -> Any:
        """What it returns, with a TensorSpec in the place of each array or number."""
        specs = [
            TensorSpec(leaf.type.shape, leaf.type.dtype) if isinstance(leaf, Value) else leaf
            for leaf in self._returned
        ]
        return nest.unflatten(self._structure, specs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self._signature.bind(args, kwargs)
        leaves, structure = nest.flatten(values)
        if structure != self._arguments.structure:
            raise SignatureError(
                f'{self.name} was traced for arguments of the structure '
                f'{self._arguments.structure}; these have {structure}.'
            )
        paths = self._signature.names(structure)
        for path, leaf, type_, traced in zip(
            paths, leaves, self._types, self._arguments.leaves, strict=True
        ):
            _check_argument(self.name, path, leaf, type_, traced)
        return self.run(leaves)

    def holds(self) -> bool:
        """Whether what the function read from outside while it was traced is what it was."""
        return all(guard.holds() for guard in self._guards)

    def run(self, leaves: Sequence[Any]) -> Any:
        """Runs the program on the leaves of arguments that are known to fit."""
        outputs = iter(run(self._program, [leaves[i] for i in self._staged]))
        return nest.unflatten(
            self._structure,
            [next(outputs) if isinstance(leaf, Value) else leaf for leaf in self._returned],
        )

    def __repr__(self) -> str:
        return f'<ConcreteFunction {self.name}>'


def _check_argument(
    name: str, path: str, leaf: Any, type_: TensorType | None, traced: Any
) -> None:
    given = leaf_type(leaf)
    if type_ is None:
        if leaf is not traced and (type(leaf) is not type(traced) or leaf != traced):
            raise TypeError(f'{name} was traced with {path}={traced!r}; it cannot run {leaf!r}.')
        return
    if given is None or not accepts(type_, given):
        raise SignatureError(
            f'{name} takes for {path!r} {TensorSpec(type_.shape, type_.dtype)}; this is '
            f'{leaf!r}.'
            if given is None
            else f'{name} takes for {path!r} {TensorSpec(type_.shape, type_.dtype)}; this is '
            f'{TensorSpec(given.shape, given.dtype)}.'
        )


class Function:
    """A Python function that runs as a graph.

    A call traces the function unless it was traced before for arguments of the same structure,
    dtypes, shapes and Python values; then it runs the program of that trace.

    Attributes:
      python_function: the function as it was written.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        *,
        input_signature: Sequence[Any] | None = None,
        autograph: bool = True,
    ) -> None:
        if not callable(python_function):
            raise TypeError(
                f'ag.function needs a function; {python_function!r} is not callable.'
            )
        functools.update_wrapper(self, python_function)
        self.python_function = python_function
        self._autograph = autograph
        self._signature = Signature(python_function, input_signature)
        self._cache: dict[Hashable, list[ConcreteFunction]] = {}
        self._lock = threading.RLock()
        self._count = 0

    @property
    def tracing_count(self) -> int:
        """How many times the function was traced."""
        return self._count

    @property
    def code(self) -> str:
        """The converted source."""
        from .conversion import to_code

        return to_code(self.python_function)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if is_tracing():
            return self._converted()(*args, **kwargs)
        arguments = self._signature.arguments(args, kwargs)
        return self._concrete(arguments).run(arguments.leaves)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if there is none.

        Args:
          *args: arrays, TensorSpecs or Python values, as the function takes them; with a declared
            signature none are needed.
          **kwargs: likewise.
        """
        if not args and not kwargs and self._signature.specs() is not None:
            args = self._signature.declared()
        return self._concrete(self._signature.arguments(args, kwargs))

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else BoundFunction(self, instance)

    def __repr__(self) -> str:
        return f'<ag.Function {getattr(self, "__qualname__", self.python_function)}>'

    def _converted(self) -> Callable[..., Any]:
        if not self._autograph:
            return self.python_function
        from .conversion import converted_for_call

        return converted_for_call(self.python_function)

    def _concrete(self, arguments: Arguments) -> ConcreteFunction:
        found = self._find(arguments.key)
        if found is None:
            with self._lock:
                found = self._find(arguments.key)
                if found is None:
                    self._count += 1
                    found = self._trace(arguments)
                    self._cache.setdefault(arguments.key, []).insert(0, found)
        return found

    def _find(self, key: Hashable) -> ConcreteFunction | None:
        """The trace for a key that holds now, the newest first."""
        for concrete in self._cache.get(key, ()):
            if concrete.holds():
                return concrete
        return None

    def _trace(self, arguments: Arguments) -> ConcreteFunction:
        """Runs the function once with tensors in the place of arrays."""
        specs = self._signature.specs()
        leaves = arguments.leaves
        if specs is not None:
            leaves = [
                spec if isinstance(spec, TensorSpec) else leaf
                for leaf, spec in zip(leaves, specs[0], strict=True)
            ]
        arguments = Arguments(leaves, arguments.structure, arguments.key)
        name = getattr(self.python_function, '__name__', 'function')
        graph = Graph(name)
        operands = [
            _operand(graph, leaf, path)
            for leaf, path in zip(leaves, self._signature.names(arguments.structure), strict=True)
        ]
        values = nest.unflatten(arguments.structure, operands)
        with recording() as guards, tracing_into(graph):
            before = nest.contents(values)
            try:
                returned = self._signature.call(self._converted(), values)
            except Exception as error:
                if not graph.effect:
                    raise
                # What the graph does before it raises is done at every call.
                raises_when_run(error, graph)
                returned = None
            _check_containers(name, before)
            outputs, structure = nest.flatten(returned)
            outputs = [_output(x, graph) for x in outputs]
        graph.outputs = [x for x in outputs if isinstance(x, Value)]
        return ConcreteFunction(
            name,
            self._signature,
            arguments,
            optimize(graph),
            (structure, outputs),
            list(guards.values()),
        )


def _operand(graph: Graph, leaf: Any, path: str) -> Any:
    """The leaf as the traced function sees it."""
    type_ = leaf_type(leaf)
    if type_ is None:
        return leaf
    name = leaf.name if isinstance(leaf, TensorSpec) and leaf.name else identifier(path)
    return Tensor(graph.param(type_, name), (Storage(graph, f'argument {path!r}'),))


def _output(x: Any, graph: Graph) -> Any:
    """A returned leaf: a value of the graph, or the Python value itself."""
    leaf = leaf_of(bound(x), graph)
    return x if leaf.value is None else leaf.value


def _check_containers(name: str, before: nest.Contents) -> None:
    """A list or dict among the arguments must hold what it held.

    Raises:
      OwnershipError: the function changed it.
    """
    for container, content in before:
        same = len(container) == len(content) and all(
            a is b for a, b in zip(_items(container), _items(content), strict=True)
        )
        if not same:
            raise OwnershipError(
                describe(
                    f'{name} modifies a {type(container).__name__} that the caller passed in; '
                    'a graph cannot do that for the caller.',
                    fix='Work on a copy and return it.',
                )
            )


def _items(container: Any) -> list[Any]:
    if isinstance(container, dict):
        return [part for item in container.items() for part in item]
    return list(container)


class BoundFunction:
    """A `Function` that is a method, bound to its instance."""

    def __init__(self, function: Function, instance: Any) -> None:
        functools.update_wrapper(self, function.python_function)
        self._function = function
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(self.__self__, *args, **kwargs)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if there is none."""
        return self._function.get_concrete_function(self.__self__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __repr__(self) -> str:
        return f'<bound {self._function!r} of {self.__self__!r}>'


@overload
def function(python_function: Callable[..., Any], /) -> Function: ...


@overload
def function(
    *, input_signature: Sequence[Any] | None = ..., autograph: bool = ...
) -> Callable[[Callable[..., Any]], Function]: ...


def function(
    python_function: Callable[..., Any] | None = None,
    /,
    *,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
) -> Any:
    """Makes a function run as a graph; a decorator, with and without arguments, or a call.

    Args:
      python_function: the function.
      input_signature: a TensorSpec (or nest of them) an argument: one trace for all calls.
      autograph: whether `if`, `for`, `while` over tensors are converted.

    Returns:
      A `Function`.
    """

    def decorate(f: Callable[..., Any]) -> Function:
        return Function(f, input_signature=input_signature, autograph=autograph)

    return decorate if python_function is None else decorate(python_function)
