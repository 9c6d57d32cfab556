"""What a fingerprint of a bundled model is made of: weights and an edition, never the bytes of code."""

from __future__ import annotations

import importlib
import shutil
from pathlib import Path

import pytest

from pykala.models.bundled import (
    ASKED_SECTIONS,
    RERANKER_WEIGHTS,
    TABLE_WEIGHTS,
    TOWER_WEIGHTS,
    digest_of,
    fingerprint_of,
)
from pykala.text.analysis import fingerprint as analysis_fingerprint

bundled = importlib.import_module("pykala.models.bundled")  # not the embedder, which has this name too


def test_a_fingerprint_is_of_the_weights_wherever_they_lie(tmp_path: Path) -> None:
    copies = [Path(shutil.copy(one, tmp_path)) for one in (TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS)]
    own = fingerprint_of(TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS)
    assert fingerprint_of(*copies) == own
    assert own.endswith(analysis_fingerprint())
    copies[2].write_bytes(copies[2].read_bytes() + b"\0")
    assert fingerprint_of(*copies) != own


def test_another_edition_is_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    own = digest_of(RERANKER_WEIGHTS)
    monkeypatch.setattr(bundled, "_EDITION", b"another")
    assert digest_of(RERANKER_WEIGHTS) != own


@pytest.mark.parametrize("own", bundled._EARLIER)
def test_what_was_made_while_code_counted_stays_of_use(own: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Known:
        def update(self, _: bytes) -> None:
            """The weights of then."""

        def hexdigest(self) -> str:
            return own + "0" * 48

    monkeypatch.setattr(bundled.hashlib, "sha256", lambda _: Known())
    assert digest_of(RERANKER_WEIGHTS) == bundled._EARLIER[own] != own
