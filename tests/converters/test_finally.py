"""`return` in a `try` whose `finally` changes what is returned."""
from __future__ import annotations

import numpy as np
import pytest
from differential import check

F = np.float64


def list_that_grows(x):
    out = []
    try:
        if x > 0:
            return out
        out.append(x)
    finally:
        out.append(1.0)
    return out


def dict_that_changes(x):
    d = {'n': x}
    try:
        if x > 0:
            return d
        d['n'] = d['n'] * 3
    finally:
        d['n'] = d['n'] + 1
    return d


def array_that_changes(x):
    a = np.zeros(3)
    try:
        a[0] = x
        if x > 0:
            return a
        a[1] = x
    finally:
        a[2] = x * 2
    return a


def changed_by_a_helper(x):
    d = {'n': x}
    try:
        if x > 0:
            return d
        d['n'] = d['n'] * 3
    finally:
        count(d)
    return d


def count(d):
    d['n'] = d['n'] + 1


def number_that_changes(x):
    n = x
    try:
        if x > 0:
            return n
        n = n - 1
    finally:
        n += 10
    return n


def one_in_another(x):
    log = []
    try:
        try:
            if x > 0:
                return log
            log.append(x)
        finally:
            log.append(x + 1)
        if x > -2:
            return log
    finally:
        log.append(x + 2)
    return log


def what_has_gone_wrong(x):
    log = []
    try:
        log.append(x)
        if x > 0:
            return np.linalg.cholesky(np.array([[-x]]))[0, 0], log
    finally:
        log.append(x + 1)
    return x, log


def number_that_another_changes(x):
    out, t = [], x
    try:
        try:
            if x > 0:
                return out, t
        finally:
            t = x * 2
    finally:
        out.append(t)
    return out, t


PROGRAMS = [
    list_that_grows, dict_that_changes, array_that_changes, changed_by_a_helper,
    number_that_changes, one_in_another, what_has_gone_wrong, number_that_another_changes,
]  # fmt: skip


@pytest.mark.parametrize('f', PROGRAMS)
def test_the_same(f):
    check(f, (F(3),), (F(-1),), (F(-3),))
