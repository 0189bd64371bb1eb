"""Asking objects of which nothing is known; what is in `pyct.asking`, for its users above."""
from .pyct.asking import get_attribute, has_attribute, resumes

__all__ = ['get_attribute', 'has_attribute', 'resumes']
