"""What functions of Python say of what only the running graph knows, told at the user's line."""
from __future__ import annotations

import re

from ..errors import (
    AutographError,
    StagingError,
    describe,
    is_users,
    place_in_users_code,
    traceback_entries,
)
from ..graph.tensor import Tensor
from .holders import walk

_CONTAINERS = {
    'StagedList': 'list', 'NestList': 'list', 'StagedTuple': 'tuple', 'StagedSet': 'set',
    'StagedDict': 'dict', 'GrowingDict': 'dict', 'Deque': 'collections.deque'}
_STAND_INS = re.compile(
    r"\b(?:Reference|Staged(?:String|Bytes))\b|(?:not|got|type|from|a|component:) '?Tensor\b"
    rf"|\b(?:{'|'.join(_CONTAINERS)})\b"
    r"|Rational instances?$")
# What does not say what it was given.
_UNSAID = re.compile(
    r'^object supporting the buffer API|^The only supported seed types'
    r'|^expected string or bytes-like object$|attribute name must be string$|argument must be str$')
_UNSAID_BY_STRUCT = re.compile("required argument is not|^argument for '[sp]' must be a bytes")


# What to write instead, by what Python says.
_FIXES = (
    ('keys() returned', 'Give the function the dict itself, not its items by `**`.'),
    ('note must be', 'Make the text an argument of the exception: `ValueError(message, text)`.'),
    ('attribute name', 'Choose by a place, `(np.sin, np.cos)[k](x)`, or by `if name == ...`.'),
)
_STRUCTS = "Write `np.array([x], '<f8').tobytes()` for `struct.pack('<d', x)`."
_OTHERWISE = (
    'Call it in a function under `ag.py_function`: `str(ag.py_function(f, [x], str))` for `f(x)`, '
    'which gives a text.')


def check_not_refused(error: BaseException) -> None:
    """No handler of the user's is for what a function of Python's says of a tensor.

    Raises:
      AutographError: it says something of one.
    """
    told = as_staging_error(error)
    if isinstance(told, AutographError) and told is not error:
        raise told from None


def _are_tensors_around(error: BaseException) -> bool:
    """Whether the user's code that the error came through last has any."""
    frames = [each.tb_frame for each in traceback_entries(error.__traceback__)]
    names = next((each.f_locals for each in reversed(frames) if is_users(each)), {})
    if any(isinstance(x, Tensor) for x in names.values()):
        return True
    held = (each.content for each in walk(*names.items()))
    return any(isinstance(x, Tensor) for content in held for x in content.values())


def as_staging_error(error: BaseException) -> BaseException:
    """The error; where a function of Python's is given what it cannot read, one that says so.

    NumPy raises another from what a tensor says, as for `np.zeros(2)[0] = x` in a generator.
    """
    if type(error) in (TypeError, ValueError) and isinstance(error.__cause__, AutographError):
        return error.__cause__
    is_pythons = isinstance(error, TypeError) and not isinstance(error, AutographError)
    is_structs = type(error).__module__ == 'struct'
    unsaid = _UNSAID_BY_STRUCT if is_structs else _UNSAID
    says = is_pythons and _STAND_INS.search(str(error))
    is_unsaid = (is_pythons or is_structs) and unsaid.search(str(error))
    if not says and not (is_unsaid and _are_tensors_around(error)):
        return error
    place = place_in_users_code(error)
    if place is None:
        return error
    if str(error).startswith(('unsupported operand', "'", 'bad operand')):
        said = re.sub(r'\w+', lambda word: _CONTAINERS.get(word[0], word[0]), str(error))
        return TypeError(said).with_traceback(error.__traceback__)
    fixes = [_STRUCTS] if is_structs else [fix for said, fix in _FIXES if said in str(error)]
    told = describe(
        'A function of Python\'s needs a value, or a text, that only the running graph knows.',
        place, fixes[0] if fixes else _OTHERWISE)
    return StagingError(told).with_traceback(error.__traceback__)
