"""How a text refers to a law: the kinds of mentions, and the number or short name after one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from pykala.packs.finland.citations.law_names import is_law_name


class Sort(StrEnum):
    """How a text points at a law."""

    NAMED = "named"
    OWN = "own"  # "tämän lain": the act at hand
    SAME = "same"  # "mainitun lain", "lain": one that was named before
    WORDING = "wording"  # "laissa 785/2012": an act that amended the one in question; it is no antecedent
    FOREIGN = "foreign"  # "yhtiöjärjestyksen": sections of something that is no law


@dataclass(frozen=True, slots=True)
class Named:
    """A law in a text: where it stands, and the name or number that it is given."""

    start: int
    end: int
    sort: Sort
    name: str = ""  # as it is known: nominative, folded
    number: str = ""  # fi:act:1992/1535, where the text gives it
    called: str = ""  # the short name that the text gives it: "(1142/2005, arvostamislaki)"
    decree: bool = False
    alone: bool = True  # whether it is a citation even without a place


WORD_BACK = re.compile(r"[\w-]{0,60}$")
#: A number behind a name: "(1535/1992)", "(1992/1535, TVL)", " 21.7.2006/624", "(TVL)", "(jäljempänä TVL)".
_NUMBER_BEHIND = re.compile(
    r" ?\( ?(?:[0-9]{1,2}\.[0-9]{1,2}\.)?(?P<number>[0-9]{1,4} ?/ ?[0-9]{2,4})(?:[;,]?"
    r" ?(?:jäljempänä |myöh\. |lyh\. |nedan )?(?P<called>[^()]{1,60}))?\)"
    r"| (?:N:o |nro )?(?P<dated>[0-9]{1,2}\.[0-9]{1,2}\.(?P<year>[0-9]{4}) ?/"
    r" ?(?P<serial>[0-9]{1,4}))(?![\w/])"
    r"| (?P<bare>[0-9]{1,4}/(?:18|19|20)[0-9]{2})(?![\w/])"
    r"| ?\((?:jäljempänä |lyh\. |nedan )?(?P<short>[A-ZÅÄÖa-zåäö][\w-]{1,30})\)"
)


def act_id(number: str) -> str:
    """The act of "1535/1992", "1535/92", and of the year-first "1992/1535" that Vero writes; else empty."""
    first, slash, last = number.replace(" ", "").partition("/")
    if not slash or not first.isdecimal() or not last.isdecimal():
        return ""
    if len(last) == 2:
        return f"fi:act:19{last}/{int(first)}"
    if _is_year(last):
        return f"fi:act:{last}/{int(first)}"
    return f"fi:act:{first}/{int(last)}" if _is_year(first) and len(last) <= 4 else ""


def _is_year(text: str) -> bool:
    return len(text) == 4 and 1734 <= int(text) <= 2100


def with_number(plain: str, start: int, end: int, name: str, alone: bool, decree: bool = False) -> Named:
    """A name with the number or the short name in the brackets behind it."""
    found = _NUMBER_BEHIND.match(plain, end)
    if found is None or (found["short"] and not _may_be_short(found["short"])):
        return Named(start, end, Sort.NAMED, name, decree=decree, alone=alone)
    dated = f"{found['serial']}/{found['year']}" if found["dated"] else ""
    number = act_id(found["number"] or found["bare"] or dated)
    called = (found["called"] or found["short"] or "").strip()
    return Named(start, found.end(), Sort.NAMED, name, number, called, decree, alone or bool(number))


def _may_be_short(word: str) -> bool:
    return word[:2].isupper() or word[-1:] in "LA" or is_law_name(word)
