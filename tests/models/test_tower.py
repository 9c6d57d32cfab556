"""The question tower: what its vectors are, that all ways of computing agree, and damaged weights."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from pykala.models import bundled
from pykala.models.bundled import TABLE_WEIGHTS, TOWER_WEIGHTS, arrays, pieces, tower_session
from pykala.models.bundled.arrays import WeightsDamaged
from pykala.models.bundled.embedder import DocumentTable, TwoTowers
from pykala.models.bundled.pieces import CONTINUES, END, START, UNKNOWN, PiecesOfWords, words_read
from pykala.models.bundled.tower import HEADS, INNER, MOST_TOKENS, WIDTH, Kernel, QuestionTower
from pykala.models.bundled.tower_session import layers_as_model
from pykala.models.failures import PackageMissing

QUESTIONS = (
    "Who decides on the budget of a municipality?",
    "Miten työsuhdeasunnon verotusarvo lasketaan?",
    "Hur länge har jag rätt till arbetslöshetsförmån?",
    "L’employeur doit-il verser l’indemnité dans les 30 jours ?",
    "When must I pay the tax?",
    "Saako vuokranantaja korottaa vuokraa kesken sopimuskauden, jos sopimuksessa ei ole siitä mitään?",
    "Vem ärver mig om jag är sambo och inte har några barn?",
    "Combien de temps ai-je pour contester l’avis de cotisation que j’ai reçu du ministre du Revenu ?",
    "What withholding tax (lähdevero) applies to a key employee (avainhenkilö) in 2024?",
    "124 § 2 mom.",
    "?",
    "",
)


def asked(*questions: str) -> NDArray[np.float32]:
    """The vectors of questions."""
    return bundled().encode(questions, "query")


def by(kernel: Kernel) -> NDArray[np.float32]:
    """The vectors of the questions as one kernel computes them."""
    towers = TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS, kernel=kernel)
    return towers.encode(QUESTIONS, "query")


@pytest.fixture(scope="module")
def plain() -> NDArray[np.float32]:
    return by("numpy")


# Vectors


def test_vectors_are_unit_float32() -> None:
    vectors = asked(*QUESTIONS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(QUESTIONS), bundled().dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_another_process_gives_the_same_bits() -> None:
    script = (
        "import json, sys; from pykala.models import bundled;"
        "print(bundled().encode(json.loads(sys.argv[1]), 'query').tobytes().hex())"
    )
    command = [sys.executable, "-c", script, json.dumps(QUESTIONS)]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed.strip() == asked(*QUESTIONS).tobytes().hex()


@pytest.mark.parametrize(("kernel", "least"), [("onnxruntime", 0.9999), ("numkong", 0.995)])
def test_every_kernel_gives_nearly_the_vectors_of_numpy(
    plain: NDArray[np.float32], kernel: Kernel, least: float
) -> None:
    pytest.importorskip(kernel, reason=f"{kernel} is not installed")
    vectors = by(kernel)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert ((vectors * plain).sum(axis=1) > least).all()


def test_the_fastest_kernel_that_is_installed_reads_questions() -> None:
    pytest.importorskip("onnxruntime")
    assert QuestionTower(TOWER_WEIGHTS).kernel == "onnxruntime"
    assert np.array_equal(by("onnxruntime"), asked(*QUESTIONS))


def test_the_model_in_onnx_is_well_formed() -> None:
    onnx = pytest.importorskip("onnx")
    read = arrays.Weights(TOWER_WEIGHTS)
    model = onnx.load_from_string(layers_as_model(read, WIDTH, INNER, HEADS))
    onnx.checker.check_model(model, full_check=True)
    held = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer}
    assert np.array_equal(held["layers.3.outer.weight"], array(TOWER_WEIGHTS, "layers.3.outer.weight"))


def test_a_runtime_that_refuses_the_model_leaves_it_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("onnxruntime")
    # What an older runtime says of an operator that it does not know.
    monkeypatch.setattr(tower_session, "_GELU", "OperatorOfTheFuture")
    assert QuestionTower(TOWER_WEIGHTS).kernel in {"numkong", "numpy"}
    with pytest.raises(PackageMissing, match=r"^onnxruntime cannot be used \(.*pykala\[onnx\]'$"):
        QuestionTower(TOWER_WEIGHTS, "onnxruntime")


def test_the_runtime_sends_nothing_and_leaves_no_file(tmp_path: Path) -> None:
    """onnxruntime 1.31 begins to gather events as soon as it is imported, and leaves a file for them."""
    pytest.importorskip("onnxruntime")
    script = (
        "from pykala.models import bundled; bundled().encode(['tax'], 'query'); import os, sys;"
        "print('onnxruntime' in sys.modules, os.environ['ORT_DISABLE_TELEMETRY'])"
    )
    without = {name: value for name, value in os.environ.items() if not name.startswith("ORT_")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**without, "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout, done.stderr) == ("True 1\n", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "fault", ["raise ImportError('libonnxruntime.so: cannot open')", "raise RuntimeError('NumPy 1')", ""]
)
def test_a_broken_runtime_leaves_it_to_the_next(tmp_path: Path, fault: str) -> None:
    (tmp_path / "onnxruntime.py").write_text(fault, encoding="utf-8")
    script = (
        "from pykala.models import bundled; from pykala.models.bundled import TOWER_WEIGHTS;"
        "from pykala.models.bundled.tower import QuestionTower; own = bundled();"
        "print(QuestionTower(TOWER_WEIGHTS).kernel, own.encode(['tax'], 'query').shape, own.fingerprint)"
    )
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    kernel, *others = done.stdout.split(maxsplit=1)
    assert kernel in {"numkong", "numpy"}
    assert others == [f"(1, {bundled().dimension}) {bundled().fingerprint}\n"]
    assert done.stderr == ""


def test_the_order_of_words_is_read() -> None:
    one, other = asked("May a tenant sue the landlord?", "May a landlord sue the tenant?")
    assert not np.array_equal(one, other)


def test_what_comes_after_the_most_tokens_is_not_read() -> None:
    sentence = "Kunnan on katettava alijäämä neljän vuoden kuluessa. "
    once, twice, endless = asked(sentence, sentence * MOST_TOKENS, sentence * 2 * MOST_TOKENS)
    assert np.array_equal(twice, endless)
    assert not np.array_equal(once, twice)


#: A question, the text of the law that it asks for, and another text of the law.
TAX = "An individual shall pay tax on income from employment at the rates set out in the schedule."
DOGS = "The owner of a dog shall keep it on a leash in a public place."
DISMISSAL = "An employer may terminate a contract of employment by giving written notice of two weeks."
LICENCE = "No person shall drive a motor vehicle on a highway without a valid driver's licence."
REFUGEE = "A person who has a well-founded fear of persecution in their country is a Convention refugee."
LAW = [
    ("Kuinka paljon tuloveroa palkasta maksetaan?", TAX, DOGS),
    ("Pitääkö koiran olla kytkettynä?", DOGS, TAX),
    ("Miten työnantaja voi irtisanoa työntekijän?", DISMISSAL, LICENCE),
    ("Saako autoa ajaa ilman ajokorttia?", LICENCE, REFUGEE),
    ("Hur mycket inkomstskatt betalar man på lön?", TAX, LICENCE),
    ("Måste hunden hållas kopplad?", DOGS, DISMISSAL),
    ("Hur kan arbetsgivaren säga upp en anställd?", DISMISSAL, REFUGEE),
    ("Får man köra bil utan körkort?", LICENCE, TAX),
    ("Quel impôt sur le revenu dois-je payer sur mon salaire ?", TAX, REFUGEE),
    ("Mon chien doit-il être tenu en laisse ?", DOGS, LICENCE),
    ("Comment l'employeur peut-il licencier un salarié ?", DISMISSAL, DOGS),
    ("Qui est un réfugié au sens de la Convention ?", REFUGEE, TAX),
]


@pytest.mark.parametrize(("question", "right", "other"), LAW)
def test_a_question_is_nearer_to_its_law_in_english(question: str, right: str, other: str) -> None:
    near, far = bundled().encode([right, other], "document") @ asked(question)[0]
    assert near > far + 0.05


# Files


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder that is removed after the test: weights are large, and pytest keeps folders of three runs."""
    yield tmp_path
    shutil.rmtree(tmp_path)


def copied(weights: Path, folder: Path, **changed: NDArray[Any]) -> Path:
    """The same weights with other arrays; one that is empty is left out."""
    with np.load(weights) as stored:
        arrays: dict[str, Any] = {name: stored[name] for name in stored.files} | changed
    path = folder / f"other-{weights.name}"
    np.savez(path, **{name: array for name, array in arrays.items() if array.size})
    return path


def array(weights: Path, name: str) -> NDArray[Any]:
    with np.load(weights) as stored:
        found: NDArray[Any] = stored[name]
    return found


def test_the_weights_load_and_are_small_enough_to_ship() -> None:
    assert TOWER_WEIGHTS.stat().st_size <= 25_000_000
    assert TABLE_WEIGHTS.stat().st_size <= 26_000_000
    table = DocumentTable(TABLE_WEIGHTS)
    tower = QuestionTower(TOWER_WEIGHTS)
    states = tower.read(QUESTIONS[0], partial(table.known_vectors, language="en"))
    assert np.array_equal(tower.vector(states), asked(QUESTIONS[0])[0])


READERS = [(TABLE_WEIGHTS, DocumentTable), (TOWER_WEIGHTS, QuestionTower)]


@pytest.mark.parametrize(("weights", "reader"), READERS)
@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 0.999])
def test_weights_that_are_cut_off_are_told_by_their_name(
    folder: Path, weights: Path, reader: type[Any], share: float
) -> None:
    path = folder / weights.name
    path.write_bytes(weights.read_bytes()[: int(weights.stat().st_size * share)])
    with pytest.raises(WeightsDamaged, match=weights.name):
        reader(path)


@pytest.mark.parametrize(("weights", "reader"), READERS)
def test_weights_that_are_missing_or_garbage_are_told_by_their_name(
    folder: Path, weights: Path, reader: type[Any]
) -> None:
    path = folder / weights.name
    with pytest.raises(WeightsDamaged, match=weights.name):
        reader(path)
    for garbage in (b"not weights " * 500, b"PK\x03\x04" * 500):
        path.write_bytes(garbage)
        with pytest.raises(WeightsDamaged, match=weights.name):
            reader(path)


@pytest.mark.parametrize(
    ("name", "shaped"),
    [
        ("vocabulary", lambda one: one[:-500]),
        ("vocabulary", lambda one: np.full_like(one, 0xFF)),
        ("pieces.weight", lambda one: one[:-1]),
        ("pieces.weight.scales", lambda one: one[:-1]),
        ("gates", lambda one: one[:-1]),
        ("positions.weight", lambda one: one[:10]),
        ("from_table.weight", lambda one: one.T.copy()),
        ("out.weight", lambda one: one.astype(np.float32)),
        ("out.weight.scales", lambda one: one[:-1]),
        ("norm.weight", lambda one: one[:-1]),
        ("layers.1.inner.weight", lambda one: one[:, :-1].copy()),
        ("layers.1.inner.bias", lambda one: one[:-1]),
        ("layers.2.attention_in.weight", lambda one: one.reshape(-1)),
        ("layers.2.norm.bias", lambda one: one[:0]),
        ("layers.3.outer.weight", lambda one: one[:0]),
    ],
)
def test_a_tower_of_another_shape_is_told_by_its_name(folder: Path, name: str, shaped: Any) -> None:
    path = copied(TOWER_WEIGHTS, folder, **{name: shaped(array(TOWER_WEIGHTS, name))})
    with pytest.raises(WeightsDamaged, match=path.name):
        QuestionTower(path)


@pytest.mark.parametrize(
    ("name", "shaped"),
    [
        ("vocabulary", lambda one: one[:-500]),
        ("vocabulary", lambda one: np.full_like(one, 0xFF)),
        ("rows", lambda one: one[:-1]),
        ("rows", lambda one: one.reshape(-1)),
        ("scales", lambda one: one[:-1]),
        ("body", lambda one: one[:-1]),
        ("header", lambda one: one[:-1]),
        ("header", lambda one: one[:0]),
        ("buckets", lambda one: one + 1),
    ],
)
def test_a_table_of_another_shape_is_told_by_its_name(folder: Path, name: str, shaped: Any) -> None:
    path = copied(TABLE_WEIGHTS, folder, **{name: np.asarray(shaped(array(TABLE_WEIGHTS, name)))})
    with pytest.raises(WeightsDamaged, match=path.name):
        DocumentTable(path)


# Pieces of words

LETTERS = "abcdeä"
TINY = {
    piece: at
    for at, piece in enumerate(
        [START, END, UNKNOWN, *LETTERS, *(f"{CONTINUES}{one}" for one in LETTERS), "abc", f"{CONTINUES}cde"]
    )
}
NAMES = {at: piece for piece, at in TINY.items()}


def joined(found: tuple[int, ...], names: dict[int, str]) -> str:
    """What pieces make up together."""
    return "".join(names[piece].removeprefix(CONTINUES) for piece in found)


@pytest.fixture(scope="module")
def vocabulary() -> dict[str, int]:
    text = bytes(array(TOWER_WEIGHTS, "vocabulary")).decode("utf-8")
    return {piece: at for at, piece in enumerate(text.split("\n"))}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("§ — %", []),
        ("The RATE is 34.5 %", ["the", "rate", "is", "34", "5"]),
        ("l'employeur doit-il", ["l'employeur", "doit-il"]),
        ("arvonlisävero_ja", ["arvonlisävero", "ja"]),
        (unicodedata.normalize("NFD", "pääomatulo"), ["pääomatulo"]),
    ],
)
def test_words_and_numbers_are_read_and_punctuation_is_not(text: str, words: list[str]) -> None:
    assert words_read(text) == words


@pytest.mark.parametrize(
    ("word", "cut"),
    [
        ("abcde", ["abc", "##d", "##e"]),  # the longest first, not the fewest
        ("aabcde", ["a", "##a", "##b", "##cde"]),
        ("ab-ab", ["a", "##b", "a", "##b"]),
        ("axb", [UNKNOWN]),  # one letter that nothing holds, and the whole word is unknown
        ("axb-ab", [UNKNOWN, "a", "##b"]),
        ("ω", [UNKNOWN]),
        ("", []),
    ],
)
def test_a_word_is_cut_into_the_longest_pieces(word: str, cut: list[str]) -> None:
    assert [NAMES[piece] for piece in PiecesOfWords(TINY)[word]] == cut


@given(st.text(alphabet=LETTERS, min_size=1, max_size=40))
def test_pieces_join_to_the_word(word: str) -> None:
    found = PiecesOfWords(TINY)[word]
    assert joined(found, NAMES) == word
    assert not NAMES[found[0]].startswith(CONTINUES)
    assert all(NAMES[piece].startswith(CONTINUES) for piece in found[1:])


@pytest.mark.parametrize("question", QUESTIONS)
def test_pieces_of_the_shipped_vocabulary_join_to_the_words(
    vocabulary: dict[str, int], question: str
) -> None:
    names = {at: piece for piece, at in vocabulary.items()}
    cut = PiecesOfWords(vocabulary)
    for word in words_read(question):
        assert joined(cut[word], names) == "".join(mark for mark in word if mark.isalnum())


def test_letters_that_no_piece_holds_are_one_unknown_piece(vocabulary: dict[str, int]) -> None:
    assert PiecesOfWords(vocabulary)["ꙮꙮꙮ"] == (vocabulary[UNKNOWN],)


def test_a_long_word_is_bounded(vocabulary: dict[str, int]) -> None:
    cut = PiecesOfWords(vocabulary)
    assert joined(cut["x" * 40], {at: piece for piece, at in vocabulary.items()}) == "x" * 40
    assert cut["x" * 41] == cut["lainsäädäntö" * 10_000] == (vocabulary[UNKNOWN],)
    assert np.isfinite(asked("x" * 100_000)).all()


def test_what_is_kept_of_words_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "_MEMO_LIMIT", 3)
    cut = PiecesOfWords(TINY)
    found = [cut[word] for word in ("a", "ab", "abc", "abcd", "abcde", "a")]
    assert len(cut) <= 3
    assert found[0] == found[-1]


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_text_is_cut(vocabulary: dict[str, int], text: str) -> None:
    cut = PiecesOfWords(vocabulary)
    for word in (text, *words_read(text)):
        assert all(0 <= piece < len(vocabulary) for piece in cut[word])
    assert all(cut[word] for word in words_read(text)), "a word that is read has a piece"
