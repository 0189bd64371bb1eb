"""What a user's line lights in the other panes: all that it became, and nothing else."""
from __future__ import annotations

import ast
import functools
import inspect
import textwrap

import pytest
from defining import define
from report import looked_at
from report.looked_at import FUNCTIONS

import autograph_lite as ag
from autograph_lite.report.diagram import diagram
from autograph_lite.report.lines import graph_lines, program_lines
from autograph_lite.report.statements import Statements


@functools.cache
def statements(filename):
    return Statements(filename)


# What these say is said to Python alone.
NOTHING = ('pass', 'global ', 'nonlocal ', 'import ', 'try:', 'finally:', '#', '"""')


@functools.cache
def panes(name):
    """For each pane of a function, its lines with the user's statements behind each."""
    function, args = FUNCTIONS[name]
    shown = ag.inspect(function, *args)
    concrete, behind = shown.traces[0], shown.behind[0]
    listed = {
        'source': [line for listing in shown.source for line in listing.lines],
        'converted': [line for listing in shown.converted for line in listing.lines],
        'graph': graph_lines(concrete.graph, behind),
        'program': program_lines(concrete.program, behind),
    }
    found = {
        name: [(line.text.strip(), starts(line.places), line.note) for line in lines]
        for name, lines in listed.items()
    }
    boxes = diagram(concrete.graph, behind)
    found['picture'] = [(box.text or box.name, starts(box.places), '') for box in boxes]
    return found


def starts(places):
    return {(file, statements(file).start(number)) for file, number in places}


@pytest.mark.parametrize('name', FUNCTIONS)
def test_every_line_lights_something_in_every_pane_or_says_why_not(name):
    found = panes(name)
    lit = {pane: set().union(*(at for _, at, _ in lines)) for pane, lines in found.items()}
    noted = {place for _, at, note in found['source'] for place in at if note}
    for text, at, _ in found['source']:
        if text and not text.startswith(NOTHING):
            dark = [pane for pane in ('graph', 'program') if not at <= lit[pane]]
            assert not dark or at <= noted, (text, dark)
            assert at <= lit['converted'], text
            in_picture = at <= lit['picture'] or text.startswith('def ')
            assert in_picture or at <= noted, text


def numbers(source):
    """The numbers in a source: the first line of the statement, and the source with another."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            first, last = node.col_offset, node.end_col_offset
            line = lines[node.lineno - 1]
            changed = f'{line[:first]}{node.value + 61}{line[last:]}'
            before, after = lines[: node.lineno - 1], lines[node.lineno :]
            yield node.lineno, '\n'.join([*before, changed, *after])


@pytest.mark.parametrize('name', FUNCTIONS)
def test_a_line_lights_all_of_the_graph_that_depends_on_a_number_in_it(name):
    """Of the graph of a function with another number there, nothing else is different."""
    function, args = FUNCTIONS[name]
    source = textwrap.dedent(inspect.getsource(function))
    names = {name: vars(looked_at)[name] for name in ('ag', 'helper', 'math', 'parts')}
    args = (None, *args) if source.startswith('def run(self') else args
    own = define(source, **names)
    shown = ag.inspect(own, *args)
    before = graph_lines(shown.traces[0].graph, shown.behind[0])
    file = own.__code__.co_filename
    for number, changed in numbers(source):
        try:
            other = ag.inspect(define(changed, **names), *args)
        except Exception:  # an index, say, that is too large
            continue
        after = graph_lines(other.traces[0].graph, other.behind[0])
        if len(before) != len(after):
            continue
        start = statements(file).start(number)
        for old, new in zip(before, after, strict=True):
            assert old.text == new.text or (file, start) in starts(old.places), (
                source.splitlines()[number - 1], old.text, new.text)


def lights(name, text, pane):
    """What a line of a function lights in a pane."""
    found = panes(name)
    own = next(at for line, at, _ in found['source'] if line.split('  #')[0] == text)
    return [line for line, at, _ in found[pane] if at & own]


@pytest.mark.parametrize(('text', 'converted', 'graph', 'program', 'picture'), [
    ('def first_negative(xs):', ['def first_negative(xs):'],
     ['graph first_negative(xs: float64[3]) -> int:'], ['def first_negative(xs):'], ['xs']),
    ('found = -1', ['found = -1'],
     ['found: int, did_break: bool = for_loop(i: int, x: float64 in enumerate(xs, 0), '
      'found_1 = -1, did_break_1 = False):'], ['found = -1'], ['for i, x in enumerate(xs, 0)']),
    ('if x < 0:', ['def if_true(found, did_break):', 'return found, did_break',
                   'return ag.cond(x < 0, if_true, ag.unchanged, found, did_break)'],
     ['less: bool = less(x, 0)', 'found_2: int, did_break_2: bool = cond(less):', 'true:',
      'return i, True', 'false:', 'return found_1, did_break_1'], ['if x < 0:'],
     ['less(x, 0)', 'if less(x, 0)', 'found →', 'did_break →']),
    ('found = i', ['found = i'], ['return i, True'], ['found = i'], ['found →']),
    ('break', ['did_break = True'], ['return i, True'], ['break'], ['True']),
    ('return found', ['return found'], ['return found'], ['return found'], ['result']),
])  # fmt: skip
def test_what_the_lines_of_a_search_light(text, converted, graph, program, picture):
    found = {
        pane: lights('first_negative', text, pane)
        for pane in ('converted', 'graph', 'program', 'picture')
    }
    assert found == {
        'converted': converted, 'graph': graph, 'program': program, 'picture': picture}


@pytest.mark.parametrize(('name', 'text', 'converted', 'graph'), [
    ('halved', 'k = 0', ['k = 0'], ['b: float64[3], k: int = while_loop(b_1 = x, k_1 = 0):']),
    ('halved', 'k += 1', ['k += 1'], ['k_2: int = k_1 + 1']),
    ('folded', 'unused = np.tanh(x)', ['unused = np.tanh(x)  # noqa: F841'], []),
    ('kind_of', 'kind = 1', None, ['return 1']),
])  # fmt: skip
@pytest.mark.skipif(not hasattr(ast, 'TryStar'), reason='Python 3.10 keeps no columns')
def test_what_a_line_lights_and_nothing_else(name, text, converted, graph):
    assert lights(name, text, 'graph') == graph
    if converted is not None:
        assert lights(name, text, 'converted') == converted


def test_what_python_did_is_told():
    assert notes_of('folded')['half = 0.5 * 3'] == 'computed while tracing'
    assert notes_of('folded')['unused = np.tanh(x)'] == 'not needed'
    assert notes_of('unrolled')['flag = True'] == 'not in the graph'
    assert notes_of('raising')["raise ValueError('n')"] == 'not in the graph'
    assert notes_of('raising')['if n < 0:'] == 'decided while tracing'
    assert notes_of('chosen')['match mode:'] == 'decided while tracing'
    assert notes_of('chosen')["case 'fast':"] == 'decided while tracing'
    assert notes_of('chosen')['try:'] == 'while tracing'
    assert notes_of('constant')['return 3'] == ''


@pytest.mark.parametrize('pane', ['converted', 'graph', 'program', 'picture'])
def test_a_break_that_the_test_of_a_loop_asks_about_lights_what_its_choice_does(pane):
    assert lights('limited', 'break', pane) == lights('limited', 'if turns == limit:', pane) != []


def test_a_break_that_the_test_asks_about_is_in_the_graph():
    assert lights('limited', 'break', 'graph') == ['ne: bool = turns_1 != 9']
    assert notes_of('limited')['break'] == ''


def test_what_a_turn_hands_on_lights_where_it_is_handed_on_alone():
    assert lights('moved', 'at = b', 'graph') == ['return b_4']
    assert lights('moved', 'at = b', 'program') == ['at = b - at * _0_25']


def notes_of(name):
    return {text.split('  #')[0]: note for text, _, note in panes(name)['source']}
