"""Open libraries for a server: like the command line, with one cache and one telemetry for all threads."""

from __future__ import annotations

from pathlib import Path

from pykala.caches.cache import Cache
from pykala.caches.configured import configured_cache
from pykala.interfaces.measures import Measures, counted
from pykala.interfaces.serving.library_pool import Opener
from pykala.interfaces.telemetry import telemetry_for
from pykala.library import Library
from pykala.library.configured import open_configured
from pykala.settings import Settings


class LibraryOpener:
    """Opens libraries as the settings say."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.cache: Cache = configured_cache(settings.cache, settings.redis)
        self.telemetry = telemetry_for(settings.telemetry)

    def __call__(self, folder: Path, *, writable: bool = False) -> Library:
        """Open the library in a folder."""
        watch = self.telemetry.watching if self.telemetry else None
        return open_configured(folder, self._settings, writable=writable, cache=self.cache, watch=watch)

    def close(self) -> None:
        """Flush the telemetry."""
        if self.telemetry is not None:
            self.telemetry.close()


def measured(open_library: Opener, measures: Measures) -> Opener:
    """Wrap an opener so that its libraries also report every question to `measures`."""

    def opened(folder: Path, *, writable: bool = False) -> Library:
        library = open_library(folder, writable=writable)
        return library.with_parts(watch=counted(library.made_of.watch, [measures]))

    return opened
