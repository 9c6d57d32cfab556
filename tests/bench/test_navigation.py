"""The bench of navigation ranks sections by a search and by the table of contents together."""

from __future__ import annotations

import pytest

from bench.navigation import blended
from pykala.law.identifiers import ProvisionId, Step, WorkId
from pykala.retrieve.navigate import Destination

WORK = WorkId("fi:act:2015/410")


def test_search_and_contents_are_blended() -> None:
    first, second, third = (ProvisionId(WORK, (Step("sec", str(number)),)) for number in (1, 2, 3))
    pointed = [Destination(second, 0.8, "", ()), Destination(third, 0.4, "", ())]
    worth = blended({first: 10.0, second: 9.0}, pointed)
    assert list(worth) == [second, first, third]
    assert worth == {second: pytest.approx(0.95), first: pytest.approx(0.5), third: pytest.approx(0.25)}
    assert list(blended({first: 10.0, second: 9.0}, pointed, share=0.0)) == [first, second, third]
    assert blended({}, []) == {}
