"""What the page suggests to a reader can be asked."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

import pykala
from pykala.law.answers import Outcome

TEXTS = Path(str(files("pykala.interfaces.web"))) / "static" / "texts"


@pytest.mark.parametrize("language", ["en", "fi", "sv", "fr"])
def test_every_citation_that_is_suggested_is_answered(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path))
    texts = json.loads((TEXTS / f"{language}.json").read_text(encoding="utf-8"))
    suggested = {key: text for key, text in texts.items() if key.startswith("ask.cited.")}
    assert len(suggested) == 4
    with pykala.sample() as library:
        for place, citation in suggested.items():
            answer = library.ask(citation)
            assert answer.outcome is Outcome.ANSWERED, citation
            assert answer.primary is not None
            assert answer.primary.provision.work.jurisdiction == place.rpartition(".")[2]
