"""Cases of the tests that the contract promises and the library does not do yet."""

# What ends the process in which it is tried, by recursion without end in Python itself.
CRASHES = {
    'reference/test_scoping.py::test_closures_kept[object_over_the_target]':
        'a context manager that is the target of its own `with` recurses without end',
}

NOT_YET = frozenset({
    'backends/test_filling.py::test_in_place[a_list_by_a_helper]',
    'backends/test_filling.py::test_in_place[branches]',
    'backends/test_filling.py::test_in_place[while_positive]',
    'backends/test_lowered_code.py::test_filling_an_array_in_a_loop',
    'docs/test_refusals.py::test_it_is_refused_at_the_users_line'
    '[one of several objects or functions, chosen by a tensor]',
    'graph/test_text.py::test_users_names',
    'operators/test_captures.py::test_python_random_numbers_are_not_frozen',
    'operators/test_moved.py::test_modified_through_two_names[both_change_in_a_branch]',
    'operators/test_moved.py::test_read_through_another_name[one_item_of_a_list]',
    'operators/test_moved.py::test_read_through_another_name[the_same_dict]',
    'operators/test_reachable.py::test_refused[a_global-CALLS]',
    "operators/test_reachable.py::test_refused[a_message-'n'|n of tick]",
    'operators/test_reachable.py::test_refused[a_new_key-counts, a dict, .*all its keys]',
    'operators/test_reachable.py::test_refused[a_set-Use a list, or an array]',
    'operators/test_recursion.py::test_draws_and_errors',
    'operators/test_watched.py::test_the_same[read_only]',
    'optimize/test_item_updates.py::test_a_row_that_is_filled_item_by_item',
    'optimize/test_item_updates.py::test_the_program',
    'optimize/test_unboxing.py::test_a_loop_over_the_elements_of_arrays',
    'programs/test_random_functions.py::test_random_function[115]',
    'reference/test_places.py::test_objects[namespace]',
    'reference/test_syntax.py::test_syntax[attributes as targets of loops]',
})
