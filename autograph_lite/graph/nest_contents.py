"""What the lists, dicts and dataclasses of a nest hold: noted, compared with later, given back."""
from __future__ import annotations

from typing import Any

from .nest import LEAVES, Mutable, actual, is_plain_dataclass, parts_of

Contents = list[tuple[Any, Any]]


def contents(nest: Any) -> Contents:
    """What the lists, dicts and dataclasses of the nest hold now, for `restore`.

    Raises:
      StagingError: it holds itself.
    """
    try:
        return _contents(nest)
    except RecursionError:
        from .endless_nests import check_has_end

        check_has_end(nest)
        raise


def _contents(nest: Any) -> Contents:
    found: Contents = []
    if type(nest) in LEAVES:
        return found
    nest = actual(nest)
    parts = parts_of(nest)
    if isinstance(nest, (list, dict, Mutable)) or (parts and is_plain_dataclass(nest)):
        found.append((nest, content(nest)))
    for child in parts[1] if parts else ():
        found += _contents(child)
    return found


def content(container: Any) -> Any:
    """What a list, dict or dataclass holds now, as a list or dict of its own."""
    if isinstance(container, Mutable):
        return container.content()
    if isinstance(container, (list, dict)):
        return container.copy()
    keys, parts = parts_of(container) or ((), [])
    return dict(zip(keys, parts, strict=True))


def holds(container: Any, before: Any) -> bool:
    """Whether a list, dict or dataclass still holds the very same, a dict in the same order."""
    now = container if isinstance(container, (list, dict)) else content(container)
    if len(now) != len(before):
        return False
    if isinstance(now, dict):
        pairs = zip(now.items(), before.items(), strict=True)
        return all(a == b and x is y for (a, x), (b, y) in pairs)
    return all(a is b for a, b in zip(now, before, strict=True))


def restore(held: Contents) -> None:
    """Gives lists, dicts and dataclasses back what they held."""
    for container, before in held:
        if isinstance(container, Mutable):
            container.restore(before)
            continue
        if not isinstance(container, (list, dict)):
            for key, value in before.items():
                object.__setattr__(container, key, value)
            continue
        container.clear()
        if isinstance(container, dict):
            container.update(before)
        else:
            container.extend(before)
