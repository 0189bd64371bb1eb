"""Objects that a function makes and puts outside: each call makes its own, as Python does."""
from __future__ import annotations

import copy
import types
from dataclasses import dataclass

import numpy as np
import pytest

import autograph_lite as ag

XS = [np.array([1.0, 2.0]), np.array([3.0, 4.0]), np.array([-5.0, 6.0])]


class Thing:
    def __init__(self, value=None):
        self.value = value

    def __repr__(self):
        return f'Thing({vars(self)})' if self.value is not self else 'Thing(itself)'

    def add(self, number):
        self.value += number


class Plain:
    def __repr__(self):
        return f'Plain({vars(self)})'


class Slotted:
    __slots__ = ('value',)

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f'Slotted({self.value})'


@dataclass
class Pair:
    first: object
    second: object = 2


class Model:
    def __init__(self):
        self.state, self.other, self.parts, self.log = None, None, {}, []


Model.kept = Model()
A, B = Thing('A'), Thing('B')
KEPT = None


def an_attribute(model, x):
    model.state = Thing()


def a_tensor(model, x):
    model.state = Thing(x)


def a_class_without_code(model, x):
    model.state = Plain()
    model.state.value = x


def slots(model, x):
    model.state = Slotted(x.sum())


def a_dataclass(model, x):
    model.state = Pair(x)
    model.other = Pair(1)


def a_namespace(model, x):
    model.state = types.SimpleNamespace(a=x, b=types.SimpleNamespace(c=1))
    model.state.b.c += 1
    model.state.b.d = x.sum()
    return model.state.b.c


def no_more_than_itself(model, x):
    model.state = model.other = object()
    model.state, model.other = 'one' if model.state is model.other else 'two', None


def an_item(model, x):
    model.parts['state'] = Thing(x)


def in_a_list(model, x):
    model.state = [Thing(), {'x': Thing(x[0])}, (Thing(1), 2)]


def in_another(model, x):
    model.state = Thing(Thing([x, 1]))


def appended(model, x):
    model.log.append(Thing(1))
    model.log.append([Thing(x)])


def updated(model, x):
    model.parts.update(state=Thing(x))


def in_a_helper(model, x):
    model.state = made(x)
    put(model, made(3))


def made(value):
    return Thing(value)


def put(model, thing):
    model.other = thing


def two_names(model, x):
    thing = Thing(x)
    model.state = thing
    model.other = model.state
    model.log.append(thing)
    thing.value = thing.value * 2
    return model.state is model.other


def a_circle(model, x):
    model.state = Thing()
    model.state.value = model.state


def changed_later(model, x):
    model.state = Thing(0)
    model.state.value += 1
    model.state.more = x
    return model.state.value


def changed_by_a_method(model, x):
    model.state = Thing(0)
    model.state.add(2)
    return model.state.value


def changed_in_a_loop(model, x):
    thing = Thing(0.0)
    model.state = thing
    for v in x:
        thing.value += v
    return model.state.value


def changed_in_a_branch(model, x):
    model.state = Thing(x)
    if x[0] > 2:
        model.state.value = model.state.value * 2
    else:
        model.state.more = 1


def with_a_list(model, x):
    model.state = Thing([])
    model.state.value.append(x.sum())


def with_an_array_that_is_modified(model, x):
    z = x.copy()
    model.state = Thing([z])
    z[0] = 100


def in_a_branch(model, x):
    if x[0] > 2:
        model.state = Thing(x)
    else:
        model.state = Thing(x * 2)
    return model.state.value


def in_a_loop(model, x):
    for v in x:
        if v > 1.5:
            model.log.append(Thing([v]))


def changed_by_a_branch_in_the_branch(model, x):
    model.state = Thing()
    if x[0] > 0:
        model.state = Thing(x[0])
        if x[0] > 2:
            model.state.value = x[1]
        else:
            model.state.value += 1


def changed_by_a_loop_in_the_loop(model, x):
    for v in x:
        model.state = Thing(0.0)
        for k in x:
            model.state.value = model.state.value * v + k


def counted_on(model, x):
    model.state = Thing(model.state.value + 1 if model.state is not None else 0)


def put_and_taken_away(model, x):
    model.state = Thing(1)
    model.other = model.state
    model.state = None
    model.other.value = x


def a_global(model, x):
    global KEPT
    KEPT = Thing(x)
    model.state = (KEPT, 1)
    return KEPT is model.state[0]


def a_copy(model, x):
    model.state = Thing(x)
    model.other = copy.copy(model.state)
    model.other.value = 2


def returned(model, x):
    model.state = Thing(x)
    return model.state, [model.state]


def asked(model, x):
    model.state = Plain()
    model.state.value = x
    del model.state.value
    return hasattr(model.state, 'value')


def returned_alone(model, x):
    return Thing(Thing([1]))


def returned_twice(model, x):
    thing = Thing(x)
    return thing, [thing]


def returned_in_a_circle(model, x):
    thing = Thing()
    thing.value = thing
    return thing


def there_before(model, x):
    model.state, model.other = (A, B) if model.state is B else (B, A)
    model.parts['a'] = [A, model.log]


@pytest.mark.parametrize('f', [
    an_attribute, a_tensor, a_class_without_code, slots, a_dataclass, a_namespace,
    no_more_than_itself, an_item, in_a_list, in_another, appended, updated, in_a_helper, two_names,
    a_circle, changed_later, changed_by_a_method, changed_in_a_loop, changed_in_a_branch,
    with_a_list, with_an_array_that_is_modified, in_a_branch, in_a_loop,
    changed_by_a_branch_in_the_branch, changed_by_a_loop_in_the_loop, counted_on,
    put_and_taken_away, a_global, a_copy, returned, asked,
    returned_alone, returned_twice, returned_in_a_circle, there_before,
], ids=lambda f: f.__name__)  # fmt: skip
def test_each_call_makes_its_own(f):
    expected = list(outcomes(f))
    assert list(outcomes(ag.function(f))) == expected


def outcomes(f):
    global KEPT
    model, before, KEPT = Model(), [], None
    for x in XS:
        result = f(model, x)
        held = [result, model.state, model.other, model.parts, model.log, KEPT]
        now = [each for value in held for each in things(value)]
        yield repr(held), [[one is other for one in now] for other in (*before, *now, A, B)]
        before += now


def things(value):
    """The objects in a nest, and the nest itself, and what they hold."""
    if isinstance(value, list | tuple | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from things(part)
    if isinstance(value, Thing | Plain | Slotted | Pair | types.SimpleNamespace | list):
        yield value
    if isinstance(value, Thing) and value.value is not value:
        yield from things(value.value)


def test_what_python_set_it_to_meanwhile_is_not_kept():
    @ag.function
    def f(x):
        model.state = A
        return x

    model = Model()
    for _ in range(3):
        model.state = None
        f(XS[0])
        assert model.state is A
    assert f.tracing_count == 1


def test_asking_of_one_does_not_trace_anew():
    f = ag.function(asked)
    for x in XS:
        f(Model.kept, x)
    assert f.tracing_count == 1


def made_before(model, x):
    thing = Thing(x)
    if x[0] > 0:
        model.state = thing


def chosen(model, x):
    model.state = A if x[0] > 0 else B


def chosen_again(model, x):
    if x[0] > 0:
        model.state = Thing(1)
    else:
        model.state = Thing(2)
    model.other = model.state


@pytest.mark.parametrize(('f', 'match'), [
    (made_before, 'Make it within the branch'), (chosen, 'only the running graph knows which Thing|'
     'Only the running graph knows which Thing'), (chosen_again, 'Let an attribute hold it'),
])  # fmt: skip
def test_one_that_a_block_may_or_may_not_put_there_is_refused(f, match):
    model = Model()
    with pytest.raises(ag.errors.OwnershipError, match=match):
        ag.function(f)(model, XS[0])
    assert (model.state, model.other) == (None, None)


class Finalized(Thing):
    def __del__(self):
        pass


class Stack(list):
    pass


@pytest.mark.parametrize('kind', [Finalized, Stack])
def test_one_that_is_more_than_its_attributes_is_refused(kind):
    @ag.function
    def f(x):
        model.state = kind()

    model = Model()
    with pytest.raises(ag.errors.OwnershipError, match='more than its attributes'):
        f(XS[0])
    assert model.state is None


@pytest.mark.parametrize('make', [
    lambda x: iter([x]), lambda x: iter([1]), lambda x: (v for v in [1]), lambda x: map(abs, [1]),
    lambda x: zip([x]), lambda x: reversed([1]), lambda x: Thing(x).add, lambda x: Thing(1).add,
])  # fmt: skip
def test_what_python_makes_of_it_is_refused(make):
    @ag.function
    def f(x):
        model.state = make(x)

    model = Model()
    with pytest.raises(ag.errors.OwnershipError, match="that the function makes"):
        f(XS[0])
    assert model.state is None


@ag.do_not_convert
def found():
    return A


def test_what_python_gives_is_not_made():
    @ag.function
    def f(x):
        model.state = found()
        model.log.append(found())

    model = Model()
    for _ in range(2):
        f(XS[0])
        assert model.state is model.log[-1] is A
