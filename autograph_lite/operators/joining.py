"""Where two ways meet, what they give is joined: results, and the places and arrays they change.

Each way *gives* a value for everything that is joined: a branch for each name that it returns, a
turn of a loop for each variable. A `Given` is such a value as the way left it, recorded before its
changes are rolled back. Two of them join to a `Join`:

    Same(value)        the same Python object on both ways, or an array that neither replaced
    Typed(...)         arrays, numbers or strings: a value of the graph
    Nested(children)   tuples, lists, dicts, dataclasses of one form, joined part by part
"""
from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass
from typing import Any

from ..errors import OwnershipError, StagingError, describe, user_location
from ..graph import nest
from ..graph.graph import Graph, Value
from ..graph.tensor import Memory, Tensor
from ..graph.types import TensorType
from .holders import has_other_name
from .leaves import Join as LeafJoin
from .leaves import Leaf, Ways, join_leaves, leaf_of, result, same_static
from .state import content, is_object
from .tensor_array import TensorArray
from .watched import watch

Form = tuple[type, tuple[Any, ...], int]


@dataclass(frozen=True)
class Given:
    """A value as one way left it.

    Attributes:
      value: the object.
      leaf: what is known of it, if it has no parts; None if that cannot be read any more.
      form: class, keys and number of its parts, if it has some.
      parts: its parts.
      error: why it cannot be read.
    """

    value: Any
    leaf: Leaf | None = None
    form: Form | None = None
    parts: tuple[Given, ...] = ()
    error: Exception | None = None

    def read(self) -> Leaf:
        """What is known of it.

        Raises:
          OwnershipError: it is an array that was modified through another name.
        """
        if self.leaf is None:
            assert self.error is not None
            raise self.error
        return self.leaf

    @property
    def structure(self) -> nest.Structure:
        """Its form, and that of its parts."""
        if self.form is None:
            return nest.LEAF
        kind, keys, _ = self.form
        return nest.Structure(kind, keys, tuple(part.structure for part in self.parts))


def given(value: Any, graph: Graph, around: tuple[int, ...] = ()) -> Given:
    """Records a value that a way gives, whose graph is traced.

    Args:
      value: the value.
      graph: the graph.
      around: the identities of what it is a part of: what refers to itself has no form.
    """
    found = nest.actual(value)
    if isinstance(found, TensorArray):
        found.check()
    parts = None if id(found) in around else parts_of(found)
    if parts is not None:
        keys, children = parts
        form = (type(found), keys, len(children))
        around = (*around, id(found))
        return Given(value, form=form, parts=tuple(given(x, graph, around) for x in children))
    try:
        return Given(value, leaf_of(found, graph))
    except OwnershipError as error:
        return Given(value, error=error)


def parts_of(x: Any) -> tuple[tuple[Any, ...], list[Any]] | None:
    """The keys and parts of a nest, or the attributes of an object of the user's; None for a leaf.
    """
    parts = nest.parts(x)
    if parts is None and is_object(x):
        attributes = content(x)
        return tuple(attributes), list(attributes.values())
    return parts


def build(form: Form, parts: Sequence[Any]) -> Any:
    """A nest or an object of a form, of these parts."""
    kind, keys, size = form
    if keys and not issubclass(kind, (dict, tuple, list, nest.Nest)) and not is_dataclass(kind):
        made = object.__new__(kind)
        for key, part in zip(keys, parts, strict=True):
            object.__setattr__(made, key, part)
        return made
    return nest.unflatten(nest.Structure(kind, keys, (nest.LEAF,) * size), parts)


class FormsDiffer(Exception):
    """Two ways give values of different forms: a tuple and None, lists of different lengths.

    Attributes:
      name: how the user's code writes it.
      a: what the one way gives.
      b: what the other way gives.
    """

    def __init__(self, name: str, a: Given, b: Given) -> None:
        super().__init__(name)
        self.name = name
        self.a = a
        self.b = b

    def error(self, ways: Ways) -> StagingError:
        """The error for the user."""
        return StagingError(
            describe(
                f'{self.name} is {self.a.structure} {ways[0]} and {self.b.structure} {ways[1]} '
                '(`*` stands for a value).',
                user_location(),
                'Give it the same structure on both ways.',
            )
        )


class Join:
    """What is known of a value after either way."""


@dataclass(eq=False)
class Same(Join):
    """The same object on both ways."""

    value: Any


@dataclass(eq=False)
class Typed(Join):
    """A value of the graph.

    Attributes:
      name: how the user's code writes it.
      join: its type.
      ways: the leaf of each way.
      handles: the arrays of each way, where they are some.
    """

    name: str
    join: LeafJoin
    ways: tuple[Leaf, Leaf]
    values: tuple[Any, Any]

    @property
    def type(self) -> TensorType | None:
        return self.join.type


@dataclass(eq=False)
class Nested(Join):
    """A tuple, list, dict or dataclass whose parts are joined."""

    name: str
    form: Form
    parts: list[Join]
    values: tuple[Any, Any]


def join(name: str, a: Given, b: Given, ways: Ways) -> Join:
    """The join of what two ways give.

    Raises:
      FormsDiffer: their forms differ.
      StagingError: their types do not join.
    """
    if nest.actual(a.value) is nest.actual(b.value):
        return Same(a.value)
    if a.form is None and b.form is None:
        one, other = a.read(), b.read()
        if one.value is None and other.value is None and same_static(one.static, other.static):
            return Same(a.value)
        joined = join_leaves(name, one, other, ways)
        if joined.type is None:
            return Same(joined.static if joined.unbound is None else joined.unbound)
        return Typed(name, joined, (one, other), (a.value, b.value))
    if a.form is None or a.form != b.form:
        raise FormsDiffer(name, a, b)
    names = names_of_parts(name, a.form)
    parts = [join(*each, ways) for each in zip(names, a.parts, b.parts, strict=True)]
    return Nested(name, a.form, parts, (a.value, b.value))


def alone(name: str, a: Given, is_older: Callable[[Any], bool]) -> Join:
    """What is known of a value that only one way gives: the other one raises.

    Args:
      name: how the user's code writes it.
      a: the value.
      is_older: whether an object was there before the block.
    """
    if is_older(a.value):
        return Same(a.value)
    if a.form is not None:
        parts = zip(names_of_parts(name, a.form), a.parts, strict=True)
        joins = [alone(*each, is_older) for each in parts]
        return Nested(name, a.form, joins, (a.value, a.value))
    leaf = a.read()
    if leaf.value is None or leaf.type is None:
        return Same(a.value)
    other = dataclasses.replace(leaf, unreachable=True)
    joined = LeafJoin(leaf.type, leaf.static, leaf.unbound)
    return Typed(name, joined, (leaf, other), (a.value, a.value))


def names_of_parts(name: str, form: Form) -> list[str]:
    """How the user's code writes each part."""
    kind, keys, size = form
    return nest.paths(nest.Structure(kind, keys, (nest.LEAF,) * size), name)


def typed_in(joins: Sequence[Join]) -> Iterator[Typed]:
    """The values of the graph, in order."""
    for each in joins:
        if isinstance(each, Typed):
            yield each
        elif isinstance(each, Nested):
            yield from typed_in(each.parts)


class Builder:
    """Builds what the code behind a block sees, from the outputs of its node.

    What is one new object on each way is one object afterwards.

    Args:
      outputs: of each typed join, the output and the memory that it may name.
      is_older: whether an object was there before the block.
    """

    def __init__(
        self, outputs: dict[Typed, tuple[Value, Memory]], is_older: Callable[[Any], bool]
    ) -> None:
        self._outputs = outputs
        self._is_older = is_older
        self._built: dict[tuple[int, int], Any] = {}

    def build(self, each: Join) -> Any:
        """The value."""
        if isinstance(each, Same):
            return nest.actual(each.value)
        assert isinstance(each, (Typed, Nested))
        a, b = each.values
        pair = id(nest.actual(a)), id(nest.actual(b))
        if pair in self._built:
            return self._built[pair]
        if isinstance(each, Typed):
            output, memory = self._outputs[each]
            built = result(each.join, output, memory)
            if not (isinstance(a, Tensor) and isinstance(b, Tensor)):
                return built  # equal numbers are not one object
        else:
            built = build(each.form, [self.build(part) for part in each.parts])
            older = [x for x in each.values if self._is_older(x) and has_other_name(x, each.name)]
            if older:
                watch(built, *older)
        self._built[pair] = built
        return built
