"""Threads, exceptions, pickles, copies, and what is freed when."""
import copy
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


def test_two_traces_of_one_function_are_equal():
    f, g = make(), make()
    arguments = np.int64(5), {'w': np.ones(3)}, 1
    one, two = (h.get_concrete_function(*arguments) for h in (f, g))
    assert str(one.graph) == str(two.graph)
    assert one.lowered_code == two.lowered_code
