"""A conversation at the page: a box under the answer, what was asked before, several questions in one."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from page_visits import Visit

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
TWO = f"What is the general VAT rate in Finland? And {CAPITAL_INCOME[0].lower()}{CAPITAL_INCOME[1:]}"


def follow(visit: Visit, words: str) -> None:
    box = visit.page.locator("#follow-up")
    box.fill(words)
    box.press("Enter")
    expect(visit.page.locator("#asked")).to_have_text(words)
    expect(visit.page.locator(".follow-up")).to_be_visible()


def test_a_follow_up_keeps_the_question_and_shows_how_it_was_understood(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    follow(visit, "and in 2013?")
    sheet = visit.page.locator(".sheet")
    expect(sheet.locator(".understood")).to_contain_text(
        "capital income above 30 000 euros in Finland – in 2013?"
    )
    expect(sheet.locator(".answer-text")).to_contain_text("32 per cent")
    expect(visit.page.locator(".turn-question")).to_have_text([CAPITAL_INCOME])
    address = parse_qs(urlsplit(visit.page.url).fragment)
    assert address["q"] == ["and in 2013?"]
    assert address["after_question"] == [CAPITAL_INCOME]


def test_a_thread_leads_back_and_survives_a_reload(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    follow(visit, "and in 2013?")
    follow(visit, "and in 2015?")
    expect(visit.page.locator(".sheet .understood")).to_contain_text("Finland – in 2015?")
    expect(visit.page.locator(".turn-question")).to_have_text([CAPITAL_INCOME, "and in 2013?"])
    visit.page.reload()
    expect(visit.page.locator(".turn-question")).to_have_text([CAPITAL_INCOME, "and in 2013?"])
    turns = visit.page.locator(".turn")
    expect(turns.nth(0)).to_contain_text("34 per cent")
    expect(turns.nth(1)).to_contain_text("Finland – in 2013?")  # how it was understood
    expect(turns.nth(1)).to_contain_text("32 per cent")
    turns.first.get_by_role("button").click()
    expect(visit.page.locator("#asked")).to_have_text(CAPITAL_INCOME)
    expect(visit.page.locator(".thread")).to_have_count(0)


def test_asking_anew_leaves_the_thread(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    visit.page.get_by_role("button", name="Ask anew").click()
    expect(visit.page.locator("#question")).to_have_value("")
    expect(visit.page.locator(".follow-up")).to_have_count(0)


def test_several_questions_in_one_have_a_heading_each(visit: Visit) -> None:
    visit.go()
    visit.ask(TWO)
    parts = visit.page.locator(".sheet .part")
    expect(parts).to_have_count(2)
    expect(parts.nth(0).locator(".part-title")).to_have_text("1. What is the general VAT rate in Finland?")
    expect(parts.nth(0).locator(".answer-text")).to_contain_text("25.5 per cent")
    expect(parts.nth(1).locator(".answer-text")).to_contain_text("34 per cent")
    expect(parts.locator(".answer-text .key")).to_have_text(["L1", "L2"])
