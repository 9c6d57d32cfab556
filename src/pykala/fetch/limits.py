"""Limits beyond which a mirror is treated as hostile."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds on one mirror, well above the largest real ones (64,000 files, 18 times their packed size)."""

    max_file: int = 256 * MEGABYTE
    max_files: int = 1_000_000
    max_total: int = 16 * 1024 * MEGABYTE
    max_ratio: int = 500
    #: Short of this much a high ratio is no threat: a folder of empty forms packs very small.
    ratio_from: int = 64 * MEGABYTE

    def excess(self, unpacked: int, packed: int) -> str:
        """Why unpacking should stop here; empty when it may go on."""
        if unpacked > self.max_total:
            return f"it unpacks to more than {self.max_total} bytes"
        if unpacked > self.ratio_from and unpacked > packed * self.max_ratio:
            return f"it unpacks to more than {self.max_ratio} times its size, like a decompression bomb"
        return ""
