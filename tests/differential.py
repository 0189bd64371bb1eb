"""The main test: plain Python, converted Python and the graph do the same, to the last bit.

`compare` runs a program in each way, every way with arguments and surroundings of its own, and
compares after each call what it returned or raised and what it left outside: in its arguments and
in the namespace of its module. A refusal of the library's is told from a wrong result.
"""
from __future__ import annotations

import copy
import dataclasses
import enum
import textwrap
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

import autograph_lite as ag

Outcome = tuple[Any, ...]
Kind = Literal['wrong', 'refused', 'refused without a line', 'internal error']

_NUMBERS = (bool, int, float, complex, np.number)
_DATA = (int, float, str, np.generic, np.ndarray, list, dict)  # what a class can hold as state


@dataclasses.dataclass(frozen=True)
class Program:
    """A function, the arguments of each call, and the names around it that it may change."""

    function: Callable[..., Any]
    calls: Sequence[tuple[Any, ...]]
    namespace: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Difference:
    """How one call in one way differs from plain Python."""

    kind: Kind
    way: str
    call: int
    message: str

    def __str__(self) -> str:
        return f'{self.kind}: {self.way}, call {self.call + 1}: {self.message}'


def check(
    f: Callable[..., Any],
    *calls: tuple[Any, ...],
    traces: int | None = None,
    joins: bool = False,
) -> Any:
    """Asserts that a function does the same in all four ways.

    Args:
      f: the function under test.
      *calls: the arguments of each call, as tuples; fresh copies go to every way.
      traces: how many traces all the calls together may take; 1 unless told.
      joins: whether the graph may give NumPy's number for a Python number, as it does where
        another way to the same place gives NumPy's.

    Returns:
      The `ag.Function`, for tests that go on to look at the graph.
    """
    graph = ag.function(f)
    ways = {'converted': ag.to_graph, 'printed': run_printed, 'graph': lambda _: graph}
    for found in compare(lambda: Program(f, [copy.deepcopy(args) for args in calls]), ways, joins):
        raise AssertionError(f'{f.__name__}: {found}\n{ag.to_code(f)}')
    wanted = 1 if traces is None else traces
    assert graph.tracing_count == wanted, f'{graph.tracing_count} traces, not {wanted}'
    return graph


def compare(
    load: Callable[[], Program],
    ways: Mapping[str, Callable[[Callable[..., Any]], Callable[..., Any]]],
    joins: bool = False,
) -> Iterator[Difference]:
    """The differences between plain Python and each way, at most one of each way.

    Args:
      load: makes the program anew, so that no way sees what another one changed.
      ways: makes of the function what is called, by the name of the way.
      joins: whether graphs may give NumPy's number for a Python number.
    """
    expected = list(_run(load(), lambda f: f))
    for way, make in ways.items():
        program = load()
        outcomes = zip(expected, _run(program, make), strict=True)
        for call, (wanted, got) in enumerate(outcomes):
            found = _difference(wanted, got, joins and way == 'graph')
            if found is not None:
                yield Difference(found[0], way, call, found[1])
                break
            if wanted[0] == 'raises' and program.namespace:
                break  # what it had changed by then is left open


def _run(
    program: Program, make: Callable[[Callable[..., Any]], Callable[..., Any]]
) -> Iterator[Outcome]:
    try:
        function = make(program.function)
    except Exception as error:
        function = _raising(error)
    for args in program.calls:
        yield _outcome(function, args, program.namespace)


def _raising(error: Exception) -> Callable[..., Any]:
    def function(*args: Any) -> Any:
        raise error

    return function


def outcome(f: Callable[..., Any], args: tuple[Any, ...]) -> Outcome:
    """What a call returns and makes of its arguments, or the exception that it raises."""
    return _outcome(f, copy.deepcopy(args), {})


def _outcome(f: Callable[..., Any], args: tuple[Any, ...], namespace: Mapping[str, Any]) -> Outcome:
    try:
        result = f(*args)
    except Exception as error:
        return 'raises', error
    return 'returns', *copy.deepcopy((result, {'args': args, 'outside': dict(_outside(namespace))}))


def _outside(namespace: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The variables of a module, of its classes and of the closures of its functions."""
    for name, value in namespace.items():
        if name.startswith('__') or name == 'annotations' or isinstance(value, types.ModuleType):
            continue
        if isinstance(value, types.FunctionType):
            for variable, cell in zip(
                    value.__code__.co_freevars, value.__closure__ or (), strict=True):
                yield f'{name}.{variable}', cell.cell_contents
        elif isinstance(value, type):
            if value.__module__ == namespace.get('__name__'):
                for attribute, held in vars(value).items():
                    if not attribute.startswith('__') and isinstance(held, _DATA):
                        yield f'{name}.{attribute}', held
        else:
            yield name, value


def _difference(expected: Outcome, got: Outcome, joins: bool) -> tuple[Kind, str] | None:
    kinds = expected[0], got[0]
    if kinds == ('returns', 'returns'):
        message = difference(expected[1], got[1], joins, 'result')
        if message is None:  # of what is outside also what is one object with what
            message = difference(expected[2], got[2], joins)
        return None if message is None else ('wrong', message)
    if kinds == ('raises', 'raises') and _same_errors(expected[1], got[1]):
        return None
    message = f'{_shown(got)}\n  where plain Python {_shown(expected)}'
    if got[0] == 'returns':
        return 'wrong', message
    if not isinstance(got[1], ag.errors.AutographError):
        return 'internal error', message
    return 'refused' if ', line ' in str(got[1]) else 'refused without a line', message


def _shown(outcome: Outcome) -> str:
    if outcome[0] == 'returns':
        return f'returns {outcome[1]!r}'
    return f'raises {type(outcome[1]).__name__}: {outcome[1]}'


def run_printed(
    f: Callable[..., Any], names: dict[str, Any] | None = None
) -> Callable[..., Any]:
    """The function that the text of `to_code` defines, in a copy of its module or where told."""
    names = dict(f.__globals__) if names is None else names
    names['ag'] = ag
    for name, cell in zip(f.__code__.co_freevars, f.__closure__ or (), strict=True):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            continue
    text = textwrap.dedent(ag.to_code(f))
    if f.__name__ == '<lambda>':
        return eval(text, names)
    exec(text, names)
    return names[f.__name__]


def same(a: Any, b: Any) -> bool:
    """Whether two results are equal in value, dtype, shape and type; NaN equals NaN.

    What is one list, dict, set or object in two places of one is one in the other, too.
    """
    return difference(a, b) is None


def joined(a: Any, b: Any) -> bool:
    """Whether two results are the same, or the second one NumPy's number for the first."""
    return difference(a, b, joins=True) is None


def difference(expected: Any, got: Any, joins: bool = False, place: str = '') -> str | None:
    """Where two results differ first, and how."""
    return next(_Comparison(joins).differences(expected, got, place), None)


class _Comparison:
    """A comparison of two values, which remembers what objects it has gone through."""

    def __init__(self, joins: bool) -> None:
        self.joins = joins
        self.partners: dict[int, int] = {}
        self.partners_back: dict[int, int] = {}

    def differences(self, a: Any, b: Any, place: str) -> Iterator[str]:
        if isinstance(a, BaseException) or isinstance(b, BaseException):
            is_same = _same_errors(a, b)
        elif self.joins and isinstance(b, np.generic) and isinstance(a, _NUMBERS):
            is_same = bool(a == b or (a != a and b != b))
            is_same = is_same and isinstance(a, bool) <= isinstance(b, np.bool_)
        elif not _same_types(type(a), type(b)):
            is_same = False
        elif isinstance(a, (np.ndarray, np.generic)):
            is_same = a.dtype == b.dtype and a.shape == b.shape and _same_content(a, b)
        elif isinstance(a, tuple):
            yield from self.in_parts(dict(enumerate(a)), dict(enumerate(b)), place)
            return
        elif isinstance(a, (list, dict)) or _is_object(a):
            if id(a) not in self.partners and id(b) not in self.partners_back:
                self.partners[id(a)], self.partners_back[id(b)] = id(b), id(a)
                yield from self.in_parts(_parts(a), _parts(b), place)
                return
            if self.partners.get(id(a)) != id(b) or self.partners_back.get(id(b)) != id(a):
                yield f'{place} is the object of another place in one of them only'
            return
        else:
            is_same = repr(a) == repr(b)
        if not is_same:
            yield f'{place} is {b!r} instead of {a!r}'

    def in_parts(self, a: dict[Any, Any], b: dict[Any, Any], place: str) -> Iterator[str]:
        if list(map(repr, a)) != list(map(repr, b)):
            yield f'{place} has {list(b)} instead of {list(a)}'
            return
        for (key, x), y in zip(a.items(), b.values(), strict=True):
            part = f'.{key}' if isinstance(key, str) else f'[{key!r}]'
            yield from self.differences(x, y, place + part)


def _is_object(a: Any) -> bool:
    """Whether something has parts that may change."""
    if isinstance(a, (type, types.FunctionType, types.MethodType, enum.Enum)):
        return False
    return isinstance(a, np.random.Generator) or bool(_parts(a))


def _parts(a: Any) -> dict[Any, Any]:
    """The items of a list or dict, the attributes of an object by name."""
    if isinstance(a, list):
        return dict(enumerate(a))
    if isinstance(a, dict):
        return a
    if isinstance(a, np.random.Generator):
        return {'state': repr(a.bit_generator.state)}
    parts = dict(sorted(getattr(a, '__dict__', {}).items()))
    for each in type(a).__mro__:
        slots = each.__dict__.get('__slots__', ())
        for name in [slots] if isinstance(slots, str) else slots:
            if name not in ('__dict__', '__weakref__') and hasattr(a, name):
                parts[name] = getattr(a, name)
    return parts


def _same_types(a: type, b: type) -> bool:
    """Whether two types are one, or the same class of a module that was loaded twice."""
    return a is b or (
        (a.__module__, a.__qualname__) == (b.__module__, b.__qualname__)
        and a.__module__ != 'builtins')


def _same_errors(a: Any, b: Any) -> bool:
    is_ours = isinstance(b, ag.errors.AutographError)
    return _same_types(type(a), type(b)) or (is_ours and isinstance(b, type(a)))


def _same_content(a: Any, b: Any) -> bool:
    if a.dtype.char in 'gG':  # there is room between two numbers, which holds anything
        parts = (lambda x: x.real, lambda x: x.imag)
        return all(
            np.array_equal(part(a), part(b), equal_nan=True)
            and np.array_equal(np.signbit(part(a)), np.signbit(part(b)))
            for part in parts
        )
    if a.dtype.char in 'OT':  # what is there is an address
        return same(a.tolist(), b.tolist())
    return bool(a.tobytes() == b.tobytes())
