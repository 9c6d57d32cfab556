"""The browser in which pages are tested: the system's, else Playwright's own, without its own window."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

#: What the browser draws of itself around a page. Each new reader is a new window, and the pages behind its
#: address bar and a process kept in reserve took two fifths of all that the browser computed.
OF_ITS_WINDOW = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "SpareRendererForSitePerProcess")
#: The browser's first process draws the pages: one more, for a graphics card that is not there, took a
#: seventh of all that the browser computed.
OF_NO_CARD = ("--disable-gpu", "--in-process-gpu")
#: Of such switches the last one counts: what Playwright switches off itself is said again.
OF_PLAYWRIGHT = (
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)


def launched(playwright: Playwright) -> Browser | None:
    """A browser without a screen; None where there is none to start."""
    own = Path(playwright.chromium.executable_path)
    path = next(filter(None, map(shutil.which, NAMES)), str(own) if own.exists() else None)
    if path is None:
        return None
    without = "--disable-features=" + ",".join(OF_PLAYWRIGHT + OF_ITS_WINDOW)
    return playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *OF_NO_CARD, without])


@contextmanager
def shared() -> Iterator[Callable[[], AbstractContextManager[Browser | None]]]:
    """One browser for many files of tests: whoever uses it says from when and until when.

    While Playwright is open, its event loop counts as running in this thread, and no other can be started. So
    the loop is set aside where nobody uses the browser. Playwright has no name for that; asyncio has.
    """
    with sync_playwright() as playwright:
        loop = asyncio.get_running_loop()
        started = launched(playwright)

        @contextmanager
        def used() -> Iterator[Browser | None]:
            asyncio._set_running_loop(loop)
            try:
                yield started
            finally:
                asyncio._set_running_loop(None)

        asyncio._set_running_loop(None)
        try:
            yield used
        finally:
            asyncio._set_running_loop(loop)
            if started is not None:
                started.close()
