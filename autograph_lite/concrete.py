"""`ConcreteFunction`: one trace of a function, which is a graph and its NumPy program."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from types import CodeType
from typing import Any

from .backends.numpy import Program, lower, run
from .changed import Change, Changed, containers, restored
from .description import Shown, described, lines_of_nest
from .errors import SignatureError, describe, for_the_user, user_location
from .graph import nest
from .graph.graph import Graph, Value
from .graph.graph_def import graph_def, graph_from_def
from .graph.specs import TensorSpec
from .graph.tracing import is_tracing
from .inlining import inline
from .keys import copied, identities, leaf_type
from .left_behind import Left, left_in
from .modified import Modified, Target
from .operators.guards import Guard
from .operators.outside import note_inlined
from .ops.left import run_leaving
from .outer_state import OuterState
from .parameters import Parameter
from .returned import Given
from .signatures import Arguments, Parameters, as_call, leaf_names
from .taking import Taking


class ConcreteFunction:
    """One trace of a function: a graph, and the NumPy program that it was lowered to.

    Calling it takes the arguments that the function takes; those that are Python values are bound:
    they may be left out, and must be the ones it was traced with.

    It pickles: the graph and its constants do, and the program is written anew from them, so that
    it runs where the user's source is not. Its variables and random generators go with it as they
    are then, and are apart from then on.

    It does not keep alive the objects that it was traced for, such as `self`: keep them for as long
    as it is called, or it may raise a ReferenceError.

    Attributes:
      number: how many traces of the function were made before it.
      is_method: whether its first parameter is the instance that the function is a method of.
      cause: why it was made; see `trace_cache`.
      modified: the caller's arrays that the function modifies in place.
      changed: the caller's lists, dicts and dataclasses that it changes.
      done_by_python: what Python did while it was traced that no run does again: then it is for one
        call. Empty if nothing.
      lasts: whether nothing takes that back, as what it took from an iterator of the caller's.
      python_function: a weak reference to the function, where it is known.
      called: weak references to the functions that were traced with it.
    """

    number = 0
    cause: Any = None
    lasts = False
    done_by_python = ''
    # What takes back what the function changed outside, for who has it traced.
    undo: Sequence[Callable[[], None]] = ()
    python_function: Callable[[], Any] | None = None
    called: tuple[Callable[[], Any], ...] = ()
    # The files and first lines of these; the code of the ways that Python took, and of the others.
    called_at: tuple[tuple[str, int], ...] = ()
    taken: tuple[CodeType, ...] = ()
    untaken: tuple[CodeType, ...] = ()
    # Weak references to the variables that it creates: then it is for one call.
    created: tuple[Callable[[], Any], ...] = ()

    def __init__(
        self,
        name: str,
        parameters: Parameters,
        arguments: Arguments,
        graph: Graph,
        returned: tuple[nest.Structure, list[Any]],
        guards: Sequence[Guard] = (),
        is_method: bool = False,
        modified: Sequence[Target] = (),
        changes: Sequence[Change] = (),
    ) -> None:
        self.name = name
        self.is_method = is_method
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
        self._set_program(modified, changes)

    @property
    def parameter_names(self) -> list[str]:
        """The function's parameters."""
        return [parameter.name for parameter in self._parameters]

    def _set_program(self, modified: Sequence[Target], changes: Sequence[Change]) -> None:
        self._staged = [i for i, leaf in enumerate(self.leaves) if leaf.type is not None]
        self.modified = Modified(modified, self._graph)
        self._left = left_in(self._graph)
        self.modified.left = [target for left in self._left for target in left.targets]
        changed_then = [change.own for left in self._left for change in left.changes]
        self.changed = Changed(
            changes, self.structure, self._graph, self.returned[1], changed_then)
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
        values = nest.unflatten(self.structure, self._values)
        args, kwargs = as_call(self._parameters, values)
        return tuple(args), kwargs

    @property
    def structured_outputs(self) -> Any:
        """What it returns, with a TensorSpec in the place of each array or number."""
        values = list(map(copied, self._values))
        owners = list(containers(self.structure, nest.unflatten(self.structure, values)))
        results = iter([TensorSpec(x.type.shape, x.type.dtype) for x in self._graph.outputs])
        structure, leaves = self.returned
        returned = self.changed.filled(leaves, owners, values, results)
        self.changed.put(owners, values, results)
        return nest.unflatten(structure, returned)

    @property
    def _values(self) -> list[Any]:
        """What it was traced for: a TensorSpec for each staged leaf, and the Python values."""
        return [leaf.value for leaf in self.leaves]

    def pretty_printed_signature(self) -> str:
        """The name with bound arguments, the staged arguments and what is returned."""
        shown: list[str] = []
        args: list[str] = []
        values = nest.unflatten(self.structure, self._values)
        for parameter, value in zip(self._parameters, values, strict=True):
            if parameter.name == 'self' or (parameter.kind in _VARIADIC and not value):
                continue
            head, lines = _argument(parameter.name, value)
            shown.append(head)
            args += lines
        text = [f'{self.name}({", ".join(shown)})']
        if args:
            text += ['  Args:', *('    ' + line for line in args)]
        returned = lines_of_nest(self.structured_outputs)
        return '\n'.join([*text, '  Returns:', *('    ' + line for line in returned)])

    def __str__(self) -> str:
        return f'ConcreteFunction {self.pretty_printed_signature()}'

    def __repr__(self) -> str:
        return f'<{str(self).splitlines()[0]}>'

    def _repr_html_(self) -> str:
        from .report import as_html

        return as_html(self)

    # Calling.

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self._call(args, kwargs)
        except Exception as error:
            raise for_the_user(error)  # noqa: B904  it is the same error

    def _call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        wrong: Exception | None = None
        for values in self._taking.ways(args, kwargs):
            given, structure = nest.flatten(values)
            if structure == self.structure:
                pairs = [(leaf, leaf.read(x)) for leaf, x in zip(self.leaves, given, strict=True)]
                unfit = [(leaf, x) for leaf, x in pairs if x is not _BOUND and not leaf.accepts(x)]
                if not unfit:
                    self._outer.check()
                    return self.run([leaf.value if x is _BOUND else x for leaf, x in pairs], values)
                wrong = wrong or self._misfit(*unfit[0])
            wrong = wrong or self._misfit_structure(structure)
        raise wrong or self._taking.error(args, kwargs)

    @functools.cached_property
    def _taking(self) -> Taking:
        """How arguments go to the parameters; `_BOUND` stands for what is left out."""
        leaves = [_BOUND if leaf.type is None else leaf for leaf in self.leaves]
        values = nest.unflatten(self.structure, leaves)
        names = [parameter.name for parameter in self._parameters]
        bound = dict(zip(names, values, strict=True))
        free = {name: _staged_keys(value) for name, value in bound.items() if _is_staged(value)}
        return Taking(self.name, self._parameters, bound, free, self.is_method)

    @functools.cached_property
    def _outer(self) -> OuterState:
        """What it takes for granted of variables outside."""
        return OuterState(self.name, self._graph, self.guards)

    def _misfit_structure(self, given: nest.Structure) -> SignatureError:
        """The error of an argument that is nested differently."""
        children = zip(self._parameters, self.structure.children, given.children, strict=True)
        name, wanted, came = next((p.name, a, b) for p, a, b in children if a != b)
        what = (
            f'{self.name} expects for the argument {name!r} the structure {wanted}; it is called '
            f'with {came} (`*` stands for a value).'
        )
        return SignatureError(describe(what, user_location(), _OF_ONE_TRACE))

    def _misfit(self, parameter: Parameter, leaf: Any) -> Exception:
        """The error of an argument that this trace cannot serve."""
        given = leaf_type(leaf)
        came = repr(leaf) if given is None else described(given)
        if parameter.type is None:
            what = (
                f'{self.name} was traced with {parameter.path}={parameter.value!r}; '
                f'it is called with {parameter.path}={leaf!r}.'
            )
            was_pickled = isinstance(parameter.value, Shown) and not parameter.has_objects
            fix = _OF_ANOTHER_PROCESS if was_pickled else _OF_ONE_TRACE
            return TypeError(describe(what, user_location(), fix))
        what = (
            f'{self.name} expects for the argument {parameter.path!r} '
            f'{described(parameter.type)}; it is called with {came}.'
        )
        return SignatureError(describe(what, user_location(), _OF_ONE_TRACE))

    def accepts(self, arguments: Arguments) -> bool:
        """Whether the trace can serve a call with these arguments."""
        return arguments.structure == self.structure and all(
            parameter.accepts(leaf)
            for parameter, leaf in zip(self.leaves, arguments.leaves, strict=True)
        )

    @property
    def gone(self) -> bool:
        """Whether an object is no more that the trace was made for."""
        return any(x.gone for leaf in self.leaves for x in identities(leaf.key))

    def holds(self) -> bool:
        """Whether what the function read from outside while it was traced is what it was."""
        return all(guard.holds() for guard in self.guards)

    def run(self, leaves: Sequence[Any], values: Any) -> Any:
        """Runs the program on the leaves of arguments that are known to fit.

        While another graph is traced, the graph becomes part of it.

        Args:
          leaves: the leaves.
          values: the arguments themselves, one a parameter, if it changes what holds the leaves.
        """
        owners: list[Any] = []
        if self.changed:
            owners = self.changed.of_call(self.name, values, leaves, self.guards)
        given = [leaves[i] for i in self._staged]
        if is_tracing():
            note_inlined(*(found() for found in (self.python_function, *self.called) if found))
            results: Sequence[Any] = inline(self._graph, given)
            results = self.modified.move_on(self.name, leaves, results)
        elif self.modified or self._left:
            results = self._changing(given, owners, leaves)
        else:
            results = run(self.program, given)
        outputs = iter(results)
        structure, returned = self.returned
        for leaf in returned:
            if isinstance(leaf, Given) and isinstance(leaves[leaf.index], Shown):
                path = self.leaves[leaf.index].path
                raise TypeError(f'{self.name} returns its argument {path!r}, which is to be given.')
        result = nest.unflatten(
            structure, self.changed.filled(returned, owners, leaves, outputs))
        self.changed.put(owners, leaves, outputs)
        return result

    def _changing(
        self, given: Sequence[Any], owners: Sequence[Any], leaves: Sequence[Any]
    ) -> Sequence[Any]:
        """Runs the program where the caller finds what it has changed, also where it raises."""
        if self.modified.may_modify:
            self.modified.check(self.name, leaves)
        array = self.modified.at_begin(leaves)

        def put(left: Left, values: Sequence[Any]) -> None:
            left.put(self.changed, owners, leaves, list(map(array, left.targets)), values)

        def program() -> Sequence[Any]:
            return run_leaving(run, self.program, given, put) if self._left else run(
                self.program, given)

        return self.modified.called(leaves, program) if self.modified else program()

    # Pickling.

    def __getstate__(self) -> dict[str, Any]:
        self._outer.check_portable()
        structure, leaves = self.returned
        places = [isinstance(leaf, Value) for leaf in leaves]
        static = [None if staged else leaf for staged, leaf in zip(places, leaves, strict=True)]
        return {
            'name': self.name,
            'is_method': self.is_method,
            'parameters': [(p.name, int(p.kind)) for p in self._parameters],
            'structure': self.structure,
            'leaves': self.leaves,
            'returned': (structure, places, static),
            'graph': graph_def(self._graph),
            'modified': self.modified.targets,
            'changes': self.changed.portable(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.name = state['name']
        self.is_method = state['is_method']
        self._parameters = [
            inspect.Parameter(name, _KINDS[kind]) for name, kind in state['parameters']
        ]
        self.structure = state['structure']
        self.leaves = state['leaves']
        self.guards = ()
        self._graph = graph_from_def(state['graph'])
        structure, places, static = state['returned']
        outputs = iter(self._graph.outputs)
        leaves = [next(outputs) if p else x for p, x in zip(places, static, strict=True)]
        self.returned = (structure, leaves)
        self._set_program(state['modified'], restored(state['changes'], outputs))


class _Bound:
    """What stands for a bound Python value that a call leaves out."""


_BOUND = _Bound()
_OF_ONE_TRACE = 'This is one trace; call the function itself, which makes another for others.'
_OF_ANOTHER_PROCESS = (
    'This trace was pickled, after which an object is known by its name in its module or, where it '
    'is hashable, by `==`; pass such a one, or call the function itself.'
)
_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
_KINDS: list[Any] = list(map(type(inspect.Parameter.VAR_KEYWORD), range(5)))


def _staged_keys(value: Any) -> list[str]:
    return [key for key in value if _is_staged(value[key])] if isinstance(value, dict) else []


def _is_staged(value: Any) -> bool:
    return any(isinstance(leaf, Parameter) for leaf in nest.flatten(value)[0])


def _argument(name: str, value: Any) -> tuple[str, list[str]]:
    """How an argument is shown in the first line, and below it if it is staged."""
    leaves = nest.flatten(value)[0]
    if not any(isinstance(leaf, TensorSpec) for leaf in leaves):
        return f'{name}={value!r}', []
    first, *rest = lines_of_nest(value)
    return name, [f'{name}: {first}', *rest]
