"""What a function reads from outside."""
from __future__ import annotations

import copy
import os
from collections.abc import Collection, Iterator

import gast

from autograph_lite.analysis.qualnames import Attribute, Item, qualname_of
from autograph_lite.converters.build import assign, constant, load, operator, store, thunk
from autograph_lite.converters.callees import is_operator, meaning, reads_objects
from autograph_lite.converters.chains import QUESTIONS, Chains
from autograph_lite.converters.context import Context
from autograph_lite.converters.held_operands import held_in_target, rebindable
from autograph_lite.converters.left_by_blocks import LeftByBlocks
from autograph_lite.converters.rewriter import Rewriter
from autograph_lite.pyct.origin import located
from autograph_lite.pyct.tree import Node, walk


def captures(tree: Node, context: Context) -> Node:
    """Tell, while tracing, of everything that is read from outside.

    A graph holds as long as what it was traced with is what it was, and arrays from outside are
    read again at every call. Nobody needs to see this, so `to_code` shows the tree before it.

    >>> show(captures, '''
    ... def step(self, x):
    ...     return x - self.rate + OFFSET
    ... ''')
    def step(self, x):
        return x - ag.part(self, '.rate') + ag.captured(lambda: OFFSET, 'OFFSET')

    Only what is read is told of: an item, a length, that there is no such attribute.

    >>> show(captures, '''
    ... def step(self, x, i):
    ...     if 'rates' in TABLE:
    ...         return self.scaled(x)
    ...     return x * getattr(self, 'rate', 2)
    ... ''')
    def step(self, x, i):
        if ag.part(ag.variable(lambda: TABLE, 'TABLE'), ('in', 'rates')):
            return ag.method(self, '.scaled')(x)
        return x * ag.part(self, ('getattr', 'rate', 2))

    A name of which only parts are read is a short one for what it stands for.

    >>> show(captures, '''
    ... def step(self, x):
    ...     config = self.config
    ...     return x * config['rate']
    ... ''')
    def step(self, x):
        config = ag.alias(self, '.config')
        return x * ag.part(config, ['rate'])

    An augmented assignment reads, modifies what it reads, and sets. What the function has set
    itself is not from outside.

    >>> show(captures, '''
    ... def count(self):
    ...     self.calls += 1
    ... ''')
    def count(self):
        calls = ag.augmented(self, '.calls')
        calls += 1
        ag.setting(self, 'calls').calls = calls
        ag.set_part(self, '.calls')

    `ag.setting` gives the object itself, unless its class has code of its own for what is set.
    """
    _Reads(tree, context).rewrite(tree)
    return tree


class _Reads(Chains):
    visit_ClassDef = Rewriter.class_body

    def __init__(self, tree: Node, context: Context) -> None:
        super().__init__(tree, context)
        self._rebindable = rebindable(tree)
        self._left = LeftByBlocks(self._declared, context)

    # Reading.

    def visit_Name(self, node: Node) -> Node:
        if not isinstance(node.ctx, gast.Load) or not self._is_outside(node.id):
            return node
        read = operator(self._context, 'captured', thunk(node), constant(node.id))
        return located(read, node)

    def visit_Attribute(self, node: Node) -> Node:
        if isinstance(node.ctx, gast.Load):
            return self._told('part', node) or self.generic_visit(node)
        owner = node.value
        node.value = self._owner(owner)
        return self.generic_visit(node) if node.value is owner else self._with_key(node)

    def _owner(self, node: Node) -> Node:
        """What an item or an attribute is set of."""
        if isinstance(node, gast.Attribute | gast.Subscript):
            return self._told('owner', node) or node
        if isinstance(node, gast.Name) and self._is_outside(node.id):
            return located(operator(self._context, 'owner', self._root(node)), node)
        return node

    visit_Subscript = visit_Attribute

    def _with_key(self, node: Node) -> Node:
        if isinstance(node, gast.Subscript):
            node.slice = self.visit(node.slice)
        return node

    def visit_Compare(self, node: Node) -> Node:
        match node:
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[container]):
                question = self._question(container, 'in', node.left)
                if question is not None:
                    if isinstance(node.ops[0], gast.NotIn):
                        question = operator(self._context, 'not_', question)
                    return located(question, node)
        return self.generic_visit(node)

    def visit_Call(self, node: Node) -> Node:
        asked = self._asked(node)
        if asked is not None:
            return located(asked, node)
        if meaning(node.func, self._context) is os.getenv:
            getenv = gast.Attribute(load(self._context.ag), 'getenv', gast.Load())
            node.func = located(getenv, node.func)
        if reads_objects(meaning(node.func, self._context)):
            call = gast.Attribute(load(self._context.ag), 'call', gast.Load())
            node.args = [node.func, *node.args]
            node.func = located(call, node.func)
        if meaning(node.func, self._context) is setattr and len(node.args) == 3:
            # What tells of an attribute that is set needs its name before it is set.
            owner, name, _ = node.args
            if isinstance(name, gast.Constant | gast.Name):
                through = operator(self._context, 'setting', owner, copy.deepcopy(name))
                node.args[0] = located(through, owner)
        if is_operator(node.func, 'call', self._context):
            callee, *arguments = node.args
            node.args = [self._callee(callee), *map(self.visit, arguments)]
        else:
            node.func = self._callee(node.func)
            node.args = [self.visit(argument) for argument in node.args]
        # What a `try` shares is found by the names that it has.
        told = [each for each in node.keywords if each.arg != 'shared']
        if not is_operator(node.func, 'try_', self._context):
            told = node.keywords
        for keyword in told:
            self.visit(keyword)
        return node

    def _callee(self, node: Node) -> Node:
        """What is called: a method, which only its object has, or any other expression."""
        if isinstance(node, gast.Attribute):
            return self._told('method', node) or self.generic_visit(node)
        return self.visit(node)

    def _asked(self, call: Node) -> Node | None:
        """`len(x)` and its like, of something from outside."""
        name = self._asking(call.func)
        if not name or call.keywords or len(call.args) not in QUESTIONS[name]:
            return None
        return self._question(call.args[0], name, *call.args[1:])

    def _question(self, node: Node, name: str, *arguments: Node) -> Node | None:
        root, steps = self._chain(node)
        is_local = isinstance(root, gast.Name) and not (
            self._is_outside(root.id) or root.id in self._aliases
        )
        if root is None or (is_local and not steps and name in ('len', 'in')):
            return None
        asked = gast.Tuple([constant(name), *map(self.visit, arguments)], gast.Load())
        return operator(self._context, 'part', self._root(root), *steps, asked)

    # Setting.

    def visit_AugAssign(self, node: Node) -> Node | list[Node]:
        held = self._held(node)
        forgotten = [located(assign(each.targets[0].id, constant(None)), node) for each in held]
        return [*held, *self._augmenting(node), *forgotten]

    def _held(self, node: Node) -> list[Node]:
        """Statements that find what is set, and its key, before the value is computed."""
        found: list[Node] = []
        for among, key in held_in_target(node, self._is_sure):
            value = among[key]
            owner = self._owner(value) if key == 'value' else value
            told = self.visit(value) if owner is value else owner
            name = self._context.namer.fresh(_last(value))
            found.append(located(assign(name, told), value))
            among[key] = located(load(name), value)
        return found

    def _is_sure(self, name: str) -> bool:
        """Whether nothing but the function itself sets a variable."""
        return name not in self._rebindable and not self._is_outside(name)

    def _augmenting(self, node: Node) -> list[Node]:
        node.value = self.visit(node.value)
        if qualname_of(node.target) is None:  # such as `x[i]`, whose parts are read
            node.target = self.visit(node.target)
            self._through(node.target)
            return [node]
        read = copy.deepcopy(node.target)
        for part in walk(read):
            if isinstance(part, gast.Name | gast.Attribute | gast.Subscript):
                part.ctx = gast.Load()
        told = self._augmented(read) or self.visit(read)
        if told is read:
            after = self._set(node.target)
            self._through(node.target)
            return [node, *after]
        name = self._context.namer.fresh(_last(node.target))
        own = store(name)
        after = self._set(node.target)
        self._through(node.target)
        steps = [
            assign(name, told),
            gast.AugAssign(own, node.op, node.value),
            gast.Assign([node.target], load(name), None),
        ]
        return [*(located(step, node) for step in steps), *after]

    def _augmented(self, node: Node) -> Node | None:
        """What the statement reads, which it may change in its place; None for what is known."""
        if isinstance(node, gast.Name) and self._is_outside(node.id):
            return located(operator(self._context, 'augmented', self._root(node)), node)
        return self._told('augmented', node)

    def visit_Assign(self, node: Node) -> Node | list[Node]:
        parts = [part for target in node.targets for part in _targets(target)]
        passed = self._left.in_variables(node.value)
        told = [each for part in parts for each in self._set(part, passed)]
        target = node.targets[0]
        is_alias = isinstance(target, gast.Name) and target.id in self._aliases
        alias = self._alias(node.value) if is_alias else None
        if alias is not None:
            node.value = alias
            return node
        self.generic_visit(node)
        for part in parts:
            self._through(part)
        return [node, *told] if told else node

    def visit_AnnAssign(self, node: Node) -> Node | list[Node]:
        if node.value is None:
            return self.generic_visit(node)
        told = self._set(node.target)
        self.generic_visit(node)
        self._through(node.target)
        return [node, *told]

    def _alias(self, node: Node) -> Node | None:
        """What leads to something from outside of which only parts are read."""
        root, steps = self._chain(node)
        is_outside = isinstance(root, gast.Name) and self._is_outside(root.id)
        if root is None or not (steps or is_outside):
            return None
        return located(operator(self._context, 'alias', self._root(root), *steps), node)

    def _through(self, target: Node) -> None:
        """Let an attribute or item be set as the class of the object says."""
        if isinstance(target, gast.Attribute | gast.Subscript):
            name = constant(target.attr if isinstance(target, gast.Attribute) else None)
            through = operator(self._context, 'setting', target.value, name)
            target.value = located(through, target.value)

    def visit_FunctionDef(self, node: Node) -> Node:
        left = self._left.by(node)
        node = self.visit_Lambda(node)
        self._left.note(node, left)
        return node

    def visit_Lambda(self, node: Node) -> Node:
        """A function: what it is passed for a variable of others is its own."""
        outer = self._declared
        self._declared = outer - {parameter.id for parameter in node.args.args}
        node = self.generic_visit(node)
        self._declared = outer
        return node

    def _set(self, target: Node, passed: Collection[str] = ()) -> list[Node]:
        """Statements that tell of a place outside that is set.

        Args:
          target: what is set.
          passed: variables that are set to what blocks are passed, or give back, for them.
        """
        name = qualname_of(target)
        if name is None or (name.is_simple and name.root not in self._declared):
            return []
        if name.is_simple:
            read = thunk(load(name.root))
            options = [constant(True)] if name.root in passed else []
            call = operator(self._context, 'set_captured', read, constant(name.root), *options)
        elif self._is_known(name.root):
            return []
        else:
            root, steps = self._root(load(name.root)), map(_written, name.steps)
            call = operator(self._context, 'set_part', root, *steps)
        return [located(gast.Expr(call), target)]



def _written(step: Attribute | Item) -> Node:
    """A step as the operators take it."""
    if isinstance(step, Attribute):
        return constant(f'.{step.name}')
    return gast.List([constant(step.key)], gast.Load())


def _targets(target: Node) -> Iterator[Node]:
    """The places that an assignment to a target sets."""
    if isinstance(target, gast.Tuple | gast.List):
        for part in target.elts:
            yield from _targets(part)
    else:
        yield target.value if isinstance(target, gast.Starred) else target


def _last(target: Node) -> str:
    """A name for what a target names."""
    name: str = getattr(target, 'id', '') or getattr(target, 'attr', '') or 'item'
    return name
