"""Links of the documentation: inside the repository to a heading, elsewhere only to hosts that we name."""

from __future__ import annotations

from pathlib import Path

import pytest

from docsite.links import addresses, fault_of, faults_elsewhere, faults_inside, headings, pages
from docsite.pages import ROOT

TEXTS = {page: (ROOT / page).read_text("utf-8") for page in pages()}


def test_addresses_elsewhere_are_of_hosts_that_we_name() -> None:
    assert sum(1 for text in TEXTS.values() for _ in addresses(text)) > 15
    assert faults_elsewhere(TEXTS) == []


@pytest.mark.parametrize("page", [*TEXTS, "deploy/kubernetes/kustomization.yaml"])
def test_links_inside_the_repository_lead_to_a_file_and_a_heading(page: str) -> None:
    assert faults_inside(page, (ROOT / page).read_text("utf-8")) == []


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("https://www.finlex.fi/en/legislation", ""),
        ("http://127.0.0.1:8765/api", ""),
        ("https://login.example", ""),
        ("http://qdrant-0:6333", ""),
        ("http://www.finlex.fi/en", "not encrypted"),
        ("https://finlex.evil.com/x", "no page may lead to finlex.evil.com"),
        ("https://me:secret@www.finlex.fi/", "names a user"),
        ("https://www.finlex.fi:99999/", "is no address"),
    ],
)
def test_a_wrong_address_is_found(address: str, says: str) -> None:
    found = fault_of(address)
    assert (says in found) if says else not found


def test_an_address_ends_where_the_sentence_goes_on() -> None:
    text = "See (https://a.example/x_(y)), `https://b.example/z`, <https://c.example>. https://d.example/{id}"
    assert list(addresses(text)) == ["https://a.example/x_(y)", "https://b.example/z", "https://c.example"]


def test_a_link_to_a_missing_file_or_heading_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# One `code` heading!\n\n## Twice\n\n## Twice\n", "utf-8")
    assert headings(tmp_path / "a.md") == {"one-code-heading", "twice", "twice-1"}
    text = (
        "[x](a.md) [x](a.md#twice-1) [x](b.md) [x](a.md#gone) [x](https://x.example) [x](../reference/c.md)"
    )
    assert faults_inside("p.md", text, tmp_path) == [
        "p.md: b.md leads nowhere",
        "p.md: a.md#gone: the page has no such heading",
    ]
