"""What a dict of which only the running graph knows the keys does not do."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ..errors import StagingError, describe, user_location
from ..graph.tracing import emit
from ..ops.effects import RAISE
from .effects import Diverged


def missing_key(key: Any) -> NoReturn:
    """Raises a KeyError when the graph runs."""
    emit(RAISE, [], {'error': KeyError, 'parts': [key]})
    raise Diverged


def unsupported(unsure: Sequence[Any], what: str) -> StagingError:
    """The error for what takes a real dict, of one that may lack some keys."""
    known = f'whether {unsure[0]!r} is in it' if unsure else 'which keys it has'
    return StagingError(
        describe(
            f'A dict of which only the running graph knows {known} does not support {what}.',
            user_location(),
            'Ask for each key by its name, `if key in d` or `d.get(key, default)`; take a copy by '
            '`d.copy()`; go over `list(d.items())`; or give every key a value before.',
        )
    )
