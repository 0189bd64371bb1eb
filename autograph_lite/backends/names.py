"""Names in the lowered program: the user's own where they are known, none twice."""
from __future__ import annotations

import builtins
import dis
import keyword
import re
from bisect import bisect_right
from collections.abc import Collection
from functools import lru_cache
from types import CodeType

from ..graph.graph import Site, Value

_RESERVED = frozenset({'np', 'math', *dir(builtins), *keyword.kwlist, *keyword.softkwlist})


class Names:
    """Hands out names; each only once."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """The name itself, or with a number behind it if it is taken."""
        base = identifier(wish)
        count = self._counts.get(base, 1 if base in _RESERVED else 0)
        name = f'{base}_{count}' if count else base
        while count and name in self._counts:
            count += 1
            name = f'{base}_{count}'
        self._counts[base] = count + 1
        self._counts.setdefault(name, 1)
        return name

    def function(self, wish: str, globals_: Collection[str]) -> str:
        """A name for the function, which is apart only from the other globals."""
        base = identifier(wish)
        return self.fresh(wish) if base in _RESERVED or base in globals_ else base


def identifier(text: str) -> str:
    """The text as a Python name: `self.x` becomes `self_x`."""
    name = re.sub(r'\W+', '_', text).strip('_') or 'value'
    return f'_{name}' if name[0].isdigit() else name


def base_name(value: Value) -> str:
    """The name of a value without the numbers that made it unique in its graph."""
    return re.sub(r'(?<=.)(_\d+)+$', '', value.name)


def stored_name(site: Site | None) -> str | None:
    """The variable that the user's statement gives the value of this instruction to, if any."""
    if site is None or site.instruction < 0:
        return None
    starts, stores = _stores(site.code)
    # While a call runs, its frame may stand anywhere in the call's instruction and its caches.
    return stores[bisect_right(starts, site.instruction) - 1]


@lru_cache(maxsize=256)
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
_NO_VALUE = frozenset(
    {
        *('FOR_ITER', 'UNPACK_SEQUENCE', 'UNPACK_EX', 'COPY', 'DUP_TOP', 'SWAP', 'ROT_TWO'),
        *('STORE_FAST', 'STORE_NAME', 'STORE_GLOBAL', 'STORE_DEREF'),
    }
)
