"""`match`."""
from __future__ import annotations

import ast
import copy
import dataclasses
import functools
from collections.abc import Collection, Iterator

import gast

from autograph_lite.converters.build import assign, constant, load, operator, store
from autograph_lite.converters.callees import meaning
from autograph_lite.converters.captured_names import captured_names
from autograph_lite.converters.context import MISSING, Context
from autograph_lite.converters.rewriter import StatementRewriter
from autograph_lite.converters.subject_parts import SubjectParts, Unsupported
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk

# Classes whose one positional pattern is for the object itself.
_OF_ITSELF = (
    bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)  # fmt: skip
# What stands for a pattern of a class.
_ASKED = (isinstance, hasattr)


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

    A name that is read where the guard does not hold is bound before that is asked.

    >>> show(match_statements, '''
    ... def f(x, n):
    ...     match x:
    ...         case [0, n] if n > 9:
    ...             n = n * n
    ...     return n
    ... ''')
    def f(x, n):
        if ag.is_sequence(x, length=2) and x[0] == 0:
            n = x[1]
            if n > 9:
                n = n * n
        return n

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
    if context.namespace.has(gast.Match):
        _Matches(tree, context).rewrite(tree)
    return tree


@dataclasses.dataclass
class _Link:
    """A case: the tests of its pattern, the parts that this gives names, and its guard.

    `names` are those that are read, too, where the pattern matches and the guard does not hold.
    """

    case: Node
    tests: list[Node]
    captures: dict[str, Node]
    names: list[str]
    guards: list[Node]

    def bound(self, names: Collection[str]) -> list[Node]:
        """The statements that bind some of the names."""
        return [
            located(assign(name, copy.deepcopy(part)), self.case.pattern)
            for name, part in self.captures.items() if name in names]


class _Matches(StatementRewriter):
    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(context)
        self._tree = tree
        self._names = captured_names(tree)

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
            links = [self._link(case, subject, case is node.cases[-1]) for case in node.cases]
        except Unsupported:
            node.subject = located(operator(self._context, 'plain', node.subject), node.subject)
            return node
        chain: list[Node] = []
        for link in reversed(links):
            chain = self._statements(link, chain)
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

    def _link(self, case: Node, subject: Node, is_last: bool) -> _Link:
        """What a case asks and binds; its guard reads the parts as long as they have no name."""
        tests: list[Node] = []
        captures: dict[str, Node] = {}
        self._pattern(case.pattern, subject, tests, captures)
        if case.guard is None:
            return _Link(case, tests, captures, [], [])
        names = [name for name in captures if name in self._names[case].after_guard]
        named = set() if tests and not is_last else names
        parts = {name: part for name, part in captures.items() if name not in named}
        guard = SubjectParts(parts).visit(copy.deepcopy(case.guard))  # a later case may not convert
        return _Link(case, tests, captures, names, guard.values if _is_and(guard) else [guard])

    def _statements(self, link: _Link, orelse: list[Node]) -> list[Node]:
        """What stands for a case, and for those that follow it."""
        names, case, tests, guards = link.names, link.case, link.tests, link.guards
        in_body = self._names[case].in_body
        if not names:
            body = [*link.bound(in_body), *case.body]
            return _chosen([*tests, *guards], body, orelse, case.pattern)
        before = link.bound(names)
        if not tests or not orelse:
            body = [*link.bound(in_body.difference(names)), *case.body]
            inner = [*before, *_chosen(guards, body, orelse, case.pattern)]
            return _chosen(tests, inner, [], case.pattern)
        matches = self._context.helper('matches')
        body = [*link.bound(in_body), *case.body]
        return [
            located(assign(matches, _all_of(tests)), case.pattern),
            located(gast.If(load(matches), before, []), case.pattern),
            *_chosen([load(matches), *guards], body, orelse, case.pattern)]

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
                raise Unsupported

    def _others(self, subject: Node, keys: list[Node]) -> Node:
        """A dict of the items of a mapping that have other keys."""
        key, value = (self._context.helper(name, 'rest') for name in ('key', 'value'))
        names = [store(name) for name in (key, value)]
        items = gast.Call(gast.Attribute(copy.deepcopy(subject), 'items', gast.Load()), [], [])
        known = gast.Tuple(copy.deepcopy(keys), gast.Load())
        tests = [gast.Compare(load(key), [gast.NotIn()], [known])] if keys else []
        target = gast.Tuple(names, gast.Store())
        return gast.DictComp(
            load(key), load(value), [gast.comprehension(target, items, tests, False)])

    def _alternatives(
        self, patterns: list[Node], subject: Node, tests: list[Node], captures: dict[str, Node]
    ) -> None:
        """One test for the alternatives; what they name is of the first that matches."""
        each: list[Node] = []
        found: list[dict[str, Node]] = []
        for pattern in patterns:
            own_tests: list[Node] = []
            own_captures: dict[str, Node] = {}
            self._pattern(pattern, subject, own_tests, own_captures)
            found.append(own_captures)
            if not own_tests:  # it is for anything
                break
            each.append(_all_of(own_tests))
        else:
            tests.append(gast.BoolOp(gast.Or(), each))
        captures.update({name: _first(each, [own[name] for own in found]) for name in found[0]})

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
                # A deque has no slices.
                items = gast.List([gast.Starred(copy.deepcopy(subject), gast.Load())], gast.Load())
                captures[pattern.name] = _item(items, gast.Slice(constant(i), upper, None))

    def _class(
        self, pattern: Node, subject: Node, tests: list[Node], captures: dict[str, Node]
    ) -> None:
        found = meaning(pattern.cls, self._context)
        if any(self._context.namespace.value(each.__name__) is not each for each in _ASKED):
            raise Unsupported
        tests.append(gast.Call(load('isinstance'), [copy.deepcopy(subject), pattern.cls], []))
        positional = pattern.patterns
        if found in _OF_ITSELF and len(positional) == 1:
            self._pattern(positional[0], subject, tests, captures)
            positional = []
        known = getattr(found, '__match_args__', ())
        if len(known) < len(positional):  # a class of the function's own, say
            self._positional(pattern.cls, positional, subject, tests, captures)
            positional = []
        names = [*known[: len(positional)], *pattern.kwd_attrs]
        for name, each in zip(names, [*positional, *pattern.kwd_patterns], strict=True):
            if not _always_has(found, name):
                arguments = [copy.deepcopy(subject), constant(name)]
                tests.append(gast.Call(load('hasattr'), arguments, []))
            part = gast.Attribute(copy.deepcopy(subject), name, gast.Load())
            self._pattern(each, part, tests, captures)

    def _positional(
        self, class_: Node, patterns: list[Node], subject: Node, tests: list[Node],
        captures: dict[str, Node],
    ) -> None:
        """Positional patterns of a class that tells while the function runs what they are for."""
        def asked(name: str, number: int) -> Node:
            arguments = [*copy.deepcopy([subject, class_]), constant(number)]
            return operator(self._context, name, *arguments)

        tests.append(asked('has_positional', len(patterns)))
        for i, pattern in enumerate(patterns):
            self._pattern(pattern, asked('positional', i), tests, captures)


def _chosen(tests: list[Node], body: list[Node], orelse: list[Node], like: Node) -> list[Node]:
    """What is done if all the tests hold, of which there may be none, and what otherwise."""
    return [located(gast.If(_all_of(tests), body, orelse), like)] if tests else body


def _first(tests: list[Node], parts: list[Node]) -> Node:
    """The part that is for the first test that holds; the last part, if no other does."""
    part = parts[-1]
    for test, other in reversed(list(zip(tests, parts[:-1], strict=False))):
        if ast.dump(other) != ast.dump(part):
            part = gast.IfExp(copy.deepcopy(test), other, part)
    return part


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
