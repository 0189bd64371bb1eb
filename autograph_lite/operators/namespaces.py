"""`ag.np` and `ag.math`: the functions of NumPy and `math` that no protocol lets a tensor reach."""
from __future__ import annotations

import math as python_math

import numpy

np = numpy
math = python_math
