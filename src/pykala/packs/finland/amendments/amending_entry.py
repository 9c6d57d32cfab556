"""When an amending act is in force, where another act says so.

A later act may change its commencement provision, "… annetun lain (295/2020) voimaantulosäännös": temporary
amendments are often prolonged in this way. If an act leaves its day to a decree or another law, that one
states it: "Kilpailulain muuttamisesta annettu laki (489/2018) tulee voimaan 1 päivänä tammikuuta 2019."
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from pykala.law.identifiers import WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.finland.amendments.enacting_clause import Instruction, read_clause
from pykala.packs.finland.commencement import read_commencement, written_day
from pykala.packs.finland.spacing import number_of
from pykala.text.sentences import sentences

_DAY = r"\d{1,2}(?:\.\d{1,2}\.| ?päivänä \w+kuuta )\d{4}"
_ENTERS = re.compile(rf"\btule(?:e|vat) (?:kuitenkin )?voimaan (?P<day>{_DAY})")
_ACT = re.compile(r"\((\d{1,4})/(\d{4}|\d{2})\)")
_NOMINATIVE = re.compile(r"(?:laki|lait|asetus|asetukset)$")
#: "Laki rikoslain 48 luvun 1 §:n muuttamisesta (761/2018)" names the act as well.
_TITLED = re.compile(r"\b[Ll]aki [^()]{3,300}(?:muuttamisesta|kumoamisesta)$")
#: "Yritystoiminnan tukemisesta 15 päivänä joulukuuta 2000 annettu laki tulee voimaan …".
_UNNUMBERED_ACT = re.compile(r"^(?!Tämä\b)[^()]{3,300}\bannettu laki$")
_PLACE = re.compile(r"\d{1,4}(?: [a-z])?(?:[–, ]|$)")
_NOT_TELLING = {ProvisionKind.ENACTING_CLAUSE, ProvisionKind.SIGNATURE_BLOCK, ProvisionKind.HISTORICAL_NOTE}
_UNNUMBERED = {ProvisionKind.SECTION, ProvisionKind.ENTRY_INTO_FORCE}


@dataclass(frozen=True, slots=True)
class ToldCommencement:
    """The first day of another act, or of some of its places, as an act states it."""

    act: WorkId
    start: date
    places: str = ""  # in the words of the text: "13 luvun 12 §:n 1 momentti"; empty for the whole act


def commencements_told(document: Document) -> tuple[ToldCommencement, ...]:
    """The entries into force of other acts that a decree or an implementing act states."""
    if document.language != "fi":
        return ()
    only = _given_under(document)
    return tuple(
        told
        for node in document.root.walk()
        if node.versions and node.kind not in _NOT_TELLING
        for told in _told(node, only)
        if told.act != document.work
    )


def _given_under(document: Document) -> WorkId | None:
    """The one act under which a decree is given: its section may say "annettu laki" without the number."""
    acts = {
        _work(found)
        for node in document.root.children
        if node.kind is ProvisionKind.ENACTING_CLAUSE
        for found in _ACT.finditer(_text(node))
    }
    return acts.pop() if len(acts) == 1 else None


def _told(node: Provision, only: WorkId | None) -> Iterator[ToldCommencement]:
    text = node.versions[-1].text
    for begin, end in sentences(text):
        sentence = " ".join(text[begin:end].split())
        verb = _ENTERS.search(sentence)
        day = written_day(verb["day"]) if verb else None
        if verb is None or day is None:
            continue
        before = list(_ACT.finditer(sentence, 0, verb.start()))
        if not before and sentence.endswith(":"):
            # "Seuraavat lait tulevat voimaan 1 päivänä tammikuuta 2019:" and the list of them.
            before = [found for child in node.children for found in _ACT.finditer(_text(child))]
            yield from (ToldCommencement(_work(found), day) for found in before)
            continue
        if not before and only is not None and _UNNUMBERED_ACT.search(sentence[: verb.start()].rstrip()):
            yield ToldCommencement(only, day)
        for place, found in enumerate(before):
            following = before[place + 1].start() if place + 1 < len(before) else verb.start()
            rest = sentence[found.end() : following].strip(" ,")
            if _PLACE.match(rest):
                yield ToldCommencement(_work(found), day, rest.removesuffix(" ja").removesuffix(" sekä"))
            elif _is_whole(sentence[: found.start()].rstrip(" ,")):
                yield ToldCommencement(_work(found), day)


def _is_whole(before: str) -> bool:
    """Whether the words before a number name an act, and not the act whose places follow."""
    return bool(_NOMINATIVE.search(before) or _TITLED.search(before)) or before.startswith("Laki ")


def _work(found: re.Match[str]) -> WorkId:
    year = found[2] if len(found[2]) == 4 else f"19{found[2]}"
    return WorkId(f"fi:act:{year}/{int(found[1])}")


def _text(provision: Provision) -> str:
    return provision.versions[-1].text if provision.versions else ""


def recommenced(acts: Sequence[Document]) -> list[Document]:
    """Amending acts, each dated as others among them say."""
    told: dict[WorkId, list[ToldCommencement]] = {}
    for act in acts:
        for one in commencements_told(act):
            told.setdefault(one.act, []).append(one)
    changes: dict[WorkId, list[tuple[Document, list[Instruction]]]] = {}
    for act in sorted(acts, key=lambda one: one.work):
        for target, instructions in _entry_changes(act).items():
            changes.setdefault(target, []).append((act, instructions))
    return [_begun(_recommenced(act, changes.get(act.work, ())), told.get(act.work, ())) for act in acts]


def _begun(act: Document, told: Sequence[ToldCommencement]) -> Document:
    """An act without a day of its own, with the day that another act states."""
    entry = next((one for one in act.root.children if one.kind is ProvisionKind.ENTRY_INTO_FORCE), None)
    own = act.root.versions[-1] if act.root.versions else None
    if not told or own is None:
        return act
    lines = _lines(entry) if entry is not None else []
    for one in told:
        day = f"{one.start.day}.{one.start.month}.{one.start.year}"
        if one.places:
            lines.append(f"Lain {one.places} tulee voimaan {day}.")
        elif own.validity.is_pending or own.validity.start is None:
            own = replace(own, validity=Validity(one.start))
    children = act.root.children
    if entry is not None:
        renewed = replace(entry, versions=(replace(entry.versions[-1], text="\n".join(lines)),), children=())
        children = tuple(renewed if one is entry else one for one in children)
    return replace(act, root=replace(act.root, versions=(*act.root.versions[:-1], own), children=children))


def _entry_changes(act: Document) -> dict[WorkId, list[Instruction]]:
    found: dict[WorkId, list[Instruction]] = {}
    for provision in act.root.children:
        if provision.kind is not ProvisionKind.ENACTING_CLAUSE or not provision.versions:
            continue
        for one in read_clause(provision.versions[-1].text, act.language).instructions:
            if one.act.number and one.path and one.path[0].kind == "entry":
                found.setdefault(WorkId(f"fi:act:{one.act.number}"), []).append(one)
    return found


def _recommenced(act: Document, changes: Sequence[tuple[Document, list[Instruction]]]) -> Document:
    entry = next((one for one in act.root.children if one.kind is ProvisionKind.ENTRY_INTO_FORCE), None)
    if entry is None or not changes:
        return act
    lines = _lines(entry)
    for other, instructions in changes:
        lines = _changed(lines, instructions, _printed(other))
    prose = "\n".join(lines)
    validity = read_commencement(" ".join(prose.split()), act.language).validity
    if validity is None or not act.root.versions:
        return act
    version = entry.versions[-1] if entry.versions else Version("")
    renewed = replace(entry, versions=(replace(version, text=prose),), children=())
    own = replace(act.root.versions[-1], validity=validity)
    children = tuple(renewed if one is entry else one for one in act.root.children)
    return replace(act, root=replace(act.root, versions=(*act.root.versions[:-1], own), children=children))


def _printed(act: Document) -> list[str]:
    """The paragraphs of another act's commencement provision as an act prints them, before its own."""
    found = [one for one in act.root.children if one.kind in _UNNUMBERED and not number_of(one.label)]
    return _lines(found[0]) if len(found) > 1 else []


def _lines(provision: Provision) -> list[str]:
    return [line for text in _texts(provision) for line in text.split("\n") if line.strip()]


def _texts(provision: Provision) -> Iterator[str]:
    for node in provision.walk():
        if node.kind is not ProvisionKind.OMISSION and node.versions:
            yield node.versions[-1].text


def _changed(lines: list[str], instructions: Sequence[Instruction], printed: list[str]) -> list[str]:
    """The paragraphs after a change; unchanged where the printed text does not fit the clause."""
    if any(len(one.path) == 1 and one.action == "amend" for one in instructions):
        return printed or lines
    numbers = sorted({int(one.path[1].number) for one in instructions if one.path[1].number.isdecimal()})
    if len(numbers) != len(printed) or any(one.action not in {"amend", "insert"} for one in instructions):
        return lines
    inserted = {int(one.path[1].number) for one in instructions if one.action == "insert"}
    changed = list(lines)
    for number, line in zip(numbers, printed, strict=True):
        if number in inserted:
            changed.insert(number - 1, line)
        elif number <= len(changed):
            changed[number - 1] = line
    return changed
