"""What to write where Python itself asks for the value of a tensor, which is not there yet."""
from __future__ import annotations

import contextlib
import inspect

from ..errors import library_call, user_frame

GIVE_A_VALUE = (
    'Give it a Python value, or call it in a function under `ag.py_function`, where it runs as it '
    'is. Code converts under `ag.function` or `ag.convert`, without `autograph=False` and '
    '`@ag.do_not_convert`.'
)
TAKE_IN_A_LOOP = (
    'Take the elements in a `for` statement, or make a list of them: `[... for ...]` or '
    '`list(...)`. Of a dict or a set, make it empty and put them into it.'
)
INDEX_AN_ARRAY = (
    'Index an array, such as `np.array(items)`, where a list is indexed, or give the function the '
    'list as an argument; code that was not converted has to run in a function under '
    '`ag.function`, without `autograph=False`, or `ag.convert`.'
)
USE_PY_FUNCTION = 'Call it in a function under `ag.py_function`.'
_UPDATED = ('dict', 'defaultdict', 'Counter', 'OrderedDict', 'set')
KEYS = (
    'Let the function itself make the dict, empty as `counts = {}` or with keys that are numbers, '
    'and set `counts[k]` to numbers, texts, arrays or lists of such; or give a dict all its keys '
    'before, at most 64, which then are compared with this one, and change what is there by its '
    'key, `groups[k].append(v)`. Make a set by `set(xs)`, or `seen = set()` and `seen.add(x)`.')


def change_in_its_place(kind: str) -> str:
    """What to write instead of binding the name of a list, a dict or an object to another one."""
    how = {
        'list': '`items.clear()`, `items[:] = new`',
        'deque': '`items.clear()`, `items.extend(new)`',
    }.get(kind, '`items.clear()`, `items.update(new)`' if kind in _UPDATED else '`items.x = new.x`')
    return (
        'Where a branch or a loop binds its name to another one, as `items = new`, change it in '
        f'its place instead: {how}')


def copied(kind: str, name: str) -> str:
    """How the user makes a copy of such a thing."""
    is_pythons = kind in ('list', 'deque', *_UPDATED)
    return f'{name}.copy()' if is_pythons else f'copy.copy({name})'


def as_dataclass(kind: str) -> str:
    """How objects of a class of the user's can be held by lists that grow in a graph."""
    return (
        f'write `@dataclass` above `class {kind}`, and its attributes as fields, as `x: float`, in '
        'place of an `__init__`')


def resuming() -> str:
    """What to write where a generator needs the value; empty anywhere else."""
    frame = user_frame()
    code = None if frame is None else frame.f_code
    if frame and frame.f_back and frame.f_back.f_code.co_filename == contextlib.__file__:
        return (
            f'`{frame.f_code.co_name}` is a generator, and generators do not convert: write a '
            'class with the methods `__enter__` and `__exit__` in its place.')
    if code and code.co_flags & inspect.CO_GENERATOR and code.co_name.isidentifier():
        return (
            f'`{code.co_name}` is a generator, and generators do not convert: return the '
            'values at once, in a list.')
    return ''


def instead_of_library() -> str:
    """What to write instead of a function of a library that is not converted; '' for none."""
    module, name = library_call()
    if module.startswith('numpy.polynomial'):
        return (
            'Write it with functions of NumPy, such as `np.polynomial.polynomial.polyval(x, c)` '
            'for `Polynomial(c)(x)`.')
    if not module:
        return ''
    return (
        f'`{name}` of the module `{module}` is not converted: write what it does with functions of '
        'NumPy, or call it in a function under `ag.py_function`.')
