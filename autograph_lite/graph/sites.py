"""Where in the user's code a node was made."""
from __future__ import annotations

import dis
from bisect import bisect_right
from dataclasses import dataclass, replace
from types import CodeType
from typing import Any, Protocol

from ..errors import Location, location_at
from ..pyct.codes import once_by_code


class Site(Protocol):
    """A place in the user's code."""

    @property
    def filename(self) -> str:
        """The user's file."""

    @property
    def line(self) -> int:
        """The line in that file."""

    @property
    def location(self) -> Location:
        """The place in the user's source."""

    @property
    def stored(self) -> str | None:
        """The variable that the user's statement stores the result in, if any."""

    @property
    def callers(self) -> tuple[Site, ...]:
        """The calls of the user's functions around, the innermost first."""

    @property
    def returned(self) -> int:
        """From how many of these calls the result is returned."""


@dataclass(frozen=True)
class CodeSite:
    """An instruction of code that ran; what it says of the source is worked out when asked for.

    `variable` is what the result is stored in where the code itself does not tell; empty where that
    is nothing.
    """

    code: CodeType
    instruction: int
    line: int
    variable: str | None = None
    callers: tuple[Site, ...] = ()
    returned: int = 0

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
        own = stores[bisect_right(starts, self.instruction) - 1]
        returned = (call.stored for call in self.callers[: self.returned])
        return own or next(filter(None, returned), None)


@dataclass(frozen=True)
class SavedSite:
    """A place that outlives the code."""

    location: Location
    stored: str | None = None
    callers: tuple[Site, ...] = ()
    returned: int = 0

    @property
    def filename(self) -> str:
        """The user's file."""
        return self.location.filename

    @property
    def line(self) -> int:
        """The line in that file."""
        return self.location.line


def on_the_way(site: Site | None) -> Site | None:
    """The place of what is made on the way to a result that the user's statement stores."""
    if isinstance(site, CodeSite):
        return replace(site, variable='', returned=0)
    return replace(site, stored=None, returned=0) if isinstance(site, SavedSite) else site


def alone(site: Site) -> Site:
    """The place without the calls around it."""
    return replace(site, callers=(), returned=0)  # type: ignore[type-var]  # both are dataclasses


@dataclass(frozen=True)
class Handed:
    """A value that a block passes on, or is passed: the place of what is made for no operation.

    Attributes:
      site: where the control flow stands that the block is of; None for the whole function.
      role: the block; 'before' for what a loop begins with, '' for what the whole is given.
      name: the variable.
    """

    site: Site | None
    role: str
    name: str = ''


def is_returned_at(code: CodeType, instruction: int) -> bool:
    """Whether what an instruction of a function gives is what the function returns."""
    starts, instructions = _instructions(code)
    return instructions[bisect_right(starts, instruction)][0] == 'RETURN_VALUE'


def unpacked_at(call: CodeSite) -> list[str]:
    """The variables that what an instruction gives is unpacked into, if all are variables."""
    starts, instructions = _instructions(call.code)
    following = instructions[bisect_right(starts, call.instruction) :]
    if following[0][0] == 'LOAD_CONST' and isinstance(following[0][1], tuple):
        # It is looked at first how that can be unpacked.
        following = [each for each in following[1:] if not each[0].startswith(_CALLS)]
    (name, count), *following = following
    if name != 'UNPACK_SEQUENCE':
        return []
    found: list[str] = []
    for name, argument in following:
        if len(found) >= count:
            break
        if not name.startswith('STORE_') or name in _NO_VARIABLE:
            return []
        # Python 3.13 stores two at once.
        found += [argument] if isinstance(argument, str) else argument
    return found


def named_at(site: CodeSite) -> str | None:
    """The variable that `:=` gives what an instruction gives, if any."""
    starts, instructions = _instructions(site.code)
    after = bisect_right(starts, site.instruction)
    copied, (name, argument) = instructions[after], instructions[min(after + 1, len(starts))]
    if copied[0] not in _COPIES or not name.startswith('STORE_') or name in _NO_VARIABLE:
        return None
    return argument if isinstance(argument, str) else argument[0]


@once_by_code
def _instructions(code: CodeType) -> tuple[list[int], list[tuple[str, Any]]]:
    """The start of each instruction, its name and its argument; None after the last."""
    found = list(dis.get_instructions(code))
    return [each.offset for each in found], [*((i.opname, i.argval) for i in found), ('', None)]


@once_by_code
def _stores(code: CodeType) -> tuple[list[int], list[str | None]]:
    """The start of each instruction, and the variable that the next one stores its result in."""
    starts: list[int] = []
    stores: list[str | None] = []
    has_value = False
    for instruction in dis.get_instructions(code):
        name = instruction.opname
        if name.startswith('STORE_') and name not in _NO_VARIABLE:
            variable = instruction.argval
            # Python 3.13 fuses a store with what follows it; the first variable is the stored one.
            if has_value and variable:
                stores[-1] = variable if isinstance(variable, str) else variable[0]
        has_value = name not in _NO_VALUE
        starts.append(instruction.offset)
        stores.append(None)
    return starts, stores


_COPIES = ('COPY', 'DUP_TOP')
_CALLS = ('CALL', 'PRECALL')
_NO_VARIABLE = ('STORE_SUBSCR', 'STORE_ATTR', 'STORE_SLICE')
# After these the next store takes something other than what the user's expression gave.
_NO_VALUE = frozenset(
    {
        *('FOR_ITER', 'UNPACK_SEQUENCE', 'UNPACK_EX', 'COPY', 'DUP_TOP', 'SWAP', 'ROT_TWO'),
        *('STORE_FAST', 'STORE_NAME', 'STORE_GLOBAL', 'STORE_DEREF'),
    }
)
