"""Places outside a traced function, each of which can be read again: `RATE`, `cfg['rate']`."""
from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

from ..graph.tensor import State, Tensor, valued
from ..signatures import Identity


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
        return _is_static(self.key)

    def written(self, owner: str) -> str:
        return f'{owner}[{self.key!r}]'


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
        return all(map(_is_static, self.args))

    def written(self, owner: str) -> str:
        if self.name == 'in':
            return f'{self.args[0]!r} in {owner}'
        if self.name == 'get':
            return f'{owner}.get({self.args[0]!r})'
        return f'{self.name}({", ".join([owner, *map(repr, self.args)])})'


def _is_static(x: Any) -> bool:
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


def _get(container: Any, key: Hashable) -> Any:
    return container.get(key, MISSING)


_QUESTIONS: dict[str, Callable[..., Any]] = {
    'len': len,
    'in': operator.contains,
    'getattr': getattr,
    'hasattr': hasattr,
    'vars': vars,
    'get': _get,
}


def written_step(step: Any) -> Step:
    """A step as generated code writes it."""
    if isinstance(step, str):
        return Attribute(step[1:])
    if isinstance(step, list):
        return Item(valued(step[0]))
    name, *args = step
    if name == 'getattr' and len(args) == 2:
        return AttributeOr(*args)
    return Question(name, tuple(map(valued, args)))


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


def variable(read: Callable[[], Any], name: str) -> Place:
    """A global or a closure variable."""
    cells = read.__closure__ or (read.__globals__,)
    return Place(read, (name, id(cells[0])), name)


def place_of(x: Any, name: str) -> Place:
    """An object, which is not kept alive where Python can hold it weakly."""
    return Place(Identity(x).value, id(x), name)
