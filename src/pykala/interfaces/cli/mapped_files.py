"""End with one line and an exit code, not a crash, when a memory-mapped file is truncated.

The indexes are mapped into memory. If another program shortens such a file, or its disk disappears, the
system sends SIGBUS to the thread that reads the missing page. Python runs its own signal handlers only when
that thread continues, which it never does. So this handler is called by the system itself; it writes a line
and ends the process.
"""

from __future__ import annotations

import ctypes
import os
import signal
from typing import Final

from pykala.interfaces.exits import LIBRARY_UNUSABLE

_MESSAGE: Final = (
    b"pykala: a file of the library was cut short, or its disk went away, while it was read;"
    b" 'pykala verify LIBRARY' says what is damaged\n"
)
_HANDLER: Final = ctypes.CFUNCTYPE(None, ctypes.c_int)


def _end(_: int) -> None:
    os.write(2, _MESSAGE)
    os._exit(LIBRARY_UNUSABLE)


_end_of_process = _HANDLER(_end)  # keep a reference: the system may call it at any time


def end_clearly_on_bus_errors() -> None:
    """Install the handler that ends this process clearly when a mapped file is truncated."""
    libc = ctypes.CDLL(None)
    libc.signal.argtypes, libc.signal.restype = (ctypes.c_int, _HANDLER), ctypes.c_void_p
    libc.signal(signal.SIGBUS, _end_of_process)
