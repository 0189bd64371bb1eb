"""Which names belong to a scope: parameters, locals, and what it declares to be elsewhere."""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import gast

from autograph_lite.pyct.tree import Node, children

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)


@dataclass(frozen=True)
class Symbols:
    """The names of one function, lambda or class body.

    `locals` includes the parameters. `modules` are the locals that an import binds. `closures` maps
    a local to the functions and classes that are bound to it directly. `yields` says whether it is
    a generator's.
    """

    params: tuple[str, ...]
    locals: frozenset[str]
    globals_: tuple[str, ...]
    nonlocals: tuple[str, ...]
    modules: frozenset[str]
    closures: tuple[tuple[str, Node], ...]
    yields: bool


def symbols(scope: Node) -> Symbols:
    """The names that belong to a function, a lambda or a class body, nested scopes left out."""
    params = tuple(parameter.id for parameter in parameters(scope))
    bound = set(params)
    declared: dict[type, dict[str, None]] = {gast.Global: {}, gast.Nonlocal: {}}
    modules: set[str] = set()
    closures: list[tuple[str, Node]] = []
    yields = False
    for node in _own_nodes(scope):
        if isinstance(node, gast.Name):
            if not isinstance(node.ctx, gast.Load):
                bound.add(node.id)
            continue
        bound.update(_bound_by(node))
        yields = yields or isinstance(node, (gast.Yield, gast.YieldFrom))
        if isinstance(node, gast.alias):
            modules.update(_bound_by(node))
        elif isinstance(node, (gast.Global, gast.Nonlocal)):
            declared[type(node)].update(dict.fromkeys(node.names))
        elif isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            closures.append((node.name, node))
        elif isinstance(node, gast.Assign) and isinstance(node.value, gast.Lambda):
            closures += [(target.id, node.value) for target in node.targets if _is_name(target)]
    elsewhere = declared[gast.Global].keys() | declared[gast.Nonlocal].keys()
    return Symbols(
        params=params,
        locals=frozenset(bound) - elsewhere,
        globals_=tuple(declared[gast.Global]),
        nonlocals=tuple(declared[gast.Nonlocal]),
        modules=frozenset(modules),
        closures=tuple(closures),
        yields=yields,
    )


def parameters(scope: Node) -> list[Node]:
    """The parameters of a function or lambda in the order of its signature; none for a class."""
    if not isinstance(scope, FUNCTIONS):
        return []
    arguments = scope.args
    listed = [*arguments.posonlyargs, *arguments.args, arguments.vararg]
    listed += [*arguments.kwonlyargs, arguments.kwarg]
    return [parameter for parameter in listed if parameter is not None]


def import_name(alias: Node) -> str:
    """The name that `import a.b` (`a`) or `import a.b as c` (`c`) binds."""
    return str(alias.asname or alias.name.split('.')[0])


def _is_name(node: Node) -> bool:
    return isinstance(node, gast.Name)


def _bound_by(node: Node) -> Iterable[str]:
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return [node.name]
    if isinstance(node, gast.alias):
        return [import_name(node)]
    if isinstance(node, (gast.MatchAs, gast.MatchStar)):
        return [node.name] if node.name else []
    if isinstance(node, gast.MatchMapping):
        return [node.rest] if node.rest else []
    return []


def _own_nodes(scope: Node) -> Iterator[Node]:
    """The nodes that are evaluated in a scope itself, in the order of the text."""
    pending = [scope.body] if isinstance(scope, gast.Lambda) else list(reversed(scope.body))
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(_evaluated_in_place(node)))


def _evaluated_in_place(node: Node) -> list[Node]:
    if isinstance(node, (gast.Name, gast.Constant)):
        return []
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef)):
        return [*node.decorator_list, *defaults(node)]
    if isinstance(node, gast.Lambda):
        return defaults(node)
    if isinstance(node, gast.ClassDef):
        return [*node.decorator_list, *node.bases, *node.keywords]
    if isinstance(node, COMPREHENSIONS):
        # The targets belong to the comprehension; a walrus inside it binds here.
        inner = [part for each in node.generators for part in (each.iter, *each.ifs)]
        return [*inner, *results(node)]
    return children(node)


def defaults(function: Node) -> list[Node]:
    """The default values of a function's parameters, which its definition evaluates."""
    arguments = function.args
    return [*arguments.defaults, *(value for value in arguments.kw_defaults if value is not None)]


def results(comprehension: Node) -> list[Node]:
    """What a comprehension collects: its element, or its key and value."""
    if isinstance(comprehension, gast.DictComp):
        return [comprehension.key, comprehension.value]
    return [comprehension.elt]
