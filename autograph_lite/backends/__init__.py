"""From a graph to a program: backends/numpy.py writes one plain Python function."""
