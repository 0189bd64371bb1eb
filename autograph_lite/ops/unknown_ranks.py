"""The type of what a NumPy function returns for arrays of unknown rank."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..graph.types import TensorType
from .inference import Answer, Run
from .inference import ask as ask_for_ranks
from .refusals import refuse

# The ranks that stand for one that is not known.
_RANKS = (1, 2, 3)


def ask(
    name: str, run: Run, types: Sequence[TensorType], literals: Sequence[int] = ()
) -> Answer:
    """What `run` returns for inputs of these types.

    Raises:
      StagingError: its type depends on the values, or on a rank that is not known.
      Exception: what NumPy itself raises for every input of these types.
    """
    if all(type_.shape is not None for type_ in types):
        return ask_for_ranks(name, run, types, literals)
    answers: list[Answer] = []
    for rank in _RANKS:
        ranked = [replace(t, shape=(None,) * rank) if t.shape is None else t for t in types]
        try:
            answers.append(ask_for_ranks(name, run, ranked, literals))
        except Exception:
            raise _refused(name) from None
    return _whatever_the_rank(name, answers)


def _whatever_the_rank(name: str, answers: Sequence[Answer]) -> Answer:
    """The answer for every rank, if they differ in nothing but the ranks of the results."""
    first = answers[0]
    for answer in answers:
        same = (answer.structure, answer.viewed) == (first.structure, first.viewed)
        pairs = zip(answer.types, first.types, strict=same)
        if not same or any((a.dtype, a.kind) != (b.dtype, b.kind) for a, b in pairs):
            raise _refused(name)
    merged = (
        replace(types[0], shape=types[0].shape if len(set(types)) == 1 else None)
        for types in zip(*(answer.types for answer in answers), strict=True)
    )
    return replace(first, types=tuple(merged))


def _refused(name: str) -> Exception:
    return refuse(
        name,
        'needs an argument whose rank is known.',
        'Give its shape in the TensorSpec; name the axes to drop: `np.squeeze(x, axis=0)`.',
    )
