"""A working day at the page: searching, following acts, taking answers away, printing, tidying up."""

from __future__ import annotations

import io
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import docx
import httpx
import pypdf
import pytest
from lxml import etree
from playwright.sync_api import Browser, expect
from test_page_access import findings

from page_visits import Visit, serving, visiting

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"
ACT = "fi:act:1992/1535"
ONE_VERSION = f"{ACT}/sec_32"


def test_a_search_by_keyboard_alone(visit: Visit) -> None:
    page = visit.page
    visit.go()
    page.locator("#main").focus()
    page.keyboard.press("s")
    page.keyboard.type("capital income")
    page.keyboard.press("Enter")
    links = page.locator(".result a")
    expect(links.first).to_be_visible()
    page.keyboard.press("ArrowDown")
    expect(links.nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(links.nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(links.last).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("ArrowDown")
    wanted = links.first.inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".reader-head h2")).to_have_text(wanted)
    page.keyboard.press("Escape")
    expect(links.first).to_be_focused()  # back where it came from


def test_facets_narrow_and_stand_in_the_address(visit: Visit) -> None:
    page = visit.page
    visit.go("/#find=tax+rate")
    canada = page.locator("#facet-place-ca")
    expect(canada).to_be_visible()
    counted = int(page.locator("label[for=facet-place-ca] .figure").inner_text())
    canada.focus()
    page.keyboard.press("Space")
    expect(canada).to_be_checked()
    expect(canada).to_be_focused()  # the facets are drawn anew
    places = page.locator(".result .source-line span:first-child")
    expect(places.first).to_have_text("Canada")
    assert set(places.all_text_contents()) == {"Canada"}
    assert int(re.findall(r"\d+", page.locator(".search-count").inner_text())[0]) >= counted
    assert ("place", "ca") in parse_qsl(urlsplit(page.url).fragment)
    page.reload()
    expect(canada).to_be_checked()
    page.locator("#facet-kind-regulation").check()
    expect(page.locator(".result .kind").first).to_have_text("Regulation")
    page.go_back()
    expect(page.locator("#facet-kind-regulation")).not_to_be_checked()
    expect(canada).to_be_checked()


def test_what_is_found_in_the_sample_is_said_to_be_no_law(visit: Visit) -> None:
    visit.go("/#find=tax+rate")
    expect(visit.page.locator(".result").first).to_be_visible()
    notice = visit.page.locator("#sample-found [data-caveat=SAMPLE]")
    expect(notice).to_contain_text("Sample: paraphrases, not law.")


def test_a_search_is_of_the_day_that_is_chosen(visit: Visit) -> None:
    page = visit.page
    visit.go("/#find=tax+rate+on+capital+income&place=fi")
    first = page.locator(".result").first
    expect(first).to_contain_text("30,000 euros")
    page.fill("#find-day", "2013-06-01")
    expect(first).to_contain_text("50,000 euros")
    href = first.locator("a").get_attribute("href") or ""
    assert "as_of=2013-06-01" in href  # a result opened in a tab of its own is of the same day
    visit.go(href)
    expect(page.locator(".reader-text")).to_contain_text("50,000 euros")
    visit.go("/#find=zeppelin+hangar+quixotic&place=nyc&kind=case")
    expect(page.locator(".results")).to_contain_text("Nothing in force on that day")


def test_an_act_is_followed_and_its_changes_are_listed(visit: Visit) -> None:
    page = visit.page
    visit.go("/#changes")
    expect(page.locator("#changed")).to_contain_text("You follow no act yet")
    visit.go(f"/law/{ACT}/sec_124")
    follow = page.get_by_role("button", name="Follow", exact=True)
    follow.click()
    expect(page.get_by_role("button", name="Following")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Changes", exact=True).click()
    expect(page.locator(".changed-work h2")).to_have_text(["Tuloverolaki"])
    page.select_option("#period", "30")
    row = page.locator(".changed-work .rows li", has_text="1 Jan 2016")
    expect(row).to_contain_text("amended · 1546/2015")
    feed = page.get_by_role("link", name="Atom feed").get_attribute("href") or ""
    answer = httpx.get(feed, params=dict(parse_qsl(urlsplit(feed).query)), timeout=300)
    told = etree.fromstring(answer.content)
    assert told.tag.endswith("}feed")
    row.get_by_role("link").click()
    expect(page.locator(".comparison ins")).to_have_text(["34"])
    page.reload()
    expect(page.locator(".comparison ins")).to_have_text(["34"])
    page.locator(".panel-close").click()
    page.get_by_role("button", name="No longer follow Tuloverolaki").click()
    expect(page.locator("#changed")).to_contain_text("You follow no act yet")


def test_who_follows_nothing_is_told_so_while_a_large_library_is_counted(visit: Visit) -> None:
    visit.page.route("**/api/v1/library", lambda route: None)  # the server counts for ever
    visit.go("/#changes")
    expect(visit.page.locator("#changed")).to_contain_text("You follow no act yet")
    expect(visit.page.locator("#changed .loading")).to_be_visible()


@pytest.mark.parametrize("form", ["Word", "PDF", "Markdown"])
def test_an_answer_is_taken_away(visit: Visit, tmp_path: Path, form: str) -> None:
    visit.go()
    sheet = visit.ask(CAPITAL_INCOME)
    sheet.locator(".menu summary").click()
    with visit.page.expect_download() as download:
        with visit.page.expect_response("**/api/v1/export?**") as answered:
            sheet.locator(".menu-list button", has_text=form).click()
        assert answered.value.ok, answered.value.text()
    name = download.value.suggested_filename
    path = tmp_path / name
    download.value.save_as(path)
    record = visit.record()
    if form == "Word":
        words = "\n".join(one.text for one in docx.Document(str(path)).paragraphs)
    elif form == "PDF":
        words = "\n".join(one.extract_text() for one in pypdf.PdfReader(path).pages)
    else:
        words = re.sub(r"\\(.)", r"\1", path.read_text("utf-8"))
    words = " ".join(words.split())
    citation = record["claims"][0]["citations"][0]
    for told in (CAPITAL_INCOME, citation["quote"], citation["citation"], citation["url"], record["as_of"]):
        assert told in words, told
    assert record["as_of"] in name


def test_what_cannot_be_exported_says_why(visit: Visit) -> None:
    visit.go()
    sheet = visit.ask(CAPITAL_INCOME)
    detail = "Word is written by an extra that is not installed: pip install 'pykala[documents]'"
    body = json.dumps({"status": 501, "code": "not-installed", "detail": detail})
    visit.page.route(
        "**/api/v1/export?**",
        lambda route: route.fulfill(status=501, content_type="application/problem+json", body=body),
    )
    sheet.locator(".menu summary").click()
    sheet.locator(".menu-list button", has_text="Word").click()
    expect(visit.page.locator(".alert.failure")).to_contain_text("pip install 'pykala[documents]'")


def test_forms_that_the_server_cannot_write_are_not_offered(
    browser: Browser, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server as it is without the extra `documents`: these packages cannot be found there."""
    for name in ("docx", "reportlab"):
        monkeypatch.setitem(sys.modules, name, None)
    with visiting(browser, address) as visit:
        visit.go()
        sheet = visit.ask(CAPITAL_INCOME)
        sheet.locator(".menu summary").click()
        for form in ("Word", "PDF"):
            entry = sheet.locator(".menu-list button", has_text=form)
            expect(entry).to_be_disabled()
            expect(entry).to_contain_text("pykala[documents] is not installed")
        for form in ("Markdown", "Record"):
            expect(sheet.locator(".menu-list button", has_text=form)).to_be_enabled()
        assert findings(visit) == []


def test_an_answer_and_a_document_are_printed(visit: Visit) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    words = printed(visit)
    primary = visit.record()["primary"]
    support = visit.record()["support"][0]
    for told in (KEY_EMPLOYEES, primary["citation"], primary["url"], "84 months", "[L1]", "Grade 9"):
        assert told in words, told
    assert " ".join(support["text"].split()[:6]) in words  # what is folded on the screen
    for left_away in ("Export", "Go on from this answer", "Law of", "History", "Copy citation"):
        assert left_away not in words, left_away
    visit.go(f"/law/{ACT}/sec_124?as_of=2016-01-01&language=en")
    expect(visit.page.locator(".reader-text .document")).to_be_visible()
    words = printed(visit)
    assert "34 per cent" in words
    assert "in force since 1 Jan 2016" in words
    assert "Sample: paraphrases, not law." in words
    assert "Ask about the law" not in words


def printed(visit: Visit) -> str:
    pages = pypdf.PdfReader(io.BytesIO(visit.page.pdf(format="A4"))).pages
    words = " ".join(one.extract_text() for one in pages)
    return " ".join(unicodedata.normalize("NFKC", words).split())  # a printer joins f and i


def test_the_stage_under_way_is_said_while_one_waits(visit: Visit) -> None:
    visit.page.route("**/api/v1/ask", lambda route: None)  # the server seems to think for ever
    visit.go()
    visit.page.fill("#question", CAPITAL_INCOME)
    visit.page.press("#question", "Enter")
    expect(visit.page.locator(".stage-now")).to_have_text("Reading the question …")
    expect(visit.page.locator(".working progress")).to_have_attribute("max", re.compile(r"\d"))
    visit.page.keyboard.press("Escape")
    expect(visit.page.locator("#answer .refusal")).to_contain_text("You stopped this question")


def test_one_version_is_told_in_words(visit: Visit) -> None:
    visit.go(f"/law/{ONE_VERSION}?as_of=2026-01-01")
    only = visit.page.locator(".timeline.only")
    expect(only).to_contain_text("One version, in force since 1 Jan 1993")
    expect(visit.page.locator(".marks")).to_have_count(0)
    only.get_by_role("button", name="Ask as of 1 Jan 2026").click()
    expect(visit.page.locator("#as-of")).to_have_value("2026-01-01")


def test_the_copy_button_of_the_sample_stays_with_its_command(browser: Browser, address: str) -> None:
    for width in (390, 768, 1280):
        with visiting(browser, address, viewport={"width": width, "height": 800}) as visit:
            visit.go()
            code, copy = (visit.page.locator(f"#sample .command {one}") for one in ("code", "button"))
            expect(copy).to_be_visible()
            first, second = code.bounding_box(), copy.bounding_box()
            assert first is not None
            assert second is not None
            assert abs(first["y"] + first["height"] / 2 - second["y"] - second["height"] / 2) < 6
            assert 0 <= second["x"] - first["x"] - first["width"] < 12


@pytest.fixture(scope="module")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    keys = {
        "PYKALA_API_KEYS": "reader,keeper",
        "PYKALA_DELETE_KEYS": "keeper",
        "PYKALA_INGEST_KEYS": "keeper",
    }
    with serving(tmp_path_factory.mktemp("keyed"), **keys) as served:
        yield served


def enter(visit: Visit, key: str) -> None:
    visit.page.goto(visit.address + "/#library")
    visit.page.get_by_label("Key", exact=True).fill(key)
    visit.page.get_by_role("button", name="Use this key").click()
    expect(visit.page.locator(".library-section.titles .rows li").first).to_be_visible()


def test_works_are_deleted_and_fetched_by_whose_key_may(browser: Browser, keyed: str) -> None:
    with visiting(browser, keyed) as reading:
        enter(reading, "reader")
        expect(reading.page.get_by_role("button", name="Delete Excise Tax Act")).to_have_count(0)
        expect(reading.page.locator(".library-section.fetch")).to_have_count(0)
    with visiting(browser, keyed) as keeping:
        enter(keeping, "keeper")
        page = keeping.page
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Delete Excise Tax Act").click()
        expect(page.get_by_role("button", name="Delete Excise Tax Act")).to_have_count(0)
        # The fetch itself is tested with the server, against a publisher on this machine.
        act = {"number": "32019R2144", "title": "Type-approval", "date": "2019-11-27", "url": ""}
        answers = {
            "GET": {"acts": [act]},
            "POST": {"found": [act], "fetched": ["32019R2144"], "refused": []},
        }
        page.route(
            "**/api/v1/library/acts**",
            lambda route: route.fulfill(json=answers[route.request.method]),
        )
        page.select_option("#fetch-place", "eu")
        page.fill("#fetch-words", "type approval")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Fetch this act into the library").click()
        expect(page.locator(".library-section.fetch .fetched")).to_contain_text("1 act was fetched")
