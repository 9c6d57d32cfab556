"""A question that came by a link: it is said in words, and one key asks it; nothing is asked before."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect
from test_page_access import findings, holds_everywhere, tab_to

from page_visits import Visit, visiting

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
LINK = f"/#q={CAPITAL_INCOME.replace(' ', '+')}&as_of=2014-06-01&jurisdiction=fi"
CARD = ".shared-question"


def asked_by(visit: Visit) -> list[str]:
    asked: list[str] = []
    visit.page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/ask") else None)
    return asked


def test_a_link_asks_nothing_and_one_key_asks_it(visit: Visit) -> None:
    page, asked = visit.page, asked_by(visit)
    visit.go(LINK)
    card = page.locator(CARD)
    expect(card.locator(".shared-words")).to_have_text(CAPITAL_INCOME)
    expect(card.locator("li")).to_have_text(["Law in force on 1 June 2014", "Law of: Finland"])
    call = page.get_by_role("button", name="Ask this question")
    expect(call).to_be_focused()
    expect(call).to_be_in_viewport()
    expect(page.locator(".example").first).to_be_hidden()
    assert asked == [], "a link asks nothing by itself"
    page.keyboard.press("Enter")
    expect(visit.answer().locator(".answer-text")).to_contain_text("32 per cent")
    record = visit.record()
    assert (record["question"], record["as_of"], record["jurisdiction"]) == (
        CAPITAL_INCOME,
        "2014-06-01",
        "fi",
    )
    assert len(asked) == 1
    expect(card).to_have_count(0)


def test_what_a_link_leaves_open_is_said_and_a_follow_up_keeps_its_thread(visit: Visit) -> None:
    page = visit.page
    visit.go("/#q=And+in+2013%3F&language=fi&after_question=What+is+the+corporate+tax+rate%3F")
    expect(page.locator(f"{CARD} li")).to_have_text(
        [
            "Law in force today, or on the date that the question names",
            "Law of: all places in this library",
            "Answer in: Finnish",
            "It goes on from: What is the corporate tax rate?",
        ]
    )
    with page.expect_request("**/api/v1/ask") as sent:
        page.get_by_role("button", name="Ask this question").click()
    body = sent.value.post_data_json
    assert body["after"]["question"] == "What is the corporate tax rate?"
    assert body["language"] == "fi"
    visit.answer()


def test_the_question_can_be_changed_first_and_left(visit: Visit) -> None:
    page, asked = visit.page, asked_by(visit)
    visit.go(LINK)
    page.keyboard.press("n")  # a new question
    expect(page.locator(CARD)).to_have_count(0)
    page.go_back()
    expect(page.locator(CARD)).to_be_visible()
    assert asked == []
    visit.ask("How many months can a person be regarded as a key employee in Finland?")
    expect(page.locator(CARD)).to_have_count(0)
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("locale", "call", "facts"),
    [
        ("fi-FI", "Kysy tämä", ["Laki sellaisena kuin se on voimassa 1. kesäkuuta 2014", "Oikeus: Suomi"]),
        ("sv-FI", "Ställ den här frågan", ["Lagen sådan den gäller 1 juni 2014", "Rätt: Finland"]),
        ("fr-FR", "Poser cette question", ["Droit en vigueur le 1 juin 2014", "Droit : Finlande"]),
    ],
)
def test_it_speaks_the_readers_language(
    browser: Browser, address: str, locale: str, call: str, facts: list[str]
) -> None:
    with visiting(browser, address, locale=locale, viewport={"width": 390, "height": 844}) as visit:
        visit.go(LINK)
        expect(visit.page.get_by_role("button", name=call)).to_be_focused()
        expect(visit.page.locator(f"{CARD} li")).to_have_text(facts)
        expect(visit.page.get_by_role("button", name=call)).to_be_in_viewport()
        assert findings(visit) == []


def test_it_is_for_everybody_from_a_phone_to_a_large_screen(browser: Browser, address: str) -> None:
    with visiting(browser, address, reduced_motion="reduce") as visit:
        visit.go(LINK)
        expect(visit.page.locator(CARD)).to_be_visible()
        holds_everywhere(visit, "a question from a link")
        visit.page.evaluate("() => document.activeElement.blur()")
        tab_to(visit, f"{CARD} button")


def test_words_of_a_link_are_only_words(visit: Visit) -> None:
    visit.go("/#q=%3Cimg%20src=x%20onerror=window.owned=1%3E&jurisdiction=%3Cb%3Ex")
    expect(visit.page.locator(".shared-words")).to_have_text("<img src=x onerror=window.owned=1>")
    assert visit.page.evaluate("() => window.owned") is None
