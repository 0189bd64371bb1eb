"""What all tests share."""
from __future__ import annotations

import pytest
from hypothesis import settings
from not_yet import CRASHES, NOT_YET

# A run judges the change that was made, so it tries what the run before tried. For something new:
# pytest --hypothesis-profile=explore
settings.register_profile('same', derandomize=True, deadline=None)
settings.register_profile('explore', deadline=None)
settings.load_profile('same')


def pytest_addoption(parser: pytest.Parser) -> None:
    """The one flag: rewrite the golden files; whoever does reads what has changed."""
    parser.addoption('--update-goldens', action='store_true', help='rewrite the golden files')

def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the cases that the contract promises and the library does not do yet."""
    for item in items:
        name = item.nodeid.removeprefix('tests/')
        if name in CRASHES:
            item.add_marker(pytest.mark.skip(reason=CRASHES[name]))
        elif name in NOT_YET:
            item.add_marker(pytest.mark.xfail(reason='not done yet: see not_yet.py'))
