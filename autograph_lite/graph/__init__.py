"""Typed graphs and how they are traced."""
