"""The command line: `python -m autograph_lite to-code path/file.py:function`, and more."""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import AutographError
from .targets import (
    TARGET,
    CommandError,
    functions_of,
    load,
    load_module,
    one_line,
    run_script,
    told,
    user_line,
)

_EXAMPLES = """\
examples:
  autograph-lite to-code model.py:step
  autograph-lite graph model.py:step --args 'np.ones(3), rate=0.1' --format svg > step.svg
  autograph-lite inspect model.py:Model.step --args 'Model(), np.ones(3)' -o report.html
  autograph-lite trace train.py
"""


# The commands.


def _to_code(options: argparse.Namespace) -> str:
    from .conversion import to_code

    target: str = options.target
    if ':' in target and not target.endswith('.py'):
        f = load(target)
        return _shown('\n\n\n'.join([to_code(f), *(_callees(f) if options.all else ())]))
    functions = functions_of(load_module(target))
    if not functions:
        raise CommandError(f'{target} defines no function')
    return _shown('\n\n\n'.join(_converted(name, f) for name, f in functions.items()))


def _callees(f: Callable[..., Any]) -> Iterator[str]:
    """The converted source of what a function calls."""
    from .report.callees import named_callees

    for called in named_callees(f):
        yield _converted(called.__name__, called)


def _converted(name: str, f: Callable[..., Any]) -> str:
    """The converted source of one function of a file; of what does not convert, why."""
    from .conversion import to_code

    try:
        code = to_code(f).strip('\n')
        if code.startswith('lambda'):
            return f'{name} = {code}'
        return f'# {name}\n{code}' if '.' in name else code
    except AutographError as error:
        return '\n'.join(f'# {line}' for line in [f'{name}:', *str(error).splitlines()])


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

    f = load(options.target)
    args, kwargs = _arguments(options.args, f)
    inspection = inspect(f, *args, **kwargs)
    if options.output is None:
        return _shown(repr(inspection))
    try:
        inspection.save(options.output)
    except OSError as error:
        raise CommandError(f'{options.output} cannot be written: {error.strerror}') from None
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
        args, kwargs = _arguments(call, f)
        before = staged.tracing_count
        with _asking_for_arguments(options):
            staged(*args, **kwargs)
        traced = staged.tracing_count > before
        why = f'traced: {staged.traces[-1].cause.text}' if traced else 'served by a trace'
        lines.append(f'{options.target.rpartition(":")[2]}({call}): {why}')
    return '\n'.join(lines)


def _traces_of_script(path: str) -> str:
    """Runs a script, and reports the traces of every `Function` that it defines."""
    from .function import Function

    names = run_script(Path(path))
    owners = [names, *(vars(v) for v in names.values() if isinstance(v, type))]
    staged = [v for owner in owners for v in owner.values() if isinstance(v, Function)]
    if not staged:
        raise CommandError(f'{path} defines no ag.function')
    return '\n'.join(f.trace_report() for f in dict.fromkeys(staged))


def _concrete(options: argparse.Namespace) -> Any:
    from .function import Function

    f: Any = load(options.target)
    args, kwargs = _arguments(options.args, f)
    staged = f if hasattr(f, 'get_concrete_function') else Function(f)
    with _asking_for_arguments(options):
        return staged.get_concrete_function(*args, **kwargs)


@contextmanager
def _asking_for_arguments(options: argparse.Namespace) -> Iterator[None]:
    """Where none were given and some are missing, says how to give them."""
    try:
        yield
    except TypeError as error:
        if options.args is not None or user_line(error):
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
    except Exception as error:
        raise CommandError(f'the arguments {text!r} cannot be read: {one_line(error)}') from None


def _shown(code: str) -> str:
    """Code in colour on a terminal, plain in a pipe."""
    if not sys.stdout.isatty() or os.environ.get('NO_COLOR') or os.environ.get('TERM') == 'dumb':
        return code
    from .report.highlight import for_terminal

    return for_terminal(code)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
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
        added.set_defaults(run=run)
        added.add_argument('target', help=target)
        return added

    code = command('to-code', _to_code, 'print the converted source',
                   f'{TARGET}, or path/file.py or module for all of its functions')  # fmt: skip
    code.add_argument('--all', action='store_true', help='with the functions that it calls')
    graph = command('graph', _graph, 'print the graph', TARGET)
    lowered = command('lowered', _lowered, 'print the NumPy program', TARGET)
    inspect = command('inspect', _inspect, 'print everything, or write a page', TARGET)
    trace = command('trace', _trace, 'say which calls trace the function and why',
                    f'{TARGET}, or path/file.py to run it as a script')  # fmt: skip
    for added in (graph, lowered, inspect):
        added.add_argument(
            '--args', help="what it is traced for, such as 'np.ones(3), n=2'; names are np, ag, "
            "and those of the function's module"
        )
    trace.add_argument(
        '--args', action='append',
        help="what it is called with, such as 'np.ones(3)'; once for each call"
    )
    graph.add_argument(
        '--format', choices=('text', 'svg', 'dot', 'mermaid'), default='text',
        help='text (unless told), a picture, or the text that Graphviz or Mermaid draws'
    )
    inspect.add_argument('-o', '--output', metavar='PAGE', help='write a page, such as report.html')
    return parser


class _Version(argparse.Action):
    """Prints the version, which is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version('autograph_lite')
        except PackageNotFoundError:
            number = 'that is not installed'
        parser.exit(message=f'autograph-lite {number}\n')


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0, or 2 after a line that says what is wrong."""
    options = _parser().parse_args(argv)
    try:
        shown = options.run(options)
    except (CommandError, AutographError) as error:
        return _fail(str(error))
    except Exception as error:
        return _fail(told(error))
    try:
        if shown:
            print(shown.rstrip('\n'))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _fail(message: str) -> int:
    print(f'autograph-lite: {message}', file=sys.stderr)
    return 2


if __name__ == '__main__':
    sys.exit(main())
