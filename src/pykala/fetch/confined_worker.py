"""The process behind `confined.py`: it reads calls from standard input and writes results to its output.

Each call has its own bound of processor time; the system ends the process that goes beyond it. Run by its
path, never imported: it loads what a call needs, and nothing before.
"""

from __future__ import annotations

import importlib
import os
import pickle
import struct
import sys
from typing import IO, Any

LENGTH = struct.Struct(">Q")


def main() -> int:
    """Answer calls until the input ends."""
    calls, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints must not stand among the answers
    while (asked := _next(calls)) is not None:
        name, seconds, memory, given, named = asked
        _bound(seconds, memory)
        try:
            answer: tuple[bool, Any] = (True, _function(name)(*given, **named))
            reply = pickle.dumps(answer)
        except MemoryError:
            reply = pickle.dumps((False, "reading it took more memory than it may; send less, or split it"))
        except Exception as error:
            reply = pickle.dumps((False, f"it could not be read ({type(error).__name__})"))
        answers.write(LENGTH.pack(len(reply)))
        answers.write(reply)
        answers.flush()
    return 0


def _next(calls: IO[bytes]) -> Any:
    head = calls.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    # Calls come from our own program; what it reads for others is bytes and texts within them.
    return pickle.loads(calls.read(LENGTH.unpack(head)[0]))  # noqa: S301


def _bound(seconds: int, memory: int) -> None:
    if sys.platform == "win32":
        return  # the patience of who waits is the only bound there
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    spent = int(used.ru_utime + used.ru_stime) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (memory, resource.RLIM_INFINITY))


def _function(name: str) -> Any:
    module, _, path = name.partition(":")
    return getattr(importlib.import_module(module), path)


if __name__ == "__main__":
    sys.exit(main())
