"""Which names a scope has, and what its closures capture, against Python's own symbol tables."""
from __future__ import annotations

import ast
import importlib
import inspect
import symtable
from collections.abc import Iterator
from typing import Any

import gast
import pytest

from autograph_lite.analysis.scopes import scopes
from autograph_lite.analysis.symbols import COMPREHENSIONS, FUNCTIONS

MODULES = [
    'argparse', 'asyncio.base_events', 'contextlib', 'copy', 'dataclasses', 'difflib', 'doctest',
    'enum', 'fractions', 'functools', 'heapq', 'inspect', 'json.decoder', 'json.encoder',
    'optparse', 'pdb', 'random', 'shutil', 'statistics', 'string', 'subprocess', 'tempfile',
    'textwrap', 'threading', 'typing', 'unittest.mock', 'zipfile',
]  # fmt: skip


def tables(table: symtable.SymbolTable) -> Iterator[symtable.Function]:
    for child in table.get_children():
        if isinstance(child, symtable.Function):
            yield child
        yield from tables(child)


def own_nodes(function: Any) -> Iterator[Any]:
    pending = list(ast.iter_child_nodes(function))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (*FUNCTIONS, gast.ClassDef)):
            pending.extend(ast.iter_child_nodes(node))


def targets(function: Any) -> set[str]:
    """The targets of comprehensions, which 3.12 and later count among a function's names."""
    return {
        name.id
        for node in own_nodes(function)
        if isinstance(node, COMPREHENSIONS)
        for each in node.generators
        for name in ast.walk(each.target)
        if isinstance(name, gast.Name)
    }


@pytest.mark.parametrize('module', MODULES)
def test_names_are_those_of_the_compiler(module: str) -> None:
    source = inspect.getsource(importlib.import_module(module))
    functions: dict[tuple[str, int], list[Any]] = {}
    for node in ast.walk(gast.parse(source)):
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
            functions.setdefault((node.name, node.lineno), []).append(node)
    seen = 0
    for table in tables(symtable.symtable(source, module, 'exec')):
        for function in functions.get((table.get_name(), table.get_lineno()), []):
            seen += 1
            compare(function, table)
    assert seen > 5


def compare(function: Any, table: symtable.Function) -> None:
    whole = scopes(function)
    names = whole.cfg.symbols
    place = (function.name, function.lineno)
    extra = targets(function)
    mangled = {name for name in table.get_identifiers() if '__' in name and name[0] == '_'}
    mangled |= {name for name in names.locals if name.startswith('__')}
    params = [name for name in table.get_parameters() if name[0] != '.']
    assert set(names.params) - mangled == set(params) - mangled, place
    assert names.locals - mangled <= set(table.get_locals()), place
    assert set(table.get_locals()) - names.locals - mangled <= extra, place
    declared = {name for name in table.get_globals() if table.lookup(name).is_declared_global()}
    assert set(names.globals_) - mangled == declared - mangled, place
    assert set(names.nonlocals) == set(table.get_nonlocals()), place
    captured = {name.root for name in whole.function.captured} & names.locals
    cells = {
        name
        for name in table.get_locals()
        for child in table.get_children()
        if child.get_name() not in ('listcomp', 'setcomp', 'dictcomp', 'genexpr')
        and name in child.get_identifiers()
        and child.lookup(name).is_free()
    }
    assert captured - mangled <= cells, place
    assert cells - captured - mangled <= extra, place
