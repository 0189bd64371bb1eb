"""`Parameter`: one leaf of the arguments that a function was traced with."""
from __future__ import annotations

from typing import Any

from .description import Shown
from .graph.specs import TensorSpec
from .graph.state import valued
from .graph.types import TensorType
from .keys import Identity, copied, identities, leaf_key, leaf_type
from .operators.staging import identifier
from .portable import portable
from .signatures import accepts


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
        self._value = None if type_ else self._kept(leaf)

    def _kept(self, leaf: Any) -> Any:
        """What is remembered of a Python value; no object that is told by identity is."""
        return Shown(leaf) if self.has_objects else copied(leaf)

    @property
    def has_objects(self) -> bool:
        """Whether it is told by the identity of objects, which may go."""
        return any(True for _ in identities(self.key))

    @property
    def value(self) -> Any:
        """The Python value; a TensorSpec for what is staged."""
        if self.type is not None:
            return TensorSpec(self.type.shape, self.type.dtype, self._name)
        return self.key.value() if isinstance(self.key, Identity) else self._value

    def read(self, leaf: Any) -> Any:
        """What is passed for a leaf: where an array is wanted, of a variable its value."""
        return leaf if self.type is None else valued(leaf)

    def accepts(self, leaf: Any) -> bool:
        """Whether the trace can serve a call with this leaf."""
        if self.type is None:
            return leaf_key(leaf) == self.key
        given = leaf_type(leaf)
        return given is not None and accepts(self.type, given)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(self.__dict__)
        if self.has_objects:
            state['key'] = portable(self.key)
            state['_value'] = Shown(self.value)
        return state
