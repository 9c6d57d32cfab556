"""The bundled reranker: what every caller may rely on, and that the provision asked for comes first."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pykala.models import bundled, bundled_reranker
from pykala.models.bundled import RERANKER_WEIGHTS
from pykala.models.bundled.reranker import InteractionReranker
from pykala.models.reranker import Reranker

QUESTION = "Kuka allekirjoittaa tilinpäätöksen?"
TEXTS = (
    "Kuntalaki › Talous › 113 § Tilinpäätös\nTilinpäätöksen allekirjoittavat hallituksen jäsenet ja johtaja.",
    "Kuntalaki › Talous › 113 § Tilinpäätös\nTilinpäätöksen tulee antaa oikea ja riittävä kuva taloudesta.",
    "Kuntalaki › Talous › 114 § Konsernitilinpäätös\nKonserniin kuuluva kunta laatii konsernitilinpäätöksen.",
    "Eläinsuojelulaki › 5 § Koirat\nKoira on pidettävä kytkettynä.",
)

#: A question, the provision that answers it, and provisions on much the same subject that do not.
CASES = [
    (QUESTION, *TEXTS),
    (
        "Kunnallisvalitus hallinto-oikeuteen (EI oikaisuvaatimus)",
        "Kuntalaki › Muutoksenhaku › Kunnallisvalitus\nPäätökseen haetaan muutosta hallinto-oikeudelta.",
        "Kuntalaki › Muutoksenhaku › Oikaisuvaatimus\nPäätökseen tyytymätön saa tehdä oikaisuvaatimuksen.",
    ),
    (
        "Who may inspect the register of members?",
        "Cooperatives Act › 31 Access\nMembers and creditors may inspect the register of members.",
        "Cooperatives Act › Register › 30 Contents\nThe register must set out the names of the members.",
        "Cooperatives Act › Meetings › 40 Notice\nNotice of a meeting must be sent to the members.",
    ),
    (
        "How long must the records be kept after the audit?",
        "Accounts Act › 12 Retention\nRecords must be kept for six years after the audit they relate to.",
        "Accounts Act › 11 Audit\nThe auditor examines the records of the company every year.",
        "Accounts Act › 4 Interpretation\nIn this Act, record includes an account and a voucher.",
    ),
    (
        "Qui peut demander la révision de la décision ?",
        "Loi sur l'aide › 9 Révision\nToute personne visée par la décision peut en demander la révision.",
        "Loi sur l'aide › 8 Décision\nLe ministre rend sa décision dans les trente jours.",
        "Loi sur l'aide › 2 Définitions\nLes définitions qui suivent s'appliquent à la présente loi.",
    ),
    (
        "Vem beslutar om uppsägning av kommundirektören?",
        "Kommunallag › Ledning › 43 § Uppsägning av kommundirektören\nFullmäktige får säga upp direktören.",
        "Kommunallag › Ledning › 41 § Kommundirektören\nKommundirektören leder kommunens förvaltning.",
        "Kommunallag › Ekonomi › 110 § Budget\nFullmäktige godkänner en budget för varje kalenderår.",
    ),
]


@pytest.mark.parametrize(("question", "right", "others"), [(one[0], one[1], one[2:]) for one in CASES])
def test_the_provision_asked_for_comes_first(question: str, right: str, others: tuple[str, ...]) -> None:
    scores = bundled_reranker().score(question, [*others, right])
    assert scores.argmax() == len(others), scores


def test_one_float_a_text() -> None:
    scores = bundled_reranker().score(QUESTION, TEXTS)
    assert scores.dtype == np.float32
    assert scores.shape == (len(TEXTS),)


def test_it_is_a_reranker_loaded_once() -> None:
    reranker: Reranker = bundled_reranker()
    assert reranker is bundled_reranker()
    assert reranker.name in reranker.fingerprint
    assert bundled().table.digest in reranker.fingerprint


def test_no_texts_give_no_scores() -> None:
    assert bundled_reranker().score(QUESTION, []).shape == (0,)


@pytest.mark.parametrize("question", ["", "  ", "the of and", "?!"])
def test_a_question_without_words_leaves_the_order(question: str) -> None:
    scores = bundled_reranker().score(question, TEXTS)
    assert (scores == scores[0]).all()


def test_another_process_gives_the_same_bits() -> None:
    script = (
        "import sys, hashlib; from pykala.models import bundled_reranker as reranker;"
        "print(hashlib.sha256(reranker().score(sys.argv[1], sys.argv[2:]).tobytes()).hexdigest())"
    )
    printed = set()
    for seed in ("1", "2"):  # another seed of hashes walks sets of words in another order
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", script, QUESTION, *TEXTS]
        printed.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(printed) == 1


@settings(max_examples=20, deadline=None)
@given(st.permutations(range(len(TEXTS))))
def test_the_order_given_changes_no_score(order: list[int]) -> None:
    scores = bundled_reranker().score(QUESTION, TEXTS)
    again = bundled_reranker().score(QUESTION, [TEXTS[at] for at in order])
    assert np.allclose(again, scores[order], atol=1e-3)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.lists(st.text(max_size=200), max_size=5))
def test_any_text_is_scored(question: str, texts: list[str]) -> None:
    scores = bundled_reranker().score(question, texts)
    assert scores.shape == (len(texts),)
    assert np.isfinite(scores).all()


def test_the_weights_are_small_and_fit_the_embedder() -> None:
    assert RERANKER_WEIGHTS.stat().st_size <= 16_000_000
    with np.load(RERANKER_WEIGHTS) as stored:
        assert len(stored["rarity"]) == bundled().table.rows
    again = InteractionReranker(RERANKER_WEIGHTS, bundled().table)
    assert again.fingerprint == bundled_reranker().fingerprint
