"""Embedders and rerankers that are not the package's own: they count, by ranks or as calibrated."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from making_models import tiny_onnx_embedder, tiny_onnx_reranker
from pykala.evaluate.calibrate import calibrate, keep
from pykala.interfaces.cli.main import run
from pykala.law.answers import Answer, CaveatKind, Outcome
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.models.bundled import lazy
from pykala.models.embedder import Role
from pykala.models.failures import ModelDamaged, ModelUnavailable
from pykala.models.hashing import HashingEmbedder
from pykala.packs.pack import installed
from pykala.retrieve.learned import learned_file, models_of
from pykala.settings import Settings
from pykala.stores.store import StoreIncompatible
from pykala.text.phrases import LANGUAGES

DAY = date(2026, 6, 1)
RATE = "What is the tax rate on capital income above 30 000 euros in Finland?"
QUESTIONS = Path(__file__).parent.parent / "src" / "pykala" / "packs"


class Whole:
    """The package's vectors without its words: a real embedder of whole texts in four languages."""

    name, dimension, fingerprint = "whole-texts", 256, "whole-texts-1"
    asked = 0

    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        self.asked += role == "query"
        return lazy.bundled_embedder().encode(texts, role)


class Counting:
    """A reranker that likes texts with many of some letters, or, turned around, with few."""

    def __init__(self, sign: float) -> None:
        self.sign, self.name = sign, "more" if sign > 0 else "less"
        self.fingerprint = f"{self.name}-1"

    def score(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self.sign * text.count("e") for text in texts], dtype=np.float32)


class Fails(Whole):
    def encode(self, texts: Sequence[str], role: Role) -> NDArray[np.float32]:
        raise ModelUnavailable("the service answered 503: it cannot serve now")


def opened(folder: Path, embedder: object, reranker: object | None = None) -> Library:
    library = Library.open(folder, embedder=embedder)  # type: ignore[arg-type]
    return library.with_parts(reranker=reranker)


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def whole(cache: Path) -> Path:
    """The sample with the vectors of an embedder that knows no single words."""
    return sample_library(cache / "whole", installed(), Whole())


@pytest.fixture
def library(whole: Path) -> Iterator[Library]:
    with opened(whole, Whole()) as found:
        yield found


def kinds(answer: Answer) -> set[CaveatKind]:
    return {one.kind for one in answer.caveats} & {CaveatKind.UNCALIBRATED, CaveatKind.DEGRADED}


def ranking(answer: Answer) -> list[str]:
    return [str(one.provision) for one in answer.evidence]


def test_an_embedder_without_words_takes_part_and_the_answer_says_that_it_counts_by_ranks(
    library: Library, whole: Path
) -> None:
    answer = library.ask(RATE, as_of=DAY)
    assert "fi:act:1992/1535/sec_124" in ranking(answer)[0]
    (caveat,) = (one for one in answer.caveats if one.kind is CaveatKind.UNCALIBRATED)
    assert "whole-texts" in caveat.message
    assert "pykala calibrate" in caveat.message
    with Library.open(whole, embedder=None) as by_words:
        assert ranking(by_words.ask(RATE, as_of=DAY)) != ranking(answer)


def test_the_embedder_is_asked_once_a_question(whole: Path) -> None:
    embedder = Whole()
    with opened(whole, embedder) as library:
        library.ask("Quel est le délai de résiliation du bail à Helsinki ?", as_of=DAY)
    assert embedder.asked == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_it_counts_by_ranks_is_said_in_the_readers_language(library: Library, language: str) -> None:
    answer = library.ask(RATE, as_of=DAY, language=language)
    (message,) = {one.message for one in answer.caveats if one.kind is CaveatKind.UNCALIBRATED}
    assert message.startswith(
        {"en": "The order", "fi": "Järjestys", "sv": "Ordningen", "fr": "L’ordre"}[language]
    )


OTHER_LANGUAGES = [
    (
        "Combien de mois un employé clé étranger peut-il être imposé selon la loi spéciale ?",
        "fi:act:1995/1551",
    ),
    ("Hur många timmar arbete behövs för kanadensisk arbetslöshetsförsäkring?", "ca:act:E-5.6"),
]


@pytest.mark.parametrize(("question", "act"), OTHER_LANGUAGES)
def test_a_question_in_a_language_that_the_law_is_not_written_in_reaches_it(
    library: Library, question: str, act: str
) -> None:
    answer = library.ask(question, as_of=DAY, jurisdiction=act[:2])
    assert any(place.startswith(act) for place in ranking(answer)[:3])
    assert answer.outcome in (Outcome.GUIDANCE, Outcome.ANSWERED)


@pytest.mark.parametrize("embedder", [Whole(), None])
def test_two_opposite_rerankers_give_other_orders(whole: Path, embedder: Whole | None) -> None:
    answers = []
    for sign in (1.0, -1.0):
        with opened(whole, embedder, Counting(sign)) as library:
            answers.append(library.ask("What is the rate of tax on income?", as_of=DAY))
    more, less = answers
    assert ranking(more) != ranking(less)
    assert kinds(more) == kinds(less) == {CaveatKind.UNCALIBRATED}


def test_another_reranker_counts_beside_the_packages_own_embedder(cache: Path) -> None:
    folder = sample_library(cache / "own", installed())
    found = []
    for sign in (1.0, -1.0):
        with Library.open(folder) as library:
            counting = library.with_parts(reranker=Counting(sign))
            found.append(ranking(counting.ask("What is the rate of tax on income?", as_of=DAY)))
    assert found[0] != found[1]
    with Library.open(folder) as library:
        assert not kinds(library.ask(RATE, as_of=DAY))


def test_an_embedder_that_fails_leaves_the_words_and_says_so(whole: Path) -> None:
    with opened(whole, Fails()) as library, Library.open(whole, embedder=None) as by_words:
        answer, expected = library.ask(RATE, as_of=DAY), by_words.ask(RATE, as_of=DAY)
        assert (answer.outcome, ranking(answer)) == (expected.outcome, ranking(expected))
        (caveat,) = (one for one in answer.caveats if one.kind is CaveatKind.DEGRADED)
        assert "503" in caveat.message
        warnings: list[str] = []
        assert library.search("capital income", as_of=DAY, warn=warnings.append)
        assert [one for one in warnings if "503" in one] == warnings != []


def test_what_was_learned_is_kept_beside_the_library_for_these_models_alone(
    whole: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "library"
    shutil.copytree(whole, folder)
    sets = [(third_of(pack, tmp_path), folder) for pack in ("canada", "eu", "finland", "nyc")]
    settings = Settings.read({"PYKALA_CACHE": str(tmp_path), "PYKALA_EMBEDDER": "bundled"})
    fitted = calibrate_with(Whole(), sets, settings)
    (path,) = fitted
    assert path == learned_file(folder, models_of(Whole(), None))
    learned = json.loads(path.read_text())
    assert learned["models"] == {"embedder": "whole-texts-1", "reranker": ""}
    assert learned["cases"]["same language"]["order"]["meaning_place"] != 0
    with opened(folder, Whole()) as library:
        answer = library.ask(RATE, as_of=DAY)
        assert answer.outcome is Outcome.ANSWERED
        assert not kinds(answer)
    with opened(folder, Whole(), Counting(1.0)) as library:
        assert kinds(library.ask(RATE, as_of=DAY)) == {CaveatKind.UNCALIBRATED}
    path.write_text("{}")
    with opened(folder, Whole()) as library:
        assert kinds(library.ask(RATE, as_of=DAY)) == {CaveatKind.UNCALIBRATED}


def third_of(pack: str, folder: Path) -> Path:
    """One question in three of a pack: all of them take three times as long to learn from."""
    lines = (QUESTIONS / pack / "questions.jsonl").read_text("utf-8").splitlines(keepends=True)
    kept = folder / f"{pack}.jsonl"
    kept.write_text("".join(lines[::3]), "utf-8")
    return kept


def calibrate_with(
    embedder: Whole, sets: Sequence[tuple[Path, Path]], settings: Settings
) -> tuple[Path, ...]:
    """Calibrate with an embedder that no setting can name."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pykala.library.configured.embedder", lambda *_: embedder)
        return keep(calibrate(sets, settings, DAY), sets, settings)


@pytest.fixture
def on_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sample with the vectors of a local model in ONNX, as the settings name it."""
    model = tiny_onnx_embedder(tmp_path / "tiny")
    monkeypatch.setenv("PYKALA_CACHE", str(tmp_path / "cache"))
    folder = sample_library(tmp_path / "sample", installed(), None)
    monkeypatch.setenv("PYKALA_EMBEDDER", str(model))
    return folder


def test_reindex_takes_the_embedder_that_is_set(
    on_sample: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = f"pykala reindex --library {on_sample}"
    assert run(["ask", RATE, "--library", str(on_sample)]) == 3
    line = capsys.readouterr().err
    assert told in line
    assert line.count("\n") == 1
    assert run(["reindex", "--library", str(on_sample)]) == 0
    assert run(["ask", RATE, "--library", str(on_sample), "--json"]) == 0
    assert "UNCALIBRATED" in capsys.readouterr().out
    monkeypatch.delenv("PYKALA_EMBEDDER")
    with pytest.raises(StoreIncompatible, match="pykala reindex"):
        Library.open(on_sample)


DAMAGES = [
    ("PYKALA_EMBEDDER", "model.onnx", lambda data: data[: len(data) // 2]),
    ("PYKALA_EMBEDDER", "tokenizer.json", lambda data: data[:50]),
    ("PYKALA_RERANKER", "model.onnx", lambda data: data[: len(data) // 2]),
]


@pytest.mark.parametrize(("setting", "name", "damage"), DAMAGES)
def test_a_local_model_that_is_damaged_is_named_and_words_alone_answer(
    on_sample: Path,
    setting: str,
    name: str,
    damage: object,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert run(["reindex", "--library", str(on_sample)]) == 0
    folder = tmp_path / "tiny"
    if setting == "PYKALA_RERANKER":
        folder = tiny_onnx_reranker(tmp_path / "reranker")
        monkeypatch.setenv(setting, str(folder))
    whole = (folder / name).read_bytes()
    (folder / name).write_bytes(damage(whole))  # type: ignore[operator]
    capsys.readouterr()
    assert run(["ask", RATE, "--library", str(on_sample), "--as-of", "2026-06-01", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["evidence"]
    assert any(name in one["message"] for one in record["caveats"] if one["kind"] == "DEGRADED")
    if setting == "PYKALA_EMBEDDER":
        assert run(["search", "capital income", "--library", str(on_sample)]) == 0
        assert name in capsys.readouterr().err
        assert run(["reindex", "--library", str(on_sample)]) == 3
    (folder / name).write_bytes(whole)
    capsys.readouterr()
    assert run(["ask", RATE, "--library", str(on_sample), "--json"]) == 0
    assert "DEGRADED" not in capsys.readouterr().out


@pytest.mark.parametrize("weights", ["TABLE_WEIGHTS", "TOWER_WEIGHTS"])
def test_weights_of_the_package_that_are_cut_off_are_named_and_words_alone_answer(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, weights: str
) -> None:
    folder = sample_library(cache / "own", installed())
    path: Path = getattr(lazy, weights)
    cut = tmp_path / path.name
    cut.write_bytes(path.read_bytes()[:100_000])
    bundled = "pykala.models.bundled"
    for module in (sys.modules[bundled], sys.modules[f"{bundled}.package"], lazy):
        monkeypatch.setattr(module, weights, cut)
    loaded = sys.modules[f"{bundled}.package"]._embedder
    loaded.cache_clear()
    for user in (lazy, sys.modules["pykala.library.sample"]):
        monkeypatch.setattr(user, "bundled_embedder", lazy.BundledEmbedder)
    try:
        with Library.open(folder) as library:
            answer = library.ask(RATE, as_of=DAY)
            assert answer.evidence
            (caveat,) = (one for one in answer.caveats if one.kind is CaveatKind.DEGRADED)
            assert path.name in caveat.message
        with pytest.raises(ModelDamaged, match=path.name):
            Library.open(tmp_path / "new", writable=True, create=True)
        assert not (tmp_path / "new").exists()
        built = sample_library(tmp_path / "built", installed())
        with Library.open(built) as library:
            assert kinds(library.ask(RATE, as_of=DAY)) == {CaveatKind.DEGRADED}
    finally:
        loaded.cache_clear()


def test_a_second_embedder_of_words_hashed_gives_candidates_that_words_alone_do_not(tmp_path: Path) -> None:
    embedder = HashingEmbedder(512)
    folder = sample_library(tmp_path, installed(), embedder)
    with Library.open(folder, embedder=embedder) as library:
        by_meaning = library.with_parts(options=replace(library.options, text=False))
        assert by_meaning.search("capital income", as_of=DAY)
        assert by_meaning.ask(RATE, as_of=DAY).evidence
