"""Debuggers and coverage are told of each of the user's lines that a graph is made of."""
from __future__ import annotations

import bdb
import gc
import linecache
import os
import sys

import numpy as np
import pytest

import autograph_lite as ag


def continues(x):
    s = 0.0
    for v in x:
        if v < 0:
            s -= 1
            continue
        if v > 100:
            pass
        else:
            s += v
    return s


def breaks(x):
    i = 0
    while True:
        i += 1
        if i > x[0]:
            break
    return i


def asks_first(x):
    n = 0
    while True:
        if n > x[0]:
            break
        n += 1
    return n


def breaks_or_goes_on(x):
    n = 0
    for v in x:
        if v > 2:
            n += 1
            break
        elif v > 1:
            pass
        else:
            continue
        n += 2
    else:
        n = -1
    return n


def gives_a_value(x):
    match x[0]:
        case 1:
            return 10
        case 2 | 3:
            return 20
        case _:
            return 30


def sets_a_name(x):
    y = 0
    match x[0]:
        case 1:
            y = 10
        case 2:
            pass
        case _:
            y = 30
    return y


def goes_on_in_python(x):
    for i in range(3):
        if i == 1:
            continue
        x = x + i
    return x


def ends_with_breaks(x):
    n = 0
    for v in x:
        if v > 2:
            break
    else:
        n = 1
    for v in x:
        if v > 1:
            if v > 4:
                break
        elif v < 0:
            break
    while n < 3:
        n += 1
        if x[0] > n:
            break
    return n


ARRAYS = [np.array([1.0, -1.0, 200.0]), np.array([2.0, 1.5]), np.array([5.0, 3.0])]
FUNCTIONS = [
    continues, breaks, asks_first, breaks_or_goes_on, gives_a_value, sets_a_name, goes_on_in_python,
    ends_with_breaks,
]  # fmt: skip


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_what_runs_in_python_is_run_while_tracing(f):
    expected = set().union(*(lines_run(f, f, x) for x in ARRAYS))
    graph = ag.function(f)
    assert expected <= set().union(*(lines_run(f, graph, x) for x in ARRAYS))


@pytest.mark.parametrize('f', FUNCTIONS, ids=lambda f: f.__name__)
def test_converted_code_runs_the_lines_that_python_runs(f):
    converted = ag.to_graph(f)
    for x in ARRAYS:
        expected, found = lines_run(f, f, x), lines_run(f, converted, x)
        assert expected <= found
        extra = {linecache.getline(__file__, line).strip() for line in found - expected}
        # Where a branch is defined, which nobody counts, and where a test becomes a flag.
        assert extra <= {'else:', 'break'}


def asks_a_flag(x, debug=False):
    total = x[0]
    if debug:
        total = 77.0
    for i in range(2):
        if debug:
            return total
        if debug:
            total += i
            continue
        total = total * 2
    while debug:
        total = 1.0
    return total + 1


def test_what_python_does_not_come_to_is_not_run():
    code = asks_a_flag.__code__
    taken = lines_run(asks_a_flag, asks_a_flag, ARRAYS[0])
    assert lines_run(asks_a_flag, ag.function(asks_a_flag), ARRAYS[0]) == taken
    assert code.co_firstlineno + 3 not in taken


def lines_run(f, run, x):
    """The lines of a function that are run by a call."""
    code, found = f.__code__, set()
    last = max(line for _, _, line in code.co_lines() if line)

    def tell(frame, event, _):
        if frame.f_code.co_filename != code.co_filename:
            return None
        if event == 'line' and code.co_firstlineno < frame.f_lineno <= last:
            found.add(frame.f_lineno)
        return tell

    outer = sys.gettrace()
    sys.settrace(tell)
    try:
        run(x)
    finally:
        sys.settrace(outer)
    return found


class Steps(bdb.Bdb):
    """A debugger that steps on from a breakpoint, by one command or the other."""

    def __init__(self, command):
        super().__init__()
        self.command = command
        self.begun = False
        self.stops = []

    def user_line(self, frame):
        self.begun |= self.break_here(frame)
        self._go_on(frame)

    def user_return(self, frame, value):
        self._go_on(frame)

    def _go_on(self, frame):
        if not self.begun:
            self.set_continue()
            return
        self.stops.append((frame.f_code.co_filename, frame.f_lineno))
        getattr(self, self.command)(*([frame] if self.command == 'set_next' else []))


@pytest.mark.parametrize('command', ['set_next', 'set_step'])
def test_a_debugger_steps_through_the_users_code(command):
    code = breaks_or_goes_on.__code__
    debugger, graph = Steps(command), ag.function(breaks_or_goes_on)
    first = code.co_firstlineno + 4  # n += 1, in a branch in a loop
    assert debugger.set_break(code.co_filename, first) is None
    outer = sys.gettrace()
    gc.disable()  # others' callbacks of the collector would be stepped through, too
    try:
        assert debugger.runcall(graph, ARRAYS[0]) == breaks_or_goes_on(ARRAYS[0])
    finally:
        gc.enable()
        debugger.clear_all_breaks()
        sys.settrace(outer)
    inside = range(code.co_firstlineno, code.co_firstlineno + 13)
    places = [stop for stop in debugger.stops if stop[1] in inside]
    assert places[0] == (code.co_filename, first)
    assert len(set(places)) > 1
    until = debugger.stops.index(places[-1])
    assert {name for name, _ in debugger.stops[:until]} == {code.co_filename}


def halved(x):
    return x / 2


def summed_up(xs):
    total = 0.0
    for x in xs:
        if x > 0:
            total += halved(x)
        else:
            total -= 1
    return total


def stops(graph, line, command):
    """Where a debugger stops that goes on from a line by one command, by the numbers of lines."""
    debugger = Steps(command)
    assert debugger.set_break(__file__, line) is None
    outer = sys.gettrace()
    gc.disable()
    try:
        debugger.runcall(graph, ARRAYS[0])
    finally:
        gc.enable()
        debugger.clear_all_breaks()
        sys.settrace(outer)
    return debugger.stops


class Quits(Steps):
    """A debugger that is left at a breakpoint."""

    def _go_on(self, frame):
        self.set_quit() if self.begun else self.set_continue()


def raises_for_some(xs):
    total = 0.0
    for x in xs:
        if x > 1000:
            total += x
        try:
            if x < 0:
                raise ValueError(x)
            total += 1
        except ValueError:
            total -= 1
    return total


def left_at(line, graph):
    """What a call gives that is left by way of a debugger at a line; None if it is."""
    debugger, outer = Quits(''), sys.gettrace()
    debugger.set_break(__file__, line)
    try:
        return debugger.runcall(graph, ARRAYS[0])
    finally:
        debugger.clear_all_breaks()
        sys.settrace(outer)


@pytest.mark.parametrize('line', [4, 7, 8, 10])
@pytest.mark.parametrize('check', [False, True])
def test_what_leaves_a_debugger_while_tracing_comes_out(line, check):
    """It is of no branch, which may not be taken then, and no handler's."""
    graph = ag.function(raises_for_some, check=check)
    assert left_at(raises_for_some.__code__.co_firstlineno + line, graph) is None
    assert not graph.traces
    assert graph(ARRAYS[0]) == raises_for_some(ARRAYS[0])


@pytest.mark.parametrize('check', [False, True])
def test_what_leaves_a_debugger_while_the_program_runs_comes_out(check):
    graph = ag.function(summed_up, check=check)
    graph(ARRAYS[0])
    assert left_at(summed_up.__code__.co_firstlineno + 3, graph) is None


def test_stepping_into_a_call_comes_to_the_users_code():
    graph = ag.function(summed_up)

    def called(xs):
        return graph(xs), graph(xs)

    found = stops(called, called.__code__.co_firstlineno + 1, 'set_step')
    library = [i for i, (name, _) in enumerate(found) if 'autograph_lite' + os.sep in name]
    assert len(library) < 10
    inside = range(halved.__code__.co_firstlineno, stops.__code__.co_firstlineno)
    first = next(i for i, (name, line) in enumerate(found) if name == __file__ and line in inside)
    assert max(library) < first


def test_next_goes_into_blocks_and_return_out_of_them():
    first = summed_up.__code__.co_firstlineno
    graph = ag.function(summed_up)
    lines = [line - first for name, line in stops(graph, first + 2, 'set_next') if name == __file__]
    assert lines[:6] == [2, 3, 5, 3, 4, 6]  # `else` is where that branch is defined

    class Returns(Steps):
        def _go_on(self, frame):
            super()._go_on(frame)
            if self.begun:
                self.clear_all_breaks()
                self.set_return(frame)

    debugger = Returns('set_step')
    debugger.set_break(__file__, first + 4)
    outer = sys.gettrace()
    try:
        debugger.runcall(ag.function(summed_up), ARRAYS[0])
    finally:
        debugger.clear_all_breaks()
        sys.settrace(outer)
    assert [line - first for name, line in debugger.stops if name == __file__][:2] == [4, 7]


@pytest.mark.parametrize('command', ['set_next', 'set_step'])
def test_a_debugger_steps_through_converted_code(command):
    first = summed_up.__code__.co_firstlineno

    def run(xs):
        return ag.to_graph(summed_up)(xs)

    found = stops(run, first + 4, command)
    until = max(i for i, (name, line) in enumerate(found) if name == __file__ and line < first + 9)
    assert not any('autograph_lite' + os.sep in name for name, _ in found[:until])
    assert {first + 3, first + 4} <= {line for name, line in found if name == __file__}


def test_a_breakpoint_at_the_return_stops_in_every_call():
    graph = ag.function(summed_up)
    line = summed_up.__code__.co_firstlineno + 7
    found = stops(lambda xs: (graph(xs), graph(xs)), line, 'set_continue')
    assert found == [(__file__, line)] * 3  # once while it is traced
