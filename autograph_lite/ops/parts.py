"""`np.split(x, where)` into as many parts as only the running graph knows: a list of copies.

    parts  inputs (x, *tensors)  `[part.copy() for part in np.split(x, where)]`

NumPy's parts are views of x. Copies hold the same if x is not modified from then on.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..graph.dispatch import FALLBACKS, implements
from ..graph.graph import Node, Op, declared_type
from ..graph.nest import Stackable
from ..graph.state import valued
from ..graph.tensor import Tensor
from ..graph.tracing import constant, emit
from ..graph.types import ListType, array_type
from .call_text import write_call
from .calls import array_of, call
from .template import Inputs, freeze_arguments


def _copies(node: Node, values: Sequence[ast.expr]) -> ast.expr:
    part = ast.Name('part', ast.Load())
    copy = ast.Call(ast.Attribute(part, 'copy', ast.Load()), [], [])
    each = ast.comprehension(ast.Name('part', ast.Store()), write_call(node, values), [], 0)
    return ast.ListComp(copy, [each])


PARTS = Op('parts', declared_type, expression=_copies)


def _splitting(name: str, own_axis: int | None) -> Callable[..., Any]:
    def run(ary: Any, indices_or_sections: Any, axis: int | None = None) -> Any:
        where = array_of(valued(indices_or_sections))
        given = {} if axis is None else {'axis': axis}
        if not _is_unknown(where):
            return call(name, (ary, where), given)
        ary = ary if isinstance(ary, Tensor) else constant(np.asarray(ary))
        shape = list(ary.static_shape)
        along = axis if axis is not None else own_axis
        if name == 'numpy.hsplit' and len(shape) == 1:
            along = 0
        shape[0 if along is None else along] = None
        inputs = Inputs()
        arguments = freeze_arguments((ary, where), given, inputs)
        type_ = ListType(element=array_type(ary.dtype, tuple(shape)))
        attrs = {'function': name, 'arguments': arguments, 'type': type_}
        (made,) = emit(PARTS, inputs.tensors, attrs, names=['parts'])
        for storage in ary.memory:
            storage.keep_for(f'an array whose parts `{_shown(name)}` gave')
        return FALLBACKS['list'](made)

    return run


def _shown(name: str) -> str:
    return name.replace('numpy.', 'np.')


def _is_unknown(where: Any) -> bool:
    """Whether it is not known how many parts there are."""
    if isinstance(where, Stackable):
        return True
    return isinstance(where, Tensor) and where.type.shape in ((), (None,))


for _function, _axis in (
    (np.split, None), (np.array_split, None), (np.vsplit, 0), (np.hsplit, 1), (np.dsplit, 2),
):  # fmt: skip
    implements(_function)(_splitting(f'numpy.{_function.__name__}', _axis))
