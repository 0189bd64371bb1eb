"""What generated code calls; `ag` has the common names, and these are the rarer ones."""
from __future__ import annotations

from importlib import import_module
from typing import Any

from .. import ops as ops  # importing the operations registers them

# Where each name is; it is imported when it is asked for. No name is that of a file here.
_MODULES = {
    name: module
    for module, names in {
        'builtins': ['complex', 'divmod', 'filter', 'map', 'pow', 'reversed', 'type_of'],
        'captures': [
            'captured', 'getenv', 'method', 'owner', 'part', 'set_captured', 'set_part',
            'variable',
        ],
        'contexts': ['context'],
        'formatting': ['percent', 'text'],
        'handlers': ['excepting'],
        'in_flight': ['error_in_flight', 'refused_since'],
        'logic': ['is_true', 'python_test'],
        'membership': ['in_', 'item'],
        'patterns': ['is_mapping', 'is_sequence', 'plain'],
        'recursion': ['local_call'],
        'tries': ['try_'],
    }.items()
    for name in names
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    value = getattr(import_module(f'{__name__}.{_MODULES[name]}'), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(_MODULES)
