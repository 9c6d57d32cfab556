"""The bundled embedder: what every caller may rely on, and that meaning crosses languages."""

from __future__ import annotations

import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.models import bundled
from pykala.models.bundled import ASKED_SECTIONS, TABLE_WEIGHTS, TOWER_WEIGHTS
from pykala.models.bundled.embedder import TwoTowers
from pykala.models.bundled.lazy import bundled_embedder
from pykala.models.bundled.words import RowsOfWords, buckets_of, printed_words_of, words_of
from pykala.models.embedder import Role

TEXTS = (
    "The Minister may, by order, amend the schedule.",
    "Kunnan on katettava alijäämä neljän vuoden kuluessa.",
    "Kommunen ska täcka underskottet inom fyra år.",
    "L’employeur verse l’indemnité au salarié dans les trente jours.",
    "What withholding tax (lähdevero) applies to a key employee (avainhenkilö)?",
)

ROLES: tuple[Role, ...] = ("query", "document")


def likeness(question: str, text: str) -> float:
    """The cosine of a question and a text of the law."""
    return float(bundled().encode([question], "query")[0] @ bundled().encode([text], "document")[0])


def run(script: str, *arguments: str, seed: str = "0") -> str:
    """What a script prints in a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


def test_vectors_are_unit_float32_and_as_long_as_said() -> None:
    vectors = bundled().encode(TEXTS, "document")
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), bundled().dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@pytest.mark.parametrize("text", ["", "   ", "1234 § 5 — 6 %", "\u00ad\u200b", "the of and"])
def test_a_document_without_words_of_meaning_is_a_zero_vector_and_a_question_is_not(text: str) -> None:
    assert not bundled().encode([text], "document").any()
    assert np.linalg.norm(bundled().encode([text], "query")[0]) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("role", ROLES)
def test_no_texts_give_no_rows(role: Role) -> None:
    assert bundled().encode([], role).shape == (0, bundled().dimension)


@pytest.mark.parametrize("role", ROLES)
def test_a_batch_gives_what_single_texts_give(role: Role) -> None:
    batch = bundled().encode(TEXTS, role)
    singles = np.concatenate([bundled().encode([text], role) for text in TEXTS])
    assert np.array_equal(batch, singles)


def test_another_process_gives_the_same_bits() -> None:
    script = (
        "import sys, hashlib; from pykala.models import bundled;"
        "print(*(hashlib.sha256(bundled().encode(sys.argv[1:], role).tobytes()).hexdigest()"
        " for role in ('query', 'document')))"
    )
    # Another seed of hashes walks sets of words in another order.
    assert run(script, *TEXTS, seed="1") == run(script, *TEXTS, seed="2")


def test_the_package_is_imported_without_numpy() -> None:
    assert run("import sys, pykala.models; print('numpy' in sys.modules)") == "False"


def test_it_is_loaded_once_and_named_by_its_weights() -> None:
    assert bundled() is bundled()
    assert bundled().fingerprint == TwoTowers(TABLE_WEIGHTS, TOWER_WEIGHTS, ASKED_SECTIONS).fingerprint
    assert bundled().fingerprint == bundled_embedder().fingerprint, "known before the weights are read"
    assert bundled().dimension == bundled_embedder().dimension
    assert bundled().name in bundled().fingerprint


def test_the_weights_are_small_enough_to_ship() -> None:
    assert TABLE_WEIGHTS.stat().st_size <= 26_000_000
    assert TOWER_WEIGHTS.stat().st_size <= 25_000_000


@pytest.mark.parametrize(
    ("weights", "array"), [(TABLE_WEIGHTS, "rows"), (TOWER_WEIGHTS, "layers.0.inner.weight")]
)
def test_other_weights_have_another_fingerprint(tmp_path: Path, weights: Path, array: str) -> None:
    with np.load(weights) as stored:
        arrays = {name: stored[name] for name in stored.files}
    arrays[array] = arrays[array].copy()
    arrays[array][0, 0] ^= 1
    other = tmp_path / "other.npz"
    np.savez(other, **arrays)
    files = [other if path == weights else path for path in (TABLE_WEIGHTS, TOWER_WEIGHTS)]
    assert TwoTowers(*files).fingerprint != bundled().fingerprint


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("l’impôt sur le revenu", "l'impôt sur le revenu"),
        ("vero\u00adprosentti", "veroprosentti"),
        ("skatte‑ och avgifts‑förordning", "skatte- och avgifts-förordning"),
        ("TULOVEROLAKI", "tuloverolaki"),
        (unicodedata.normalize("NFD", "pääomatulo"), "pääomatulo"),
    ],
)
def test_print_changes_nothing(written: str, plain: str) -> None:
    for role in ROLES:
        one, other = bundled().encode([written, plain], role)
        assert one @ other == pytest.approx(1.0, abs=1e-5), role


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_encoded(text: str) -> None:
    vector = bundled().encode([text], "document")[0]
    assert np.isfinite(vector).all()
    assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-4) or not vector.any()
    asked = bundled().encode([text], "query")[0]
    assert np.linalg.norm(asked) == pytest.approx(1.0, abs=1e-4)


@settings(max_examples=40, deadline=None)
@given(st.permutations(words_of(TEXTS[1])), st.integers(1, 3))
def test_order_and_repetition_of_words_change_nothing(words: list[str], times: int) -> None:
    table = bundled().table
    assert table.rows_of(" ".join(words * times)) == table.rows_of(TEXTS[1])


@pytest.mark.parametrize("text", TEXTS)
def test_words_as_printed_have_the_rows_of_plain_words(text: str) -> None:
    rows = RowsOfWords("fr", {"employeur": 0, "vers": 1}, 50)
    printed = {row for word in printed_words_of(text) for row in rows[word]}
    assert printed == {row for word in words_of(text) for row in rows[word]}


def test_an_unknown_word_lies_near_its_misspelling() -> None:
    right, wrong = "kryptovarainvaihtokurssi", "kryptovarainvaihtokursi"
    one, other = bundled().encode([right, wrong], "document")
    assert one @ other > 0.5
    assert likeness(right, wrong) > likeness(right, "metsänhoitoyhdistys") + 0.2


def test_runs_of_letters_stay_within_the_buckets() -> None:
    assert buckets_of("verotus", 0) == []
    assert all(0 <= bucket < 7 for bucket in buckets_of("verotuskäytäntö", 7))


def test_a_foreign_word_in_a_question_is_known() -> None:
    question = "What is the rate of lähdevero for a foreign employee?"
    assert likeness(question, "lähdeveron määrä") > likeness(question, "kiinteistön lohkominen") + 0.2


#: A question, what answers it in another language, and what does not.
ACROSS = [
    ("capital income tax rate", "pääomatulon veroprosentti", "koiran kiinnipito taajamassa"),
    ("value added tax on food", "elintarvikkeiden arvonlisävero", "kunnanvaltuuston kokous"),
    ("tax on dividends", "osingosta suoritettava vero", "rakennuslupa"),
    ("permanent establishment of an enterprise", "yrityksen kiinteä toimipaikka", "lääkärin salassapito"),
    ("dismissal of an employee", "työntekijän irtisanominen", "kalastuslupa"),
    ("the municipal council decides on the budget", "valtuusto päättää talousarviosta", "eläinten kuljetus"),
    ("inheritance tax of a widow", "lesken perintövero", "satamamaksu"),
    ("driving licence", "ajokortti", "osakepääoma"),
    ("income tax", "inkomstskatt", "fiskeredskap"),
    ("protection of personal data", "skydd av personuppgifter", "vägunderhåll"),
    ("liability for damage", "skadeståndsansvar", "läroplan"),
    ("unemployment benefit", "arbetslöshetsförmån", "jaktlicens"),
    ("income tax", "impôt sur le revenu", "permis de pêche"),
    ("employment contract", "contrat de travail", "navire étranger"),
    ("criminal offence and fine", "infraction et amende", "espèces végétales"),
    ("refugee protection", "protection des réfugiés", "taux d'intérêt bancaire"),
    ("työttömyysturva", "arbetslöshetsskydd", "skogsvård"),
    ("rakennuslupa", "bygglov", "arvsskatt"),
    ("kunnan alijäämän kattaminen", "täckande av kommunens underskott", "djurskydd"),
    ("lapsen huolto", "vårdnad om barn", "bokföring"),
    ("arvonlisävero", "taxe sur la valeur ajoutée", "contrat de mariage"),
    ("skatt på arv", "impôt sur les successions", "transport maritime"),
    ("tietojen vaihtaminen veroviranomaisten kesken", "exchange of information on taxes", "fishing vessel"),
    ("ajoneuvon rekisteröinti", "registration of a vehicle", "refugee claim"),
]


@pytest.mark.parametrize(("question", "answer", "other"), ACROSS)
def test_meaning_crosses_languages(question: str, answer: str, other: str) -> None:
    assert likeness(question, answer) > likeness(question, other) + 0.05


def test_threads_that_ask_at_once_load_the_weights_once() -> None:
    printed = run(
        "import threading\n"
        "from pykala.models import bundled, bundled_reranker\n"
        "start, held = threading.Barrier(8), []\n"
        "def load():\n"
        "    start.wait()\n"
        "    held.append((bundled(), bundled_reranker()))\n"
        "threads = [threading.Thread(target=load) for _ in range(8)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "print(len(held), len({id(one) for one, _ in held}), len({id(one) for _, one in held}))\n"
    )
    assert printed.split() == ["8", "1", "1"]
