"""Functions of libraries that read or change what nothing tells of: files, clocks, the process."""
from __future__ import annotations

import types
from types import BuiltinFunctionType, FunctionType
from typing import Any

from autograph_lite.pyct.asking import get_attribute

# By module, the functions that do; or all but those behind `None`, which compute from what they are
# given.
_UNTOLD: dict[str, tuple[str | None, ...]] = {
    '_io': (None,),
    '_locale': (None,),
    '_signal': (None,),
    '_socket': (None, 'htonl', 'htons', 'inet_aton', 'inet_ntoa', 'ntohl', 'ntohs'),
    '_thread': (None,),
    '_warnings': ('filterwarnings', 'simplefilter'),
    'atexit': (None,),
    'builtins': ('input', 'open'),
    '_decimal': ('getcontext', 'setcontext'),
    'decimal': ('getcontext', 'setcontext'),
    'faulthandler': (None,),
    'gc': (None,),
    'genericpath': (None, 'commonprefix', 'samestat'),
    'getpass': (None,),
    'glob': (None, 'escape', 'has_magic'),
    'io': (None,),
    'locale': (None,),
    'nt': (None, 'fspath', 'getpid', 'cpu_count'),
    'numpy': ('fromfile', 'genfromtxt', 'geterrcall', 'get_printoptions', 'load', 'loadtxt',
              'set_printoptions', 'seterrcall'),
    'os': (None, 'fsdecode', 'fsencode', 'fspath', 'getenv'),
    'posix': (None, 'fspath', 'getpid', 'cpu_count'),
    'posixpath': ('abspath', 'expanduser', 'expandvars', 'exists', 'isdir', 'isfile', 'islink',
                  'ismount', 'lexists', 'realpath', 'relpath'),
    'secrets': (None,),
    'shutil': (None,),
    'signal': (None,),
    'subprocess': (None, 'list2cmdline'),
    'sys': ('getrecursionlimit', 'setrecursionlimit', 'setswitchinterval', 'setprofile',
            'settrace', 'set_int_max_str_digits', 'get_int_max_str_digits'),
    'tempfile': (None,),
    'time': (None, 'mktime', 'strptime'),
    'tracemalloc': (None,),
    'uuid': ('getnode', 'uuid1', 'uuid4'),
    'warnings': ('filterwarnings', 'resetwarnings', 'simplefilter'),
}  # fmt: skip
# Of `time`, those that read the clock unless they are told a time, and how many arguments say so.
_TOLD_BY = {'asctime': 1, 'ctime': 1, 'gmtime': 1, 'localtime': 1, 'strftime': 2}
# Methods of classes that read the clock.
_OF_CLASSES = {'datetime': ('now', 'today', 'utcnow'), 'pathlib': ('cwd', 'home')}


def is_untold(f: Any, given: int = 0) -> bool:
    """Whether a function of a library reads or changes what nothing tells of.

    Args:
      f: the function.
      given: how many arguments it is given.
    """
    if not isinstance(f, BuiltinFunctionType | FunctionType | types.MethodType):
        return False
    owner = get_attribute(f, '__self__')
    if isinstance(owner, type):
        return f.__name__ in _OF_CLASSES.get(owner.__module__, ())
    if owner is not None and not isinstance(owner, types.ModuleType):
        return False
    module, name = get_attribute(f, '__module__'), f.__name__
    if module == 'time' and name in _TOLD_BY:
        return given < _TOLD_BY[name]
    names = _UNTOLD.get(str(module), ())
    return (name not in names) if None in names else name in names


def is_untold_of(owner: Any, name: str) -> bool:
    """Whether a method of this name asks the system of the file that a path leads to."""
    bases = type(owner).__mro__
    pure = next((each for each in bases if each.__name__ == 'PurePath'), None)
    return pure is not None and pure.__module__.startswith('pathlib') and not hasattr(pure, name)
