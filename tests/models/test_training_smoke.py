"""Training from pairs to weights, on a few made pairs: that each step takes what the one before gives."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pykala.law.identifiers import WorkId
from pykala.models.bundled.embedder import StaticEmbedder
from training.encode import Texts, encode
from training.pair_files import Pair, read, write
from training.pairs import split_of
from training.treaty_titles import TITLES, article_of

torch = pytest.importorskip(
    "torch", reason="training needs PyTorch, which is no part of the package: pip install torch"
)

WORDS = [
    ("dog", "koira"), ("tax", "vero"), ("income", "tulo"), ("road", "tie"), ("council", "valtuusto"),
    ("budget", "talousarvio"), ("licence", "lupa"), ("child", "lapsi"), ("house", "talo"), ("ship", "laiva"),
]  # fmt: skip


def made_pairs() -> list[Pair]:
    """Each word with its neighbours in a sentence, in two languages."""
    pairs = [
        Pair("dict-en-fi", f"{one[0]} {two[0]}", "en", f"{one[1]} {two[1]}", "fi", "train")
        for one in WORDS
        for two in WORDS
        if one != two
    ]
    held = [Pair("dict-en-fi", one[0], "en", one[1], "fi", "development") for one in WORDS]
    return pairs + held


def test_from_pairs_to_weights(tmp_path: Path) -> None:
    from training.train import Recipe, quantised, train

    counts = write(made_pairs(), tmp_path / "pairs")
    assert counts["dict-en-fi", "train"] == len(WORDS) * (len(WORDS) - 1)
    texts = Texts()
    arrays = encode([tmp_path / "pairs"], texts)
    recipe = Recipe(steps=25, batch=48, tasks=1, dropout=0.1, glossed=0.0)
    table, _ = train(arrays, recipe, "cpu")
    rows, scales = quantised(table.rows[: table.padding])
    weights = tmp_path / "embedder.npz"
    np.savez(weights, rows=rows, scales=scales, vocabulary=arrays["vocabulary"], buckets=arrays["buckets"])
    embedder = StaticEmbedder(weights)
    vectors = embedder.encode([f"the {one} and the" for one, _ in WORDS], "query")
    answers = embedder.encode([f"{other} on" for _, other in WORDS], "document")
    found = (vectors @ answers.T).argmax(axis=1)
    assert (found == np.arange(len(WORDS))).mean() >= 0.8


def test_training_twice_gives_the_same_table(tmp_path: Path) -> None:
    from training.train import Recipe, train

    write(made_pairs(), tmp_path / "pairs")
    arrays = encode([tmp_path / "pairs"], Texts())
    recipe = Recipe(steps=3, batch=32, tasks=1)
    first, second = (train(arrays, recipe, "cpu")[0].rows.detach().numpy() for _ in range(2))
    assert np.array_equal(first, second)


def test_pairs_are_written_once_and_read_back(tmp_path: Path) -> None:
    pair = Pair("heading-fi", "Otsikko", "fi", "Pykälän sanat", "fi", "train")
    assert write([pair, pair], tmp_path)["heading-fi", "train"] == 1
    assert list(read(tmp_path / "heading-fi.jsonl.zst")) == [
        ["Otsikko", "fi", "Pykälän sanat", "fi", "train"]
    ]


def test_the_split_of_a_work_never_changes() -> None:
    splits = {number: split_of(WorkId(f"fi:act:2020/{number}")) for number in range(1, 400)}
    assert splits == {number: split_of(WorkId(f"fi:act:2020/{number}")) for number in range(1, 400)}
    assert 0.85 < list(splits.values()).count("train") / len(splits) < 0.95


@pytest.mark.parametrize(
    ("title", "language", "model"),
    [
        ("Dividends", "en", "dividends"),
        ("Article 10 Dividends", "en", "dividends"),
        ("10 artikla Osinko", "fi", "dividends"),
        ("KIINTEÄ TOIMIPAIKKA", "fi", "establishment"),
        ("Échange de renseignements", "fr", "information"),
        ("Directors’ Fees", "en", "directors"),
        ("Short title", "en", None),
    ],
)
def test_titles_of_treaty_articles(title: str, language: str, model: str | None) -> None:
    assert article_of(title, language) == model


def test_every_model_article_has_a_title_in_each_language() -> None:
    assert all(len(names) == 4 and all(names) for names in TITLES.values())


@pytest.mark.parametrize("language", ["en", "fr", "fi", "sv"])
def test_everyday_questions_are_many_and_apart(language: str) -> None:
    path = Path(__file__).parents[2] / "training" / "questions" / f"everyday-{language}.jsonl"
    questions = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(questions) >= 100
    assert len({one["id"] for one in questions}) == len({one["gold"] for one in questions}) == len(questions)
    for one in questions:
        work = WorkId(one["gold"].partition("/sec")[0])
        assert split_of(work) != "train", f"{one['id']}: {work} is trained on"
