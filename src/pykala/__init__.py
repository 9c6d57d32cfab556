"""Pykälä answers questions about law from the law itself, with citations that can be checked.

>>> import pykala
>>> library = pykala.open()          # the sample library, or your own where you have one
>>> library.ask("…").primary.citation
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:  # loaded by the first use of a name: `pykala --help` needs none of them
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
    from pykala.library.results import Found, ProvisionHandle, Related, Shown
    from pykala.packs.pack import UnknownPack
    from pykala.settings import Settings
    from pykala.settings_table import SettingsUnreadable
    from pykala.stores.store import NotInForce, Stats, StoreError, UnknownProvision
    from pykala.views.chronicle import ActChanges, Comparison, History

    __version__: str

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

#: Where the names lie.
_NAMES = {
    "draft.context": ("ContextBlock",),
    "fetch.refusals": ("MirrorFault",),
    "ingest": ("Report",),
    "law.answers": (
        "Answer",
        "Caveat",
        "CaveatKind",
        "Citation",
        "CitedProvision",
        "Claim",
        "Conflict",
        "Cost",
        "Outcome",
        "Stage",
        "Support",
        "Written",
    ),
    "law.choices": (
        "Day",
        "InvalidDay",
        "OneOrMany",
    ),
    "law.identifiers": (
        "InvalidIdentifier",
        "ProvisionId",
        "WorkId",
    ),
    "law.provisions": (
        "Version",
        "Work",
        "WorkKind",
    ),
    "law.validity": ("Validity",),
    "library": ("Library",),
    "library.results": (
        "Found",
        "ProvisionHandle",
        "Related",
        "Shown",
    ),
    "packs.pack": ("UnknownPack",),
    "settings": ("Settings",),
    "settings_table": ("SettingsUnreadable",),
    "stores.store": (
        "NotInForce",
        "Stats",
        "StoreError",
        "UnknownProvision",
    ),
    "views.chronicle": (
        "ActChanges",
        "Comparison",
        "History",
    ),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a public name when it is used for the first time."""
    if name == "__version__":
        from importlib.metadata import version

        value: object = version("pykala")
    elif name in _HOMES:
        import_module("pykala.library")  # gives results their records and their HTML
        value = getattr(import_module(f"pykala.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'pykala' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def open(folder: str | Path | None = None, *, refresh: Literal["auto", "manual"] = "manual") -> Library:
    """Open a library: the folder or database given, else your own where there is one, else the sample.

    With `refresh="auto"` every call sees what another process ingested meanwhile.
    """
    from pykala.library import Library
    from pykala.library.chosen import chosen_library
    from pykala.settings import Settings

    address = folder if folder is not None else chosen_library(None, Settings.read())
    return Library.open(address, refresh=refresh)


def sample(settings: Settings | None = None) -> Library:
    """Open the sample library, built on first use."""
    from pykala.library import Library
    from pykala.library.sample import sample_library
    from pykala.packs.pack import installed
    from pykala.settings import Settings

    return Library.open(sample_library((settings or Settings.read()).cache, installed()))
