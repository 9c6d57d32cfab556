"""A library of law: opened, filled, asked; `library.py` has one method per verb."""

from pykala.library.library import Library

__all__ = ["Library"]
