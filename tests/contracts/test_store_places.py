"""More of the contract of every store: places without words, items that move, translations that lag."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from making import bundle, cites, document, section, simple, since
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Provision, ProvisionKind, Version
from pykala.law.references import EdgeKind
from pykala.law.validity import Validity
from pykala.stores.store import NotInForce, WritableStore

WORK = WorkId("xx:act:5")


def at(path: str) -> ProvisionId:
    return ProvisionId.parse(f"{WORK}/{path}")


def chapter(*sections: Provision, versions: tuple[Version, ...] = ()) -> Provision:
    """A chapter whose sections are numbered through: their identifiers do not name it."""
    return Provision(at("chp_1"), ProvisionKind.CHAPTER, "Chapter 1", versions, sections)


def test_an_item_that_gives_another_work_no_longer_gives_the_first(store: WritableStore) -> None:
    store.put(simple("xx:act:1", "A tax on horses."))
    store.put(replace(simple("xx:act:9", "A tax on horses."), item="xx:act:1"))
    assert [str(work.id) for work in store.works()] == ["xx:act:9"]
    assert store.items() == {"xx:act:1": WorkId("xx:act:9")}


def test_items_may_exchange_their_works(store: WritableStore) -> None:
    store.put(simple("xx:act:1", "Of horses."))
    store.put(simple("xx:act:2", "Of carts."))
    store.put(replace(simple("xx:act:2", "Of horses.", edition="2"), item="xx:act:1"))
    store.put(replace(simple("xx:act:1", "Of carts.", edition="2"), item="xx:act:2"))
    assert store.items() == {"xx:act:1": WorkId("xx:act:2"), "xx:act:2": WorkId("xx:act:1")}


def test_what_leads_nowhere_is_seen_from_all_that_holds_it(store: WritableStore) -> None:
    held = document(WORK, "en", [chapter(section(WORK, "1", "Own.", "Below."))])
    store.put(
        bundle(WORK, [held], references=[cites(at("sec_1/subsec_1"), ProvisionId(WorkId("xx:act:77")))])
    )
    for place in (ProvisionId(WORK), at("chp_1"), at("sec_1"), at("sec_1/subsec_1")):
        seen = store.unresolved([place])
        assert [str(one.source) for one in seen] == [str(at("sec_1/subsec_1"))], place


def test_a_place_without_words_stands_while_something_is_below_it(store: WritableStore) -> None:
    put = document(WORK, "en", [chapter(section(WORK, "1", "Text.", validity=since(2000, 2010)))])
    store.put(bundle(WORK, [put]))
    assert store.document(WORK, "en") == put
    assert store.history(at("chp_1")) == ()
    assert len(store.provision(at("chp_1"), as_of=date(2005, 1, 1)).provision.children) == 1
    with pytest.raises(NotInForce):
        store.provision(at("chp_1"), as_of=date(2015, 1, 1))


def test_what_is_not_held_has_no_edges_of_any_kind(store: WritableStore) -> None:
    for kinds in (None, [EdgeKind.PARENT_OF]):
        assert store.edges([at("sec_1")], kinds=kinds) == ()


def test_the_authentic_text_says_what_was_in_force_where_a_translation_does_not(store: WritableStore) -> None:
    chain = (Version("Vanha.", since(2000, 2010)), Version("Uusi.", since(2010)))
    finnish = document(WORK, "fi", [section(WORK, "1", versions=chain)])
    english = document(WORK, "en", [section(WORK, "1", versions=[Version("New.", since(2010))])])
    store.put(bundle(WORK, [finnish, replace(english, translation=True)]))
    for day, text in ((date(2005, 1, 1), "Vanha."), (date(2015, 1, 1), "New.")):
        assert store.provision(at("sec_1"), as_of=day, language="en").version.text == text
    with pytest.raises(NotInForce):
        store.provision(at("sec_1"), as_of=date(1999, 1, 1), language="en")


def _parts(store: WritableStore) -> list[str]:
    return [child.versions[0].text for child in store.provision(at("sec_1")).provision.children]


def test_the_newest_wording_holds_nothing_that_ended_before_it(store: WritableStore) -> None:
    parts = {"ended early": since(2000, 2005), "ended late": since(2000, 2010), "stands": since(2000)}

    def made(own: Validity) -> Provision:
        below = [
            Provision(at(f"sec_1/subsec_{n}"), ProvisionKind.SUBSECTION, f"({n})", (Version(text, validity),))
            for n, (text, validity) in enumerate(parts.items())
        ]
        return replace(section(WORK, "1", "Own.", validity=own), children=tuple(below))

    store.put(bundle(WORK, [document(WORK, "en", [made(since(2000))])]))
    assert _parts(store) == ["stands"]
    store.put(bundle(WORK, [document(WORK, "en", [made(since(2000, 2010))])]))
    assert _parts(store) == ["ended late", "stands"]


def test_a_source_s_own_name_of_a_provision_leads_to_it_until_the_work_goes(store: WritableStore) -> None:
    names = (("5/2015:fin@20230780:1:1", at("sec_1")), ("5/2015:fin@20230780:9:9", at("sec_9")))
    text = document(WORK, "fi", [section(WORK, "1", "Vero on maksettava.")])
    store.put(replace(bundle(WORK, [replace(text, places=names)]), paths=("a.jsonl", "b.xml")))
    assert store.places("5/2015:FIN@20230780:1:1") == (at("sec_1"),)
    assert store.places("5/2015:fin@20230780:9:9") == ()  # a name of nothing that is held
    assert store.sources() == {str(WORK): ("a.jsonl", "b.xml")}
    store.delete(WORK)
    assert (store.places("5/2015:fin@20230780:1:1"), store.sources()) == ((), {})
