"""Functions of NumPy that do not trace, and why: (what it does, what to write instead)."""
from __future__ import annotations

import re

from ..errors import StagingError, describe, user_location

_FILE = ('reads or writes a file, which is no value.', 'Call it under `ag.py_function`.')
_MEMORY = (
    'asks where an array lies in memory; in a graph an array is a value.',
    'Ask it outside of the function, and pass the answer as an argument.',
)
_FLAGS = (
    'changes how an array lies in memory; in a graph an array is a value.',
    'Do it outside of the function, before the call or after it.',
)
_RESIZE = (
    'changes the shape of an array in place.',
    'Make another: `np.resize(x, shape)`, which goes round, or `np.concatenate` with zeros.',
)

REFUSED: dict[str, tuple[str, str]] = {
    'numpy.save': _FILE,
    'numpy.savez': _FILE,
    'numpy.savez_compressed': _FILE,
    'numpy.savetxt': _FILE,
    'numpy.load': _FILE,
    'numpy.loadtxt': _FILE,
    'numpy.genfromtxt': _FILE,
    'numpy.fromfile': _FILE,
    'ndarray.tofile': _FILE,
    'ndarray.dump': _FILE,
    'numpy.isfortran': _MEMORY,
    'numpy.shares_memory': _MEMORY,
    'numpy.may_share_memory': _MEMORY,
    'ndarray.ctypes': _MEMORY,
    'ndarray.data': _MEMORY,
    'ndarray.strides': _MEMORY,
    'ndarray.base': _MEMORY,
    'ndarray.flags': _MEMORY,
    'ndarray.setflags': _FLAGS,
    'ndarray.resize': _RESIZE,
    'numpy.nditer': (
        'goes through an array as it lies in memory; in a graph an array is a value.',
        'Write `for v in x.flat`, or `for i, v in np.ndenumerate(x)`.',
    ),
    **dict.fromkeys(
        ('numpy.matrix', 'numpy.asmatrix'),
        ('makes a matrix, which no graph holds.', 'Write `np.array(x, ndmin=2)`.'),
    ),
    'numpy.frompyfunc': (
        'makes what gives arrays of Python objects, which no graph holds.',
        'Write `np.vectorize(f)`, which gives arrays of numbers.',
    ),
    'numpy.bmat': ('makes a matrix, which no graph holds.', 'Write `np.block(...)`.'),
}


def refuse(name: str, why: str, fix: str = '') -> StagingError:
    """The error of a call that cannot be traced."""
    shown = name.replace('numpy.', 'np.').removeprefix('builtins.')
    shown = re.sub(r'\._\w+(\.\w+)*\.', '.', shown)  # the user's name is the public one
    return StagingError(describe(f'`{shown}` {why}', user_location(), fix))
