"""Acts fetched from their publisher by the page's form: a job that is followed, and found after a reload."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from http_serving import serving, settings_in
from making import simple
from page_visits import Visit, visiting
from pykala.interfaces.http.options import ServerOptions
from pykala.interfaces.serving.opening import LibraryOpener
from pykala.library import Library
from pykala.stores.embedded.store import EmbeddedStore
from test_online import LocalFinland, Publishers

JOBS = ".library-section.fetch .fetch-jobs"


@pytest.fixture
def publishers() -> Iterator[Publishers]:
    with Publishers() as opened:
        thread = threading.Thread(target=opened.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        yield opened
        opened.released.set()
        opened.shutdown()
        thread.join()


@contextmanager
def fetching_page(browser: Browser, folder: Path, base: str) -> Iterator[Visit]:
    """The library view of a server whose Finnish publisher is at `base`."""
    with EmbeddedStore.open(folder / "library", writable=True) as store:
        store.put(simple("fi:act:1999/1", "Hevosista on maksettava veroa.", language="fi"))
    plain = LibraryOpener(settings_in(folder))

    def opened(place: Path, *, writable: bool = False) -> Library:
        return plain(place, writable=writable).with_parts(packs={"fi": LocalFinland(base)})

    options = ServerOptions(online=folder / "fetched", requests_per_minute=0)
    with (
        serving(folder, options, library=folder / "library", open_library=opened) as server,
        visiting(browser, server.address) as visit,
    ):
        yield visit


def show_form(visit: Visit) -> None:
    visit.go("/#library")
    expect(visit.page.locator("#fetch-words")).to_be_visible()


def hold_back(publishers: Publishers, path: str) -> None:
    """Let the publisher answer for a path only once it is released."""

    def wait(handler: Any) -> None:
        publishers.released.wait(300)
        publishers.faults.clear()
        handler.server.asked.pop()
        handler.do_GET()

    publishers.faults[path] = wait


def look(page: Page) -> None:
    page.select_option("#fetch-place", "fi")
    page.fill("#fetch-words", "alkoholilaki")
    page.keyboard.press("Enter")


def kept(page: Page) -> list[Any]:
    return list(json.loads(page.evaluate("() => localStorage.getItem('pykala.fetches')") or "[]"))


def test_a_fetch_shows_how_far_it_is_and_survives_a_reload(
    browser: Browser, tmp_path: Path, publishers: Publishers
) -> None:
    with fetching_page(browser, tmp_path, publishers.base) as visit:
        page = visit.page
        show_form(visit)
        look(page)
        take = page.get_by_role("button", name="Fetch this act into the library")
        expect(take).to_be_visible()
        hold_back(publishers, "/list")
        take.click()
        job = page.locator(f"{JOBS} li")
        expect(job).to_contain_text("alkoholilaki · Finland")
        expect(job.locator("progress")).to_be_visible()
        expect(job).to_contain_text("It goes on when you leave this page.")
        page.reload()
        expect(job).to_contain_text("alkoholilaki · Finland")
        expect(job.locator("progress")).to_be_visible()
        publishers.released.set()
        expect(job).to_contain_text("1 act was fetched")
        expect(page.locator(".library-section.titles")).to_contain_text("Alkoholilaki")
        assert kept(page) == []
        page.reload()
        expect(page.locator("#fetch-words")).to_be_visible()
        expect(job).to_have_count(0)


def test_a_fetch_counts_what_came(browser: Browser, tmp_path: Path, publishers: Publishers) -> None:
    with fetching_page(browser, tmp_path, publishers.base) as visit:
        page = visit.page
        line = {
            "id": "3f6b1c0d9a2e4857",
            "name": "fetch fi",
            "machine": "m",
            "began": "",
            "told": "",
            "reason": "",
        }
        told = [{**line, "done": 3, "total": 8, "ended": "", "reason": "", "fetched": None}]
        page.route("**/api/v1/job?**", lambda route: route.fulfill(json=told[0]))
        page.add_init_script(
            """localStorage.setItem("pykala.fetches", '[{"id": "3f6b1c0d9a2e4857", "title": "vero"}]')"""
        )
        show_form(visit)
        job = page.locator(f"{JOBS} li")
        expect(job).to_contain_text("Fetching and reading: 3 of 8")
        bar = job.locator("progress")
        assert (bar.get_attribute("max"), bar.get_attribute("value")) == ("8", "3")
        told[0] = {**told[0], "ended": "failed", "reason": "the publisher is away"}
        expect(job.locator(".refusal")).to_have_text("the publisher is away")
        expect(page.locator("#alerts .failure")).to_contain_text("the publisher is away")
        assert kept(page) == []


def test_a_fetch_that_nobody_knows_any_more_is_said_once(
    browser: Browser, tmp_path: Path, publishers: Publishers
) -> None:
    with fetching_page(browser, tmp_path, publishers.base) as visit:
        page = visit.page
        page.goto(visit.address)
        page.evaluate(
            """() => localStorage.setItem("pykala.fetches", '[{"id": "0123456789abcdef", "title": "x"}]')"""
        )
        show_form(visit)
        expect(page.locator("#alerts .failure").first).to_contain_text("there is no work")
        assert kept(page) == []
