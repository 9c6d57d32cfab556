"""How an act says, in English or French, that it repeals another, from when, and what it leaves standing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_NUMBER = r"\d{1,4}/\d{1,4}(?:/[A-Z][A-Za-z]{1,7})?"
_DAY = r"(?P<day>\d{1,2})(?: ?er)? (?P<month>[A-Za-zéû]+) (?P<year>\d{4})"


@dataclass(frozen=True, slots=True)
class RepealPatterns:
    """One language's forms."""

    verb: re.Pattern[str]  # groups `when`, or `ceases` and a day
    subject: re.Pattern[str]  # the acts before the verb, at the end of the words; group `acts`
    act: re.Pattern[str]
    written: re.Pattern[str]  # a day after the verb
    kept: re.Pattern[str]  # words after the verb with which it is no plain repeal
    excepted: re.Pattern[str]  # group `places`: what is left standing
    part_of: re.Pattern[str]  # group `places`: what alone is repealed, before the acts
    parts: re.Pattern[str]  # words before the acts of which a part is repealed that cannot be told
    later: re.Pattern[str]  # of what was left standing: "which shall be repealed"
    event: re.Pattern[str]  # groups `of` or `which`
    this: re.Pattern[str]
    entry: re.Pattern[str]
    at_once: re.Pattern[str]
    last_day: re.Pattern[str]  # before a day that is the last


def _list(act: str, joined: str) -> str:
    return rf"(?<![\w/])(?P<acts>{act}(?:(?:{joined}){act})*)"


def _places(joined: str) -> str:
    number = r"(?:\d{1,4}[a-z]{0,2}|[IVX]{1,6})(?:\(\d{1,3}[a-z]?\)|, paragraphe \d{1,3}(?![/\d]))?"
    word = r"(?:les |l['’] ?|des |de l['’] ?)?(?:[Aa]rticles?|[Aa]nnexe?s?|[Aa]nnexes) "
    return rf"(?P<places>{word}{number}(?:(?:{joined})(?:{word})?{number}(?!/))*)"


_ENGLISH_ACT = (
    r"(?:(?:Council|Commission|European Parliament and Council|Framework|Implementing|Delegated) )*"
    r"(?:(?:Directive|Regulation|Decision)s?(?: \((?:EU|EC|EEC|ECSC|Euratom)[^)]{0,20}\))?(?: No)?"
    rf"|\((?:EU|EC|EEC)\)(?: No)?|No)? ?{_NUMBER}"
)
_ENGLISH_LIST = r", and | and |, | to "
_FRENCH_ACT = (
    r"(?:(?:[Ll]a |[Ll]e |[Ll]es |[Ll]['’] ?)?"
    r"(?:[Dd]irective|[Rr]èglement|[Dd]écision)s?(?: d['’]exécution| déléguée?s?|-cadre)?"
    r"(?: \((?:UE|CE|CEE|CECA|Euratom)[^)]{0,20}\))?(?: n ?[o°º]s?)?"
    rf"|\((?:UE|CE|CEE)\)(?: n ?[o°º])?|n ?[o°º])? ?{_NUMBER}(?: de la Commission| du Conseil)?"
)
_FRENCH_LIST = r", et | et |, | à "

PATTERNS: Final[Mapping[str, RepealPatterns]] = {
    "en": RepealPatterns(
        verb=re.compile(
            r",? (?:(?:is|are|shall be) (?:hereby )?repealed"
            r"(?P<when>(?:(?!(?<!which) (?:is|are|shall be) (?:hereby )?repealed)[^.;]){0,260})"
            r"|shall cease to (?:have effect|apply|be in force)"
            rf"(?P<ceases> (?:on|from|as from|as of) {_DAY}))"
        ),
        subject=re.compile(
            _list(_ENGLISH_ACT, ", and |, | and ")
            + r"(?:,? as (?:last )?amended by (?:(?!\. [A-Z]).){1,400})?"
            rf"(?P<but>, (?:with the exception of|except(?: for)?|excluding) {_places(_ENGLISH_LIST)}"
            r"(?: thereof)?)?$"
        ),
        act=re.compile(_ENGLISH_ACT),
        written=re.compile(rf"(?:with effect from|as from|as of|from|on) {_DAY}"),
        kept=re.compile(
            r"exception|except|in so far|to the extent|in each Member State|continue to apply", re.I
        ),
        excepted=re.compile(
            rf"^(?P<before>[^.;]{{0,200}}?),? (?:with the exception of|except(?: for)?|excluding)"
            rf" {_places(_ENGLISH_LIST)}(?: thereof| of (?:that |the )?(?:{_ENGLISH_ACT}|\w+))?"
            r"(?P<after>,[^.;]*)?$"
        ),
        part_of=re.compile(rf"{_places(_ENGLISH_LIST)} (?:of|to) $"),
        parts=re.compile(r"\b(?:of|to|in|under|by)\s$", re.I),
        later=re.compile(r"^, which (?:is|are|shall be) repealed(?P<when>[^.;]*)$"),
        event=re.compile(
            r"(?:date|day) (?:of (?:its |the )?(?:application|entry into force)(?: of (?P<of>[^,.;]{3,90}))?"
            r"|(?:on|from) which (?P<which>[^,.;]{2,90}?) (?:becomes applicable|applies|enters into force))",
            re.I,
        ),
        this=re.compile(r"this (?:\w+ )?(?:Regulation|Directive|Decision)\b|it\b", re.I),
        entry=re.compile(r"force", re.I),
        at_once=re.compile(r"^[\s,]*(?:without|$)", re.I),
        last_day=re.compile(r"^ on "),
    ),
    "fr": RepealPatterns(
        verb=re.compile(
            r",? (?:(?:est|sont|sera|seront) abrogée?s?"
            r"(?P<when>(?:(?!(?<!qui) (?:est|sont|sera|seront) abrogée?s?)[^.;]){0,260})"
            r"|cesse(?:nt)? (?:de s['’]appliquer|d['’]être (?:en vigueur|applicables?)"
            rf"|de produire (?:ses|leurs) effets)(?P<ceases> (?:le|au|à (?:compter|partir) du) {_DAY}))"
        ),
        subject=re.compile(
            _list(_FRENCH_ACT, ", et |, | et ")
            + r"(?:,? (?:telle?s? qu['’](?:e |elles? |ils? )?\S+ )?modifiée?s? (?:en dernier lieu )?par"
            r" (?:(?!\. [A-Z]).){1,400})?"
            rf"(?P<but>, à l['’]exception (?:de |d['’] ?)?{_places(_FRENCH_LIST)},?)?$"
        ),
        act=re.compile(_FRENCH_ACT),
        written=re.compile(
            rf"(?:avec effet (?:au|à (?:compter|partir) du)|à (?:compter|partir) du|dès le|au|le) {_DAY}"
        ),
        kept=re.compile(
            r"exception|sauf|dans la mesure|dans chaque [ÉE]tat membre"
            r"|continue(?:nt)? (?:de|à) s['’]appliquer",
            re.I,
        ),
        excepted=re.compile(
            r"^(?P<before>[^.;]{0,200}?),? (?:à l['’]exception (?:de |d['’] ?)?|sauf )"
            rf"{_places(_FRENCH_LIST)}"
            rf"(?: d[ue](?: la)? (?:{_FRENCH_ACT}|\w+))?(?P<after>,[^.;]*)?$"
        ),
        part_of=re.compile(rf"{_places(_FRENCH_LIST)} (?:de |d['’])?(?:du |de la |des )?$"),
        parts=re.compile(r"\b(?:de|du|des|à|au|dans|par|en vertu)\s(?:la |l['’])?$", re.I),
        later=re.compile(r"^, qui (?:est|sont|sera|seront) abrogée?s?(?P<when>[^.;]*)$"),
        event=re.compile(
            r"(?:date|jour) (?:(?:d['’]|de (?:son |l['’]))(?:application|entrée en vigueur)"
            r"(?: (?:du|de la|de l['’])? ?(?P<of>[^,.;]{3,90}))?"
            r"|(?:à laquelle|où) (?P<which>[^,.;]{2,90}?)"
            r" (?:devient applicable|s['’]applique|entre en vigueur))",
            re.I,
        ),
        this=re.compile(
            r"(?:le |la )?présente? (?:règlement|directive|décision)\b|celui-ci\b|celle-ci\b|il\b|elle\b",
            re.I,
        ),
        entry=re.compile(r"vigueur", re.I),
        at_once=re.compile(r"^[\s,]*(?:sans|$)", re.I),
        last_day=re.compile(r"^ (?:le|au) "),
    ),
}
