"""Whatever becomes of its statements, every comment of a function is printed once."""
import argparse
import ast
import dataclasses
import inspect
import random
import statistics
import subprocess
import textwrap
import typing

import gast
import pytest
from pyct.standard_library import comments, same

from autograph_lite.pyct.origin import located
from autograph_lite.pyct.parser import parse_expression, parse_statements
from autograph_lite.pyct.text import Source
from autograph_lite.pyct.tree import to_ast, to_gast
from autograph_lite.pyct.unparser import unparse

HELPER = '''
def if_true(x):
    return x
'''


class Rewrite(gast.NodeTransformer):
    """Replaces, drops, moves and adds statements, as passes do, by the roll of a die."""

    def __init__(self, die):
        self.die = die

    def block(self, statements):
        new = [each for statement in statements for each in self.statement(statement)]
        return new or parse_statements('pass')

    def statement(self, statement):
        roll = self.die.random()
        if isinstance(statement, gast.If | gast.For | gast.While) and roll < 0.5:
            return self.helpers(statement)
        if roll < 0.1:
            return []
        if roll < 0.2 and not hasattr(statement, 'body'):
            return located(parse_statements('x = ag.call(f, x)'), statement)
        if roll < 0.3 and isinstance(statement, gast.Assign):
            statement.value = located(parse_expression('ag.f()'), statement)
        elif roll < 0.4:
            flag = located(parse_statements('did_break = False'), statement)
            return [*flag, self.generic_visit(statement)]
        return [self.generic_visit(statement)]

    def helpers(self, statement):
        new = []
        for body in filter(None, (statement.body, statement.orelse)):
            helper, = parse_statements(HELPER)
            helper.body[:0] = self.block(body)
            new.append(helper)
        new += parse_statements('x = ag.cond(x > 0, if_true, if_true, x)')
        return located(new, statement)

    def generic_visit(self, node):
        for field in ('body', 'orelse', 'finalbody'):
            body = getattr(node, field, None)
            if isinstance(body, list) and body:
                setattr(node, field, self.block(body))
        for part in (*getattr(node, 'handlers', ()), *getattr(node, 'cases', ())):
            self.generic_visit(part)
        return node


def end_of(function, source):
    """The last line of a function, comments at the end of its body included."""
    last = function.end_lineno
    for number in range(last + 1, len(source.lines)):
        line = source.lines[number - 1]
        if line.strip() and not line.lstrip().startswith('#'):
            break
        if line.strip() and len(line) - len(line.lstrip()) > function.col_offset:
            last = number
    return last


@pytest.mark.parametrize(
    'module', [argparse, dataclasses, inspect, statistics, subprocess, textwrap, typing])
def test_comments_survive_rewriting(module):
    source = Source(inspect.getsource(module), module.__file__)
    die = random.Random(module.__name__)
    for places in source.places.values():
        for place in places:
            if isinstance(place.node, ast.Lambda):
                continue
            tree = Rewrite(die).generic_visit(to_gast(place.node))
            printed = unparse(tree, source)
            lines = source.lines[place.first_line - 1:end_of(place.node, source)]
            assert comments(printed.text) == comments('\n'.join(lines)), printed.text
            assert same(ast.parse(printed.text).body[0], to_ast(tree)), printed.text
            assert len(printed.lines) == len(printed.text.split('\n'))
            assert all(
                line is None or place.first_line <= line <= place.first_line + len(lines)
                for line in printed.lines)
