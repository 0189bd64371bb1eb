"""Every workload of the benchmarks gives what NumPy gives, to the last bit."""
from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from differential import same

import autograph_lite as ag

ROOT = Path(__file__).parents[1]
NAMES = sorted(
    path.stem for path in (ROOT / 'benchmarks' / 'workloads').glob('*.py') if path.stem[0] != '_'
)


@pytest.mark.parametrize('name', NAMES)
def test_a_workload(name, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    module = importlib.import_module(f'benchmarks.workloads.{name}')
    args = module.make()
    assert same(module.numpy(*args), ag.function(module.numpy)(*args))


def test_every_workload_is_measured(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    assert sorted(importlib.import_module('benchmarks.workloads').NAMES) == NAMES
