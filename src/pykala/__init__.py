"""Pykälä answers questions about law from the law itself, with citations that can be checked.

>>> import pykala
>>> library = pykala.open()          # the sample library, or your own where you have one
>>> library.ask("…").primary.citation
"""

from __future__ import annotations

from pathlib import Path

from pykala.law.answers import Answer, CaveatKind, Outcome
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.library import Library
from pykala.sample import sample_library
from pykala.settings import Settings

__all__ = [
    "Answer",
    "CaveatKind",
    "Library",
    "Outcome",
    "ProvisionId",
    "Settings",
    "WorkId",
    "open",
    "sample",
]


def open(folder: str | Path | None = None) -> Library:
    """Open a library: the folder given, else your own where there is one, else the sample."""
    if folder is not None:
        return Library.open(Path(folder))
    settings = Settings.read()
    if (settings.library / "library.db").exists():
        return Library.open(settings.library)
    return sample(settings)


def sample(settings: Settings | None = None) -> Library:
    """Open the sample library, built on first use."""
    from pykala.packs.pack import installed

    return Library.open(sample_library((settings or Settings.read()).cache, installed()))
