"""Training from pairs to weights, on a few made pairs: that each step takes what the one before gives."""

from __future__ import annotations

import json
import lzma
import random
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from pykala.evaluate.splits import split_of
from pykala.law.identifiers import WorkId
from pykala.models import bundled
from pykala.models.bundled import TABLE_WEIGHTS
from pykala.models.bundled.embedder import DocumentTable
from pykala.models.bundled.reranker import InteractionReranker
from training.asked import Maker, Section, synonyms
from training.encode import Texts, encode
from training.pair_files import Pair, read, write
from training.pairs import without_copyleft_lists
from training.treaty_titles import TITLES, article_of
from training.written import Written, name_of, read_written
from training.written_pairs import EVERYDAY_WORDS, LANGUAGES, question_pairs, word_pairs

NEEDS_TORCH = pytest.mark.skipif(
    find_spec("torch") is None,
    reason="training needs PyTorch, which is no part of the package: pip install torch",
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


@NEEDS_TORCH
def test_from_pairs_to_weights(tmp_path: Path) -> None:
    from training.train import Recipe, quantised, train

    counts = write(made_pairs(), tmp_path / "pairs")
    assert counts["dict-en-fi", "train"] == len(WORDS) * (len(WORDS) - 1)
    texts = Texts()
    arrays = encode([tmp_path / "pairs"], texts)
    recipe = Recipe(steps=25, batch=48, tasks=1, dropout=0.1, glossed=0.0)
    trained, _ = train(arrays, recipe, "cpu")
    rows, scales = quantised(trained.rows[: trained.padding])
    weights = tmp_path / "table.npz"
    alike = np.ones(len(rows), dtype=np.float32)  # each row counts the same in a body and in a header
    np.savez(
        weights,
        rows=rows,
        scales=scales,
        vocabulary=arrays["vocabulary"],
        buckets=arrays["buckets"],
        body=alike,
        header=alike,
    )
    table = DocumentTable(weights)
    vectors = table.encode([f"the {one} and the" for one, _ in WORDS])
    answers = table.encode([f"{other} on" for _, other in WORDS])
    found = (vectors @ answers.T).argmax(axis=1)
    assert (found == np.arange(len(WORDS))).mean() >= 0.8


@NEEDS_TORCH
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


HELD_BACK = {
    "development": [1, 14, 19, 31, 73, 85, 87, 123, 131, 143, 148, 162, 167, 176, 184],
    "test": [24, 26, 55, 80, 118, 151, 166, 178, 193],
}


def test_the_split_of_a_work_never_changes() -> None:
    splits = {number: split_of(WorkId(f"fi:act:2020/{number}")) for number in range(1, 200)}
    # Written down: a work that changed sides would be trained on and then measured with.
    for split, drawn in HELD_BACK.items():
        assert [number for number, one in splits.items() if one == split] == drawn
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


THINGS = [
    "budget", "licence", "vessel", "school", "pension", "hospital", "forest", "harbour", "archive",
    "election", "mortgage", "patent", "railway", "museum", "fishery", "airport", "dairy", "prison",
    "bridge", "charity",
]  # fmt: skip
ACTS = ["granting", "renewal", "inspection"]


def made_passages(path: Path) -> Path:
    """Sections of two made acts, each on an act with a thing, as `training.passages` writes them."""
    rows = [
        [f"{name} Act", f"{name} Act", f"{act.title()} of a {thing}",
         f"The authority decides on the {act} of a {thing}. A fee is paid for it within a month.", number]
        for name in ("First", "Second")
        for number, (thing, act) in enumerate((thing, act) for thing in THINGS for act in ACTS)
    ]  # fmt: skip
    written = {"language": "en", "passages": rows, "synonyms": {}, "talk": ["I have no idea what to do."]}
    path.write_bytes(lzma.compress(json.dumps(written).encode()))
    return path


@NEEDS_TORCH
def test_from_passages_to_a_reranker(tmp_path: Path) -> None:
    from training.candidates import Reader
    from training.train_reranker import Questions, Recipe, train, weights_of

    rarity = tmp_path / "rarity.npy"
    np.save(rarity, np.full(bundled().table.rows, 5.0, dtype=np.float32))
    sections = [
        f"The authority decides on the {act} of a {thing}. A fee is paid for it within a month."
        for thing in THINGS[:9]
        for act in ACTS
    ]
    written = [
        Written(name_of(text), "en", (("en", text[30:60]), ("fi", "Kuka päättää?"))) for text in sections
    ]
    reader = Reader(made_passages(tmp_path / "en.json.xz"), TABLE_WEIGHTS, rarity, written)
    arrays = reader.questions(60, part=0, parts=1, show=0)
    assert arrays["right"].any(axis=1).all(), "search found the right passage of every question that is kept"
    assert {*np.unique(arrays["kinds"])} <= {0, 1, 2, 3}
    learned = [one for one in written if one.split == "train"]
    assert len(learned) <= (arrays["kinds"] == 3).sum() <= 4 * len(learned), "in the act and in all, each"
    np.savez(tmp_path / "en.npz", **arrays)  # type: ignore[arg-type]
    recipe = Recipe(epochs=12, batch=16, rate=0.01, held=0.1, dropout=0.0, left_out=0.0)
    scorer = train(Questions([tmp_path / "en.npz"], "cpu"), recipe, "cpu")
    learnt = {f"0/{name}": value for name, value in weights_of(scorer).items()}
    np.savez(tmp_path / "reranker.npz", rarity=np.load(rarity), **learnt)  # type: ignore[arg-type]
    reranker = InteractionReranker(tmp_path / "reranker.npz", bundled().table)
    texts = [
        f"First Act › {act.title()} of a {thing}\nThe {act} of a {thing}." for thing in THINGS for act in ACTS
    ]
    scores = reranker.score("renewal of a patent", texts[:30] + texts[33:36])
    assert (
        texts[33:36][int(scores.argmax()) - 30] == "First Act › Renewal of a patent\nThe renewal of a patent."
    )


def test_written_questions_are_of_known_languages_and_one_section_a_line() -> None:
    written = read_written()
    assert len(written) >= 1_000
    assert (
        {one.language for one in written}
        == {code for one in written for code, _ in one.asked}
        == {*LANGUAGES}
    )
    for one in written:
        assert {code for code, _ in one.asked} == {*LANGUAGES}
        assert all(text.strip() == text and 3 <= len(text) <= 250 for _, text in one.asked), one
    held_out = sum(one.split == "development" for one in written)
    assert 0.1 < held_out / len(written) < 0.3


def test_everyday_words_have_a_column_a_language_and_way_of_speaking() -> None:
    lines = EVERYDAY_WORDS.read_text(encoding="utf-8").splitlines()
    assert len(lines) >= 500
    assert all(len([one for one in line.split("|") if one.strip()]) == 2 * len(LANGUAGES) for line in lines)
    pairs = list(word_pairs())
    assert {(one.first_language, one.second_language) for one in pairs} == {
        (one, other) for one in LANGUAGES for other in LANGUAGES
    }


def test_a_written_question_finds_its_section_however_it_is_cut(tmp_path: Path) -> None:
    path = made_passages(tmp_path / "en.json.xz")
    text = "The authority decides on the renewal of a patent.  A fee is paid for it, within a month"
    one = Written(name_of(text), "en", (("fi", "Kuka uusii patentin?"), ("en", "patent again")))
    pairs = list(question_pairs([one, Written("0" * 16, "en", (("en", "nothing"),))], [path]))
    assert [(pair.first, pair.first_language, pair.task) for pair in pairs] == [
        ("Kuka uusii patentin?", "fi", "asked-en"),
        ("patent again", "en", "asked-en"),
    ]
    assert all("Renewal of a patent" in pair.second for pair in pairs)


def test_questions_are_made_of_the_section() -> None:
    section = Section(
        "Fisheries Act", "Fisheries Act", "Fishing licence", "A licence may be suspended by order.", 1
    )
    maker = Maker("en", {}, {"licenc": ["permit"]}, [])
    asked = [maker.ask(section, random.Random(seed)) for seed in range(60)]
    texts = [one.text for one in asked if one is not None]
    assert len(set(texts)) > 20
    assert all(re.search("licence|permit|suspend|order|fish", text, re.IGNORECASE) for text in texts)
    assert any("permit" in text for text in texts)


def test_synonyms_go_there_and_back() -> None:
    rows = [
        ["talousarvio", "fi", "budget", "en"],
        ["budget", "en", "budjetti", "fi"],
        ["koira", "fi", "dog", "en"],
    ]
    assert synonyms(rows, "fi") == {"talousarvio": ["budjetti"], "budjetti": ["talousarvio"]}


def test_lists_under_the_gpl_are_left_out() -> None:
    runs = [
        "fi-en", "en-fi", "fi-sv", "sv-fi", "fi-fr", "fr-fi", "sv-en", "en-sv", "fr-en", "en-fr",
        "fi-en", "fi-sv", "fr-en", "fi-en",
    ]  # fmt: skip
    rows = [[*run.split("-"), f"run {at}", "word"] for at, run in enumerate(runs) for _ in range(2)]
    kept = {row[2] for row in without_copyleft_lists(rows)}
    assert kept == {"run 0", "run 1", "run 2", "run 3", "run 4", "run 5", "run 13"}
