"""What functions give that is a view of their argument: `x.T`, `x.reshape(-1)`, `np.split(x, 2)`.

    view_call   inputs (x, *tensors)         may share the memory of x
    write_back  inputs (x, value, *tensors)  `x.T[...] = value`: what was written to the view of x

Whether `reshape` and its like copy is known when the graph runs; what they copied is not written
back, as in NumPy.
"""
from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..graph.graph import Attrs, Node, Op, Value, declared_types
from ..graph.ownership import modified_elsewhere
from ..graph.storage import Place
from ..graph.tensor import Tensor
from ..graph.tracing import emit
from ..graph.types import TensorType
from .call_text import write_picked
from .infix import stored


def _updated(types: Sequence[TensorType], attrs: Attrs) -> TensorType:
    return types[0]


def _write_back(node: Node, values: Sequence[ast.expr]) -> Sequence[ast.stmt]:
    view = write_picked(node, [values[0], *values[2:]])
    target = ast.Subscript(view, ast.Constant(...), ast.Load())
    return [ast.Assign([stored(target)], values[1])]


VIEW_CALL = Op('view_call', declared_types, expression=write_picked, view=True)
WRITE_BACK = Op('write_back', _updated, statement=_write_back, updates=True)

# Functions and methods that never copy.
_NEVER_COPIES = frozenset(
    f'{root}.{name}'
    for root in ('numpy', 'ndarray', 'numpy.linalg')
    for name in (
        'T', 'mT', 'transpose', 'matrix_transpose', 'permute_dims', 'swapaxes', 'moveaxis',
        'rollaxis', 'flip', 'fliplr', 'flipud', 'rot90', 'expand_dims', 'squeeze', 'real', 'imag',
        'diagonal', 'split', 'array_split', 'hsplit', 'vsplit', 'dsplit', 'unstack', 'atleast_1d',
        'atleast_2d', 'atleast_3d', 'view', 'broadcast_to',
    )
)  # fmt: skip


def view_place(base: Tensor, inputs: Sequence[Tensor], view: Tensor, attrs: Attrs) -> Place:
    """Where in `base` one result of a call of it lies."""
    held = tuple(tensor.held for tensor in inputs[1:])
    return _ViewPlace(base, tuple(inputs[1:]), held, view, attrs)


@dataclass(frozen=True, eq=False)
class _ViewPlace(Place):
    base: Tensor
    others: tuple[Tensor, ...]
    held: tuple[Value, ...]
    view: Tensor
    attrs: Attrs

    @property
    def is_view(self) -> bool:
        return self.attrs['function'] in _NEVER_COPIES

    @property
    def reads(self) -> Sequence[Tensor]:
        return self.others

    def load(self) -> Value:
        """What is there now."""
        if not self.is_view:
            raise modified_elsewhere(self.view, self.base.memory[0])
        self._check_arguments()
        return emit(VIEW_CALL, [self.base, *self.others], self.attrs, names=['view'])[0].held

    def store(self, value: Value) -> None:
        """Puts other contents there."""
        self._check_arguments()
        inputs = [self.base, Tensor(value, ()), *self.others]
        emit(WRITE_BACK, inputs, self.attrs, names=[self.base.held.name])

    def of(self, base: Tensor) -> Tensor | None:
        """The result of the same call for another array; None if it may be a copy."""
        if not self.is_view:
            return None
        place = replace(self, base=base)
        return Tensor(place.load(), base.memory, place)

    def _check_arguments(self) -> None:
        """Raises OwnershipError if another argument of the call was modified."""
        for tensor, value in zip(self.others, self.held, strict=True):
            if tensor.read() is not value:
                raise modified_elsewhere(tensor, tensor.memory[0])
