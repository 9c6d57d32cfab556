"""History notes: what changed a section, when, and since when; what reaches back is kept apart."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.provisions import Event
from pykala.packs.nyc.history import changes, standing

NOTES = [
    # note, event, act, in force from, application
    ("(Am. L.L. 2019/157, 8/23/2019, eff. 11/21/2019)", "amended", "nyc:ll:2019/157", date(2019, 11, 21), ""),
    ("(L.L. 2015/034, 4/28/2015, eff. 5/14/2015)", "inserted", "nyc:ll:2015/34", date(2015, 5, 14), ""),
    (
        "(Am. L.L. 2019/042, 2/24/2019, retro. eff. 1/1/2019)",
        "amended", "nyc:ll:2019/42", date(2019, 2, 24), "applies retroactively from 2019-01-01",
    ),
    ("(Am. 2025 N.Y. Laws Ch. 55, 5/9/2025, eff. 5/9/2025)", "amended", "ny:laws:2025/55",
     date(2025, 5, 9), ""),
    (
        "(Am. 2015 N.Y. Laws Ch. 20 Pt. A §§ 59, 60, 6/26/2015, eff. 6/27/2015)",
        "amended", "ny:laws:2015/20", date(2015, 6, 27), "",
    ),
    (
        "(Am. L.L. 2022/001, 1/2/2022, eff. 1/3/2022 and 4/1/2023)",
        "amended", "nyc:ll:2022/1", date(2022, 1, 3), "in part in force from 2023-04-01",
    ),
    (
        "(Am. 2019 N.Y. Laws Ch. 59, 4/12/2019, retro. eff. 1/1/2018 and eff. 6/1/2019)",
        "amended", "ny:laws:2019/59", date(2019, 6, 1), "applies retroactively from 2018-01-01",
    ),
    ("(Repealed L.L. 2023/067, 5/29/2023, eff. 6/28/2023)", "repealed", "nyc:ll:2023/67",
     date(2023, 6, 28), ""),
    ("(Am. L. 1985 ch. 907, 12/31/1985)", "amended", "ny:laws:1985/907", date(1985, 12, 31), ""),
]  # fmt: skip


@pytest.mark.parametrize(("note", "event", "act", "start", "application"), NOTES)
def test_one_change(note: str, event: str, act: str, start: date, application: str) -> None:
    (change,) = changes(note)
    assert (change.event.value, str(change.act), change.in_force_from, change.application) == (
        event, act, start, application,
    )  # fmt: skip
    now = standing([[change]])
    assert (now.validity.start, now.event, str(now.source_act)) == (start, change.event, act)
    assert now.history_unavailable == (change.event is not Event.INSERTED)


def test_the_newest_of_several_gives_the_standing() -> None:
    note = (
        "(L.L. 2015/014, 2/5/2015, retro. eff. 1/1/2015; Am. L.L. 2021/024, 2/28/2021, retro. eff. 1/1/2021; "
        "Am. L.L. 2017/004, 1/27/2017, eff. 1/27/2017)"
    )
    found = changes(note)
    assert [str(change.act) for change in found] == ["nyc:ll:2015/14", "nyc:ll:2021/24", "nyc:ll:2017/4"]
    assert [note[change.start : change.end] for change in found] == [
        "L.L. 2015/014", "L.L. 2021/024", "L.L. 2017/004",
    ]  # fmt: skip
    now = standing([found])
    assert (now.validity.start, str(now.source_act)) == (date(2021, 2, 28), "nyc:ll:2021/24")
    assert now.application == "applies retroactively from 2021-01-01"
    assert now.history_unavailable


def test_an_impossible_day_tells_no_day() -> None:
    (change,) = changes("(Am. L.L. 2019/157, 2/30/2019, eff. 13/1/2019)")
    assert change.in_force_from is None
    assert standing([[change]]).validity.start is None


@given(st.text("(Am. L.L.0123456789/,;eff retro)", max_size=80))
def test_no_note_breaks_the_reader(note: str) -> None:
    for change in changes(note):
        assert note[change.start : change.end].startswith("L.")
