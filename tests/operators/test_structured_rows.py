"""Rows of structured arrays, which are tuples of their fields."""
from __future__ import annotations

import numpy as np
from differential import check


def test_a_row_of_a_structured_array_is_a_tuple_of_its_fields():
    rows = np.array([(1, 2.5), (3, 4.5)], dtype=[('i', 'i4'), ('f', 'f8')])

    def by_position(rows):
        return rows[0][0], rows[1][-1], [row[0] for row in rows], tuple(rows[1])

    def unpacked(rows):
        total = 0.0
        for i, f in rows:
            total += i * f
        return total

    def beyond(rows):
        return rows[0][2]

    for f in by_position, unpacked, beyond:
        check(f, (rows,))
