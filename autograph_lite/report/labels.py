"""What stands beside the user's lines apart from types, each label with what it means."""
from __future__ import annotations

# What the rewrites do, in a word.
DONE = {
    'constant_folding': 'folded',
    'cond_constant': 'branch decided',
    'common_subexpressions': 'shared',
    'loop_invariants': 'hoisted',
    'row_products': 'hoisted, for all rows at once',
    'row_dots': 'hoisted, for all rows at once',
    'dead_code': 'not needed',
    'identities': 'identities',
    'transposes': 'one transpose',
    'reductions': 'one reduction',
    'strength_reduction': 'strength reduction',
    'known_present': 'known present',
    'elementwise_blocks': 'fused, in blocks',
    'turn_sums': 'many turns at once',
    'unboxed': "with Python's numbers",
    'unboxing': "with Python's numbers",
    'products': 'by `dot`',
    'mask_rows': 'by whole rows',
    'short_sums': 'spelled out',
    'spelled_out': 'spelled out',
    'item_rows': 'by elements',
    'fixed_arrays': 'folded',
    'item_updates': 'in place',
    'buffer_reuse': 'in place',
    'scratch': 'in kept memory',
    'broadcasts': 'broadcast once',
}

# What a function says of itself that was given nothing to trace.
NO_ARRAY = 'no argument is an array: all was computed while tracing; give np.float64(2.0), say'

MEANINGS = {
    'folded': 'It was computed once, before the graph runs, as all that it needs is known.',
    'branch decided': 'Its condition is known, so only one branch is left.',
    'shared': 'The same is computed elsewhere already, and that result is used.',
    'hoisted': 'It gives the same in every turn, so it is computed once, before the loop.',
    'hoisted, for all rows at once':
        'One product of matrices before the loop gives what each turn would compute.',
    'not needed': 'No result depends on it, so it is left out.',
    'identities': 'It gives what it is given, as `x * 1` does, or the same in fewer steps.',
    'one transpose': 'It and the transpose before it are one, or it is a cheaper view.',
    'one reduction': 'What is done before or after a reduction is part of it.',
    'strength reduction': 'A cheaper operation gives the same to the last bit.',
    'known present': 'A condition around it has found that the value is not None.',
    'fused, in blocks':
        'Several elementwise operations run on one part of the arrays after the other.',
    'many turns at once':
        'The loop only adds up integers, or counts: from 512 turns on, arrays hold what all add.',
    "with Python's numbers":
        "The loop computes with Python's own numbers, which are faster than NumPy's.",
    'by `dot`': 'In the loop, the product is a call of `dot`, which starts faster than `@`.',
    'by whole rows': 'What a mask chooses is copied row by row, not element by element.',
    'spelled out': 'The steps that NumPy takes inside the function stand in the program directly.',
    'by elements': 'The elements of a short row are written one by one, with no array between.',
    'in place': 'The result is written into memory whose value is no longer read.',
    'in kept memory': 'The loop writes to memory that is kept from turn to turn.',
    'broadcast once':
        'What is the same in every turn has the shape of the result before the loop.',
    'decided while tracing': 'Its test is no tensor: only the way that was taken is in the graph.',
    'unrolled': 'Python ran the loop while tracing: each turn is in the graph by itself.',
    'while tracing': 'Python ran it while tracing.',
    'inlined': 'Its operations stand in the graph of the function that calls it.',
    'computed while tracing': 'Python computed it while tracing: the graph has the value.',
    'not in the graph': 'Nothing in the graph comes from it.',
    'not called': 'It was not called while tracing.',
}
