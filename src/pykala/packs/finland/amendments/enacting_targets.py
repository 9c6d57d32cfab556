"""Which acts an amending act changes, from its title and enacting clause: enough to group files by act."""

from __future__ import annotations

import re

from pykala.packs.finland.amendments.enacting_clause import NamedAct, read_clause
from pykala.packs.finland.citations.law_names import base_name

_CHANGES = re.compile(
    r"muute ?taan|kumotaan|lisätään|muuttanut|kumonnut|lisännyt|ändras|upphävs|upphäves|fogas", re.IGNORECASE
)
_SWEDISH = re.compile(r"\b(?:ändras|upphävs|upphäves|fogas)\b")
#: "Laki tuloverolain 3 §:n muuttamisesta", "Laki ulkomaalaislain muuttamisesta ja väliaikaisesta …"
_TITLE = re.compile(
    r"^(?:Laki|(?:[\w -]{1,80} )?asetus|[\w -]{1,80}päätös) "
    r"(?P<name>.{3,300}?(?:la(?:in|kien)|asetuksen|kaaren|päätöksen))"
    r"(?: [^a-zåäö]{0,60}[^.]{0,120}?)? (?:väliaikaisesta )?(?:muuttamisesta|kumoamisesta)",
    re.IGNORECASE,
)
#: An act that changes how long another amends: "työttömyysturvalain muuttamisesta annetun lain (1300/2023)".
_AMENDMENT = re.compile(
    r"^(?P<name>.{3,300}?(?:lain|asetuksen|kaaren))(?: [\d§].{0,120}?)? (?:väliaikaisesta )?muuttamisesta\b"
    r".* annettu"
)

#: "Valtioneuvoston asetus kilpailulain muuttamisesta annetun lain voimaantulosta"
_BEGUN = re.compile(
    r"^(?:Valtioneuvoston|Tasavallan presidentin) asetus (?P<name>.{3,300}?(?:lain|kaaren))"
    r"(?: [\d§].{0,120}?)? (?:väliaikaisesta )?muuttamisesta annetun lain .{0,200}?voimaantulosta$"
)
#: Acts that clauses name without a number: each is the only one of its name.
OLD_ACTS = {
    "oikeudenkäymiskaari": "1734/4",
    "kauppakaari": "1734/3",
    "rakennuskaari": "1734/2",
    "perustuslaki": "1999/731",
    "itsehallintolaki": "1991/1144",
}


def targets_of(title: str, clause: str, language: str = "") -> tuple[NamedAct, ...]:
    """The acts that an amending act changes, in the order in which it names them; none for another act.

    If the changed act is itself an amending act, the act that that one amends is included, by its name.
    """
    if not _CHANGES.search(clause):
        # A decree on the entry into force of an amending act concerns the act that that one amends.
        begun = _BEGUN.match(title)
        return (NamedAct("", base_name(begun["name"], "fi")),) if begun else ()
    spoken = language or ("sv" if _SWEDISH.search(clause) else "fi")
    acts = [
        NamedAct(act.number or OLD_ACTS.get(act.name, ""), act.name)
        for act in read_clause(clause, spoken).acts
    ]
    if not any(act.number or act.name for act in acts) and (found := _TITLE.match(title)):
        acts = [NamedAct("", base_name(found["name"], "fi"))]
    behind = [found for act in acts if (found := _AMENDMENT.match(act.name))]
    named = [NamedAct("", base_name(found["name"], "fi")) for found in behind]
    return tuple(dict.fromkeys(act for act in (*acts, *named) if act.number or act.name))
