"""Places outside a traced function, each of which can be read again: `RATE`, `cfg['rate']`."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from types import CodeType, FunctionType
from typing import Any

from ..errors import StagingError, describe, user_location
from ..graph.state import State, valued
from ..graph.tensor import Tensor
from ..keys import Identity
from ..ops.strings import StagedText
from ..pyct.asking import kept_attribute, members_of
from ..pyct.codes import once_by_code
from .perhaps_missing import is_bound, may_lack


class GoneError(LookupError):
    """What a place leads on from is no more: a trace that made it is the only one that read it."""


class Step:
    """How one place leads to the next."""

    def __call__(self, value: Any) -> Any:
        """What is there."""
        raise NotImplementedError

    @property
    def is_static(self) -> bool:
        """Whether it can be taken again later: no tensor says where it leads."""
        return True

    def written(self, owner: str) -> str:
        """What the user writes for it, behind or around what it starts from."""
        raise NotImplementedError


@dataclass(frozen=True)
class Attribute(Step):
    """`.name`."""

    name: str

    def __call__(self, value: Any) -> Any:
        return getattr(value, self.name)

    def written(self, owner: str) -> str:
        return f'{owner}.{self.name}'


@dataclass(frozen=True)
class KeptAttribute(Attribute):
    """The same of one that `functools.cached_property` computes: what is kept by now."""

    def __call__(self, value: Any) -> Any:
        found = kept_attribute(value, self.name, MISSING)
        if found is MISSING:
            raise AttributeError(self.name)
        return found


@dataclass(frozen=True)
class AttributeOr(Step):
    """`getattr(x, name, default)`."""

    name: str
    default: Any

    def __call__(self, value: Any) -> Any:
        return getattr(value, self.name, self.default)


@dataclass(frozen=True)
class Item(Step):
    """`[key]`."""

    key: Any

    def __call__(self, value: Any) -> Any:
        return value[self.key]

    @property
    def is_static(self) -> bool:
        return is_static(self.key)

    def written(self, owner: str) -> str:
        return f'{owner}[{self.key!r}]'


@dataclass(frozen=True)
class HeldItem(Item):
    """The same of a dict whose class gives more than it holds, such as a `defaultdict`."""

    def __call__(self, value: Any) -> Any:
        if self.key not in value:
            raise KeyError(self.key)
        return value[self.key]


@dataclass(frozen=True)
class Global(Item):
    """A variable of the module whose namespace it is."""

    def written(self, owner: str) -> str:
        return str(self.key)


@dataclass(frozen=True)
class Question(Step):
    """What a function answers: `len(x)`, `key in x`."""

    name: str
    args: tuple[Any, ...] = ()

    @property
    def function(self) -> Callable[..., Any]:
        """What is called with the value and the arguments."""
        return _QUESTIONS[self.name]

    def __call__(self, value: Any) -> Any:
        return self.function(value, *self.args)

    @property
    def is_static(self) -> bool:
        return all(map(is_static, self.args))

    def written(self, owner: str) -> str:
        if self.name == 'in':
            return f'{self.args[0]!r} in {owner}'
        if self.name in _METHODS:
            return f'{owner}.{self.name}({", ".join(map(repr, self.args))})'
        return f'{self.name}({", ".join([owner, *map(repr, self.args)])})'


def is_static(x: Any) -> bool:
    """Whether it is a Python value that can be remembered."""
    if isinstance(x, Tensor | State):
        return False
    try:
        hash(x)
    except TypeError:
        return False
    return True


class _Missing:
    """What `get` gives for a key that is not there."""


MISSING = _Missing()


def _get(x: Any, *args: Any) -> Any:
    if isinstance(x, ContextVar):
        return x.get(*args)
    return x.get(*args, MISSING)


def _called(f: Callable[[], Any]) -> Any:
    return f()


def _fits(x: Any, part: str, type_: Any) -> bool:
    """Whether the keys or the values of a dict are of a type that tracing knew; of many, the last.
    """
    found = getattr(x, part)()
    if len(found) > _MOST_LOOKED_AT:
        return bool(type_.fits(next(reversed(found))))
    return set(map(type, found)) <= {type_.kind} or all(map(type_.fits, found))


_MOST_LOOKED_AT = 100


def _is_of(x: Any, type_: Any) -> bool:
    return bool(type_.fits(x))


# Methods of Python's library whose answers others may change.
ANSWERING = {ContextVar: ('get',), type: ('__subclasses__',)}
def _hasattr(x: Any, name: str) -> Any:
    found = getattr(x, name, MISSING)
    return is_bound(found) if may_lack(found) else found is not MISSING


def contains(x: Any, key: Any) -> Any:
    """`key in x`; a symbolic bool where only the running graph knows whether it is."""
    found = dict.get(x, key) if isinstance(x, dict) else None
    return is_bound(found) if may_lack(found) else key in x


_METHODS = ('get', '__subclasses__')
_QUESTIONS: dict[str, Callable[..., Any]] = {
    'len': len,
    'in': contains,
    'getattr': getattr,
    'hasattr': _hasattr,
    'getattr_static': inspect.getattr_static,
    'vars': vars,
    'get': _get,
    '__subclasses__': type.__subclasses__,
    'call': _called,
    'fit': _fits,
    'fits': _is_of,
    'keys': tuple,
}


def written_step(step: Any) -> Step:
    """A step as generated code writes it."""
    if isinstance(step, str):
        return Attribute(step[1:])
    if isinstance(step, list):
        return Item(valued(step[0]))
    name, *args = step
    if name in ('getattr', 'hasattr'):
        check_named(args[0])
    if name == 'getattr' and len(args) == 2:
        return AttributeOr(*args)
    if name == 'getattr' and isinstance(args[0], str):
        return Attribute(args[0])
    return Question(name, tuple(map(valued, args)))


def check_named(name: Any) -> None:
    """An attribute has a name that tracing knows.

    Raises:
      StagingError: only the running graph knows it.
    """
    if isinstance(name, StagedText):
        what = 'Only the running graph knows the name of this attribute.'
        fix = (
            'Choose between those that it may be: by a place, `(np.sin, np.cos)[k](x)`, or by a '
            "test, `x.a if name == 'a' else x.b`, `if name == 'a': x.a = value`.")
        raise StagingError(describe(what, user_location(), fix))


def step_in(owner: Any, step: Step) -> Step:
    """The step as it leads on from something, in which it changes nothing."""
    if isinstance(step, Attribute):
        is_computed = not isinstance(owner, type) and step.name in members_of(owner).caches
        return KeptAttribute(step.name) if is_computed else step
    gives_more = isinstance(owner, dict) and hasattr(type(owner), '__missing__')
    return HeldItem(step.key) if gives_more and isinstance(step, Item) else step


@dataclass(frozen=True)
class Place:
    """A variable or an object, and the steps that lead on from it.

    Attributes:
      root: reads the variable or gives the object.
      where: tells the root from others.
      name: what people call the root.
    """

    root: Callable[[], Any]
    where: Hashable
    name: str
    steps: tuple[Step, ...] = ()

    def then(self, step: Step) -> Place:
        """The place that a step leads to."""
        return replace(self, steps=(*self.steps, step))

    def before(self) -> Place:
        """The place from which the last step leads."""
        return replace(self, steps=self.steps[:-1])

    @property
    def is_object(self) -> bool:
        """Whether it starts from an object, which may be gone, and not from a variable."""
        return isinstance(self.where, int)

    @property
    def key(self) -> Hashable:
        """Equal for the same place."""
        return self.where, self.steps

    def __call__(self) -> Any:
        """What is there now.

        Raises:
          GoneError: the object is no more.
        """
        value = self.root()
        if value is None and self.is_object:
            raise GoneError
        for step in self.steps:
            value = step(value)
        return value

    def __str__(self) -> str:
        return functools.reduce(lambda owner, step: step.written(owner), self.steps, self.name)


def found_at(place: Place) -> Any:
    """What is there; None where there is nothing."""
    try:
        return place()
    except Exception:
        return None


def variable(read: Callable[[], Any], name: str) -> Place:
    """A global or a closure variable."""
    cells = read.__closure__ or (read.__globals__,)
    code = _of_the_library(read.__code__)
    root = FunctionType(code, read.__globals__, name, None, read.__closure__)
    return Place(root, (name, id(cells[0])), name)


@once_by_code
def _of_the_library(code: CodeType) -> CodeType:
    """The same code, at which no debugger stops for a breakpoint of the user's."""
    return code.replace(co_filename=__file__)


# What reads a variable and does no more.
_OF_A_GLOBAL = (lambda: variable).__code__.co_code
_OF_A_CELL = (lambda kept: lambda: kept)(None).__code__.co_code


def kept_in(read: Callable[[], Any]) -> tuple[Any, Step] | None:
    """The namespace or the cell that has a variable, and the step to it; None of anything else.

    A builtin is in no namespace of its module's: another variable may come to stand before it.
    """
    if not isinstance(read, FunctionType):
        return None
    code = read.__code__
    if code.co_code == _OF_A_CELL and read.__closure__:
        return read.__closure__[0], Attribute('cell_contents')
    if code.co_code == _OF_A_GLOBAL and code.co_names[0] in read.__globals__:
        return read.__globals__, Item(code.co_names[0])
    return None


def place_of(x: Any, name: str) -> Place:
    """An object, which is not kept alive where Python can hold it weakly."""
    return Place(Identity(x).value, id(x), name)
