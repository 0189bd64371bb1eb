"""Runs the notebooks, each in an interpreter of its own, and keeps what they display.

`python docs/build.py` does it with the pages. Look at what it changed:

    python examples/run.py
"""
from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOKS = sorted(Path(__file__).parent.glob('*.ipynb'))


def executed(path: Path) -> dict[str, Any]:
    """The notebook with what its cells give now.

    Raises:
      CalledProcessError: a cell raises.
    """
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / path.name
        command = [sys.executable, __file__, str(path), str(result)]
        environment = os.environ | {'IPYTHONDIR': folder}
        subprocess.run(command, check=True, env=environment)
        notebook: dict[str, Any] = json.loads(result.read_text(encoding='utf-8'))
    return notebook


def run(path: Path) -> dict[str, Any]:
    """Runs the cells in this interpreter; IPython does it, without a kernel between."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    notebook: dict[str, Any] = json.loads(path.read_text(encoding='utf-8'))
    # A history is a file that a thread writes, also when all is over.
    shell = InteractiveShell.instance(config=Config(HistoryManager={'enabled': False}))
    results: list[dict[str, str]] = []
    hook: Any = shell.displayhook
    hook.write_output_prompt = hook.finish_displayhook = lambda: None
    hook.write_format_data = lambda data, metadata=None: results.append(data)
    cells = [cell for cell in notebook['cells'] if cell['cell_type'] == 'code']
    for number, cell in enumerate(cells, 1):
        with capture_output() as captured:
            shell.run_cell(''.join(cell['source']), store_history=True).raise_error()
        outputs: list[dict[str, Any]] = [
            {'name': name, 'output_type': 'stream', 'text': text.splitlines(keepends=True)}
            for name, text in [('stdout', captured.stdout), ('stderr', captured.stderr)]
            if text
        ]
        shown = [('display_data', each.data) for each in captured.outputs]
        shown += [('execute_result', data) for data in results]
        results.clear()
        for kind, data in shown:
            parts = {name: text.splitlines(keepends=True) for name, text in data.items()}
            outputs.append({'data': parts, 'metadata': {}, 'output_type': kind})
            if kind == 'execute_result':
                outputs[-1]['execution_count'] = number
        cell |= {'execution_count': number, 'outputs': outputs}
    return notebook


def main() -> None:
    """Writes every notebook anew; with two paths, the first one's to the second."""
    if len(sys.argv) > 1:
        source, result = map(Path, sys.argv[1:])
        result.write_text(json.dumps(run(source)), encoding='utf-8')
        return
    for path in NOTEBOOKS:
        text = json.dumps(executed(path), indent=1, ensure_ascii=False, sort_keys=True)
        path.write_text(text + '\n', encoding='utf-8')


if __name__ == '__main__':
    main()
