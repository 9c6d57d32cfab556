"""The API reference at /docs in a real browser: an operation is tried, with and without keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from page_visits import PATIENCE, Visit, serving, visiting

KEY = "reference-key-51"
SLOW = 10 * PATIENCE  # the reference is a large script, made anew for every operation


def operation(page: Page, method: str, path: str) -> Locator:
    """One operation of the reference, opened."""
    found = page.locator(f".opblock-{method}").filter(has=page.locator(f'[data-path="{path}"]')).first
    found.locator(".opblock-summary-control").click()
    expect(found.locator(".opblock-body")).to_be_visible(timeout=SLOW)
    return found


def tried(found: Locator) -> Locator:
    """The answer after trying an operation as it stands."""
    found.locator("button.execute").click()
    answer = found.locator(".live-responses-table")
    expect(answer).to_be_visible(timeout=SLOW)
    return answer


def test_a_question_is_tried_and_answered(visit: Visit) -> None:
    page = visit.page
    page.set_default_timeout(SLOW)
    page.goto(f"{visit.address}/docs")
    expect(page.get_by_role("heading", name="Pykälä")).to_be_visible(timeout=SLOW)
    asking = operation(page, "post", "/api/v1/ask")
    expect(asking.locator("textarea").first).to_have_value(re.compile("capital income"))
    answer = tried(asking)
    expect(answer).to_contain_text("34 per cent", timeout=SLOW)
    expect(answer.locator("tbody .response-col_status").first).to_contain_text("200", timeout=SLOW)
    reading = operation(page, "get", "/api/v1/provision")
    expect(reading.locator("input[placeholder='id']")).to_have_value("fi:act:1992/1535/sec_124")
    expect(tried(reading)).to_contain_text("version_line", timeout=SLOW)
    assert visit.faults == [], "nothing is loaded from elsewhere, and the content policy refuses nothing"


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("locked"), PYKALA_API_KEYS=f"reader={KEY}") as address:
        yield address


def test_with_keys_set_a_reader_authorises_first(browser: Browser, locked: str) -> None:
    with visiting(browser, locked) as visit:
        page = visit.page
        page.set_default_timeout(SLOW)
        page.goto(f"{visit.address}/docs")
        expect(page.get_by_role("heading", name="Pykälä")).to_be_visible(timeout=SLOW)
        listing = operation(page, "get", "/api/v1/jurisdictions")
        expect(tried(listing).locator("tbody .response-col_status").first).to_contain_text(
            "401", timeout=SLOW
        )
        page.locator(".auth-wrapper .authorize").first.click()
        page.locator(".auth-container").first.locator("input").fill(KEY)
        page.locator(".auth-container").first.locator("button.authorize").click()
        page.locator(".btn-done").first.click()
        answer = tried(listing)
        expect(answer.locator("tbody .response-col_status").first).to_contain_text("200", timeout=SLOW)
        expect(answer).to_contain_text("default_language", timeout=SLOW)
        assert visit.faults == []
