"""Writes what these pages have from the code: what blocks print, the constructs, the reference.

The notebooks in `examples/` are run, too. Do it after a change of what the library prints or
shows, and read what it changed:

    python docs/build.py
"""
from __future__ import annotations

import contextlib
import inspect
import io
import linecache
import re
import subprocess
import sys
import textwrap
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import autograph_lite as ag
from autograph_lite.config import run_functions_eagerly
from autograph_lite.converters.constructs import EXPRESSIONS, PATTERNS, STATEMENTS
from autograph_lite.report.inspection import Inspection

DOCS = Path(__file__).parent
sys.path.insert(0, str(DOCS))
from refusals import REFUSALS  # noqa: E402  it stands beside this file

BLOCK = re.compile(r'```python\n(.*?)```(?:\n\n?```text\n.*?```)?', re.DOTALL)

PUBLIC = {
    'Functions': ['function', 'Function', 'ConcreteFunction', 'TensorSpec', 'Tensor'],
    'State': ['Variable', 'TensorArray'],
    'Source': ['to_code', 'to_graph', 'convert', 'do_not_convert'],
    'Looking': ['explain', 'inspect'],
    'Control flow': ['cond', 'while_loop', 'for_loop', 'switch_case', 'unchanged'],
    'Values': ['constant', 'range'],
    'Effects': ['print', 'py_function', 'numpy_function'],
}
# What generated code calls besides: it does what its namesake does, for tensors too.
NAMESAKES = {
    'NumPy and `math`': ['np', 'math'],
    'Builtins': [
        'abs', 'all', 'any', 'bool', 'enumerate', 'float', 'int', 'isinstance', 'len', 'max', 'min',
        'round', 'sorted', 'sum', 'zip',
    ],
    'Operators and statements': ['and_', 'or_', 'not_', 'is_none', 'assert_', 'list_of', 'each'],
    'Calls and names': ['call', 'unbound', 'bound'],
}
# What a staged block or a whole function may change, for `supported.md`.
STATE = [
    ('`self.n += 1`, `global`, `nonlocal`',
     'Numbers, arrays, texts and nests of them: set at each call.'),
    ('`x[i] = v`, `x += v`, `np.add(a, b, out=x)`', 'The name has a new array; an argument or a '
     'captured array has its new values when the call ends.'),
    ('`out.append(v)`, `out.pop()`', 'A list that grows in a staged block, of one type of element; '
     'also `self.history.append(v)`, at each call.'),
    ('`best = None` before a loop',
     'Optional: `if best is None or x > best` works in a staged loop.'),
    ('a text, an `Enum` member or `None`', 'Chosen by a tensor among those that tracing knows.'),
    ('`rng.normal(size=n)`', 'Drawn at each call, in program order, as often as in Python.'),
    ('methods, operators, properties of your classes', 'Converted; what they change is state too.'),
]
# What only other parts of the library ask.
INTERNAL = {
    'ConcreteFunction': {'number', 'called', 'python_function', 'accepts', 'gone', 'holds', 'run'},
    'Tensor': {
        'graph', 'memory', 'held', 'read', 'write', 'resume', 'restore', 'moved_to', 'follow',
        'is_stale',
    },
    'TensorArray': {'elements', 'items'},
}


def executed(text: str, name: str) -> str:
    """The page with what each block prints behind it."""
    names: dict[str, Any] = {'__name__': 'docs'}
    numbers = iter(range(1, 1000))

    def run(found: re.Match[str]) -> str:
        code, filename = found[1], f'<{name}, block {next(numbers)}>'
        linecache.cache[filename] = (len(code), None, code.splitlines(keepends=True), filename)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, filename, 'exec'), names)
        lines = [line.rstrip() for line in printed.getvalue().rstrip().split('\n')]
        shown = '\n'.join(lines)
        return f'```python\n{code}```' + (f'\n\n```text\n{shown}\n```' if shown else '')

    return BLOCK.sub(run, text)


_SUPPORTED = """\
# What converts, and what is refused

What the first table lists gives exactly the result of plain Python. What the second lists raises
an error from `ag.errors` that shows your file, line and text, what was found there and what to
write instead. `ag.explain(f)` says of each line of one function what becomes of it.

Converted source has `ag.np.zeros(n)` beside `np.sum(x)`: NumPy hands `np.sum(x)` to the tensor `x`
itself, but in `np.zeros(n)` it looks for none, so a function that takes one stands in its place.

## What converts

A construct that is not listed is run by Python while tracing, on tensors as on anything else.

| construct | |
|---|---|
"""


def supported() -> str:
    """What converts and what is refused, from the tables that decide and test it."""
    constructs = [*STATEMENTS.values(), *EXPRESSIONS.values()]
    patterns = [c for c in PATTERNS.values() if c.note]
    lines = _SUPPORTED.splitlines()
    lines += [f'| {c.name} | {c.note} |' for c in constructs if c.decision != 'refused' and c.note]
    lines += [f'| in `case`: {c.name} | {c.note} |' for c in patterns]
    lines += [f'| {what} | {remark} |' for what, remark in STATE]
    lines += ['', '## What is refused', '', '| found | write instead |', '|---|---|']
    lines += [f'| {row.what} | {row.instead} |' for row in REFUSALS]
    return '\n'.join(lines) + '\n'


def reference() -> str:
    """The page of everything public, from the docstrings."""
    lines = ['# Reference', '', '`import autograph_lite as ag`, and then:']
    for title, names in PUBLIC.items():
        lines += ['', f'## {title}']
        for name in names:
            lines += list(_described(f'ag.{name}', getattr(ag, name), '###'))
        if title == 'Looking':
            lines += list(_described('Inspection', Inspection, '###'))
    lines += ['', '## What generated code calls', '']
    lines += ['Converted source says these where your code has a builtin, an operator or a call']
    lines += ['that Python would not let a tensor reach. `ag.operators` has the rarer ones.']
    for title, names in NAMESAKES.items():
        lines += ['', f'*{title}*', '']
        lines += [f'* `ag.{name}`: {_first_line(name)}' for name in names]
    lines += ['', '## `ag.config`']
    lines += list(_described('ag.config.run_functions_eagerly', run_functions_eagerly, '###'))
    lines += ['', '## `ag.debugging`']
    for name in ag.debugging.__all__:
        lines += list(_described(f'ag.debugging.{name}', getattr(ag.debugging, name), '###'))
    lines += ['', '## `ag.errors`', '']
    for name, value in vars(ag.errors).items():
        if isinstance(value, type) and issubclass(value, Exception | Warning):
            lines.append(f'* `{name}`: {inspect.getdoc(value)}')
    return '\n'.join(lines) + '\n'


def _first_line(name: str) -> str:
    return (inspect.getdoc(getattr(ag, name)) or '').partition('\n')[0]


def _described(name: str, value: Any, level: str) -> Iterator[str]:
    hidden = INTERNAL.get(name.rpartition('.')[2], ())
    yield from ('', f'{level} `{name}{_signature(value)}`', '', _markdown(value, hidden))
    if not isinstance(value, type):
        return
    for attribute, member in vars(value).items():
        if attribute.startswith('_') or attribute in hidden or not inspect.getdoc(member):
            continue
        if isinstance(member, property):
            yield from ('', f'`.{attribute}`: {_markdown(member)}')
        elif inspect.isfunction(member):
            yield from ('', f'`.{attribute}{_signature(member)}`: {_markdown(member)}')


def _signature(value: Any) -> str:
    if isinstance(value, type):
        return ''
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return ''
    parameters = [
        p.replace(annotation=inspect.Parameter.empty)
        for name, p in signature.parameters.items()
        if name != 'self'
    ]
    return re.sub(r'=<[^>]*>', '=...', str(inspect.Signature(parameters)))


def _markdown(value: Any, hidden: Collection[str] = ()) -> str:
    """A docstring; its sections become lists, without what is hidden."""
    text = inspect.getdoc(value) or ''
    out: list[str] = []
    for part in re.split(r'\n(?=(?:Args|Returns|Raises|Attributes|Yields):\n)', text):
        head, _, body = part.partition('\n')
        if not re.fullmatch(r'(Args|Returns|Raises|Attributes|Yields):', head):
            out.append(part.strip())
            continue
        items = re.split(r'\n(?=\S)', textwrap.dedent(body).strip())
        items = [item for item in items if item.partition(':')[0] not in hidden]
        rows = [re.sub(r'^(\*{0,2}\w+):', r'`\1`:', ' '.join(item.split())) for item in items]
        out.append(f'*{head[:-1]}*\n\n' + '\n'.join(f'* {row}' for row in rows))
    return '\n\n'.join(out)


def built(path: Path) -> str:
    """What a page is to say."""
    generated = {'supported.md': supported, 'reference.md': reference}
    if path.name in generated:
        return generated[path.name]()
    return executed(path.read_text(encoding='utf-8'), path.name)


def main() -> None:
    """Writes every page and every notebook anew."""
    pages = {*DOCS.glob('*.md'), DOCS / 'supported.md', DOCS / 'reference.md'}
    for path in sorted(pages):
        path.write_text(built(path), encoding='utf-8')
    subprocess.run([sys.executable, DOCS.parent / 'examples' / 'run.py'], check=True)


if __name__ == '__main__':
    main()
