"""What a command line names: functions, modules and scripts; their errors, in a line."""
from __future__ import annotations

import importlib
import importlib.util
import sys
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from .errors import AutographError, is_internal

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
        raise CommandError(f'{target!r} is neither {TARGET.replace(" or ", " nor ")}')
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
    try:
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
        raise CommandError(f'there is no module {error.name!r}') from None
    except TypeError:  # a relative one
        raise CommandError(f'{name} is neither a file nor a module') from None


def functions_of(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The functions and methods that a module defines, in the order of the file."""
    found: dict[str, tuple[int, Callable[..., Any]]] = {}
    owners: list[Any] = [module, *(v for v in vars(module).values() if isinstance(v, type))]
    for owner in owners:
        for name, value in vars(owner).items():
            f = getattr(value, 'python_function', value)
            f = getattr(f, '__func__', f)
            if isinstance(f, FunctionType) and f.__module__ == module.__name__:
                whole = name if owner is module else f'{owner.__qualname__}.{name}'
                found.setdefault(whole, (f.__code__.co_firstlineno, value))
    return {name: f for name, (_, f) in sorted(found.items(), key=lambda item: item[1][0])}


def run_script(path: Path) -> dict[str, Any]:
    """Runs a script as Python does; the names that it leaves, also where it exits."""
    if not path.is_file():
        raise CommandError(f'there is no file {path}')
    script = ModuleType('__main__')
    script.__file__ = str(path)
    before = sys.modules['__main__'], sys.argv, sys.path
    sys.modules['__main__'], sys.argv = script, [str(path)]
    sys.path = [str(path.parent), *sys.path]
    try:
        exec(compile(path.read_bytes(), str(path), 'exec'), vars(script))
    except SystemExit:
        pass
    finally:
        sys.modules['__main__'], sys.argv, sys.path = before
    return vars(script)


# Errors.


def told(error: BaseException) -> str:
    """The error in a line, and the user's line that raised it, if it was one of the user's."""
    return user_line(error) + one_line(error)


def user_line(error: BaseException) -> str:
    """`file.py:3: `, if the error is in a file of the user's or was raised from there."""
    if isinstance(error, SyntaxError) and error.filename:
        return f'{error.filename}:{error.lineno}: '
    frames = [
        entry for entry in traceback.extract_tb(error.__traceback__)
        if not is_internal(entry.filename) and _is_user(entry.filename)
    ]
    return f'{frames[-1].filename}:{frames[-1].lineno}: ' if frames else ''


def _is_user(filename: str) -> bool:
    """Whether a file is neither Python's nor one of the packages that are installed."""
    return filename.endswith('.py') and not any(
        Path(filename).is_relative_to(place) for place in sysconfig.get_paths().values()
    )


def one_line(error: BaseException) -> str:
    """The error, its message in one line."""
    return ' '.join(traceback.format_exception_only(error)[-1].split())
