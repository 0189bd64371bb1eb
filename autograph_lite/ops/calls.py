"""`call`: any function of NumPy, `math` or Python, by its public name; its type is what NumPy says.

    call         inputs: the tensors among the arguments      `np.linalg.inv(x)`, `x.sum(axis=0)`
    view_call    the same, where the result may share memory with input 0
    update_call  input 0 is modified: `x.sort()`, `np.copyto(x, y)`, `np.cumsum(y, out=x)`

`attrs['function']` is the name ('numpy.linalg.inv', 'math.sqrt', 'builtins.float'; 'ndarray.sum'
for a method, 'ndarray.T' for an attribute of the first argument; 'operator.add' for an operator),
`attrs['arguments']` the template of its arguments, `attrs['types']` the types of the results,
and `attrs['pick']` the indices by which the one result that the node takes is found in what the
function returns; none, to take all.
"""
from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..graph.dispatch import FALLBACKS
from ..graph.graph import Node, Op, declared_types, same_type
from ..graph.nest import Structure, unflatten
from ..graph.tensor import Tensor
from ..graph.tracing import constant, emit, is_handled, is_tracing
from ..graph.types import STRING, ListType, ObjectType, TensorType
from ..graph.varying import for_each, merged, unknown
from .call_text import write_call, write_picked
from .inference import Answer
from .public_names import public_name, value_name
from .public_names import target as target
from .refusals import REFUSED, refuse
from .template import Arguments, Inputs, Listed, freeze_arguments
from .trial_lengths import literal_lengths
from .unknown_ranks import ask

# Functions that modify their first argument; so do the `at` methods of ufuncs.
_MODIFIES_FIRST = frozenset(
    (
        *(f'numpy.{name}' for name in ('copyto', 'fill_diagonal', 'place', 'put', 'putmask')),
        *(f'ndarray.{name}' for name in ('fill', 'partition', 'put', 'setfield', 'sort')),
        'numpy.put_along_axis',
    )
)


def _statement(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Expr(write_call(node, values))]


CALL = Op('call', declared_types, expression=write_picked)
VIEW_CALL = Op('view_call', declared_types, expression=write_picked, view=True)
UPDATE_CALL = Op('update_call', same_type, statement=_statement, updates=True)


def carrier(type_: TensorType) -> type[Any]:
    """The class of the values of a type."""
    if isinstance(type_, ObjectType):
        return type_.of
    if isinstance(type_, ListType):
        return list
    if type_.kind == 'array':
        return np.ndarray
    return type_.python_type if type_.weak else type_.dtype.type


def no_attribute(x: Tensor, name: str) -> AttributeError:
    """What plain Python raises where the value has no such attribute."""
    class_ = carrier(x.type.present)
    module = '' if class_.__module__ == 'builtins' else f'{class_.__module__}.'
    return AttributeError(f"'{module}{class_.__name__}' object has no attribute {name!r}")


@dataclass(frozen=True)
class _Query:
    """A call with inputs of some types; equal queries have equal answers."""

    name: str
    text: str
    types: tuple[TensorType, ...]
    arguments: Arguments = field(compare=False)


@functools.lru_cache(maxsize=4096)
def _asked(query: _Query) -> Answer:
    function = target(query.name)

    def run(values: Sequence[Any]) -> Any:
        args, kwargs = query.arguments.fill(values)
        return function(*args, **kwargs)

    return ask(query.name, run, query.types, literal_lengths(query.arguments))


def answer(name: str, arguments: Arguments, types: Sequence[TensorType]) -> Answer:
    """What NumPy returns for a call with inputs of these types."""
    try:
        return _asked(_Query(name, repr(arguments), tuple(types), arguments))
    except IndexError:
        within = _with_index_zero(name, arguments)
        if within == arguments or is_handled():
            raise
        return answer(name, within, types)


# The argument that is an index: one out of range is found when the graph runs.
_INDICES = {
    'numpy.take': (1, 'indices'),
    'ndarray.take': (1, 'indices'),
    'numpy.delete': (1, 'obj'),
    'numpy.insert': (1, 'obj'),
    'ndarray.item': (1, ''),
}


def _with_index_zero(name: str, arguments: Arguments) -> Arguments:
    """The call with 0 for its index, where that is a literal."""
    position, keyword = _INDICES.get(name, (len(arguments.args), ''))
    args = list(arguments.args)
    args[position : position + 1] = map(_zero, args[position : position + 1])
    kwargs = tuple((k, _zero(v) if k == keyword else v) for k, v in arguments.kwargs)
    return Arguments(tuple(args), kwargs)


def _zero(part: Any) -> Any:
    if isinstance(part, Listed):
        return Listed(tuple(map(_zero, part.items)))
    if isinstance(part, tuple):
        return tuple(map(_zero, part))
    return 0 if type(part) is int else part


Rule = Callable[[str, Sequence[TensorType], Arguments], 'Answer | None']
# Exact rules where stand-ins cannot tell, or would be too large; a rule may give None: ask NumPy.
RULES: dict[str, Rule] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Registers the rule for what some functions return."""

    def register(implementation: Rule) -> Rule:
        for name in names:
            RULES[name] = implementation
        return implementation

    return register


def call(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Traces a call of a function by its public name; the result as the function nests it.

    Raises:
      StagingError: the call has no meaning on values.
    """
    if name in REFUSED:
        raise refuse(name, *REFUSED[name])
    args, kwargs = list(args), dict(kwargs)
    out = _take_out(name, args, kwargs)
    if out is not None:
        return _update(name, out, args, kwargs, returns=True)
    if (name in _MODIFIES_FIRST or name.endswith('.at')) and args and _is_array(args[0]):
        return _update(name, args[0], args, kwargs, returns=False)
    inputs = Inputs()
    arguments = freeze_arguments(args, kwargs, inputs)
    if not inputs.tensors and not name.startswith('numpy.'):
        known_args, known_kwargs = arguments.fill([])
        return target(name)(*known_args, **known_kwargs)
    types = [tensor.type.present for tensor in inputs.tensors]
    return _emit(name, inputs, arguments, _found(name, types, arguments))


def _found(name: str, types: Sequence[TensorType], arguments: Arguments) -> Answer:
    """What a call gives, for inputs of which the dtype of some may depend on values."""

    def ask(given: list[TensorType]) -> Answer:
        exact = RULES[name](name, given, arguments) if name in RULES else None
        return exact or answer(name, arguments, given)

    try:
        first, *rest = for_each(types, ask)
    except Exception:
        if STRING in types and name.startswith(('numpy.', 'ndarray.')):
            # It speaks of the text that stands for it.
            fix = "Call it on each way: `f(x, 'this') if c else f(x, 'that')`."
            raise refuse(name, 'gets a text that only the graph knows.', fix) from None
        raise
    if not rest:
        return first
    found = merged([each.types for each in (first, *rest)])
    if found is None or any(each.structure != first.structure for each in rest):
        raise unknown(name)
    shared = zip(*(each.viewed for each in (first, *rest)), strict=True)
    viewed = tuple(tuple(sorted({i for inputs in each for i in inputs})) for each in shared)
    return Answer(first.structure, found, viewed)


def _emit(name: str, inputs: Inputs, arguments: Arguments, found: Answer) -> Any:
    """The nodes of a call: one, or one for each result where they are nested or views."""
    structure = found.structure
    if structure is None:
        raise refuse(name, 'returns nothing and would have no effect in a graph.')
    viewed = {i for inputs_ in found.viewed for i in inputs_}
    nested = any(child.type is not None for child in structure.children)
    alone = structure.type is not None and len(found.types) == 1
    if not (nested or alone or len(viewed) > 1):
        call_ = _Call(name, inputs.tensors, arguments)
        return unflatten(structure, call_.emit(found.types, (), viewed))
    results: list[Tensor] = []
    for path, type_, shared in zip(_paths(structure), found.types, found.viewed, strict=True):
        if len(shared) > 1:
            raise refuse(name, 'gives an array that is a view of several arrays.')
        call_ = _Call(name, inputs.tensors, arguments)
        results += call_.emit((type_,), path, shared)
    return unflatten(structure, results)


def _paths(structure: Structure) -> list[tuple[int, ...]]:
    """The indices that lead to each leaf."""
    if structure.type is None:
        return [()]
    return [
        (i, *path) for i, child in enumerate(structure.children) for path in _paths(child)
    ]


@dataclass(frozen=True)
class _Call:
    name: str
    tensors: list[Tensor]
    arguments: Arguments

    def emit(
        self, types: Sequence[TensorType], pick: tuple[int, ...], viewed: Collection[int]
    ) -> tuple[Tensor, ...]:
        """The node, with the input whose memory its results share, if any, as input 0."""
        tensors, arguments = self.tensors, self.arguments
        for index in viewed:
            tensors, arguments = _first(index, tensors, arguments)
        attrs = {'function': self.name, 'arguments': arguments, 'types': types, 'pick': pick}
        op = VIEW_CALL if viewed else CALL
        results = emit(op, tensors, attrs, names=[value_name(self.name)] * len(types))
        return tuple(FALLBACKS['string'](x) if x.type == STRING else x for x in results)


def _first(
    index: int, tensors: list[Tensor], arguments: Arguments
) -> tuple[list[Tensor], Arguments]:
    """The same call with the input at the index as input 0."""
    order = [index, *(i for i in range(len(tensors)) if i != index)]
    inputs = Inputs(*(tensors[i] for i in order))
    args, kwargs = arguments.fill(tensors)
    return inputs.tensors, freeze_arguments(args, kwargs, inputs)


def _update(
    name: str, changed: Any, args: Sequence[Any], kwargs: dict[str, Any], returns: bool
) -> Tensor | None:
    """A call that modifies one of its arguments."""
    owned = changed if isinstance(changed, Tensor) else constant(changed)
    args = [owned if arg is changed else arg for arg in args]
    kwargs = {key: owned if arg is changed else arg for key, arg in kwargs.items()}
    inputs = Inputs(owned)
    arguments = freeze_arguments(args, kwargs, inputs)
    types = [tensor.type.present for tensor in inputs.tensors]
    if not any(t.shape is None or None in t.shape for t in types):
        # It raises what NumPy would; but which items a mask selects is known when the graph runs.
        with suppress(IndexError):
            for_each(types, lambda given: answer(name, arguments, given))
    attrs = {'function': name, 'arguments': arguments}
    (result,) = emit(UPDATE_CALL, inputs.tensors, attrs, names=[owned.name])
    return result if returns else None


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or (
        isinstance(value, Tensor) and value.type.kind == 'array'
    )


@functools.lru_cache(maxsize=4096)
def _out_position(name: str) -> int | None:
    """Where `out` stands among the positional parameters."""
    try:
        parameters = list(inspect.signature(target(name)).parameters.values())
    except (TypeError, ValueError):
        return None
    for index, parameter in enumerate(parameters):
        if parameter.name == 'out' and parameter.kind is not parameter.KEYWORD_ONLY:
            return index
    return None


def _take_out(name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """The array that the call is told to write to."""
    out = kwargs.get('out')
    if isinstance(out, tuple) and len(out) == 1:
        out = kwargs['out'] = out[0]
    if out is None and args:
        position = _out_position(name)
        if position is not None and position < len(args):
            out = args[position]
    return out


def call_function(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> Any:
    """Traces a call of a function of NumPy; outside a trace, calls it."""
    if not is_tracing():
        return function(*args, **kwargs)
    return call(public_name(function), args, kwargs)


FALLBACKS['function'] = call_function
FALLBACKS['attribute'] = no_attribute
