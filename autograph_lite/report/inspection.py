"""`Inspection`: everything that one function becomes, for people to look at."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..concrete import ConcreteFunction
from ..conversion import called_functions
from ..function import BoundFunction, Function
from .callees import converted_callees, listings, source_of_callees
from .correspondence import Correspondence
from .dot import dot, mermaid
from .lines import (
    Line,
    Listing,
    converted_lines,
    graph_lines,
    is_function,
    program_lines,
    signature,
    source_lines,
)
from .notes import annotated
from .page import fragment, page
from .svg import svg

# Of the traces of a function so many are shown, the last ones.
_MOST_TRACES = 8


@dataclass(frozen=True)
class Inspection:
    """A function with its source, converted source, and for each trace the graph and the program.

    Attributes:
      name: the function's name.
      function: the function as it was written; None where only the trace is known.
      traces: what it was traced for.
    """

    name: str
    function: Callable[..., Any] | None
    traces: tuple[ConcreteFunction, ...] = field(default=())

    @cached_property
    def source(self) -> list[Listing]:
        """The user's function, then what it calls, with the types of the last trace."""
        found = [Listing(self.name, source_lines(self.function))] if self.function else []
        if self.function and not self.traces:
            found += listings(called_functions(self.function), found, source_lines)
        for concrete in self.traces:
            found += source_of_callees(concrete, found)
        if not self.traces:
            return found
        return annotated(found, self.traces[-1], self.behind[-1])

    @cached_property
    def converted(self) -> list[Listing]:
        """The converted source of the function, then of what it calls."""
        if self.function is None:
            return []
        found = [Listing(self.name, converted_lines(self.function))]
        if not self.traces:
            found += listings(called_functions(self.function), found, converted_lines)
        for concrete in self.traces:
            found += converted_callees(concrete, found)
        return found

    @cached_property
    def behind(self) -> tuple[Correspondence, ...]:
        """For each trace, which of the user's lines became what."""
        return tuple(map(Correspondence.of_trace, self.traces))

    def __repr__(self) -> str:
        parts = [('source', _joined(self.source)), ('converted', _joined(self.converted))]
        for concrete, behind in zip(self.traces, self.behind, strict=True):
            graph = graph_lines(concrete.graph, behind)
            parts.append((f'graph of {signature(concrete)}', graph))
            parts.append(('program', program_lines(concrete.program, behind)))
        return '\n\n'.join(
            '\n'.join([f'── {title} '.ljust(78, '─'), *map(_as_text, lines)]).rstrip()
            for title, lines in parts
            if lines
        )

    def _repr_html_(self) -> str:
        return fragment(self)

    def picture(self, format: Literal['svg', 'dot', 'mermaid'] = 'svg') -> str:
        """The graph of the last trace as a picture.

        Args:
          format: SVG, or the text that Graphviz (`dot -Tsvg`) or Mermaid draws.

        Raises:
          ValueError: there is no trace, or no such format.
        """
        formats = {'svg': svg, 'dot': dot, 'mermaid': mermaid}
        if format not in formats:
            raise ValueError(f'There is no format {format!r}; there are {", ".join(formats)}.')
        if not self.traces:
            raise ValueError(f'{self.name} was not traced; inspect it with arguments.')
        return formats[format](self.traces[-1].graph)

    def save(self, path: str | Path) -> None:
        """Writes a page that needs nothing else: no network, no other file."""
        Path(path).write_text(page(self), encoding='utf-8')


def _as_text(line: Line) -> str:
    return f'{line.text}  # {line.note}' if line.note else line.text


def _joined(listings: Sequence[Listing]) -> list[Line]:
    """The lines of all, an empty one between."""
    return [line for listing in listings for line in (Line(''), *listing.lines)][1:]


def inspection(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Inspection:
    """What `ag.inspect` returns."""
    if not callable(f):
        raise TypeError(f'ag.inspect needs a function; {f!r} is not callable.')
    if isinstance(f, ConcreteFunction):
        written = f.python_function() if f.python_function else None
        return Inspection(f.name, written if is_function(written) else None, (f,))
    name: str = getattr(f, '__qualname__', type(f).__name__)
    traces: tuple[ConcreteFunction, ...]
    if args or kwargs:
        staged = f if isinstance(f, Function | BoundFunction) else Function(f)
        traces = (staged.get_concrete_function(*args, **kwargs),)
    else:
        traces = tuple(f.traces)[-_MOST_TRACES:] if isinstance(f, Function) else ()
    if not traces and not isinstance(f, Function):
        converted_lines(f)  # or it says at once why not
    # What was traced, or can be, is shown even if its source is nowhere.
    return Inspection(name, f if is_function(f) else None, traces)
