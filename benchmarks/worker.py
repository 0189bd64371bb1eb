"""One way of running the workloads, in a process of its own; it answers requests on its input.

Run by `python -m benchmarks`, with the interpreter in which the peer is installed.
"""
from __future__ import annotations

import base64
import importlib
import json
import pickle
import sys
import time
from collections.abc import Callable
from typing import Any

START = time.perf_counter()


def eager(module: Any) -> Callable[..., Any]:
    """NumPy as it is."""
    return module.numpy


def autograph_lite(module: Any) -> Callable[..., Any]:
    """`ag.function`."""
    import autograph_lite as ag

    return ag.function(module.numpy)


def tensorflow(module: Any, **options: Any) -> Callable[..., Any]:
    """`tf.function`, on TensorFlow's own tensors."""
    import tensorflow as tf

    function = tf.function(module.tensorflow(tf), **options)
    return _with_own_arrays(function, lambda x: tf.constant(x), lambda x: x.numpy())


def xla(module: Any) -> Callable[..., Any]:
    """TensorFlow's XLA."""
    return tensorflow(module, jit_compile=True)


def jax(module: Any) -> Callable[..., Any]:
    """`jax.jit`, on JAX's own arrays, in double precision as NumPy."""
    import jax
    import numpy as np

    jax.config.update('jax_enable_x64', True)
    function = jax.jit(module.jax(jax))

    def finished(*args: Any) -> Any:
        return jax.block_until_ready(function(*args))

    return _with_own_arrays(finished, jax.numpy.asarray, np.asarray)


def numba(module: Any) -> Callable[..., Any]:
    """`numba.njit`."""
    import numba

    make = getattr(module, 'numba', None)
    return make(numba.njit) if make else numba.njit(module.numpy)


def _with_own_arrays(function: Any, inward: Any, outward: Any) -> Callable[..., Any]:
    """The function, which is timed on arguments that are converted before."""
    function_ = lambda *args: function(*args)  # noqa: E731  attributes can be set on it
    function_.inward, function_.outward = inward, outward
    return function_


WAYS: dict[str, Callable[[Any], Callable[..., Any]]] = {
    'eager': eager,
    'autograph_lite': autograph_lite,
    'tensorflow': tensorflow,
    'xla': xla,
    'jax': jax,
    'numba': numba,
}
IMPORTS = {
    'eager': 'numpy',
    'autograph_lite': 'autograph_lite',
    'tensorflow': 'tensorflow',
    'xla': 'tensorflow',
    'jax': 'jax',
    'numba': 'numba',
}


class Runner:
    """Answers requests about one way of running."""

    def __init__(self, way: str) -> None:
        self._way = way
        self._ready: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
        start = time.perf_counter()
        importlib.import_module(IMPORTS[way])
        self._import = time.perf_counter() - start

    def imported(self) -> float:
        """How long the import took, in seconds."""
        return self._import

    def prepare(self, name: str) -> dict[str, Any]:
        """Runs the workload once: how long that took, and what it gave."""
        module = importlib.import_module(f'benchmarks.workloads.{name}')
        function = WAYS[self._way](module)
        args = module.make()
        inward = getattr(function, 'inward', lambda x: x)
        args = tuple(map(inward, args))
        start = time.perf_counter()
        result = function(*args)
        first = time.perf_counter() - start
        self._ready[name] = function, args
        outward = getattr(function, 'outward', lambda x: x)
        parts = result if isinstance(result, tuple) else (result,)
        text = base64.b64encode(pickle.dumps([outward(x) for x in parts])).decode()
        return {'first': first, 'result': text}

    def time(self, name: str, seconds: float) -> float:
        """The mean time of a call, over about so many seconds."""
        function, args = self._ready[name]
        count = 1
        while True:
            start = time.perf_counter()
            for _ in range(count):
                function(*args)
            taken = time.perf_counter() - start
            if taken >= seconds or count >= 1_000_000:
                return taken / count
            count = max(2 * count, int(count * seconds / max(taken, 1e-9)))


def main() -> None:
    """Answers one request a line."""
    runner = Runner(sys.argv[1])
    for line in sys.stdin:
        method, *args = json.loads(line)
        try:
            answer = {'answer': getattr(runner, method)(*args)}
        except Exception as error:
            answer = {'error': f'{type(error).__name__}: {error}'[:300]}
        print(json.dumps(answer), flush=True)


if __name__ == '__main__':
    main()
