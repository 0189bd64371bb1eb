"""What a `finally` changes that its block has returned, on one way and not on another."""
from __future__ import annotations

import numpy as np
import pytest
from defining import define
from differential import check

import autograph_lite as ag

NUMBERS = [(np.float64(v),) for v in (-1.0, 0.5, 1.5, 2.5)]
KINDS = {
    'a list': ('[x]', 'log(1.0)', 'kept.append(v)'),
    'a dict': ("{'a': x}", 'log(1.0)', "kept['a'] = v"),
    'by a key that a call gives': ("{'a': x}", "kept[key('a')] = 2.0", 'pass'),
}


def returning(start, final, change, handler, returned='kept, 1'):
    return define(
        'def key(name):\n    return name\n'
        f'def f(x):\n    kept = {start}\n    def log(v):\n        {change}\n'
        f'    try:\n        if x > 1:\n            return {returned}\n{handler}'
        f'    finally:\n        {final}\n    return kept, 2\n')


@pytest.mark.parametrize('kind', KINDS.values(), ids=KINDS)
def test_without_handlers(kind):
    check(returning(*kind, handler=''), *NUMBERS, joins=True)


@pytest.mark.parametrize('kind', KINDS.values(), ids=KINDS)
def test_refused_where_there_are_handlers(kind):
    handler = '    except ValueError:\n        pass\n'
    with pytest.raises(ag.errors.OwnershipError, match=r'(?s)line 7.*Return it after the `try`'):
        ag.function(returning(*kind, handler))(*NUMBERS[2])


def test_what_is_not_returned():
    handler = '    except ValueError:\n        pass\n'
    check(returning('[x]', 'log(1.0)', 'kept.append(v)', handler, '[x], 1'), *NUMBERS)


def both_ways_return(x):
    kept = [x]
    try:
        if x > 1:
            return kept, 1
        else:
            return kept, 2
    finally:
        kept[0] = kept[0] * 2 + 1


def test_it_is_changed_once():
    check(both_ways_return, *NUMBERS)


def by_a_handler_too(x):
    kept = []
    try:
        if x > 1:
            raise ValueError('large')
        return kept
    except ValueError:
        return kept
    finally:
        kept.append(1.0)


def by_a_handler_that_changes_it(x):
    kept = []
    try:
        if x < 0:
            raise ValueError('negative')
        if x > 1:
            return kept, 1
        return kept, 2
    except ValueError:
        kept.append(7.0)
        return kept, 3
    finally:
        kept.append(1.0)


def an_array(x):
    kept = np.zeros(2)
    try:
        if x > 1:
            raise ValueError('large')
        return kept
    except ValueError:
        return kept
    finally:
        kept += 1


@pytest.mark.parametrize('f', [by_a_handler_too, by_a_handler_that_changes_it, an_array])
def test_it_is_changed_once_where_handlers_return_too(f):
    check(f, *NUMBERS)
