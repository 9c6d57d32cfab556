"""Addresses: every provision, wording and difference has one that can be kept, sent and reloaded."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

from playwright.sync_api import Browser, expect

from page_visits import Visit, visiting

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
SECTION = "fi:act:1992/1535/sec_124"
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def provision(visit: Visit) -> str:
    return unquote(urlsplit(visit.page.url).path).removeprefix("/law/")


def query(visit: Visit) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(visit.page.url).query).items()}


def reload(visit: Visit) -> None:
    visit.page.reload()
    visit.page.wait_for_selector("html[data-ready]")


def test_the_cited_words_have_an_address_beside_their_question(visit: Visit) -> None:
    page = visit.page
    visit.go()
    visit.ask(CAPITAL_INCOME)
    asked = page.url
    visit.open_key()
    quote = "".join(page.locator(".reader-text mark").all_text_contents())
    assert provision(visit).startswith(SECTION)
    assert "as_of" in query(visit)
    opened = page.url
    assert urlsplit(opened).fragment == urlsplit(asked).fragment  # the question stays
    reload(visit)
    expect(page.locator(".answer-text")).to_contain_text("34 per cent")
    expect(page.locator(".reader-text mark").first).to_be_in_viewport()
    assert "".join(page.locator(".reader-text mark").all_text_contents()) == quote
    page.locator(".neighbour:not([disabled])").first.click()
    expect(page.locator(".reader-text mark")).to_have_count(0)
    assert provision(visit) != unquote(urlsplit(opened).path)
    page.go_back()
    expect(page.locator(".reader-text mark").first).to_be_in_viewport()
    assert page.url == opened
    page.get_by_role("button", name="Close the panel").click()
    assert page.url == asked
    page.go_back()
    expect(page.locator(".reader-text mark").first).to_be_in_viewport()


def test_a_version_has_an_address(visit: Visit) -> None:
    page = visit.page
    visit.go(f"/law/{SECTION}?as_of=2026-01-01&language=en")
    marks = page.locator(".marks .mark")
    expect(page.locator(".mark.shown")).to_have_count(1)
    day = marks.nth(1).get_attribute("data-day") or ""
    marks.nth(1).locator("button").click()
    shown = page.locator(f".mark.shown[data-day='{day}']")
    expect(shown).to_have_count(1)
    assert query(visit) == {"as_of": day, "language": "en"}
    reload(visit)
    expect(shown).to_have_count(1)
    expect(page.locator(".document")).to_have_attribute("lang", "en")
    page.go_back()
    expect(marks.last).to_have_class(re.compile("shown"))
    page.go_forward()
    expect(shown).to_have_count(1)


def test_a_difference_has_an_address(visit: Visit) -> None:
    page = visit.page
    visit.go(f"/law/{SECTION}?as_of=2026-01-01&language=en")
    boxes = page.locator(".marks input")
    expect(boxes.first).to_be_visible()
    boxes.nth(boxes.count() - 2).check()
    boxes.nth(boxes.count() - 1).check()
    comparison = page.locator(".comparison")
    expect(comparison.locator("del")).to_have_text(["33"])
    assert {"first", "second"} <= set(query(visit))
    reload(visit)
    expect(comparison.locator("del")).to_have_text(["33"])
    expect(comparison.locator("ins")).to_have_text(["34"])
    expect(page.locator(".marks input:checked")).to_have_count(2)
    comparison.get_by_role("button", name="Close").click()
    expect(comparison).to_have_count(0)
    assert not {"first", "second"} & set(query(visit))
    page.go_back()
    expect(comparison.locator("del")).to_have_text(["33"])


def test_a_document_that_somebody_was_sent_to_has_the_page(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/ask") else None)
    visit.go(f"/law/{SECTION}")
    expect(visit.page.locator(".reader-head h2")).to_have_text("TVL 124 §")
    expect(visit.page).to_have_title("TVL 124 § – Pykälä")
    panel, main = visit.page.locator("#panel").bounding_box(), visit.page.locator("#main").bounding_box()
    assert panel is not None
    assert main is not None
    assert panel["width"] > main["width"]
    # The day that was left open is fixed, so that what is sent on shows the same.
    expect(visit.page).to_have_url(re.compile(r"as_of=\d{4}-\d\d-\d\d"))
    assert asked == []
    visit.ask(CAPITAL_INCOME)
    expect(visit.page.locator("body.alone")).to_have_count(0)


def test_a_link_that_is_copied_leads_to_the_same_wording(browser: Browser, address: str) -> None:
    with visiting(browser, address, permissions=CLIPBOARD) as sending:
        sending.go(f"/law/{SECTION}/subsec_2?as_of=2014-06-01&language=en")
        sending.page.get_by_role("button", name="Copy link").click()
        expect(sending.page.locator(".alert")).to_contain_text("Link copied")
        link = sending.page.evaluate("() => navigator.clipboard.readText()")
        words = sending.page.locator(".line.target").inner_text()
    assert "34 per cent" not in words
    assert "as_of=2014-06-01" in link
    with visiting(browser, address) as other:
        other.go(link.removeprefix(address))
        expect(other.page.locator(".line.target")).to_have_text(words, use_inner_text=True)


def test_a_shared_question_is_of_the_day_on_which_it_was_answered(browser: Browser, address: str) -> None:
    with visiting(browser, address, permissions=CLIPBOARD) as sharing:
        sharing.go()
        sheet = sharing.ask(CAPITAL_INCOME)  # as of today, which the question does not say
        day = sharing.record()["as_of"]
        sheet.get_by_role("button", name="Share").click()
        expect(sharing.page.locator(".alert")).to_contain_text("Link copied")
        link = sharing.page.evaluate("() => navigator.clipboard.readText()")
    assert urlsplit(link).path == "/"
    assert parse_qs(urlsplit(link).fragment)["as_of"] == [day]
    with visiting(browser, address) as other:
        other.go(link.removeprefix(address))
        expect(other.page.locator("#as-of")).to_have_value(day)


def test_an_address_that_leads_nowhere_says_so(visit: Visit) -> None:
    visit.go("/law/fi:act:1999/1/sec_1")
    expect(visit.page.locator("#panel .refusal")).to_be_visible()
    visit.go("/law/%E0%A4%A")  # half a character
    expect(visit.page.locator("#panel")).to_be_hidden()
    expect(visit.page.locator("#question")).to_be_visible()
    visit.go("/law/%3Cimg%20src=x%20onerror=window.owned=1%3E")
    expect(visit.page.locator("#panel .refusal")).to_be_visible()
    assert visit.page.evaluate("() => window.owned") is None


def test_views_have_addresses(visit: Visit) -> None:
    page = visit.page
    visit.go()
    for name in ("Search", "Changes", "Library"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator(f"#view-{name.lower()}")).to_be_visible()
        assert urlsplit(page.url).fragment == name.lower()
    page.go_back()
    expect(page.locator("#view-changes")).to_be_visible()
    reload(visit)
    expect(page.locator("#view-changes")).to_be_visible()
    page.go_back()
    expect(page.locator("#view-search")).to_be_visible()
