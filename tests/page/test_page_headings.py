"""The head of the document panel: titles that are cut, places, and versions whose labels keep apart."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from test_page_access import findings

from page_visits import Visit, visiting

GDPR = "eu:32016R0679"
SHORT, WHOLE = (
    "Regulation (EU) 2016/679",
    "REGULATION (EU) 2016/679 OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL",
)
#: What stands before and behind each place, and behind the words of its button.
SIGNS = """all => all.map((one) => {
  const place = one.querySelector(".place") ?? one;
  const parts = [[one, "::before"], [one, "::after"], [place, "::after"]];
  return parts.map(([part, name]) => getComputedStyle(part, name).content).join(" ");
})"""
LINES = """(one) => {
  const style = getComputedStyle(one);
  return Math.round(one.getBoundingClientRect().height / parseFloat(style.lineHeight));
}"""


def height(visit: Visit, selector: str) -> float:
    box = visit.page.locator(selector).bounding_box()
    assert box is not None
    return box["height"]


def test_a_place_names_its_act_by_its_short_title_and_no_line_begins_with_a_sign(visit: Visit) -> None:
    visit.go(f"/law/{GDPR}/art_33?as_of=2026-01-01&language=en")
    first = visit.page.locator(".breadcrumbs .place").first
    expect(first).to_have_text(SHORT)
    assert (first.get_attribute("title") or "").startswith(WHOLE), "the whole on demand"
    signs = visit.page.locator(".breadcrumbs li").evaluate_all(SIGNS)
    assert len(signs) > 1
    assert ["\u00a0›" in one for one in signs] == [True] * (len(signs) - 1) + [False]
    assert {one for one in signs if "\u00a0›" not in one} <= {"none none none"}
    expect(visit.page.get_by_role("button", name=SHORT, exact=True)).to_be_visible()  # read without the sign
    assert height(visit, ".reader-top") < 0.5 * height(visit, "#panel")


@pytest.mark.parametrize("width", [320, 390])
def test_a_long_title_is_cut_and_shown_whole_on_demand(browser: Browser, address: str, width: int) -> None:
    with visiting(browser, address, viewport={"width": width, "height": 844}) as visit:
        visit.go(f"/law/{GDPR}?as_of=2026-01-01&language=en")
        title, toggle = visit.page.locator("#full-title"), visit.page.locator(".title-toggle")
        expect(toggle).to_have_text("Full title")
        assert title.evaluate(LINES) == 2
        assert findings(visit) == []
        toggle.focus()
        visit.page.keyboard.press("Enter")
        expect(toggle).to_have_text("Shorter title")
        expect(toggle).to_have_attribute("aria-expanded", "true")
        assert title.evaluate(LINES) > 2
        expect(toggle).to_be_focused()
        visit.page.keyboard.press("Enter")
        assert title.evaluate(LINES) == 2


def test_a_title_that_fits_has_nothing_to_unfold(visit: Visit) -> None:
    visit.go("/law/fi:act:1992/1535/sec_124?as_of=2026-01-01&language=en")
    expect(visit.page.locator("#full-title")).to_be_visible()
    expect(visit.page.locator(".title-toggle")).to_be_hidden()


def test_a_part_that_ended_is_not_the_end_of_the_whole(visit: Visit) -> None:
    """Title 11 goes on; Local Law 67 of 2023 repealed a part of it."""
    visit.go("/law/nyc:adc:11?as_of=2026-01-01")
    label = visit.page.locator(".mark[data-day='2023-06-28'] .mark-event")
    expect(label).to_contain_text("a part repealed")


def mark(day: str, event: str, act: str | None = None) -> dict[str, Any]:
    return {
        "valid_from": day,
        "valid_to": None,
        "event": event,
        "act": act,
        "source_act": act,
        "current": False,
    }


MARKS = [
    mark("1987-01-01", "amended"),
    mark("2009-01-01", "part_ended"),
    mark("2025-07-01", "amended", "ny:laws:2025/171"),
    mark("2026-01-01", "part_ended", "a-very-long-name-without-any-space-in-it/2026"),
    mark("2026-02-01", "ended"),
]
#: How far the words of each version reach into the next one, in pixels.
REACH = """
async ([marks, width]) => {
  const { timeline } = (await import("/static/page.js")).timeline;
  const nothing = () => {};
  const made = timeline(marks, "2026-01-01", { onday: nothing, onpair: nothing, onask: nothing });
  const holder = document.createElement("div");
  holder.style.width = `${width}px`;
  holder.append(made);
  document.querySelector("#view-ask").append(holder);
  const all = [...made.querySelectorAll(".mark")];
  const reach = all.slice(0, -1).map((one, index) => {
    const words = document.createRange();
    words.selectNodeContents(one);
    const next = all[index + 1].getBoundingClientRect().left;
    return Math.max(...[...words.getClientRects()].map((box) => box.right - next));
  });
  const labels = all.map((one) => one.querySelector(".mark-event").textContent);
  holder.remove();
  return { reach, labels };
}
"""


@pytest.mark.parametrize("width", [300, 420, 700])
def test_labels_of_versions_keep_apart(visit: Visit, width: int) -> None:
    visit.go()
    told = visit.page.evaluate(REACH, [MARKS, width])
    assert max(told["reach"]) <= 0
    assert told["labels"][1] == "a part ended"
    assert told["labels"][4] == "no longer in force"


#: A line of many versions, scrolled to one of them: what its left edge cuts, and whether that one is seen.
SCROLLED = """
async ([marks, width, day]) => {
  const { timeline, bringIntoSight } = (await import("/static/page.js")).timeline;
  const nothing = () => {};
  const made = timeline(marks, day, { onday: nothing, onpair: nothing, onask: nothing });
  const holder = document.createElement("div");
  holder.style.width = `${width}px`;
  holder.append(made);
  document.querySelector("#view-ask").append(holder);
  const line = made.querySelector(".marks");
  bringIntoSight(made.querySelector(".mark.shown"));
  const edge = line.getBoundingClientRect();
  const all = [...line.children].map((one) => one.getBoundingClientRect());
  const shown = made.querySelector(".mark.shown").getBoundingClientRect();
  const told = {
    cut: all.filter((box) => box.left < edge.left && box.right > edge.left + 8).length,
    room: Math.min(...all.filter((box) => box.right > edge.left + 8).map((box) => box.left - edge.left)),
    seen: shown.left >= edge.left && shown.right <= edge.right + 1,
    scrolled: line.scrollLeft > 0,
    blank: edge.right - Math.max(...all.map((box) => box.right)),
  };
  holder.remove();
  return told;
}
"""


@pytest.mark.parametrize("width", [300, 343, 420, 555])
@pytest.mark.parametrize("day", ["1999-01-01", "2012-06-01", "2026-06-01"])
def test_no_version_is_cut_at_the_left_edge_of_the_line(visit: Visit, width: int, day: str) -> None:
    visit.go()
    marks = [mark(f"{year}-01-01", "amended") for year in range(1999, 2027)]
    told = visit.page.evaluate(SCROLLED, [marks, width, day])
    assert (told["cut"], told["seen"], told["scrolled"]) == (0, True, day > "2000")
    assert told["room"] >= 3  # for the ring around a mark that has the focus


@pytest.mark.parametrize("width", [343, 358, 420, 555])
def test_versions_that_are_all_in_sight_fill_their_line(visit: Visit, width: int) -> None:
    visit.go()
    marks = [mark("2007-01-01", "amended"), mark("2024-01-01", "amended")]
    told = visit.page.evaluate(SCROLLED, [marks, width, "2026-01-01"])
    assert (told["cut"], told["seen"], told["scrolled"]) == (0, True, False)
    assert told["blank"] < 8
