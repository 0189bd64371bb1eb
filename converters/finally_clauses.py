"""`finally` with effects of the graph."""
from __future__ import annotations

import copy
import itertools
from collections import Counter
from collections.abc import Iterator

import gast

from autograph_lite.analysis.accesses import MUTATING_METHODS, last_name
from autograph_lite.analysis.symbols import symbols
from autograph_lite.converters.acting import ASSIGN, acts, functions_in
from autograph_lite.converters.build import assign, constant, load, operator, returns_of
from autograph_lite.converters.callees import Callee, callee, meaning
from autograph_lite.converters.context import PACKAGE, Context
from autograph_lite.converters.jumps import falls, jumps_out_of
from autograph_lite.converters.rewriter import StatementRewriter, blocks
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def clause_of(node: Node) -> str:
    """What tells the `finally` of a `try` from others, for the names of helpers."""
    return f'finally {node.lineno} {node.col_offset}'


def finally_clauses(tree: Node, context: Context) -> Node:
    """Let the effects of a `finally` come also where the running graph raises.

    A handler has them, too. Nobody needs to see this, so `to_code` shows the tree without it.

    >>> show(finally_clauses, '''
    ... def root(x, count):
    ...     try:
    ...         y = invert(x)
    ...     finally:
    ...         count.assign_add(1)
    ...     return y
    ... ''')
    def root(x, count):
        try:
            y = invert(x)
        except:
            count.assign_add(1)
            raise
        count.assign_add(1)
        return y
    """
    _Tries(tree, context).rewrite(tree)
    return tree


class _Tries(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._symbols, self._made = symbols(tree), self._made_in(tree)
        self._used_as_arrays = {
            node.value.id for node in walk(tree)
            if isinstance(node, gast.Subscript | gast.Attribute)
            and isinstance(node.value, gast.Name)}
        self._inner = functions_in(tree, context)
        self._handled = False  # whether handlers around may find what is changed

    def visit_FunctionDef(self, node: Node) -> Node:
        outer = self._symbols, self._made, self._handled
        self._symbols, self._made, self._handled = symbols(node), self._made_in(node), False
        super().visit_FunctionDef(node)
        self._symbols, self._made, self._handled = outer
        return node

    def visit_Try(self, node: Node) -> Node | list[Node]:
        outer = self._handled
        for block in filter(None, blocks(node)):
            self._handled = outer or (block is node.body and bool(node.handlers))
            block[:] = self.block(block)
        self._handled = outer
        if node.handlers or node.orelse or not self._is_repeatable(node):
            return node
        jumps = jumps_out_of(node.body)
        returns = list(returns_of(node.body))
        if jumps != returns or (returns and falls(node.body)):
            return node
        result = self._context.helper('result', f'finally {node.lineno}')
        node.body = _Results(result, _ending(node, self._context), self._context).block(node.body)
        final, node.finalbody = node.finalbody, []
        handling = [*self._copied(final), gast.Raise(None, None)]
        node.handlers = [located(gast.ExceptHandler(None, None, handling), node)]
        self._context.tries.add(node)
        if not any(map(self._has_effect, final)):
            is_outside = any(map(self._is_outside, final))
            self._context.finals[node] = 'outside' if is_outside else 'here'
        after = [located(gast.Return(load(result)), node)] if returns else []
        if node in self._context.returned_first or all(map(self._is_effect, final)):
            return [node, *final, *after]
        return [*self._watched(node, final), *after]

    def _copied(self, block: list[Node]) -> list[Node]:
        """The block once more, in which each `try` is what it is there."""
        copies = copy.deepcopy(block)
        context = self._context
        for node, copied in zip(_all_of(block), _all_of(copies), strict=True):
            for nodes in (context.tries, context.leaving, context.returned_first):
                if node in nodes:
                    nodes.add(copied)
            if node in context.finals:
                context.finals[copied] = context.finals[node]
            if node in context.else_binds:
                context.else_binds[copied] = context.else_binds[node]
        return copies

    def _watched(self, node: Node, final: list[Node]) -> list[Node]:
        """A `try` and what follows it, which changes nothing that one way has returned."""
        name = self._context.helper('results', clause_of(node))
        start = assign(name, operator(self._context, 'block_results'))
        end, check = (
            gast.Expr(gast.Call(gast.Attribute(load(name), method, gast.Load()), [], []))
            for method in ('end', 'check_unchanged'))
        start, end, check = located([start, end, check], node)
        return [start, node, end, *final, check]

    def _is_repeatable(self, node: Node) -> bool:
        """Whether others see what the clause does, and it does nothing that Python would twice."""
        is_seen = self._handled or any(
            map(self._has_effect, node.finalbody)) or any(map(self._is_outside, node.finalbody))
        return is_seen and all(map(self._is_for_graph, node.finalbody))

    def _has_effect(self, statement: Node) -> bool:
        if isinstance(statement, gast.Raise) or self._sets_outside(statement):
            return True
        return self._is_effect(statement) or self._calls_what_acts(statement) or any(
            self._has_effect(inner) for block in blocks(statement) for inner in block)

    def _calls_what_acts(self, statement: Node) -> bool:
        """Whether it calls a function of the user's that does what others see."""
        value = getattr(statement, 'value', None)
        return value is not None and any(
            isinstance(node, gast.Call) and acts(node, self._inner, self._context)
            for node in walk(value))

    def _sets_outside(self, statement: Node) -> bool:
        """Whether it sets what may live outside of the function, or deletes a name."""
        known = () if isinstance(statement, gast.Delete) else self._symbols.locals
        return any(
            isinstance(each, gast.Attribute)
            or (isinstance(each, gast.Name) and each.id not in known)
            for each in _targets(statement))

    def _is_outside(self, statement: Node) -> bool:
        """Whether it changes a list, dict or array that may live there."""
        places = [each.value for each in _targets(statement) if isinstance(each, gast.Subscript)]
        if isinstance(statement, gast.AugAssign) and self._may_be_array(statement.target):
            places.append(statement.target)
        if self._is_change(statement):
            places.append(statement.value.func.value)
        return any(map(self._may_be_outside, places)) or any(
            self._is_outside(inner) for block in blocks(statement) for inner in block)

    def _may_be_array(self, place: Node) -> bool:
        """Whether `place += x` may change an array: of a name, one that has elements or methods."""
        return not isinstance(place, gast.Name) or place.id in self._used_as_arrays

    def _may_be_outside(self, place: Node) -> bool:
        """Whether a place may be one outside, or what the function is given."""
        if isinstance(place, gast.Name):
            return place.id not in self._made
        return isinstance(place, gast.Attribute) or (
            isinstance(place, gast.Subscript) and self._may_be_outside(place.value))

    def _made_in(self, function: Node) -> frozenset[str]:
        """The variables of a function that hold nothing but what it makes itself."""
        bound = Counter(
            node.id for node in walk(function)
            if isinstance(node, gast.Name) and not isinstance(node.ctx, gast.Load))
        statements = (x for x in walk(function) if isinstance(x, gast.Assign | gast.AugAssign))
        given = (pair for statement in statements for pair in _given(statement))
        made = Counter(target.id for target, value in given if self._is_new(value))
        return frozenset(name for name, times in made.items() if times == bound[name])

    def _is_new(self, value: Node) -> bool:
        """Whether an expression gives what nobody else has, or a number."""
        if isinstance(value, gast.Call):
            return callee(value.func, self._context)[0] in _MAKING
        return not isinstance(
            value, gast.Name | gast.Attribute | gast.Subscript | gast.IfExp | gast.BoolOp)

    def _is_for_graph(self, statement: Node) -> bool:
        """Whether a statement is an effect of the graph, or only gives variables a value."""
        inside = [each for block in blocks(statement) for each in block]
        if isinstance(statement, gast.If | gast.For | gast.While):
            asked = statement.iter if isinstance(statement, gast.For) else statement.test
            return self._is_silent(asked) and all(map(self._is_for_graph, inside))
        if isinstance(statement, gast.Try):
            return all(map(self._is_for_graph, inside))
        if self._is_effect(statement):
            call = statement.value
            return all(map(self._is_silent, _arguments(call)))
        if self._is_change(statement):
            return all(map(self._is_silent, _arguments(statement.value)))
        if isinstance(statement, gast.Raise):
            return self._is_known_to_raise(statement)
        is_given = isinstance(statement, gast.Assign | gast.AugAssign)
        if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Call):
            is_given = acts(statement.value, self._inner, self._context)
        is_plain = isinstance(statement, gast.Pass | gast.Delete)
        return is_plain or (is_given and self._is_silent(statement.value))

    def _is_known_to_raise(self, statement: Node) -> bool:
        """Whether it raises an error that it makes itself, and not again what is being handled."""
        error = statement.exc
        given = _arguments(error) if isinstance(error, gast.Call) else []
        return error is not None and statement.cause is None and all(map(self._is_silent, given))

    def _is_change(self, statement: Node) -> bool:
        """Whether it changes a list or dict, in a variable or a part of one."""
        match statement:
            case gast.Expr(
                value=gast.Call(func=gast.Attribute(value=place, attr=method))
            ) if method in MUTATING_METHODS:
                while isinstance(place, gast.Attribute):
                    place = place.value
                return isinstance(place, gast.Name)
        return False

    def _is_silent(self, value: Node) -> bool:
        """Whether an expression gives a value, and does no more than functions of the user's do."""
        calls = [node for node in walk(value) if isinstance(node, gast.Call)]
        return all(
            acts(call, self._inner, self._context)
            or (callee(call.func, self._context)[0] in _SILENT
                and last_name(call.func) not in MUTATING_METHODS)
            for call in calls)

    def _is_effect(self, statement: Node) -> bool:
        match statement:
            case gast.Expr(value=gast.Call(func=gast.Attribute(attr=name))) if name in ASSIGN:
                return True
            case gast.Expr(value=gast.Call(func=function)):
                return _is_print(meaning(function, self._context))
        return False


# What is called to get a value of something.
_SILENT = (Callee.BUILTIN, Callee.CREATION, Callee.LIBRARY, Callee.MATH, Callee.METHOD)


# What is called to make something.
_MAKING = (Callee.BUILTIN, Callee.CREATION, Callee.LIBRARY, Callee.MATH)


def _is_print(function: object) -> bool:
    module = str(getattr(function, '__module__', ''))
    is_ours = module.startswith(PACKAGE) and getattr(function, '__name__', '') == 'print'
    return is_ours or function is print


def _targets(statement: Node) -> list[Node]:
    if not isinstance(statement, gast.Assign | gast.AugAssign | gast.Delete):
        return []
    return getattr(statement, 'targets', None) or [statement.target]


def _given(statement: Node) -> Iterator[tuple[Node, Node]]:
    """The variables that an assignment gives a value, and their values, where it is one for each.
    """
    if isinstance(statement, gast.AugAssign):  # what it had, or a new value
        yield from [(statement.target, statement)] * isinstance(statement.target, gast.Name)
        return
    for target in statement.targets:
        parts = isinstance(target, gast.Tuple) and isinstance(statement.value, gast.Tuple)
        for each, value in (
            zip(target.elts, statement.value.elts, strict=False) if parts
            else [(target, statement.value)]
        ):
            if isinstance(each, gast.Name):
                yield each, value


def _ending(node: Node, context: Context) -> str:
    """What `finally_returns` calls what stands around what a `finally` does before a `return`."""
    return context.helper('ending', clause_of(node))


def _all_of(block: list[Node]) -> Iterator[Node]:
    return itertools.chain.from_iterable(map(walk, block))


def _arguments(call: Node) -> list[Node]:
    return [*call.args, *(each.value for each in call.keywords)]


class _Results(StatementRewriter):
    """Keeps what is returned in a variable; what comes before it, a handler does as well."""

    def __init__(self, result: str, ending: str, context: Context) -> None:
        super().__init__(context)
        self._result = result
        self._ending = ending

    def visit_Expr(self, node: Node) -> Node | list[Node]:
        match node.value:
            case gast.Call(func=gast.Attribute(value=gast.Name(id=name))) if name == self._ending:
                return []
        return node

    def visit_FunctionDef(self, node: Node) -> Node:
        return node  # what it returns is its own

    visit_ClassDef = visit_FunctionDef

    def visit_Return(self, node: Node) -> Node:
        return located(assign(self._result, node.value or constant(None)), node)
