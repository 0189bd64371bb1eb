"""One program a file: `make()` gives its arguments, `numpy` is how one writes it in NumPy.

`tensorflow(tf)` and `jax(jax)` give the same program as it is written for these, where that was
done; Numba compiles `numpy`, or what `numba(njit)` gives.
"""

NAMES = (
    'scalar',
    'collatz',
    'tanh_loop',
    'rnn',
    'chain',
    'fizzbuzz',
    'matrix_power',
    'mandelbrot',
    'bisection',
    'conjugate_gradient',
    'viterbi',
    'recurrence',
    'life',
    'mlp_step',
    'lbfgs',
    'edit_distance',
    'kmeans',
)
