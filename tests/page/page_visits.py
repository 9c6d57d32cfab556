"""A reader at the page: a real server on loopback, a real browser, and what a person does there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

import http_serving
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.settings import Settings

PATIENCE = 180_000  # milliseconds that a page may take on a busy machine
expect.set_options(timeout=PATIENCE)


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[str]:
    """The address of a server of the sample library, with a cache and a library folder of its own.

    It is one of this process, which has loaded what a server loads: a process of its own would take five
    seconds to do so. What such a process does is tested with the server.
    """
    told = {"PYKALA_CACHE": str(folder / "cache"), "PYKALA_LIBRARY": str(folder / "own")}
    read = Settings.read({**told, "PYKALA_REQUESTS_PER_MINUTE": "0", **settings})
    options = ServerOptions.of(read, host="127.0.0.1", port=0)
    with http_serving.serving(folder, options, open_library=LibraryOpener(read)) as served:
        yield served.address


@dataclass
class Visit:
    """One reader's tab; what went wrong in it on the way is kept."""

    page: Page
    address: str
    faults: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Hear every error, every refusal of the content policy and every request that leaves the server."""
        self.page.on("pageerror", lambda error: self.faults.append(f"error: {error}"))
        self.page.on("console", self._console)
        self.page.on("request", self._request)

    def _console(self, message: Any) -> None:
        # A refusal that the page is made to show is also told in the console; that is no fault of the page.
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(f"console: {message.text}")

    def _request(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"left the server: {request.url}")

    def go(self, rest: str = "/") -> None:
        """Open the page and wait until it can be used."""
        self.page.goto(self.address + rest)
        self.page.wait_for_selector("html[data-ready]")

    def ask(self, question: str) -> Locator:
        """Type a question, press Enter, wait for the whole answer."""
        self.page.fill("#question", question)
        self.page.press("#question", "Enter")
        return self.answer()

    def choose(self, chip: str) -> None:
        """Choose a chip: a jurisdiction, a language, or how the date is given."""
        self.page.get_by_role("radio", name=chip, exact=True).check()

    def answer(self) -> Locator:
        """The answer sheet, once the stream is over."""
        expect(self.page.locator(".send.running")).to_have_count(0)
        sheet = self.page.locator("article.sheet")
        expect(sheet.locator(".trace")).to_be_visible()
        return sheet

    def open_key(self, key: str = "L1") -> Locator:
        """Click on a citation's key; the text of the document."""
        self.page.click(f'article.sheet .key[data-key="{key}"]')
        text = self.page.locator(".reader-text")
        expect(text).to_be_visible()
        return text

    def record(self) -> Mapping[str, Any]:
        """The newest answer record that the browser keeps."""
        kept = self.page.evaluate("() => localStorage.getItem('pykala.history')")
        return dict(json.loads(kept)[0]["answer"])


@contextmanager
def visiting(browser: Browser, address: str, **context: Any) -> Iterator[Visit]:
    """A fresh reader: nothing stored, English, a wide window unless said otherwise."""
    settings: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "locale": "en-GB"} | context
    opened = browser.new_context(**settings)
    opened.set_default_timeout(PATIENCE)
    visit = Visit(opened.new_page(), address)
    visit.watch()
    try:
        yield visit
    finally:
        opened.close()
    assert visit.faults == []
