"""The code blocks of the documentation: which are executed, and which are not, with the reason.

A block of commands (`sh`, `console`, or indented) or of `python` is executed by the tests unless it needs
what a test has not. Such a block is told by its commands (`pip install` needs the network; those beside it
are executed), or is marked on the line before it: `<!-- not run: key -->`. Commands that serve until they are
stopped are begun, asked, and stopped. Blocks that are not executed are listed on a page of the site, and the
commands in them are still parsed, so that the documentation names no verb or option that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from markdown_it import MarkdownIt

from docsite.markdown import cell, table
from docsite.pages import PLACES, ROOT

#: What a block may need that a test has not.
NEEDS = {
    "network": "the network",
    "library": "a whole library of real law",
    "key": "a key or a model of your own",
    "machine": "a machine to set up: containers, services, a cluster",
    "hours": "training data and hours",
    "tested": "nothing: a test of its own executes it, line by line",
}
#: Commands that serve until they are stopped.
SERVES = re.compile(r"pykala (?:serve|mcp|chat)\b|make serve")
#: Servers of others, which are begun and kept while the rest of the page is executed.
KEEPS = re.compile(r"^dask (?:scheduler|worker)\b")
#: Commands that need it; the first that fits counts.
_BY_COMMAND = (
    ("hours", r"python -m training|make fuzz|pykala calibrate"),
    ("machine", r"docker|kubectl|systemctl|install -m|sudo|/opt/"),
    (
        "network",
        r"pip install|pipx|uv |git clone|pykala fetch|--online|make (?:audit|lock|links)"
        r"|pykala (?:get|ingest) (?!.*--from)",
    ),
    ("library", r"pykala evaluate|python -m bench|make bench"),
)
#: Pages whose commands speak of real law, at full size.
_OF_WHOLE_LIBRARIES = frozenset(
    {
        "docs/audit.md",
        "docs/benchmarks.md",
        "docs/evaluation.md",
        "docs/models.md",
        "docs/scale.md",
        "bench/README.md",
    }
)
#: Of those, what is the same on the sample.
_ON_THE_SAMPLE = re.compile(r"pykala audit LIBRARY$")
#: Pages whose commands need servers of PostgreSQL, Qdrant, Redis, S3 and tokens; the tests start them.
WITH_SERVERS = frozenset({"docs/cluster.md", "docs/team.md"})
_COMMANDS = ("sh", "bash", "console")
_MARK = re.compile(r"<!--\s*not run: (\w+)\s*-->\s*$")
_SHELL_WORDS = re.compile(r"(?:\$ )?(?:pykala|pip|export|python|make|docker|[A-Z_]+=\S)")


@dataclass(frozen=True)
class Block:
    """A block of code on a page."""

    page: str
    line: int
    language: str
    text: str
    needs: str = ""
    """Why it is not executed, a key of NEEDS; empty where it is."""
    marked: bool = False
    """Whether a mark on the page says so, and not its commands."""

    @property
    def place(self) -> str:
        """Where it stands."""
        return f"{self.page}:{self.line}"

    @property
    def told(self) -> list[str]:
        """The commands that are executed: of a block that needs the network, those that do not."""
        if not self.needs:
            return self.commands
        if self.language == "python" or self.marked:
            return []
        if self.needs == "library":
            return [one for one in self.commands if _ON_THE_SAMPLE.search(one)]
        return [one for one in self.commands if not _need_of([one])] if self.needs == "network" else []

    @property
    def commands(self) -> list[str]:
        """The commands in it, without prompts, comments and output."""
        joined = self.text.replace("\\\n", " ")
        lines = joined.splitlines()
        if self.language == "console":
            lines = [line[2:] for line in lines if line.startswith("$ ")]
        return [line for line in lines if line.strip() and not line.lstrip().startswith("#")]


def blocks_of(page: str) -> Iterator[Block]:
    """The blocks of a page, in order."""
    text = (ROOT / page).read_text("utf-8")
    lines = text.splitlines()
    for token in MarkdownIt().parse(text):
        if token.type not in ("fence", "code_block") or token.map is None:
            continue
        start = token.map[0]
        language = token.info.split()[0] if token.info.strip() else _guessed(token.content)
        before = next((line for line in reversed(lines[:start]) if line.strip()), "")
        block = Block(page, start + 1, language, token.content)
        marked = _MARK.search(before)
        yield replace(block, needs=marked[1] if marked else _needs(block), marked=bool(marked))


@cache
def all_blocks() -> list[Block]:
    """The blocks of all pages of the site that are Markdown."""
    pages = [page for page in PLACES if Path(page).suffix == ".md" and page != "CHANGELOG.md"]
    return [block for page in pages for block in blocks_of(page)]


def executable(block: Block) -> bool:
    """Whether a block is of a kind that can be executed."""
    return block.language in (*_COMMANDS, "python")


def _guessed(content: str) -> str:
    if re.match(r"(?:from|import) ", content):
        return "python"
    return "sh" if _SHELL_WORDS.match(content) else "text"


def _needs(block: Block) -> str:
    if block.language in _COMMANDS:
        if needs := _need_of(block.commands):
            return needs
        if block.page in _OF_WHOLE_LIBRARIES:
            return "library"
    return ""


def _need_of(commands: list[str]) -> str:
    """What commands need by their own words; who serves needs nothing to begin with."""
    left = [one for one in commands if not SERVES.search(one)]
    return next((key for key, pattern in _BY_COMMAND if any(re.search(pattern, one) for one in left)), "")


def page() -> str:
    """The page that says which examples are executed and lists those that are not."""
    found = [block for block in all_blocks() if executable(block)]
    skipped = [block for block in found if block.needs]
    rows = [
        (
            block.place,
            f"`{_first_line(block)}`",
            cell(NEEDS[block.needs] + (" (the rest is executed)" if block.told else "")),
        )
        for block in skipped
    ]
    return (
        "\n\n".join(
            [
                "# Examples that are tested",
                f"The documentation has {len(found)} blocks of commands or Python. The tests execute"
                f" {len(found) - len(skipped)} of them and compare what they print where the page shows it."
                f" The other {len(skipped)} are listed here;"
                " in them, the parser of the program reads every command.",
                table(("page", "begins with", "not executed, since it needs"), rows),
            ]
        )
        + "\n"
    )


def _first_line(block: Block) -> str:
    return (block.commands or [""])[0].strip()[:60].replace("`", "")
