"""The command line: `python -m autograph_lite to-code path/file.py:function`."""
from __future__ import annotations

import argparse
import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from .conversion import to_code
from .errors import AutographError


def load(target: str) -> Callable[..., Any]:
    """The function that `path/file.py:function` or `module:function` names.

    Raises:
      ValueError: there is no such function; the message says which part is wrong.
    """
    place, _, name = target.rpartition(':')
    if not place or not name:
        raise ValueError(f'{target!r} is neither path/file.py:function nor module:function')
    found: Any = _load_file(Path(place)) if place.endswith('.py') else _load_module(place)
    for part in name.split('.'):
        if not hasattr(found, part):
            raise ValueError(f'{place} has no {name!r}')
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]


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


def _load_module(name: str) -> ModuleType:
    sys.path.insert(0, '')
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ValueError(f'there is no module {error.name!r}') from None


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; 0, or 2 after one line that says what is wrong."""
    parser = argparse.ArgumentParser(prog='autograph-lite', description='Write NumPy, read graphs.')
    commands = parser.add_subparsers(dest='command', required=True)
    converted = commands.add_parser('to-code', help='print the converted source of a function')
    converted.add_argument('target', help='path/file.py:function or module:function')
    options = parser.parse_args(argv)
    try:
        print(to_code(load(options.target)).rstrip())
    except (AutographError, ValueError) as error:
        print(f'autograph-lite: {error}', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    sys.exit(main())
