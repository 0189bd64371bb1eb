"""`match`."""
from __future__ import annotations

import ast
import copy
import dataclasses
import functools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import gast

from autograph_lite.converters.build import assign, constant, load, operator
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

# Classes whose one positional pattern is for the object itself.
_OF_ITSELF = (
    bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)  # fmt: skip


def match_statements(tree: Node, context: Context) -> Node:
    """Turn each `match` whose patterns may be about tensors into a chain of `if` and `elif`.

    What the patterns name are parts of the subject, which each branch takes where it needs them.

    >>> show(match_statements, '''
    ... def f(x):
    ...     match x:
    ...         case 0 | 1:
    ...             return 0
    ...         case n if n > 9:
    ...             return n * n
    ...         case _:
    ...             return -x
    ... ''')
    def f(x):
        if x == 0 or x == 1:
            return 0
        elif x > 9:
            n = x
            return n * n
        else:
            return -x

    Python's own values, such as texts, Python matches itself.

    >>> show(match_statements, '''
    ... def f(x, kind):
    ...     match kind:
    ...         case 'relu':
    ...             return np.maximum(x, 0)
    ... ''')
    def f(x, kind):
        match kind:
            case 'relu':
                return np.maximum(x, 0)
    """
    return _Matches(tree, context).rewrite(tree)


class _Unsupported(Exception):
    """A pattern that a test of the subject cannot stand for."""


class _Matches(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._tree = tree

    @functools.cached_property
    def _read(self) -> Counter[str]:
        return Counter(_read_in([self._tree]))

    @functools.cached_property
    def _stored(self) -> set[str]:
        return {
            node.id for node in walk(self._tree)
            if isinstance(node, gast.Name) and isinstance(node.ctx, gast.Store)}

    def visit_Match(self, node: Node) -> Node | list[Node]:
        self.generic_visit(node)
        of_python = all(is_of_python(case.pattern) and case.guard is None for case in node.cases)
        if of_python and not self._is_computed(node.subject):
            return node
        start, subject = self._subject(node)
        try:
            read_elsewhere = self._read - Counter(_read_in(node.cases))
            links = [self._link(case, subject, read_elsewhere) for case in node.cases]
        except _Unsupported:
            node.subject = located(operator(self._context, 'plain', node.subject), node.subject)
            return node
        chain: list[Node] = []
        for test, body, case in reversed(links):
            link = [] if test is None else [located(gast.If(test, body, chain), case.pattern)]
            chain = link or body
        return [located(statement, node) for statement in start] + chain

    def _is_computed(self, subject: Node) -> bool:
        """Whether a text may be one of several that only the running graph knows."""
        return isinstance(subject, gast.Call) or (
            isinstance(subject, gast.Name) and subject.id in self._stored)

    def _subject(self, node: Node) -> tuple[list[Node], Node]:
        """The subject as what can be read any number of times, after some statements."""
        bound = set(_bound_in(node.cases))
        parts = [node.subject]
        if isinstance(node.subject, gast.Tuple):
            parts = node.subject.elts
            if not all(_fits(case.pattern, len(parts)) for case in node.cases):
                parts = [node.subject]
        start: list[Node] = []
        names: list[Node] = []
        for part in parts:
            if isinstance(part, gast.Name) and part.id not in bound:
                names.append(part)
                continue
            if isinstance(part, gast.Starred):
                part = node.subject
            name = self._context.namer.fresh('subject')
            start.append(assign(name, part))
            names.append(load(name))
        if parts == [node.subject]:
            return start, names[0]
        return start, gast.Tuple(names, gast.Load())

    def _link(
        self, case: Node, subject: Node, read_elsewhere: Collection[str]
    ) -> tuple[Node | None, list[Node], Node]:
        """The test of a case, None if it always holds, and what it does."""
        tests: list[Node] = []
        captures: dict[str, Node] = {}
        self._pattern(case.pattern, subject, tests, captures)
        if case.guard is not None:
            guard = _Parts(captures).visit(case.guard)
            tests += guard.values if _is_and(guard) else [guard]
        needed = {*read_elsewhere, *_read_in(case.body)}
        start = [
            located(assign(name, copy.deepcopy(value)), case.pattern)
            for name, value in captures.items() if name in needed]
        body = start + case.body
        return (_all_of(tests) if tests else None), body, case

    def _pattern(
        self, pattern: Node, subject: Node, tests: list[Node], captures: dict[str, Node]
    ) -> None:
        """Add the tests and captures of a pattern for a part of the subject."""
        match pattern:
            case gast.MatchValue(value=value):
                tests.append(_compared(subject, gast.Eq(), value))
            case gast.MatchSingleton(value=value):
                tests.append(_compared(subject, gast.Is(), constant(value)))
            case gast.MatchAs(pattern=inner, name=name):
                if inner is not None:
                    self._pattern(inner, subject, tests, captures)
                if name is not None:
                    captures[name] = subject
            case gast.MatchOr(patterns=patterns):
                self._alternatives(patterns, subject, tests, captures)
            case gast.MatchSequence(patterns=patterns):
                self._sequence(patterns, subject, tests, captures)
            case gast.MatchMapping(keys=keys, patterns=patterns, rest=rest):
                tests.append(operator(self._context, 'is_mapping', copy.deepcopy(subject), *keys))
                if rest is not None:
                    captures[rest] = self._others(subject, keys)
                for key, each in zip(keys, patterns, strict=True):
                    self._pattern(each, _item(subject, copy.deepcopy(key)), tests, captures)
            case gast.MatchClass():
                self._class(pattern, subject, tests, captures)
            case _:
                raise _Unsupported

    def _others(self, subject: Node, keys: list[Node]) -> Node:
        """A dict of the items of a mapping that have other keys."""
        key, value = (self._context.helper(name, 'rest') for name in ('key', 'value'))
        names = [gast.Name(name, gast.Store(), None, None) for name in (key, value)]
        items = gast.Call(gast.Attribute(copy.deepcopy(subject), 'items', gast.Load()), [], [])
        known = gast.Tuple(copy.deepcopy(keys), gast.Load())
        tests = [gast.Compare(load(key), [gast.NotIn()], [known])] if keys else []
        target = gast.Tuple(names, gast.Store())
        return gast.DictComp(
            load(key), load(value), [gast.comprehension(target, items, tests, False)])

    def _alternatives(
        self, patterns: list[Node], subject: Node, tests: list[Node], captures: dict[str, Node]
    ) -> None:
        """One test for alternatives that give the same names to the same parts."""
        found: list[dict[str, str]] = []
        each: list[Node] = []
        for pattern in patterns:
            own_tests: list[Node] = []
            own_captures: dict[str, Node] = {}
            self._pattern(pattern, subject, own_tests, own_captures)
            found.append({name: ast.dump(part) for name, part in own_captures.items()})
            if not own_tests or found[-1] != found[0]:
                raise _Unsupported
            each.append(_all_of(own_tests))
        captures.update(own_captures)
        tests.append(gast.BoolOp(gast.Or(), each))

    def _sequence(
        self, patterns: list[Node], subject: Node, tests: list[Node], captures: dict[str, Node]
    ) -> None:
        if isinstance(subject, gast.Tuple):  # the patterns are for its parts
            for pattern, part in zip(patterns, subject.elts, strict=True):
                self._pattern(pattern, part, tests, captures)
            return
        stars = [i for i, each in enumerate(patterns) if isinstance(each, gast.MatchStar)]
        test = operator(self._context, 'is_sequence', copy.deepcopy(subject))
        size = constant(len(patterns) - len(stars))
        test.keywords.append(gast.keyword('at_least' if stars else 'length', size))
        tests.append(test)
        for i, pattern in enumerate(patterns):
            behind = bool(stars) and i > stars[0]
            place = i - len(patterns) if behind else i
            if i not in stars:
                self._pattern(pattern, _item(subject, constant(place)), tests, captures)
            elif pattern.name is not None:
                after = i + 1 - len(patterns)
                upper = constant(after) if after else None
                rest = _item(subject, gast.Slice(constant(i), upper, None))
                captures[pattern.name] = gast.List(
                    [gast.Starred(rest, gast.Load())], gast.Load())

    def _class(
        self, pattern: Node, subject: Node, tests: list[Node], captures: dict[str, Node]
    ) -> None:
        found = meaning(pattern.cls, self._context)
        test = gast.Call(load('isinstance'), [copy.deepcopy(subject), pattern.cls], [])
        if self._context.namespace.value('isinstance') is not isinstance:
            raise _Unsupported
        tests.append(test)
        names = list(pattern.kwd_attrs)
        if pattern.patterns:
            if found in _OF_ITSELF and len(pattern.patterns) == 1:
                self._pattern(pattern.patterns[0], subject, tests, captures)
            elif len(getattr(found, '__match_args__', ())) < len(pattern.patterns):
                raise _Unsupported
            else:
                names = [*found.__match_args__[: len(pattern.patterns)], *names]
        patterns = [*pattern.patterns, *pattern.kwd_patterns][-len(names):] if names else []
        for name, each in zip(names, patterns, strict=True):
            if not _always_has(found, name):
                arguments = [copy.deepcopy(subject), constant(name)]
                tests.append(gast.Call(load('hasattr'), arguments, []))
            part = gast.Attribute(copy.deepcopy(subject), name, gast.Load())
            self._pattern(each, part, tests, captures)


class _Parts(ast.NodeTransformer):
    """Puts parts of the subject in the place of the names that a pattern gives them."""

    def __init__(self, parts: Mapping[str, Node]) -> None:
        self._parts = parts

    def visit_Name(self, node: Node) -> Node:
        part = self._parts.get(node.id)
        if part is None:
            return node
        if not isinstance(node.ctx, gast.Load):  # the guard binds the name itself
            raise _Unsupported
        return located(copy.deepcopy(part), node)


def _compared(subject: Node, operation: Node, value: Node) -> Node:
    return gast.Compare(copy.deepcopy(subject), [operation], [value])


def _item(subject: Node, key: Node) -> Node:
    return gast.Subscript(copy.deepcopy(subject), key, gast.Load())


def _all_of(tests: list[Node]) -> Node:
    return tests[0] if len(tests) == 1 else gast.BoolOp(gast.And(), tests)


def _is_and(node: Node) -> bool:
    return isinstance(node, gast.BoolOp) and isinstance(node.op, gast.And)


def is_of_python(pattern: Node) -> bool:
    """Whether a pattern asks nothing of a number: it is for texts, or for anything."""
    match pattern:
        case gast.MatchValue(value=gast.Constant(value=value)):
            return isinstance(value, str | bytes)
        case gast.MatchOr(patterns=patterns):
            return all(map(is_of_python, patterns))
        case gast.MatchAs(pattern=inner):
            return inner is None or is_of_python(inner)
    return False


def _fits(pattern: Node, size: int) -> bool:
    """Whether a pattern is for that many parts one by one, or for anything."""
    match pattern:
        case gast.MatchSequence(patterns=patterns):
            is_starred = any(isinstance(each, gast.MatchStar) for each in patterns)
            return len(patterns) == size and not is_starred
        case gast.MatchAs(pattern=None):
            return True
        case gast.MatchOr(patterns=patterns):
            return all(_fits(each, size) for each in patterns)
    return False


def _read_in(trees: list[Node]) -> Iterator[str]:
    """The names that are read, or declared, in trees."""
    for node in (node for tree in trees for node in walk(tree)):
        match node:
            case gast.Name(id=name, ctx=gast.Load() | gast.Del()):
                yield name
            case gast.AugAssign(target=gast.Name(id=name)):
                yield name
            case gast.Global(names=names) | gast.Nonlocal(names=names):
                yield from names


def _bound_in(cases: list[Node]) -> Iterator[str]:
    """The names that the patterns and guards bind."""
    for part in (part for case in cases for part in (case.pattern, case.guard) if part is not None):
        for node in walk(part):
            match node:
                case gast.MatchAs(name=str(name)) | gast.MatchStar(name=str(name)):
                    yield name
                case gast.MatchMapping(rest=str(name)):
                    yield name
                case gast.NamedExpr(target=target):
                    yield target.id


def _always_has(class_: object, attribute: str) -> bool:
    """Whether each object of a class has an attribute."""
    if class_ is MISSING:
        return False
    fields = dataclasses.fields(class_) if dataclasses.is_dataclass(class_) else ()
    return hasattr(class_, attribute) or attribute in [field.name for field in fields]
