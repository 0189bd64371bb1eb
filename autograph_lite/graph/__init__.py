"""Typed graphs and how they are traced; importing it gives graphs their text, data and equality."""
from . import equality as equality
from . import graph_def as graph_def
from . import text as text
