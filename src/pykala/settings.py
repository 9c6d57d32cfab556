"""Inert values, read once by the interfaces; nothing else in the package looks at the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

_KEY = "PYKALA_KEY_"


@dataclass(frozen=True, slots=True)
class Settings:
    """Where things are kept and how many cores may work.

    Set by PYKALA_LIBRARY (the folder of your own library), PYKALA_CACHE (where the sample library and
    unpacked archives go), PYKALA_WORKERS, and PYKALA_KEY_ with a pack's code (PYKALA_KEY_NYC) for a
    publisher that wants a key.
    """

    library: Path
    cache: Path
    workers: int
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # pack → key; never shown

    @classmethod
    def read(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the settings from the environment, with the system's usual folders as defaults."""
        found = os.environ if environment is None else environment
        workers = found.get("PYKALA_WORKERS", "")
        return cls(
            library=Path(found["PYKALA_LIBRARY"]) if "PYKALA_LIBRARY" in found else _own_library(),
            cache=Path(found["PYKALA_CACHE"]) if "PYKALA_CACHE" in found else user_cache_path("pykala"),
            keys={
                name.removeprefix(_KEY).lower(): value
                for name, value in found.items()
                if name.startswith(_KEY) and value
            },
            workers=int(workers) if workers.isdecimal() and int(workers) > 0 else os.cpu_count() or 1,
        )


def _own_library() -> Path:
    return user_data_path("pykala") / "library"
