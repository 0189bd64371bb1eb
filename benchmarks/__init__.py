"""How fast `ag.function` is: beside eager NumPy, and beside its peers where they are installed."""
