"""`Inspection`: everything that one function becomes, for people to look at."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from ..concrete import ConcreteFunction
from ..function import BoundFunction, Function
from .callees import converted_callees, listings, named_callees, source_of_callees
from .lines import (
    Line,
    Listing,
    converted_lines,
    graph_lines,
    is_function,
    program_lines,
    source_lines,
)
from .notes import annotated

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
            found += listings(named_callees(self.function), found, source_lines)
        for concrete in self.traces:
            found += source_of_callees(concrete, found)
        return annotated(found, self.traces[-1]) if self.traces else found

    @cached_property
    def converted(self) -> list[Listing]:
        """The converted source of the function, then of what it calls."""
        if self.function is None:
            return []
        found = [Listing(self.name, converted_lines(self.function))]
        if not self.traces:
            found += listings(named_callees(self.function), found, converted_lines)
        for concrete in self.traces:
            found += converted_callees(concrete, found)
        return found

    def __repr__(self) -> str:
        parts = [('source', _joined(self.source)), ('converted', _joined(self.converted))]
        for concrete in self.traces:
            parts.append((f'graph of {signature(concrete)}', graph_lines(concrete.graph)))
            parts.append(('program', program_lines(concrete.program)))
        return '\n\n'.join(
            '\n'.join([f'── {title} '.ljust(78, '─'), *map(_as_text, lines)]).rstrip()
            for title, lines in parts
            if lines
        )

    def _repr_html_(self) -> str:
        from .page import fragment

        return fragment(self)

    def picture(self, format: Literal['svg', 'dot', 'mermaid'] = 'svg') -> str:
        """The graph of the last trace as a picture.

        Args:
          format: SVG, or the text that Graphviz (`dot -Tsvg`) or Mermaid draws.

        Raises:
          ValueError: there is no trace.
        """
        from .dot import dot, mermaid
        from .svg import svg

        if not self.traces:
            raise ValueError(f'{self.name} was not traced; inspect it with arguments.')
        return {'svg': svg, 'dot': dot, 'mermaid': mermaid}[format](self.traces[-1].graph)

    def save(self, path: str | Path) -> None:
        """Writes a page that needs nothing else: no network, no other file."""
        from .page import page

        Path(path).write_text(page(self), encoding='utf-8')


def _as_text(line: Line) -> str:
    return f'{line.text}  # {line.note}' if line.note else line.text


def _joined(listings: Sequence[Listing]) -> list[Line]:
    """The lines of all, an empty one between."""
    return [line for listing in listings for line in (Line(''), *listing.lines)][1:]


def inspection(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Inspection:
    """What `ag.inspect` returns."""
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
    # What was traced can be shown even if its source is nowhere.
    return Inspection(name, f if not traces or is_function(f) else None, traces)


def signature(concrete: ConcreteFunction) -> str:
    """The trace in one line: `f(x: float64[3], n=2)`."""
    shown = [
        f'{leaf.path}: {leaf.type}' if leaf.type else f'{leaf.path}={leaf.value!r}'
        for leaf in concrete.leaves
        if leaf.path != 'self'
    ]
    return f'{concrete.name}({", ".join(shown)})'
