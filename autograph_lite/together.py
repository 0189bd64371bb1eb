"""Several functions, converted: each as it is written, methods in their classes."""
from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from .conversion import to_code, written_function
from .errors import AutographError
from .report.callees import class_of
from .whole_file import indented


def converted_together(functions: Sequence[Callable[..., Any]]) -> tuple[str, list[AutographError]]:
    """The converted source of functions, and why some of them are not among them."""
    blocks: dict[str, list[str]] = {}  # methods by their class, functions by their own names
    errors: list[AutographError] = []
    for f in functions:
        function = written_function(f)
        owner = class_of(function)
        try:
            code = to_code(function).strip('\n')
        except AutographError as error:
            errors.append(error)
            continue
        if owner is None:
            blocks[f'{function.__qualname__} {len(blocks)}'] = [code]
        else:
            code = _decorator(function, owner) + code
            blocks.setdefault(f'class {owner.__qualname__}:', []).append(code)
    return '\n\n\n'.join(_block(head, codes) for head, codes in blocks.items()), errors


def _block(head: str, codes: list[str]) -> str:
    if not head.startswith('class '):
        return codes[0]
    text = '\n\n'.join(codes)
    for name in reversed(head.removeprefix('class ').rstrip(':').split('.')):
        text = f'class {name}:\n' + ''.join(indented(text, '    '))
    return text


def _decorator(function: FunctionType, owner: type) -> str:
    """What says in a class how a method is called."""
    held = vars(owner).get(function.__name__)
    match held:
        case staticmethod():
            return '@staticmethod\n'
        case classmethod():
            return '@classmethod\n'
        case property():
            kinds = {held.fset: f'@{function.__name__}.setter\n'}
            return kinds.get(function, '@property\n')
        case functools.cached_property():
            return '@functools.cached_property\n'
    return ''
