"""The patterns of citations, by language. Texts are `normalised` first, so that a space is one plain space.

Every pattern has the same groups: `chp`, `sec`, `dotted` (48.6 §), `subsec`, `para`, `subpara` for the place,
and `name`, `abbreviation`, `act` (a statute's number), `this` and `lain` for the work.
"""

from __future__ import annotations

import re

#: Character for character, so that a span in the one text is the same span in the other.
_SPACES = str.maketrans(
    {
        "\n": " ",
        "\N{NO-BREAK SPACE}": " ",
        "\N{THIN SPACE}": " ",
        "\N{NARROW NO-BREAK SPACE}": " ",
        "\N{EN SPACE}": " ",
        "\N{ZERO WIDTH JOINER}": " ",
        "_": " ",  # rulings of the nineties print MVL_9_§_2_mom
        "\N{EM DASH}": "\N{EN DASH}",
        "\N{HORIZONTAL BAR}": "\N{EN DASH}",
        "\N{NON-BREAKING HYPHEN}": "-",
    }
)

# "33 a", but not the "5 a" of "5 asiakasta": a letter counts only where no word goes on.
_NUMBER = r"\d{1,4}(?: ?[a-zåäö](?![\wåäö]))?"
_GLUE = r"(?: ?, ?| ?(?:ja|sekä|tai|och|samt|eller|and|or|to) | ?[-\N{EN DASH}] ?)"
_NUMBERS = rf"{_NUMBER}(?:{_GLUE}{_NUMBER}){{0,30}}"
_LETTERS = rf"[a-zåäö](?:{_GLUE}[a-zåäö](?![\wåäö])){{0,20}}(?![\wåäö])"
_ACT = r"\( ?(?P<act>\d{1,4} ?/ ?\d{2,4})(?:, ?[^()]{1,60})?\)"
_FREE = r"(?<![\w/.:§-])"  # a number is not the tail of a date, a diary number or a word

_LAW = r"(?:laki|lain|lakia|laissa|laista|lakiin|lailla|asetus|asetuksen|asetuksessa|kaari|kaaren|kaaressa)"
_GIVEN = r"annet(?:tu|un|tua|ussa|usta|tuun|ulla)"
_WORD = r"[a-zåäöA-ZÅÄÖ][a-zåäö-]+"
_FINNISH_NAME = (
    rf"(?:{_WORD} ){{1,14}}{_GIVEN} {_LAW}"  # lähdeverosta annetun lain
    # tuloverolain, perintö- ja lahjaverolain, YVA-lain
    rf"|(?:{_WORD}- ja )?(?:[A-ZÅÄÖ]{{2,6}}-)?[a-zåäöA-ZÅÄÖ]?[a-zåäö-]*(?<=[a-zåäö-]){_LAW}"
    rf"|(?:Laki|Asetus|L) (?:{_WORD} ){{0,12}}{_WORD}"  # Laki toimeentulotuesta
)
_ABBREVIATION = (
    r"(?!KHO|KVL|HFD|HE|EU|EY)(?:[A-ZÅÄÖ][A-Za-zåäö]{0,20}[LA]|[A-ZÅÄÖ]{2,6})(?![a-zåäö])(?::[a-zäö]{1,4})?"
)
_FINNISH_PLACE = (
    rf"(?:(?P<chp>{_NUMBERS}) luvun )?"
    rf"(?P<sec>\d{{1,4}}(?=\.\d{{1,2}} ?§)|{_NUMBERS})(?:\.(?P<dotted>\d{{1,2}}))? ?§(?: ?:[a-zäö]{{1,5}})?"
    rf"(?: (?P<subsec>{_NUMBERS}) mom(?:ent\w*|\b\.?))?"
    rf"(?: (?P<para>{_NUMBERS}) (?:koh[dt]\w*|k\.))?"
    rf"(?: (?P<subpara>{_LETTERS}) alakoh\w+)?"
)
FINNISH = re.compile(
    rf"{_FREE}(?:(?:(?P<this>[Tt]ämän (?:lain|asetuksen))"
    rf"|(?P<lain>[Ll]ain|[Aa]setuksen|[Ss]anotun lain|[Mm]ainitun lain)"
    rf"|(?P<abbreviation>{_ABBREVIATION})|(?P<name>{_FINNISH_NAME})) )?"
    rf"(?:{_ACT} |(?P<bare>\d{{1,4}}/\d{{4}}),? )?{_FINNISH_PLACE}"
)
FINNISH_RELATIVE = re.compile(
    rf"{_FREE}(?:(?P<subsec>{_NUMBERS}) mom(?:ent\w+|\.)(?: (?P<para>{_NUMBERS}) koh[dt]\w*)?"
    rf"(?: (?P<subpara>{_LETTERS}) alakoh\w+)?)"
)
FINNISH_ITEM = re.compile(
    rf"{_FREE}(?:(?P<article>artikl\w+) )?(?P<para>{_NUMBERS}) koh[dt]\w+"
    rf"(?: (?P<subpara>{_LETTERS}) alakoh\w+)?"
)

_SWEDISH_LAW = (
    r"(?:lagen|förordningen) om [a-zåäöA-ZÅÄÖ, -]{3,140}?"
    r"(?= ?\(|[.;:)]| (?:ska|skall|tillämpas|föreskrivs|är|som|har|inte|gäller|avses|bestäms|finns)\b|$)"
    r"|[a-zåäöA-ZÅÄÖ-]+(?:lagen|förordningen|balken)"
)
_SWEDISH_PLACE = (
    rf"(?:(?P<chp>{_NUMBERS}) kap\. )?(?P<sec>{_NUMBERS}) ?§"
    rf"(?: (?P<subsec>{_NUMBERS}) mom(?:\.|ent\w*\b|\b))?"
    rf"(?: (?P<para>{_NUMBERS}) (?:punkt\w*|p\.))?(?: (?P<subpara>{_LETTERS}) underpunkt\w*)?"
)
SWEDISH = re.compile(
    rf"{_FREE}(?:(?:(?P<this_before>[Dd]enna lags)|(?P<lain>[Ll]agens)"
    rf"|(?P<abbreviation>{_ABBREVIATION})"
    r"|(?P<name_before>[a-zåäöA-ZÅÄÖ-]+(?:lagens|förordningens|balkens))) )?"
    rf"{_SWEDISH_PLACE}"
    rf"(?:(?: i)? (?:(?P<this>denna lag|lagen(?= ?(?:[.,;]|$)))|(?P<name>{_SWEDISH_LAW})"
    r"|(?P<after>[A-ZÅÄÖ][A-Za-zåäö]{0,10}L\b))"
    rf"(?: ?{_ACT})?)?"
)
SWEDISH_RELATIVE = re.compile(
    rf"{_FREE}(?P<subsec>{_NUMBERS}) mom(?:\.|ent\w*\b)(?: (?P<para>{_NUMBERS}) punkt\w*)?"
)
SWEDISH_ITEM = re.compile(rf"{_FREE}(?:(?P<article>artikel \d+\.?) )?(?P<para>{_NUMBERS}) punkt(?:en|erna)\b")

_ENGLISH_ACT = r"(?:[A-Z][\w'’-]*(?: (?:and|of|for|on|the|to|in|from))* ){1,10}(?:Act|Decree|Code)\b"
_ENGLISH_PLACE = (
    rf"(?:[Cc]hapters? (?P<chp>{_NUMBERS}),? )?[Ss]ections? (?P<sec>{_NUMBERS})(?:\((?P<dotted>\d{{1,2}})\))?"
    rf"(?:,? subsections? (?P<subsec>{_NUMBERS}))?(?:,? (?:paragraph|item|point)s? (?P<para>{_NUMBERS}))?"
    rf"(?:,? subparagraphs? (?P<subpara>{_LETTERS}))?"
)
ENGLISH = re.compile(
    rf"{_FREE}(?:(?:the )?(?:(?P<name_before>{_ENGLISH_ACT})|(?P<abbreviation>{_ABBREVIATION}))"
    rf"(?: {_ACT})?,? )?"
    rf"{_ENGLISH_PLACE}"
    rf"(?:,? of (?:(?P<this>(?:this|the said) Act)|(?:the )?(?P<name>{_ENGLISH_ACT})"
    r"(?: \((?P<act_after>\d{1,4}/\d{2,4})\))?))?"
)
ENGLISH_RELATIVE = re.compile(
    rf"{_FREE}[Ss]ubsections? (?P<subsec>{_NUMBERS})(?:,? (?:paragraph|item|point)s? (?P<para>{_NUMBERS}))?"
)
ENGLISH_ITEM = re.compile(rf"{_FREE}(?P<para_word>[Pp]aragraphs?) (?P<para>{_NUMBERS})\b(?! of Article)")

#: Language → patterns; the first names a section, the others count from the place at hand.
PLACES = {
    "fi": (FINNISH, FINNISH_RELATIVE, FINNISH_ITEM),
    "sv": (SWEDISH, SWEDISH_RELATIVE, SWEDISH_ITEM),
    "en": (ENGLISH, ENGLISH_RELATIVE, ENGLISH_ITEM),
}

#: A statute's number alone, in brackets: "(1535/1992)". Bills (HE 29/2016 vp) stand without them.
ACT_NUMBER = re.compile(r"(?<=\() ?(?P<act>\d{1,4}/\d{2,4})(?=[,)])")
THIS_ACT = re.compile(r"\b(?:[Tt]ämän lain|[Dd]enna lags?|[Tt]his Act)\b")
PRECEDENT = re.compile(
    r"\b(?:ECLI:FI:)?(?:KHO|HFD)(?::| ?)"
    r"(?:(?P<year>\d{4}) ?: ?(?P<number>\d{1,3})\b"
    r"|(?P<old_year>19\d{2})[ -](?P<old>[AB][ -](?:I{1,2}[ -])?\d{1,4})\b)"
)
PRECEDENT_BY_RECORD = re.compile(
    r"\b(?:KHO|HFD):? ?(?P<day>\d{1,2}\.\d{1,2}\.\d{4})"
    r"(?:/| (?:taltionumero|taltio|T|liggare) )(?P<record>\d{1,5})\b"
)
BOARD_RULING = re.compile(
    r"\b(?:(?:KVL|CSN)(?::| ?) ?|[Kk]eskusverolautakun\w+(?: päätös\w*)? \d{1,2}\.\d{1,2}\.\d{4} nro )"
    r"(?:(?P<year>\d{4})/(?P<number>\d{1,3})|(?P<number_first>\d{1,3})/(?P<year_last>\d{4}))\b"
)

_LIST_PART = re.compile(rf"(?P<glue>{_GLUE})?(?P<number>{_NUMBER}|[a-zåäö](?![\wåäö]))")
_TOO_WIDE = 200


def normalised(text: str) -> str:
    """The text with every sort of space and dash made plain; no character moves."""
    return text.translate(_SPACES)


def expand(numbers: str) -> list[str]:
    """Unfold a list: "26–28" is 26, 27, 28; "18 e ja 18 f" is 18e, 18f; "26 a–26 c" is 26a, 26b, 26c."""
    found: list[str] = []
    for part in _LIST_PART.finditer(numbers):
        number = part["number"].replace(" ", "").lower()
        if found and (part["glue"] or "").strip() in {"-", "\N{EN DASH}", "to"}:
            found += _between(found[-1], number)
        found.append(number)
    return found


def _between(first: str, last: str) -> list[str]:
    """What lies strictly between the ends of a range; nothing where the ends are not of one sort."""
    if first.isdecimal() and last.isdecimal():
        inner = range(int(first) + 1, int(last))
        return [str(number) for number in inner] if len(inner) <= _TOO_WIDE else []
    stems = first.rstrip("abcdefghijklmnopqrstuvwxyz"), last.rstrip("abcdefghijklmnopqrstuvwxyz")
    letters = first[len(stems[0]) :], last[len(stems[1]) :]
    if stems[0] == stems[1] and len(letters[0]) == len(letters[1]) == 1:
        return [f"{stems[0]}{chr(code)}" for code in range(ord(letters[0]) + 1, ord(letters[1]))]
    return []
