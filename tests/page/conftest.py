"""One server for all page tests, and one browser for each file of them.

The browser is not shared further: while Playwright is open it keeps an event loop running in its thread,
and tests of other files that start one of their own would find it taken.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from browsers import launched
from page_visits import Visit, serving, visiting


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = launched(playwright)
        if started is None:
            pytest.skip("NO BROWSER: the page is not tested here; apt-get install chromium")
        yield started
        started.close()


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    with visiting(browser, address) as visited:
        yield visited
