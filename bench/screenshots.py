"""Pictures of the page as it is: `python -m bench.screenshots [FOLDER] [--all]` (else to docs/pictures).

A server of the sample library is started on loopback, and a real browser (Debian's `chromium`, or the one
that Playwright installed) goes through the page: an answer with its conflict, the cited words in their
document, a difference between two versions, a thread, a search, changes, the library; light and dark, on a
phone, too.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, Page, Playwright, sync_playwright

KEY_EMPLOYEES = "How many months can a person be regarded as a key employee in Finland?"
CAPITAL_INCOME = "What is the tax rate on capital income above 30 000 euros in Finland?"
UNANSWERED = "How many days of paid holiday does my boss owe me?"


def start(page: Page) -> None:
    page.wait_for_selector(".example")


def ask(page: Page, question: str) -> None:
    page.fill("#question", question)
    page.press("#question", "Enter")
    page.wait_for_selector("#composer .send:not(.running)")
    page.wait_for_selector("article.sheet .trace")


def beside(page: Page) -> None:
    """Wait for the document beside the answer, where there is room for one."""
    if page.evaluate("() => innerWidth >= 1200"):
        page.wait_for_selector(".reader-text mark")


def answer(page: Page) -> None:
    ask(page, KEY_EMPLOYEES)
    beside(page)


def reasoning(page: Page) -> None:
    ask(page, KEY_EMPLOYEES)
    page.click("#choose-reasoning")
    page.wait_for_selector(".graph .node")


def document(page: Page) -> None:
    ask(page, CAPITAL_INCOME)
    page.click(".key")
    page.wait_for_selector(".reader-text mark")


def difference(page: Page) -> None:
    document(page)
    for box in page.locator(".marks input").all()[-2:]:
        box.check()
    page.wait_for_selector(".comparison .difference")


def languages(page: Page) -> None:
    ask(page, KEY_EMPLOYEES)
    page.click(".key")
    page.select_option("#beside", "fi")
    page.wait_for_selector(".document.paired mark")


def guidance(page: Page) -> None:
    ask(page, UNANSWERED)


def thread(page: Page) -> None:
    ask(page, CAPITAL_INCOME)
    page.fill("#follow-up", "and in 2013?")
    page.press("#follow-up", "Enter")
    page.wait_for_selector(".turn")
    page.wait_for_selector(".follow-up")
    beside(page)


def search(page: Page) -> None:
    page.keyboard.press("s")
    page.fill("#find", "capital income")
    page.press("#find", "Enter")
    page.wait_for_selector(".result")


def changes(page: Page) -> None:
    search(page)
    page.click(".result a >> nth=0")
    page.click(".follow")
    page.click(".panel-close")
    page.click("[data-view=changes]")
    page.select_option("#period", "30")
    page.wait_for_selector(".changed-work .rows li")


def library(page: Page) -> None:
    ask(page, KEY_EMPLOYEES)
    page.click("[data-view=library]")
    page.wait_for_selector(".library-section.keywords tbody tr")
    page.wait_for_function("() => !document.querySelector('.loading')")


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: what is done before it is taken, and in which window."""

    name: str
    act: Callable[[Page], None]
    width: int = 1440
    height: int = 900
    scheme: str = "light"
    in_docs: bool = True  # the others are for looking at what was changed


PICTURES = (
    Picture("start", start, in_docs=False),
    Picture("answer", answer),
    Picture("answer-dark", answer, scheme="dark"),
    Picture("answer-1024", answer, width=1024, height=768, in_docs=False),
    Picture("document", document),
    Picture("document-dark", document, scheme="dark", in_docs=False),
    Picture("difference", difference),
    Picture("languages", languages),
    Picture("reasoning", reasoning, in_docs=False),
    Picture("guidance", guidance, in_docs=False),
    Picture("thread", thread),
    Picture("search", search),
    Picture("search-dark", search, scheme="dark", in_docs=False),
    Picture("changes", changes),
    Picture("library", library),
    Picture("library-dark", library, scheme="dark", in_docs=False),
    Picture("phone-answer", answer, width=390, height=844),
    Picture("phone-search", search, width=390, height=844, in_docs=False),
    Picture("phone-changes", changes, width=390, height=844, in_docs=False),
    Picture("phone-thread", thread, width=390, height=844, in_docs=False),
    Picture("phone-document-dark", document, width=390, height=844, scheme="dark"),
)


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of the sample library that lasts as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"PYKALA_CACHE": f"{folder}/cache", "PYKALA_LIBRARY": f"{folder}/own"}
        command = [sys.executable, "-m", "pykala", "serve", "--port", "0"]
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr is not None
            try:
                for line in process.stderr:
                    if found := re.search(r"http://\S+(?=/)", line):
                        yield found[0]
                        return
                raise SystemExit("the server did not start; run 'pykala serve' to see why")
            finally:
                process.terminate()


def launched(playwright: Playwright) -> Browser:
    """A browser: the system's, else Playwright's own."""
    system = shutil.which("chromium") or shutil.which("google-chrome")
    return playwright.chromium.launch(executable_path=system, args=["--no-sandbox"])


def take(browser: Browser, address: str, picture: Picture, folder: Path) -> Path:
    """Take one picture; what moves has come to rest."""
    context = browser.new_context(
        viewport={"width": picture.width, "height": picture.height},
        color_scheme=picture.scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        locale="en-GB",
    )
    page = context.new_page()
    page.set_default_timeout(120_000)  # a busy machine takes its time
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    picture.act(page)
    page.evaluate("() => document.activeElement?.blur()")
    path = folder / f"{picture.name}.png"
    page.screenshot(path=path, animations="disabled", caret="hide")
    context.close()
    return path


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--all", action="store_true", help="also those that the documentation does not show")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = launched(playwright)
        for picture in PICTURES:
            if picture.in_docs or arguments.all:
                print(take(browser, address, picture, arguments.folder))
        browser.close()


if __name__ == "__main__":
    main()
