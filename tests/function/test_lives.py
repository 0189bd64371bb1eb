"""Threads, exceptions, pickles, copies, and what is freed when."""
import contextlib
import copy
import functools
import gc
import io
import pickle
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph_lite as ag


def run_together(jobs):
    """Starts all jobs at once; their results."""
    barrier = threading.Barrier(len(jobs))

    def run(job):
        barrier.wait()
        return job()

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result() for future in [pool.submit(run, job) for job in jobs]]


def test_each_signature_is_traced_once_by_many_threads():
    called = []

    @ag.function
    def f(x):
        called.append(x.shape)
        if np.sum(x) > 2:
            x = x * 2
        return x

    jobs = [lambda n=n: f(np.ones(n % 4 + 1)) for n in range(32)]
    for n, result in enumerate(run_together(jobs)):
        size = n % 4 + 1
        np.testing.assert_array_equal(result, np.ones(size) * (2 if size > 2 else 1))
    assert f.tracing_count == 4
    assert sorted(called) == sorted(8 * [(1,), (2,), (3,), (4,)])


def test_threads_that_write_to_one_variable():
    count = ag.Variable(0)

    @ag.function
    def f(n):
        for _ in range(n):
            count.assign_add(1)

    run_together([lambda: [f(np.int64(10)) for _ in range(20)] for _ in range(8)])
    assert count.value == 8 * 20 * 10


def test_threads_that_create_a_variable():
    class Model:
        v = None

        @ag.function
        def __call__(self, x):
            if self.v is None:
                self.v = ag.Variable(x)
            return self.v + x

    model = Model()
    assert run_together([lambda: model(np.float64(1.0))] * 8) == [2.0] * 8


def test_threads_whose_traces_need_each_others_functions_do_not_wait_for_ever():
    begun = threading.Barrier(2)

    @ag.function
    def f(x):
        if len(x) == 3:
            begun.wait()
            g.get_concrete_function(np.ones(2))
        return x + 1

    @ag.function
    def g(x):
        if len(x) == 3:
            begun.wait()
            f.get_concrete_function(np.ones(2))
        return x + 2

    one, two = run_together([lambda: f(np.ones(3)), lambda: g(np.ones(3))])
    np.testing.assert_array_equal(one, np.full(3, 2.0))
    np.testing.assert_array_equal(two, np.full(3, 3.0))


def test_what_is_traced_already_runs_while_another_signature_is_traced():
    traced, done = threading.Event(), threading.Event()

    @ag.function
    def f(x):
        if len(x) == 2:
            traced.set()
            done.wait()
        return x + 1

    f.get_concrete_function(np.ones(1))

    def while_it_is_traced():
        traced.wait()
        try:
            return f(np.ones(1)), f(np.ones(1))
        finally:
            done.set()

    run_together([lambda: f(np.ones(2)), while_it_is_traced])
    assert f.tracing_count == 2


def test_an_exception_while_tracing_leaves_nothing_behind():
    broken = True

    @ag.function
    def f(x):
        if np.sum(x) > 0:
            x = x + 1
        if broken:
            raise RuntimeError('not yet')
        return x

    for _ in range(3):
        with pytest.raises(RuntimeError, match='not yet'):
            f(np.ones(2))
    assert 'Returns' not in f.pretty_printed_concrete_signatures()
    broken = False
    np.testing.assert_array_equal(f(np.ones(2)), [2.0, 2.0])
    assert not ag.graph.tracing.is_tracing()


WEIGHTS = np.arange(3.0)


@ag.function
def of_module(x, n=2):
    return x * n


def make():
    scale = 3.0

    class OnlyHereError(ArithmeticError):
        pass

    @ag.function
    def f(x, params, n):
        total = params['w'] + WEIGHTS
        for i in range(x):
            if i == 77:
                raise OnlyHereError('too far', i)
            if i > 2:
                total = total * scale
        return {'total': total, 'n': n}

    return f


def test_a_concrete_function_runs_where_the_source_is_not(tmp_path):
    f = make()
    arguments = np.int64(5), {'w': np.ones(3)}, 'text'
    concrete = f.get_concrete_function(*arguments)
    (tmp_path / 'concrete.pickle').write_bytes(pickle.dumps(concrete))
    (tmp_path / 'run.py').write_text(
        'import pickle, sys\n'
        'import numpy as np\n'
        "concrete = pickle.load(open('concrete.pickle', 'rb'))\n"
        "result = concrete(np.int64(5), {'w': np.ones(3)}, 'text')\n"
        "print(result['total'].tolist(), result['n'])\n"
        'try:\n'
        "    concrete(np.int64(80), {'w': np.ones(3)})\n"
        'except ArithmeticError as error:\n'
        '    print(type(error).__name__, error.args)\n'
        'print(concrete)\n'
        'print(concrete.lowered_code)\n'
    )
    output = subprocess.run(
        [sys.executable, 'run.py'], cwd=tmp_path, capture_output=True, text=True, check=True,
        env={'PYTHONPATH': ':'.join(sys.path)},
    ).stdout  # fmt: skip
    expected = f(*arguments)
    assert output.startswith(
        f"{expected['total'].tolist()} text\nOnlyHereError ('too far', 77)\n{concrete}\n"
    )
    assert output.endswith(concrete.lowered_code + '\n')


def test_no_code_is_pickled():
    """What is referred to belongs to Python, NumPy and the library alone."""

    class Finder(pickle.Unpickler):
        def find_class(self, module, name):
            assert module.split('.')[0] in ('builtins', 'numpy', 'autograph_lite', 'collections')
            assert name not in ('eval', 'exec', 'getattr', '__import__')
            return super().find_class(module, name)

    data = pickle.dumps(make().get_concrete_function(np.int64(5), {'w': np.ones(3)}, 1))
    assert Finder(io.BytesIO(data)).load()(np.int64(0), {'w': np.ones(3)}, 1)['n'] == 1


def test_functions_pickle_and_copy():
    assert pickle.loads(pickle.dumps(of_module)) is of_module
    other = copy.deepcopy(of_module)
    assert other is not of_module
    np.testing.assert_array_equal(other(np.ones(2)), [2.0, 2.0])
    assert (other.tracing_count, other.__name__) == (1, 'of_module')
    doubled = pickle.loads(pickle.dumps(ag.function(plain, reduce_retracing=True)))
    np.testing.assert_array_equal(doubled(np.ones(2)), [2.0, 2.0])


def plain(x):
    return x * 2


def test_a_dropped_function_frees_its_graphs_and_constants():
    def use():
        constant = np.ones(3)

        @ag.function
        def f(x):
            return x + constant

        f(np.ones(3))
        f(np.ones(3))
        concrete = f.get_concrete_function(np.ones(3))
        return [weakref.ref(x) for x in (f, concrete, concrete.graph, constant)]

    references = use()
    gc.collect()
    assert [reference() for reference in references] == [None] * 4


def test_arguments_are_not_kept_alive():
    class Thing:
        rate = 2.0

    @ag.function
    def f(x, thing):
        return x * thing.rate

    x, thing = np.ones(3), Thing()
    for _ in range(3):
        f(x, thing)
    watched = weakref.ref(x), weakref.ref(thing)
    del x, thing
    gc.collect()
    assert [reference() for reference in watched] == [None, None]
    assert list(f._cache) == []
    assert f(np.ones(3), Thing())[0] == 2.0


def test_an_object_that_lives_on_does_not_keep_a_function_alive():
    class Thing:
        rate = 2.0

    thing = Thing()

    def use():
        f = ag.function(lambda x, thing: x * thing.rate)
        f(np.ones(3), thing)
        return weakref.ref(f), weakref.ref(f.get_concrete_function(np.ones(3), thing))

    references = use()
    gc.collect()
    assert [reference() for reference in references] == [None, None]


def test_an_instance_is_not_kept_alive_by_its_method():
    class Model:
        def __init__(self):
            self.w = np.ones(2)

        @ag.function
        def call(self, x):
            return x + self.w

    model = Model()
    model.call(np.ones(2))
    model.call(np.ones(2))
    model.call.get_concrete_function(np.ones(2))
    watched = weakref.ref(model), weakref.ref(model.w)
    del model
    gc.collect()
    assert [reference() for reference in watched] == [None, None]


class Thing:
    """What a graph needs of it does not keep it alive."""

    def __init__(self):
        self.calls = 0

    def called(self, x):
        self.calls += 1
        return x + self.calls

    @ag.function
    def by_method(self, x):
        return ag.py_function(self.called, [x], np.float64)

    @ag.function
    def by_lambda(self, x):
        return ag.py_function(lambda v: self.called(v), [x], np.float64)

    @ag.function
    def by_default(self, x):
        return ag.py_function(lambda v, thing=self: thing.called(v), [x], np.float64)

    @ag.function
    def by_partial(self, x):
        return ag.py_function(functools.partial(Thing.called, self), [x], np.float64)

    @ag.function
    def raising(self, x):
        if np.sum(x) > 0:
            raise KeyError(self, [self, 1])
        return x

    @ag.function
    def asserting(self, x):
        assert np.sum(x) <= 0, self
        return x


@pytest.mark.parametrize('name', ['by_method', 'by_lambda', 'by_default', 'by_partial'])
def test_an_object_whose_function_a_graph_calls_is_not_kept_alive(name):
    thing = Thing()
    call = getattr(thing, name)
    np.testing.assert_array_equal(call(np.ones(2)), [2.0, 2.0])
    np.testing.assert_array_equal(call(np.ones(2)), [3.0, 3.0])
    concrete = call.get_concrete_function(np.ones(2))
    watched = weakref.ref(thing)
    del thing, call
    gc.collect()
    assert watched() is None
    with pytest.raises(ReferenceError, match='The Thing is gone'):
        concrete(np.ones(2))


@pytest.mark.parametrize(('name', 'error'), [('raising', KeyError), ('asserting', AssertionError)])
def test_an_object_in_an_exception_is_not_kept_alive(name, error):
    thing = Thing()
    for _ in range(2):
        with pytest.raises(error) as raised:
            getattr(thing, name)(np.ones(2))
        assert raised.value.args[0] is thing
        del raised
    watched = weakref.ref(thing)
    del thing
    gc.collect()
    assert watched() is None


def test_what_raised_is_freed_with_its_exception():
    @ag.function
    def f(x, thing):
        if np.sum(x) > 0:
            raise ValueError('positive')
        return x

    thing, x = Thing(), np.ones(2)
    f(-x, thing)
    gc.collect()
    gc.disable()  # what is in no cycle is freed at once
    try:
        with contextlib.suppress(ValueError):
            f(x, thing)
        watched = weakref.ref(x), weakref.ref(thing)
        del x, thing
        assert [reference() for reference in watched] == [None, None]
    finally:
        gc.enable()


def test_a_class_is_not_kept_alive_by_its_objects():
    class Local:
        def __call__(self, x):
            return x * 2

    np.testing.assert_array_equal(applied(Local(), np.ones(2)), [2.0, 2.0])
    watched = weakref.ref(Local)
    del Local
    gc.collect()
    assert watched() is None


@ag.function
def applied(f, x):
    return f(x)


def test_two_traces_of_one_function_are_equal():
    f, g = make(), make()
    arguments = np.int64(5), {'w': np.ones(3)}, 1
    one, two = (h.get_concrete_function(*arguments) for h in (f, g))
    assert str(one.graph) == str(two.graph)
    assert one.lowered_code == two.lowered_code


@pytest.mark.filterwarnings('ignore::autograph_lite.errors.RetracingWarning')
def test_many_threads_many_signatures_and_variables():
    steps, failures = ag.Variable(0), []

    class Model:
        total = None

        @ag.function
        def __call__(self, x):
            if self.total is None:
                self.total = ag.Variable(np.zeros(3))
            return self.total.assign_add(x)

    @ag.function
    def inner(x, n):
        steps.assign_add(1)
        for _ in range(n):
            x = x * 0.5 if np.sum(x) > 3 else x + 1
        return x

    @ag.function
    def outer(x, n):
        return inner(x, n) + inner(x, 2)

    @ag.function
    def fails(x, fail):
        if fail:
            raise RuntimeError('while tracing')
        return x + 1

    def plain(x, n):
        for _ in range(n):
            x = x * 0.5 if np.sum(x) > 3 else x + 1
        return x

    model = Model()

    def work(seed):
        for turn in range(24):
            n, x = (seed + turn) % 4, np.arange(float(turn % 6 + 1))
            np.testing.assert_array_equal(inner(x, n), plain(x, n))
            np.testing.assert_array_equal(outer(x, n), plain(x, n) + plain(x, 2))
            model(np.ones(3))
            try:
                fails(x, n == 1)
            except RuntimeError:
                failures.append(n)

    run_together([lambda seed=seed: work(seed) for seed in range(8)])
    assert steps.value == 8 * 24 * 3
    np.testing.assert_array_equal(model.total, np.full(3, 8 * 24.0))
    assert set(failures) == {1}
    assert len(failures) == 8 * 24 // 4
    assert inner.tracing_count == outer.tracing_count == 24
    assert len(fails.traces) == 6


def test_a_copy_of_an_object_has_functions_of_its_own():
    class Model:
        def __init__(self):
            self.w, self.v = np.ones(2), ag.Variable(np.ones(2))
            self.call = ag.function(self._call)

        def _call(self, x):
            return x * self.w + self.v

    model = Model()
    model.call(np.ones(2))
    other = copy.deepcopy(model)
    other.w[:] = 5.0
    other.v.assign(np.zeros(2))
    np.testing.assert_array_equal(other.call(np.ones(2)), [5.0, 5.0])
    np.testing.assert_array_equal(model.call(np.ones(2)), [2.0, 2.0])


def test_a_copy_of_a_bound_function_is_bound_to_a_copy():
    class Model:
        def __init__(self):
            self.w = np.ones(2)

        @ag.function
        def call(self, x):
            return x * self.w

        @ag.function
        @classmethod
        def name(cls, x):
            return x

    model = Model()
    call = copy.deepcopy(model.call)
    model.w[:] = 5.0
    np.testing.assert_array_equal(call(np.ones(2)), [1.0, 1.0])
    np.testing.assert_array_equal(copy.deepcopy(Model.call)(model, np.ones(2)), [5.0, 5.0])
    assert copy.deepcopy(Model.name)(3) == 3


def test_concrete_functions_copy():
    concrete = make().get_concrete_function(np.int64(5), {'w': np.ones(3)}, 1)
    for other in (copy.copy(concrete), copy.deepcopy(concrete)):
        result = other(np.int64(5), {'w': np.ones(3)}, 1)
        np.testing.assert_array_equal(result['total'], np.arange(1.0, 4.0) * 9)


def test_classes_of_nests_go_where_the_source_is_not(tmp_path):
    (tmp_path / 'users.py').write_text(
        'import dataclasses, typing\n'
        'import autograph_lite as ag\n'
        'class Pair(typing.NamedTuple):\n'
        '    a: object\n'
        '    b: object\n'
        '@dataclasses.dataclass(frozen=True)\n'
        'class State:\n'
        '    w: object\n'
        '    n: int\n'
        'def step(x):\n'
        '    return Pair(x * 2, {"state": State(x + 1, 3)})\n'
    )
    environment = {'PYTHONPATH': ':'.join(map(str, [tmp_path, *sys.path]))}
    code = (
        'import pickle, users, numpy as np, autograph_lite as ag\n'
        'concrete = ag.function(users.step).get_concrete_function(np.ones(2))\n'
        'same = pickle.loads(pickle.dumps(concrete))\n'
        'assert type(same(np.ones(2))) is users.Pair\n'
        "open('concrete.pickle', 'wb').write(pickle.dumps(concrete))\n"
    )
    run = functools.partial(subprocess.run, cwd=tmp_path, check=True, text=True)
    run([sys.executable, '-c', code], env=environment)
    (tmp_path / 'users.py').unlink()
    code = (
        'import pickle, numpy as np\n'
        "concrete = pickle.load(open('concrete.pickle', 'rb'))\n"
        'print(concrete(np.ones(2)))\n'
    )
    output = run(
        [sys.executable, '-B', '-c', code], env={'PYTHONPATH': ':'.join(sys.path)},
        capture_output=True,
    ).stdout  # fmt: skip
    expected = "Pair(a=array([2., 2.]), b={'state': State(w=array([2., 2.]), n=3)})\n"
    assert output == expected
