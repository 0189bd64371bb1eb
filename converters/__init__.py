"""The converter: from Python with control flow to functional Python, one pass after the other.

A pass is a plain function from tree to tree; what they share about the function is in the
`Context`. After each of them the tree is legal Python that does what the user's function does.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

from autograph_lite.converters.assertions import assertions
from autograph_lite.converters.break_statements import break_statements
from autograph_lite.converters.calls import calls
from autograph_lite.converters.captures import captures
from autograph_lite.converters.comparisons import comparisons
from autograph_lite.converters.comprehensions import comprehensions
from autograph_lite.converters.context import Context
from autograph_lite.converters.continue_statements import continue_statements
from autograph_lite.converters.elif_chains import elif_chains
from autograph_lite.converters.fence import fence
from autograph_lite.converters.finally_clauses import finally_clauses
from autograph_lite.converters.function_names import function_names
from autograph_lite.converters.if_statements import if_statements
from autograph_lite.converters.lambdas import lambdas
from autograph_lite.converters.logical_expressions import logical_expressions
from autograph_lite.converters.loop_else import loop_else
from autograph_lite.converters.loops import loops
from autograph_lite.converters.match_statements import match_statements
from autograph_lite.converters.named_expressions import named_expressions
from autograph_lite.converters.python_protocols import python_protocols
from autograph_lite.converters.python_tests import python_tests
from autograph_lite.converters.result_names import result_names
from autograph_lite.converters.return_statements import return_statements
from autograph_lite.converters.scoped_names import scoped_names
from autograph_lite.converters.texts import texts
from autograph_lite.converters.traced_calls import traced_calls
from autograph_lite.converters.traced_statements import traced_statements
from autograph_lite.converters.truths import truths
from autograph_lite.converters.try_calls import try_calls
from autograph_lite.converters.try_clauses import try_clauses
from autograph_lite.converters.unbound_names import unbound_names
from autograph_lite.converters.unbound_reads import unbound_reads
from autograph_lite.converters.while_tests import while_tests
from autograph_lite.pyct.tree import Node

Pass = Callable[[Node, Context], Node]

# Each pass relies only on those before it. This is what `to_code` shows.
in_code: tuple[Pass, ...] = (
    # What is refused, and what has to be said while the text is still the user's.
    fence,
    match_statements,
    named_expressions,
    unbound_reads,
    scoped_names,
    # Jumps: after these a function, a branch and a loop's body end where they end.
    loop_else,
    while_tests,
    return_statements,
    continue_statements,
    break_statements,
    # Statements become calls.
    elif_chains,
    unbound_names,
    if_statements,
    loops,
    assertions,
    # Expressions become calls.
    comprehensions,
    comparisons,
    logical_expressions,
    calls,
    # How it looks; a trace does without.
    lambdas,
    function_names,
)


_jumps, _statements, _expressions = map(in_code.index, (loop_else, elif_chains, assertions))

# What is traced also tells what results are called, and what is read from outside.
in_trace: tuple[Pass, ...] = (
    *in_code[:_jumps], try_clauses, truths, *in_code[_jumps:_statements], finally_clauses,
    *in_code[_statements:_expressions], try_calls, *in_code[_expressions:-2],
    texts, traced_calls, python_tests, result_names, captures, python_protocols, traced_statements,
)


def passed(tree: Node, context: Context, passes: Sequence[Pass] = in_code) -> Node:
    """The tree of a function after the passes."""
    for each in passes:
        tree = each(tree, context)
    return tree
