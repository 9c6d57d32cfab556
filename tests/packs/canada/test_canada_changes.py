"""Amendments that wait for their day below the text they change, and the day that another instrument tells."""

# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from canada_making import places, section
from test_canada_commencement import REGISTERED

from pykala.fetch.mirror import open_mirror
from pykala.law.messages import Message
from pykala.law.provisions import Provision
from pykala.law.validity import Validity
from pykala.packs.canada.relative_days import counted_from_beginning, counted_from_making
from pykala.packs.pack import Reading, Snapshot, pack_for

TODAY = date(2026, 11, 16)
ENDS = date(2026, 10, 1)


def regulation(
    number: str, title: str, *texts: str, waiting: tuple[tuple[str, str], ...] = (), inside: str = ""
) -> bytes:
    """A regulation registered on 6 October 2023, current to 28 April 2026; below it what waits."""
    body = inside or "".join(
        section(str(n), f"<Text>{text}</Text>", REGISTERED) for n, text in enumerate(texts, start=1)
    )
    entries = "".join(
        f'<RelatedOrNotInForce><Heading level="5"><TitleText> — {by}</TitleText></Heading>{words}'
        "</RelatedOrNotInForce>"
        for by, words in waiting
    )
    apart = (
        '<Schedule id="NifProvs"><ScheduleFormHeading type="amending"><TitleText>AMENDMENTS NOT IN FORCE'
        f"</TitleText></ScheduleFormHeading><RegulationPiece>{entries}</RegulationPiece></Schedule>"
    )
    return (
        '<Regulation xmlns:lims="http://justice.gc.ca/lims" lims:current-date="2026-04-28"'
        ' lims:inforce-start-date="2023-10-06" xml:lang="en"><Identification>'
        f"<InstrumentNumber>{number}</InstrumentNumber><RegistrationDate><Date><YYYY>2023</YYYY><MM>10</MM>"
        f"<DD>6</DD></Date></RegistrationDate><LongTitle>{title}</LongTitle></Identification>"
        f"<Body>{body}</Body>{apart if entries else ''}</Regulation>"
    ).encode()


def waits(number: str, text: str) -> str:
    return f"<Section><Label>{number}</Label><Text>{text}</Text></Section>"


def read_source(folder: Path, **files: bytes) -> dict[str, Reading]:
    """Every work of a folder, surveyed and read as an ingest does."""
    (folder / "eng" / "regulations").mkdir(parents=True)
    for name, data in files.items():
        (folder / "eng" / "regulations" / f"{name.replace('_', '-')}.xml").write_bytes(data)
    pack = pack_for("ca")
    with open_mirror(folder) as mirror:
        found = {}
        for item in pack.survey(mirror):
            files_read = [mirror.read(path) for path in item.paths]
            snapshots = [Snapshot(one.path, one.data, one.sha256) for one in files_read]
            found[item.name] = pack.read(item, snapshots)
        return found


def hats(reading: Reading) -> dict[str, Provision]:
    assert reading.refusals == ()
    return places(reading.documents[0])


def standing(found: dict[str, Provision], day: date) -> set[str]:
    return {path for path, one in found.items() if path.startswith("sec_") and one.at(day) is not None}


NEW = regulation(
    "SOR/2025-242",
    "Headwear Regulations",
    "Headwear is taxed.",
    "These Regulations, except section 9, come into force on October 1, 2026.",
)
OLD = ("Hats are taxed.", "Caps are taxed.", "Bonnets are free.")


def test_a_regulation_that_another_repeals_ends_on_the_day_that_the_other_tells(tmp_path: Path) -> None:
    old = regulation(
        "SOR/2023-212",
        "Hats Regulations",
        *OLD,
        waiting=(
            (
                "SOR/2025-242, par. 238(a)",
                "<Section><Label>238</Label><Text>The following regulations are repealed:</Text><Paragraph>"
                "<Label>(a)</Label><Text>the Hats Regulations<FootnoteRef>2</FootnoteRef>;</Text></Paragraph>"
                "</Section>",
            ),
        ),
    )
    found = read_source(tmp_path, SOR_2023_212=old, SOR_2025_242=NEW)["ca:reg:SOR-2023-212"]
    assert found.work is not None
    assert found.work.validity.end == ENDS
    assert standing(hats(found), date(2026, 9, 30)) == {"sec_1", "sec_2", "sec_3"}
    assert standing(hats(found), ENDS) == set()


@pytest.mark.parametrize(
    ("words", "ended"),
    [
        ("The Hats Regulations are repealed.", {"sec_1", "sec_2", "sec_3"}),
        ("The Hats Regulations, SOR/2023-212, are repealed.", {"sec_1", "sec_2", "sec_3"}),
        ("Section 2 of the Hats Regulations is repealed.", {"sec_2"}),
        ("Section 2 of the Hats Regulations<FootnoteRef>1</FootnoteRef> is repealed.", {"sec_2"}),
        ("Sections 2 and 3 of the Regulations are repealed.", {"sec_2", "sec_3"}),
        ("The heading before section 1 and sections 1 to 3 of the Regulations are repealed.", {"sec_1", "sec_2", "sec_3"}),
        ("Section 2 of the Regulations and the heading before it are repealed.", {"sec_2"}),
        ("Part 2 of Schedule 1 to the Regulations is repealed.", set()),
        ("Section 2 of the Hats Act is repealed.", set()),
        ("The Hats and Gloves Regulations are repealed.", set()),
        ("Section 2 of the Regulations is replaced by the following:", set()),
    ],
)  # fmt: skip
def test_what_a_waiting_amendment_ends(tmp_path: Path, words: str, ended: set[str]) -> None:
    old = regulation(
        "SOR/2023-212", "Hats Regulations", *OLD, waiting=(("SOR/2025-242, s. 4", waits("4", words)),)
    )
    found = hats(read_source(tmp_path, SOR_2023_212=old, SOR_2025_242=NEW)["ca:reg:SOR-2023-212"])
    assert standing(found, date(2026, 4, 28)) - standing(found, TODAY) == ended


LEVELS = (
    '<Section lims:inforce-start-date="2023-10-06" lims:fid="1" lims:id="1"><Label>7</Label>'
    + "".join(
        f"<Subsection><Label>({n})</Label><Text>Hats ({n}):</Text>"
        + "".join(
            f"<Paragraph><Label>({letter})</Label><Text>hat {letter};</Text></Paragraph>" for letter in "abcd"
        )
        + "</Subsection>"
        for n in (1, 2, 3, 4)
    )
    + "</Section>"
)


@pytest.mark.parametrize(
    ("words", "ended"),
    [
        ("Subsection 7(2) of the Regulations is repealed.", {"subsec_2"}),
        ("Subsections 7(2) to (4) of the Regulations are repealed.", {"subsec_2", "subsec_3", "subsec_4"}),
        ("Paragraph 7(1)(b) of the Regulations is repealed.", {"subsec_1/para_b"}),
        ("Paragraphs 7(1)(b) and (d) of the Regulations are repealed.", {"subsec_1/para_b", "subsec_1/para_d"}),
        ("Paragraphs 7(1)(b) to (d) of the Regulations are repealed.", {f"subsec_1/para_{x}" for x in "bcd"}),
        ("Paragraph 7(9)(b) of the Regulations is repealed.", set()),
        ("Section 7 of the Regulations is repealed.", {"", "subsec_1", "subsec_2", "subsec_3", "subsec_4"}),
    ],
)  # fmt: skip
def test_parts_of_a_section_end_alone(tmp_path: Path, words: str, ended: set[str]) -> None:
    old = regulation(
        "SOR/2023-212", "Hats Regulations", inside=LEVELS, waiting=(("SOR/2025-242, s. 4", waits("4", words)),)
    )  # fmt: skip
    found = hats(read_source(tmp_path, SOR_2023_212=old, SOR_2025_242=NEW)["ca:reg:SOR-2023-212"])
    gone = {
        path.removeprefix("sec_7").removeprefix("/")
        for path, one in found.items()
        if path.startswith("sec_7") and one.at(TODAY) is None
    }
    below = {path for path in gone if "/" in path and path.rpartition("/")[0] in ended}
    assert gone - below == ended


def test_parts_with_a_letter_end_with_what_they_hold(tmp_path: Path) -> None:
    """Parts G and J of the Food and Drug Regulations, which SOR/2025-242 repeals."""
    inside = "".join(
        f'<Heading level="1"><Label>PART {letter}</Label><TitleText>Hats</TitleText></Heading>'
        + section(str(n), "<Text>Hats are taxed.</Text>", REGISTERED)
        for n, letter in enumerate("FGHJ", start=1)
    )
    words = waits("237", "Parts G and J of the Hats Regulations<FootnoteRef>1</FootnoteRef> are repealed.")
    old = regulation(
        "SOR/2023-212", "Hats Regulations", inside=inside, waiting=(("SOR/2025-242, s. 237", words),)
    )
    found = hats(read_source(tmp_path, SOR_2023_212=old, SOR_2025_242=NEW)["ca:reg:SOR-2023-212"])
    assert standing(found, TODAY) == {"sec_1", "sec_3"}


def test_a_repeal_whose_day_the_source_does_not_tell_is_doubted(tmp_path: Path) -> None:
    """The annual statutes of Canada are not held; neither is section 9 given a day."""
    for name, by in (("one", "2024, c. 15, s. 340"), ("two", "SOR/2025-242, s. 9")):
        old = regulation(
            "SOR/2023-212",
            "Hats Regulations",
            *OLD,
            waiting=((by, waits("9", "The Hats Regulations are repealed.")),),
        )
        found = hats(read_source(tmp_path / name, SOR_2023_212=old, SOR_2025_242=NEW)["ca:reg:SOR-2023-212"])
        assert standing(found, TODAY) == {"sec_1", "sec_2", "sec_3"}
        assert found["sec_1"].versions[-1].findings == (
            Message.of("finding.repeal_waits", act=by, day=date(2026, 4, 28)),
        )


def test_words_whose_amendment_has_begun_since_say_so(tmp_path: Path) -> None:
    old = regulation(
        "SOR/2023-212",
        "Hats Regulations",
        *OLD,
        waiting=(("SOR/2025-242, s. 4", waits("4", "Section 2 of the Regulations is replaced by this:")),),
    )
    before, after = hats(read_source(tmp_path, SOR_2023_212=old, SOR_2025_242=NEW)["ca:reg:SOR-2023-212"])[
        "sec_2"
    ].versions
    assert (before.validity.end, before.findings) == (ENDS, ())
    assert after.validity == Validity(ENDS)
    assert after.findings == (Message.of("finding.change_overdue", act="SOR/2025-242, s. 4", day=ENDS),)


def test_an_end_that_a_waiting_amendment_puts_off_is_not_taken(tmp_path: Path) -> None:
    """SOR/2025-148, s. 4, was to be replaced by SOR/2026-119 before its day came."""
    ends = (
        "These Regulations are repealed on the second anniversary of the day on which they come into force."
    )
    comes = "These Regulations come into force on the day on which they are registered."
    found = read_source(
        tmp_path,
        SOR_2023_211=regulation("SOR/2023-211", "Hats Regulations", "Hats.", comes, ends),
        SOR_2023_212=regulation(
            "SOR/2023-212",
            "Hats Regulations",
            "Hats.",
            comes,
            ends,
            waiting=(
                ("SOR/2026-119, s. 2", waits("2", "Section 3 of the Regulations is replaced by this:")),
            ),
        ),
    )
    ended, open_ended = (found[f"ca:reg:SOR-2023-{n}"].work for n in (211, 212))
    assert ended is not None
    assert open_ended is not None
    assert (ended.validity, open_ended.validity) == (
        Validity(date(2023, 10, 6), date(2025, 10, 6)),
        Validity(date(2023, 10, 6)),
    )


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("the 90th day after the day on which they are registered", "2024-01-04"),
        ("the first anniversary of the day on which they are registered", "2024-10-06"),
        ("the first anniversary of the day on which these Regulations are registered.", "2024-10-06"),
        ("30 days after the day on which it is registered", "2023-11-05"),
        ("the day that is 6 months after the day on which they are registered", "2024-04-06"),
        ("one year after the day on which it receives royal assent", "2024-10-06"),
        ("three months after the day of their registration", "2024-01-06"),
        ("the day that, in the sixth month after the month in which they are registered, has the same calendar"
         " number as the day on which they are registered", "2024-04-06"),
        ("the first day of the month following the month in which they are registered", "2023-11-01"),
        ("the 30th day after the day on which they are published in the Canada Gazette, Part II", "None"),
        ("the day on which the Hats Act comes into force", "None"),
    ],
)  # fmt: skip
def test_days_counted_from_the_registration(words: str, day: str) -> None:
    assert str(counted_from_making(words, date(2023, 10, 6))) == day
    assert counted_from_making(words, None) is None


def test_the_last_day_of_a_month_that_is_shorter() -> None:
    words = "the day that, in the first month after the month in which they are registered, has the same calendar number"
    assert counted_from_making(words, date(2024, 1, 31)) == date(2024, 2, 29)


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("the fifth anniversary of the day on which it comes into force", "2028-10-06"),
        ("the fifth anniversary of the day on which it is made", "None"),
    ],
)
def test_days_counted_from_the_coming_into_force(words: str, day: str) -> None:
    assert str(counted_from_beginning(words, date(2023, 10, 6))) == day
