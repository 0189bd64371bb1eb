"""Tensors in what Python makes while a function is traced, once for all calls: code and classes.

    class Scaled:
        def get(self):
            return x * 2
"""
from __future__ import annotations

import gc
import types
from typing import Any

from ..errors import StagingError, describe, user_location, with_article
from ..graph.tensor import Tensor
from ..pyct.returns import only_return
from .contents import content
from .holders import MOST, walk
from .local_code import local_classes
from .outside import is_outside, lives_outside


def reaches_tensors(x: Any) -> bool:
    """Whether there are tensors in something of Python's; not so in what lives outside."""
    waiting, seen = [x], set[int]()
    while waiting and len(seen) < MOST:
        part = waiting.pop()
        if isinstance(part, Tensor):
            return True
        if id(part) in seen or lives_outside(part):
            continue
        seen.add(id(part))
        if isinstance(part, types.FunctionType):
            waiting += (content(part) or {}).values()
        elif part is x or not isinstance(part, type | types.ModuleType | types.CodeType):
            waiting += gc.get_referents(part)
    return False


def check_class(x: Any, what: str) -> None:
    """An object that leaves the graph has its values in itself, and not in a class made here.

    Args:
      x: the object, or anything else.
      what: how a message calls what is done with it.

    Raises:
      StagingError: methods or attributes of its class hold tensors.
    """
    kinds = () if isinstance(x, Tensor | type) else local_classes(x)
    for kind in kinds:
        if any(isinstance(value, Tensor) for held in walk(('', kind))
               if not is_outside(held.owner) for value in held.content.values()):
            raise StagingError(describe(
                f'{with_article(kind.__name__, begins=True)} is {what}, whose class the function '
                'makes with tensors in it: that is made once, while tracing.',
                only_return(user_location()),
                'Let the object hold them, as by `self.x = x` in its `__init__`.'))
