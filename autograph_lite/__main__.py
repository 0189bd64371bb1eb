"""The command line: `python -m autograph_lite to-code path/file.py:function`, and more."""
from __future__ import annotations

import argparse
import io
import os
import re
import sys
import tokenize
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from .report.targets import (
    TARGET,
    CommandError,
    load,
    load_module,
    one_line,
    prints_aside,
    raised,
    run_script,
    told,
)

_EXAMPLES = """\
examples:
  autograph-lite to-code model.py:step
  autograph-lite graph model.py:step --args 'np.ones(3), rate=0.1' --format svg > step.svg
  autograph-lite inspect model.py:Model.step --args 'Model(), np.ones(3)' -o report.html
  autograph-lite trace train.py -- --epochs 3
"""


# The commands.


def _to_code(options: argparse.Namespace) -> str:
    from .conversion import to_code
    from .report.whole_file import converted_file

    target: str = options.target
    if ':' in target and not target.endswith('.py'):
        return _shown(to_code(load(target), recursive=options.all))
    if options.all:
        raise CommandError(f'{target} is converted as a whole; --all is for one function')
    # The whole is there, and runs, with functions that stay as they are.
    module = load_module(target)
    text, options.kept = converted_file(module)
    _write_as(str(module.__file__))
    return _shown(text)


def _write_as(file: str) -> None:
    """What is piped into another file has the encoding that it says of itself."""
    with tokenize.open(file) as opened:
        encoding = opened.encoding.removesuffix('-sig')
    if isinstance(sys.stdout, io.TextIOWrapper) and not sys.stdout.isatty() and encoding != 'utf-8':
        sys.stdout.reconfigure(encoding=encoding)


def _graph(options: argparse.Namespace) -> str:
    from .report import inspect

    concrete = _concrete(options)
    if options.format == 'text':
        return _shown(str(concrete.graph))
    return inspect(concrete).picture(options.format)


def _lowered(options: argparse.Namespace) -> str:
    return _shown(_concrete(options).lowered_code)


def _inspect(options: argparse.Namespace) -> str:
    from .report import inspect

    if options.output == '':
        raise CommandError('-o names no file')
    f = load(options.target)
    args, kwargs = _arguments(options.args, f)
    with prints_aside():
        inspection = inspect(f, *args, **kwargs)
    if options.output is None:
        return _shown(repr(inspection))
    if options.output == '-':
        from .report.page import page

        return page(inspection)
    try:
        inspection.save(options.output)
    except OSError as error:
        raise CommandError(f'{options.output} cannot be written: {error.strerror}') from None
    return ''


def _trace(options: argparse.Namespace) -> str:
    """Which calls traced a function and why: the calls that are asked for, or those of a script."""
    from .function import Function

    if options.target.endswith('.py'):
        return _traces_of_script(options)
    if options.arguments:
        raise CommandError(f'{options.target} is called with --args; only a script has arguments')
    f: Any = load(options.target)
    staged = f if hasattr(f, 'get_concrete_function') else Function(f)
    place, _, name = options.target.rpartition(':')
    lines = []
    for call in options.args or ['']:
        before = len(staged.traces)
        parts: list[str] = []
        try:
            args, kwargs = _arguments(call, f)
            with _asking_for_arguments(options), prints_aside():
                staged(*args, **kwargs)
        except (Exception, SystemExit) as error:
            options.failed.append(error)
            if isinstance(error, CommandError):
                continue
            parts.append(raised(error, place))
        if len(staged.traces) > before:
            parts.insert(0, f'traced: {staged.traces[-1].cause.text}')
        lines.append(f'{name}({call}): {"; ".join(parts) or "served by a trace"}')
    return '\n'.join(lines)


def _traces_of_script(options: argparse.Namespace) -> str:
    """Runs a script, and tells the traces of every `Function` that is there when it ends."""
    if options.args:
        raise CommandError(f'{options.target} is run as a script, which takes no --args')
    with prints_aside():
        found, ended = run_script(Path(options.target), options.arguments)
    if isinstance(ended, SystemExit):
        options.leaves = ended if ended.code not in (None, 0) else None
    elif ended is not None:
        options.failed.append(ended)
    if not found and not options.failed and not options.leaves:
        raise CommandError(f'{options.target} has no ag.function when it ends')
    return '\n'.join(f.trace_report() for f in found)


def _concrete(options: argparse.Namespace) -> Any:
    from .function import Function

    f: Any = load(options.target)
    args, kwargs = _arguments(options.args, f)
    staged = f if hasattr(f, 'get_concrete_function') else Function(f)
    with _asking_for_arguments(options), prints_aside():
        return staged.get_concrete_function(*args, **kwargs)


@contextmanager
def _asking_for_arguments(options: argparse.Namespace) -> Iterator[None]:
    """Where none were given and some are missing, says how to give them."""
    try:
        yield
    except TypeError as error:
        name = options.target.rpartition(':')[2].rpartition('.')[2]
        if options.args is not None or f'{name}() missing' not in str(error):
            raise
        raise CommandError(f"{error}; give arguments as in --args 'np.ones(3), n=2'") from None


def _arguments(text: str | None, f: Callable[..., Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What `np.ones(3), n=2` passes to a function; the names of its module may stand there.

    Raises:
      CommandError: it is no list of arguments.
    """
    import numpy as np

    import autograph_lite as ag

    known = {'np': np, 'ag': ag} | vars(sys.modules.get(f.__module__, ag))
    names = {**known, 'take': lambda *args, **kwargs: (args, kwargs)}
    try:
        return eval(f'take({text or ""})', names)  # type: ignore[no-any-return]
    except (Exception, SystemExit) as error:
        why = re.sub(r'\S*<lambda>\(\)', 'the', one_line(error))
        raise CommandError(f'the arguments {text!r} cannot be read: {why}') from None


def _shown(code: str) -> str:
    """Code in colour on a terminal, plain in a pipe."""
    if not sys.stdout.isatty() or os.environ.get('NO_COLOR') or os.environ.get('TERM') == 'dumb':
        return code
    from .report.highlight import for_terminal

    return for_terminal(code)


class _Parser(argparse.ArgumentParser):
    """Says in a line what is wrong."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f'autograph-lite: {message}; see {self.prog} --help\n')


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog='autograph-lite',
        description='Shows what a function of NumPy becomes: its converted source, its graph, '
        'the NumPy program that runs.',
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument('--version', action=_Version, nargs=0, help='print the version')
    commands = parser.add_subparsers(dest='command', required=True, metavar='command')

    def command(name: str, run: Callable[..., str], what: str, target: str) -> Any:
        sentence = f'{what[0].upper()}{what[1:]}.'
        added = commands.add_parser(name, help=what, description=sentence)
        added.set_defaults(run=run, failed=[], kept=[], leaves=None)
        added.add_argument('target', help=target)
        return added

    code = command('to-code', _to_code, 'print the converted source',
                   f'{TARGET}, or path/file.py or module for the whole of it')  # fmt: skip
    code.add_argument('--all', action='store_true', help='with the functions that it calls')
    graph = command('graph', _graph, 'print the graph', TARGET)
    lowered = command('lowered', _lowered, 'print the NumPy program', TARGET)
    inspect = command('inspect', _inspect, 'print everything, or write a page', TARGET)
    trace = command('trace', _trace, 'say which calls trace the function and why',
                    f'{TARGET}, or path/file.py to run it as a script; what it prints goes to '
                    'stderr')  # fmt: skip
    for added in (graph, lowered, inspect):
        added.add_argument(
            '--args', help="what it is traced for, such as 'np.ones(3), n=2'; names are np, ag, "
            "and those of the function's module"
        )
    trace.add_argument(
        'arguments', nargs='*', default=[], help='the arguments of the script, after --')
    trace.add_argument(
        '--args', action='append',
        help="what it is called with, such as 'np.ones(3)'; once for each call"
    )
    graph.add_argument(
        '--format', choices=('text', 'svg', 'dot', 'mermaid'), default='text',
        help='text (unless told), a picture, or the text that Graphviz or Mermaid draws'
    )
    told = 'write a page, such as report.html; - prints it'
    inspect.add_argument('-o', '--output', metavar='PAGE', help=told)
    return parser


class _Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version('autograph_lite')
        except PackageNotFoundError:
            number = 'that is not installed'
        print(f'autograph-lite {number}')
        parser.exit()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0, or 2 after lines that say what is wrong, one for each error.

    A script that is traced and leaves with a status of its own gives that status.
    """
    options = _parser().parse_args(argv)
    try:
        shown = options.run(options)
    except (Exception, SystemExit) as error:
        return _fail(told(error))
    except KeyboardInterrupt:
        _fail('interrupted')
        return 130  # as a shell tells it
    try:
        if shown:
            print(shown.rstrip('\n'))
        sys.stdout.flush()
    except UnicodeEncodeError as error:
        character = error.object[error.start]
        return _fail(f'{character!a} cannot be written in {error.encoding}; '
                     'set PYTHONIOENCODING=utf-8')  # fmt: skip
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # whoever read it has read enough
            return _fail(f'the output cannot be written: {error.strerror}')
    for failure in (*options.kept, *options.failed):
        _fail(told(failure))
    if options.leaves is not None:  # the script's own status, which tells others how it went
        _fail(told(options.leaves))
        return options.leaves.code if isinstance(options.leaves.code, int) else 1
    return 2 if options.failed else 0


def _fail(message: str) -> int:
    print(f'autograph-lite: {message}', file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main())
