"""`call`, `cond`, `for_loop` and others, for the operators that they are made of.

What the user's code does in a call, a branch or a turn reaches nearly all operators, and these
call, branch and loop in their turn. That circle is closed here: what comes of a name is looked up
when it is called.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any


def call(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """See `calls.call`."""
    from . import calls

    return calls.call(f, *args, **kwargs)


def cond(pred: Any, *branches_and_operands: Any, **named: Any) -> Any:
    """See `conditionals.cond`."""
    from . import conditionals

    return conditionals.cond(pred, *branches_and_operands, **named)


def for_loop(iterable: Any, body: Callable[..., Any], *state: Any, **named: Any) -> Any:
    """See `loops.for_loop`."""
    from . import loops

    return loops.for_loop(iterable, body, *state, **named)


def in_(item: Any, container: Any) -> Any:
    """See `membership.in_`."""
    from . import membership

    return membership.in_(item, container)


def item(container: Any, index: Any) -> Any:
    """See `membership.item`."""
    from . import membership

    return membership.item(container, index)


def listed(iterable: Any = ()) -> Any:
    """See `listing.listed`."""
    from . import listing

    return listing.listed(iterable)


def gathered(iterable: Any) -> Any:
    """See `listing.gathered`."""
    from . import listing

    return listing.gathered(iterable)


def passed_lists(*block: Any) -> Any:
    """See `passed_lists.PassedLists`."""
    from . import passed_lists

    return passed_lists.PassedLists(*block)


def try_(body: Callable[..., Any], handlers: Any, *operands: Any, **named: Any) -> Any:
    """See `tries.try_`."""
    from . import tries

    return tries.try_(body, handlers, *operands, **named)
