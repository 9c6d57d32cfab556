"""From when an act applies, where its words say so: "It shall apply from 25 May 2018"."""

from __future__ import annotations

import re
from dataclasses import replace

from pykala.law.provisions import Provision, ProvisionKind, Version

_ENGLISH = re.compile(
    r"(?:(?:This (?:Regulation|Directive|Decision)|It|They"
    r"|(?:Articles?|Chapters?|Titles?|Sections?|Annex(?:es)?|Points?|Paragraphs?)\b[^.;]{0,120}?)\s+)?"
    r"(?:shall|is|are|will) (?:first )?(?:apply|applicable|be applicable)[^.;]{0,80}?"
    r"\s(?:from|as from|as of|until)\s\d{1,2} [A-Z][a-z]+ \d{4}[^.;]{0,60}"
)
_FRENCH = re.compile(
    r"(?:(?:Le présent règlement|La présente (?:directive|décision)|Il|Elle"
    r"|(?:Les? |L[’'])(?:articles?|chapitres?|annexes?)\b[^.;]{0,120}?)\s+)?"
    r"(?:est|sont|s[’']appliquent?|sera)(?: applicables?)?[^.;]{0,80}?"
    r"\s(?:à partir du|à compter du|dès le|jusqu[’']au)\s\d{1,2}(?:er)? [a-zéû]+ \d{4}[^.;]{0,60}"
)
_WHOLE = re.compile(
    r"(?:This (?:Regulation|Directive|Decision)|It|Le présent règlement|La présente (?:directive|décision)"
    r"|Il|Elle)\b"
)


def with_application(root: Provision, language: str) -> Provision:
    """The tree with the days of application noted on the wordings that state them, and on the whole act."""
    pattern = _FRENCH if language == "fr" else _ENGLISH
    whole: list[str] = []
    marked = _marked(root, pattern, whole)
    if whole and marked.versions:
        last = replace(marked.versions[-1], application=whole[-1])
        marked = replace(marked, versions=(*marked.versions[:-1], last))
    return marked


def _marked(provision: Provision, pattern: re.Pattern[str], whole: list[str]) -> Provision:
    if provision.kind in (ProvisionKind.RECITAL, ProvisionKind.FOOTNOTE, ProvisionKind.TABLE):
        return provision
    children = tuple(_marked(child, pattern, whole) for child in provision.children)
    versions = tuple(_noted(version, pattern) for version in provision.versions)
    whole.extend(
        version.application
        for version in versions
        if version.application and _WHOLE.match(version.application)
    )
    if versions == provision.versions and all(
        one is other for one, other in zip(children, provision.children, strict=True)
    ):
        return provision
    return replace(provision, versions=versions, children=children)


def _noted(version: Version, pattern: re.Pattern[str]) -> Version:
    if len(version.text) > 4_000:
        return version
    match = pattern.search(version.text)
    return replace(version, application=match[0].strip()) if match else version
