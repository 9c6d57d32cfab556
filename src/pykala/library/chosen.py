"""Choose the library: the one given, else the user's own, else the sample. Decided only here."""

from __future__ import annotations

from pathlib import Path

from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.settings import Settings
from pykala.stores.opening import is_empty, is_library


def given_or_own(given: Path | None, settings: Settings) -> Path | None:
    """The library given, else the user's own if it holds a work; None for the sample.

    A first `get` or `fetch` that was cut off can leave a library without any law.
    """
    if given is not None:
        return given
    own = settings.library
    return own if is_library(own) and not is_empty(own) else None


def chosen_library(given: Path | None, settings: Settings) -> Path:
    """The library given, else the user's own if it holds a work, else the sample, built on first use."""
    return given_or_own(given, settings) or sample_library(settings.cache, installed())
