from __future__ import annotations

import pickle
import string
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.identifiers import InvalidIdentifier, ProvisionId, Step, WorkId, natural_order

SEGMENT = st.text(st.sampled_from(string.ascii_letters + string.digits + ".-()äöå"), min_size=1, max_size=8)
STEPS = st.builds(
    Step,
    st.text(st.sampled_from(string.ascii_lowercase), min_size=2, max_size=12),
    st.text(st.sampled_from(string.ascii_letters + string.digits + "._-§ä"), min_size=1, max_size=6),
)
WORKS = st.builds(
    lambda country, kind, number: WorkId(f"{country}:{kind}:{'/'.join(number)}"),
    st.sampled_from(["fi", "eu", "ca", "nyc", "up"]),
    st.sampled_from(["act", "reg", "vero", "kho"]),
    st.lists(SEGMENT, min_size=1, max_size=4),
)
PROVISIONS = st.builds(ProvisionId, WORKS, st.lists(STEPS, max_size=5).map(tuple))


@given(PROVISIONS)
def test_identifiers_print_and_parse(provision: ProvisionId) -> None:
    assert ProvisionId.parse(str(provision)) == provision


@pytest.mark.parametrize(
    "text",
    [
        "fi:act:1992/1535",
        "fi:act:1992/1535/sec_124/subsec_2",
        "fi:act:1997/1336/chp_2/sec_4",
        "fi:vero:VH/5629/00.01.00/2022",
        "fi:vero:VH/5629/00.01.00/2022/sec_2.1",
        "eu:32006L0112/art_98/para_2",
        "ca:reg:SOR-2001-227/sec_3",
        "nyc:adc:11/sec_11-208.1/subd_a",
    ],
)
def test_known_identifiers_round_trip(text: str) -> None:
    provision = ProvisionId.parse(text)
    assert str(provision) == text
    assert provision.work.jurisdiction == text.partition(":")[0]


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        ("sec_1", "2"),
        ("Sec", "1"),
        ("s", "1"),
        ("sec", ""),
        ("sec", "1/2"),
        ("sec", "1 a"),
        ("sec", "1\x00"),
        ("sec", "\x7f"),
    ],
)
def test_what_would_not_round_trip_is_no_step(kind: str, number: str) -> None:
    with pytest.raises(InvalidIdentifier, match="sec_124"):
        Step(kind, number)


@pytest.mark.parametrize(
    "text", ["", "fi", "fi:act:", "fi:act:1 2", "fi:act:1/sec_2", "fi:act:1//2", "fi:act:1/", "FI:act:1"]
)
def test_what_is_no_work_is_refused(text: str) -> None:
    with pytest.raises(InvalidIdentifier):
        WorkId(text)


@given(PROVISIONS, PROVISIONS)
def test_order_is_total_and_antisymmetric(one: ProvisionId, other: ProvisionId) -> None:
    assert (one < other) + (other < one) + (one == other) == 1
    assert (one <= other) == (one < other or one == other)


@given(st.lists(PROVISIONS, max_size=8))
def test_order_does_not_depend_on_the_order_of_input(provisions: list[ProvisionId]) -> None:
    backwards = provisions[::-1]
    assert sorted(provisions) == sorted(backwards)


@given(PROVISIONS, STEPS, STEPS)
def test_parents_stand_before_their_children_and_hold_them(
    provision: ProvisionId, step: Step, deeper: Step
) -> None:
    child = provision.child(step.kind, step.number)
    grandchild = child.child(deeper.kind, deeper.number)
    assert provision < child < grandchild
    assert child.parent == provision
    assert child.last == step
    assert provision.contains(grandchild)
    assert provision.contains(provision)
    assert not grandchild.contains(provision)


def test_numbers_order_as_people_count() -> None:
    numbers = ["01", "1", "9", "10", "10a", "10b", "11", "100", "a"]
    for wrong in (sorted(numbers), list(reversed(numbers))):
        assert sorted(wrong, key=natural_order) == numbers


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_numbers_order_by_value(one: int, other: int) -> None:
    assert (natural_order(str(one)) < natural_order(str(other))) == (one < other)


def test_a_number_of_any_length_has_a_place() -> None:
    # Python refuses to read an integer of more than 4,300 digits, and a hostile source may write one.
    assert natural_order("9" * 5_000) < natural_order("1" + "0" * 5_000)


def test_a_step_is_found_by_its_kind() -> None:
    provision = ProvisionId.parse("fi:act:1997/1336/chp_2/sec_4/subsec_1")
    assert provision.step("sec") == "4"
    assert provision.step("art") is None


def test_what_a_place_remembers_of_itself_stays_with_it() -> None:
    """Hashes of strings differ from process to process, so none may travel with a place."""
    used, fresh = (ProvisionId.parse("fi:act:1992/1535/sec_124/subsec_2") for _ in range(2))
    assert (hash(used), str(used)) == (hash(fresh), "fi:act:1992/1535/sec_124/subsec_2")
    untouched = ProvisionId.parse("fi:act:1992/1535/sec_124/subsec_2")
    assert pickle.dumps(used) == pickle.dumps(untouched)
    section = replace(used, path=used.path[:1])
    assert str(section) == "fi:act:1992/1535/sec_124"
    assert section == used.parent
    assert hash(section) == hash(used.parent)
