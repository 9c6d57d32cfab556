"""Words that begin after the day that is asked for: new law, or law whose earlier wording is not held."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, graded, section, since
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Version
from pykala.retrieve.candidates import LATER, _best_of, _why_later
from pykala.retrieve.search import Later
from pykala.stores.embedded.store import EmbeddedStore
from pykala.stores.store import Wording

ACT = WorkId("xx:act:1")
PLACE = ProvisionId.parse(f"{ACT}/sec_1")
BEFORE, NOW = date(2010, 1, 1), date(2025, 1, 1)


def lost(text: str, year: int, *, history: bool) -> Version:
    return Version(text, since(year), history_unavailable=not history)


@pytest.mark.parametrize(
    ("own", "below", "starts", "why"),
    [
        (lost("", 2020, history=True), lost("Pay.", 2020, history=True), 2020, Later.NEW),
        (lost("", 2020, history=False), lost("Pay.", 2020, history=False), 2020, Later.LOST),
        # Added whole: only the section's own line, which has no words, says that its history is not held.
        (lost("", 2020, history=False), lost("Pay.", 2020, history=True), 2020, Later.NEW),
        (lost("Carters:", 2020, history=False), lost("Pay.", 2020, history=True), 2020, Later.LOST),
        # These words began after those that the source begins with.
        (lost("", 2020, history=False), lost("Pay.", 2020, history=True), 2022, Later.LOST),
        # On the day the section stood, and its subsection did not.
        (lost("", 2000, history=True), lost("Pay.", 2020, history=True), 2020, Later.NEW),
        (lost("", 2000, history=True), lost("Pay.", 2000, history=True), 2020, None),
    ],
)
def test_why_words_begin_later(
    tmp_path: Path, own: Version, below: Version, starts: int, why: Later | None
) -> None:
    made = section(ACT, "1", "", "Pay.")
    part = replace(made.children[0], versions=(below,))
    made = replace(made, versions=(own,), children=(part,))
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(ACT, [document(ACT, "en", [made])]))
        (then,) = store.provisions([Wording(PLACE, BEFORE, "en")])
        since_then = store.provision(PLACE, as_of=NOW, language="en")
    (first,) = graded("xx", 6.0)
    place = part.id if own.validity.start == date(2000, 1, 1) else PLACE
    match = replace(first.candidate.match, provision=place, validity=since(starts))
    assert _why_later(replace(first.candidate, match=match), then, since_then) is why


def test_those_that_people_are_known_to_ask_about_are_looked_at_too() -> None:
    found = [replace(one.candidate, asked=0.0) for one in graded("xx", *([6.0] * LATER))]
    behind = [replace(one.candidate, asked=0.5) for one in graded("fi", *([6.0] * LATER))]
    nearest = [replace(one.candidate, asked=0.9) for one in graded("ca", *([6.0] * LATER))]
    assert _best_of([*found, *behind, *nearest]) == [*found, *nearest]
    assert _best_of([*nearest, *found]) == nearest
