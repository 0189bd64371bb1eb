"""What the converter does with each construct of Python: the one table.

The fence refuses what it says is refused, `docs/supported.md` is written from it, and the tests
look up in it that nothing of Python's grammar was forgotten.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Decision = Literal['converts', 'unchanged', 'refused']


@dataclass(frozen=True)
class Construct:
    """What happens to one construct; `note` says how, and what to write for one that is refused."""

    name: str
    decision: Decision
    note: str = ''


_OR_NOT = 'or mark the function @ag.do_not_convert.'
_NO_GENERATOR = f'Collect the values in a list and return it, {_OR_NOT}'
_NO_COROUTINE = f'Await outside the function, {_OR_NOT}'

STATEMENTS = {
    'If': Construct(
        '`if`, `elif`, `else`', 'converts',
        'A test that is a tensor stages both branches; any other is decided while tracing.'),
    'For': Construct(
        '`for`, with `else`', 'converts',
        'Staged over an array, over what is made of one by `range`, `enumerate`, `zip` or '
        '`reversed`, and over a long `range`; over anything else it is unrolled.'),
    'While': Construct(
        '`while`, with `else`', 'converts',
        'Staged if its test, or a `break` or `return` in it, depends on a tensor.'),
    'Break': Construct('`break`', 'converts', 'Becomes a flag only where what follows needs one.'),
    'Continue': Construct('`continue`', 'converts', 'What follows it moves into the other branch.'),
    'Return': Construct(
        '`return`', 'converts', 'Anywhere, also in loops and in `with` and `try`.'),
    'Match': Construct(
        '`match`', 'converts',
        'Becomes `if` and `elif`; patterns for texts that are given stay as they are.'),
    'Assert': Construct('`assert`', 'converts', 'Checked when the graph runs, with its message.'),
    'Raise': Construct(
        '`raise`', 'unchanged',
        'In a staged branch it raises when the graph runs: the same class and message.'),
    'Try': Construct(
        '`try`', 'converts',
        'With `except`, what the operations in it raise when the graph runs is caught when it '
        'runs. A variable that a handler needs, and that the block changes before something that '
        'may raise, is refused. `finally` around anything.'),
    'TryStar': Construct(
        '`try` with `except*`', 'unchanged',
        'Operations staged in the block are refused: the graph cannot catch what they raise.'),
    'With': Construct(
        '`with`', 'unchanged',
        'The context is entered and left while tracing; `np.errstate`, also as a decorator, when '
        'the graph runs, too.'),
    'FunctionDef': Construct(
        'a nested function', 'converts',
        'Defaults, star-arguments, annotations and decorators stay as they are.'),
    'ClassDef': Construct(
        'a nested class', 'unchanged', 'Its methods are converted when they are called.'),
    'Assign': Construct(
        'an assignment', 'unchanged',
        'To names, attributes, items, slices and masks, star-targets included.'),
    'AugAssign': Construct('an augmented assignment', 'unchanged'),
    'AnnAssign': Construct('an annotated assignment', 'unchanged'),
    'Delete': Construct('`del`', 'converts', 'In staged blocks too.'),
    'Global': Construct('`global`', 'converts', 'Moves to the start of the function.'),
    'Nonlocal': Construct('`nonlocal`', 'converts', 'Moves to the start of the function.'),
    'Import': Construct('`import`', 'unchanged', 'Runs while tracing.'),
    'ImportFrom': Construct('`from ... import`', 'unchanged', 'Runs while tracing.'),
    'TypeAlias': Construct('a type alias', 'unchanged'),
    'Expr': Construct('an expression statement', 'unchanged'),
    'Pass': Construct('`pass`', 'unchanged'),
    'AsyncFunctionDef': Construct('`async def`', 'refused', _NO_COROUTINE),
    'AsyncFor': Construct('`async for`', 'refused', _NO_COROUTINE),
    'AsyncWith': Construct('`async with`', 'refused', _NO_COROUTINE),
}  # fmt: skip

EXPRESSIONS = {
    'BoolOp': Construct(
        '`and`, `or`', 'converts', 'Operands that may not be needed become functions.'),
    'UnaryOp': Construct('`not`', 'converts', 'Other unary operators stay as they are.'),
    'Compare': Construct('a comparison', 'converts', 'Chained ones, and `is None`.'),
    'IfExp': Construct('a conditional expression', 'converts'),
    'NamedExpr': Construct(
        '`:=`', 'converts',
        'In an operand that may not be evaluated, where the whole test or value is such an '
        'expression; elsewhere a tensor as its condition is refused.'),
    'ListComp': Construct(
        'a list comprehension', 'converts',
        'Staged over what a `for` is staged over, with conditions and nesting.'),
    'GeneratorExp': Construct(
        'a generator expression', 'converts',
        'In `sum`, `min`, `max`, `any` and `all`; anything else takes its elements while tracing.'),
    'SetComp': Construct(
        'a set comprehension', 'unchanged',
        'Its elements are Python values: a tensor as its condition is refused.'),
    'DictComp': Construct(
        'a dict comprehension', 'unchanged',
        'Its keys are Python values: a tensor as its condition is refused.'),
    'Lambda': Construct('`lambda`', 'converts'),
    'Call': Construct(
        'a call', 'converts',
        "The user's functions are converted when they are called; builtins, `math` and what makes "
        "arrays have forms that take tensors; NumPy's own calls stay as they are. A function that "
        'calls itself on tensors becomes a function of the graph; over Python values it unrolls.'),
    'BinOp': Construct('a binary operator', 'unchanged'),
    'Attribute': Construct('an attribute', 'unchanged'),
    'Subscript': Construct('an item', 'unchanged'),
    'Slice': Construct('a slice', 'unchanged'),
    'Starred': Construct('a starred expression', 'unchanged'),
    'Name': Construct('a name', 'unchanged'),
    'Constant': Construct('a literal', 'unchanged'),
    'Tuple': Construct('a tuple display', 'unchanged'),
    'List': Construct('a list display', 'unchanged'),
    'Dict': Construct('a dict display', 'unchanged'),
    'Set': Construct('a set display', 'unchanged'),
    'JoinedStr': Construct(
        'an f-string', 'unchanged', 'With tensors in it, it is put together when the graph runs.'),
    'TemplateStr': Construct('a t-string', 'unchanged'),
    'Await': Construct('`await`', 'refused', _NO_COROUTINE),
    'Yield': Construct('`yield`', 'refused', _NO_GENERATOR),
    'YieldFrom': Construct('`yield from`', 'refused', _NO_GENERATOR),
    'comprehension': Construct('`async` in a comprehension', 'refused', _NO_COROUTINE),
}  # fmt: skip

PATTERNS = {
    'MatchValue': Construct('a value', 'converts', 'Compared by `==`.'),
    'MatchSingleton': Construct('`None`, `True`, `False`', 'converts', 'Compared by `is`.'),
    'MatchAs': Construct('a name, `as`, `_`', 'converts'),
    'MatchOr': Construct(
        'alternatives', 'converts', 'With names in them only if these are for the same parts.'),
    'MatchSequence': Construct(
        'a sequence', 'converts', 'An array is one from NumPy 2.5 on, as in plain Python.'),
    'MatchStar': Construct('the rest of a sequence', 'converts'),
    'MatchMapping': Construct('a mapping', 'converts', 'Its `**rest`, too.'),
    'MatchClass': Construct(
        'a class', 'converts',
        'Positional patterns where the class is known when the function is converted.'),
}  # fmt: skip

CONSTRUCTS = {**STATEMENTS, **EXPRESSIONS, **PATTERNS}
