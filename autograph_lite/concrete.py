"""`ConcreteFunction`: one trace of a function, which is a graph and its NumPy program."""
from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from .backends.numpy import Program, lower, run
from .config import Displayed
from .description import described, lines_of_nest
from .errors import SignatureError, for_the_user
from .graph import nest
from .graph.graph import Graph, Value
from .graph.graph_def import graph_def, graph_from_def
from .graph.specs import TensorSpec
from .graph.tracing import is_tracing
from .graph.types import TensorType
from .operators.guards import Guard
from .operators.outside import OutsideState, note_inlined
from .operators.staging import identifier
from .optimize.inlining import inline
from .signatures import (
    Arguments,
    Identity,
    Parameters,
    accepts,
    as_call,
    leaf_key,
    leaf_names,
    leaf_type,
)


class Parameter:
    """One leaf of the arguments that a function was traced with.

    Attributes:
      path: what the user would write for it, such as `x` or `params['w']`.
      type: its type; None for a Python value.
      key: what is equal for every Python value that this trace can serve.
    """

    def __init__(self, path: str, type_: TensorType | None, name: str | None, leaf: Any) -> None:
        self.path = path
        self.type = type_
        self.key = leaf_key(leaf) if type_ is None else None
        self._name = name or identifier(path)
        # An object that is told by identity is not kept alive.
        self._value = None if isinstance(self.key, Identity) or type_ else leaf

    @property
    def value(self) -> Any:
        """The Python value; a TensorSpec for what is staged."""
        if self.type is not None:
            return TensorSpec(self.type.shape, self.type.dtype, self._name)
        return self.key.value() if isinstance(self.key, Identity) else self._value

    def accepts(self, leaf: Any) -> bool:
        """Whether the trace can serve a call with this leaf."""
        if self.type is None:
            return leaf_key(leaf) == self.key
        given = leaf_type(leaf)
        return given is not None and accepts(self.type, given)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if isinstance(self.key, Identity):
            state['key'] = ('an object of another process', self.path)
        return state


class ConcreteFunction(Displayed):
    """One trace of a function: a graph, and the NumPy program that it was lowered to.

    Calling it takes the arguments that the function takes; those that are Python values are bound:
    they may be left out, and must be the ones it was traced with.

    It pickles: the graph and its constants do, and the program is written anew from them, so that
    it runs where the user's source is not.

    Attributes:
      number: how many traces of the function were made before it.
      cause: why it was made; see `trace_cache`.
      python_function: a weak reference to the function, where it is known.
      called: weak references to the functions that were traced with it.
    """

    number = 0
    cause: Any = None
    python_function: Callable[[], Any] | None = None
    called: tuple[Callable[[], Any], ...] = ()

    def __init__(
        self,
        name: str,
        parameters: Parameters,
        arguments: Arguments,
        graph: Graph,
        returned: tuple[nest.Structure, list[Any]],
        guards: Sequence[Guard] = (),
        state: OutsideState | None = None,
    ) -> None:
        self.state = state or OutsideState([], [], [], [], [])
        self.name = name
        self.guards = guards
        self.structure = arguments.structure
        paths = leaf_names(parameters, arguments.structure)
        self.leaves = [
            Parameter(path, type_, getattr(spec, 'name', None), leaf)
            for path, type_, spec, leaf in zip(
                paths, arguments.types(), arguments.declared, arguments.leaves, strict=True
            )
        ]
        # Neither annotations nor defaults: they may keep anything alive.
        self._parameters = [inspect.Parameter(p.name, p.kind) for p in parameters]
        self.returned = returned
        self._graph = graph
        self._set_program()

    @property
    def parameter_names(self) -> list[str]:
        """The function's parameters."""
        return [parameter.name for parameter in self._parameters]

    def _set_program(self) -> None:
        self._staged = [i for i, leaf in enumerate(self.leaves) if leaf.type is not None]
        self.program: Program = lower(self._graph)

    @property
    def graph(self) -> Graph:
        """The optimised graph."""
        return self._graph

    @property
    def lowered_code(self) -> str:
        """The source of the NumPy program that runs."""
        return self.program.code

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments it was traced with, with a TensorSpec in the place of each array."""
        values = nest.unflatten(self.structure, [leaf.value for leaf in self.leaves])
        args, kwargs = as_call(self._parameters, values)
        return tuple(args), kwargs

    @property
    def structured_outputs(self) -> Any:
        """What it returns, with a TensorSpec in the place of each array or number."""
        structure, leaves = self.returned
        return nest.unflatten(structure, list(map(_spec, leaves)))

    def pretty_printed_signature(self) -> str:
        """The name with bound arguments, the staged arguments and what is returned."""
        shown: list[str] = []
        args: list[str] = []
        values = nest.unflatten(self.structure, [leaf.value for leaf in self.leaves])
        for parameter, value in zip(self._parameters, values, strict=True):
            if parameter.name == 'self' or (parameter.kind in _VARIADIC and not value):
                continue
            head, lines = _argument(parameter.name, value)
            shown.append(head)
            args += lines
        structure, outputs = self.returned
        text = [f'{self.name}({", ".join(shown)})']
        if args:
            text += ['  Args:', *('    ' + line for line in args)]
        specs = nest.unflatten(structure, list(map(_spec, outputs)))
        return '\n'.join([*text, '  Returns:', *('    ' + s for s in lines_of_nest(specs))])

    def __str__(self) -> str:
        return f'ConcreteFunction {self.pretty_printed_signature()}'

    def __repr__(self) -> str:
        return f'<{str(self).splitlines()[0]}>'

    # Calling.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._call(args, kwargs)
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        values = self._bind(args, kwargs)
        leaves, structure = nest.flatten(values)
        if structure != self.structure:
            raise self._misfit_structure(structure)
        for parameter, leaf in zip(self.leaves, leaves, strict=True):
            if not (leaf is _BOUND or parameter.accepts(leaf)):
                raise self._misfit(parameter, leaf)
        return self.run(leaves, values)

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """One value a parameter; `_BOUND` for what is bound and was left out.

        Raises:
          TypeError: the arguments do not fit.
        """
        signature = inspect.Signature(self._parameters)
        bound = nest.unflatten(
            self.structure, [_BOUND if leaf.type is None else leaf for leaf in self.leaves]
        )
        values = dict(zip(signature.parameters, bound, strict=True))
        free = [name for name, value in values.items() if _is_staged(value)]
        try:
            given = signature.bind_partial(*args, **kwargs).arguments
            if not set(free) <= given.keys() and len(args) == len(free) - len(kwargs):
                # Only the arguments that are not bound were given.
                rest = [name for name in free if name not in kwargs]
                given = {**dict(zip(rest, args, strict=True)), **kwargs}
        except TypeError as error:
            raise TypeError(f'{self.name}() {error}') from None
        missing = [name for name in free if name not in given]
        if missing:
            names = ', '.join(map(repr, missing))
            raise TypeError(f'{self.name}() is missing the arguments {names}')
        return tuple({**values, **given}.values())

    def _misfit_structure(self, given: nest.Structure) -> SignatureError:
        """The error of an argument that is nested differently."""
        children = zip(self._parameters, self.structure.children, given.children, strict=True)
        name, wanted, came = next((p.name, a, b) for p, a, b in children if a != b)
        return SignatureError(
            f'{self.name} expects for the argument {name!r} the structure {wanted}; it is called '
            f'with {came} (`*` stands for a value).'
        )

    def _misfit(self, parameter: Parameter, leaf: Any) -> Exception:
        """The error of an argument that this trace cannot serve."""
        given = leaf_type(leaf)
        came = repr(leaf) if given is None else described(given)
        if parameter.type is None:
            return TypeError(
                f'{self.name} was traced with {parameter.path}={parameter.value!r}; '
                f'it is called with {parameter.path}={leaf!r}.'
            )
        return SignatureError(
            f'{self.name} expects for the argument {parameter.path!r} '
            f'{described(parameter.type)}; it is called with {came}.'
        )

    def accepts(self, arguments: Arguments) -> bool:
        """Whether the trace can serve a call with these arguments."""
        return arguments.structure == self.structure and all(
            parameter.accepts(leaf)
            for parameter, leaf in zip(self.leaves, arguments.leaves, strict=True)
        )

    @property
    def gone(self) -> bool:
        """Whether an object is no more that the trace was made for."""
        return any(isinstance(leaf.key, Identity) and leaf.key.gone for leaf in self.leaves)

    def holds(self, arguments: Sequence[Any] = ()) -> bool:
        """Whether what the function read from outside while it was traced is what it was."""
        return all(guard.holds() for guard in self.guards) and (
            self.state.gather(arguments) is not None)

    def run(self, leaves: Sequence[Any], arguments: Sequence[Any] = ()) -> Any:
        """Runs the program on the leaves of arguments that are known to fit.

        While another graph is traced, the graph becomes part of it.

        Args:
          leaves: the leaves.
          arguments: one value a parameter.

        Raises:
          SignatureError: what is outside does not fit any more.
        """
        staged = [leaves[i] for i in self._staged]
        outside = self.state.gather(arguments)
        if outside is None:
            raise self._misfit_outside(arguments)
        given = [*staged, *outside]
        if is_tracing():
            note_inlined(*(found() for found in (self.python_function, *self.called) if found))
            outputs = iter(inline(self._graph, given))
        else:
            outputs = iter(run(self.program, given))
        structure, returned = self.returned
        result = nest.unflatten(
            structure, [next(outputs) if isinstance(leaf, Value) else leaf for leaf in returned]
        )
        self.state.settle(outputs, arguments, staged, outside)
        return result

    def _misfit_outside(self, arguments: Sequence[Any]) -> SignatureError:
        wrong = next(each for each in self.state.inputs if not each.fits(arguments))
        return SignatureError(
            f'{self.name} was traced with {wrong.place.name} of the type {wrong.type}; '
            'it has another type now.'
        )

    # Pickling.

    def __getstate__(self) -> dict[str, Any]:
        structure, leaves = self.returned
        places = [isinstance(leaf, Value) for leaf in leaves]
        static = [None if staged else leaf for staged, leaf in zip(places, leaves, strict=True)]
        return {
            'name': self.name,
            'parameters': [(p.name, int(p.kind)) for p in self._parameters],
            'structure': self.structure,
            'leaves': self.leaves,
            'returned': (structure, places, static),
            'graph': graph_def(self._graph),
            'inputs': self.state.kept(self.name),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.name = state['name']
        self._parameters = [
            inspect.Parameter(name, _KINDS[kind]) for name, kind in state['parameters']
        ]
        self.structure = state['structure']
        self.leaves = state['leaves']
        self.guards = ()
        self._graph = graph_from_def(state['graph'])
        self.state = OutsideState.of_kept(state['inputs'], self._graph)
        structure, places, static = state['returned']
        outputs = iter(self._graph.outputs)
        leaves = [next(outputs) if p else x for p, x in zip(places, static, strict=True)]
        self.returned = (structure, leaves)
        self._set_program()


class _Bound:
    """What stands for a bound Python value that a call leaves out."""


_BOUND = _Bound()
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KINDS: list[Any] = list(map(type(inspect.Parameter.VAR_KEYWORD), range(5)))


def _is_staged(value: Any) -> bool:
    return any(isinstance(leaf, Parameter) for leaf in nest.flatten(value)[0])


def _spec(leaf: Any) -> Any:
    return TensorSpec(leaf.type.shape, leaf.type.dtype) if isinstance(leaf, Value) else leaf


def _argument(name: str, value: Any) -> tuple[str, list[str]]:
    """How an argument is shown in the first line, and below it if it is staged."""
    leaves = nest.flatten(value)[0]
    if not any(isinstance(leaf, TensorSpec) for leaf in leaves):
        return f'{name}={value!r}', []
    first, *rest = lines_of_nest(value)
    return name, [f'{name}: {first}', *rest]
