"""Random numbers: each draw is an effect, made in order and as often as in Python.

    generator  inputs: the tensors among the seeds       `np.random.default_rng(7)`
    draw       inputs (generator?, *tensors)             `rng.normal(size=n)`, `np.random.rand(3)`
    spawn      inputs (generator)                        `rng.spawn(2)`
    draw_into  inputs (array, generator?, *tensors)      `rng.shuffle(x)`, `rng.random(out=x)`
    reseed     the same, where nothing is returned       `np.random.seed(7)`

The attributes are those of a `call`; 'Generator.normal' is a method of the first argument. What a
draw gives is found by drawing from another generator: the user's own is left alone while tracing.
"""
from __future__ import annotations

import ast
import functools
import inspect
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..graph.graph import Node, Op, declared_types, same_type
from ..graph.nest import unflatten
from ..graph.tensor import Tensor
from ..graph.tracing import CONSTANT, constant, current_graph, emit, site
from ..graph.types import ObjectType, TensorType, is_generator
from .call_text import write_call
from .calls import no_attribute
from .inference import Answer
from .public_names import get_attribute, value_name
from .refusals import refuse
from .stand_ins import stand_in, zeros
from .template import Arguments, Inputs, Listed, Slot, freeze_arguments
from .unknown_ranks import ask

# More numbers than these are not drawn only to see of what type they are.
_MANY = 1000


def _statement(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Expr(write_call(node, values))]


def _spawned(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    written = write_call(node, values)
    return written if len(node.outputs) != 1 else ast.Subscript(written, ast.Constant(0))


GENERATOR = Op('generator', declared_types, expression=write_call, effect=True)
DRAW = Op('draw', declared_types, expression=write_call, effect=True)
DRAW_INTO = Op('draw_into', same_type, statement=_statement, effect=True, updates=True)
SPAWN = Op('spawn', declared_types, expression=_spawned, effect=True)
RESEED = Op('reseed', declared_types, statement=_statement, effect=True)


class StagedGenerator(Tensor):
    """A random generator, or what seeds one, while a graph is traced."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        of = self.type.of if isinstance(self.type, ObjectType) else object
        if name.startswith('__') or not hasattr(of, name):
            raise no_attribute(self, name)
        if not callable(getattr(of, name)):
            raise refuse(f'{of.__name__}.{name}', *_STATE)
        if name == 'spawn':
            return self._spawn

        def run(*args: Any, **kwargs: Any) -> Any:
            return draw(f'{of.__name__}.{name}', (self, *args), kwargs)

        return run

    def _spawn(self, n_children: int) -> list[StagedGenerator]:
        """So many new ones, as many as are known while tracing."""
        of = self.type.of if isinstance(self.type, ObjectType) else object
        if not isinstance(n_children, int):
            raise refuse(f'{of.__name__}.spawn', 'makes a number of them that is not known.')
        inputs = Inputs(self)
        arguments = freeze_arguments((self, n_children), {}, inputs)
        attrs = {
            'function': f'{of.__name__}.spawn',
            'arguments': arguments,
            'types': (self.type,) * n_children,
        }
        made = emit(SPAWN, inputs.tensors, attrs, names=['rng'] * n_children)
        return [StagedGenerator(each.held) for each in made]

    def __repr__(self) -> str:
        return f'<{self.type} {self.name}>'


def staged_generator(generator: Any) -> StagedGenerator:
    """A generator from outside as a value of the graph: it is drawn from when the graph runs."""
    graph = current_graph()
    assert graph is not None
    attrs = {'value': generator, 'type': ObjectType(of=type(generator))}
    node = graph.add(CONSTANT, (), attrs, site=site(), names=['rng'])
    return StagedGenerator(node.outputs[0])


def _maker(function: Callable[..., Any], name: str, class_: type[Any]) -> Callable[..., Any]:
    """What `np.random.default_rng` becomes: a generator made anew at every run."""

    def run(*args: Any, **kwargs: Any) -> Any:
        if args and is_generator(args[0]):
            return function(*args, **kwargs)
        if args and isinstance(args[0], StagedGenerator) and args[0].type == ObjectType(of=class_):
            return args[0]
        inputs = Inputs()
        arguments = freeze_arguments(args, kwargs, inputs)
        type_ = ObjectType(of=class_)
        attrs = {'function': name, 'arguments': arguments, 'types': (type_,)}
        (made,) = emit(GENERATOR, inputs.tensors, attrs, names=['rng'])
        return StagedGenerator(made.held)

    return run


_STATE = (
    'is not known while tracing.',
    'Draw from the generator itself; read or set its state outside of the function.',
)


def _legacy(name: str) -> Callable[..., Any]:
    return lambda *args, **kwargs: draw(name, args, kwargs)


@functools.cache
def _functions() -> dict[Callable[..., Any], Callable[..., Any]]:
    """What the functions and classes of `numpy.random` become in a graph."""
    table: dict[Callable[..., Any], Callable[..., Any]] = {}
    for name in np.random.__all__:
        whole, function = f'numpy.random.{name}', getattr(np.random, name)
        if name == 'default_rng':
            table[function] = _maker(function, whole, np.random.Generator)
        elif not isinstance(function, type):
            table[function] = _legacy(whole)
        elif name != 'BitGenerator':  # which nobody can make
            table[function] = _maker(function, whole, function)
    return table


def staged_draw(function: Any) -> Callable[..., Any] | None:
    """What a function of `numpy.random`, or a method such as `rng.normal`, becomes; else None.

    Raises:
      StagingError: it is a method of what a generator draws from.
    """
    if 'numpy.random' not in sys.modules:  # which NumPy imports when somebody mentions it
        return None
    if function in _functions():
        return _functions()[function]
    owner = get_attribute(function, '__self__')
    if isinstance(owner, np.random.BitGenerator | np.random.SeedSequence):
        name = f'{type(owner).__name__}.{function.__name__}'
        raise refuse(name, 'would be called once, while tracing.', 'Draw from a `Generator`.')
    if not is_generator(owner):
        return None
    method: Callable[..., Any] = getattr(staged_generator(owner), function.__name__)
    return method


def draw(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """Traces a call that uses a random generator.

    Args:
      name: 'Generator.normal', where the generator is the first argument; 'numpy.random.rand'.
      args: the arguments.
      kwargs: the arguments given by name.

    Raises:
      StagingError: it has no meaning on values.
    """
    if name.endswith(('_state', '_bit_generator')):
        raise refuse(name, *_STATE)
    changed = _changed(name, args, kwargs)
    inputs = Inputs()
    if changed is not None:
        owned = changed if isinstance(changed, Tensor) else constant(changed)
        inputs.slot(owned)
        args = [owned if arg is changed else arg for arg in args]
        kwargs = {key: owned if arg is changed else arg for key, arg in kwargs.items()}
    arguments = freeze_arguments(args, kwargs, inputs)
    found = _answer(name, arguments, [tensor.type.present for tensor in inputs.tensors])
    attrs = {'function': name, 'arguments': arguments, 'types': found.types}
    if changed is not None:
        (result,) = emit(DRAW_INTO, inputs.tensors, attrs, names=[owned.name])
        return result if found.structure is not None else None
    if found.structure is None:
        emit(RESEED, inputs.tensors, attrs)
        return None
    names = [value_name(name)] * len(found.types)
    return unflatten(found.structure, emit(DRAW, inputs.tensors, attrs, names=names))


def _changed(name: str, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """The array that a call modifies; None if it makes a new one.

    Raises:
      StagingError: it modifies a list.
    """
    if not name.endswith('.shuffle'):
        return kwargs.get('out')
    first = 0 if name.startswith('numpy.') else 1
    shuffled = args[first] if len(args) > first else kwargs.get('x')
    if isinstance(shuffled, np.ndarray):
        return shuffled
    if isinstance(shuffled, Tensor) and type(shuffled.type) is TensorType:
        return shuffled
    raise refuse(
        name, 'shuffles what is no array.', 'Shuffle an array: `x = rng.permutation(x)`.'
    )


_ALIASES = {'ranf': 'random_sample', 'sample': 'random_sample'}


def _answer(name: str, arguments: Arguments, types: Sequence[TensorType]) -> Answer:
    """What a draw gives, found without the user's generator."""
    of, _, method = name.rpartition('.')
    class_ = np.random.RandomState if of == 'numpy.random' else getattr(np.random, of)
    method = _ALIASES.get(method, method)
    rest = arguments if of == 'numpy.random' else replace(arguments, args=arguments.args[1:])
    asked = _named(getattr(class_, method), rest)
    size = _size(method, asked)
    if size is not None:
        asked = _with(asked, 'size', (1,) * len(size))
    if method == 'choice':  # stand-ins for probabilities do not sum to one
        asked = _with(asked, 'p', None)

    def run(values: Sequence[Any]) -> Any:
        args, kwargs = asked.fill(values)
        return getattr(stand_in(ObjectType(of=class_), (), zeros), method)(*args, **kwargs)

    found = ask(name, run, types)
    if size is None:
        return found
    shapes = [(*size, *(t.shape or ())[len(size) :]) for t in found.types]
    sized = zip(found.types, shapes, strict=True)
    return replace(found, types=tuple(replace(t, shape=shape) for t, shape in sized))


def _named(method: Callable[..., Any], arguments: Arguments) -> Arguments:
    """The arguments by name, except where there may be any number."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return arguments
    named = zip((parameter.name for parameter in parameters), arguments.args, strict=False)
    return Arguments((), (*named, *arguments.kwargs))


def _with(arguments: Arguments, name: str, value: Any) -> Arguments:
    named = ((key, value if key == name else part) for key, part in arguments.kwargs)
    return replace(arguments, kwargs=tuple(named))


def _size(method: str, arguments: Arguments) -> tuple[int, ...] | None:
    """The argument `size` where so many numbers are asked for that one is drawn instead."""
    named = dict(arguments.kwargs)
    size = named.pop('size', None)
    lengths = size if isinstance(size, tuple) else (size,)
    if method == 'choice' or not all(type(n) is int and n >= 0 for n in lengths):
        return None
    if any(isinstance(part, Slot | Listed) for part in named.values()):
        return None
    return lengths if math.prod(lengths) > _MANY else None
