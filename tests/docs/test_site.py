"""The site: every link leads somewhere, nothing comes from elsewhere, the search needs no server."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

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


def test_the_search_finds_without_a_server(site: Path, browser: Browser) -> None:
    requests: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: requests.append(request.url))
        page.goto((site / "index.html").as_uri())
        page.keyboard.press("Control+k")
        box = page.get_by_role("combobox").or_(page.get_by_placeholder("Search")).first
        box.fill("restore")
        found = page.locator("a").filter(has_text=re.compile("Backup and restore"))
        expect(found.first).to_be_visible(timeout=PATIENCE)
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []


#: Pages that are looked at with their scripts, too: the first, and one of tables and code.
WITH_SCRIPTS = ("index.html", "reference/http.html")


@pytest.mark.parametrize("scripts", [False, True])
def test_no_page_is_wider_than_the_screen(site: Path, browser: Browser, scripts: bool) -> None:
    """A page scrolls what is too wide by its style alone; its scripts take half of the time to show it."""
    wide = []
    widths = (390, 1280)
    files = [site / name for name in WITH_SCRIPTS] if scripts else sorted(site.rglob("*.html"))
    with browser.new_context(java_script_enabled=scripts) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        for file in files:
            page.goto(file.as_uri())
            for width in widths:
                page.set_viewport_size({"width": width, "height": 844})
                if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
                    wide.append(f"{file.name} at {width}")
            widths = widths[::-1]  # the next page begins as wide as this one ended
    assert wide == []
