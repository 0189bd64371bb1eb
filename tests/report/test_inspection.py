"""Inspections: what the lines came from, what is said of them, and how they are shown."""
from __future__ import annotations

import base64
import html
import pickle
import re
import subprocess
import sys
import xml.etree.ElementTree
from html.parser import HTMLParser

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.optimize import REWRITES
from autograph_lite.report.inspection import inspection
from autograph_lite.report.labels import DONE, MEANINGS
from autograph_lite.report.lines import graph_lines, program_lines

VOID = {'meta', 'link', 'img'}


def centre(points):
    return points - points.mean(axis=0)


def settle(points, tolerance):
    points = centre(points)
    rate = 2.0 * 0.25
    moved = np.inf
    while moved > tolerance:
        step = rate * (np.roll(points, 1, axis=0) - points)
        moved = np.sum(step * step)
        points = points + step
    return points


POINTS = np.arange(8.0).reshape(4, 2)


@pytest.fixture
def settled():
    return inspection(settle, (POINTS, np.float64(1e-3)), {})


class Balanced(HTMLParser):
    """Fails where elements do not nest."""

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def lines_of(listings):
    return [line for listing in listings for line in listing.lines]


def notes(shown):
    """The notes of each line, by what stands before ` = ` in it."""
    lines = lines_of(shown.source)
    return {line.text.split(' = ')[0].strip(): line.note.split(' · ') for line in lines}


def places(lines, text):
    """The numbers, counted from the function's `def`, of what the line with a text came from."""
    first = settle.__code__.co_firstlineno
    found = [line for line in lines if text in line.text]
    assert found, text
    return [number - first for line in found for _, number in line.places]


def test_lines_of_every_pane_point_at_the_users(settled):
    step = 5
    concrete = settled.traces[0]
    assert places(lines_of(settled.source), 'step = rate') == [step]
    assert places(lines_of(settled.converted), 'step = rate') == [step]
    assert set(places(graph_lines(concrete.graph, settled.behind[0]), 'multiply(0.5')) == {2, step}
    assert step in places(program_lines(concrete.program, settled.behind[0]), 'step = _0_5')


def test_types_stand_at_their_lines(settled):
    notes = {line.text.strip(): line.note for line in lines_of(settled.source)}
    assert notes['step = rate * (np.roll(points, 1, axis=0) - points)'] == 'step: float64[4, 2]'
    assert 'moved: float64' in notes['while moved > tolerance:']
    assert notes['return points'] == 'float64[4, 2]'


def test_what_was_computed_while_tracing_is_told(settled):
    idle = [line.text.strip() for line in lines_of(settled.source) if line.idle]
    assert idle == ['rate = 2.0 * 0.25']


def test_what_the_rewrites_did_is_told_where_it_happened():
    def rewritten(x, y):
        half = np.float64(0.5) * 3
        unused = np.tanh(x)  # noqa: F841
        a = x * y
        b = x * y
        for _ in range(1000):
            c = np.sum(x)
            a = a + c
        return a + b + half

    noted = notes(ag.inspect(rewritten, np.ones(2), np.ones(2)))
    assert 'not needed' in noted['unused']
    assert 'shared' in noted['b']
    assert 'hoisted' in noted['c']


@ag.function
def doubled(x):
    if x > 0:
        y = x * 2
        return y
    return x


NUMBER = doubled.get_concrete_function(np.float64(0.0))


def test_what_was_found_while_tracing_is_told():
    def known(x, sign):
        for _ in range(3):
            x = x * NUMBER(np.float64(3.0))
        if sign:
            x = -x
        return x

    noted = notes(ag.inspect(known, np.ones(2), True))
    assert noted['for _ in range(3):'] == ['unrolled']
    assert noted['if sign:'] == ['decided while tracing']
    assert 'branch decided' in noted['if x > 0:']
    assert 'folded' in noted['y']


def test_how_the_program_computes_is_told(monkeypatch):
    monkeypatch.setenv('AUTOGRAPH_LITE_THREADS', '2')

    def wave(x):
        y = np.tanh(x) * 0.5
        return np.sqrt(y * y + 1)

    def collatz(n):
        turns = 0
        while n > 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            turns += 1
        return turns

    def recurrent(x, w):
        h = np.zeros((2, 3))
        for i in range(100):
            h = np.tanh(x[i] @ w + h)
        return h

    noted = notes(ag.inspect(wave, np.ones(1 << 20)))
    assert 'fused, in blocks' in noted['y']
    assert 'fused, in blocks' in noted['return np.sqrt(y * y + 1)']
    noted = notes(ag.inspect(collatz, np.int64(27)))
    assert "with Python's numbers" in noted['while n > 1:']
    noted = notes(ag.inspect(recurrent, np.ones((100, 2, 3)), np.eye(3)))
    assert 'hoisted, for all rows at once' in noted['h']


def test_notes_stand_in_the_text_too(settled):
    assert ' - points)  # step: float64[4, 2]\n' in repr(settled)


def test_what_is_called_is_shown_converted(settled):
    names = [listing.name for listing in settled.converted]
    assert names == ['settle', 'centre']
    assert names == [listing.name for listing in settled.source]
    assert settled._repr_html_().count('<summary>centre</summary>') == 2
    assert repr(settled).count('def centre(points):') == 2


def test_functions_that_are_called_are_shown_too(settled):
    assert any('def centre' in line.text for line in lines_of(settled.source))


def test_plain_text(settled):
    text = repr(settled)
    for part in ('── source ─', '── converted ─', 'graph settle(', 'ag.while_loop', 'def settle'):
        assert part in text


def test_without_arguments_the_converted_source_alone():
    shown = ag.inspect(settle)
    assert shown.traces == ()
    assert [listing.name for listing in shown.converted] == ['settle', 'centre']
    assert [listing.name for listing in shown.source] == ['settle', 'centre']
    assert 'ag.while_loop' in repr(shown)
    assert '── graph' not in repr(shown)


def test_a_function_shows_its_traces_and_their_causes():
    function = ag.function(settle)
    function(POINTS, np.float64(1e-3))
    function(POINTS[:2], np.float64(1e-3))
    shown = function._repr_html_()
    assert shown.count('class="ag-trace"') == 2
    assert 'the argument points is float64[2, 2], not float64[4, 2]' in shown


def test_a_concrete_function_knows_its_source_while_it_lives():
    concrete = ag.function(settle).get_concrete_function(POINTS, np.float64(1e-3))
    assert 'data-view="converted"' in concrete._repr_html_()
    concrete.python_function = None
    assert 'data-view="program"' in concrete._repr_html_()


def test_a_trace_from_another_process_has_its_graph_and_program():
    concrete = ag.function(settle).get_concrete_function(POINTS, np.float64(1e-3))
    shown = pickle.loads(pickle.dumps(concrete))._repr_html_()
    assert 'data-view="program"' in shown
    assert 'step = rate' in shown


@ag.function
def inner(x):
    y = np.tanh(x)
    return y * 2


def test_what_a_called_function_became_is_in_the_graph_by_its_names():
    shown = ag.inspect(lambda x: inner(x + 1), np.ones(3))
    assert 'y: float64[3] = tanh(add)' in repr(shown)
    assert [listing.name for listing in shown.source][1:] == ['inner']
    assert [listing.name for listing in shown.converted][1:] == ['inner']


def test_without_a_source_there_are_the_graph_and_the_program():
    names = {}
    exec('def nowhere(x):\n    return x + 1\n', names)
    function = ag.function(autograph=False)(names['nowhere'])
    function(np.ones(2))
    shown = function._repr_html_()
    assert 'data-view="program"' in shown
    assert 'data-view="source"' not in shown
    with pytest.raises(ag.errors.SourceNotFoundError):
        repr(ag.inspect(names['nowhere']))


@pytest.mark.filterwarnings('ignore::autograph_lite.errors.RetracingWarning')
def test_of_many_traces_the_last_are_shown():
    function = ag.function(lambda x, n: x * n)
    for n in range(20):
        function.get_concrete_function(np.ones(2), n)
    assert function._repr_html_().count('class="ag-trace"') == 8


def test_pictures_that_cannot_be_had(settled):
    with pytest.raises(ValueError, match="no format 'png'; there are svg, dot, mermaid"):
        settled.picture('png')
    with pytest.raises(ValueError, match='inspect it with arguments'):
        ag.inspect(settle).picture()


def test_a_function_that_was_not_called_shows_its_source():
    assert 'data-view="converted"' in ag.function(settle)._repr_html_()


def test_a_method():
    class Scale:
        factor = 2.0

        @ag.function
        def __call__(self, x):
            return self.factor * x

    shown = ag.inspect(Scale().__call__, np.ones(2))
    assert 'self.factor * x' in repr(shown)
    assert 'multiply(2.0, x)' in repr(shown)


def test_html_is_well_formed_and_asks_for_nothing(settled):
    shown = settled._repr_html_()
    parser = Balanced()
    parser.feed(shown)
    assert parser.open == []
    addresses = set(re.findall(r'\w+://[^\s"\']+', shown + drawing_of(shown)))
    assert addresses == {'http://www.w3.org/2000/svg'}
    xml.etree.ElementTree.fromstring(drawing_of(shown))


def test_what_a_user_wrote_cannot_become_markup():
    def tagged(x):
        """</script><b>bold</b>"""
        return x + len('</script>&lt;')

    shown = ag.inspect(tagged, np.ones(2))._repr_html_()
    assert shown.count('</script>') == shown.count('<script')
    assert '<b>' not in shown


def test_without_scripts_there_is_a_picture_and_no_button_that_does_nothing(settled):
    """A notebook that is not trusted leaves scripts away with their text, other tags without."""
    shown = re.sub(r'<script.*?</script>', '', settled._repr_html_(), flags=re.DOTALL)
    assert 'NumPy program' in shown
    assert not re.search('<svg|<nav|data-zoom', shown)
    assert drawing_of(shown).startswith('<svg')


def drawing_of(shown):
    return base64.b64decode(re.search('src="data:image/svg.xml;base64,([^"]*)"', shown)[1]).decode()


def test_page(settled, tmp_path):
    settled.save(tmp_path / 'report.html')
    page = (tmp_path / 'report.html').read_text(encoding='utf-8')
    assert page.startswith('<!DOCTYPE html>')
    assert settled._repr_html_() in page


def test_a_report_does_not_change_from_run_to_run(settled):
    again = inspection(settle, (POINTS, np.float64(1e-3)), {})
    assert again._repr_html_() == settled._repr_html_()


def test_without_pygments_there_are_no_colours(settled, monkeypatch):
    monkeypatch.setitem(sys.modules, 'pygments.lexers.python', None)
    shown = settled._repr_html_()
    assert 'class="keyword"' not in shown
    assert 'while moved &gt; tolerance:' in shown


def test_importing_the_library_does_not_import_reports():
    code = (
        'import sys, autograph_lite; '
        'sys.exit(any("pygments" in m or "report." in m for m in sys.modules))'
    )
    assert subprocess.run([sys.executable, '-c', code], check=False).returncode == 0


def keys(part):
    """What a piece of the page lights, by the text of its lines."""
    found = {}
    for at, code in re.findall(r'<span[^>]*data-at="([^"]*)">(.*?)\n</span>', part):
        text = html.unescape(re.sub(r'<.*?>', '', code)).split('  # ')[0].strip()
        found.setdefault(text, set()).update(at.split())
    return found


def panes(shown):
    """The keys in each pane."""
    sections = re.findall(r'<section data-view="(\w+)">(.*?)</section>', shown._repr_html_(), re.S)
    return {view: keys(part) for view, part in sections}


def test_what_became_a_lambda_lights_too():
    def either(x):
        if np.sum(x) > 1:
            x = x * 2
        return x

    found = panes(inspection(either, (np.ones(3),), {}))
    call = next(at for text, at in found['converted'].items() if 'ag.cond(' in text)
    assert found['source']['x = x * 2'] <= call
    assert next(at for text, at in found['source'].items() if text.startswith('if ')) <= call


def test_all_lines_of_a_statement_light():
    def several(x):
        x = np.where(
            x > 0,
            x, -x
        )
        while (
            np.sum(x)
            > 1
        ):
            # smaller
            x = x / 2
        return x

    source = panes(inspection(several, (np.ones(3),), {}))['source']
    assert source['x = np.where('] == source['x > 0,'] == source['x, -x']
    assert source['while ('] == source['> 1'] == source['):'] != source['x = x / 2']


def test_there_is_no_empty_line(settled):
    assert not re.search(r'\n\s*\n', settled._repr_html_())


def test_a_function_that_is_traced_alone_belongs_to_every_line_that_calls_it():
    @ag.function
    def doubled(v):
        return v * 2

    def calling(x):
        y = doubled(x)
        z = doubled(y)
        return y - z

    shown = inspection(calling, (np.ones(3),), {})
    first = calling.__code__.co_firstlineno
    graph = graph_lines(shown.traces[0].graph, shown.behind[0])
    lines = [[n - first for _, n in line.places] for line in graph]
    assert [at[1:] for at in lines if len(at) > 1] == [[1], [2]]
    assert notes(shown)['z'] == ['z: float64[3]']


@pytest.mark.parametrize('wrong', [3, None, 'text'])
def test_what_is_no_function_is_refused_at_once(wrong):
    with pytest.raises(TypeError) as caught:
        ag.inspect(wrong)
    assert str(caught.value) == f'ag.inspect needs a function; {wrong!r} is not callable.'
    with pytest.raises(ag.errors.ConversionError, match='not written in Python'):
        ag.inspect(len)


def test_a_page_without_a_trace_says_how_to_get_one():
    told = 'give <code>ag.inspect</code> arguments too'
    assert told in ag.inspect(centre)._repr_html_()
    assert 'no trace yet' in ag.inspect(ag.function(centre))._repr_html_()


def test_what_a_line_computes_without_a_name_has_a_type_too():
    def norm(v):
        return np.sqrt(np.sum(v * v))

    def one(x, limit):
        assert np.all(x > 0)
        if np.sum(x) > limit:
            raise ValueError('much')
        ag.print(x * 2)
        if limit > 3:
            return norm(x)
        return np.max(np.tanh(x)) * 2 if limit > 2 else limit

    own, called = ag.inspect(one, np.ones(3), np.float64(4.0)).source
    notes = [line.note for line in own.lines]
    given = 'x: float64[3] · limit: float64'
    assert notes == [given, 'bool', 'bool', '', 'float64[3]', 'bool', 'float64', 'float64']
    assert called.lines[1].note == 'float64'


def test_labels_say_what_they_mean():
    def unrolled(x):
        for i in (1, 2):
            x = x * i
        return x

    assert f'<span title="{MEANINGS["unrolled"]}">unrolled</span>' in (
        ag.inspect(unrolled, np.ones(3))._repr_html_())


def test_every_label_has_a_meaning():
    assert set(DONE.values()) <= set(MEANINGS)
    assert {rewrite.__name__ for rewrite in REWRITES} <= set(DONE)


def test_a_long_signature_is_whole_in_its_title():
    def total(*parts):
        return sum(parts)

    shown = ag.inspect(total, *([np.ones(3)] * 70))._repr_html_()
    [title] = re.findall('title="(total[^"]*)"', shown)
    assert title.count('float64[3]') == 70
