"""No frame of the library is in an error's traceback, nor in those of what it was raised from."""
import contextlib
import traceback

import numpy as np
import pytest

import autograph_lite as ag


@contextlib.contextmanager
def around():
    yield


@ag.function
def linked(x):
    with around():
        try:
            return helper(x)
        except ValueError as error:
            raise KeyError('outer') from error


def helper(x):
    if x.ndim == 1:
        raise ValueError('inner')
    return x


def test_linked_errors_end_at_the_users_lines():
    with pytest.raises(KeyError) as caught:
        linked(np.ones(2))
    for error in (caught.value, caught.value.__cause__):
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        # pytest calls `linked`, which is the only frame of the library.
        assert [file for file in files if 'autograph_lite' in file and file != __file__] in (
            [], [ag.function.__code__.co_filename])
        assert files[-1] == __file__
