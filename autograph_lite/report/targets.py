"""What a command line names: functions, modules and scripts; their errors, in a line."""
from __future__ import annotations

import gc
import importlib
import importlib.util
import re
import sys
import sysconfig
import traceback
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any

from ..errors import AutographError, is_internal
from ..function import Function

TARGET = 'path/file.py:function or module:function'


class CommandError(Exception):
    """What is asked for cannot be done; the message says it in a line."""


def load(target: str) -> Callable[..., Any]:
    """The function that `path/file.py:function` or `module:function` names.

    Raises:
      CommandError: there is no such function; the message says which part is wrong.
    """
    place, _, name = target.rpartition(':')
    if not place or not name:
        raise CommandError(f'{target!r} names no function; write {TARGET}')
    found: Any = load_module(place)
    for part in name.split('.'):
        if not hasattr(found, part):
            raise CommandError(f'{place} has no {name!r}')
        found = getattr(found, part)
    if not callable(found):
        raise CommandError(f'{target} is no function')
    return found  # type: ignore[no-any-return]


def load_module(place: str) -> ModuleType:
    """The module of a file, or of a name.

    Raises:
      CommandError: there is none, or it raises.
    """
    if not place:
        raise CommandError(f'nothing is named; write {TARGET}')
    try:
        with prints_aside():
            return _load_file(Path(place)) if place.endswith('.py') else _load_name(place)
    except (CommandError, AutographError):
        raise
    except (Exception, SystemExit) as error:
        raise CommandError(f'it cannot be run: {told(error)}') from error


def _load_file(path: Path) -> ModuleType:
    if not path.is_file():
        raise CommandError(f'there is no file {path}')
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
        there = '; a file is named with its ending, .py' if Path(name).is_file() else ''
        raise CommandError(f'there is no module {error.name!r}{there}') from None
    except TypeError:  # a relative one
        raise CommandError(f'{name} is neither a file nor a module') from None


def run_script(path: Path, arguments: Sequence[str]) -> tuple[list[Any], BaseException | None]:
    """Runs a script as Python does; its `Function`s that are there when it ends, and what ends it.
    """
    if not path.is_file():
        raise CommandError(f'there is no file {path}')
    script = ModuleType('__main__')
    script.__file__ = str(path)
    known = [id(f) for f in _functions()]
    before = sys.modules['__main__'], sys.argv, sys.path
    sys.modules['__main__'], sys.argv = script, [str(path), *arguments]
    sys.path = [str(path.parent), *sys.path]
    raised: BaseException | None = None
    try:
        # Not under this file's own `from __future__ import annotations`.
        exec(compile(path.read_bytes(), str(path), 'exec', dont_inherit=True), vars(script))
    except (Exception, SystemExit) as error:
        raised = error
    finally:
        sys.modules['__main__'], sys.argv, sys.path = before
    return [f for f in _functions() if id(f) not in known], raised


def _functions() -> list[Any]:
    """Every `Function` there is, in the order of their files."""
    found: dict[tuple[str, int, int], Any] = {}
    for each in gc.get_objects():
        if type(each) is Function:
            code = getattr(each.python_function, '__code__', None)
            file, line = (code.co_filename, code.co_firstlineno) if code else ('', 0)
            found[file, line, id(each)] = each
    return [found[place] for place in sorted(found)]


def prints_aside() -> AbstractContextManager[Any]:
    """What the user's code prints meanwhile is not mixed with what the command prints."""
    return redirect_stdout(sys.stderr)


# Errors.


_PLACE = re.compile(r' +File "(.*)", line (\d+), in .*')


def told(error: BaseException) -> str:
    """The error in a line, and the user's line that raised it, if it was one of the user's."""
    if isinstance(error, CommandError):
        return str(error)
    if not isinstance(error, AutographError):
        return user_line(error) + one_line(error)
    # The lines of its message that are indented show places.
    text = ' '.join(line for line in str(error).splitlines() if not line.startswith('  '))
    places = _places(error)
    also = f' (see {", ".join(places[1:])})' if places[1:] else ''
    return ''.join([f'{place}: ' for place in places[:1]]) + text + also


def user_line(error: BaseException) -> str:
    """`file.py:3: `, if the error is in a file of the user's or was raised from there."""
    return ''.join(f'{place}: ' for place in _places(error)[:1])


def raised(error: BaseException, file: str) -> str:
    """`raised ValueError at line 3`, or at another file's."""
    name = f'raised {type(error).__name__}'
    for place in _places(error)[:1]:
        where, _, line = place.rpartition(':')
        is_own = Path(where).resolve() == Path(file).resolve()
        return f'{name} at line {line}' if is_own else f'{name} at {place}'
    return name


def _places(error: BaseException) -> list[str]:
    """The `file.py:3` of the user's that an error is about: what it names, or where it is from."""
    if isinstance(error, SyntaxError) and error.filename:
        return [f'{error.filename}:{error.lineno}']
    if isinstance(error, AutographError):
        found = map(_PLACE.fullmatch, str(error).splitlines())
        return [f'{place[1]}:{place[2]}' for place in found if place]
    frames = [
        entry for entry in traceback.extract_tb(error.__traceback__)
        if not is_internal(entry.filename) and _is_user(entry.filename)
    ]
    return [f'{entry.filename}:{entry.lineno}' for entry in frames[-1:]]


def _is_user(filename: str) -> bool:
    """Whether a file is neither Python's nor one of the packages that are installed."""
    return filename.endswith('.py') and not any(
        Path(filename).is_relative_to(place) for place in sysconfig.get_paths().values()
    )


def one_line(error: BaseException) -> str:
    """The error, its message in one line."""
    return ' '.join(traceback.format_exception_only(error)[-1].split())
