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


@ag.function
def noted(x):
    ag.print(x)
    ag.print(x, 'again')
    y = x * 2.0
    assert y[0] > 0
    return y


def test_it_prints_as_text():
    graph = noted.get_concrete_function(np.ones(2)).graph
    text = str(graph.as_graph_def())
    line = noted.python_function.__code__.co_firstlineno + 4
    assert f'''
node {{
  name: "y"
  op: "ufunc"
  input: "x"
  input: "constant"
  output: "y: float64[2]"
  attr {{
    ufunc: 'numpy.multiply'
    arguments: Arguments(args=(Slot(index=0), Slot(index=1)), kwargs=())
    operator: 'mul'
  }}
  location: "test_graph_def.py, line {line}"
}}
'''.replace('"y', '"multiply') in text
    assert text.startswith('name: "noted"\nnode {\n  name: "x"\n  op: "Placeholder"\n')
    assert text.endswith('\nret: "multiply"')
    loops = str(collatz.get_concrete_function(np.int64(7)).graph.as_graph_def())
    assert '\nlibrary {\n  function {\n    name: "' in loops
    assert max(map(len, loops.splitlines())) < 140


def test_every_node_has_a_name_of_its_own():
    graph = noted.get_concrete_function(np.ones(2)).graph
    names = [node.name for node in graph.nodes]
    assert names == [node.name for node in graph.as_graph_def().node if node.op != 'Placeholder']
    assert [name for name in names if name.startswith('print')] == ['print', 'print_1']
    assert len(set(names)) == len(names)
    again = ag.function(noted.python_function).get_concrete_function(np.ones(2)).graph
    assert [node.name for node in again.nodes] == names
    assert [node.name for node in graph_from_def(graph.as_graph_def()).nodes] == names


def test_equal_graphs_are_equal_as_data():
    def f(x):
        return x * np.array([1.0, 2.0])

    one, other = (ag.function(f).get_concrete_function(np.ones(2)).graph for _ in range(2))
    assert one.as_graph_def() == other.as_graph_def()
    assert one.as_graph_def() != ag.function(noted.python_function).get_concrete_function(
        np.ones(2)).graph.as_graph_def()


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
