"""Source to gast to source to the same tree, for the standard library.

All of it is checked if AUTOGRAPH_LITE_EVERY_FILE is set in the environment, which takes minutes.
Otherwise the library is, and of its own tests, which are more than half of the text, every tenth
file.
"""
import os
import re
from collections import Counter

from pyct.standard_library import check_all, files

OWN_TESTS = re.compile(r'[\\/]((idle_)?tests?|test_\w+)[\\/]')
EVERY_FILE = 'AUTOGRAPH_LITE_EVERY_FILE' in os.environ


def selected():
    paths = files()
    tests = [path for path in paths if OWN_TESTS.search(path)]
    left_out = set() if EVERY_FILE else set(tests) - set(tests[::10])
    return [path for path in paths if path not in left_out]


def test_the_standard_library():
    outcomes = dict(check_all(selected()))
    assert {path: what for path, what in outcomes.items() if what not in ('same', 'skipped')} == {}
    # Files that are not Python, on purpose: data of the tests of lib2to3, of the parser and of the
    # tokenizer.
    skipped = [path for path, what in outcomes.items() if what == 'skipped']
    assert all(OWN_TESTS.search(path) for path in skipped)
    assert len(skipped) < 20
    assert Counter(outcomes.values())['same'] > 500
