"""A report as HTML: one fragment that needs nothing else, or a page around it."""
from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cache
from importlib import resources

from ..concrete import ConcreteFunction
from .highlight import in_html
from .inspection import Inspection, signature
from .lines import Line, Listing, Place, graph_lines, program_lines
from .svg import STYLE, picture

_IDLE = 'no operation comes from here: it was computed while tracing, or nothing needs it'

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
    return _Fragment(inspection).html()


class _Fragment:
    """Writes one fragment. The user's lines have short keys, which all that came from them has."""

    def __init__(self, inspection: Inspection) -> None:
        self._inspection = inspection
        self._files: dict[str, int] = {}

    def html(self) -> str:
        """The whole."""
        shown = self._inspection
        panes = [
            self._pane('source', 'Your function', shown.source),
            self._pane('converted', 'Converted', shown.converted),
        ]
        traces = ''.join(map(self._trace, range(len(shown.traces))))
        return (
            f'<div class="ag-report"><style>{_file("page.css")}{STYLE}</style>'
            f'{self._bar()}<div class="ag-panes">{"".join(panes)}</div>{traces}'
            f'<script>{_file("page.js")}</script></div>'
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
        return (
            f'<header><h2>{html.escape(shown.name)}</h2><nav>{buttons}'
            '<button type="button" data-theme aria-label="light or dark" title="light or dark">'
            f'◐</button></nav>{self._traces()}</header>'
        )

    def _traces(self) -> str:
        """The signatures, each with the reason why it was traced."""
        rows = ''.join(
            f'<li><button type="button" data-trace="{i}" aria-pressed="{_truth(self._last(i))}">'
            f'<code>{html.escape(signature(concrete))}</code></button>'
            f'<small>{html.escape(_cause(concrete))}</small></li>'
            for i, concrete in enumerate(self._inspection.traces)
        )
        return f'<ol class="ag-traces">{rows}</ol>' if rows else ''

    def _last(self, i: int) -> bool:
        return i == len(self._inspection.traces) - 1

    def _trace(self, i: int) -> str:
        concrete = self._inspection.traces[i]
        panes = [
            self._pane('graph', 'Graph', [Listing('', graph_lines(concrete.graph))]),
            self._pane('program', 'NumPy program', [Listing('', program_lines(concrete.program))]),
        ]
        drawn = picture(concrete.graph, self._mark)
        return (
            f'<div class="ag-trace" data-trace="{i}"{"" if self._last(i) else " hidden"}>'
            f'<div class="ag-panes">{"".join(panes)}</div>'
            f'<section data-view="picture"><h3>Picture{_ZOOM}</h3>'
            f'<div class="ag-scroll ag-drawing">{drawn}</div></section></div>'
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
            f'<div class="ag-scroll" tabindex="0">{self._code(first)}{folding}</div></section>'
        )

    def _code(self, listing: Listing) -> str:
        coloured = in_html([line.text for line in listing.lines])
        return f'<pre>{"".join(map(self._line, listing.lines, coloured))}</pre>'

    def _line(self, line: Line, coloured: str) -> str:
        number = '' if line.number is None else f' data-number="{line.number}"'
        # Where styles are not allowed, a note is a comment.
        gap = '<span class="ag-gap">  # </span>'
        note = f'{gap}<i>{html.escape(line.note)}</i>' if line.note else ''
        idle = f' class="idle" title="{_IDLE}"' if line.idle else ''
        return f'<span{idle}{number} {self._mark(line.places)}>{coloured}{note}\n</span>'

    def _mark(self, places: Sequence[Place]) -> str:
        if not places:
            return ''
        keys = ' '.join(
            f'{self._files.setdefault(filename, len(self._files))}:{number}'
            for filename, number in places
        )
        return f'data-at="{keys}"'


def _cause(concrete: ConcreteFunction) -> str:
    return concrete.cause.text if concrete.cause is not None else ''


def _truth(value: bool) -> str:
    return 'true' if value else 'false'


@cache
def _file(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding='utf-8')
