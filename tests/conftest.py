"""What all tests share."""
from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one flag: rewrite the golden files; whoever does reads what has changed."""
    parser.addoption('--update-goldens', action='store_true', help='rewrite the golden files')
