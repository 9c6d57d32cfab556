"""How acts of the Union end: repealed by another act, or by a day that they name themselves."""

# ruff: noqa: E501 - a case reads better on one line

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from pykala.fetch.mirror import open_mirror
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.law.provisions import Event, Provision, ProvisionKind, Version
from pykala.law.validity import Validity
from pykala.packs.eu import pack
from pykala.packs.eu.expiry import expiries_of, with_expiries
from pykala.packs.eu.repeals import KNOWN, Happening, repeals_in
from pykala.packs.eu.survey import ending_of
from pykala.packs.pack import Snapshot, SourceItem

OWN_DAY = date(2001, 2, 3)
WORK = ProvisionId.parse("eu:32030R9999")


ENTRY = date(2000, 12, 24)
ANOTHERS = WorkId("eu:32020L0001")


def repealed(words: str, language: str = "en") -> dict[str, str]:
    def day_of(event: Happening, act: WorkId | None) -> date | None:
        if act is not None:
            return date(2021, 5, 6) if (act, event) == (ANOTHERS, Happening.ENTRY) else None
        return OWN_DAY if event is Happening.APPLICATION else ENTRY

    return {
        f"{one.work}{''.join(f' {x}' for x in one.only)}{''.join(f' -{x}' for x in one.but)}": str(one.day)
        for one in repeals_in(words, day_of, language)
    }


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Directive 95/46/EC is repealed with effect from 25 May 2018.", {"eu:31995L0046": "2018-05-25"}),
        (
            "1. Directive 85/577/EEC and Directive 97/7/EC, as amended by Directive 2002/65/EC, are repealed"
            " as of 13 June 2014.",
            {"eu:31985L0577": "2014-06-13", "eu:31997L0007": "2014-06-13"},
        ),
        (
            "Regulations (EC) No 78/2009, (EC) No 79/2009 and (EU) 2015/166 are repealed with effect from the"
            " date of application of this Regulation.",
            {"eu:32009R0078": "2001-02-03", "eu:32009R0079": "2001-02-03", "eu:32015R0166": "2001-02-03"},
        ),
        ("Regulation (EC) No 1777/2005 is hereby repealed.", {"eu:32005R1777": "2001-02-03"}),
        (
            "Regulation (EC) No 1777/2005 is repealed with effect from the date of entry into force of this"
            " Regulation.",
            {"eu:32005R1777": "2000-12-24"},
        ),
        (
            "Regulation (EC) No 1777/2005 is repealed from the day on which this Regulation applies.",
            {"eu:32005R1777": "2001-02-03"},
        ),
        (
            "Regulation (EC) No 1777/2005 is repealed on the day on which Directive (EU) 2020/1 enters into"
            " force.",
            {"eu:32005R1777": "2021-05-06"},
        ),
        (
            "Regulation (EC) No 1777/2005 is repealed from the date of application of Directive (EU) 2020/1.",
            {},
        ),
        (
            "Directive 85/362/EEC shall cease to have effect on 31 December 1992;",
            {"eu:31985L0362": "1993-01-01"},
        ),
        (
            "Article 6 of Directive 69/169/EEC shall be repealed as from 1 January 1993.",
            {"eu:31969L0169 art_6": "1993-01-01"},
        ),
        (
            "Articles 3 to 9 and Annex II of Directive 69/169/EEC are repealed from 1 January 1993 and Articles"
            " 10 and 11a of Directive 69/169/EEC are repealed from 1 July 1994.",
            {
                "eu:31969L0169 art_3..art_9 anx_II": "1993-01-01",
                "eu:31969L0169 art_10 art_11a": "1994-07-01",
            },
        ),
        (
            "Article 3(2) of Directive 69/169/EEC is repealed with effect from 1 January 1993.",
            {"eu:31969L0169 art_3/para_2": "1993-01-01"},
        ),
        ("The first sentence of Article 6 of Directive 69/169/EEC is deleted.", {}),
        ("Point (a) of Article 6 of Directive 69/169/EEC is repealed as from 1 January 1993.", {}),
        (
            "Regulation (EC) No 1393/2007 shall be repealed, with the exception of Articles 4 and 6.",
            {"eu:32007R1393 -art_4 -art_6": "2001-02-03"},
        ),
        (
            "Regulation (EC) No 1393/2007 shall be repealed as from the date of application of this Regulation,"
            " with the exception of Articles 4 and 6 of Regulation (EC) No 1393/2007, which shall be repealed"
            " as from the date of application of Articles 5, 8 and 10 referred to in Article 37 of this"
            " Regulation.",
            {"eu:32007R1393 -art_4 -art_6": "2001-02-03"},
        ),
        (
            "Directive 90/1/EEC is repealed with effect from 6 July 2016, except for Articles 4 to 7 thereof,"
            " which are repealed with effect from 1 January 2018.",
            {"eu:31990L0001 -art_4..art_7": "2016-07-06", "eu:31990L0001 art_4..art_7": "2018-01-01"},
        ),
        (
            "Directive 90/1/EEC, with the exception of Article 4, is repealed with effect from 6 July 2016.",
            {"eu:31990L0001 -art_4": "2016-07-06"},
        ),
        ("Directive 90/1/EEC is repealed, except in so far as it concerns hats.", {}),
        ("Directive 90/1/EEC is repealed from 6 July 2016, with the exception of its obligations.", {}),
        ("Directive 77/799/EEC should therefore be repealed.", {}),
        ("Directive 67/228/EEC shall cease to have effect in each Member State as from its own day.", {}),
        (
            "Directive 77/388/EEC is repealed. ANNEX XI PART A Repealed Directives with their successive"
            " amendments Directive 77/388/EEC (OJ L 145, 13.6.1977, p. 1) Directive 78/583/EEC (OJ L 194,"
            " 19.7.1978, p. 16) Directive 91/680/EEC (OJ L 376, 31.12.1991, p. 1) — (except for Article 2)"
            " PART B Time limits Directive 2000/1/EC",
            {"eu:31977L0388": "2001-02-03", "eu:31978L0583": "2001-02-03"},
        ),
    ],
)
def test_the_acts_that_an_act_repeals(words: str, expected: dict[str, str]) -> None:
    assert repealed(words) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "La directive 77/799/CEE est abrogée avec effet au 1 er janvier 2013.",
            {"eu:31977L0799": "2013-01-01"},
        ),
        (
            "Les directives 2005/60/CE et 2006/70/CE sont abrogées avec effet au 26 juin 2017.",
            {"eu:32005L0060": "2017-06-26", "eu:32006L0070": "2017-06-26"},
        ),
        (
            "La directive 2003/6/CE et les directives 2004/72/CE et 2003/124/CE de la Commission et le règlement"
            " (CE) n o 2273/2003 de la Commission sont abrogés avec effet au 3 juillet 2016.",
            {
                "eu:32003L0006": "2016-07-03",
                "eu:32004L0072": "2016-07-03",
                "eu:32003L0124": "2016-07-03",
                "eu:32003R2273": "2016-07-03",
            },
        ),
        (
            "1. Sous réserve de l’article 100, paragraphe 2, du présent règlement, le règlement (CE) n o"
            " 2201/2003 est abrogé à compter du 1 er août 2022.",
            {"eu:32003R2201": "2022-08-01"},
        ),
        ("Le règlement (CE) n o 1777/2005 est abrogé.", {"eu:32005R1777": "2001-02-03"}),
        (
            "Le règlement d’exécution (UE) n o 1030/2014 est abrogé à la date d’entrée en vigueur du présent"
            " règlement.",
            {"eu:32014R1030": "2000-12-24"},
        ),
        (
            "Le règlement (CE) n o 1393/2007 est abrogé à partir de la date d’application du présent règlement,"
            " à l’exception des articles 4 et 6 du règlement (CE) n o 1393/2007, qui sont abrogés à partir de"
            " la date d’application des articles 5, 8 et 10.",
            {"eu:32007R1393 -art_4 -art_6": "2001-02-03"},
        ),
        (
            "La directive 90/1/CEE est abrogée avec effet au 6 juillet 2016, à l’exception de l’article 4, qui"
            " est abrogé avec effet au 1er janvier 2018.",
            {"eu:31990L0001 -art_4": "2016-07-06", "eu:31990L0001 art_4": "2018-01-01"},
        ),
        (
            "Les articles 3 à 9 de la directive 90/1/CEE sont abrogés à compter du 1er janvier 1993.",
            {"eu:31990L0001 art_3..art_9": "1993-01-01"},
        ),
        (
            "L’article 6 de la directive 90/1/CEE est abrogé à compter du 1er janvier 1993.",
            {"eu:31990L0001 art_6": "1993-01-01"},
        ),
        (
            "La directive 67/227/CEE et la directive 77/388/CEE sont abrogées, sans préjudice des obligations"
            " des États membres.",
            {"eu:31967L0227": "2001-02-03", "eu:31977L0388": "2001-02-03"},
        ),
        (
            "La directive 85/362/CEE cesse de s’appliquer le 31 décembre 1992;",
            {"eu:31985L0362": "1993-01-01"},
        ),
        ("Il convient que la directive 77/799/CEE soit abrogée.", {}),
        ("La directive 90/1/CEE est abrogée dans la mesure où elle concerne les chapeaux.", {}),
    ],
)
def test_the_acts_that_an_act_repeals_in_french(words: str, expected: dict[str, str]) -> None:
    assert repealed(words, "fr") == expected


@pytest.mark.parametrize(
    ("work", "day"),
    [("31985L0577", "2014-06-13"), ("31999L0044", "2022-01-01"), ("32002L0065", "2026-06-19")],
)
def test_acts_whose_repealing_act_is_not_held_end_on_the_day_that_is_known(work: str, day: str) -> None:
    ending = ending_of(SourceItem(f"eu:{work}", ()))
    assert ending is not None
    assert str(ending.day) == day
    assert KNOWN[f"eu:{work}"] is ending


def test_an_act_that_another_of_the_source_repeals_ends_on_its_day(tmp_path: Path) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
    article = '<p class="oj-ti-art">Article {}</p><p class="oj-normal">{}</p>'
    texts = {
        "31990l0001": article.format(1, "Hats shall be labelled with their size."),
        "32000l0002": article.format(1, "Caps are hats.")
        + article.format(2, "Directive 90/1/EEC is repealed.")
        + article.format(3, "This Directive shall enter into force on 1 March 2000."),
    }
    for slug, body in texts.items():
        folder = tmp_path / slug / "versions" / f"{slug[1:5]}-01-01--0123456789abcdef"
        folder.mkdir(parents=True)
        (folder / "en.xml").write_text(page.format(body), "utf-8")
        (folder / "meta.json").write_text(json.dumps({"raw": {"celex": slug.upper()}}), "utf-8")
    with open_mirror(tmp_path) as mirror:
        items = {item.name: item for item in pack.survey(mirror)}
        old = items["eu:31990L0001"]
        files = [mirror.read(path) for path in old.paths]
        reading = pack.read(old, [Snapshot(one.path, one.data, one.sha256) for one in files])
    assert items["eu:32000L0002"].notes == ()
    assert reading.work is not None
    assert reading.work.validity.end == date(2000, 3, 1)
    root = reading.documents[0].root
    assert root.versions[-1].event is Event.REPEALED
    assert str(root.versions[-1].source_act) == "eu:32000L0002"
    assert not any(node.at(date(2000, 3, 1)) for node in root.walk() if node.id.path)


PARTIAL = (
    ("Directive 90/1/EEC, with the exception of Articles 2 and 4, is repealed with effect from 6 July 2016.",
     {"art_2", "art_4"}),
    ("Directive 90/1/EEC is repealed with effect from 6 July 2016, except for Article 3 and Annex I.",
     {"art_3", "anx_I"}),
    ("Articles 2 to 4 of Directive 90/1/EEC are repealed with effect from 6 July 2016.", {"art_1", "anx_I"}),
    ("Annex I to Directive 90/1/EEC is repealed with effect from 6 July 2016.", {"art_1", "art_2", "art_3", "art_4"}),
    ("Directive 90/1/EEC is repealed with effect from 6 July 2016.", set()),
)  # fmt: skip


@pytest.mark.parametrize(("words", "stands"), PARTIAL)
def test_what_a_repeal_in_part_leaves_standing(tmp_path: Path, words: str, stands: set[str]) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
    article = '<p class="oj-ti-art">Article {}</p><p class="oj-normal">{}</p>'
    old = "".join(article.format(n, f"Hats of the kind {n} shall be labelled.") for n in (1, 2, 3, 4))
    texts = {
        "31990l0001": f'{old}<p class="oj-doc-ti">ANNEX I</p><p class="oj-normal">Kinds of hats and of caps.</p>',
        "32000l0002": article.format(1, "Caps are hats.")
        + article.format(2, words)
        + article.format(3, "This Directive shall enter into force on 1 March 2000."),
    }
    for slug, body in texts.items():
        folder = tmp_path / slug / "versions" / f"{slug[1:5]}-01-01--0123456789abcdef"
        folder.mkdir(parents=True)
        (folder / "en.xml").write_text(page.format(body), "utf-8")
        (folder / "meta.json").write_text(json.dumps({"raw": {"celex": slug.upper()}}), "utf-8")
    with open_mirror(tmp_path) as mirror:
        item = next(one for one in pack.survey(mirror) if one.name == "eu:31990L0001")
        files = [mirror.read(path) for path in item.paths]
        reading = pack.read(item, [Snapshot(one.path, one.data, one.sha256) for one in files])
    root = reading.documents[0].root

    def standing(day: date) -> set[str]:
        nodes = (node for node in root.walk() if len(node.id.path) == 1 and node.at(day) is not None)
        return {str(node.id.path[0]) for node in nodes if node.id.path[0].kind in ("art", "anx")}

    assert standing(date(2016, 7, 5)) == {"art_1", "art_2", "art_3", "art_4", "anx_I"}
    assert standing(date(2016, 7, 6)) == stands


@pytest.mark.parametrize(
    ("event", "end"),
    [("date of application", date(2000, 6, 1)), ("date of entry into force", date(2000, 3, 1))],
)
def test_a_repeal_on_an_event_follows_the_article_that_dates_it(
    tmp_path: Path, event: str, end: date
) -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'
    article = '<p class="oj-ti-art">Article {}</p><p class="oj-normal">{}</p>'
    texts = {
        "31990l0001": article.format(1, "Hats shall be labelled with their size."),
        "32000l0002": article.format(1, "Caps are hats.")
        + article.format(2, f"Directive 90/1/EEC is repealed with effect from the {event} of this Directive.")
        + article.format(
            3, "This Directive shall enter into force on 1 March 2000. It shall apply from 1 June 2000."
        ),
    }
    for slug, body in texts.items():
        folder = tmp_path / slug / "versions" / f"{slug[1:5]}-01-01--0123456789abcdef"
        folder.mkdir(parents=True)
        (folder / "en.xml").write_text(page.format(body), "utf-8")
        (folder / "meta.json").write_text(json.dumps({"raw": {"celex": slug.upper()}}), "utf-8")
    with open_mirror(tmp_path) as mirror:
        items = {item.name: item for item in pack.survey(mirror)}
    ending = ending_of(items["eu:31990L0001"])
    assert ending is not None
    assert ending.day == end


def act(*paragraphs: tuple[str, Validity]) -> Provision:
    """One article of numbered paragraphs."""
    article = WORK.child("art", "1")
    below = tuple(
        Provision(article.child("para", str(n)), ProvisionKind.SUBSECTION, f"{n}.", (Version(text, days),))
        for n, (text, days) in enumerate(paragraphs, start=1)
    )
    whole = Validity(date(2020, 1, 1))
    holder = Provision(article, ProvisionKind.ARTICLE, "Article 1", (Version("", whole),), below)
    return Provision(WORK, ProvisionKind.WORK, "", (Version("", whole),), (holder,))


def ends(root: Provision) -> dict[str, str]:
    told = with_expiries(root, expiries_of(root, "en", pack.facts))
    return {
        str(node.id).removeprefix(f"{WORK}/"): str(node.versions[-1].validity.end)
        for node in told.walk()
        if node.versions and node.versions[-1].validity.end
    }


FROM_2020 = Validity(date(2020, 1, 1))


def test_an_article_that_applies_until_a_day_ends_after_it() -> None:
    root = act(
        ("Vaccines are exempt.", FROM_2020), ("This Article shall apply until 31 December 2022.", FROM_2020)
    )
    assert ends(root) == dict.fromkeys(("art_1", "art_1/para_1", "art_1/para_2"), "2023-01-01")


def test_a_paragraph_that_another_names_ends_alone() -> None:
    root = act(("Hats are exempt.", FROM_2020), ("Paragraph 1 shall apply until 30 June 2022.", FROM_2020))
    assert ends(root) == {"art_1/para_1": "2022-07-01"}


def test_a_day_that_was_put_off_in_time_ends_nothing() -> None:
    put_off = Validity(date(2020, 1, 1), date(2022, 1, 1))
    root = act(("Hats are exempt.", FROM_2020), ("Paragraph 1 shall apply until 30 June 2022.", put_off))
    assert "art_1/para_1" not in ends(root)


def test_what_another_act_is_told_ends_nothing_here() -> None:
    words = "In Article 8 of Regulation (EU) No 1407/2013: ‘It shall apply until 31 December 2021’."
    assert ends(act((words, FROM_2020))) == {}
