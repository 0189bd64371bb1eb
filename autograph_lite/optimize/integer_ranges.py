"""How far integers may go: where a result of int64 might not fit, a check is put behind it.

NumPy's integers wrap round, Python's grow. An int64 of which nothing is known fits in int64:

    n // 2              fits, too
    3 * n + 1           may not: it is checked, and 3 * n with it, which cannot be much larger
    n < 0.5             float64 holds integers exactly up to 2 ** 53: n is checked for that
    row[i] + 1          fits, if the program made the array `row` and checks what it writes to it
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..graph.graph import Graph, Node, Value
from ..graph.tracing import CONSTANT
from ..ops.attributes import DIM, SIZE
from ..ops.calls import CALL
from ..ops.control_flow import CAST, COND, FOR_LOOP
from ..ops.indexing import GETITEM, SETITEM
from ..ops.template import Slot
from ..ops.ufuncs import UFUNC
from ..ops.unboxed import CHECK_RANGE
from .rewriting import node_for
from .scalar_loops import FLOAT, INT

Range = tuple[int, int]

_EXACT: Range = (-(2**53), 2**53)
_CHECKED: Range = (-(2**62), 2**62)
_SMALL: Range = (-(2**61), 2**61)
_INT64: Range = (-(2**63), 2**63 - 1)
_LENGTH: Range = (0, 2**62)
# Python's own integers: further than any bound that matters.
_FAR = 2**200
_ANY: Range = (-_FAR, _FAR)
_COMPARISONS = ('less', 'less_equal', 'greater', 'greater_equal', 'equal', 'not_equal')


class IntegerRanges:
    """The ranges of the integers of one loop nest, and the values to check."""

    def __init__(self, loop: Node) -> None:
        self._ranges: dict[Value, Range] = {}
        self._same: dict[Value, Value] = {}
        self._checked: dict[Value, Range] = {}
        self._numpys: set[Value] = set()
        self._delayed: set[Value] = set()
        self._readers: dict[Value, list[Node | None]] = {}
        viewed = {_viewed(value) for value in loop.inputs}
        made = [value for value in loop.inputs if _is_made_small(value)]
        self._arrays = {value: value for value in made if value not in viewed}
        for graph in loop.graphs.values():
            self._note_readers(graph)

    def _note_readers(self, graph: Graph) -> None:
        for node in graph.nodes:
            for value in node.inputs:
                self._readers.setdefault(value, []).append(node)
            for inner in node.graphs.values():
                self._note_readers(inner)
        for value in graph.outputs:
            self._readers.setdefault(value, []).append(None)

    # What is known.

    def numpys(self, value: Value) -> None:
        """The value was one of NumPy's before it was made Python's."""
        self._numpys.add(value)

    def same(self, value: Value, other: Value) -> None:
        """The two are one object."""
        self._same[value] = other

    def array(self, value: Value, base: Value) -> None:
        """The array is what became of another one, from outside the loop."""
        if base in self._arrays:
            self._arrays[value] = base

    def enter_loop(self, loop: Node) -> None:
        """The items of a loop over numbers that are known lie between them."""
        self._state(loop)
        if loop.op is not FOR_LOOP:
            return
        first = len(loop.inputs) - len(loop.graphs['body'].captures) - len(loop.outputs)
        self._items(loop, first)

    def _state(self, loop: Node) -> None:
        """State that every turn takes from an array of the program's is checked as that is."""
        count = len(loop.outputs)
        body = loop.graphs['body']
        first = len(loop.inputs) - len(body.captures) - count
        for i, result in enumerate(body.outputs):
            read = result.node
            if read is None or read.op is not GETITEM or read.inputs[0] not in self._arrays:
                continue
            if result.type.dtype == INT and self._fits(loop.inputs[first + i], _CHECKED):
                for graph in loop.graphs.values():
                    own = graph.own_params
                    self._ranges[own[len(own) - count + i]] = _CHECKED

    def _items(self, loop: Node, first: int) -> None:
        kind, *parts = loop.attrs['iterable']
        items = loop.graphs['body'].own_params[: -len(loop.outputs) or None]
        if kind == 'range' and len(items) == 1:
            bounds = [self._of(loop.inputs[part]) for part in parts[:2]]
            self._ranges[items[0]] = min(a for a, _ in bounds), max(b for _, b in bounds)
        else:
            for item in items:
                self._ranges[item] = _INT64

    def choice(self, value: Value, results: Sequence[Value]) -> None:
        """The value is one of the results."""
        if value.type.dtype == INT:
            ranges = [self._of(result) for result in results]
            self._ranges[value] = min(a for a, _ in ranges), max(b for _, b in ranges)

    def visit(self, node: Node) -> None:
        """A node whose types are still NumPy's."""
        if len(node.outputs) != 1:
            return
        if node.op is SETITEM and node.inputs[0] in self._arrays:
            self._need(node.inputs[1], _CHECKED)
        output = node.outputs[0]
        if node.op is UFUNC:
            self._arithmetic(node)
        elif output.type.dtype == INT:
            self._ranges[output] = self._made(node)
            if output.type.kind == 'scalar':
                self._need(output, _INT64)

    def _made(self, node: Node) -> Range:
        if node.op is CONSTANT:
            return int(node.attrs['value']), int(node.attrs['value'])
        if node.op is CAST:
            return self._of(node.inputs[0])
        if node.op in (DIM, SIZE):
            return _LENGTH
        if node.op is GETITEM and node.inputs[0] in self._arrays:
            return _CHECKED
        if node.outputs[0].type.kind == 'scalar':
            return _INT64
        function = str(node.attrs.get('function', '')).removeprefix('operator.')
        return range_of(_NAMES[function], self._operands(node)) if function in _NAMES else _ANY

    def _operands(self, node: Node) -> list[Range]:
        parts = node.attrs['arguments'].args
        return [
            self._of(node.inputs[part.index]) if isinstance(part, Slot) else (int(part), int(part))
            for part in parts
        ]

    def _arithmetic(self, node: Node) -> None:
        """Checks what NumPy would wrap, refuse or round."""
        name = node.attrs['ufunc'].removeprefix('numpy.')
        output = node.outputs[0]
        integers = [value for value in node.inputs if value.type.dtype == INT]
        floats = FLOAT in [value.type.dtype for value in node.inputs]
        exact = floats if name in _COMPARISONS else name == 'divide' and not floats
        for value in integers:
            if exact:
                self._need(value, _EXACT)
            elif output.type.dtype == INT and self._root(value) not in self._delayed:
                self._need(value, _INT64)
        if output.type.dtype != INT:
            return
        self._ranges[output] = range_of(name, self._operands(node))
        late = not self._delayed.isdisjoint(map(self._root, node.inputs))
        if self._may_wait(output):
            self._delayed.add(output)
        else:
            self._need(output, _CHECKED if late else _INT64)

    def _may_wait(self, value: Value) -> bool:
        """Whether all that reads the value adds something small, and is then checked itself."""
        if self._fits(value, _INT64):
            return False
        match self._readers.get(value):
            case [Node() as reader] if reader.op is UFUNC and len(reader.inputs) == 2:
                others = [other for other in reader.inputs if other is not value]
                return (
                    reader.attrs['ufunc'] in ('numpy.add', 'numpy.subtract')
                    and len(others) == 1
                    and others[0].type.dtype == INT
                    and self._fits(others[0], _SMALL)
                )
        return False

    # Checks.

    def _need(self, value: Value, bounds: Range) -> None:
        """Makes sure that the value is within bounds when the program goes on."""
        value = self._root(value)
        if self._fits(value, bounds):
            return
        if value.node is not None and value.node.op is COND:
            i = value.node.outputs.index(value)
            results = [graph.outputs[i] for graph in value.node.graphs.values()]
            beyond = [result for result in results if not self._fits(result, bounds)]
            if len(beyond) == 1:
                self._need(beyond[0], bounds)
                self.choice(value, results)
                return
        self._ranges[value] = self._checked[value] = _EXACT if bounds == _EXACT else _CHECKED

    def _fits(self, value: Value, bounds: Range) -> bool:
        low, high = self._of(value)
        return bounds[0] <= low and high <= bounds[1]

    def checks(self, outer: Graph, loop: Node, owners: Mapping[Graph, Node]) -> list[Node]:
        """Puts the checks in; those of values from outside the loop are given back."""
        outside: list[Node] = []
        for value, (_, bound) in self._checked.items():
            graph = value.graph
            attrs = {'bits': bound.bit_length() - 1}
            if graph in owners:
                check = node_for(graph, CHECK_RANGE, [value], attrs)
                position = graph.nodes.index(value.node) + 1 if value.node else 0
                graph.nodes.insert(position, check)
            else:
                outside.append(node_for(outer, CHECK_RANGE, [value], attrs))
        return outside

    def _root(self, value: Value) -> Value:
        while value in self._same:
            value = self._same[value]
        return value

    def _of(self, value: Value) -> Range:
        value = self._root(value)
        known = self._ranges.get(value)
        if known is not None:
            return known
        if value.node is not None and value.node.op is CONSTANT:
            return int(value.node.attrs['value']), int(value.node.attrs['value'])
        if value.node is not None and value.node.op in (DIM, SIZE):
            return _LENGTH
        if value.type.dtype.kind == 'b':
            return 0, 1
        return _INT64 if value in self._numpys or value.type.kind == 'scalar' else _ANY


def _is_made_small(value: Value) -> bool:
    """Whether the value is a new array of known small integers."""
    node = value.node
    if value.type.kind != 'array' or value.type.dtype != INT or node is None or node.op is not CALL:
        return False
    name, arguments = node.attrs['function'], node.attrs['arguments']
    if name in ('numpy.zeros', 'numpy.ones', 'numpy.zeros_like', 'numpy.ones_like'):
        return True
    numbers = arguments.args if name == 'numpy.arange' else arguments.args[1:2]
    known = all(type(x) is int and abs(x) < _SMALL[1] for x in numbers) and bool(numbers)
    return name in ('numpy.arange', 'numpy.full') and known


def _viewed(value: Value) -> Value | None:
    """The array that the value is a view of, if it is one."""
    node = value.node
    if node is None or not node.op.view:
        return None
    return _viewed(node.inputs[0]) or node.inputs[0]


_NAMES = {
    'add': 'add',
    'sub': 'subtract',
    'mul': 'multiply',
    'floordiv': 'floor_divide',
    'mod': 'remainder',
    'neg': 'negative',
    'pos': 'positive',
}


def range_of(name: str, ranges: Sequence[Range]) -> Range:
    """The range of an operation on integers of these ranges."""
    low, high = ranges[0]
    if name == 'add':
        found = low + ranges[1][0], high + ranges[1][1]
    elif name == 'subtract':
        found = low - ranges[1][1], high - ranges[1][0]
    elif name == 'multiply':
        corners = [a * b for a in ranges[0] for b in ranges[1]]
        found = min(corners), max(corners)
    elif name == 'negative':
        found = -high, -low
    elif name == 'positive':
        found = low, high
    elif name == 'absolute':
        found = 0, max(abs(low), abs(high))
    elif name == 'remainder':
        found = min(ranges[1][0] + 1, 0), max(ranges[1][1] - 1, 0)
    elif name == 'floor_divide' and ranges[1][0] > 0:
        found = min(low // ranges[1][0], low // ranges[1][1]), max(
            high // ranges[1][0], high // ranges[1][1]
        )
    elif name == 'floor_divide':
        size = max(abs(low), abs(high))
        found = -size, size
    elif name in ('bitwise_and', 'bitwise_or', 'bitwise_xor'):
        bits = max(abs(bound) for pair in ranges for bound in pair).bit_length()
        found = -(1 << bits), (1 << bits) - 1
    else:
        found = _ANY
    return max(found[0], -_FAR), min(found[1], _FAR)
