"""The contract of a pack: over every installed one, and over one that `pykala packs new` has written."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from importlib import import_module
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from plain_pack import PlainPack
from pykala.fetch.mirror import open_mirror
from pykala.law.citations import CitationContext, FoundCitation
from pykala.law.identifiers import ProvisionId
from pykala.law.messages import Message
from pykala.law.provisions import Work
from pykala.packs.checking import faults
from pykala.packs.new_pack import write_pack
from pykala.packs.pack import Pack, PackFacts, Reading, SourceItem, installed

NEW = "newland"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A pack as it comes from the template, importable as if it were installed."""
    folder = tmp_path_factory.mktemp("packs") / "pykala-newland"
    write_pack(NEW, folder)
    sys.path.insert(0, str(folder / "src"))
    yield folder
    sys.path.remove(str(folder / "src"))
    for module in [name for name in sys.modules if name.partition(".")[0] == "pykala_newland"]:
        del sys.modules[module]


@pytest.mark.parametrize("code", [*installed(), NEW])
def test_a_pack_keeps_the_contract(code: str, written: Path) -> None:
    pack: Pack = import_module("pykala_newland").pack if code == NEW else installed()[code]
    sample = files(pack.facts.package).joinpath("sample")
    if not sample.is_dir():
        pytest.skip(f"the pack {code} has no sample: it reads what a user adds")
    with as_file(sample) as folder, open_mirror(folder) as source:
        assert faults(pack, source) == ()


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("Sweden", {}, "small letters"),
        ("../sweden", {}, "small letters"),
        ("sweden", {"code": "SE"}, "two to eight"),
        ("sweden", {"code": "fi"}, "belongs to an installed pack"),
        ("sweden", {"language": "Swedish"}, "ISO code"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    tmp_path: Path, name: str, more: dict[str, str], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        write_pack(name, tmp_path / "new", **more)
    assert not (tmp_path / "new").exists()


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="not empty"):
        write_pack(NEW, tmp_path)
    assert [one.name for one in tmp_path.iterdir()] == ["mine.txt"]


DOUBTS: dict[str, Message] = {
    "sentence": "page 12 is missing",  # type: ignore[dict-item]  # as a pack of before gives it
    "phrase": Message.of("xx.page_missing", page="12"),
    "value": Message.of("finding.record_ends", end=date(2020, 1, 1)),
}


class Faulty(PlainPack):
    """A pack with one fault at a time."""

    def __init__(self, fault: str) -> None:
        self.fault = fault

    @property
    def facts(self) -> PackFacts:  # type: ignore[override]
        changed: dict[str, dict[str, object]] = {
            "language": {"default_language": "sv"},
            "rank": {"authority": {"act": 10}},
            "reason": {"authority_reasons": {}},
            "decision": {"decisions": ("(?:KKO",)},
        }
        return replace(PlainPack.facts, **changed.get(self.fault, {}))  # type: ignore[arg-type]

    def works(self, paths: object) -> Iterator[SourceItem]:
        items = list(super().works(paths))  # type: ignore[arg-type]
        return iter(items * 2 if self.fault == "twice" else items)

    def read(self, item: SourceItem, snapshots: object) -> Reading:
        if self.fault == "raises" and not snapshots[0].data.startswith(b"Title"):  # type: ignore[index]
            raise KeyError("title")
        reading = super().read(item, snapshots)  # type: ignore[arg-type]
        if self.fault == "foreign" and reading.work is not None:
            return replace(reading, documents=(replace(reading.documents[0], language="sv"),))
        if self.fault in DOUBTS:
            (document,) = reading.documents
            root = document.root.with_versions(lambda version: version.doubted(DOUBTS[self.fault]))
            return replace(reading, documents=(replace(document, root=root),))
        return reading

    def find_citations(self, text: str, context: CitationContext) -> list[FoundCitation]:
        found = list(super().find_citations(text, context))
        return [replace(one, start=one.start + 1) for one in found] if self.fault == "span" else found

    def cite(self, provision: ProvisionId, work: Work, language: str) -> str:
        return "" if self.fault == "silent" else super().cite(provision, work, language)


FAULTS = {
    "": "",
    "language": "default_language 'sv'",
    "rank": "ranks at 10",
    "reason": "gives no reason",
    "decision": "'(?:KKO' under decisions or courts is no pattern",
    "twice": "two items have one name",
    "raises": "KeyError",
    "foreign": "a document is in 'sv'",
    "span": "does not stand where it says",
    "silent": "has no citation",
    "sentence": "'page 12 is missing' is no Message",
    "phrase": "'xx.page_missing' has no phrase",
    "value": "'finding.record_ends' has no phrase that its values fill",
}


@pytest.mark.parametrize(("fault", "said"), FAULTS.items())
def test_a_fault_is_named(tmp_path: Path, fault: str, said: str) -> None:
    (tmp_path / "1.txt").write_text("Title\nHorses are taxed, see § 2.\nCows are free.\n")
    with open_mirror(tmp_path) as source:
        found = faults(Faulty(fault), source)
    assert (not found) if not fault else any(said in one for one in found), found
