"""What all tests share."""
from __future__ import annotations

import pytest
from hypothesis import settings

# A run judges the change that was made, so it tries what the run before tried. For something new:
# pytest --hypothesis-profile=explore
settings.register_profile('same', derandomize=True, deadline=None)
settings.register_profile('explore', deadline=None)
settings.load_profile('same')


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one flag: rewrite the golden files; whoever does reads what has changed."""
    parser.addoption('--update-goldens', action='store_true', help='rewrite the golden files')
