"""Trees that are deeper than Python's recursion limit."""
import sys
import threading

import pytest

from autograph_lite.pyct.deep import deeply
from autograph_lite.pyct.loader import load_function
from autograph_lite.pyct.parser import parse_function
from autograph_lite.pyct.unparser import unparse

ELIFS = 'def f(x):\n    if x == 0:\n        return 0\n' + ''.join(
    f'    elif x == {i}:\n        return {i} * x\n' for i in range(1, 500))
SUM = 'def f(x):\n    return ' + ' + '.join(f'x*{i}' for i in range(1000))
NESTED = 'def f(x):\n' + ''.join(
    f'{" " * i}if x > {-i}:\n' for i in range(1, 96)) + ' ' * 96 + 'return x\n'


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def test_deep_recursion():
    limit = sys.getrecursionlimit()
    assert deeply(depth, 10 * limit) == 10 * limit
    assert sys.getrecursionlimit() == limit
    assert deeply(deeply, depth, 3) == 3


def test_endless_recursion_is_an_error():
    def endless(n):
        return endless(n + 1)

    with pytest.raises(RecursionError):
        deeply(endless, 0)


def test_errors_pass():
    def fail(n):
        if n == 0:
            raise ValueError('at the bottom')
        fail(n - 1)

    with pytest.raises(ValueError, match='at the bottom'):
        deeply(fail, 2 * sys.getrecursionlimit())


def test_several_threads():
    limit = sys.getrecursionlimit()
    results = []
    threads = [
        threading.Thread(target=lambda: results.append(deeply(depth, 3 * limit)))
        for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [3 * limit] * 4
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize('text', [ELIFS, SUM, NESTED], ids=['elifs', 'sum', 'nested'])
def test_a_deep_function_there_and_back(define, text):
    f = define(text).f
    parsed = parse_function(f)
    printed = unparse(parsed.node, parsed.source)
    if text is not NESTED:  # whose indentation becomes four spaces a level
        assert printed.text == text.rstrip()
    assert unparse(parsed.node).text.count('\n') == printed.text.count('\n')
    assert load_function(parsed.node, f, parsed.source)(7) == f(7)
