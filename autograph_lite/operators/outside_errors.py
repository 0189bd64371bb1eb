"""The errors for what lives outside of a traced function, which a graph cannot change."""
from __future__ import annotations

import io
import types
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from typing import Any

from ..errors import (
    Location,
    OwnershipError,
    as_written,
    describe,
    kind_of,
    user_location,
    with_article,
)
from ..graph import nest
from ..graph.advice import change_in_its_place
from ..pyct.assignments import setting_of
from .progress import Collection
from .set_variables import Variable, is_namespace

# What is one for everybody.
SHARED = (type, types.ModuleType, types.FunctionType)


def modifies_outside(
    container: Any, name: str = '', attribute: str = '', location: Location | None = None
) -> OwnershipError:
    """The error for what is not the traced function's to change.

    Args:
      container: the object, list or dict.
      name: what the user calls it.
      attribute: of an object, which attribute.
      location: where, if it is known better than that it is in this block.
    """
    what = f'A staged block modifies {attribute!r} of' if attribute else 'A staged block modifies'
    here = location or user_location()
    if here is not None and attribute and location is None:
        here = setting_of(attribute, here)
    return not_ours(what, container, here, name)


def not_ours(
    what: str, container: Any, location: Location | None, name: str = ''
) -> OwnershipError:
    """The error for what happens to a container or an object that lives outside."""
    kind = f'{name}, {kind_of(container)},' if name else kind_of(container)
    return OwnershipError(
        describe(
            f'{what} {kind} that lives outside the function; the graph would not do so when it '
            'runs.',
            location,
            _fix(container),
        )
    )


def _fix(container: Any) -> str:
    """What to write instead of changing it."""
    if isinstance(container, io.IOBase):
        return 'Read it before the branch or the loop, or in an `ag.py_function`.'
    if isinstance(container, Iterator):
        return 'Pass what it goes through, and make the iterator in the function.'
    if isinstance(container, set | deque | Counter | defaultdict):
        return _CHANGE_A_COPY
    if isinstance(container, list | dict):
        return (
            'Give it to the function as an argument; or change it by the name that it has outside, '
            'what is in it by its key or index, as in `for k in range(len(rows)): '
            'rows[k].append(v)`; or make it in the function and return it. '
            f'{change_in_its_place(type(container).__name__)}.')
    if isinstance(container, types.FunctionType):
        return f'{KEEP_OUTSIDE}.'
    return 'Make it in the function and return it, or keep state in an `ag.Variable`.'


KEEP_OUTSIDE = (
    'Let what the function closes over be an attribute of an object that lives outside, which it '
    'reads and sets')
_CHANGE_A_COPY = 'Change a copy, and return it: `seen = seen.copy()` first.'


def sets_outside(owner: Any, name: str, location: Location | None) -> OwnershipError:
    """The error for a staged block that sets something outside.

    Args:
      owner: the object, container, class, module, function or namespace.
      name: the attribute, or the variable of a module; empty for an item.
      location: where it does so.
    """
    if is_namespace(owner) and name:
        return sets_variable(name, location)
    if not isinstance(owner, SHARED):
        return modifies_outside(owner, attribute=name, location=location)
    return OwnershipError(
        describe(
            f'A staged block sets {name!r} of {_shared(owner)}; the graph would not do so when it '
            'runs.',
            location,
            'Use a variable of the function, and return it; or let the attribute be an '
            '`ag.Variable`, and call its `assign`.',
        )
    )


def _shared(owner: Any) -> str:
    kind = 'class' if isinstance(owner, type) else type(owner).__name__
    return f'the {kind} {owner.__name__!r}'


def sets_variable(name: str, location: Location | None = None) -> OwnershipError:
    """The error for a variable that a function sets which a staged block calls."""
    return OwnershipError(
        describe(
            f'A staged block sets the variable {name!r} in a function that it calls; the graph '
            'would not do so when it runs.',
            location or user_location(),
            'Let the function return the new value, and assign it in the block.',
        )
    )


def names_by_python(variable: Variable, location: Location | None) -> OwnershipError:
    """The error for a name outside that code sets in a staged block which Python itself calls."""
    owner = variable.owner
    name = f'{variable.name!r} of {_shared(owner)}' if owner else f'the variable {variable.name!r}'
    return OwnershipError(
        describe(
            f'A staged block runs code that sets {name}, which Python does while tracing, '
            'whichever way the graph takes.',
            location or user_location(),
            'Call that code by its name in the block, as in `x.__copy__()` for `copy.copy(x)`; or '
            'let Python run it before the block.',
        )
    )


def attribute_becomes_a_tensor(variable: Variable, location: Location | None) -> OwnershipError:
    """The error for an attribute that everybody shares and that holds a tensor at the end."""
    return OwnershipError(
        describe(
            f'The attribute {variable.name!r} of {_shared(variable.owner)} becomes a tensor; the '
            'graph would not set it when it runs.',
            location,
            'Return the new value; or let the attribute be an `ag.Variable`, and call its '
            '`assign`.',
        )
    )


def sets_of_some(owner: Any, name: str) -> OwnershipError:
    """The error for an attribute of a class that only some of what reads it there have, perhaps."""
    shown = f'{owner.__name__}.{name}'
    return OwnershipError(
        describe(
            f'{shown!r} is set here, after a branch or a loop has given what reads it there an '
            'attribute of its own, perhaps: which of them it reads then only the running graph '
            'knows.',
            user_location(),
            f'Give it its own before the branch, as by `c.{name} = c.{name}`; or set {shown!r} '
            'before.',
        )
    )


def set_by_python(name: str) -> OwnershipError:
    """The error for a variable that a Python function sets which the running graph calls."""
    return OwnershipError(
        describe(
            f'The variable {name!r} is read here, after a Python function has set it that the '
            'graph calls when it runs.',
            user_location(),
            f'Let the function return what {name!r} is to be, and set it from the result of '
            '`ag.py_function`.',
        )
    )


def looked_at(name: str) -> OwnershipError:
    """The error for a variable that a property or an operator looks at in a block that sets it."""
    return OwnershipError(
        describe(
            f'The variable {name!r}, which lives outside the function, is looked at here by code '
            'that a branch or a loop runs which sets it, without calling a function.',
            user_location(),
            f'Call a function or a method that looks at {name!r}.',
        )
    )


def puts_given(
    x: Any, name: str, location: Location | None = None, is_of_made: bool = False
) -> OwnershipError:
    """The error for what is set to a container that the function is given, or to what holds one.

    Args:
      x: the container.
      name: the variable; empty for a container into which it is put.
      location: where, if it is known better than that it is here.
      is_of_made: whether that is an attribute of an object that the function makes.
    """
    what = f'The variable {name!r}, which lives outside the function, is set to'
    if is_of_made:
        what = f'The attribute {name!r} of an object that the function makes and gives away is'
    elif not name:
        what = 'Into what lives outside the function is put'
    given = x.python_class() if isinstance(x, Collection) else x
    copied = 'x.copy()' if hasattr(given, 'copy') else 'copy.copy(x)'
    return OwnershipError(describe(
        f'{what} {kind_of(given)} that the function is given, or what holds one; the graph would '
        'put another one there.',
        location or user_location(),
        f'Put a copy there yourself, `{copied}`; or return what is to be there, and put it there '
        'where the function is called.'))


def holds_an_argument(name: str, location: Location | None) -> OwnershipError:
    """The error for an attribute of an object that the program makes, which is such an argument."""
    return OwnershipError(
        describe(
            f'The attribute {name!r} of an object that the function makes and gives away is what '
            'may be an argument that is modified in place, a captured array that is, or a view of '
            'one.',
            location,
            'Work on a copy: write `x = x.copy()` before the object is made of it.',
        )
    )


def becomes_an_argument(name: str, location: Location | None) -> OwnershipError:
    """The error for what is set to an argument that the function modifies in place.

    Args:
      name: the variable; empty for a container into which the argument is put.
      location: where.
    """
    what = f'The variable {name!r}, which lives outside the function, is set to'
    own = as_written(name, location)
    return OwnershipError(
        describe(
            f'{what if name else "Into what lives outside the function is put"} what may be an '
            'argument that is modified in place, a captured array that is, or a view of one.',
            location,
            f'Set it to a copy, `{own} = x.copy()`; or where it is perhaps its own array, write '
            f'`{own} = {own}.copy()` first.' if name else 'Put a copy there: `x.copy()`.',
        )
    )


def read_after_change(container: Any, types: Sequence[Any] = ()) -> OwnershipError:
    """The error for a container outside that is read after the graph has changed it.

    Args:
      container: the container.
      types: those of its elements, where they are known and do not fit each other.
    """
    kind = type(container).__name__
    what = (
        f'{with_article(kind, begins=True)} that lives outside the function is read here after the '
        'function has changed it; what is in it then only the running graph knows')
    fix = (
        f'Give the {kind} to the function as an argument; or read of it what is needed before '
        'anything changes it.')
    if type(container) not in (list, dict):
        fix = _CHANGE_A_COPY
    elif types:
        what += f', and it is of several types: {"; ".join(sorted(map(str, types)))}'
        fix = f'Put elements of one type into it, or tuples of one form; or g{fix[1:]}'
    return OwnershipError(describe(f'{what}.', user_location(), fix))


def changed_by_both(container: Any, location: Location | None) -> OwnershipError:
    """The error for a container outside that Python changes, too, while tracing."""
    kind = type(container).__name__
    return OwnershipError(
        describe(
            f'A {kind} that lives outside the function is changed by Python while tracing, and by '
            'the graph when it runs.',
            location,
            f'Let no generator and no code that is called as it is change that {kind}, and call '
            'its methods by their names.',
        )
    )


def sets_both(name: str, location: Location | None) -> OwnershipError:
    """The error for a variable outside that becomes an object, and what only the graph knows."""
    return OwnershipError(
        describe(
            f'The variable {name!r}, which lives outside the function, is set to an object, which '
            'Python does while tracing, and to numbers or arrays, which the graph does when it '
            'runs.',
            location,
            'Let two variables have them.',
        )
    )


def set_by_both(name: str) -> OwnershipError:
    """The error for what code sets that Python runs, and then a branch or a loop."""
    return OwnershipError(describe(
        f'{name!r}, which lives outside the function, is set in a branch or a loop, and before '
        'that by a generator or other code that does not convert.',
        user_location(),
        'Let a class with the methods `__enter__` and `__exit__`, or `__iter__` and `__next__`, '
        'do what the generator does; or set it there by a statement of the function.'))


def sets_one_of_two(name: str, location: Location | None) -> OwnershipError:
    """The error for a variable outside that a branch or a loop sets to another object."""
    return OwnershipError(
        describe(
            f'The variable {name!r}, which lives outside the function, is set to an object in a '
            'branch or a loop; Python does that while tracing, whichever way the graph takes.',
            location,
            'Keep the objects in a list, and set the variable to the index of one of them.',
        )
    )


def chosen_object(x: Any, name: str) -> OwnershipError:
    """The error for what is put outside, and which of several it is only the running graph knows.

    Args:
      x: the object.
      name: what the user calls the variable that is set to it; empty for a container.
    """
    place = as_written(name, user_location())
    copied = f'; or change a copy from the start, `own = copy.copy({place})`, and put that there '
    copied += f'in the end: `{place} = own`.'
    what = f'Only the running graph knows which {type(x).__name__} this is'
    return OwnershipError(describe(
        f'{what} that is put into what lives outside the function.', user_location(),
        'Let an attribute hold it, and set that on each way: `if c: o.x = a`, `else: o.x = b`'
        + (copied if name else '.')))


def made_once(name: str, value: Any, location: Location | None) -> OwnershipError:
    """The error for a variable outside that is set to what Python makes once, while tracing."""
    made = value.python_class() if isinstance(value, Collection) else value
    kind = f'a {nest.kind_of(made).__name__}' if isinstance(made, nest.Nest) else kind_of(made)
    return OwnershipError(describe(
        f'The variable {name!r}, which lives outside the function, is set to {kind} that the '
        'function makes; the graph would not make it when it runs.',
        location,
        f'Let {name!r} hold what that is made of, a list or an object, and make it where it is '
        'used.'))


def variable_becomes_a_tensor(name: str, location: Location | None) -> OwnershipError:
    """The error for a variable outside that holds a tensor at the end."""
    return OwnershipError(
        describe(
            f'The variable {name!r}, which lives outside the function, becomes a tensor, or what '
            'holds one; the graph would not set it when it runs.',
            location,
            f'Return the new value, and set {name!r} where the function is called; or assign to it '
            'an array, a number, a text, or a tuple or a new list of such. Of what has lists in '
            "it, change what is there, `rows.append(row)`, `d['a'] = [x]`; give a list in a tuple "
            'an attribute of its own.',
        )
    )


def taken_in_vain(iterator: Any, location: Location | None) -> OwnershipError:
    """The error for an iterator that a trace has taken from which has to begin anew."""
    return OwnershipError(describe(
        f'What is taken here from {kind_of(iterator)} outside cannot be put back, and the trace '
        'has to begin anew.',
        location,
        'Take it by `next(...)` or by a `for` statement, or before the call.'))
