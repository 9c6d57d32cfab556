"""The ways in which a repeal names the act that it ends."""

from __future__ import annotations

import pytest

from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Document, Provision, ProvisionKind, Version
from pykala.packs.finland.amendments.repeals import perhaps_repealed_in, repealed_in, repeals_of

NEW = WorkId("fi:act:2024/9")


@pytest.mark.parametrize(
    ("words", "acts"),
    [
        ("Tällä päätöksellä kumotaan Hattuviraston päätös lieristä (28.12.2023/1285).", ["2023/1285"]),
        ("Tällä päätöksellä kumotaan Hattuviraston päätös lieristä (27.12.2022/4 v. 2023), jota sovelletaan"
         " vielä vuoden 2023 hattuihin.", ["2023/4"]),
        ("Tällä työjärjestyksellä kumotaan 9.1.2019 (HV/12/00.01/2019, SDK 40/2019) annettu Hattuviraston"
         " työjärjestys.", ["2019/40"]),
        ("Tällä määräyksellä kumotaan Hattuviraston päätös lieristä (HV/12/2019, SDK 40/2019).", ["2019/40"]),
        ("Tällä asetuksella kumotaan asetus 913/2016.", ["2016/913"]),
        ("Tällä työjärjestyksellä kumotaan 2 päivänä joulukuuta 2016 vahvistettu työjärjestys (1206/2016).",
         ["2016/1206"]),
        # Not the whole act, and no number of the Statute Book.
        ("Tällä päätöksellä kumotaan hatuista annetun päätöksen (28.12.2023/1285) 5 §.", []),
        ("Tällä päätöksellä kumotaan Hattuviraston päätös lieristä (HV/1118/00.01.00/2021).", []),
        ("Tällä asetuksella kumotaan hatuista annetun asetuksen 913/2016 5 §.", []),
    ],
)  # fmt: skip
def test_an_act_is_named_by_its_number_in_many_forms(words: str, acts: list[str]) -> None:
    assert [act.value.removeprefix("fi:act:") for act, _, _ in repealed_in(words)] == acts
    assert {f"fi:act:{act}" for act in acts} <= {act.value for act in perhaps_repealed_in(words)}


@pytest.mark.parametrize("end", [":", ":.", ""])
def test_a_list_may_be_opened_by_a_colon_and_a_stop(end: str) -> None:
    root = ProvisionId(NEW)
    place = root.child("sec", "9")
    below = tuple(
        Provision(place.child("para", str(n)), ProvisionKind.ITEM, f"{n})", (Version(text),))
        for n, text in enumerate(
            ("6 päivänä toukokuuta 1994 annettu hattulaki (30/94);", "lakkilaki (5/99)."), 1
        )
    )
    opening = Version(f"Tällä lailla kumotaan, niihin myöhemmin tehtyine muutoksineen{end}")
    section = Provision(place, ProvisionKind.SECTION, "9 §", (opening,), below)
    act = Document(NEW, "fi", "Lierilaki", Provision(root, ProvisionKind.WORK, "", (), (section,)), ())
    targets = [one.target.work.value for one in repeals_of(act) if one.target]
    assert targets == ["fi:act:1994/30", "fi:act:1999/5"]
