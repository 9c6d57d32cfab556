"""Laws as Finnish names them: inflected, before the place; long names are read back from "annetun lain"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from pykala.packs.finland.citations.law_mentions import WORD_BACK, Named, Sort, with_number
from pykala.packs.finland.citations.law_names import base_name, is_law_name

_LAW_END = r"la(?:issa|ista|illa|ilta|ille|iksi|kiin|kina|kia|ki|in)"
_DECREE_END = r"asetu(?:ksessa|ksesta|ksella|kselta|kseen|ksena|ksen|sta|s)"
_DECISION_END = r"päätö(?:ksessä|ksestä|ksellä|kseen|ksen)"
_CODE_END = r"kaar(?:essa|esta|ella|een|en|ta|i)"
#: Acts whose name contains neither word: the Form of Government of 1919, the orders of Parliament and of the
#: Church.
_ORDER_END = (
    r"(?<=päivä)järjesty(?:ksessä|ksestä|kseen|ksen|stä|s)|(?<=kirkko)järjesty(?:ksessä|ksestä|kseen"
    r"|ksen|stä|s)|(?<=hallitus)muo(?:dossa|dosta|don|toa|to)"
)
_FINNISH_ANCHOR = re.compile(
    rf"(?:[Ll]{_LAW_END[1:]}|[Aa]{_DECREE_END[1:]}|[Pp]{_DECISION_END[1:]}|{_CODE_END}|{_ORDER_END})(?![\w-])"
)
_LONGEST_NAME = 260
_OWN_WORD = re.compile(r"(?:[Tt]ä(?:män|ssä|stä|tä|hän|llä|lle))$")
_SAME_WORD = re.compile(
    r"(?:mainit[a-zäö]+|sanot[a-zäö]+|sama[a-zäö]*|kyseis[a-zäö]+|viitat[a-zäö]+|em\.|ko\."
    r"|kumot[a-zäö]+|vanha[a-zäö]*"
    r"|entis[a-zäö]+|aiemma[a-zäö]+|aikaisemma[a-zäö]+|uude[a-zäö]+|voimassa|olleen"
    r"|muutet[a-zäö]+|edelliste[a-zäö]+)$",
    re.IGNORECASE,
)
#: Who gave a decree: "jätteistä annetun valtioneuvoston asetuksen", "… ministeriön asetuksen".
_ISSUER = re.compile(
    r"^(?:[Vv]altioneuvoston|[\wäö]*ministeriön|Verohallinnon|[Vv]erohallituksen|presidentin)$"
)
_GIVEN = re.compile(r"annet(?:tu|un|tua|ussa|usta|tuun|ulla|ulle)$")
_JOINED = re.compile(r"(?P<first>(?:[\wåäö]+-, ){0,3}[\wåäö]+- (?:ja|sekä|tai|eli) )$")
#: Names of two words that texts never shorten: the first is a genitive or an adjective.
_QUALIFIED = re.compile(
    r"(?:[Mm]aatilatalouden|[Vv]altion|[Tt]yöntekijän|[Yy]rittäjän|[Mm]aatalousyrittäjän"
    r"|[Jj]ulkisten alojen|[Kk]unnallisen|[Kk]unnallinen"
    r"|[Mm]aatalousyrittäjien|[Öö]ljyvahinkojen|[Ss]aamen|Ahvenanmaan|Suomen|[Ee]vankelis-luterilaisen) $"
)
#: Words that end before a long name begins: "sovelletaan, mitä … lähdeverosta annetun lain".
_BEFORE_NAME = re.compile(
    r"annetaan|annettu|annetun|edellä|ei|eikä|eivät|ellei|ennen|estämättä|että|hakija|"
    r"joiden|joita|joka|joko|jolla|jollei|jonka|jos|jossa|jota|jäljempänä|katsoo|"
    r"katsottava|koskee|koskien|kuin|kumonnut|kumotaan|kun|kuten|kyseinen|kysymys|lisäksi|"
    r"lisännyt|lisätään|mainittu|mitä|mukaan|mukainen|mukaisen|mukaisesta|mukaisesti|"
    r"mukaiset|mukaisia|mukaisiin|mukaista|muutetaan|muuttanut|myös|niitä|nojalla|nojautuen|"
    r"noudatetaan|ohella|ole|oleva|olevaa|olevan|oli|olisi|on|osin|ovat|perusteella|"
    r"poiketen|rikkonut|samalla|sanotaan|sanottu|sekä|sellaisena|sen|siihen|siitä|siltä|"
    r"siten|sitä|sopimusta|sovelletaan|soveltaa|suomen|säädettyä|säädetyllä|säädetyn|"
    r"säädetyssä|säädetä|säädetään|tai|taikka|tarkoitettu|tarkoitettua|tarkoitettuihin|"
    r"tarkoitettuja|tarkoitetuista|tarkoitetun|tarkoitetussa|tarkoitetut|tilanteessa|toisin|"
    r"tämän|vaan|vastaavasti|voidaan|yhtiö"
)

#: The words of a long name are genitives, elatives and the like: a subject or a verb stands before it.
_IN_NAME = re.compile(r"(?:n|st[aä]|ss[aä]|sti|ll[aä]|lt[aä]|lle|ksi|j[aä]|kä|ai|-|at|iset|it[aä])$")
_PASSIVE = re.compile(r"(?:[aeiä]taan|[aeiä]tään|daan|dään|ttiin|isiin|avakseen|äväkseen)$")
_STOP_BACK = re.compile(r"[.;:()0-9§\"”»]|, ")
_TITLE_ONWARDS = re.compile(r"(?: [a-zåäö][\wåäö-]*,?){1,16}?(?= \(?[0-9]| ?\([0-9])")


def finnish_laws(plain: str) -> Iterator[Named]:
    """Every law that a Finnish text names."""
    for found in _FINNISH_ANCHOR.finditer(plain):
        back = WORD_BACK.search(plain, max(0, found.start() - 60), found.start())
        start = back.start() if back else found.start()
        word = plain[start : found.end()]
        decree = word.casefold().rpartition("asetu")[1] != ""
        if start == found.start():
            yield from _plain_word(plain, start, found.end(), word, decree)
        elif named := _compound(plain, start, found.end(), decree):
            yield named


def _compound(plain: str, start: int, end: int, decree: bool) -> Named | None:
    """A word such as "tuloverolain", with what belongs before it: "perintö- ja lahjaverolain"."""
    word = plain[start:end]
    if not is_law_name(word):
        return None
    start = name_start(plain, start)
    return with_number(plain, start, end, base_name(plain[start:end], "fi"), True, decree)


def name_start(plain: str, start: int) -> int:
    """Where the name of a compound begins: "perintö- ja lahjaverolain", "valtion virkamieslain"."""
    before = plain[max(0, start - 60) : start]
    found = _JOINED.search(before) or _QUALIFIED.search(before)
    return start - len(found[0]) if found else start


def _plain_word(plain: str, start: int, end: int, word: str, decree: bool) -> Iterator[Named]:
    """The word "laki" or "asetus" itself, by what stands before it."""
    before = plain[max(0, start - _LONGEST_NAME) : start].rstrip(" ")
    last = before.rpartition(" ")[2]
    if _OWN_WORD.search(last):
        yield Named(start - len(last) - 1, end, Sort.OWN, decree=decree)
        return
    issuer = ""
    if _ISSUER.search(last):
        issuer, last = f"{last} ", before[: -len(last)].rstrip(" ").rpartition(" ")[2]
        before = before[: -len(issuer)].rstrip(" ") if _GIVEN.search(last) else before
    if word.casefold().startswith("päätö") and not (issuer and _GIVEN.search(last)):
        return
    if _GIVEN.search(last):
        name = _long_name(before[: -len(last)].rstrip(" "))
        if name:
            begin = start - len(issuer) - (len(before) - before.rindex(name)) - 1
            whole = plain[begin:end]
            yield with_number(plain, begin, end, base_name(whole, "fi"), True, decree)
            return
    if word in {"Laki", "Asetus"} and (onwards := _TITLE_ONWARDS.match(plain, end)):
        title = plain[start : onwards.end()]
        yield with_number(plain, start, onwards.end(), base_name(title, "fi"), True, decree)
        return
    same = with_number(plain, start, end, "", False, decree)
    if same.number:
        yield replace(same, sort=Sort.NAMED if plain[same.end - 1] == ")" else Sort.WORDING)
    else:
        begin = start - len(last) - 1 if _SAME_WORD.search(last) else start
        yield Named(max(0, begin), end, Sort.SAME, decree=decree, alone=False)


def _long_name(before: str) -> str:
    """The words of a name that ends here: back to the start of the clause, or to a word of no name."""
    cut = max((found.end() for found in _STOP_BACK.finditer(before)), default=0)
    words = before[cut:].split(" ")
    kept: list[str] = []
    for word in reversed(words):
        if (
            _BEFORE_NAME.fullmatch(word.casefold())
            or len(kept) >= 16
            or not _IN_NAME.search(word)
            or _PASSIVE.search(word)
        ):
            break
        if kept and kept[-1] in {"ja", "sekä", "tai"} and is_law_name(word):
            break  # "oikeusapulain ja … annetun lain" are two
        kept.append(word)
    while kept and kept[-1] in {"ja", "sekä", "tai", "", ","}:
        kept.pop()
    return " ".join(reversed(kept))
