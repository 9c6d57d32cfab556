"""A second opinion at the page: offered where the server has one, below the sheet, as words and no more."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from page_visits import Visit, serving, visiting
from provider_servers import KEY, WebChat, refusing, served

CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"


@pytest.fixture(scope="module")
def web() -> Iterator[WebChat]:
    with served(WebChat()) as played:
        assert isinstance(played, WebChat)
        yield played


@pytest.fixture(scope="module")
def advised(tmp_path_factory: pytest.TempPathFactory, web: WebChat) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("advised")
    settings = {
        "PYKALA_SECOND_OPINION": "custom/sonar",
        "PYKALA_SECOND_OPINION_KEY": KEY,
        "PYKALA_SECOND_OPINION_ADDRESS": web.address,
        "PYKALA_SECOND_OPINION_PRICE": "1/1+0.01",
    }
    with serving(folder, **settings) as address:
        yield address


@pytest.fixture
def reader(browser: Browser, advised: str, web: WebChat) -> Iterator[Visit]:
    web.seen.clear()
    with visiting(browser, advised) as visited:
        visited.go()
        yield visited


def test_it_is_off_until_the_reader_says_otherwise(reader: Visit, web: WebChat) -> None:
    reader.ask(CAPITAL_INCOME)
    expect(reader.page.locator(".second-opinion")).to_have_count(0)
    assert web.seen == []
    assert "second_opinion" not in reader.record()


def test_it_stands_below_the_sheet_and_its_words_are_words(reader: Visit, web: WebChat) -> None:
    web.text = "<img src=x onerror=alert(1)> **34** per cent [L1].[1][3]\nA second line."
    reader.choose("From the web")
    sheet = reader.ask(CAPITAL_INCOME)
    aside = reader.page.locator("aside.second-opinion")
    expect(aside).to_be_visible()
    expect(sheet.locator(".second-opinion")).to_have_count(0)  # no part of the answer
    expect(aside).to_contain_text("Not law, not checked: from the web")
    expect(aside.locator(".second-opinion-text")).to_have_text(
        "<img src=x onerror=alert(1)> **34** per cent (L1).[1][2]\nA second line."
    )
    expect(aside.locator("img, .key")).to_have_count(0)
    links = aside.locator("a")
    expect(links).to_have_count(2)
    assert links.first.get_attribute("href") == "https://www.vero.fi/en/capital-income"
    assert links.first.get_attribute("rel") == "noopener noreferrer"
    expect(aside).to_contain_text("custom/sonar")
    expect(aside).to_contain_text("US$0.0112")
    assert len(web.seen) == 1
    for language, title in (("fi", "Toinen mielipide"), ("sv", "Andra utlåtande"), ("fr", "Second avis")):
        reader.page.select_option("#interface-language", language)
        expect(aside.locator("h3")).to_have_text(title)


def test_a_shared_link_asks_nothing_of_the_web(reader: Visit, web: WebChat) -> None:
    reader.choose("From the web")
    reader.ask(CAPITAL_INCOME)
    assert len(web.seen) == 1
    assert "second" not in reader.page.evaluate("() => location.hash")
    kept = json.loads(reader.page.evaluate("() => localStorage.getItem('pykala.history')"))
    assert kept[0]["answer"]["second_opinion"]["links"]
    reader.page.reload()
    reader.page.wait_for_selector("html[data-ready]")
    expect(reader.page.locator("aside.second-opinion")).to_be_visible()  # from the browser's own history
    assert len(web.seen) == 1


def test_a_failure_is_said_and_the_answer_stands(reader: Visit, web: WebChat) -> None:
    web.then(refusing(401, "no"))
    reader.choose("From the web")
    sheet = reader.ask(CAPITAL_INCOME)
    expect(sheet.locator(".answer-text")).to_contain_text("34 per cent")
    expect(reader.page.locator("aside.second-opinion")).to_contain_text("the key is not accepted")


def test_a_server_without_one_does_not_offer_it(visit: Visit) -> None:
    visit.go()
    expect(visit.page.get_by_role("radio", name="From the web", exact=True)).to_have_count(0)
