"""The accesses that evaluating an expression makes, in Python's order of evaluation.

An explicit stack holds what is still to be evaluated, so that a sum of a thousand terms is no
deeper than a sum of two. A step on it is an expression or an action.
"""
from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial

import gast

from autograph_lite.analysis.accesses import (
    BORROWING,
    MUTATING_FUNCTIONS,
    MUTATING_METHODS,
    Captures,
    Kind,
    last_name,
    merged,
    place_of,
)
from autograph_lite.analysis.flow import Flow, Frontier
from autograph_lite.analysis.qualnames import QualName, qualname_of, root_node
from autograph_lite.analysis.symbols import Symbols, defaults, parameters, results
from autograph_lite.pyct.tree import Node, children, walk

Steps = list[Node]  # of expressions and of actions without arguments
CapturesOf = Callable[[Node], Captures]


class Evaluator:
    """Puts the accesses of expressions and targets into a flow."""

    def __init__(
        self,
        flow: Flow,
        symbols: Symbols,
        variables: frozenset[str],
        captures: CapturesOf,
    ) -> None:
        self._flow = flow
        self._symbols = symbols
        self._variables = variables
        self._captures = captures
        self._hidden: list[frozenset[str]] = []
        self._borrowed: set[Node] = set()
        self._holders = _transitive(symbols, captures)

    # -- what statements call --

    def evaluate(self, *expressions: Node | None) -> None:
        """Evaluate expressions one after the other."""
        self._run(list(expressions))

    def condition(self, test: Node) -> tuple[Frontier, Frontier]:
        """Evaluate a condition; the points after which it is true, and where it is false."""
        flow = self._flow
        if isinstance(test, gast.Constant):
            return (flow.frontier, []) if test.value else ([], flow.frontier)
        if isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not):
            true, false = self.condition(test.operand)
            return false, true
        if isinstance(test, gast.BoolOp):
            is_and = isinstance(test.op, gast.And)
            decided: Frontier = []
            for value in test.values:
                true, false = self.condition(value)
                decided = decided + (false if is_and else true)
                flow.resume(true if is_and else false)
            return (flow.frontier, decided) if is_and else (decided, flow.frontier)
        self.evaluate(test)
        return flow.frontier, flow.frontier

    def store(self, target: Node) -> None:
        """Bind a target of an assignment, of a loop, of `with ... as`."""
        self._run(self._store(target))

    def write(self, name: str, node: Node) -> None:
        """Bind a plain name that the tree keeps as text."""
        self._emit(Kind.WRITE, QualName(name), node)

    def augment(self, target: Node, value: Node) -> None:
        """`target += value`: the target is read first and bound last."""
        name = qualname_of(target)
        if name is None:
            self._run([target.value, getattr(target, 'slice', None), value])
            self._modify(target)
        else:
            self._read(name, target)
            self._run([value])
            self._emit(Kind.WRITE, name, root_node(target))

    def unbind(self, target: Node) -> None:
        """What `except ... as target` does at its end: no error if it is unbound already."""
        self._emit(Kind.WRITE, QualName(target.id), target)
        self._emit(Kind.DELETE, QualName(target.id), target)

    def delete(self, target: Node) -> None:
        """`del target`."""
        if isinstance(target, (gast.Tuple, gast.List)):
            for element in target.elts:
                self.delete(element)
            return
        name = qualname_of(target)
        if name is None:
            self._run([target.value, getattr(target, 'slice', None)])
            self._modify(target)
        else:
            self._reach(name, target)
            self._emit(Kind.DELETE, name, root_node(target))

    def define(self, closure: Node) -> None:
        """Make a function or class; its type parameters are names of its own."""
        hidden = frozenset(each.name for each in closure.type_params)
        self._hidden.append(hidden)
        if isinstance(closure, gast.ClassDef):
            self._run([*closure.bases, *(keyword.value for keyword in closure.keywords)])
        else:
            annotated = [parameter.annotation for parameter in parameters(closure)]
            self._run([*defaults(closure), *annotated, closure.returns])
        self._hidden.pop()
        if isinstance(closure, gast.ClassDef):  # its body runs like a closure called on the spot
            self._call(self._captures(closure), closure)
        self._capture(closure)
        self.write(closure.name, closure)
        if closure.decorator_list:  # which may have given it to anybody
            self._hold(_later(closure, self._captures).reads, closure)

    def define_lambda(self, closure: Node) -> None:
        """Make a lambda that gets a name; what it captures is read when its name is."""
        self._run(defaults(closure))
        self._capture(closure)

    # -- the machine --

    def _run(self, steps: Steps) -> None:
        pending = list(reversed(steps))
        while pending:
            step = pending.pop()
            if isinstance(step, ast.AST):
                pending.extend(reversed(self._steps(step)))
            elif step is not None:
                step()

    def _steps(self, node: Node) -> Steps:
        """One transfer function per kind of expression; the others evaluate their parts in turn."""
        handler = getattr(self, f'_{type(node).__name__}', None)
        return handler(node) if handler else children(node)

    def _emit(self, kind: Kind, name: QualName, node: Node) -> None:
        if not self._is_hidden(name):
            self._flow.emit(kind, name, node)

    def _is_hidden(self, name: QualName) -> bool:
        """Whether the name belongs to a comprehension or to a function's type parameters."""
        return bool(self._hidden) and any(name.root in hidden for hidden in self._hidden)

    # -- places --

    def _Name(self, node: Node) -> Steps:
        return [partial(self._read, QualName(node.id), node)]

    def _Attribute(self, node: Node) -> Steps:
        name = qualname_of(node)
        return [node.value] if name is None else [partial(self._read, name, node)]

    def _Subscript(self, node: Node) -> Steps:
        name = qualname_of(node)
        return [node.value, node.slice] if name is None else [partial(self._read, name, node)]

    def _read(self, name: QualName, node: Node) -> None:
        self._reach(name, node)
        self._emit(Kind.READ, name, root_node(node))
        if name.root in self._holders and not self._is_hidden(name):
            captures = self._holders[name.root]
            self._call(captures, node)
            self._hold(captures.kept if node in self._borrowed else captures.reads, node)

    def _reach(self, name: QualName, node: Node) -> None:
        for parent in name.parents:
            self._emit(Kind.REACH, parent, root_node(node))

    def _store(self, target: Node) -> Steps:
        if isinstance(target, gast.Starred):
            return self._store(target.value)
        if isinstance(target, (gast.Tuple, gast.List)):
            return [step for element in target.elts for step in self._store(element)]
        name = qualname_of(target)
        if name is None:
            return [target.value, getattr(target, 'slice', None), partial(self._modify, target)]
        return [
            partial(self._reach, name, target),
            partial(self._emit, Kind.WRITE, name, root_node(target)),
        ]

    def _modify(self, node: Node) -> None:
        """Change in place what an expression's value lies in."""
        name = place_of(node)
        if name is not None:
            self._emit(Kind.MODIFY, name, node)

    # -- expressions whose parts are not all evaluated, or not in the order of the tree --

    def _BoolOp(self, node: Node) -> Steps:
        *decisive, last = node.values
        goes_on = isinstance(node.op, gast.And)
        steps = [partial(self._fork, value, goes_on) for value in decisive]
        return [*steps, last, *[self._flow.join] * len(steps)]

    def _Compare(self, node: Node) -> Steps:
        optional = [step for part in node.comparators[1:] for step in (self._flow.optional, part)]
        joins = [self._flow.join] * (len(node.comparators) - 1)
        return [node.left, node.comparators[0], *optional, *joins]

    def _IfExp(self, node: Node) -> Steps:
        flow = self._flow
        return [
            partial(self._fork, node.test, True), node.body, flow.otherwise, node.orelse, flow.join
        ]  # fmt: skip

    def _fork(self, test: Node, goes_on: bool) -> None:
        true, false = self.condition(test)
        self._flow.fork(*((true, false) if goes_on else (false, true)))

    def _Dict(self, node: Node) -> Steps:
        return [part for pair in zip(node.keys, node.values, strict=True) for part in pair]

    def _NamedExpr(self, node: Node) -> Steps:
        target = node.target
        # Not `_emit`: inside a comprehension too it binds the name in the function.
        return [node.value, partial(self._flow.emit, Kind.WRITE, QualName(target.id), target)]

    def _ListComp(self, node: Node) -> Steps:
        names = frozenset(
            part.id
            for each in node.generators
            for part in walk(each.target)
            if isinstance(part, gast.Name) and isinstance(part.ctx, gast.Store)
        )
        first, *others = node.generators
        inner = [*self._store(first.target), *self._filters(first)]
        for each in others:
            inner += [each.iter, *self._store(each.target), *self._filters(each)]
        return [
            first.iter,
            self._flow.begin_repeat,
            partial(self._hidden.append, names),
            *inner,
            *results(node),
            self._hidden.pop,
            self._flow.end_repeat,
        ]

    def _filters(self, generator: Node) -> Steps:
        return [partial(self._filter, test) for test in generator.ifs]

    def _filter(self, test: Node) -> None:
        true, false = self.condition(test)
        self._flow.repeat(false)
        self._flow.resume(true)

    _SetComp = _DictComp = _ListComp

    def _GeneratorExp(self, node: Node) -> Steps:
        """Lazy: unless whoever takes it uses it up, it reads its names later as well."""
        return [partial(self._generate, node)]

    def _generate(self, node: Node) -> None:
        start = len(self._flow.accesses)
        self._run(self._ListComp(node))
        if node not in self._borrowed:
            made = self._flow.accesses[start:]
            self._hold([access.name for access in made if access.kind is Kind.READ], node)

    # -- closures and calls --

    def _Lambda(self, node: Node) -> Steps:
        return [*defaults(node), partial(self._make, node)]

    def _make(self, closure: Node) -> None:
        captures = self._captures(closure)
        self._capture(closure)
        self._call(captures, closure)
        self._hold(captures.kept if closure in self._borrowed else captures.reads, closure)

    def _capture(self, closure: Node) -> None:
        captures = _later(closure, self._captures)
        for name in merged(captures.reads, captures.writes):
            self._emit(Kind.CAPTURE, name, closure)

    def _call(self, captures: Captures, node: Node) -> None:
        for name in captures.reads:
            self._emit(Kind.PEEK, name, node)
        for name in captures.writes:
            self._emit(Kind.POKE, name, node)

    def _hold(self, names: Iterable[QualName], node: Node) -> None:
        for name in names:
            if name.root in self._variables:
                self._emit(Kind.HOLD, name, node)

    def _Call(self, node: Node) -> Steps:
        function, arguments = node.func, list(node.args)
        steps: Steps = []
        if last_name(function) == 'call' and isinstance(function, gast.Attribute) and arguments:
            steps, function, arguments = [function], arguments[0], arguments[1:]
        values = [*arguments, *(keyword.value for keyword in node.keywords)]
        name = last_name(function)
        self._borrowed.add(function)
        if name in BORROWING:
            self._borrowed.update(values)
        if isinstance(function, gast.Attribute) and qualname_of(function) is not None:
            steps.append(function.value)  # a method gets the whole object
        if name == 'super' and not values:
            values = [partial(self._super, node)]
        return [*steps, function, *values, partial(self._mutate, node, function, arguments)]

    def _super(self, node: Node) -> None:
        for name in ('__class__', *self._symbols.params[:1]):
            self._emit(Kind.PEEK, QualName(name), node)

    def _mutate(self, node: Node, function: Node, arguments: list[Node]) -> None:
        name = last_name(function)
        if isinstance(function, gast.Attribute) and name in MUTATING_METHODS:
            place = place_of(function.value)
            # `np.sort(x)` is no method of a list called `np`.
            if place is not None and place.root in self._variables:
                self._modify(function.value)
        if name in MUTATING_FUNCTIONS and arguments:
            self._modify(arguments[0])
        for keyword in node.keywords:
            if keyword.arg == 'out':
                whole = isinstance(keyword.value, gast.Tuple)
                for part in keyword.value.elts if whole else [keyword.value]:
                    self._modify(part)


def _later(closure: Node, captures: CapturesOf) -> Captures:
    """What a closure does after it was made: of a class, what its methods do."""
    found = captures(closure)
    return Captures(found.kept, (), found.kept) if isinstance(closure, gast.ClassDef) else found


def _transitive(symbols: Symbols, captures: CapturesOf) -> dict[str, Captures]:
    """What reading the name of a closure may do: what it and those it calls capture."""
    own: dict[str, Captures] = {}
    for name, node in symbols.closures:
        own[name] = own.get(name, Captures()) | _later(node, captures)
    whole: dict[str, Captures] = {}
    for name in own:
        found, pending = {name: None}, [name]
        total = Captures()
        while pending:
            total |= own[pending[-1]]
            for read in own[pending.pop()].reads:
                if read.root in own and read.root not in found:
                    found[read.root] = None
                    pending.append(read.root)
        whole[name] = total
    return whole
