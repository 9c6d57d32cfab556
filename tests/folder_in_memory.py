"""Print the folder in which tests write: in memory where it has room, else the system's temporary folder.

    python tests/folder_in_memory.py

Tests write thousands of small libraries. The folder must have room, the machine must have memory to spare
beside the tests' own, and programs must be allowed to run in it.
"""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 6 * 10**9  # bytes: more than a whole run writes
SPARE = 12 * 10**9  # bytes of memory, before any test has begun


def roomy(folder: Path = MEMORY, told: Path = Path("/proc/meminfo")) -> bool:
    """Whether a folder in memory can take what the tests write."""
    try:
        disk = os.statvfs(folder)
        available = re.search(r"^MemAvailable:\s+(\d+) kB$", told.read_text("ascii"), re.MULTILINE)
    except (OSError, AttributeError):  # no such folder, or a system that tells nothing about itself
        return False
    return (
        os.access(folder, os.W_OK)
        and not disk.f_flag & os.ST_NOEXEC
        and disk.f_bavail * disk.f_frsize > ROOM
        and available is not None
        and int(available[1]) * 1024 > SPARE
    )


if __name__ == "__main__":
    print(MEMORY if roomy() else tempfile.gettempdir())
