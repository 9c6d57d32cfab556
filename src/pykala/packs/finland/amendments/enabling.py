"""Decrees that were given under an act which has ended.

The enacting words of a decree name its enabling act: "säädetään alkoholilain (1143/94) 62 §:n nojalla". When
that act is repealed, the decree usually lapses with it, and no act says so. But a new act may keep the
decrees of the old one, or another act may also be a basis for them. So such a decree is not ended here; a
finding says that its enabling act is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pykala.law.messages import Message
from pykala.law.provisions import Document
from pykala.packs.finland.act_numbers import act_number, as_printed
from pykala.packs.finland.amendments.repeals import listed_in, repealed_in

#: "Säädetään … nojalla", "on … nojalla päättänyt", "… nojalla säädetään"; no clause that amends.
_ENABLING_WORDS = re.compile(r"\bsääde\w+(?P<acts>.{1,1500}?)\bnojalla\b", re.DOTALL)
_DECIDED_UNDER = re.compile(
    r"^(?P<acts>(?:(?!\b(?:muute|muutta|kumo|lisä[tä])\w)(?!\d\s?§\s[A-ZÅÄÖ]).){1,1500}?)\bnojalla\b",
    re.DOTALL,
)
#: "… annetun ulosottolain 1 luvun 17 §:n nojalla": an act without its number may well stand.
_UNNUMBERED = re.compile(
    r"(?<!mainitun )(?<!sanotun )(?<!saman )(?<!kyseisen )(?<!tämän )"
    r"\b\w*(?:lain|kaaren|asetuksen|järjestyksen|säännön) (?:\d{1,4} ?[a-z]? ?(?:§|luvun)|nojalla)"
)
#: "… sellaisina kuin niistä ovat elintarvikelain 43 § laissa 352/2011": what changed an act is no basis.
_AS_CHANGED = re.compile(r"sellais\w+ kuin .{0,400}? la(?:issa|eissa) [\d/, ja]+")
_NUMBER = re.compile(r"\(\s?(?:[A-Za-z]+ )?(?P<number>\d{1,5})/\s?(?P<year>\d{4}|\d{2})\s?\)")
#: "Kumotun lain nojalla annetut asetukset jäävät voimaan", "… sovelletaan edelleen …".
#: Of licences and approvals ("annetut luvat") nothing follows for decrees.
_GIVEN = re.compile(
    r"nojalla (?:annet(?:ut|tu|tuja|tua)|säädet(?:yt|ty)|vahvistet(?:ut|tu)|tehdyt)"
    r"(?: (?!viranomai)\S+){0,6}? (?:asetu|säännö|määräy|päätö|säädö|alemm)",
    re.IGNORECASE,
)
#: "Kumotun lain 2 luku, 27 d ja 41 § jäävät kuitenkin voimaan": 710/1982 by 1301/2014.
_LEFT_STANDING = re.compile(
    r"kumotun [\w ]{3,60}?\d[^.]{0,200}?(?:jää\w*|ovat|on) [^.]{0,60}?voima", re.IGNORECASE
)
#: "Kalahygienialain nojalla annetut asetukset jäävät voimaan": only what was there before stays in force.
_STAYS = re.compile(
    _GIVEN.pattern + r"\w*(?:[^.]|\.(?=\d)){0,150}? (?:jää|pysy)\w*(?: [\w-]+){0,6}? voimaan", re.IGNORECASE
)
#: "Seuraavat kumotun lain nojalla annetut säädökset jäävät voimaan: 1) …": those of the list, and no others.
_STAY_BY_LIST = re.compile(
    r"\bseuraavat [^.:;]{0,120}nojalla annet\w+[^.:;]{0,200}\bvoima\w+[^.:;]{0,40}:", re.IGNORECASE
)
_OF_BEFORE = re.compile(r"kumot|voimaantul|voimaan tul|aikaisemm|aiemm|entis", re.IGNORECASE)
_KEPT = re.compile(r"voimaan|voimassa|sovelletaan|noudatetaan|noudatettava|katsotaan", re.IGNORECASE)
_CONTENT = re.compile(r'"content_fi"\s*:\s*"((?:[^"\\]|\\.)*)"')
_CLAUSE = re.compile(r'johtolause/[^"]*/txt"\s*,\s*"content_fi"\s*:\s*"((?:[^"\\]|\\.)*)"')
_NOTE = "given under {act}, which {ender} repealed"
_NOTED = re.compile(r"given under (\S+), which (\S+) repealed")


@dataclass(frozen=True, slots=True)
class EndedActs:
    """The acts that one statute repeals as a whole, without keeping the decrees given under them."""

    numbers: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()  # every act that it mentions by number


ENDS_NOTHING = EndedActs()


def enabling_acts(clause: str) -> tuple[str, ...]:
    """The numbers of the acts that enacting words rest on: "1994/1143"."""
    found = _ENABLING_WORDS.search(clause) or _DECIDED_UNDER.search(clause)
    acts = _AS_CHANGED.sub(" ", found["acts"]) if found else ""
    if _UNNUMBERED.search(f"{acts}nojalla"):
        return ()
    return tuple(dict.fromkeys(_numbers(acts)))


def enacting_words(data: bytes) -> str:
    """The enacting words of an act in Semantic Finlex, without reading all of it."""
    found = _CLAUSE.search(data.decode("utf-8", "replace"))
    return _unescaped(found[1]) if found else ""


def contents(data: bytes) -> str:
    """The words of an act in Semantic Finlex, each as a sentence of its own."""
    return ". ".join(map(_unescaped, _CONTENT.findall(data.decode("utf-8", "replace"))))


def ended_acts(words: str) -> EndedActs:
    """The acts that a statute ends together with all decrees under them, as far as its words show."""
    if _LEFT_STANDING.search(words) or _keeps_decrees(words):
        return ENDS_NOTHING
    acts = (*(act for act, _, _ in repealed_in(words)), *listed_in(words))
    numbers = dict.fromkeys(map(act_number, acts))
    return EndedActs(tuple(numbers), frozenset(_numbers(words)) if numbers else frozenset())


def note_of_ended(
    number: str, acts: Sequence[str], enders: Mapping[str, Sequence[tuple[str, EndedActs]]]
) -> str:
    """The note on a decree's file, if all its enabling acts are repealed; else nothing."""
    told = [
        next((ender for ender, ended in enders.get(act, ()) if number not in ended.names), "") for act in acts
    ]
    return _NOTE.format(act=acts[0], ender=told[0]) if told and all(told) else ""


def with_ended_act(document: Document, notes: Iterable[str]) -> Document:
    """A decree with the finding that its enabling act is gone; unchanged if it was amended since."""
    found = next((match for note in notes if (match := _NOTED.search(note))), None)
    if found is None:
        return document
    act, ender = found[1], found[2]
    since = [version.source_act for node in document.root.walk() for version in node.versions]
    if any(one is not None and _order(act_number(one)) > _order(ender) for one in since):
        return document
    finding = Message.of("finding.ended_enabling", act=as_printed(act), ender=as_printed(ender))
    return replace(document, root=document.root.standing_doubted(finding))


def _keeps_decrees(words: str) -> bool:
    """Whether a sentence keeps the decrees given under the earlier law, and not only those that it lists."""
    words = _STAY_BY_LIST.sub(" ", words)
    if _STAYS.search(words):
        return True
    sentences = (words[max(0, found.start() - 300) : found.end() + 300] for found in _GIVEN.finditer(words))
    return any(_OF_BEFORE.search(one) and _KEPT.search(one) for one in sentences)


def _numbers(words: str) -> list[str]:
    return [
        f"{year if len(year) == 4 else f'19{year}'}/{int(number)}" for number, year in _NUMBER.findall(words)
    ]


def _unescaped(text: str) -> str:
    return text.replace('\\"', '"').replace("\\n", " ").replace("\\/", "/")


def _order(number: str) -> tuple[int, int]:
    year, _, rest = number.partition("/")
    return (int(year), int(rest)) if year.isdigit() and rest.isdigit() else (0, 0)
