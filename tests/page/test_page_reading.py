"""The document panel and the reasoning panel: spans, places, versions, languages, citations, the graph."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from page_visits import Visit, visiting

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"


def test_a_provision_stands_in_its_place(visit: Visit) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    text = visit.open_key()
    crumbs = visit.page.locator(".breadcrumbs")
    expect(crumbs.locator("li").first).to_contain_text("1551/1995")
    expect(text.locator(".line.target")).to_have_count(1)
    assert text.locator(".line").count() > 5  # the document around it
    official = visit.page.locator(".reader-head a", has_text="The act at its publisher")
    assert (official.get_attribute("href") or "").startswith("https://www.finlex.fi/")
    assert official.get_attribute("rel") == "noopener noreferrer"
    heading = visit.page.locator(".reader-head h2")
    before = heading.text_content()
    visit.page.locator(".neighbour:not([disabled])").first.click()
    expect(heading).not_to_have_text(before or "")
    expect(text.locator(".line.target")).to_have_count(1)
    crumbs.locator("button").first.click()  # the whole act: to mark all of it would mark nothing
    expect(crumbs.locator("button")).to_have_count(0)
    expect(text.locator(".line").first).to_be_visible()
    expect(text.locator(".line.target")).to_have_count(0)


def test_later_words_are_said_to_be_later_and_marked_where_they_stand(visit: Visit) -> None:
    visit.go()
    sheet = visit.ask("What was the rate of GST on a taxable supply in Canada in 1995?")
    expect(sheet.locator(".sheet-head")).to_contain_text("Later words, in force from")
    expect(sheet.locator(".sheet-head")).not_to_contain_text("Law in force on")
    text = visit.open_key()
    expect(text.locator(".line.target")).to_have_count(1)
    marked = " ".join(text.locator("mark").all_text_contents())
    assert "taxable supply" in marked, "the words that are quoted, on the day from which they stand"


def test_versions_are_read_and_compared(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    visit.open_key()
    marks = visit.page.locator(".marks .mark")
    assert marks.count() > 2
    expect(visit.page.locator(".mark.shown")).to_have_count(1)
    boxes = visit.page.locator(".marks input")
    boxes.nth(marks.count() - 2).check()
    boxes.nth(marks.count() - 1).check()
    comparison = visit.page.locator(".comparison")
    expect(comparison.locator(".difference")).to_have_count(1)
    expect(comparison).to_be_in_viewport()
    removed, added = (
        comparison.locator("del").all_text_contents(),
        comparison.locator("ins").all_text_contents(),
    )
    assert removed
    assert added
    assert removed != added
    boxes.nth(0).check()  # a third takes the place of the first
    expect(visit.page.locator(".marks input:checked")).to_have_count(2)

    first = marks.first.get_attribute("data-day") or ""
    marks.first.locator("button").click()
    expect(visit.page.locator(f".mark.shown[data-day='{first}']")).to_have_count(1)
    expect(visit.page.locator(".reader-text mark")).to_have_count(0)  # another wording has another span
    visit.page.get_by_role("button", name=re.compile("^Ask as of")).click()
    visit.answer()
    assert visit.record()["as_of"] == first
    expect(visit.page.locator("#choose-document")).to_have_attribute("aria-selected", "true")  # read on


def test_two_languages_side_by_side(visit: Visit) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    visit.open_key()
    visit.page.select_option("#beside", "sv")
    row = visit.page.locator(".paired .columns", has=visit.page.locator("mark"))
    expect(row).to_have_count(1)
    expect(row.locator("[lang=en] mark")).to_contain_text("84 months")
    expect(row.locator("[lang=sv] .line.target")).to_contain_text(
        "84 månader"
    )  # the same provision, beside it
    expect(row.locator("[lang=sv] mark")).to_have_count(0)
    visit.page.locator(".languages").get_by_role("button", name="Finnish").click()
    expect(visit.page.locator(".reader-text .document")).to_have_attribute("lang", "fi")


def test_a_citation_is_copied_in_several_styles(browser: Browser, address: str) -> None:
    with visiting(browser, address, permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.go()
        visit.ask(KEY_EMPLOYEES)
        visit.open_key()
        primary = visit.record()["primary"]
        dated = f"{primary['citation']} (as in force since 1 January 2024)"
        paraphrase = f"Paraphrase, not law: {primary['text']} — {dated}"
        for style, expected in [
            ("Identifier", primary["provision"]),
            ("Markdown", f"[{primary['citation']}]({primary['url']})"),
            ("Footnote", f"{dated}, {primary['url']}"),
            ("Paraphrase", paraphrase),
        ]:
            visit.page.locator("#panel .menu summary").click()
            visit.page.locator("#panel .menu-list button", has_text=style).click()
            expect(visit.page.locator(".alert.note").last).to_be_visible()
            assert visit.page.evaluate("() => navigator.clipboard.readText()") == expected
        names = visit.page.locator("#panel .menu-name").all_text_contents()
        assert {"English", "Finnish", "Swedish"} <= set(names)


@pytest.mark.parametrize(
    ("caveat", "style", "copied"),
    [
        ("SAMPLE", "Paraphrase, not law", "Paraphrase, not law: The tax is due. — TVL 1 §"),
        ("GUIDANCE", "Quotation", "“The tax is due.” — TVL 1 §"),
    ],
)
def test_only_words_of_the_law_are_copied_as_a_quotation(
    visit: Visit, caveat: str, style: str, copied: str
) -> None:
    visit.go()
    shown = {
        "text": "The tax is due.",
        "citation": "TVL 1 §",
        "citations": {},
        "url": "",
        "provision": "fi:act:1",
    }
    made = visit.page.evaluate(
        """async (shown) => (await import("/static/page.js")).citation_styles.styles(shown)""",
        shown | {"caveats": [{"kind": caveat}], "valid_from": None},
    )
    assert {"name": style, "text": copied} in made


@pytest.mark.parametrize("opened", ["", "&first=2015-12-31&second=2016-01-01"])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_document_of_the_sample_says_that_it_is_no_law(visit: Visit, opened: str, width: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": 844})
    visit.go(f"/law/fi:act:1992/1535/sec_124?as_of=2016-01-01&language=en{opened}")
    expect(visit.page.locator(".difference" if opened else ".reader-text .target").first).to_be_in_viewport()
    notice = visit.page.locator("#panel [data-caveat=SAMPLE]")
    expect(notice).to_have_count(1)
    expect(notice).to_contain_text("Sample: paraphrases, not law. Get the law itself: pykala get fi")
    expect(notice).to_be_in_viewport()
    expect(visit.page.locator("#panel")).not_to_contain_text("This comes from the sample library")


def test_a_section_that_an_act_has_not_leads_to_the_act(visit: Visit) -> None:
    visit.go("/law/fi:act:1992/1535/sec_9999?language=en")
    refusal = visit.page.locator("#panel .refusal")
    expect(refusal).to_contain_text("does not hold what was asked for here")
    expect(refusal).not_to_contain_text("pykala")  # no command of the shell
    refusal.get_by_role("button", name="Open the whole act").click()
    expect(visit.page.locator(".reader-head h2")).to_contain_text("1535/1992")


def test_a_provision_that_is_not_there_is_refused_in_words(visit: Visit) -> None:
    problem = (
        '{"title": "Unknown", "status": 404, "detail": "This library has no such provision; search it."}'
    )
    refuse = {"status": 404, "content_type": "application/problem+json", "body": problem}
    visit.page.route("**/api/v1/document?**", lambda route: route.fulfill(**refuse))
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    expect(visit.page.locator("#panel .refusal")).to_contain_text("no such provision; search it.")
    visit.page.unroute("**/api/v1/document?**")
    visit.page.click(".key >> nth=0")  # what failed is tried again
    expect(visit.page.locator(".reader-text mark").first).to_be_visible()


def test_the_document_stands_beside_the_answer_and_the_reasoning_on_demand(visit: Visit) -> None:
    visit.go()
    visit.ask(CAPITAL_INCOME)
    quote = visit.record()["claims"][0]["citations"][0]["quote"]
    marked = visit.page.locator(".reader-text mark")
    expect(marked.first).to_be_in_viewport()
    assert "".join(marked.all_text_contents()) == quote
    expect(visit.page.locator("#question")).to_be_focused()  # nobody is taken away from the question
    visit.page.get_by_role("button", name="Reasoning").click()
    expect(visit.page.locator(".graph .node").first).to_be_visible()
    visit.ask(KEY_EMPLOYEES)  # who looks at the reasoning goes on doing so
    expect(visit.page.locator("#choose-reasoning")).to_have_attribute("aria-selected", "true")
    visit.page.locator("#choose-document").click()
    expect(marked.first).to_contain_text("84 months")


def test_the_reasoning_is_a_graph_whose_edges_quote_the_law(visit: Visit) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    visit.page.locator("#choose-reasoning").click()
    reasoning = visit.record()["reasoning"]
    nodes = visit.page.locator(".graph .node")
    expect(nodes).to_have_count(len(reasoning["nodes"]))
    assert len(reasoning["nodes"]) > 1
    order = [nodes.nth(n).get_attribute("data-provision") for n in range(nodes.count())]
    assert order == [one["provision"] for one in reasoning["nodes"]]
    shown = " ".join(visit.page.locator(".graph .edge-text").all_text_contents())
    quoted = [edge["text"] for edge in reasoning["edges"] if edge["text"]]
    assert any(text.split()[0] in shown for text in quoted)
    assert visit.page.locator(".graph .edge").count() == nodes.count() - 1
    nodes.nth(1).focus()
    visit.page.keyboard.press("Enter")
    expect(visit.page.locator("#choose-document")).to_have_attribute("aria-selected", "true")
    expect(visit.page.locator(f'.line.target[data-provision="{order[1]}"]')).not_to_have_count(0)


def test_the_graph_can_be_read_as_a_list(visit: Visit) -> None:
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    visit.page.locator("#choose-reasoning").click()
    visit.page.get_by_role("button", name="List", exact=True).click()
    rows = visit.page.locator(".reasoning-list > li")
    expect(rows).to_have_count(len(visit.record()["reasoning"]["nodes"]))
    edges = visit.record()["reasoning"]["edges"]
    texts = [edge["text"] for edge in edges if edge["text"] and edge["kind"] != "translation_of"]
    expect(visit.page.locator(".edge-words q").first).to_have_text(texts[0])
    visit.ask(CAPITAL_INCOME)  # the choice is remembered
    expect(visit.page.locator(".reasoning-list")).to_be_visible()
    visit.page.get_by_role("button", name="Close the panel").click()
    visit.ask(KEY_EMPLOYEES)
    expect(visit.page.locator("#panel")).to_be_hidden()  # who closed it is not shown it again unasked


@pytest.mark.parametrize(("motion", "moving"), [("reduce", 0), ("no-preference", 1)])
def test_the_graph_moves_only_for_who_wants_it(
    browser: Browser, address: str, motion: str, moving: int
) -> None:
    with visiting(browser, address, reduced_motion=motion) as visit:
        visit.go()
        visit.ask(KEY_EMPLOYEES).get_by_role("button", name="Reasoning").click()
        expect(visit.page.locator(".graph")).to_have_count(1)
        expect(visit.page.locator(".graph.moving")).to_have_count(moving)
