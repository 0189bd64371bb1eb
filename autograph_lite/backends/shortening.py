"""Which arguments of an expression get variables of their own, where it would be too long."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from .waiting import Expr


def widest(
    args: Sequence[Expr], excess: int, counts: Mapping[int, int] | None = None
) -> list[int]:
    """The arguments, the widest first, without which an expression may be short enough.

    They are found at once: looking at the whole after each would cost a long list of arrays the
    square of its length.

    Args:
      args: the arguments.
      excess: by how many characters the expression is too long.
      counts: how often each of them is in it, by `id`; once where that is not said.
    """
    found: dict[int, None] = {}
    done = 0  # up to here all that may raise is found
    inside = [i for i, arg in enumerate(args) if arg.parts]
    for last in sorted(inside, key=lambda i: -args[i].width):
        if excess <= 0:
            break
        for i in after_raising(args, last, done):
            if i not in found:
                found[i] = None
                count = 1 if counts is None else counts.get(id(args[i].tree), 0)
                excess -= args[i].width * count
        if args[last].raises:
            done = max(done, last)
    return list(found)


def after_raising(args: Sequence[Expr], i: int, start: int = 0) -> list[int]:
    """An argument, after those from some on that may raise before it, if it may raise itself."""
    before = range(start, i) if args[i].raises else ()
    return [*(j for j in before if args[j].raises), i]
