"""What answers about acts say, in four languages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from pykala.stores.changed import WorkChange

_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
_FALLBACK = "en"
#: What happened to acts, by change: "Amended".
HAPPENED: Mapping[str, Mapping[WorkChange, str]] = {
    "en": {
        WorkChange.AMENDED: "Amended",
        WorkChange.BEGAN: "Entered into force",
        WorkChange.ENDED: "Repealed or expired",
    },
    "fi": {
        WorkChange.AMENDED: "Muutettu",
        WorkChange.BEGAN: "Tullut voimaan",
        WorkChange.ENDED: "Kumottu tai päättynyt",
    },
    "sv": {
        WorkChange.AMENDED: "Ändrade",
        WorkChange.BEGAN: "Trädde i kraft",
        WorkChange.ENDED: "Upphävda eller upphörda",
    },
    "fr": {
        WorkChange.AMENDED: "Modifiés",
        WorkChange.BEGAN: "Entrés en vigueur",
        WorkChange.ENDED: "Abrogés ou expirés",
    },
}
PHRASES: Mapping[str, Mapping[str, str]] = {
    "en": {
        "acts": "{n} acts",
        "act": "1 act",
        "changed_in": "{happened} {period}: {count}.",
        "nothing_in": "No act of this library is known to have changed in this way {period}.",
        "more": "and {n} more",
        "provisions": "{n} provisions",
        "provision": "1 provision",
        "by": "by {acts}",
        "sections": "{act} has {n} sections in force on {day}, from {first} to {last}.",
        "articles": "{act} has {n} articles in force on {day}, from {first} to {last}.",
        "no_sections": "{act} has no numbered sections in this library.",
        "began": "{act} entered into force on {day}.",
        "pending": "{act} is enacted; the day of its entry into force is not fixed.",
        "began_unknown": "This library's source does not tell when {act} entered into force.",
        "dated": "{act}: the oldest wording in this library counts from {day}.",
        "own_words": "{act} says itself when it enters into force: “{words}”",
        "not_amended_in": "This library knows of no amendment of {act} {period}.",
        "in_force": "{act} is in force on {day}; no end is known.",
        "doubtful": "This library cannot tell whether {act} is in force on {day}: it holds no end of it.",
        "ended": "{act} was in force until {day}.",
        "will_end": "{act} is in force; it ends on {day}.",
        "not_yet": "{act} enters into force on {day}.",
        "last_amended": "{act} was last amended on {day}: {what}.",
        "never_amended": "This library knows of no amendment of {act} up to {day}.",
        "amendments": "{act}: {n} days of changes, {count} that made them.",
        "amends": "{act} amended {count}.",
        "amends_nothing": "No act of this library is known to have been amended by {act}.",
        "scope": "This is what the sources of this library tell; its history of an act may begin later than"
        " the act.",
    },
    "fi": {
        "acts": "{n} säädöstä",
        "act": "1 säädös",
        "changed_in": "{happened} {period}: {count}.",
        "nothing_in": "Tämän kirjaston tiedossa ei ole säädöstä, jolle olisi käynyt näin {period}.",
        "more": "ja {n} muuta",
        "provisions": "{n} kohtaa",
        "provision": "1 kohta",
        "by": "säädöksillä {acts}",
        "sections": "{act}: voimassa {day} {n} pykälää, {first} – {last}.",
        "articles": "{act}: voimassa {day} {n} artiklaa, {first} – {last}.",
        "no_sections": "{act}: tässä kirjastossa ei ole numeroituja pykäliä.",
        "began": "{act} tuli voimaan {day}.",
        "pending": "{act} on annettu; voimaantulopäivää ei ole vahvistettu.",
        "began_unknown": "Tämän kirjaston lähde ei kerro, milloin {act} tuli voimaan.",
        "dated": "{act}: vanhin sanamuoto tässä kirjastossa on voimassa {day} alkaen.",
        "own_words": "{act} sanoo itse voimaantulostaan: ”{words}”",
        "not_amended_in": "{act}: tämä kirjasto ei tunne muutoksia {period}.",
        "in_force": "{act} on voimassa {day}; päättymistä ei tunneta.",
        "doubtful": "{act}: tämä kirjasto ei tiedä, onko se voimassa {day}; päättymistä ei tunneta.",
        "ended": "{act} oli voimassa {day} asti.",
        "will_end": "{act} on voimassa; sen voimassaolo päättyy {day}.",
        "not_yet": "{act} tulee voimaan {day}.",
        "last_amended": "{act}: viimeksi muutettu {day}: {what}.",
        "never_amended": "{act}: tämä kirjasto ei tunne muutoksia {day} mennessä.",
        "amendments": "{act}: {n} muutospäivää, niiden takana {count}.",
        "amends": "{act} muutti: {count}.",
        "amends_nothing": "{act}: tämä kirjasto ei tunne säädöstä, jota sillä olisi muutettu.",
        "scope": "Tiedot ovat tämän kirjaston lähteistä; niissä säädöksen historia voi alkaa säädöstä"
        " myöhemmin.",
    },
    "sv": {
        "acts": "{n} författningar",
        "act": "1 författning",
        "changed_in": "{happened} {period}: {count}.",
        "nothing_in": "Detta bibliotek känner ingen författning som det gick så {period}.",
        "more": "och {n} till",
        "provisions": "{n} ställen",
        "provision": "1 ställe",
        "by": "genom {acts}",
        "sections": "{act} har {n} paragrafer i kraft {day}, från {first} till {last}.",
        "articles": "{act} har {n} artiklar i kraft {day}, från {first} till {last}.",
        "no_sections": "{act} har inga numrerade paragrafer i detta bibliotek.",
        "began": "{act} trädde i kraft {day}.",
        "pending": "{act} är utfärdad; dagen för ikraftträdandet är inte bestämd.",
        "began_unknown": "Bibliotekets källa säger inte när {act} trädde i kraft.",
        "dated": "{act}: den äldsta lydelsen i detta bibliotek gäller från {day}.",
        "own_words": "{act} säger själv om sitt ikraftträdande: ”{words}”",
        "not_amended_in": "Detta bibliotek känner inga ändringar av {act} {period}.",
        "in_force": "{act} är i kraft {day}; något slut är inte känt.",
        "doubtful": "Detta bibliotek vet inte om {act} är i kraft {day}; något slut är inte känt.",
        "ended": "{act} var i kraft till {day}.",
        "will_end": "{act} är i kraft; den upphör {day}.",
        "not_yet": "{act} träder i kraft {day}.",
        "last_amended": "{act} ändrades senast {day}: {what}.",
        "never_amended": "Detta bibliotek känner inga ändringar av {act} till och med {day}.",
        "amendments": "{act}: {n} ändringsdagar, genom {count}.",
        "amends": "{act} ändrade {count}.",
        "amends_nothing": "Detta bibliotek känner ingen författning som ändrades genom {act}.",
        "scope": "Detta är vad bibliotekets källor säger; en författnings historia kan börja senare än"
        " författningen.",
    },
    "fr": {
        "acts": "{n} actes",
        "act": "1 acte",
        "changed_in": "{happened} {period} : {count}.",
        "nothing_in": "Cette bibliothèque ne connaît aucun acte auquel cela est arrivé {period}.",
        "more": "et {n} autres",
        "provisions": "{n} dispositions",
        "provision": "1 disposition",
        "by": "par {acts}",
        "sections": "{act} : {n} articles en vigueur le {day}, de {first} à {last}.",
        "articles": "{act} : {n} articles en vigueur le {day}, de {first} à {last}.",
        "no_sections": "{act} : pas d'articles numérotés dans cette bibliothèque.",
        "began": "{act} est entré en vigueur le {day}.",
        "pending": "{act} est adopté ; le jour de son entrée en vigueur n'est pas fixé.",
        "began_unknown": "La source de cette bibliothèque ne dit pas quand {act} est entré en vigueur.",
        "dated": "{act} : le texte le plus ancien de cette bibliothèque vaut à partir du {day}.",
        "own_words": "{act} dit lui-même quand il entre en vigueur : « {words} »",
        "not_amended_in": "Cette bibliothèque ne connaît aucune modification de {act} {period}.",
        "in_force": "{act} est en vigueur le {day} ; aucune fin n'est connue.",
        "doubtful": "Cette bibliothèque ne sait pas si {act} est en vigueur le {day} (fin inconnue).",
        "ended": "{act} a été en vigueur jusqu'au {day}.",
        "will_end": "{act} est en vigueur ; il prend fin le {day}.",
        "not_yet": "{act} entre en vigueur le {day}.",
        "last_amended": "{act} a été modifié en dernier lieu le {day} : {what}.",
        "never_amended": "Cette bibliothèque ne connaît aucune modification de {act} jusqu'au {day}.",
        "amendments": "{act} : {n} jours de modification, par {count}.",
        "amends": "{act} a modifié {count}.",
        "amends_nothing": "Cette bibliothèque ne connaît aucun acte modifié par {act}.",
        "scope": "C'est ce que disent les sources de cette bibliothèque ; l'historique d'un acte peut y"
        " commencer plus tard que l'acte.",
    },
}  # fmt: skip


def phrase(name: str, language: str, **parts: object) -> str:
    """A phrase in a language, in English where there is none."""
    return PHRASES.get(language, PHRASES[_FALLBACK])[name].format(**parts)


def counted(name: str, number: int, language: str) -> str:
    """A number of things: "1 act", "12 acts"."""
    return phrase(name.removesuffix("s") if number == 1 else name, language, n=f"{number:,}")


def day_words(day: date, language: str) -> str:
    """A day as people write it: 1 January 1993, 1.1.1993, 1er janvier 1993."""
    if language == "fi":
        return f"{day.day}.{day.month}.{day.year}"
    month = _MONTHS.get(language, _MONTHS[_FALLBACK]).split()[day.month - 1]
    number = "1er" if language == "fr" and day.day == 1 else str(day.day)
    return f"{number} {month} {day.year}"


def period_words(since: date, until: date, language: str) -> str:
    """A period: "in 2023", "from 2020 to 2022"."""
    if since.year == until.year:
        prefix = {"en": "in ", "fi": "vuonna ", "sv": "", "fr": "en "}
        return f"{prefix.get(language, 'in ')}{since.year}"
    prefix = {"fi": "vuosina ", "sv": "åren "}
    return f"{prefix.get(language, '')}{since.year}–{until.year}"
