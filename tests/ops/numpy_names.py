"""NumPy's public names: what is called to see whether it traces, and what has no value to give."""
from __future__ import annotations

import functools
import operator
import warnings
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import numpy as np

Call = Callable[..., Any]
Sample = tuple[Any, ...]

X = np.array([[1.0, -2, 3], [0.5, 5, 4]])
V = np.array([3.0, 1, 2])
W = np.array([1.0, 2, 2])
M = np.array([[2.0, 1], [1, 3]])
I = np.array([2, 0, 1, 2])  # noqa: E741  an array of integers
B = np.array([True, False, True])
C = np.array([1 + 2j, 3 - 1j])
D = np.array(['2020-01-01', '2021-03-05'], 'M8[D]')
T = np.array(['ab', 'Cd e', ' 12 '])
R = np.array([(1, 2.5), (3, 4.5)], [('a', 'i8'), ('b', 'f8')])
SAMPLES: list[Sample] = [
    (X,), (V,), (M,), (I,), (B,), (C,), (np.float32(2.5),), (np.array(2.0),), (3,),
    (X, X), (V, W), (M, M), (I, I), (B, B), (X, 2), (X, 0), (V, 1), (X, (0, 1)), (X, (3, 2)),
    ([V, W],), (B, V), (X > 1, X), (X > 1, X, -X), (B, V, W), (X, 0, 1), (V, 0, 1), (X, V),
    ((2, 3),), ((2, 3), 1.5), (3, 4), (0, 10, 4), (X, [0, 2], 1), ([1, 2, 3],),
    ([B, ~B], [V, W]), (X, I[:2], 0), (X, 'f4'),
]  # fmt: skip
TEXTS: list[Sample] = [
    (T,), (T, T), (T, 'a'), (T, 'a', 'b'), (T, 8), (T, 2), (T, 8, '*'), (T.astype('S4'),),
    (np.array(['1', '23']),), ('-', T), ('%s!', T),
]  # fmt: skip
METHODS: list[Sample] = [
    (X,), (V,), (I,), (B,), (C,), (M, M), (X, 0), (V, 1), (X, (3, 2)), (X, 0, 1), (X, I[:2], 0),
    (X, 'f4'), (I, [V, W, V]), (V, W), (V, B), (X, [1], [7.0]),
]  # fmt: skip
# Where no general sample fits.
OWN: dict[str, list[Sample]] = {
    'numpy.apply_along_axis': [(np.sum, 0, X)],
    'numpy.apply_over_axes': [(np.sum, X, [0, 1])],
    'numpy.busday_count': [(D, D[::-1])],
    'numpy.busday_offset': [(D, 2, 'forward')],
    'numpy.is_busday': [(D,)],
    'numpy.isnat': [(D,)],
    'numpy.datetime_as_string': [(D,)],
    'numpy.dsplit': [(X.reshape(1, 2, 3), 3)],
    'numpy.fromfunction': [(operator.add, (2, 3))],
    'numpy.fromiter': [([1.0, 2.0], float)],
    # With columns of unknown number it would be asked for histograms of many dimensions.
    'numpy.histogramdd': [([V, W], 2)],
    'numpy.linalg.matrix_power': [(M, 3), (M, -1)],
    'numpy.linalg.tensorinv': [(np.eye(4).reshape(4, 2, 2), 1)],
    'numpy.mask_indices': [(3, np.triu)],
    'numpy.place': [(X.copy(), X > 1, [7.0])],
    'numpy.polyfit': [(V, W, 1)],
    'numpy.put_along_axis': [(X.copy(), np.array([[0], [1]]), 7.0, 1)],
    'numpy.putmask': [(X.copy(), X > 1, 7.0)],
    'numpy.ravel_multi_index': [((I, I), (3, 4))],
    'numpy.take_along_axis': [(X, np.argsort(X, 1), 1)],
    'numpy.unpackbits': [(np.array([1, 7], np.uint8),)],
    'numpy.piecewise': [(X, [X > 1], [1.0, 2.0])],
    'numpy.datetime64': [('2020-01-01',)],
    'numpy.promote_types': [('f4', 'i8')],
    'numpy.fromstring': [('1 2', float, -1, ' ')],
    'numpy.char.compare_chararrays': [(T, T, '==', True)],
    'numpy.lib.stride_tricks.sliding_window_view': [(V, 2)],
    'numpy.lib.stride_tricks.as_strided': [(V, (2, 2), (8, 8))],
    'ndarray.choose': [(I, [V[0], V[1], V[2]])],
    'ndarray.to_device': [(X, 'cpu')],
    'ndarray.setfield': [(X.copy(), 7.0, 'f8')],
}


def _plus_one(x: Any) -> Any:
    return x + 1


def _filled(make: Call, *args: Any) -> Any:
    made = make(*args)
    made[...] = 1
    return made


def _within(context: Any, x: Any) -> Any:
    with context:
        return np.log(x)


def _is_of(class_: Any, x: Any) -> Any:
    return np.issubdtype(x.dtype, class_)


# How it is written, where a call of it alone gives no value; and the arguments.
WRITTEN: dict[str, tuple[Call, Sample]] = {
    'numpy.broadcast': (lambda x, y: [a + b for a, b in np.broadcast(x, y)], (X, V)),
    'numpy.busdaycalendar': (
        lambda d: np.is_busday(d, busdaycal=np.busdaycalendar('1111110')), (D,)),
    'numpy.c_': (lambda x: np.c_[x, x], (V,)),
    'numpy.datetime_data': (lambda d: np.datetime_data(d.dtype), (D,)),
    'numpy.dtype': (lambda x: x.astype(np.dtype('f4')), (X,)),
    'numpy.empty': (lambda x: _filled(np.empty, x.shape), (X,)),
    'numpy.empty_like': (lambda x: _filled(np.empty_like, x), (X,)),
    'numpy.errstate': (lambda x: _within(np.errstate(all='ignore'), x), (V,)),
    'numpy.finfo': (lambda x: x + np.finfo(x.dtype).eps, (X,)),
    'numpy.from_dlpack': (lambda x: np.from_dlpack(x), (X,)),
    'numpy.iinfo': (lambda x: x + np.iinfo(x.dtype).max, (I,)),
    'numpy.index_exp': (lambda x: x[np.index_exp[0, 1:]], (X,)),
    'numpy.isdtype': (lambda x: np.isdtype(x.dtype, 'real floating'), (X,)),
    'numpy.issubdtype': (lambda x: np.issubdtype(x.dtype, np.floating), (X,)),
    'numpy.mgrid': (lambda x: np.mgrid[0 : len(x), 0:2], (V,)),
    'numpy.mintypecode': (lambda x: np.mintypecode([x.dtype.char, 'f']), (X,)),
    'numpy.ndarray': (lambda x: isinstance(x, np.ndarray), (X,)),
    'numpy.ndenumerate': (lambda x: [sum(i) * v for i, v in np.ndenumerate(x)], (X,)),
    'numpy.ndindex': (lambda x: [x[i] for i in np.ndindex(x.shape)], (X,)),
    'numpy.ogrid': (lambda x: np.ogrid[0 : len(x), 0:2], (V,)),
    'numpy.poly1d': (lambda x: np.poly1d(x)(2.0), (V,)),
    'numpy.r_': (lambda x: np.r_[x, 0, x], (V,)),
    'numpy.s_': (lambda x: x[np.s_[0, 1:]], (X,)),
    'numpy.typename': (lambda x: np.typename(x.dtype.char), (X,)),
    'numpy.ufunc': (lambda x: isinstance(np.add, np.ufunc) + x, (X,)),
    'numpy.vectorize': (lambda x: np.vectorize(_plus_one)(x), (X,)),
    'ufunc.accumulate': (lambda x: np.add.accumulate(x), (X,)),
    'ufunc.at': (lambda x: np.add.at(x, 0, 1.0), (X,)),
    'ufunc.outer': (lambda x: np.add.outer(x, x), (V,)),
    'ufunc.reduce': (lambda x: np.add.reduce(x), (X,)),
    'ufunc.reduceat': (lambda x: np.add.reduceat(x, [0, 1]), (X,)),
    'ufunc.resolve_dtypes': (lambda x: np.add.resolve_dtypes((x.dtype, int, None)), (X,)),
    'ufunc.identity': (lambda x: x + np.add.identity, (X,)),
    'ufunc.nargs': (lambda x: x + np.add.nargs, (X,)),
    'ufunc.nin': (lambda x: x + np.add.nin, (X,)),
    'ufunc.nout': (lambda x: x + np.add.nout, (X,)),
    'ufunc.ntypes': (lambda x: x + np.add.ntypes, (X,)),
    'ufunc.signature': (lambda x: (np.add.signature, x), (X,)),
    'ufunc.types': (lambda x: (np.add.types, x), (X,)),
}  # fmt: skip
_GENERIC = (
    'character', 'complexfloating', 'flexible', 'floating', 'generic', 'inexact', 'integer',
    'number', 'signedinteger', 'unsignedinteger',
)  # fmt: skip
for _name in _GENERIC:
    WRITTEN[f'numpy.{_name}'] = functools.partial(_is_of, getattr(np, _name)), (X,)

_FILE = 'reads or writes a file'
_SETTING = 'sets or tells how NumPy itself works'
_CLASS = 'makes an array of another class, which no graph holds'
_OBJECTS = 'gives arrays of Python objects, which no graph holds'
_ABOUT = 'tells of the installation'
_STATE = 'tells or sets all that a generator will draw'
# In a graph an array is a value; these are refused, as the tests see.
MEMORY = (
    'numpy.isfortran', 'numpy.may_share_memory', 'numpy.shares_memory', 'ndarray.base',
    'ndarray.ctypes', 'ndarray.data', 'ndarray.flags', 'ndarray.resize', 'ndarray.setflags',
    'ndarray.strides',
)  # fmt: skip
# Why a name is not on the page as a function of values.
NOT_ON_VALUES: dict[str, str] = {
    **dict.fromkeys(
        ('numpy.fromfile', 'numpy.fromregex', 'numpy.genfromtxt', 'numpy.load', 'numpy.loadtxt',
         'numpy.memmap', 'numpy.save', 'numpy.savetxt', 'numpy.savez', 'numpy.savez_compressed',
         'ndarray.dump', 'ndarray.tofile'), _FILE),
    **dict.fromkeys(
        ('numpy.get_printoptions', 'numpy.getbufsize', 'numpy.geterr', 'numpy.geterrcall',
         'numpy.printoptions', 'numpy.set_printoptions', 'numpy.setbufsize', 'numpy.seterr',
         'numpy.seterrcall'), _SETTING),
    **dict.fromkeys(
        ('numpy.asmatrix', 'numpy.bmat', 'numpy.matrix', 'numpy.recarray', 'numpy.record',
         'numpy.char.array', 'numpy.char.asarray', 'numpy.char.chararray'), _CLASS),
    'numpy.frompyfunc': _OBJECTS,
    **dict.fromkeys(
        ('numpy.get_include', 'numpy.info', 'numpy.show_config', 'numpy.show_runtime',
         'numpy.test', 'numpy.linalg.test', 'numpy.fft.test', 'numpy.random.test'), _ABOUT),
    **dict.fromkeys(
        ('numpy.random.get_state', 'numpy.random.set_state', 'numpy.random.get_bit_generator',
         'numpy.random.set_bit_generator', 'Generator.bit_generator'), _STATE),
    **dict.fromkeys(MEMORY, 'asks where an array lies in memory, or changes that'),
    'numpy.nditer': 'goes through an array as it lies in memory',
    'numpy.nested_iters': 'goes through an array as it lies in memory',
    'numpy.flatiter': 'is the class of `x.flat`, which traces',
    'numpy.linalg.LinAlgError': 'is an exception, which graphs raise and catch',
    'numpy.random.BitGenerator': 'is the class of what a generator draws from, which nobody makes',
}  # fmt: skip
# What the methods of a generator draw with; the others take nothing but a size.
_DRAWN: dict[str, Sample] = {
    'beta': (V, 3.0), 'binomial': (5, 0.4), 'bytes': (4,), 'chisquare': (V,), 'choice': (V,),
    'dirichlet': (V,), 'exponential': (V,), 'f': (V, 3.0), 'gamma': (V,), 'geometric': (1 / V,),
    'gumbel': (V,), 'hypergeometric': (5, 4, 3), 'integers': (9,), 'laplace': (V,),
    'logistic': (V,), 'lognormal': (V,), 'logseries': (0.4,), 'multinomial': (5, V / 6),
    'multivariate_hypergeometric': ([3, 4], 2), 'multivariate_normal': (V, np.eye(3)),
    'negative_binomial': (5, 0.4), 'noncentral_chisquare': (V, 1.0),
    'noncentral_f': (V, 3.0, 1.0), 'normal': (V,), 'pareto': (V,), 'permutation': (V,),
    'permuted': (X,), 'poisson': (V,), 'power': (V,), 'rand': (2, 3), 'randint': (9,),
    'randn': (2, 3), 'random_integers': (9,), 'rayleigh': (V,), 'shuffle': (V,),
    'standard_gamma': (V,), 'standard_t': (V,), 'triangular': (0.0, V, 9.0), 'uniform': (V, 9.0),
    'vonmises': (V, 1.0), 'wald': (V, 1.0), 'weibull': (V,), 'zipf': (V + 1,),
}  # fmt: skip


def _drawn(name: str, *args: Any) -> Any:
    rng = np.random.default_rng(7)
    if name == 'spawn':
        return rng.spawn(2)[1].normal()
    if name == 'shuffle':
        x = args[0].copy()
        rng.shuffle(x)
        return x
    return getattr(rng, name)(*args), rng.random()


def _drawn_from_all(name: str, *args: Any) -> Any:
    np.random.seed(7)
    if name == 'shuffle':
        x = args[0].copy()
        np.random.shuffle(x)
        return x
    if name == 'seed':
        return np.random.rand()
    return getattr(np.random, name)(*args)


def _drawn_by(make: Call) -> Any:
    made = make(7)
    draws = isinstance(made, np.random.RandomState | np.random.Generator)
    return made.normal() if draws else np.random.Generator(made).normal()


def _made_by(class_: Any) -> Call:
    """What gives numbers of a class of `numpy.random`."""
    if class_ is np.random.Generator:
        return lambda: np.random.Generator(np.random.PCG64(7)).normal()
    if class_ is np.random.SeedSequence:
        return lambda: np.random.default_rng(np.random.SeedSequence(7)).normal()
    return lambda: _drawn_by(class_)


def _calls(whole: str, found: Any, samples: list[Sample]) -> tuple[Call, list[Sample]]:
    """What to call for a public name, and with what."""
    home, _, name = whole.rpartition('.')
    if whole in WRITTEN:
        function, sample = WRITTEN[whole]
        return function, [sample]
    samples = OWN.get(whole, samples)
    if home == 'ndarray':
        return _of_array(name), samples
    if home == 'Generator':
        return lambda *args: _drawn(name, *args), [_DRAWN.get(name, ())]
    if home == 'numpy.random':
        if isinstance(found, type) or name == 'default_rng':
            return _made_by(found), [()]
        return lambda *args: _drawn_from_all(name, *args), [_DRAWN.get(name, ())]
    return found, samples


def _of_array(name: str) -> Call:
    if name == 'flat':
        return lambda x: x.flat.copy()
    if not callable(getattr(np.ndarray, name)):
        return operator.attrgetter(name)
    return lambda x, *args: getattr(x, name)(*args)


# Where the public names are: what every name begins with there, and what is called for one.
_HOMES: list[tuple[Any, str, list[Sample]]] = [
    (np, 'numpy', SAMPLES), (np.linalg, 'numpy.linalg', SAMPLES), (np.fft, 'numpy.fft', SAMPLES),
    (np.emath, 'numpy.emath', SAMPLES), (np.strings, 'numpy.strings', TEXTS),
    (np.char, 'numpy.char', TEXTS), (np.lib.stride_tricks, 'numpy.lib.stride_tricks', []),
    (np.random, 'numpy.random', []), (np.random.Generator, 'Generator', []),
    (np.ufunc, 'ufunc', []), (np.ndarray, 'ndarray', METHODS),
]  # fmt: skip


def names() -> Iterator[tuple[str, Any, list[Sample]]]:
    """Every public name that is a function, a class, a method, an attribute or takes an index."""
    for home, begins, samples in _HOMES:
        for name in dir(home):
            if name.startswith('_'):
                continue
            with warnings.catch_warnings():  # some names are deprecated
                warnings.simplefilter('ignore')
                found = getattr(home, name)
            is_data = isinstance(found, bool | int | float | str | dict | tuple | np.bool | None)
            is_value = isinstance(home, ModuleType) and (is_data or isinstance(found, ModuleType))
            if not is_value:
                yield f'{begins}.{name}', found, samples


def functions() -> Iterator[tuple[str, Call, list[Sample]]]:
    """The names with a meaning on values, and what to call, with what."""
    for name, found, samples in names():
        if name not in NOT_ON_VALUES:
            yield name, *_calls(name, found, samples)
