"""The words around citations: what joins a list, what points back, what a text will call an act."""

from __future__ import annotations

import re

#: What may stand between two citations of one list: "1 §, 18 § 2 momentti ja 25 a §".
LIST = re.compile(
    r" ?(?:,|;|ja|sekä|tai|taikka|ja/tai|och|samt|eller|and|or|eikä|[-\N{EN DASH}])?"
    r"(?: (?:ja|sekä|tai|taikka|och|samt|eller|i|and|or|myös|av))*(?: (?:edellä|muutetun|uusi"
    r"|uudet|en ny|nya|ny|ett nytt|nykyinen))? ?"
)
#: What a text will call an act of the Union from here on: "…, jäljempänä korvamerkkiasetus,".
CALLED = re.compile(
    r",? ?\(?(?:jäljempänä|nedan kallad|nedan kallat|nedan) (?P<name>[\w-]+(?:asetu[a-z]+"
    r"|direktiiv[a-z]+|förordning[a-z]*|direktiv[a-z]*))"
)
IN_BRACKETS = re.compile(
    r"\((?:jäljempänä |nedan )?(?:EU:s |EU:n )?(?P<name>"
    r"[\wåäö-]*(?:förordning|asetu|direktii?v)[\wåäö -]{0,80})\)"
)
NEXT_CALLED = re.compile(r",? ?\(?(?:jäljempänä|nedan(?: kallad)?) (?P<name>[\w-]{3,40})")
NAME_BEFORE = re.compile(r"(?: |, | sen | jo )")
NAME_BEHIND = re.compile(r",?(?: (?:i|av|of|enligt))?(?: (?:den|det|the|EU:s))? ")
#: A section of something that is no law: "yhtiöjärjestyksen 3 §:n mukaan".
FOREIGN = re.compile(
    r"(?:(?P<treaty>[\wäö-]*(?:sopimu(?:ksen|s)|yleissopimuksen|pöytäkirjan))"
    r"|[\wäö-]*(?:järjestyksen|säännön|sääntöjen|määräyksen|määräysten|ehtojen|suosituksen"
    r"|standardin|testamentin|kaavan"
    r"|bolagsordningens?|stadgarnas?)"
    r"|(?P<decision>[\wäö-]*(?:päätöksen|ohjeen|beslutets?))) $"
)
#: "pykälän 2 momentin", "saman pykälän": the section cited last.
POINTER = re.compile(
    r"(?:(?P<own>[Tt]ämän |[Dd]enna |[Tt]his )?(?:[Pp]ykälän|[Ss]äännöksen|[Ll]ainkohdan"
    r"|[Mm]omentin|[Kk]ohdan|[Aa]rtiklan|samassa|mainitussa|sanotussa|mainitun"
    r"|[Pp]aragrafens?|[Mm]omentets?|nämnda paragraf|samma paragraf|dess)) $"
)
THAT_CHAPTER = re.compile(r"(?:[Mm]ainitun|[Ss]anotun|[Ss]aman|[Kk]yseisen) luvun $")
THAT_CHAPTER_BEHIND = re.compile(r" i (?:det nämnda|nämnda|samma|det) kap")
TREATY_BEHIND = re.compile(
    r" i [\wåäö]*(?:avtalet|konventionen|fördraget|protokollet|överenskommelsen)(?![\w])"
)
UNION_WORD = re.compile(r"(?:asetuksen|direktiivin|puitepäätöksen) $")
AS_IT_READS = re.compile(
    r"(?:sådana? den? lyder|sådant det lyder|sellaisena kuin se on|sellaisina kuin ne ovat"
    r"|sellaisina kuin niistä ovat)[^.]*$|(?:kumotun|muutetun) $"
)
