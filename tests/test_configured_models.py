"""A grader and a guide as settings name them, behind real servers on loopback that speak the protocol."""

from __future__ import annotations

import json
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from provider_servers import KEY, ChatCompletions, served
from pykala.law.answers import CaveatKind, Outcome
from pykala.library.configured import open_configured
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.settings import Settings
from pykala.spend.ledger import LEDGER

DAY = date(2026, 6, 1)
#: The sample holds two sections that may be related to it, and no answer.
UNSURE = "Are losses on shares deductible in Finland?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sample_library(tmp_path_factory.mktemp("cache"), installed())


def settings(cache: Path, name: str, address: str) -> Settings:
    given = {"": "custom/small", "_ADDRESS": address, "_PRICE": "0.10/0.40", "_KEY": KEY}
    return Settings.read(
        {"PYKALA_CACHE": str(cache), **{f"{name}{part}": value for part, value in given.items()}}
    )


def booked(cache: Path) -> list[tuple[str, int]]:
    with sqlite3.connect(cache / LEDGER) as database:
        return database.execute("SELECT model, millionths FROM spending").fetchall()


def test_a_grader_behind_a_server_lifts_what_it_confirms(folder: Path, tmp_path: Path) -> None:
    reply = json.dumps({"grades": [{"passage": 1, "grade": 9}, {"passage": 2, "grade": 0}]})
    with served(ChatCompletions((reply,))) as service:
        with open_configured(folder, settings(tmp_path, "PYKALA_GRADER", service.address)) as library:
            assert library.drafting is None
            answer = library.ask(UNSURE, as_of=DAY)
            plain = library.ask(UNSURE, as_of=DAY, draft=False)
        (seen,) = service.seen
    assert (plain.outcome, plain.judgement) == (Outcome.GUIDANCE, None)
    assert answer.outcome is Outcome.LIKELY
    assert answer.judgement is not None
    assert answer.judgement.model == "custom/small"
    assert [given for _, given in answer.judgement.grades] == [9.0, 0.0]
    assert json.loads(seen.body["messages"][1]["content"])["question"] == UNSURE
    assert answer.cost.amount > 0
    assert answer.cost.currency == "USD"
    ((model, millionths),) = booked(tmp_path)
    assert (model, millionths > 0) == ("custom/small", True)


def test_a_guide_behind_a_server_writes_beside_the_answer(folder: Path, tmp_path: Path) -> None:
    words = ("Losses on shares are often set off against gains. ", "A tax authority can tell.")
    with (
        served(ChatCompletions(words)) as service,
        open_configured(folder, settings(tmp_path, "PYKALA_GUIDANCE_MODEL", service.address)) as library,
    ):
        answer = library.ask(UNSURE, as_of=DAY)
    assert answer.outcome is Outcome.GUIDANCE
    assert answer.general is not None
    assert answer.general.text.endswith("A tax authority can tell.")
    assert answer.general.text.startswith(answer.general.notice)
    assert CaveatKind.GENERAL_GUIDANCE in {one.kind for one in answer.caveats}
    assert len(booked(tmp_path)) == 1
