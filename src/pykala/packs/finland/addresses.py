"""Official addresses of Finnish law, and what an address found in a page stands for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.law.references import normalise_alias
from pykala.packs.finland.spacing import tidy

_FINLEX = "https://www.finlex.fi"
_STATUTES = {"fi": "/fi/lainsaadanto", "sv": "/sv/lagstiftning", "en": "/en/legislation/translations"}
_PRECEDENTS = {
    "fi": "/fi/oikeuskaytanto/korkein-hallinto-oikeus/ennakkopaatokset",
    "sv": "/sv/rattspraxis/hogsta-forvaltningsdomstolen/prejudikat",
}
_GUIDANCE = "https://www.vero.fi/syventavat-vero-ohjeet/ohje-hakusivu/"
_RULINGS = "https://www.vero.fi/syventavat-vero-ohjeet/ennakkoratkaisut/"

_ACT_ADDRESSES = (
    # The former Finlex: /fi/laki/ajantasa/1992/19921535#L2P5 repeats the year in front of the number.
    re.compile(r"finlex\.fi/(?:fi|sv)/laki/(?:ajantasa|alkup|smur)/(\d{4})/\1(\d{4,5})(?:#(\S+))?"),
    re.compile(
        r"finlex\.fi/(?:fi/lainsaadanto|sv/lagstiftning|en/legislation)(?:/saadoskokoelma|/forfattningssamling"
        r"|/translations)?/(\d{4})/(\d+)(?:[/#](\S+))?"
    ),
    re.compile(r"finlex\.fi/eli/\w+/(\d{4})/(\d+)(?:[/#](\S+))?"),
)
_PRECEDENT_ADDRESS = re.compile(
    r"finlex\.fi/(?:fi/oikeuskaytanto/korkein-hallinto-oikeus/ennakkopaatokset"
    r"|sv/rattspraxis/hogsta-forvaltningsdomstolen/prejudikat)/(\d{4})/([A-Z0-9-]+)"
)
_GUIDANCE_ADDRESS = re.compile(
    r"vero\.fi/syventavat-vero-ohjeet/(?:ohje-hakusivu|kannanotot)/(\d+)(?:/([\w-]+))?"
)
_BOARD_ADDRESS = re.compile(r"vero\.fi/syventavat-vero-ohjeet/ennakkoratkaisut/\d+/kvl-?(\d{1,3})-?(\d{4})")
_OLD_ANCHOR = re.compile(r"^(?:L(?P<chapter>\d+[a-z]?))?P(?P<section>\d+[a-z]?)", re.IGNORECASE)
_NEW_ANCHOR = re.compile(r"(?P<kind>chp|sec|subsec|para)_(?P<number>\d+[a-zåäö]?)")
_SLUG_LETTERS = str.maketrans("åäöéüøæšž", "aaoeuoasz")


@dataclass(frozen=True, slots=True)
class Destination:
    """What an address stands for: a place in a work, or a work known by name."""

    target: ProvisionId | None = None
    alias: str = ""


def slug(title: str) -> str:
    """The name of a page in an address, as vero.fi writes it: "Konserniavustus" is `konserniavustus`."""
    folded = tidy(title).casefold().translate(_SLUG_LETTERS)
    return re.sub(r"[^a-z0-9]+", "-", folded).strip("-")


def precedent_id(year: str, number: str) -> WorkId:
    """A ruling of the Supreme Administrative Court: `fi:kho:2025/46`; older ones as printed."""
    if number.isdecimal():
        return WorkId(f"fi:kho:{year}/{int(number)}")
    return WorkId(f"fi:kho:{year}-{number.upper()}")


def board_ruling_id(year: str, number: str) -> WorkId:
    """A ruling of the Central Tax Board: `fi:kvl:2024/4` whether printed KVL:004/2024 or KVL 4/2024."""
    return WorkId(f"fi:kvl:{year}/{int(number)}")


def destination(address: str, words: str) -> Destination | None:
    """What a link leads to, if it is law of this pack; `words` is the link's text."""
    for pattern in _ACT_ADDRESSES:
        if found := pattern.search(address):
            work = WorkId(f"fi:act:{found[1]}/{int(found[2])}")
            return Destination(ProvisionId(work, _anchor(found[3] or "")))
    if found := _PRECEDENT_ADDRESS.search(address):
        return Destination(ProvisionId(precedent_id(found[1], found[2])))
    if found := _BOARD_ADDRESS.search(address):
        return Destination(ProvisionId(board_ruling_id(found[2], found[1])))
    if found := _GUIDANCE_ADDRESS.search(address):
        # Many links name a page by its number alone; then the link's words are its title.
        named = (found[2] or "").rstrip("0123456789").strip("-")
        if named:
            return Destination(ProvisionId(WorkId(f"fi:vero:{named}")))
        return Destination(alias=normalise_alias(tidy(words))) if len(words) > 3 else None
    return None


def _anchor(fragment: str) -> tuple[Step, ...]:
    steps = [Step(found["kind"], found["number"].lower()) for found in _NEW_ANCHOR.finditer(fragment)]
    if steps:
        # In most acts section numbers do not restart, so the chapter in an anchor is irrelevant.
        return tuple(step for step in steps if step.kind != "chp") or tuple(steps)
    if old := _OLD_ANCHOR.match(fragment):
        return (Step("sec", old["section"].lower()),)
    return ()


def official_address(provision: ProvisionId, language: str) -> str:
    """The page of a provision at its publisher, at its section where the publisher has anchors."""
    kind, _, number = provision.work.value.removeprefix("fi:").partition(":")
    if kind == "act":
        base = _STATUTES.get(language, _STATUTES["fi"])
        return f"{_FINLEX}{base}/{number}{_fragment(provision)}"
    if kind == "kho":
        base = _PRECEDENTS.get(language, _PRECEDENTS["fi"])
        year, _, rest = number.partition("/") if "/" in number else number.partition("-")
        return f"{_FINLEX}{base}/{year}/{rest}"
    # The address of a vero.fi page contains a number that the page itself does not show. Without it, the
    # address of the page's collection is the nearest correct one.
    return _RULINGS if kind == "kvl" else _GUIDANCE


def _fragment(provision: ProvisionId) -> str:
    """Finlex joins the steps of an anchor with two underscores, down to the section."""
    steps = [str(step) for step in provision.path if step.kind in {"part", "chp", "sec"}]
    return "#" + "__".join(steps) if steps else ""
