"""What an entry of a function gives for a call that it cannot serve."""
from __future__ import annotations


class _Miss:
    """The one object of its class; no call returns it."""


MISS = _Miss()
