"""What a staged block changes in place of what it is given, and does not return.

    def double(a, x):
        if x > 0:
            a += a

Nothing reads the variable `a` after that, but the caller has the array by another name.
"""
from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from ..graph import nest
from ..graph.graph import Value
from ..graph.tensor import Tensor
from ..pyct.asking import get_attribute
from .staging import parameter_names


class GivesBack(BaseException):
    """A staged block can be traced again, returning some of what it is given as well.

    Attributes:
      numbers: which of its operands.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        super().__init__()
        self.numbers = numbers

    def again(self, operands: Any) -> GivesBack:
        """The same, for a block that is traced again and given operands of the same form."""
        return GivesBack(self.numbers)

    def function(self, function: Callable[..., Any], is_one: bool) -> Callable[..., Any]:
        """The function, with that behind its results.

        Args:
          function: the block.
          is_one: whether it returns one result itself, not several as a tuple.
        """

        @functools.wraps(function)
        def giving(*operands: Any) -> Any:
            returned = function(*operands)
            returned = (returned,) if is_one else returned
            return (*returned, *(operands[i] for i in self.numbers))

        return giving


def block_names(block: Callable[..., Any]) -> Sequence[str]:
    """What the user calls what a block is given, as far as its parameters tell."""
    block = inspect.unwrap(block)
    code = get_attribute(block, '__code__')
    return parameter_names(block, 0, code.co_argcount) if code else ()


def held_by(operands: Any) -> dict[int, Value]:
    """What the arrays of a nest hold, by their identities."""
    return {id(x): x.held for x in nest.flatten(operands)[0] if isinstance(x, Tensor)}


def check_given_back(
    operands: Sequence[Any],
    before: dict[int, Value],
    modified: Collection[Any],
    returned: Any,
    own: Sequence[int],
) -> None:
    """A block returns what it has changed of its operands.

    Args:
      operands: what it was given.
      before: what the arrays of that held.
      modified: the lists, dicts and dataclasses of that which it has modified.
      returned: what it returns.
      own: the operands, by number, whose variables are its own: it gives them nothing.

    Raises:
      GivesBack: it does not.
    """
    changed = {id(x) for x in modified} | {
        id(x) for x in nest.flatten(operands)[0]
        if isinstance(x, Tensor) and x.held is not before.get(id(x), x.held)}
    if not changed:
        return
    found = set(map(id, _parts(returned)))
    missing = [
        i for i in own
        if id(operands[i]) not in found
        and not changed.intersection(map(id, _parts(operands[i]))) <= found]
    if missing:
        raise GivesBack(missing)


def _parts(x: Any) -> Iterator[Any]:
    """A nest, and all that is in it."""
    x = nest.actual(x)
    yield x
    for part in nest.children(x):
        yield from _parts(part)
