"""How much work a call takes, counted rather than timed, so that it is the same on any machine."""
from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def work(function: Callable[..., Any], *args: Any) -> int:
    """Call the function, and count the calls that it makes, of Python's functions and of C's.

    What was counted before is counted again afterwards, so that a profiler may watch the tests.
    """
    count = 0

    def profile(frame: Any, event: str, arg: Any) -> None:
        nonlocal count
        count += event in ('call', 'c_call')

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        function(*args)
    finally:
        sys.setprofile(before)
    return count
