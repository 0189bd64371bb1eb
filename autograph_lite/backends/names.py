"""Names in the lowered program: the user's own where they are known, none twice."""
from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Collection, Iterable

_RESERVED = frozenset({'np', 'math', *dir(builtins), *keyword.kwlist, *keyword.softkwlist})


class Names:
    """Hands out names; each only once.

    Args:
      outer: the names of the function in whose place another one is written.
      taken: names that are global already.
    """

    def __init__(self, outer: Names | None = None, taken: Iterable[str] = ()) -> None:
        self._outer = outer
        self._counts: dict[str, int] = dict.fromkeys(taken, 1)

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

    def fresh_global(self, wish: str, avoid: str = '') -> str:
        """A name that no function around here has for something else."""
        name = self.fresh(wish)
        while name == avoid or (self._outer is not None and not self._outer.reserve(name)):
            name = self.fresh(wish)
        return name

    def reserve(self, name: str) -> bool:
        """Takes a name, here and around here; whether it was free."""
        if name in self._counts or (self._outer is not None and not self._outer.reserve(name)):
            return False
        self._counts[name] = 1
        return True

    def free(self, wish: str, kind: str) -> str:
        """The name, with its kind behind it if it is taken."""
        return f'{wish}_{kind}' if identifier(wish) in self._counts else wish

    def function(self, wish: str, globals_: Collection[str]) -> str:
        """A name for the function, which is apart only from the other globals."""
        base = identifier(wish)
        return self.fresh(wish) if base in _RESERVED or base in globals_ else base


def identifier(text: str) -> str:
    """The text as a Python name: `self.x` becomes `self_x`."""
    name = re.sub(r'\W+', '_', text).strip('_') or 'value'
    return f'_{name}' if name[0].isdigit() else name
