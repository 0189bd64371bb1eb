"""Typed graphs and how they are traced; these give them their text, data form and equality."""
from . import equality as equality
from . import graph_def as graph_def
from . import text as text
