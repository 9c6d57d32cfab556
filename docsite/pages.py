"""Which files of the repository are pages of the site, and where links between them lead there."""

from __future__ import annotations

import json
import os.path
import re
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
_BESIDE = {
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "bench/README.md": "bench.md",
    "docs/first-steps.ipynb": "first-steps.md",
    "docs/settings.md": "reference/settings.md",
    # A reader of the site is already past the README: its start page is the site's own.
    "README.md": "readme.md",
}
_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\]]*\])*\])\(([^()\s]+)\)")
_FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1`*\s*$", re.MULTILINE | re.DOTALL)


def _places() -> dict[str, str]:
    pages = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))
    return {page: _BESIDE.get(page, page.removeprefix("docs/")) for page in [*pages, *_BESIDE]}


#: Every file that is a page of the site, by its path in the repository, with its place in the site.
PLACES = _places()


def relinked(text: str, source: str, place: str) -> str:
    """The text of a page with its links as they must be in the site.

    A link to a file of the repository that is no page of the site, such as a source file, stays as its words.
    """

    def link(found: re.Match[str]) -> str:
        words, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, anchor = target.partition("#")
        file = os.path.normpath(PurePosixPath(source).parent / path)
        known = PLACES.get(file) or (
            file.removeprefix("docs/") if file.startswith("docs/pictures/") else None
        )
        if known is None:
            return words.lstrip("!").strip("[]")
        there = os.path.relpath(known, PurePosixPath(place).parent or ".")
        return f"{words}({there}{'#' + anchor if anchor else ''})"

    kept: list[str] = []
    last = 0
    for fence in _FENCE.finditer(text):
        kept += [_LINK.sub(link, text[last : fence.start()]), fence[0]]
        last = fence.end()
    return "".join([*kept, _LINK.sub(link, text[last:])])


def notebook_page(file: Path) -> str:
    """A notebook as a page: its words, and its cells as code."""
    parts = []
    for cell in json.loads(file.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"]).strip()
        parts.append(source if cell["cell_type"] == "markdown" else f"```python\n{source}\n```")
    return "\n\n".join(parts) + "\n"
