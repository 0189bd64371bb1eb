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


_OR_NOT = 'or mark it @ag.do_not_convert and call it elsewhere.'
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
        'In a staged branch it raises when the graph runs: the same class, message and cause.'),
    'Try': Construct(
        '`try`', 'converts',
        'With `except`, what the operations in it raise when the graph runs is caught when it '
        'runs, and the handlers find the numbers and texts in the variables that are there then. '
        'The exception can be kept, in a list too, asked for its class and text and for what it '
        'was raised from, given notes, and raised again; its numbers and texts can be read where '
        'all that may be raised has the same. A list or an array that a handler needs, and that '
        'the block makes anew before something that may raise, is refused. `finally` around '
        'anything; refused is one that '
        'calls methods of yours which print, or change what is outside or read after an `except` '
        'around it, where the block may raise.'),
    'TryStar': Construct(
        '`try` with `except*`', 'unchanged',
        'Operations staged in the block are refused: the graph cannot catch what they raise.'),
    'With': Construct(
        '`with`', 'unchanged',
        'The context is entered and left while tracing; what NumPy does with errors and how it '
        'shows arrays, however a context sets it (`np.errstate`, `np.printoptions`, a manager of '
        'yours), filters for warnings in `warnings.catch_warnings()` and `contextlib.suppress` '
        'hold when the graph runs, too; filters that make errors of warnings, and '
        '`record=True`, are refused where operations may warn. A class of yours whose '
        '`__exit__` may swallow what the block raises, or asks for it, is called as an `except` '
        'would be, where the function itself makes the manager, as in `with Log(lines):`. What '
        'else may swallow what operations in the block raise, or asks for what they raise, is '
        'refused.'),
    'FunctionDef': Construct(
        'a nested function', 'converts',
        'Defaults, star-arguments and annotations stay as they are; decorators are converted when '
        'they are called.'),
    'ClassDef': Construct(
        'a nested class', 'unchanged',
        'Its methods are converted when they are called, and what its body calls. What they change '
        'in staged blocks, and its attributes, are state of these.'),
    'Assign': Construct(
        'an assignment', 'unchanged',
        'To names, attributes, items, slices and masks, star-targets included.'),
    'AugAssign': Construct('an augmented assignment', 'unchanged'),
    'AnnAssign': Construct('an annotated assignment', 'unchanged'),
    'Delete': Construct('`del`', 'converts', 'In staged blocks too.'),
    'Global': Construct(
        '`global`', 'converts',
        'Moves to the start of the function. The graph reads the variable where it begins and sets '
        'it where the function does, at every call; what the function makes for it, a list or an '
        'object, is another one at each call. What Python makes of values, such as an iterator, is '
        'refused.'),
    'Nonlocal': Construct(
        '`nonlocal`', 'converts',
        'Moves to the start of the function. A variable of a function that is not traced is to '
        'staged blocks what that of a module is.'),
    'Import': Construct('`import`', 'unchanged', 'Runs while tracing.'),
    'ImportFrom': Construct('`from ... import`', 'unchanged', 'Runs while tracing.'),
    'TypeAlias': Construct('a type alias', 'unchanged'),
    'Expr': Construct('an expression statement', 'unchanged'),
    'Pass': Construct('`pass`', 'unchanged'),
    'AsyncFunctionDef': Construct(
        '`async def`', 'refused', 'Define it outside the function, and await it there.'),
    'AsyncFor': Construct('`async for`', 'refused', _NO_COROUTINE),
    'AsyncWith': Construct('`async with`', 'refused', _NO_COROUTINE),
}  # fmt: skip

EXPRESSIONS = {
    'BoolOp': Construct(
        '`and`, `or`', 'converts', 'Operands that may not be needed become functions.'),
    'UnaryOp': Construct('`not`', 'converts', 'Other unary operators stay as they are.'),
    'Compare': Construct(
        'a comparison', 'converts',
        'Chained ones, and `is`, also where only the running graph knows of a value whether it is '
        '`None`, `True` or `False`.'),
    'IfExp': Construct('a conditional expression', 'converts'),
    'NamedExpr': Construct(
        '`:=`', 'converts',
        'In an operand that may not be evaluated, where the whole test or value is such an '
        'expression, and in a comprehension that is evaluated first; elsewhere a tensor as its '
        'condition is refused.'),
    'ListComp': Construct(
        'a list comprehension', 'converts',
        'Staged over what a `for` is staged over, with conditions and nesting.'),
    'GeneratorExp': Construct(
        'a generator expression', 'converts',
        'In `for` and the builtins, each element when it is asked for; what Python runs itself '
        'takes its elements while tracing.'),
    'SetComp': Construct(
        'a set comprehension', 'converts',
        'Where tracing knows the elements, it is a set of these.'),
    'DictComp': Construct(
        'a dict comprehension', 'converts',
        'Where tracing knows the keys, it is a dict with these; otherwise all keys have one type, '
        'and so have the values.'),
    'Lambda': Construct('`lambda`', 'converts'),
    'Call': Construct(
        'a call', 'converts',
        "The user's functions are converted when they are called; builtins, `math` and what makes "
        "arrays have forms that take tensors; NumPy's own calls stay as they are. `print` prints "
        'when the graph runs if a tensor is among what it is given, and while tracing if none is. '
        'A function that calls itself on tensors becomes a function of the graph; over Python '
        'values it unrolls. Refused is what looks at the variables of the function by itself: '
        '`locals()`, `vars()`, `dir()`, and `eval` and `exec` of a text alone.'),
    'BinOp': Construct(
        'a binary operator', 'unchanged',
        "What the user's classes do for it, as for other operators, items and `with`, is "
        'converted.'),
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
    'MatchOr': Construct('alternatives', 'converts', 'Also with names in them.'),
    'MatchSequence': Construct(
        'a sequence', 'converts', 'An array is one from NumPy 2.5 on, as in plain Python.'),
    'MatchStar': Construct('the rest of a sequence', 'converts'),
    'MatchMapping': Construct('a mapping', 'converts', 'Its `**rest`, too.'),
    'MatchClass': Construct('a class', 'converts', 'Positional patterns, too.'),
}  # fmt: skip

CONSTRUCTS = {**STATEMENTS, **EXPRESSIONS, **PATTERNS}
