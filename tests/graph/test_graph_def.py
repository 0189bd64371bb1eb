"""A graph as data, and back."""
import importlib
import pickle
import pkgutil

import numpy as np

import autograph_lite as ag
from autograph_lite import ops
from autograph_lite.graph.graph_def import _all_ops, graph_from_def
from autograph_lite.graph.verify import verify


@ag.function
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return n, steps


def test_nodes_and_library():
    graph = collatz.get_concrete_function(np.int64(7)).graph
    data = graph.as_graph_def()
    assert [node.op for node in data.node] == [
        'Placeholder', *(node.op.name for node in graph.nodes)]
    assert data.node[0].name == 'n'
    loop = next(node for node in data.node if node.op == 'while_loop')
    assert loop.input[0] == 'n'
    names = [function.name for function in data.library.function]
    assert len(names) == len(set(names)) == 4
    assert {loop.attr['body'].name, loop.attr['test'].name} <= set(names)
    every = [node.name for function in [data, *data.library.function] for node in function.node]
    assert every


def test_names_are_unique_in_each_graph():
    data = collatz.get_concrete_function(np.int64(7)).graph.as_graph_def()
    for function in [data, *data.library.function]:
        names = [name for node in function.node for name, _ in node.output]
        assert len(names) == len(set(names))


def test_and_back():
    graph = collatz.get_concrete_function(np.int64(7)).graph
    again = graph_from_def(graph.as_graph_def())
    verify(again)
    assert str(again) == str(graph)


def test_each_operation_has_a_name_of_its_own():
    for module in pkgutil.iter_modules(ops.__path__, ops.__name__ + '.'):
        importlib.import_module(module.name)
    names = [op.name for op in {id(op): op for op in _all_ops()}.values()]
    assert sorted(set(names)) == sorted(names)


def test_a_graph_with_variables_pickles():
    v = ag.Variable(np.ones(2))

    @ag.function
    def f(x):
        v.assign_add(x)
        return v.value + v[0]

    concrete = f.get_concrete_function(np.ones(2))
    again = pickle.loads(pickle.dumps(concrete))
    np.testing.assert_array_equal(again(np.ones(2)), [4.0, 4.0])
    np.testing.assert_array_equal(v.value, [1.0, 1.0])
    np.testing.assert_array_equal(concrete(np.ones(2)), [4.0, 4.0])
