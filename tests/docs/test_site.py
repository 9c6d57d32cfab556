"""The site: every link leads somewhere, nothing comes from elsewhere, the search needs no server."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

import pykala
import pykala.results
from docsite import http_operations
from docsite.build import GENERATED, HERE, build
from docsite.checking import faults_of
from docsite.pages import PLACES, relinked
from pykala.interfaces.cli.verbs import VERBS
from pykala.settings_table import SETTINGS

PATIENCE = 180_000  # milliseconds on a busy machine


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("site"))


def test_every_link_leads_somewhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert faults_of(site) == []


@pytest.mark.parametrize(
    ("markup", "says"),
    [
        ('<script src="https://cdn.example/a.js"></script>', "loads https://cdn.example/a.js"),
        ('<img src="//cdn.example/a.png">', "loads //cdn.example/a.png"),
        ('<link rel="stylesheet" href="https://fonts.example/css">', "loads https://fonts.example/css"),
        ('<style>@import "https://fonts.example/css";</style>', "loads https://fonts.example/css"),
        ('<p style="background: url(https://cdn.example/a.png)">', "loads https://cdn.example/a.png"),
        ('<a href="gone.html">x</a>', "gone.html leads nowhere"),
        ('<a href="#gone">x</a>', "#gone: the page has no such place"),
        ('<a href="../../outside">x</a>', "../../outside leads nowhere"),
        ('<a href="https://example.com">x</a>', ""),
        ('<link rel="canonical" href="https://example.com">', ""),
        ('<h2 id="here">y</h2><a href="#here">x</a>', ""),
    ],
)
def test_a_fault_is_found(tmp_path: Path, markup: str, says: str) -> None:
    (tmp_path / "index.html").write_text(f"<html><body>{markup}</body></html>", "utf-8")
    found = faults_of(tmp_path)
    assert [fault.partition(": ")[2] for fault in found] == ([says] if says else [])


def test_a_style_sheet_that_loads_from_elsewhere_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_text("@font-face { src: url('https://fonts.example/a.woff2') }", "utf-8")
    assert faults_of(tmp_path) == ["a.css: loads https://fonts.example/a.woff2"]


def test_every_page_is_in_the_navigation() -> None:
    nav = re.findall(r'= "([^"]+\.md)"', (HERE / "zensical.toml").read_text("utf-8"))
    assert len(nav) == len(set(nav))
    assert set(nav) == {*PLACES.values(), *GENERATED}
    assert tomllib.loads((HERE / "zensical.toml").read_text("utf-8"))["project"]["theme"]["font"] is False


def test_the_reference_names_everything(site: Path) -> None:
    def words(page: str) -> str:
        return (site / "reference" / page).read_text("utf-8")

    assert [verb for verb in VERBS if f'id="{verb}"' not in words("commands.html")] == []
    assert [one.name for one in SETTINGS if one.name not in words("settings.html")] == []
    names = {*pykala.__all__, *pykala.results.__all__} - {"__version__"}
    assert [name for name in names if f'id="{name.lower()}"' not in words("python.html")] == []
    told = words("http.html")
    assert [path for path in http_operations.document()["paths"] if path not in told] == []
    assert "read_provision" in words("mcp.html")
    assert "pykala://provision/" in words("mcp.html")


def test_links_to_files_that_are_no_pages_keep_their_words() -> None:
    text = (
        "See [the code](../src/pykala/ask.py), [get](get.md#a), [changes](../CHANGELOG.md).\n"
        "```sh\n[x](y.md)\n```\n"
    )
    assert relinked(text, "docs/answers.md", "answers.md") == (
        "See the code, [get](get.md#a), [changes](changelog.md).\n```sh\n[x](y.md)\n```\n"
    )
    assert relinked("[s](../settings.md)", "docs/tutorials/a.md", "tutorials/a.md") == (
        "[s](../reference/settings.md)"
    )


@pytest.fixture(scope="module")
def visited(browser: Browser) -> Iterator[Page]:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        yield page


def test_the_search_finds_without_a_server(site: Path, visited: Page) -> None:
    requests: list[str] = []
    visited.on("request", lambda request: requests.append(request.url))
    visited.goto((site / "index.html").as_uri())
    visited.keyboard.press("Control+k")
    box = visited.get_by_role("combobox").or_(visited.get_by_placeholder("Search")).first
    box.fill("restore")
    found = visited.locator("a").filter(has_text=re.compile("Backup and restore"))
    expect(found.first).to_be_visible(timeout=PATIENCE)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []


@pytest.fixture
def unsearched(site: Path, tmp_path: Path) -> Path:
    """The site with nothing in the index of its search, which every page would otherwise read anew."""
    copy = tmp_path / "site"
    shutil.copytree(site, copy)
    index = (copy / "search.js").read_text("utf-8")
    emptied, times = re.subn(r'"items":\[.*\]', '"items":[]', index, flags=re.DOTALL)
    assert times == 1
    (copy / "search.js").write_text(emptied, "utf-8")
    return copy


def test_no_page_is_wider_than_the_screen(unsearched: Path, visited: Page) -> None:
    wide = []
    widths = (390, 1280)
    for file in sorted(unsearched.rglob("*.html")):
        visited.goto(file.as_uri())
        for width in widths:
            visited.set_viewport_size({"width": width, "height": 844})
            if visited.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                wide.append(f"{file.name} at {width}")
        widths = widths[::-1]  # the next page begins as wide as this one ended
    assert wide == []
