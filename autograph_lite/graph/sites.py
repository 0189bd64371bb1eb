"""Places in the user's code: where a node was made, and the variable that it is stored in."""
from __future__ import annotations

import dis
from bisect import bisect_right
from dataclasses import dataclass, replace
from types import CodeType

from ..errors import Location, location_at, once_by_code


@dataclass(frozen=True)
class CodeSite:
    """An instruction of code that ran; what it says of the source is worked out when asked for.

    `variable` is what the result is stored in where the code itself does not tell; '' for nothing.
    """

    code: CodeType
    instruction: int
    line: int
    variable: str | None = None
    callers: tuple[Site, ...] = ()

    def __hash__(self) -> int:  # not of all of the code, which may be large
        return hash((self.instruction, self.line, self.variable))

    @property
    def filename(self) -> str:
        """The user's file."""
        return self.code.co_filename

    @property
    def location(self) -> Location:
        """The place in the user's source."""
        return location_at(self.code, self.instruction, self.line)

    @property
    def stored(self) -> str | None:
        """The variable that the user's statement stores the result in, if any."""
        if self.variable is not None:
            return self.variable or None
        starts, stores = _stores(self.code)
        # While a call runs, its frame may stand anywhere in the call's instruction and its caches.
        return stores[bisect_right(starts, self.instruction) - 1]


@dataclass(frozen=True)
class SavedSite:
    """A place that outlives the code."""

    location: Location
    stored: str | None = None
    callers: tuple[Site, ...] = ()

    @property
    def filename(self) -> str:
        """The user's file."""
        return self.location.filename

    @property
    def line(self) -> int:
        """The line in that file."""
        return self.location.line


Site = CodeSite | SavedSite


def on_the_way(site: Site | None) -> Site | None:
    """The place of an intermediate result, which is not what the user's statement stores."""
    if isinstance(site, CodeSite):
        return replace(site, variable='')
    return replace(site, stored=None) if isinstance(site, SavedSite) else site


@once_by_code
def _stores(code: CodeType) -> tuple[list[int], list[str | None]]:
    """The start of each instruction, and the variable that the next one stores its result in."""
    starts: list[int] = []
    stores: list[str | None] = []
    has_value = False
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name.startswith('STORE_') and name not in ('STORE_SUBSCR', 'STORE_ATTR', 'STORE_SLICE'):
            variable = instruction.argval
            # Python 3.13 fuses a store with what follows it; the first variable is the stored one.
            if has_value and variable:
                stores[-1] = variable if isinstance(variable, str) else variable[0]
        has_value = name not in _NO_VALUE
        starts.append(instruction.offset)
        stores.append(None)
    return starts, stores


# After these the next store takes something other than what the user's expression gave.
_NO_VALUE = frozenset((
    'FOR_ITER', 'UNPACK_SEQUENCE', 'UNPACK_EX', 'COPY', 'DUP_TOP', 'SWAP', 'ROT_TWO', 'STORE_FAST',
    'STORE_NAME', 'STORE_GLOBAL', 'STORE_DEREF',
))  # fmt: skip
