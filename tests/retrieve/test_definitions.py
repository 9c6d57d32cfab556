from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from making import bundle, cites, document
from plain_pack import pack
from pykala.law.bundles import Bundle
from pykala.law.grades import ANSWERED_FROM, LIKELY_FROM
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import DefinedTerm, Provision, ProvisionKind, Version
from pykala.retrieve.definitions import defines_another, definition_asked
from pykala.retrieve.question import understand
from pykala.retrieve.wording import term_without_owner
from pykala.stores.embedded.store import EmbeddedStore

TODAY = date(2026, 1, 1)
TERM = "foreign national"


def defining(
    identifier: str,
    path: str,
    scope: str = "",
    *,
    within: str = "",
    title: str = "",
    citing: Sequence[str] = (),
) -> Bundle:
    """A work that defines the term at `path`, its section perhaps within a part, and cites other places."""
    work = WorkId(identifier)
    here = ProvisionId.parse(f"{identifier}/{path}/def_foreign-national")
    kinds = {"sec": ProvisionKind.SECTION, "subsec": ProvisionKind.SUBSECTION}
    node = Provision(
        here, ProvisionKind.DEFINITION, "", (Version(f"{TERM} means a person of {identifier}."),)
    )
    for depth in range(len(here.path) - 1, 0, -1):
        above = ProvisionId(work, here.path[:depth])
        node = Provision(above, kinds[above.path[-1].kind], "", (Version("In this place,"),), (node,))
    if within:
        part = ProvisionId.parse(f"{identifier}/{within}")
        node = Provision(part, ProvisionKind.PART, "PART", (Version("", heading="A part"),), (node,))
    made = document(work, "en", [node], title or f"Act {identifier[-1]}")
    defined = DefinedTerm(
        TERM, "en", here, ProvisionId.parse(f"{identifier}/{scope}" if scope else identifier)
    )
    references = [cites(here, ProvisionId.parse(target)) for target in citing]
    return bundle(work, [replace(made, terms=(defined,))], references=references)


@pytest.mark.parametrize(
    ("bundles", "home"),
    [
        # The interpretation section speaks for its act, though its list is "in this subsection".
        (
            [
                defining("xx:act:1", "sec_2/subsec_1", "sec_2/subsec_1"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_2/subsec_1"]),
            ],
            "xx:act:1",
        ),
        # A section deep in an act, or the first of a part, speaks for itself, however often it is cited.
        (
            [
                defining("xx:act:1", "sec_35", "sec_35"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_35"]),
            ],
            "xx:act:2",
        ),
        (
            [
                defining("xx:act:1", "sec_3", "sec_3", within="part_1"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_3"]),
            ],
            "xx:act:2",
        ),
        # Among equals the one that others refer to, then the one whose name has the term.
        (
            [
                defining("xx:act:1", "sec_2", title="Foreign Nationals Act", citing=["xx:act:2/sec_2"]),
                defining("xx:act:2", "sec_2"),
            ],
            "xx:act:2",
        ),
        (
            [defining("xx:act:1", "sec_2", title="Foreign Nationals Act"), defining("xx:act:2", "sec_2")],
            "xx:act:1",
        ),
    ],
)
def test_the_definition_that_is_asked_for(tmp_path: Path, bundles: list[Bundle], home: str) -> None:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        for one in bundles:
            store.put(one)
        question = understand(f"What is a {TERM}?", store, {"xx": pack}, as_of=TODAY)
        found = definition_asked(question, store, [WorkId("xx:act:2")])
    assert found is not None
    assert str(found.provision.work) == home


def test_a_definition_that_only_points_elsewhere_is_followed_to_its_words(tmp_path: Path) -> None:
    pointing, words = WorkId("xx:act:1"), ProvisionId.parse("xx:act:2/sec_5")
    here = ProvisionId.parse("xx:act:1/sec_2")
    text = f"{TERM} has the same meaning as in section 5 of the other Act."
    first = document(pointing, "en", [Provision(here, ProvisionKind.SECTION, "2", (Version(text),))], "Act 1")
    second = document(
        words.work,
        "en",
        [Provision(words, ProvisionKind.SECTION, "5", (Version("A person from abroad is foreign."),))],
        "Act 2",
    )
    term = DefinedTerm(TERM, "en", here, ProvisionId(pointing))
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(pointing, [replace(first, terms=(term,))], references=[cites(here, words)]))
        store.put(bundle(words.work, [second]))
        question = understand(f"What is a {TERM}?", store, {"xx": pack}, as_of=TODAY)
        found = definition_asked(question, store, [])
    assert found is not None
    assert found.provision == words
    assert [(one.source, one.kind.value, one.target) for one in found.through] == [
        (here, "defined_in", words)
    ]


@pytest.mark.parametrize(
    ("bundles", "share", "rivals"),
    [
        ([defining("xx:act:1", "sec_2")], 1.0, ()),
        # Two acts define it, neither is referred to, and the search found neither.
        ([defining("xx:act:1", "sec_2"), defining("xx:act:2", "sec_2")], 0.5, ("xx:act:2",)),
        # Two of three acts refer to the first, and none to the second: two and itself, of four in all.
        (
            [
                defining("xx:act:1", "sec_2"),
                defining("xx:act:2", "sec_2", citing=["xx:act:1/sec_2"]),
                defining("xx:act:3", "sec_35", "sec_35", citing=["xx:act:1/sec_2"]),
            ],
            0.75,
            ("xx:act:2",),
        ),
    ],
)
def test_a_term_that_several_acts_define_is_no_sure_answer(
    tmp_path: Path, bundles: list[Bundle], share: float, rivals: tuple[str, ...]
) -> None:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        for one in bundles:
            store.put(one)
        question = understand(f"What is a {TERM}?", store, {"xx": pack}, as_of=TODAY)
        found = definition_asked(question, store, [])
    assert found is not None
    assert found.share == pytest.approx(share)
    assert (found.grade >= ANSWERED_FROM) is (share == 1.0)
    assert found.grade >= LIKELY_FROM, "it is quoted: it is one of them"
    assert tuple(str(one.work) for one in found.rivals) == rivals


def test_words_of_its_own_come_before_a_pointer_to_what_is_not_held(tmp_path: Path) -> None:
    pointing, here = WorkId("xx:act:1"), ProvisionId.parse("xx:act:1/sec_2")
    text = f"{TERM} has the same meaning as in section 5 of an Act that is not held."
    first = document(
        pointing, "en", [Provision(here, ProvisionKind.DEFINITION, "2", (Version(text),))], "Act 1"
    )
    term = DefinedTerm(TERM, "en", here, ProvisionId(pointing))
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(pointing, [replace(first, terms=(term,))]))
        question = understand(f"What is a {TERM}?", store, {"xx": pack}, as_of=TODAY)
        alone = definition_asked(question, store, [pointing])
        assert alone is not None
        assert (alone.provision, alone.grade) == (here, LIKELY_FROM), "it says where to look, and no more"
        store.put(defining("xx:act:2", "sec_2"))
        found = definition_asked(question, store, [pointing])
    assert found is not None
    assert str(found.provision.work) == "xx:act:2"


@pytest.mark.parametrize(
    ("text", "home"),
    [
        (f"Who is the {TERM} of a company?", "xx:act:1"),
        (f"What is meant by {TERM} in the fleet?", "xx:act:1"),
        # One word alone says too little, and a figure is no meaning.
        ("Who is the national of a company?", ""),
        (f"How much is a {TERM} of the fleet?", ""),
    ],
)
def test_a_term_is_found_without_whose_it_is(tmp_path: Path, text: str, home: str) -> None:
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(defining("xx:act:1", "sec_2"))
        found = definition_asked(understand(text, store, {"xx": pack}, as_of=TODAY), store, [])
    assert (str(found.provision.work) if found is not None else "") == home


@pytest.mark.parametrize(
    ("term", "language", "owned"),
    [
        ("beneficial owner of a company", "en", "beneficial owner"),
        ("beneficial owner", "en", ""),
        ("auditor of a municipality", "en", ""),
        ("bénéficiaire effectif d'une société", "fr", "bénéficiaire effectif"),
        ("verklig huvudman i ett bolag", "sv", "verklig huvudman"),
        ("yhtiön tosiasiallinen edunsaaja", "fi", ""),
    ],
)
def test_whose_a_term_is_is_no_part_of_it(term: str, language: str, owned: str) -> None:
    assert term_without_owner(term, language) == owned


@pytest.mark.parametrize(
    ("text", "said", "another"),
    [
        ("What does 'taxable foreign property' mean?", "taxable property means land; (bien)", True),
        ("What does 'taxable property' mean?", "taxable property means land; (bien)", False),
        ("What are taxable properties?", "in relation to land, taxable property means a field", False),
        # Who asks for something else than a meaning may find it in a definition.
        (
            "How large must a taxable foreign property be?",
            "taxable property means land over two acres",
            False,
        ),
    ],
)
def test_a_definition_of_another_term_is_no_answer(
    tmp_path: Path, text: str, said: str, *, another: bool
) -> None:
    here = ProvisionId.parse("xx:act:1/sec_2/def_taxable-property")
    provision = Provision(here, ProvisionKind.DEFINITION, "", (Version(said),))
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        question = understand(text, store, {"xx": pack}, as_of=TODAY)
    assert defines_another(question, provision, "en") is another
    section = Provision(here.parent, ProvisionKind.SECTION, "2", (Version(said),))
    assert not defines_another(question, section, "en")
    assert not defines_another(question, provision, "fr")


@pytest.mark.parametrize(
    ("cited", "authority", "home"),
    [
        ("xx:act:1/sec_2", 95, "xx:act:7"),
        ("xx:act:1", 95, "xx:act:1"),  # it cites the act, and may define the term for itself
        ("xx:act:1/sec_2", 100, "xx:act:1"),  # what an act says is no regulation
    ],
)
def test_what_is_defined_in_the_regulations_is_read_there(
    tmp_path: Path, cited: str, authority: int, home: str
) -> None:
    pointing, regulation = WorkId("xx:act:1"), WorkId("xx:act:7")
    here, words = ProvisionId.parse("xx:act:1/sec_2"), ProvisionId.parse("xx:act:7/sec_4")
    text = f"{TERM} means a {TERM} as defined in the regulations."
    first = document(pointing, "en", [Provision(here, ProvisionKind.SECTION, "2", (Version(text),))], "Act 1")
    said = f"For the purpose of section 2 of the Act, {TERM} means a person from abroad."
    second = document(
        regulation, "en", [Provision(words, ProvisionKind.SECTION, "4", (Version(said),))], "Regulation"
    )
    terms = [DefinedTerm(TERM, "en", one, ProvisionId(one.work)) for one in (here, words)]
    with EmbeddedStore.open(tmp_path, writable=True) as store:
        store.put(bundle(pointing, [replace(first, terms=(terms[0],))]))
        made = bundle(
            regulation,
            [replace(second, terms=(terms[1],))],
            references=[cites(words, ProvisionId.parse(cited))],
        )
        store.put(replace(made, work=replace(made.work, authority=authority)))
        question = understand(f"What is a {TERM} under Act 1?", store, {"xx": pack}, as_of=TODAY)
        question = replace(question, cited=(ProvisionId(pointing),))
        found = definition_asked(question, store, [pointing])
    assert found is not None
    assert str(found.provision.work) == home
    assert found.unheld is (home == "xx:act:1")
