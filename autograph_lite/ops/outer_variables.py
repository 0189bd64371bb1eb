"""Reading and setting what lives outside, in program order.

That are variables of modules and functions, attributes of objects, and items of dicts.

    read_outer  no inputs             `total`, as it is where the graph begins
    set_outer   inputs (*the parts)   `total = value`

`attrs['variable']` is the `OuterVariable`. What it is set to is a part, as what is shown is (see
`effects`); `attrs['form']` says what tracing knows of it.
"""
from __future__ import annotations

import ast
import re
import threading
import weakref
from collections.abc import Callable, Hashable, Sequence
from types import CellType
from typing import Any

from ..graph.graph import Attrs, Node, Op, declared_type
from ..graph.types import TensorType
from ..pyct.asking import kept_attribute
from .effects import write_part
from .new_objects import NewObject

UNSET: Any = object()  # in the place of the value of a variable that has none

# Whoever traces a function that sets variables outside has this from the first of them on.
tracing_sets = threading.RLock()
# What such variables are for everybody else meanwhile.
_before: dict[Hashable, Any] = {}


class OuterVariable:
    """A variable of a module, or of a function around one that is traced; an attribute; an item.

    It pickles with its value, and is a variable apart from then on.

    Args:
      name: what the user calls it.
      holder: the namespace of the module, the cell, the object or the dict; an object is not kept
        alive where Python can hold it weakly. Of an object that the graph makes, what stands for
        it.
      key: the name or the key there.
      where: equal for the same variable, if that is known.

    Attributes:
      where: equal for the same variable.
    """

    __slots__ = ('__weakref__', '_held', '_key', 'name', 'where')

    def __init__(
        self, name: str, holder: Any, key: Any, where: Hashable | None = None
    ) -> None:
        self.name = name
        self._key = key
        self._held: Callable[[], Any] = _holding(holder)
        self.where: Hashable = (key, id(holder)) if where is None else where

    @property
    def is_of_graph(self) -> bool:
        """Whether the graph makes the object of which it is an attribute."""
        return isinstance(self._held, NewObject)

    @property
    def holder(self) -> Any:
        """What holds it."""
        return self._held()

    @property
    def __name__(self) -> str:
        """What the lowered program calls it."""
        return re.sub(r'\W+', '_', self.name).strip('_')

    @property
    def value(self) -> Any:
        """What it is, whoever traces what sets it.

        Raises:
          NameError: it has no value.
        """
        value = self.get()
        if value is UNSET:
            raise NameError(f'name {self.name!r} is not defined')
        return value

    @value.setter
    def value(self, value: Any) -> None:
        with tracing_sets:
            if self.where in _before and not self.is_of_graph:
                _before[self.where] = value
            else:
                self._put(value)

    def get(self) -> Any:
        """The same; UNSET where it has no value."""
        value = self._found()
        if self.where in _before and not self.is_of_graph:
            with tracing_sets:
                return _before[self.where] if self.where in _before else self._found()
        return value

    def _found(self) -> Any:
        holder = self.holder
        if isinstance(holder, dict):
            return holder.get(self._key, UNSET)
        if not isinstance(holder, CellType):
            return kept_attribute(holder, self._key, UNSET)
        try:
            return holder.cell_contents
        except ValueError:
            return UNSET

    def _put(self, value: Any) -> None:
        holder, key = self.holder, self._key
        is_there = value is not UNSET
        if holder is None:
            return  # it is gone, and nobody sees what it would hold
        if isinstance(holder, CellType):
            holder, key = self.holder, 'cell_contents'
        if isinstance(holder, dict):
            if is_there:
                holder[key] = value
            else:
                holder.pop(key, None)
        elif is_there:
            _base(holder).__setattr__(holder, key, value)
        elif not is_there and self._found() is not UNSET:
            _base(holder).__delattr__(holder, key)

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        holder = self._held if self.is_of_graph else {self._key: self.value}
        return OuterVariable, (self.name, holder, self._key)


def _holding(holder: Any) -> Callable[[], Any]:
    if isinstance(holder, NewObject):
        return holder
    is_object = not isinstance(holder, dict | CellType) and type(holder).__weakrefoffset__
    return weakref.ref(holder) if is_object else lambda: holder


def _base(holder: Any) -> Any:
    """What sets the attributes of a class or an object as Python does."""
    return type if isinstance(holder, type) else object


def hold(where: Hashable, before: Any) -> bool:
    """From now on the variable holds what this thread traces; whether it did not do so before.

    Args:
      where: which variable.
      before: what it is for others meanwhile.
    """
    if where in _before:
        return False
    _before[where] = before
    return True


def is_held(where: Hashable) -> bool:
    """Whether a thread traces what sets the variable."""
    return where in _before


def held_for_others(where: Hashable) -> Any:
    """What the variable is for others meanwhile."""
    return _before[where]


def let_go(where: Hashable) -> None:
    """The variable is what it holds again."""
    del _before[where]


def settled(where: Hashable, value: Any) -> Any:
    """What a variable holds, unless another thread is tracing what sets it: what it is then."""
    if where not in _before:
        return value
    with tracing_sets:
        return _before.get(where, value)


def wait_for_traces() -> None:
    """Returns when no other thread traces what sets variables outside."""
    if _before:
        with tracing_sets:
            pass


def _nothing(types: Sequence[TensorType], attrs: Attrs) -> tuple[TensorType, ...]:
    return ()


def _value(node: Node, context: ast.expr_context) -> ast.expr:
    return ast.Attribute(ast.Constant(node.attrs['variable']), 'value', context)


def _write_read(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    return _value(node, ast.Load())


def _write_set(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    return [ast.Assign([_value(node, ast.Store())], write_part(node.attrs['part'], values))]


READ_OUTER = Op('read_outer', declared_type, expression=_write_read, effect=True)
SET_OUTER = Op('set_outer', _nothing, statement=_write_set, effect=True)
