"""The command line: `python -m autograph_lite to-code path/file.py:function`, and more."""
from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from .errors import AutographError, is_internal

_TARGET = 'path/file.py:function or module:function'


def load(target: str) -> Callable[..., Any]:
    """The function that `path/file.py:function` or `module:function` names.

    Raises:
      ValueError: there is no such function; the message says which part is wrong.
    """
    place, _, name = target.rpartition(':')
    if not place or not name:
        raise ValueError(f'{target!r} is neither {_TARGET.replace(" or ", " nor ")}')
    found: Any = load_module(place)
    for part in name.split('.'):
        if not hasattr(found, part):
            raise ValueError(f'{place} has no {name!r}')
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(f'{target} is no function')
    return found  # type: ignore[no-any-return]


def load_module(place: str) -> ModuleType:
    """The module of a file, or of a name.

    Raises:
      ValueError: there is none, or it raises.
    """
    try:
        return _load_file(Path(place)) if place.endswith('.py') else _load_name(place)
    except (ValueError, AutographError):
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f'{place} cannot be run: {_one_line(error)}') from error


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise ValueError(f'there is no file {path}')
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    sys.path.insert(0, str(path.parent))
    spec.loader.exec_module(module)
    return module


def _load_name(name: str) -> ModuleType:
    sys.path.insert(0, '')
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ValueError(f'there is no module {error.name!r}') from None


def _functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions and methods that a module defines, in the order of the file."""
    found: dict[str, Callable[..., Any]] = {}
    for owner in [module, *(v for v in vars(module).values() if isinstance(v, type))]:
        for value in vars(owner).values():
            f = getattr(value, 'python_function', value)
            f = getattr(f, '__func__', f)
            if isinstance(f, FunctionType) and f.__module__ == module.__name__:
                found.setdefault(f.__qualname__, value)
    return found


# The commands.


def _to_code(options: argparse.Namespace) -> str:
    from .conversion import to_code

    target: str = options.target
    if ':' in target and not target.endswith('.py'):
        return _shown(to_code(load(target)))
    functions = _functions(load_module(target))
    if not functions:
        raise ValueError(f'{target} defines no function')
    return _shown('\n\n\n'.join(_converted(name, f) for name, f in functions.items()))


def _converted(name: str, f: Callable[..., Any]) -> str:
    """The converted source of one function of a file; of what does not convert, why."""
    from .conversion import to_code

    try:
        return to_code(f).strip('\n')
    except AutographError as error:
        return '\n'.join(f'# {line}' for line in [f'{name}:', *str(error).splitlines()])


def _graph(options: argparse.Namespace) -> str:
    from .report.dot import dot, mermaid
    from .report.svg import svg

    graph = _concrete(options).graph
    if options.format == 'text':
        return _shown(str(graph))
    return {'svg': svg, 'dot': dot, 'mermaid': mermaid}[options.format](graph)


def _lowered(options: argparse.Namespace) -> str:
    return _shown(_concrete(options).lowered_code)


def _inspect(options: argparse.Namespace) -> str:
    from .report import inspect

    args, kwargs = _arguments(options.args)
    inspection = inspect(load(options.target), *args, **kwargs)
    if options.output is None:
        return _shown(repr(inspection))
    inspection.save(options.output)
    return ''


def _trace(options: argparse.Namespace) -> str:
    """Which calls traced a function and why: the calls that are asked for, or those of a script."""
    from .function import Function

    if options.target.endswith('.py'):
        return _traces_of_script(options.target)
    f: Any = load(options.target)
    staged = f if hasattr(f, 'get_concrete_function') else Function(f)
    lines = []
    for call in options.args or ['']:
        args, kwargs = _arguments(call)
        before = staged.tracing_count
        staged(*args, **kwargs)
        traced = staged.tracing_count > before
        why = f'traced: {staged.traces[-1].cause.text}' if traced else 'served by a trace'
        lines.append(f'{options.target.rpartition(":")[2]}({call}): {why}')
    return '\n'.join(lines)


def _traces_of_script(path: str) -> str:
    """Runs a script, and reports the traces of every `Function` that it defines."""
    import runpy

    from .function import Function

    if not Path(path).is_file():
        raise ValueError(f'there is no file {path}')
    names = runpy.run_path(path, run_name='__main__')
    owners = [names, *(vars(v) for v in names.values() if isinstance(v, type))]
    staged = [v for owner in owners for v in owner.values() if isinstance(v, Function)]
    if not staged:
        raise ValueError(f'{path} defines no ag.function')
    return '\n'.join(f.trace_report() for f in dict.fromkeys(staged))


def _concrete(options: argparse.Namespace) -> Any:
    from .function import Function

    f: Any = load(options.target)
    args, kwargs = _arguments(options.args)
    staged = f if hasattr(f, 'get_concrete_function') else Function(f)
    return staged.get_concrete_function(*args, **kwargs)


def _arguments(text: str | None) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What `np.ones(3), n=2` passes.

    Raises:
      ValueError: it is no list of arguments.
    """
    import numpy as np

    import autograph_lite as ag

    names = {'np': np, 'ag': ag, 'take': lambda *args, **kwargs: (args, kwargs)}
    try:
        return eval(f'take({text or ""})', names)  # type: ignore[no-any-return]
    except Exception as error:
        raise ValueError(f'the arguments {text!r} cannot be read: {_one_line(error)}') from None


def _shown(code: str) -> str:
    """Code in colour on a terminal, plain in a pipe."""
    if not sys.stdout.isatty():
        return code
    from .report.highlight import for_terminal

    return for_terminal(code)


def _one_line(error: BaseException) -> str:
    text = ' '.join(traceback.format_exception_only(error)[-1].split())
    return text.removeprefix('ValueError: ')


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog='autograph-lite', description='Write NumPy, read graphs.')
    commands = parser.add_subparsers(dest='command', required=True)

    def command(name: str, run: Callable[..., str], what: str, target: str) -> Any:
        added = commands.add_parser(name, help=what, description=what)
        added.set_defaults(run=run)
        added.add_argument('target', help=target)
        return added

    command('to-code', _to_code, 'print the converted source',
            f'{_TARGET}, or path/file.py or module for all of its functions')  # fmt: skip
    graph = command('graph', _graph, 'print the graph', _TARGET)
    lowered = command('lowered', _lowered, 'print the NumPy program', _TARGET)
    inspect = command('inspect', _inspect, 'print everything, or write a page', _TARGET)
    trace = command('trace', _trace, 'say which calls trace the function and why',
                    f'{_TARGET}, or path/file.py to run it as a script')  # fmt: skip
    for added in (graph, lowered, inspect):
        added.add_argument('--args', help="what it is traced for, such as 'np.ones(3), n=2'")
    trace.add_argument(
        '--args', action='append', help="what it is called with, such as 'np.ones(3)'; many times"
    )
    graph.add_argument('--format', choices=('text', 'svg', 'dot', 'mermaid'), default='text')
    inspect.add_argument('-o', '--output', help='the page to write')
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0, or 2 after a line that says what is wrong."""
    options = _parser().parse_args(argv)
    try:
        shown = options.run(options)
    except AutographError as error:
        return _fail(str(error))
    except Exception as error:
        return _fail(_where(error) + _one_line(error))
    if shown:
        print(shown.rstrip('\n'))
    return 0


def _where(error: BaseException) -> str:
    """The user's line that raised, if it was one of the user's."""
    frames = [
        entry for entry in traceback.extract_tb(error.__traceback__)
        if not is_internal(entry.filename) and entry.filename.endswith('.py')
        and not entry.filename.endswith(('argparse.py', 'runpy.py'))
    ]
    return f'{frames[-1].filename}:{frames[-1].lineno}: ' if frames else ''


def _fail(message: str) -> int:
    print(f'autograph-lite: {message}', file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main())
