"""A report as HTML: one fragment that needs nothing else, or a page around it."""
from __future__ import annotations

import base64
import html
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from ..concrete import ConcreteFunction
from ..function import Function
from .correspondence import Place
from .diagram import diagram
from .highlight import in_html
from .labels import MEANINGS
from .lines import Line, Listing, graph_lines, program_lines, signature
from .statements import Statements
from .svg import DEFAULTS, STYLE, picture

if TYPE_CHECKING:
    from .inspection import Inspection

_IDLE = 'no operation comes from here: it was computed while tracing, or nothing needs it'

_HINT = 'hover over a line, or arrow keys: what it became; a click or Enter keeps it lit'

_NO_TRACE = 'no trace yet: its graph and its program stand here after a call that succeeds'

_NO_ARGUMENTS = (
    'give <code>ag.inspect</code> arguments too, and its graph and its program stand here'
)

_ZOOM = (
    '<span class="ag-zoom">'
    '<button type="button" data-zoom="0.8" aria-label="smaller">&minus;</button>'
    '<button type="button" data-zoom="0">fit</button>'
    '<button type="button" data-zoom="1.25" aria-label="larger">+</button></span>'
)


def page(inspection: Inspection) -> str:
    """A page of its own."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<link rel="icon" href="data:,">'
        f'<title>{html.escape(inspection.name)}</title></head>'
        f'<body class="ag-page">{fragment(inspection)}</body></html>\n'
    )


def fragment(inspection: Inspection) -> str:
    """A part of a page, which does not disturb what else is there, its like included."""
    # Markdown ends what is HTML at an empty line.
    return re.sub(r'\n\s*\n', '\n', _Fragment(inspection).html())


class _Fragment:
    """Writes one fragment. The user's lines have short keys, which all that came from them has."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._files: dict[str, int] = {}
        self._statements: dict[str, Statements] = {}

    def html(self) -> str:
        """The whole."""
        shown = self._inspection
        panes = [
            self._pane('source', 'Your function', shown.source),
            self._pane('converted', 'Converted', shown.converted),
        ]
        traces = ''.join(map(self._trace, range(len(shown.traces))))
        # What only pictures need is left out where there are none.
        style, script = (STYLE, _file('picture.js')) if traces else ('', '')
        return (
            f'<div class="ag-report"><style>{_file("page.css")}{style}</style>'
            f'{self._bar()}<div class="ag-panes">{"".join(panes)}</div>{traces}'
            f'<script>{_file("page.js")}{script}</script></div>'
        )

    def _bar(self) -> str:
        """The title, the traces to choose from, and what can be shown and hidden."""
        shown = self._inspection
        views = ['source', 'converted'] if shown.function else []
        views += ['graph', 'program', 'picture'] if shown.traces else []
        buttons = ''.join(
            f'<button type="button" data-view="{view}" aria-pressed="true">{view}</button>'
            for view in views
        )
        nav = (
            f'<nav><small>{_HINT}</small>{buttons}<button type="button" data-theme '
            'aria-label="light or dark" title="light or dark">◐</button></nav>'
        )
        return (
            f'<header><h2>{html.escape(shown.name)}</h2>{_live(nav)}{self._traces()}</header>'
        )

    def _traces(self) -> str:
        """The signatures, each with the reason why it was traced."""
        rows = ''.join(
            f'<li><button type="button" data-trace="{i}" aria-pressed="{_truth(self._last(i))}" '
            f'title="{html.escape(signature(concrete))}">'
            f'<code>{html.escape(signature(concrete))}</code></button>'
            f'<small>{html.escape(_cause(concrete))}</small></li>'
            for i, concrete in enumerate(self._inspection.traces)
        )
        if not rows:
            function = self._inspection.function
            keeps = function is None or isinstance(function, Function)
            return f'<p class="ag-told">{_NO_TRACE if keeps else _NO_ARGUMENTS}</p>'
        before = self._inspection.traces[0].number
        told = f'<p class="ag-told">{before} earlier traces are not shown</p>' if before else ''
        return f'{told}<ol class="ag-traces">{rows}</ol>'

    def _last(self, i: int) -> bool:
        return i == len(self._inspection.traces) - 1

    def _trace(self, i: int) -> str:
        concrete, behind = self._inspection.traces[i], self._inspection.behind[i]
        graph = graph_lines(concrete.graph, behind)
        program = program_lines(concrete.program, behind)
        panes = [
            self._pane('graph', 'Graph', [Listing('', graph)]),
            self._pane('program', 'NumPy program', [Listing('', program)]),
        ]
        drawing = picture(diagram(concrete.graph, behind), concrete.name, self._mark, DEFAULTS)
        drawn = (
            f'<section data-view="picture"><h3>Picture{_live(_ZOOM)}</h3><div class="ag-scroll '
            f'ag-drawing" tabindex="0" role="region" aria-label="Picture">'
            f'{_image(drawing, concrete.name)}</div></section>'
        )
        return (
            f'<div class="ag-trace" data-trace="{i}"{"" if self._last(i) else " hidden"}>'
            f'<div class="ag-panes">{"".join(panes)}</div>{drawn}</div>'
        )

    def _pane(self, view: str, title: str, listings: Sequence[Listing]) -> str:
        """What stands first, and below it what can be folded away: the functions that it calls."""
        if not listings:
            return ''
        first, *called = listings
        folding = ''.join(
            f'<details open><summary>{html.escape(each.name)}</summary>{self._code(each)}</details>'
            for each in called
        )
        return (
            f'<section data-view="{view}"><h3>{title}</h3>'
            f'<div class="ag-scroll" tabindex="0" role="region" aria-label="{title}">'
            f'{self._code(first)}{folding}</div></section>'
        )

    def _code(self, listing: Listing) -> str:
        coloured = in_html([line.text for line in listing.lines])
        return f'<pre>{"".join(map(self._line, listing.lines, coloured))}</pre>'

    def _line(self, line: Line, coloured: str) -> str:
        number = '' if line.number is None else f' data-number="{line.number}"'
        # Where styles are not allowed, a note is a comment.
        gap = '<span class="ag-gap">  # </span>'
        note = f'{gap}<i>{" · ".join(map(_told, line.note.split(" · ")))}</i>' if line.note else ''
        idle = f' class="idle" title="{_IDLE}"' if line.idle else ''
        return f'<span{idle}{number} {self._mark(line.places)}>{coloured}{note}\n</span>'

    def _mark(self, places: Sequence[Place]) -> str:
        if not places:
            return ''
        return f'data-at="{" ".join(dict.fromkeys(map(self._key, places)))}"'

    def _key(self, place: Place) -> str:
        """What all lines of a statement have in common."""
        filename, number = place
        if filename not in self._statements:
            self._statements[filename] = Statements(filename)
        file = self._files.setdefault(filename, len(self._files))
        return f'{file}:{self._statements[filename].start(number)}'


def _live(part: str) -> str:
    """A part that only the page's script puts in: without it, it would do nothing."""
    return f'<script type="text/html">{part}</script>'


def _image(drawing: str, name: str) -> str:
    """A picture as it is shown anywhere; the page's script puts in its place what it is made of.

    Where there are no scripts, as on GitHub or in a notebook that is not trusted yet, pictures that
    are written out are mostly not allowed either, and only their words are left, in a row.
    """
    code = base64.b64encode(drawing.encode()).decode()
    alt = html.escape(f'{name} as a graph')
    return f'<img alt="{alt}" src="data:image/svg+xml;base64,{code}">'


def _told(note: str) -> str:
    """A note, which tells what it means to who asks."""
    if note not in MEANINGS:
        return html.escape(note)
    return f'<span title="{html.escape(MEANINGS[note])}">{html.escape(note)}</span>'


def _cause(concrete: ConcreteFunction) -> str:
    return concrete.cause.text if concrete.cause is not None else ''


def _truth(value: bool) -> str:
    return 'true' if value else 'false'


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding='utf-8')
