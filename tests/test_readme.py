"""README's blocks do what README says."""
from __future__ import annotations

import linecache
import re
from pathlib import Path

import pytest

README = Path(__file__).parent.parent / 'README.md'
BLOCKS = re.findall(r'```python\n(.*?)```', README.read_text(), re.DOTALL)


def run(text: str, names: dict[str, object], name: str) -> None:
    """Runs a block whose functions have a source."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, 'exec'), names)


def test_every_block(capsys: pytest.CaptureFixture[str]) -> None:
    code, converted, graph_code, lowered = BLOCKS
    names: dict[str, object] = {}
    run(code, names, '<README 1>')
    assert capsys.readouterr().out == converted
    run(graph_code, names, '<README 2>')
    printed = capsys.readouterr().out
    assert printed.startswith('2\n-1\n')
    assert lowered in printed


def test_set_up_commands_are_one_line_each() -> None:
    commands = re.findall(r'^    (python3 -m venv .*)$', README.read_text(), re.MULTILINE)
    assert ['examples/kmeans.py' in command for command in commands] == [True, False]
    assert 'pytest' in commands[1]
