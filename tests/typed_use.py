"""What a type checker knows of a user's code; mypy reads this, nothing runs it."""
from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import autograph_lite as ag

Array = NDArray[np.float64]


@ag.function
def mean(x: Array, scale: int = 1) -> float:
    return float(x.sum()) * scale


@ag.function(reduce_retracing=True)
def doubled(x: Array) -> Array:
    return x * 2


@ag.convert
def halved(x: Array) -> Array:
    return x / 2


class Model:
    @ag.function
    def step(self, x: Array) -> Array:
        return x + 1


number: float = mean(np.ones(3), scale=2)
array: Array = doubled(np.ones(3))
half: Array = halved(np.ones(3))
stepped: Array = Model().step(np.ones(3))
concrete: ag.ConcreteFunction = Model().step.get_concrete_function(np.ones(3))

mean('text')  # type: ignore[arg-type]
doubled(np.ones(3), 1)  # type: ignore[call-arg]
Model().step(3)  # type: ignore[arg-type]
not_a_text: str = mean(np.ones(3))  # type: ignore[assignment]
