"""How long the generated code is, and that it is always the same."""
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from corpus import corpus

import autograph_lite as ag
from autograph_lite.pyct.parser import parse_function

TESTS = Path(__file__).parents[1]


def test_ratio_of_generated_to_original_lines(capsys):
    """Non-blank lines; AutoGraph's ratio is between 4.0 and 4.8."""
    original = generated = 0
    for function in corpus():
        node = parse_function(function).node
        with open(function.__code__.co_filename, encoding='utf-8') as file:
            lines = file.read().splitlines()[node.lineno - 1:node.end_lineno]
        original += sum(bool(line.strip()) for line in lines)
        generated += sum(bool(line.strip()) for line in ag.to_code(function).splitlines())
    with capsys.disabled():
        print(f'\n{generated} lines generated of {original}: {generated / original:.2f}')
    assert original > 300
    assert generated / original < 2


def test_the_same_under_any_hash_seed():
    printed = {
        subprocess.run(
            [sys.executable, str(TESTS / 'corpus.py')], check=True, capture_output=True, text=True,
            env={**os.environ, 'PYTHONHASHSEED': str(seed),
                 'PYTHONPATH': os.pathsep.join([str(TESTS), *sys.path])},
        ).stdout
        for seed in (0, 1, 2)}
    assert len(printed) == 1
    assert printed.pop().count('def ') > 100
