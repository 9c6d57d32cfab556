"""Finnish base forms and the parts of compounds.

A Finnish noun has some two thousand forms and its stem changes in them (`kunta`, `kunnan`, `kuntien`),
and law writes in compounds that no dictionary holds (`arviointimenettelyn`). So the base form comes from
the ending: the longest ending in a learned table says what to cut and what to put in its place
(`-unnan` → `-unta`). It knows no words, so it answers for compounds too, and loads in a few milliseconds,
where a table of all forms (simplemma's, 3.5 million) takes four seconds and 400 MB.

The tables are learned by `bench/finnish_endings.py`, which says how well they do on words held out.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

_LONGEST_ENDING: Final = 10
_SHORTEST_PART: Final = 3
_LONGEST_COMPOUND: Final = 50
_SHORTEST_ACTION: Final = 5
_SHORTEST_ASKING: Final = 5
_ASKING: Final = ("ko", "kö", "ks")  # `ks` is how people say it
_NOT_ASKING: Final = ("kko", "kkö", "korko")
_VERBS: Final = ("taa", "tää", "da", "dä", "ata", "ätä", "ua", "yä")
_VOWELS: Final = frozenset("aeiouyäöå")
_BACK_VOWELS: Final = frozenset("aou")


def base_form(word: str) -> str:
    """Give the base form of a lower-case word as its ending suggests it: `kuntien` → `kunta`.

    What an ending suggests may be no word at all. Then the word is cut: a question's `-ko` goes
    (`lasketaan|ko` → `laskea`), or a compound is cut before its last part (`koe|ajasta` → `koeaika`).
    """
    base = _by_ending(word)
    if _is_known(base) or len(word) > _LONGEST_COMPOUND:
        return base
    if word.endswith(_ASKING) and not word.endswith(_NOT_ASKING) and len(word) >= _SHORTEST_ASKING:
        return base_form(word[:-2])
    return _by_last_part(word) or base


def _is_known(base: str) -> bool:
    return base in _parts() or base.endswith("inen") or bool(compound_parts(base))


def _by_last_part(word: str) -> str | None:
    for cut in range(_SHORTEST_PART, len(word) - _SHORTEST_PART):
        last = _by_ending(word[cut:])
        # A short word at the end is met by chance, and compounds end in a noun, not in a verb.
        if len(last) <= _SHORTEST_PART or last.endswith(_VERBS):
            continue
        if last in _parts() and _modifier(word[:cut]) is not None:
            return word[:cut] + last
    return None


def _by_ending(word: str) -> str:
    if word.endswith("mis") and len(word) > _SHORTEST_ACTION:  # the left half of `vaikuttamis|mahdollisuus`
        return word[:-1] + "nen"
    endings = _endings()
    anchored = "^" + word
    for length in range(min(_LONGEST_ENDING, len(anchored)), 0, -1):
        rule = endings.get(anchored[-length:])
        if rule is not None:
            cut, addition = rule
            base = word[: len(word) - cut] + addition
            return base if len(base) > 1 else word
    return word


@lru_cache(maxsize=65_536)
def compound_parts(base: str) -> tuple[str, ...]:
    """Split a base form into the base forms of its parts, or give nothing where it is no known compound.

    Both sides must be known words, the left one as it stands or in the genitive: `kunnanhallitus` →
    `kunta`, `hallitus`; `konsernitilinpäätös` → `konserni`, `tilinpäätös`, `tili`, `päätös`.
    """
    if len(base) > _LONGEST_COMPOUND:
        return ()
    known = _parts()
    for cut in range(_SHORTEST_PART, len(base) - _SHORTEST_PART + 1):
        right = base[cut:]
        if right not in known:
            continue
        left = _modifier(base[:cut])
        # Shorter than the whole, so that taking the part apart in turn must end.
        if left is not None and len(left) < len(base):
            return (left, *compound_parts(left), right, *compound_parts(right))
    return ()


def verb_of(base: str) -> str | None:
    """Give the verb of a `-minen` noun: `kattaminen` → `kattaa`, `arvioiminen` → `arvioida`."""
    stem = base.removesuffix("minen")
    if stem == base or len(stem) < _SHORTEST_PART or stem[-1] not in _VOWELS:
        return None
    harmony = "a" if _BACK_VOWELS & set(stem) else "ä"
    return stem + ("d" + harmony if stem.endswith("i") else harmony)


def _modifier(left: str) -> str | None:
    known = _parts()
    if left in known:
        return left
    if left.endswith(("n", "s")):
        base = _by_ending(left)
        if base in known or (left.endswith("mis") and base.endswith("minen")):
            return base
    # A compound of its own on the left: `arvonlisä|vero`.
    return left if compound_parts(left) else None


@cache
def _endings() -> dict[str, tuple[int, str]]:
    table = {}
    for line in _data("finnish_endings.tsv"):
        ending, cut, addition = line.split("\t")
        table[ending] = (int(cut), addition)
    return table


@cache
def _parts() -> frozenset[str]:
    return frozenset(_data("finnish_parts.txt"))


def _data(name: str) -> list[str]:
    text = (Path(__file__).parent / "data" / name).read_text(encoding="utf-8")
    return [line for line in text.split("\n") if line and not line.startswith("#")]
