"""Long acts: read piece by piece, the same as from a tree, within a bound of memory."""
# ruff: noqa: E501 - markup reads better on one line

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from canada_making import section, statute

from pykala.fetch.refusals import RefusedFile
from pykala.packs.canada.reading import draft_file
from pykala.packs.canada.streaming import STREAMED_FROM
from pykala.packs.pack import Snapshot

PATH = "eng/acts/B-1.01.xml"
NEVER = 1 << 40
BODY = (
    "<Heading level='1'><TitleText>Banks</TitleText></Heading>"
    + section("1", "<Text>A bank</Text><Paragraph><Label>(a)</Label><Text>lends;</Text></Paragraph>")
    + "<Heading level='2'><TitleText>Vaults</TitleText></Heading> stray words "
    + section("2", "<Text><Repealed>[Repealed, 2001, c. 1, s. 2]</Repealed></Text>", "in-force='no'")
)
TAIL = (
    "<Schedule><ScheduleFormHeading><Label>SCHEDULE I</Label></ScheduleFormHeading>"
    "<List><Item><Label>1</Label><Text>One</Text></Item></List></Schedule>"
    "<RecentAmendments><Amendment><AmendmentCitation>2020, c. 1</AmendmentCitation></Amendment></RecentAmendments>"
)


def snapshot(data: bytes) -> Snapshot:
    return Snapshot(PATH, data, "0" * 64)


@pytest.mark.parametrize(
    "data",
    [
        statute(BODY, tail=TAIL, introduction="<Introduction><Preamble><Text>Whereas</Text></Preamble></Introduction>"),
        statute("", tail="<Repealed lims:inforce-start-date='2010-01-01'>[Repealed, 2010, c. 1]</Repealed>"),
        statute(section("1", "<Text>One</Text>") * 50),
    ],
)  # fmt: skip
def test_a_stream_gives_the_same_drafts_as_a_tree(data: bytes) -> None:
    whole, streamed = (draft_file(snapshot(data), streamed_from=size) for size in (NEVER, 0))
    assert streamed.draft == whole.draft
    assert (streamed.head, streamed.sections) == (whole.head, whole.sections)
    assert dict(streamed.root.attrib) == dict(whole.root.attrib)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (statute(BODY)[:-4], "cut short|not well-formed"),
        (b"<Statute><Body/></Statute>", "no Identification"),
        (b"<Statute/>", "no Identification"),
        (b"<Act><Identification/></Act>", "its root is <Act>"),
        (b"<!DOCTYPE Statute [<!ENTITY a 'b'>]><Statute>&a;</Statute>", "document type"),
        (b"<Statute>" + b"<a>" * 230 + b"</a>" * 230 + b"</Statute>", "levels deep"),
        (statute(BODY).replace(b"</Section>", b"</Sektion>"), "not well-formed"),
    ],
)
def test_a_stream_refuses_with_a_reason(data: bytes, reason: str) -> None:
    with pytest.raises(RefusedFile, match=reason):
        draft_file(snapshot(data), streamed_from=0)


LONG = """
import resource, sys
from canada_making import read, section, statute
words = " ".join(f"bank{number}" for number in range(2_000))
sections = "".join(section(str(number), f"<Text>{number} {words}.</Text>") for number in range(1, int(sys.argv[1])))
data = statute(sections)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
reading = read(("eng/acts/B-1.01.xml", data))
grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
held = [one for one in reading.documents[0].root.walk() if one.label]
print(len(data), grown * 1024, len(held), held[-1].versions[-1].text.endswith("bank1999."), len(reading.refusals))
"""


@pytest.mark.parametrize(("sections", "least"), [(300, 4 * 1024**2), (4_000, 60 * 1024**2)])
def test_long_acts_are_read_within_four_times_their_size(sections: int, least: int) -> None:
    """By an interpreter of its own, as the most that a process ever held is never forgotten."""
    told = subprocess.run(
        [sys.executable, "-c", LONG, str(sections + 1)],
        capture_output=True, check=True, cwd=Path(__file__).parent, text=True, timeout=300,
    )  # fmt: skip
    size, grown, held, whole, refused = told.stdout.split()
    assert int(size) > least
    assert (int(held), whole, int(refused)) == (sections, "True", 0)
    assert int(grown) < 4 * max(int(size), STREAMED_FROM)
