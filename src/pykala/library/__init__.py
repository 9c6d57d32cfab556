"""A library of law: opened, filled, asked; `library.py` has one method per verb."""

from pykala.library import result_forms as _forms  # noqa: F401  (gives results their records and their HTML)
from pykala.library.library import Library
from pykala.views import time_record as _time_forms  # noqa: F401

__all__ = ["Library"]
