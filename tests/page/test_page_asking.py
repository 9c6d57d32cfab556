"""Asking at the page: streaming, keys, dates, conflicts, outcomes, history, sharing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from page_visits import Visit, visiting
from pykala.answer.replay import read_record

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"
BREAD = "How do I bake sourdough bread?"

#: Keeps every line of progress that was ever shown: the stages go when the answer stands.
WATCH_STAGES = """
window.stagesSeen = [];
new MutationObserver((changes) => {
  for (const change of changes) for (const node of change.addedNodes) {
    if (node instanceof Element && node.matches('.stages li')) window.stagesSeen.push(node.textContent);
  }
}).observe(document, { childList: true, subtree: true });
"""


def test_an_answer_streams_in_and_carries_its_keys(visit: Visit) -> None:
    visit.page.add_init_script(WATCH_STAGES)
    visit.go()
    with visit.page.expect_response("**/api/v1/ask") as response:
        sheet = visit.ask(CAPITAL_INCOME)
    assert response.value.headers["content-type"].startswith("text/event-stream")
    stages = visit.page.evaluate("() => window.stagesSeen")
    # What came from the cache, where somebody asked before, is counted last and is no stage of the work.
    made = [one for one in visit.record()["trace"] if one["stage"] != "cache"]
    assert len(stages) == len(made) > 3
    expect(sheet.locator(".banner")).to_contain_text("Answered")
    expect(sheet.locator(".answer-text")).to_contain_text("34 per cent")
    expect(sheet.locator(".answer-text .key")).to_have_text(["L1"])
    expect(sheet.locator(".meter")).to_have_text("€0.00")
    sample = sheet.locator("[data-caveat=SAMPLE]")
    expect(sample).to_have_count(1)
    expect(sample).to_contain_text("Sample: paraphrases, not law. Get the law itself: pykala get fi")
    told, answered = sample.bounding_box(), sheet.locator(".banner").bounding_box()
    assert told is not None
    assert answered is not None
    assert told["y"] + told["height"] <= answered["y"]  # above the answer
    for pretended in ("own words", "Official text"):
        expect(sheet).not_to_contain_text(pretended)


def test_the_start_page_offers_the_law_itself(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda request: asked.append(request.url))
    visit.go()
    offer = visit.page.locator("#sample [data-caveat=SAMPLE]")
    expect(offer).to_contain_text("pykala get fi ca eu nyc")
    assert any("/api/v1/ready" in address for address in asked)
    assert not any("/api/v1/library" in address for address in asked)  # counting a large one takes seconds
    visit.ask(CAPITAL_INCOME)
    expect(offer).to_be_hidden()


def test_the_highlighted_words_are_the_quote(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    text = visit.open_key("L1")
    (citation,) = visit.record()["claims"][0]["citations"]
    marked = text.locator("mark")
    expect(marked.first).to_be_in_viewport()
    assert "".join(marked.all_text_contents()) == citation["quote"]
    expect(visit.page.locator(".reader-head h2")).to_have_text(citation["citation"])


def test_another_date_gives_another_answer(visit: Visit) -> None:
    visit.go()
    expect(visit.ask(CAPITAL_INCOME).locator(".answer-text")).to_contain_text("34 per cent")
    visit.choose("On a date")
    visit.page.fill("#as-of", "2014-06-01")
    visit.page.click(".send")
    sheet = visit.answer()
    expect(sheet.locator(".sheet-facts")).to_contain_text("1 June 2014")
    expect(sheet.locator(".answer-text")).not_to_contain_text("34 per cent")
    assert visit.record()["as_of"] == "2014-06-01"


def test_a_conflict_says_who_prevails_and_why(visit: Visit) -> None:
    visit.go()
    sheet = visit.ask(KEY_EMPLOYEES)
    conflict = sheet.locator(".conflict")
    expect(conflict).to_have_count(1)
    expect(conflict).to_contain_text("84 months")
    expect(conflict).to_contain_text("48 months")
    rows = conflict.locator("dl > div")
    expect(rows.nth(0)).to_contain_text(re.compile("Prevails.*Key Employees Act.*rank 100"))
    expect(rows.nth(1)).to_contain_text(re.compile("Gives way.*lähdevero.*rank 60"))
    expect(rows.nth(2)).to_contain_text("The higher rank prevails over the lower.")
    rows.nth(1).get_by_role("button").click()
    expect(visit.page.locator(".reader-head h2")).to_contain_text("lähdevero")
    expect(sheet.locator(".support-group h4")).to_contain_text(["Guidance on it"])


def test_no_law_is_shown_where_there_is_none(visit: Visit) -> None:
    visit.go()
    sheet = visit.ask(BREAD)
    outcome = visit.record()["outcome"]
    words = {"SILENT": "No answer found", "OUTSIDE_CORPUS": "Outside this library"}[outcome]
    expect(sheet.locator(".banner")).to_contain_text(words)
    expect(sheet.locator(".key, .primary")).to_have_count(0)
    expect(sheet.locator(".support")).to_have_count(0)  # what is hardly related is not listed


def drafted(record: dict[str, Any]) -> dict[str, Any]:
    """The record of an answer as a model would have drafted it, one of its claims not borne out."""
    claims = [
        {"text": "The rate is 34 per cent.", "keys": ["L1"], "verdict": "supported", "findings": []},
        {
            "text": "It was 12 per cent before.",
            "keys": ["L9"],
            "verdict": "unsupported",
            "findings": [{"check": "unknown key", "key": "L9", "message": "No source has the key L9."}],
        },
    ]
    scores = {"coverage": 0.5, "grounding": 0.5, "confidence": 0.5, "level": "medium"}
    text = "The rate is 34 per cent [L1].\n\nIt was 12 per cent before [L9]."
    cost = {"tokens_in": 1200, "tokens_out": 34, "amount": 0.0012, "currency": "EUR"}
    return record | {
        "text": text,
        "writer": "a-model",
        "verification": scores | {"claims": claims},
        "cost": cost,
    }


def stream(*events: tuple[str, object]) -> str:
    return ": beat\n\n" + "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)


def answering_with(body: str) -> Any:
    def fulfil(route: Route) -> None:
        route.fulfill(status=200, content_type="text/event-stream", body=body)

    return fulfil


OUTCOMES = {
    "LIKELY": "Most likely",
    "GUIDANCE": "Possibly related",
    "SILENT": "No answer found",
    "OUTSIDE_CORPUS": "Outside this library",
    "UNAVAILABLE": "This does not mean that there is no law",
}


def test_every_outcome_has_its_words(visit: Visit) -> None:
    """The sample cannot be made to have outages: a real record, with another outcome, is sent instead."""
    visit.go()
    visit.ask(BREAD)
    record = dict(visit.record())
    for outcome, words in OUTCOMES.items():
        visit.page.route("**/api/v1/ask", answering_with(stream(("done", record | {"outcome": outcome}))))
        visit.page.fill("#question", f"What about {outcome}?")
        visit.page.press("#question", "Enter")
        banner = visit.page.locator(f".banner[data-outcome={outcome}]")
        expect(banner).to_contain_text(words)


@pytest.mark.parametrize("outcome", ["ANSWERED", "LIKELY"])
def test_guidance_is_not_shown_as_the_laws_own_words(visit: Visit, outcome: str) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    record = dict(visit.record())
    guided = {"kind": "GUIDANCE", "provision": record["primary"]["provision"], "message": "Guidance."}
    record |= {"outcome": outcome, "caveats": [guided]}
    visit.page.route("**/api/v1/ask", answering_with(stream(("done", record))))
    visit.page.fill("#question", "What does the authority say?")
    visit.page.press("#question", "Enter")
    banner = visit.page.locator(f".banner[data-outcome={outcome}]").last
    expect(banner).to_contain_text("an authority's guidance")
    expect(banner).not_to_contain_text("law's own words")


def test_a_shared_link_shows_what_it_asks_about_even_where_nothing_is_held(visit: Visit) -> None:
    asked: list[str] = []
    visit.page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/ask") else None)
    visit.go()
    chips = visit.page.locator("input[name=jurisdiction]")
    values = "all => all.map((one) => one.value)"
    assert chips.evaluate_all(values) == ["", "ca", "eu", "fi", "nyc"], "no upload, no chip for uploads"
    visit.go("/#q=What+is+the+rent%3F&jurisdiction=up")
    visit.page.reload()
    expect(visit.page.locator("#question")).to_have_value("What is the rent?")
    expect(visit.page.locator(".shared-question")).to_contain_text("from a link")
    assert asked == [], "a link asks nothing by itself"
    visit.page.press("#question", "Enter")
    visit.answer()
    assert len(asked) == 1
    assert chips.evaluate_all(values)[-1] == "up"
    expect(chips.last).to_be_checked()


def test_guidance_shows_what_may_bear_on_the_question_with_its_grades(visit: Visit) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    record = dict(visit.record())
    support = [one | {"relation": "possibly related", "score": 7.96} for one in record["support"]]
    record |= {"outcome": "GUIDANCE", "primary": None, "claims": [], "support": support, "text": "General"}
    visit.page.route("**/api/v1/ask", answering_with(stream(("done", record))))
    sheet = visit.ask(CAPITAL_INCOME)
    rows = sheet.locator(".support")
    expect(rows).to_have_count(len(support))
    expect(sheet.locator(".support summary .grade")).to_have_text(["Grade 7.9 / 10"] * len(support))
    expect(rows.first.locator("blockquote")).to_be_visible()
    expect(rows.nth(1).locator("blockquote")).to_be_hidden()
    lines = sheet.locator(".support + .source-line")
    expect(lines).to_have_count(len(support))
    for line, one in zip(lines.all(), support, strict=True):  # folded or not
        expect(line).to_be_visible()
        expect(line.locator("a")).to_have_attribute("href", one["url"])
    expect(sheet.locator(".answer-text, .primary")).to_have_count(0)  # the banner has said it


def test_a_draft_shows_its_checks_and_its_price(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    record = drafted(dict(visit.record()))
    pieces = [("text", {"text": "First try", "draft": 1}), ("text", {"text": "The rate", "draft": 2})]
    visit.page.route("**/api/v1/ask", answering_with(stream(*pieces, ("done", record))))
    sheet = visit.ask(KEY_EMPLOYEES)
    expect(sheet.locator(".banner")).to_contain_text("Drafted by a-model")
    expect(sheet.locator(".key.unknown")).to_have_text("L9")
    expect(sheet.locator(".checks li")).to_have_count(1)
    expect(sheet.locator(".checks li")).to_contain_text("No source has the key L9.")
    expect(sheet.locator(".checks")).to_contain_text("Medium confidence")
    expect(sheet.locator(".trace summary")).to_contain_text(re.compile(r"€0\.0012.*1,234 tokens"))


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (
            stream(("error", {"detail": "The library is being written; ask again.", "status": 503})),
            "ask again",
        ),
        (stream(("stage", {"stage": "search", "ms": 1.0})), "The connection ended before the answer did"),
    ],
    ids=["a refusal", "a stream that is cut off"],
)
def test_what_fails_is_told_and_is_never_no_law(visit: Visit, body: str, words: str) -> None:
    visit.page.route("**/api/v1/ask", answering_with(body))
    visit.go()
    visit.page.fill("#question", CAPITAL_INCOME)
    visit.page.press("#question", "Enter")
    refusal = visit.page.locator("#answer .refusal")
    expect(refusal).to_contain_text(words)
    expect(refusal).to_contain_text("This says nothing about the law.")
    visit.page.unroute("**/api/v1/ask")
    refusal.get_by_role("button", name="Try again").click()
    expect(visit.answer().locator(".answer-text")).to_contain_text("34 per cent")


def test_a_question_can_be_stopped(visit: Visit) -> None:
    # The request is held for ever: the server seems to think.
    visit.page.route("**/api/v1/ask", lambda route: None)
    visit.go()
    visit.page.fill("#question", CAPITAL_INCOME)
    visit.page.press("#question", "Enter")
    visit.page.get_by_role("button", name="Stop").click()
    expect(visit.page.locator("#answer .refusal")).to_contain_text("You stopped this question")
    expect(visit.page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_history_is_recalled_renamed_exported_and_deleted(visit: Visit, tmp_path: Path) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    visit.ask(KEY_EMPLOYEES)
    visit.go()  # a new page remembers
    rows = visit.page.locator(".history-row")
    expect(rows).to_have_count(2)
    rows.nth(1).locator(".recall").click()
    expect(visit.page.locator(".answer-text")).to_contain_text("34 per cent")
    expect(visit.page.locator("#question")).to_have_value(CAPITAL_INCOME)

    rows.nth(1).hover()
    rows.nth(1).get_by_role("button", name=re.compile("^Rename")).click()
    visit.page.keyboard.type("Capital income, <b>2026</b>")
    visit.page.keyboard.press("Enter")
    expect(rows.nth(1).locator(".recall-title")).to_have_text("Capital income, <b>2026</b>")

    rows.nth(1).hover()
    with visit.page.expect_download() as download:
        rows.nth(1).get_by_role("button", name=re.compile("^Save record")).click()
    download.value.save_as(tmp_path / "record.json")
    record = read_record((tmp_path / "record.json").read_text("utf-8"))  # what `pykala replay` reads
    assert record.question == CAPITAL_INCOME
    assert record.answer["claims"][0]["citations"][0]["key"] == "L1"

    rows.nth(1).hover()
    rows.nth(1).get_by_role("button", name=re.compile("^Delete")).click()
    expect(rows).to_have_count(1)
    visit.page.once("dialog", lambda dialog: dialog.accept())
    visit.page.get_by_role("button", name="Delete all").click()
    expect(rows).to_have_count(0)


def test_a_shared_link_holds_question_date_and_jurisdiction(browser: Browser, address: str) -> None:
    with visiting(browser, address, permissions=["clipboard-read", "clipboard-write"]) as sharing:
        sharing.go()
        sharing.choose("Finland")
        sharing.choose("On a date")
        sharing.page.fill("#as-of", "2014-06-01")
        sharing.ask(CAPITAL_INCOME).get_by_role("button", name="Share").click()
        expect(sharing.page.locator(".alert")).to_contain_text("Link copied")
        link = sharing.page.evaluate("() => navigator.clipboard.readText()")
    with visiting(browser, address) as other:
        other.go(link.removeprefix(address))
        other.page.press("#question", "Enter")
        other.answer()
        record = other.record()
        assert (record["question"], record["as_of"], record["jurisdiction"]) == (
            CAPITAL_INCOME,
            "2014-06-01",
            "fi",
        )
        expect(other.page.locator("#as-of")).to_have_value("2014-06-01")


def test_back_goes_to_the_question_before(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    visit.ask(KEY_EMPLOYEES)
    visit.page.go_back()
    expect(visit.page.locator(".answer-text")).to_contain_text("34 per cent")
    visit.page.go_back()
    expect(visit.page.locator("article.sheet")).to_have_count(0)
    expect(visit.page.locator(".example").first).to_be_visible()


def test_examples_follow_jurisdiction_and_language(visit: Visit) -> None:
    visit.go()
    facts = visit.page.locator(".example-facts")
    expect(facts.first).to_be_visible()
    assert len(set(facts.all_text_contents())) > 1  # of several jurisdictions
    visit.choose("Canada")
    visit.choose("FR")
    expect(facts.first).to_have_text("Canada")
    expect(visit.page.locator(".example:not([lang=fr])")).to_have_count(0)
    visit.page.locator(".example").first.click()
    visit.answer()
    assert (visit.record()["language"], visit.record()["jurisdiction"]) == ("fr", "ca")


def test_the_home_place_is_remembered_and_said(browser: Browser, address: str) -> None:
    question = "Is a taxable person allowed to deduct tax on purchases?"
    with visiting(browser, address) as visit:
        visit.go()
        home = visit.page.locator("#home-place")
        expect(home).to_have_value("")
        expect(home.locator("option")).to_contain_text(["none", "Finland"], use_inner_text=False)
        assert "up" not in home.locator("option").evaluate_all("all => all.map((one) => one.value)")
        home.select_option("fi")
        sheet = visit.ask(question)
        expect(sheet.locator("[data-caveat=PLACE]")).to_contain_text("Finland, your home place")
        assert visit.record()["home"] == "fi"
        assert "home" not in visit.page.url  # a link that is shared tells nobody where one lives
        visit.go("/#ask")
        visit.page.reload()
        visit.page.wait_for_selector("html[data-ready]")
        expect(home).to_have_value("fi")
        visit.choose("Canada")
        expect(home).to_be_hidden()
        visit.ask(question)
        assert visit.record()["home"] is None
        visit.choose("All")
        home.select_option("")
        sheet = visit.ask("When is a person liable to tax on income?")
        assert visit.record()["home"] is None
        expect(sheet.locator("[data-caveat=PLACE]")).to_contain_text("The question names no place")
        places = set(sheet.locator(".support-place").all_text_contents())
        assert 2 <= len(places) <= 4
        assert not visit.faults
