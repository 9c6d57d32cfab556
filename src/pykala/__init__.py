"""Pykälä answers questions about law from the law itself, with citations that can be checked.

>>> import pykala
>>> library = pykala.open()          # the sample library, or your own where you have one
>>> library.ask("…").primary.citation
"""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path
from typing import Literal

from pykala.draft.context import ContextBlock
from pykala.fetch.refusals import MirrorFault
from pykala.ingest import Report
from pykala.law.answers import (
    Answer,
    Caveat,
    CaveatKind,
    Citation,
    CitedProvision,
    Claim,
    Conflict,
    Cost,
    Outcome,
    Stage,
    Support,
    Written,
)
from pykala.law.choices import Day, InvalidDay, OneOrMany
from pykala.law.identifiers import InvalidIdentifier, ProvisionId, WorkId
from pykala.law.provisions import Version, Work, WorkKind
from pykala.law.validity import Validity
from pykala.library import Library
from pykala.library import handed_out as _forms  # noqa: F401  (gives results their records and their HTML)
from pykala.library.results import Found, ProvisionHandle, Related, Shown
from pykala.library.sample import sample_library
from pykala.packs.pack import UnknownPack
from pykala.settings import Settings
from pykala.settings_table import SettingsUnreadable
from pykala.stores.store import NotInForce, Stats, StoreError, UnknownProvision
from pykala.views import time_record as _time_forms  # noqa: F401
from pykala.views.chronicle import ActChanges, Comparison, History

__all__ = [
    "ActChanges",
    "Answer",
    "Caveat",
    "CaveatKind",
    "Citation",
    "CitedProvision",
    "Claim",
    "Comparison",
    "Conflict",
    "ContextBlock",
    "Cost",
    "Day",
    "Found",
    "History",
    "InvalidDay",
    "InvalidIdentifier",
    "Library",
    "MirrorFault",
    "NotInForce",
    "OneOrMany",
    "Outcome",
    "ProvisionHandle",
    "ProvisionId",
    "Related",
    "Report",
    "Settings",
    "SettingsUnreadable",
    "Shown",
    "Stage",
    "Stats",
    "StoreError",
    "Support",
    "UnknownPack",
    "UnknownProvision",
    "Validity",
    "Version",
    "Work",
    "WorkId",
    "WorkKind",
    "Written",
    "__version__",
    "open",
    "sample",
]

__version__ = version("pykala")


def open(folder: str | Path | None = None, *, refresh: Literal["auto", "manual"] = "manual") -> Library:
    """Open a library: the folder given, else your own where there is one, else the sample.

    With `refresh="auto"` every call sees what another process ingested meanwhile.
    """
    if folder is not None:
        return Library.open(Path(folder), refresh=refresh)
    settings = Settings.read()
    if (settings.library / "library.db").exists():
        return Library.open(settings.library, refresh=refresh)
    return sample(settings)


def sample(settings: Settings | None = None) -> Library:
    """Open the sample library, built on first use."""
    from pykala.packs.pack import installed

    return Library.open(sample_library((settings or Settings.read()).cache, installed()))
