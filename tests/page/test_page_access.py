"""Everybody can use the page: assistive technology, the keyboard alone, a phone, four languages, no script of
others."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Route, expect

from page_visits import Visit, visiting
from pykala.interfaces.web import STATIC

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"
PHONE = {"width": 390, "height": 844}
#: All rules of axe's category "color" that are on by themselves.
OF_COLOURS = ("color-contrast", "link-in-text-block")
EVERY_RULE: dict[str, object] = {}
COLOURS_ALONE = {"runOnly": {"type": "rule", "values": OF_COLOURS}}
ALL_BUT_COLOURS = {"rules": {rule: {"enabled": False} for rule in OF_COLOURS}}
#: The rule that measures: all others read which elements there are, their marks, and which are visible.
MEASURES_ALONE = {"runOnly": {"type": "rule", "values": ("scrollable-region-focusable",)}}


def findings(visit: Visit, by: Mapping[str, object] = EVERY_RULE, *, changed: bool = False) -> list[str]:
    """What axe finds by some of its rules, however small: with the elements, so that it tells where.

    `changed`: only within elements whose colours a narrow layout sets, or that `remember_what_is_seen` has
    not seen.
    """
    page = visit.page
    page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(
        """async ([by, changed, coloured]) => {
          const all = [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility());
          const chosen = new Set(all.filter((one) => !window.seen?.has(one) || one.closest(coloured)));
          const highest = [...chosen].filter((one) => !chosen.has(one.parentElement));
          if (changed && !highest.length) return [];
          const where = changed ? { include: highest } : document;
          return (await axe.run(where, { resultTypes: ["violations"], ...by }))
            .violations.flatMap((one) => one.nodes.map(
              (node) => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary}`));
        }""",
        [by, changed, COLOURED_IF_NARROW],
    )
    return [str(one) for one in found]


def remember_what_is_seen(visit: Visit) -> None:
    """Note the elements that are visible now."""
    visit.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("body *")];
          window.seen = new Set(all.filter((one) => one.checkVisibility()));
        }"""
    )


def what_is_seen(visit: Visit) -> str:
    """All marks of the page, and which of its elements are visible."""
    found = visit.page.evaluate(
        """() => {
          const all = [...document.querySelectorAll("*")];
          const seen = all.map((one) => Number(one.checkVisibility())).join("");
          return document.documentElement.outerHTML + seen;
        }"""
    )
    return str(found)


def holds_everywhere(visit: Visit, view: str) -> None:
    """A view has no finding and nothing that sticks out, from a phone to a large screen, light and dark.

    Axe reads each layout once: within one, widths only move what stands there. Where a layout shows the
    same elements as one before it, only the rule that measures can find something else. Colours take three
    quarters of its time, and are read where they can differ: on either side of the breakpoints that set one,
    and in each scheme. Between the widest layout and a phone, and on a phone in the dark, only what looks
    otherwise than in the widest layout can. The dark scheme has other colours and nothing else.
    """
    page = visit.page
    read: set[str] = set()
    for width in (*LAYOUTS, WIDEST):
        page.set_viewport_size({"width": width, "height": 844 if width < 600 else 900})
        assert too_wide(visit) == [], (view, width)
        assert page.evaluate("() => document.scrollingElement.scrollWidth <= innerWidth"), (view, width)
        whole = width in (OF_OTHER_COLOURS[0], OF_OTHER_COLOURS[-1])
        if width in LAYOUTS:
            seen = what_is_seen(visit)
            rules = EVERY_RULE if whole else MEASURES_ALONE if seen in read else ALL_BUT_COLOURS
            assert findings(visit, rules) == [], (view, width, "light")
            read.add(seen)
        if width in OF_OTHER_COLOURS:
            if not whole:
                assert findings(visit, COLOURS_ALONE, changed=True) == [], (view, width, "light")
            page.emulate_media(color_scheme="dark")
            changed = width != OF_OTHER_COLOURS[0]
            assert findings(visit, COLOURS_ALONE, changed=changed) == [], (view, width, "dark")
            page.emulate_media(color_scheme="light")
        if width == OF_OTHER_COLOURS[0]:
            remember_what_is_seen(visit)
    page.set_viewport_size({"width": 1280, "height": 900})


#: A width of every layout, from the widest to a small phone: between two of them lies one breakpoint.
LAYOUTS = (1280, 1100, 950, 860, 768, 390, 340)
OF_OTHER_COLOURS = (1280, 950, 390)  # between two of them lies one breakpoint that sets a colour
WIDEST = 1920  # of the layout of 1,280 px
BREAKPOINT = re.compile(r"\((min|max)-width: (\d+)px\)")
NARROWER = re.compile(r"@media \(max-width: (\d+)px\) \{(.*?)\n\}", re.DOTALL)
SETS_COLOUR = re.compile(r"color|background|opacity")


def coloured_if_narrow() -> Iterator[str]:
    """The selectors of what narrow layouts give another colour."""
    for path in sorted(STATIC.rglob("*.css")):
        for _, block in NARROWER.findall(re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.DOTALL)):
            for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", block):
                if SETS_COLOUR.search(body):
                    yield selector.strip()


COLOURED_IF_NARROW = ", ".join(coloured_if_narrow())


def test_axe_reads_a_width_on_either_side_of_every_breakpoint() -> None:
    texts = [path.read_text("utf-8") for path in STATIC.rglob("*") if path.suffix in (".css", ".js")]
    found = [one for text in texts for one in BREAKPOINT.findall(text)]
    last = sorted({int(width) - (kind == "min") for kind, width in found})  # of the narrower layout
    assert len(last) > 4
    assert sorted(bisect_left(last, width) for width in LAYOUTS) == [*range(len(last) + 1)]
    assert bisect_left(last, WIDEST) == len(last)
    blocks = [block for text in texts for block in NARROWER.findall(text)]
    coloured = sorted({int(width) for width, block in blocks if SETS_COLOUR.search(block)})
    assert sorted(bisect_left(coloured, width) for width in OF_OTHER_COLOURS) == [*range(len(coloured) + 1)]
    told = (Path(__file__).parents[2] / "docs" / "page.md").read_text("utf-8")
    assert ", ".join(f"{width:,}" for width in sorted(LAYOUTS)[:-1]) + f" and {max(LAYOUTS):,} pixels" in told


@pytest.mark.parametrize("element", [".views a", "body > p"])
def test_colours_that_only_a_narrow_layout_has_are_read(visit: Visit, element: str) -> None:
    page = visit.page
    page.set_viewport_size({"width": 1280, "height": 900})
    visit.go()
    expect(page.locator(".example").first).to_be_visible()
    remember_what_is_seen(visit)
    page.set_viewport_size({"width": 390, "height": 844})
    assert findings(visit, COLOURS_ALONE, changed=True) == []
    page.evaluate(
        """(element) => {
          const added = document.createElement("p");
          added.textContent = "Shown on a phone alone";
          document.body.prepend(added);
          const style = document.querySelector(element).style;
          style.color = "#777";
          style.background = "#888";
        }""",
        element,
    )
    assert "color-contrast" in "".join(findings(visit, COLOURS_ALONE, changed=True))


def test_questions_and_documents_are_for_everybody(browser: Browser, address: str) -> None:
    with visiting(browser, address, reduced_motion="reduce") as visit:
        page = visit.page
        page.set_viewport_size({"width": 1280, "height": 900})
        visit.go()
        expect(page.locator(".example").first).to_be_visible()
        holds_everywhere(visit, "the start")
        visit.ask(KEY_EMPLOYEES).locator(".support summary").first.click()
        page.locator(".trace summary").click()
        expect(page.locator(".reader-text mark").first).to_be_visible()
        holds_everywhere(visit, "an answer with its conflict, and its document")
        page.locator("#choose-reasoning").click()
        holds_everywhere(visit, "the reasoning")
        page.locator("#choose-document").click()
        for box in page.locator(".marks input").all():
            box.check()
        expect(page.locator(".comparison .difference").first).to_be_visible()
        page.locator("#panel .menu summary").click()
        holds_everywhere(visit, "a difference, and a menu")
        page.locator(".panel-close").click()
        page.locator("#follow-up").fill("and in 2013?")
        page.locator("#follow-up").press("Enter")
        expect(page.locator(".turn")).to_have_count(1)
        expect(page.locator(".follow-up")).to_be_visible()
        page.locator(".sheet .menu summary").click()
        holds_everywhere(visit, "a thread, and the forms of an export")


def test_every_other_view_is_for_everybody(browser: Browser, address: str) -> None:
    with visiting(browser, address, reduced_motion="reduce") as visit:
        page = visit.page
        page.set_viewport_size({"width": 1280, "height": 900})
        visit.go("/#find=capital+income")
        expect(page.locator(".result").first).to_be_visible()
        holds_everywhere(visit, "search")
        page.locator(".result a").first.click()
        expect(page.locator(".reader-text .document")).to_be_visible()
        page.get_by_role("button", name="Follow", exact=True).click()
        holds_everywhere(visit, "search, and a document")
        page.locator(".panel-close").click()
        page.get_by_role("link", name="Changes", exact=True).click()
        page.select_option("#period", "30")
        expect(page.locator(".changed-work .rows li").first).to_be_visible()
        holds_everywhere(visit, "changes")
        page.get_by_role("link", name="Library", exact=True).click()
        expect(page.locator(".library-section.loaded table")).to_be_visible()
        expect(page.locator(".loading")).to_have_count(0)
        holds_everywhere(visit, "the library")
        page.get_by_role("button", name="Keyboard").click()
        holds_everywhere(visit, "a dialogue")


def test_what_has_no_answer_is_for_everybody(browser: Browser, address: str) -> None:
    with visiting(browser, address, reduced_motion="reduce") as visit:
        page = visit.page
        refusal = {
            "title": "Key required",
            "status": 401,
            "detail": "A key is required.",
            "code": "key-required",
        }
        page.route("**/api/v1/**", answering(401, "application/problem+json", json.dumps(refusal)))
        page.goto(address)
        expect(page.get_by_label("Key", exact=True)).to_be_visible()
        holds_everywhere(visit, "the key prompt")
        page.unroute("**/api/v1/**")
        visit.go()
        for outcome, question in UNANSWERED.items():
            sheet = visit.ask(question)
            assert visit.record()["outcome"] == outcome
            expect(sheet.locator(f".banner[data-outcome={outcome}]")).to_be_visible()
            holds_everywhere(visit, f"an answer that is {outcome}")
        failed = (
            'event: error\ndata: {"detail": "The library is being written; ask again.", "status": 503}\n\n'
        )
        page.route("**/api/v1/ask", answering(200, "text/event-stream", failed))
        page.fill("#question", CAPITAL_INCOME)
        page.press("#question", "Enter")
        expect(page.locator("#answer .refusal")).to_contain_text("ask again")
        holds_everywhere(visit, "an error")


#: Questions that the sample does not answer, each in its own way.
UNANSWERED = {
    "GUIDANCE": "How many days of paid holiday does my boss owe me?",
    "OUTSIDE_CORPUS": "How do I bake sourdough bread?",
}


def answering(status: int, kind: str, body: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(status=status, content_type=kind, body=body)


def test_the_dark_scheme_has_other_colours_and_nothing_else() -> None:
    """So that the rules of colours are all that need to be held against it."""
    dark = re.compile(r'(?:prefers-color-scheme: dark\) \{\s*:root[^{]*|\[data-theme="dark"\] )\{([^}]*)\}')
    colour = re.compile(r"#[0-9a-f]{3,8}|dark|light|(?:0 \d+px \d+px rgb\([^)]*\)(?:, )?)+")
    found: list[str] = []
    for file in sorted(STATIC.glob("**/*.css")):
        text = file.read_text("utf-8")
        blocks = dark.findall(text)
        assert len(blocks) == text.count("color-scheme: dark)") + text.count('[data-theme="dark"]'), file.name
        found += [one.strip() for block in blocks for one in block.split(";") if one.strip()]
    assert len(found) > 20
    for declared in found:
        name, _, value = declared.partition(": ")
        assert name == "color-scheme" or name.startswith("--"), declared
        assert colour.fullmatch(value), declared
    assert not [
        one.name for one in STATIC.glob("**/*.js") if "prefers-color-scheme" in one.read_text("utf-8")
    ]


def test_everything_by_keyboard(visit: Visit) -> None:
    page = visit.page
    visit.go()
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    page.keyboard.type(KEY_EMPLOYEES)
    assert page.input_value("#question") == KEY_EMPLOYEES
    page.keyboard.press("Enter")
    visit.answer()
    reached = tab_to(visit, ".key")
    page.keyboard.press("Enter")
    expect(page.locator(".reader-text mark").first).to_be_visible()
    assert page.evaluate("() => document.activeElement.closest('#panel') !== null")
    tab_to(visit, "#panel .menu summary")
    page.keyboard.press("Enter")
    expect(page.locator("#panel .menu-list")).to_be_visible()
    page.keyboard.press("Escape")  # closes the menu, not yet the panel
    expect(page.locator("#panel .menu-list")).to_be_hidden()
    expect(page.locator("#panel")).to_be_visible()
    tab_to(visit, ".marks input")
    page.keyboard.press("Space")
    expect(page.locator(".marks input:checked")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#panel")).to_be_hidden()
    assert (
        page.evaluate("() => document.activeElement.dataset.key") == reached == "L1"
    )  # back where it came from


def tab_to(visit: Visit, selector: str) -> str:
    """Press Tab until something that fits has the focus, which must be visible; its key, if it is one."""
    for _ in range(80):
        visit.page.keyboard.press("Tab")
        found = visit.page.evaluate(
            """(selector) => {
              const one = document.activeElement;
              if (!one.matches(selector)) return null;
              const style = getComputedStyle(one);
              const seen = style.outlineStyle !== 'none' && style.outlineWidth !== '0px';
              return { seen, key: one.dataset.key ?? '' };
            }""",
            selector,
        )
        if found:
            assert found["seen"], f"{selector} has the focus and does not show it"
            return str(found["key"])
    raise AssertionError(f"{selector} cannot be reached with Tab")


def test_single_keys_and_switching_them_off(visit: Visit) -> None:
    page = visit.page
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    page.locator("#asked").focus()
    page.keyboard.press("1")
    expect(page.locator(".reader-text mark").first).to_be_visible()
    page.keyboard.press("r")
    expect(page.locator("#choose-reasoning")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("/")
    page.keyboard.type("l")  # in the question a letter is a letter
    expect(page.locator("#question")).to_have_value(KEY_EMPLOYEES + "l")
    page.locator("#asked").focus()
    page.keyboard.press("?")
    page.get_by_label("Single keys are on").uncheck()
    page.keyboard.press("Escape")
    page.locator("#asked").focus()
    page.keyboard.press("l")
    expect(page.locator("#view-library")).to_be_hidden()


@pytest.mark.parametrize(("width", "locale"), [(390, "en-GB"), (320, "fr-FR")])
def test_a_phone(browser: Browser, address: str, width: int, locale: str) -> None:
    with visiting(
        browser, address, viewport=PHONE | {"width": width}, locale=locale, has_touch=True, is_mobile=True
    ) as visit:
        page = visit.page
        visit.go()
        assert not too_wide(visit)
        visit.ask(KEY_EMPLOYEES)
        assert not too_wide(visit)
        visit.open_key()
        expect(page.locator(".reader-text mark").first).to_be_in_viewport()
        box = page.locator("#panel").bounding_box()
        assert box is not None
        assert (box["width"], box["height"]) == (width, PHONE["height"])  # it covers the page
        assert not too_wide(visit)
        page.locator("#choose-reasoning").tap()
        expect(page.locator(".graph .node").first).to_be_visible()
        assert not too_wide(visit)
        page.locator(".panel-close").tap()
        page.locator("#history-toggle").tap()
        expect(page.locator(".history-row")).to_be_visible()
        page.locator("#history-toggle").tap()
        page.locator("[data-view=library]").tap()
        expect(page.locator(".library-section.loaded table")).to_be_visible()
        assert not too_wide(visit)
        # The library scrolls under the bar; the page itself does not, and so the bar stays.
        assert page.evaluate("() => document.scrollingElement.scrollHeight <= innerHeight")


def too_wide(visit: Visit) -> list[str]:
    """Elements that stick out of the window, other than in what scrolls by itself."""
    found = visit.page.evaluate(
        """() => [...document.querySelectorAll('body *')].filter((one) => {
          if (one.closest('.scroll, .marks, .unseen, .skip, .drawings, [hidden]')) return false;
          const box = one.getBoundingClientRect();
          return box.width > 1 && box.right > document.documentElement.clientWidth + 1;
        }).map((one) => one.outerHTML.slice(0, 120))"""
    )
    return [str(one) for one in found]


@pytest.mark.parametrize(
    ("locale", "label", "answered", "as_of"),
    [
        ("fi-FI", "Kysymyksesi laista", "Vastattu", "1. kesäkuuta 2026"),
        ("sv-FI", "Din fråga om lagen", "Besvarad", "1 juni 2026"),
        ("fr-CA", "Votre question de droit", "Répondu", "1 juin 2026"),
        ("de-DE", "Your question about the law", "Answered", "1 June 2026"),
    ],
)
def test_the_interface_speaks_the_readers_language(
    browser: Browser, address: str, locale: str, label: str, answered: str, as_of: str
) -> None:
    with visiting(browser, address, locale=locale) as visit:
        visit.go(f"/#q={CAPITAL_INCOME.replace(' ', '+')}&as_of=2026-06-01")
        visit.page.press("#question", "Enter")
        sheet = visit.answer()
        expect(visit.page.locator(".question-label")).to_have_text(label)
        expect(sheet.locator(".banner strong")).to_have_text(answered)
        expect(sheet.locator(".sheet-facts")).to_contain_text(as_of)


def test_language_and_colours_are_switched_and_kept(visit: Visit) -> None:
    page = visit.page
    visit.go()
    visit.ask(KEY_EMPLOYEES)
    page.select_option("#interface-language", "sv")
    expect(page.locator(".banner strong")).to_have_text("Besvarad")
    expect(page.locator("html")).to_have_attribute("lang", "sv")
    expect(page.locator(".answer-text")).to_have_attribute("lang", "en")  # the law's own words stay
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    page.click("#theme")  # the system's, which is light here, then light, then dark
    page.click("#theme")
    dark = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert dark != light
    visit.go()
    expect(page.locator(".question-label")).to_have_text("Din fråga om lagen")
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == dark


def test_a_server_with_keys_asks_for_one(visit: Visit) -> None:
    """What a keyed server does is tested with the server; here its refusal meets the page."""
    refusal = json.dumps(
        {"title": "Key required", "status": 401, "detail": "A key is required.", "code": "key-required"}
    )

    def guard(route, request) -> None:  # type: ignore[no-untyped-def]
        if request.headers.get("authorization") == "Bearer open sesame":
            route.continue_()
        else:
            route.fulfill(status=401, content_type="application/problem+json", body=refusal)

    visit.page.route("**/api/v1/**", guard)
    visit.page.goto(visit.address)
    visit.page.get_by_label("Key", exact=True).fill("open sesame")
    visit.page.get_by_role("button", name="Use this key").click()
    visit.page.wait_for_selector("html[data-ready]")
    expect(visit.ask(CAPITAL_INCOME).locator(".answer-text")).to_contain_text("34 per cent")
    assert "sesame" not in (visit.page.evaluate("() => JSON.stringify(localStorage)"))


def test_no_other_server_is_ever_asked(visit: Visit) -> None:
    """The visit itself notes every request that leaves; the policy would refuse it besides."""
    response = visit.page.goto(visit.address)
    assert response is not None
    policy = response.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert not re.search(r"unsafe-(inline|eval)|https?:", policy)
