"""Each pass: its own example, and that after it every program still does what it did."""
from __future__ import annotations

import doctest
import importlib
import io
import random
import textwrap
from types import FunctionType
from typing import Any

import gast
import pytest
from defining import define
from hypothesis import given, settings
from passes import after, effects, same_effects, text_after
from programs.control_flow import program, programs

from autograph_lite import converters
from autograph_lite.converters import in_code, in_trace

CALLS = [(0, 0), (3, 1), (1, -2), (2, 5)]
PASSES = list(dict.fromkeys((*in_code, *in_trace)))


def name_of(each: Any) -> str:
    return str(each.__name__)


# The examples in the passes' docstrings.


def show(
    each: converters.Pass, text: str, after: str = '', lines: range | None = None
) -> None:
    """Print a function after one pass; after the passes up to another one and then this one."""
    order = in_code if after in map(name_of, in_code) else in_trace
    before = order[:list(map(name_of, order)).index(after) + 1] if after else ()
    function = define(textwrap.dedent(text).strip('\n') + '\n', Parent=object)
    if isinstance(function, type):
        [function] = [each for each in vars(function).values() if isinstance(each, FunctionType)]
    printed = text_after(function, (*before, each)).split('\n')
    print('\n'.join(printed if lines is None else printed[lines.start:lines.stop]))


@pytest.mark.parametrize('each', PASSES, ids=name_of)
def test_example(each):
    module = importlib.import_module(each.__module__)
    finder, names = doctest.DocTestFinder(), {**vars(module), 'show': show}
    tests = finder.find(each, name_of(each), module=module, globs=names)
    assert any(test.examples for test in tests), 'it has no example'
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for test in tests:
        report = io.StringIO()
        assert not runner.run(test, out=report.write).failed, report.getvalue()


# Random programs.


def check(text: str, passes: tuple[converters.Pass, ...]) -> None:
    """A program does the same before and after some passes."""
    before = define(text)
    converted = after(before, passes)
    for arguments in CALLS:
        expected = effects(before, *arguments)
        assert same_effects(expected, effects(converted, *arguments)), (
            f'{text_after(before, passes)}\n{arguments}')


@settings(max_examples=150)
@given(programs())
def test_converted_programs_do_the_same(text):
    check(text, in_code)


@pytest.mark.parametrize('place', range(1, len(in_code)), ids=lambda i: name_of(in_code[i - 1]))
def test_programs_do_the_same_after_each_pass(place):
    for seed in range(12):
        check(program(random.Random(1000 * place + seed).choice), in_code[:place])


def test_the_check_notices_a_wrong_pass():
    def wrong(tree, context):
        del context
        tree.body.insert(0, gast.parse('a = a + 1').body[0])
        return tree

    with pytest.raises(AssertionError):
        check('def f(a, b, o, xs):\n    return a\n', (wrong,))
