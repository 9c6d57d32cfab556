"""Everybody can use the page: assistive technology, the keyboard alone, a phone, four languages, no script of
others."""

from __future__ import annotations

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from page_visits import Visit, visiting

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
KEY_EMPLOYEES = "For how many months can a foreign key employee be taxed under the special act?"
PHONE = {"width": 390, "height": 844}


def findings(visit: Visit) -> list[str]:
    """What axe finds that is serious: with the elements, so that a failure tells where."""
    visit.page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
    run = Axe().run(visit.page, options={"resultTypes": ["violations"]})
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary']}"
        for one in run.response["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(browser: Browser, address: str, scheme: str) -> None:
    with visiting(browser, address, color_scheme=scheme, reduced_motion="reduce") as visit:
        visit.go()
        expect(visit.page.locator(".example").first).to_be_visible()
        assert findings(visit) == []  # the start
        visit.ask(KEY_EMPLOYEES).locator(".support summary").first.click()
        visit.page.locator(".trace summary").click()
        assert findings(visit) == []  # an answer with its conflict, and the graph
        visit.open_key()
        for box in visit.page.locator(".marks input").all():
            box.check()
        expect(visit.page.locator(".comparison")).to_be_visible()
        visit.page.locator(".menu summary").click()
        assert findings(visit) == []  # a document, a difference, a menu
        visit.page.get_by_role("button", name="Keyboard").click()
        assert findings(visit) == []  # a dialogue
        visit.page.keyboard.press("Escape")
        visit.page.get_by_role("link", name="Library").click()
        expect(visit.page.locator(".library-section.keywords tbody tr").first).to_be_visible()
        expect(visit.page.locator(".loading")).to_have_count(0)
        assert findings(visit) == []


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
    tab_to(visit, ".menu summary")
    page.keyboard.press("Enter")
    expect(page.locator(".menu-list")).to_be_visible()
    page.keyboard.press("Escape")  # closes the menu, not yet the panel
    expect(page.locator(".menu-list")).to_be_hidden()
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
          if (one.closest('.chip-row, .scroll, .marks, .unseen, .skip, [hidden]')) return false;
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
