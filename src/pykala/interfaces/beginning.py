"""What every process sets before it loads anything else: the command, and each process of a server."""

from __future__ import annotations

import gc
import os

#: Objects made before the next search for garbage. An answer makes some hundred thousand, nearly all of which
#: go by themselves. Python's 700 took a seventh of a server's processor time, for the libraries that are open
#: were searched again and again.
_OBJECTS = 200_000


def begin_process() -> None:
    """Keep to one core in linear algebra, and look seldom for garbage."""
    # BLAS threads spin while they wait for one another: this takes a third of a question's processor time and
    # saves no time. NumPy reads this variable when it is loaded, in this process and in its workers.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(_OBJECTS)
