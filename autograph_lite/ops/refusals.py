"""NumPy functions that do not trace: what each does, and what to write instead."""
from __future__ import annotations

import re

from ..errors import StagingError, describe, user_location

_FILE = ('reads or writes a file, which is no value.', 'Call it under `ag.py_function`.')
_BYTES = ('gives bytes, which no graph holds.', 'Call it under `ag.py_function`.')
_MEMORY = (
    'asks where an array lies in memory; in a graph an array is a value.',
    'Ask it outside of the function, and pass the answer as an argument.',
)
_CALLBACK = (
    'calls a Python function on values that are not known while tracing.',
    'Write the loop: it is staged.',
)
_ITERATOR = ('iterates over values that are not known while tracing.', 'Write `for row in x`.')
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
    'ndarray.dumps': _BYTES,
    'ndarray.tobytes': _BYTES,
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
    'numpy.apply_along_axis': _CALLBACK,
    'numpy.vectorize': _CALLBACK,
    'numpy.ndenumerate': _ITERATOR,
    'numpy.nditer': _ITERATOR,
}


def refuse(name: str, why: str, fix: str = '') -> StagingError:
    """The error of a call that cannot be traced."""
    shown = name.replace('numpy.', 'np.').removeprefix('builtins.')
    shown = re.sub(r'\._\w+(\.\w+)*\.', '.', shown)  # the user's name is the public one
    return StagingError(describe(f'`{shown}` {why}', user_location(), fix))
