"""What generated code calls."""
from __future__ import annotations

from .. import ops as ops  # importing the operations registers them
