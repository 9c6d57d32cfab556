"""The page's files, without a browser: one vocabulary in four languages, no markup made from strings."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pykala.interfaces.web import STATIC, joining
from pykala.law.answers import CaveatKind, Outcome, Relation, StageName, StrategyName
from pykala.law.provisions import Event, WorkKind
from pykala.law.references import EdgeKind, Unresolved
from pykala.versions.differences import Alteration

LANGUAGES = ("en", "fi", "sv", "fr")
MODULES = sorted((STATIC / "modules").glob("*.js"))


def texts(language: str) -> dict[str, str]:
    return dict(json.loads((STATIC / "texts" / f"{language}.json").read_text("utf-8")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_everything(language: str) -> None:
    english, other = texts("en"), texts(language)
    assert list(other) == list(english)  # in the same order, too: translations are compared side by side
    for key, text in other.items():
        assert text.strip(), key
        assert set(re.findall(r"\{(\w+)\}", text)) == set(re.findall(r"\{(\w+)\}", english[key])), key


def test_every_text_that_is_said_exists_and_every_text_is_said() -> None:
    source = "\n".join(path.read_text("utf-8") for path in MODULES) + (STATIC / "index.html").read_text(
        "utf-8"
    )
    literal = set(re.findall(r'"([a-z_]+(?:\.[A-Za-z_]+)+)"', source)) | set(
        re.findall(r'say\("(\w+)"', source)
    )
    beginnings = tuple(re.findall(r"`([a-z]+(?:\.[a-z]+)*\.)\$\{", source))
    known = set(texts("en"))
    said = {key for key in known if key in literal or key.startswith(beginnings)}
    assert known - said == set()
    # What looks like a key of a text and is none is a name in the browser's storage.
    assert {key for key in literal - known if not key.startswith("pykala.")} == set()


@pytest.mark.parametrize(
    ("prefix", "values"),
    [
        ("outcome", [one.value.lower() for one in Outcome]),
        ("caveat", [one.value for one in CaveatKind]),
        ("event", [*(one.value for one in Event), "ended", "pending", "part_ended", "part_repealed"]),
        ("kind", [one.value for one in WorkKind]),
        ("kinds", [one.value for one in WorkKind]),
        ("edge", [one.value for one in EdgeKind]),
        ("edge.reverse", [one.value for one in EdgeKind]),
        ("unresolved", [one.value for one in Unresolved]),
        ("relation", [one.value for one in Relation]),
        ("stage", [one.value for one in StageName]),
        ("strategy", [one.value for one in StrategyName]),
        ("alteration", [one.value for one in Alteration if one is not Alteration.UNCHANGED]),
    ],
)
def test_the_vocabulary_of_the_law_has_words(prefix: str, values: list[str]) -> None:
    known = texts("en")
    assert [value for value in values if f"{prefix}.{value}" not in known] == []


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_makes_markup_of_strings(path: Path) -> None:
    source = path.read_text("utf-8")
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc", source
    )
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", source.replace("https?:", ""))
    assert len(source.splitlines()) <= 400


def test_the_page_has_no_inline_code_and_names_only_files_that_exist() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    assert not re.search(r"<style|style=|\son\w+=|<script(?![^>]*\ssrc=)", page)
    named = set(re.findall(r'(?:href|src)="/static/([^"#]+)', page))
    assert named > {"page.js", "page.css"}
    for name in named - {"page.js", "page.css"}:
        assert (STATIC / name).is_file(), name


def test_every_module_and_every_style_sheet_comes_with_the_page() -> None:
    script, style = joining.script(STATIC / "modules"), joining.style(STATIC / "styles")
    types_only, by_itself = {"contract"}, {"early-theme"}
    named = set(re.findall(r"module_(\w+) as \1\b", script))
    assert named == {path.stem for path in MODULES} - types_only - by_itself
    for path in (STATIC / "styles").glob("*.css"):
        assert path.name == "page.css" or path.read_text("utf-8") in style, path.name


def test_every_icon_that_is_used_is_drawn_in_the_page() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    drawn = set(re.findall(r'<symbol id="icon-([\w-]+)"', page))
    source = "\n".join(path.read_text("utf-8") for path in MODULES) + (STATIC / "index.html").read_text(
        "utf-8"
    )
    used = set(re.findall(r'\bicon\("([\w-]+)"\)|\bicon: "([\w-]+)"|href="#icon-([\w-]+)"', source))
    assert {name for found in used for name in found if name} <= drawn
    assert not list(STATIC.rglob("icons.svg"))
