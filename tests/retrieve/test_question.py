"""What a question is understood to ask."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from making import bundle, document, section
from plain_pack import pack
from pykala.law.identifiers import ProvisionId, WorkId
from pykala.packs.pack import installed
from pykala.retrieve.elsewhere import place_elsewhere
from pykala.retrieve.fuse import reciprocal_ranks
from pykala.retrieve.question import (
    _written_out,
    cited_provisions,
    place_words,
    places_asked,
    understand,
)
from pykala.retrieve.question_forms import asks_for_advice
from pykala.retrieve.wording import figures_wanted, term_asked, without_asking
from pykala.stores.embedded.store import EmbeddedStore

PACKS = {"xx": pack}
TODAY = date(2026, 1, 1)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    work = WorkId("xx:act:7")
    with EmbeddedStore.open(tmp_path_factory.mktemp("library"), writable=True) as opened:
        opened.put(bundle(work, [document(work, "en", [section(work, "1", "A toll.")], "Bridge Act")]))
        yield opened


@pytest.mark.parametrize(
    ("text", "jurisdictions", "cited"),
    [
        ("What is the toll in Plainland?", {"xx"}, []),
        ("What is the toll?", set(), []),
        ("§ 1 of act 7", set(), ["xx:act:7/sec_1"]),
        ("What does § 1 of act 7 say of tolls?", set(), ["xx:act:7/sec_1"]),
        ("xx:act:7/sec_1", set(), ["xx:act:7/sec_1"]),
        ("Bridge Act", set(), ["xx:act:7"]),
    ],
)
def test_jurisdictions_and_citations(
    store: EmbeddedStore, text: str, jurisdictions: set[str], cited: list[str]
) -> None:
    question = understand(text, store, PACKS, as_of=TODAY)
    assert question.filter.jurisdictions == jurisdictions
    assert [str(one) for one in question.cited] == cited


def test_what_the_caller_fixes_is_not_guessed_over(store: EmbeddedStore) -> None:
    question = understand(
        "Mikä on vero Plainland?", store, PACKS, as_of=TODAY, language="sv", jurisdiction="xx"
    )
    assert (question.language, question.filter.jurisdictions) == ("sv", {"xx"})


@pytest.mark.parametrize(
    ("text", "language", "left"),
    [
        ("How many hours do I need to qualify?", "en", "hours qualify?"),
        ("What is capital income?", "en", "capital income?"),
        ("Kuinka monta kuukautta laki koskee?", "fi", "kuukautta laki koskee?"),
        ("Combien d'heures faut-il ?", "fr", "d'heures ?"),
        ("Hur mycket är skatten?", "sv", "är skatten?"),
        ("What?", "en", "What?"),
        ("whatever showing", "en", "whatever showing"),
    ],
)
def test_words_that_only_ask_are_not_searched(text: str, language: str, left: str) -> None:
    assert " ".join(without_asking(text, language).split()) == left


@pytest.mark.parametrize(
    ("text", "wanted", "units"),
    [
        ("How much is the fee?", True, {"euros", "dollars"}),
        ("Mikä on veroprosentti?", True, {"percent"}),
        ("Quel est le taux ?", True, {"percent"}),
        ("Hur länge gäller det?", True, {"days", "months", "years"}),
        ("For how many months may one stay?", True, {"months"}),
        ("Who is a resident?", False, set()),
        ("Mikä on yhteisö?", False, set()),
    ],
)
def test_questions_that_want_a_figure(text: str, wanted: bool, units: set[str]) -> None:
    figures = figures_wanted(text)
    assert (figures.wanted, figures.units) == (wanted, units)


@pytest.mark.parametrize(
    ("text", "language", "wanted", "units"),
    [
        ("How many days may an employer refuse?", "en", True, {"days"}),  # the French "an" is a year
        ("Combien de jours par an ?", "fr", True, {"days", "years", "dollars"}),
        ("Kuinka monta päivää vuosilomaa kertyy?", "fi", True, {"days"}),
        ("Kuinka monta vuotta tappio vähennetään?", "fi", True, {"years"}),
        ("Mikä on valituksen määräaika?", "fi", True, {"days", "months"}),
        ("määräaikaisen vuokrasopimuksen irtisanominen", "fi", False, set()),
    ],
)
def test_the_units_of_a_question_are_those_of_its_own_language(
    text: str, language: str, wanted: bool, units: set[str]
) -> None:
    figures = figures_wanted(text, language)
    assert (figures.wanted, figures.units) == (wanted, units)


@pytest.mark.parametrize(
    ("text", "language", "place"),
    [
        ("What is the tax rate in Germany?", "en", "Germany"),
        ("What is the capital gains tax in the United States?", "en", "United States"),
        ("Is income received from Germany taxed?", "en", ""),
        ("Mikä on verokanta Ruotsissa?", "fi", "Ruotsissa"),
        ("Hur hög är skatten i Sverige?", "sv", "Sverige"),
        ("Quel est le taux aux États-Unis ?", "fr", "États-Unis"),
        ("What is the tax rate in May?", "en", ""),
    ],
)
def test_a_question_about_elsewhere(text: str, language: str, place: str) -> None:
    assert place_elsewhere(text, language) == place


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        ("What does Swedish law say of tolls?", "Swedish law"),
        ("What does Swedish law say of tolls in Plainland?", ""),  # Plainland's law on Swedish things
        ("How much does Sweden charge for a bridge?", "Sweden"),
        ("Is a Swedish car free of tolls?", ""),
    ],
)
def test_another_country_s_law_is_elsewhere_wherever_the_reader_is(
    store: EmbeddedStore, text: str, elsewhere: str
) -> None:
    question = understand(text, store, PACKS, as_of=TODAY, jurisdiction="xx", language="en")
    assert question.elsewhere == elsewhere


@pytest.mark.parametrize(
    ("text", "language", "advice"),
    [
        ("Is it worth setting up a company?", "en", True),
        ("Is it worth setting up a company, and must I register it?", "en", False),  # the law says the second
        ("Is the note worth anything? Is it worth anything in court?", "en", False),
        ("Which is better, a lease or a loan?", "en", True),
        ("What would you recommend?", "en", True),
        ("Should I register before I sell?", "en", False),
        ("What is it worth when a car is taxed?", "en", False),
        ("Kannattaako minun perustaa osakeyhtiö vai toiminimi?", "fi", True),
        ("Kumpi on edullisempi, osamaksu vai laina?", "fi", True),
        ("Kuinka monen osakkaan pitää kannattaa tarkastusta?", "fi", False),
        ("Kannattaako hakeutua alvilliseksi ja mitä ehtoja siihen on?", "fi", False),
        ("Pitääkö kannattavan yrityksen maksaa veroa?", "fi", False),
        ("Lönar det sig att sälja nu?", "sv", True),
        ("Är lönen skattepliktig?", "sv", False),
        ("Vaut-il mieux vendre ou louer ?", "fr", True),
        ("Ai-je intérêt à déclarer plus tôt ?", "fr", True),
        ("Quel intérêt dois-je payer ?", "fr", False),
        ("Est-ce que ça vaut un jugement ?", "fr", False),
        ("Can you advise what the general rate of value added tax is?", "en", False),  # asked politely
        ("Would you advise if a landlord may raise the rent?", "en", False),
        ("Would you advise me to sell now?", "en", True),
        ("Which is better protected, a patent or a trademark?", "en", False),
        ("As a broker, can you recommend your own product?", "en", False),
        ("Hur mycket är det värt i beskattningen?", "sv", False),
        ("Är det värt att sälja?", "sv", True),
        ("Vilket är bäst före-datum enligt lag?", "sv", False),
        ("Is it worth it?", "xx", False),
    ],
)
def test_who_asks_what_is_better_asks_for_advice(text: str, language: str, advice: bool) -> None:
    assert asks_for_advice(text, language) is advice


@pytest.mark.parametrize(
    ("text", "language", "term"),
    [
        ("What is a foreign national?", "en", "foreign national"),
        ("Who is a small supplier?", "en", "small supplier"),
        ("What does capital income mean?", "en", "capital income"),
        ("Qu’est-ce qu’une fourniture taxable ?", "fr", "fourniture taxable"),
        ("Mikä on pääomatulo?", "fi", "pääomatulo"),
        ("Vad avses med kapitalinkomst?", "sv", "kapitalinkomst"),
        ("What is a resident for the purposes of the tax?", "en", "resident"),
        ("What is a resident for income tax purposes?", "en", "resident"),
        ("What is a controller in the GDPR?", "en", "controller"),
        ("What is the penalty for burglary?", "en", "penalty for burglary"),
        ("What is a person in charge?", "en", "person in charge"),
        ("How much is the fee?", "en", ""),
    ],
)
def test_a_question_that_asks_what_a_term_means(text: str, language: str, term: str) -> None:
    assert term_asked(text, language) == term


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ("What is the toll on a wooden bridge in 2019?", "the toll on a wooden bridge ?"),
        ("What is the toll on a wooden bridge for the 2019 tax return?", "the toll on a wooden bridge ?"),
        ("What is the deadline for the 2019 tax return?", "the deadline tax return ?"),
        ("in 2019", "in 2019"),
        ("What does act 282/2011 say?", "act 282/2011 say?"),
    ],
)
def test_a_date_is_not_searched_for(store: EmbeddedStore, text: str, searched: str) -> None:
    for dated in (True, False):
        question = understand(text, store, PACKS, as_of=TODAY, language="en", dated=dated)
        assert " ".join(question.search_text.split()) == searched


def test_a_date_in_the_question_counts_only_where_the_caller_fixed_none(store: EmbeddedStore) -> None:
    text = "What was the toll in 2019?"
    assert understand(text, store, PACKS, as_of=TODAY).as_of == TODAY
    question = understand(text, store, PACKS, as_of=TODAY, dated=False)
    assert (question.as_of, question.filter.as_of) == (date(2019, 12, 31), date(2019, 12, 31))
    assert not understand(
        "How much was the toll in the year 2019?", store, PACKS, as_of=TODAY
    ).figures.units & {"years"}


def test_fusion_rewards_what_both_rankings_have() -> None:
    fused = reciprocal_ranks([["a", "b", "c"], ["b", "d"]])
    assert [item for item, _ in fused] == ["b", "a", "d", "c"]
    assert fused[0][1] == pytest.approx(1 / 62 + 1 / 61)


def test_a_work_that_is_named_only_to_say_where_is_not_cited_itself(store: EmbeddedStore) -> None:
    inner = ProvisionId.parse("eu:32006L0112/art_98/para_2")
    found = cited_provisions("Directive 2006/112/EC, Article 98(2)", store, installed())
    assert found == (inner,)


@pytest.mark.parametrize(
    ("text", "not_held"),
    [
        ("Criminal Code s. 231", "Criminal Code"),
        ("What does section 231 of the Criminal Code say?", "Criminal Code"),
        ("Que dit l’art. 231 du Code criminel?", "Code criminel"),
        ("ETA 165(1)", "Excise Tax Act"),
        ("Mitä sanoo kaupunkilaki 5 §?", "kaupunkilaki"),
        ("What does the Act say about section 5?", ""),
        ("Is theft punished under the Criminal Code?", "Criminal Code"),
        ("Directive 2006/112/EC, Article 98(2)", "VAT Directive"),
        ("R v Jordan, 2016 SCC 27", "2016 SCC 27"),
    ],
)
def test_a_place_in_an_act_that_is_not_held_is_answered_by_no_other(
    store: EmbeddedStore, text: str, not_held: str
) -> None:
    question = understand(text, store, installed(), as_of=TODAY)
    assert (question.not_held.name if question.not_held else "") == not_held
    assert question.is_citation is bool(not_held)


def test_an_act_that_is_only_named_leaves_the_question_to_the_acts_that_are_held(
    store: EmbeddedStore,
) -> None:
    text = "May somebody who was convicted of theft under the Criminal Code ever own a firearm again?"
    question = understand(text, store, installed(), as_of=TODAY)
    assert question.not_held is not None
    assert question.not_held.fetch == 'pykala fetch ca "Criminal Code"'
    assert not question.is_citation


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("AI Act Article 5", "en"),
        ("Directive 2006/112/EC, Article 98(2)", "en"),
        ("article 98, paragraphe 2, de la directive 2006/112/CE", "fr"),
        ("Kuntalaki 110 §", "fi"),
        ("410 § kommunallagen (410/2015)", "sv"),
        # An abbreviation of an act may be of one language only.
        ("LIPR art. 34", "fr"),
        ("art. 28(2)a)(ii) LIPR", "fr"),
        ("RPC art. 44", "fr"),
        ("RIPR 186v)", "fr"),
        ("IRPA s. 34", "en"),
        ("CPP s. 44", "en"),
        ("ISkL 124 §", "sv"),
        ("TVL 124 §", "fi"),
        ("RGPD 33", "fr"),
    ],
)
def test_a_bare_citation_speaks_a_language_that_it_can_be_read_in(
    store: EmbeddedStore, text: str, language: str
) -> None:
    assert understand(text, store, installed(), as_of=TODAY).language == language


@pytest.mark.parametrize(
    ("text", "places", "words"),
    [
        ("What is the tax in Finland?", ("fi",), ("Finland",)),
        ("what is the tax in finland?", ("fi",), ("Finland",)),
        ("Kela turned my claim down", ("fi",), ("kela",)),
        ("La CE règle-t-elle cela ?", ("eu",), ("CE",)),
        ("Est-ce que ce taux est juste ?", (), ()),  # a word that is written like a name in capitals
        ("Finlandia sells vodka", (), ()),  # a name within a word is none
        ("Must Kela ask the RCMP?", (), ("kela", "rcmp")),  # signs of two places tell nothing
        ("Is Finland bound by a law of Canada?", ("ca", "fi"), ("Canada", "Finland")),
    ],
)
def test_the_places_that_a_text_names_or_indicates(
    text: str, places: tuple[str, ...], words: tuple[str, ...]
) -> None:
    packs = installed()
    assert sorted(places_asked(text, packs)) == sorted(places)
    assert {*words} <= {*place_words(text, packs)}
    assert bool(place_words(text, packs)) == bool(words)


def test_abbreviations_of_the_places_asked_are_written_out() -> None:
    packs = installed()
    short, words = next(iter(packs["eu"].facts.synonyms["en"].items()))
    text = f"Is {short} due on {short}ish things?"
    for places in ((), ("eu",), ("fi", "eu")):
        assert _written_out(text, "en", packs, places) == f"Is {words} due on {short}ish things?"
    assert _written_out(text, "en", packs, ("nyc",)) == text


@pytest.mark.parametrize(
    ("text", "place", "language"),
    [
        ("MCTMT", "nyc", "en"),
        ("alternate side parking", "nyc", "en"),
        ("AIPD", None, "fr"),  # spelled out in French only
        ("ERAR", "ca", "fr"),
        ("alv-kanta", None, "fi"),
        ("Kanadan rikoslaki", "ca", "fi"),
    ],
)
def test_the_language_of_a_bare_term(
    store: EmbeddedStore, text: str, place: str | None, language: str
) -> None:
    question = understand(text, store, installed(), as_of=TODAY, jurisdiction=place)
    assert question.language == language


def test_a_bare_term_means_what_its_abbreviation_stands_for(store: EmbeddedStore) -> None:
    packs = installed()
    term = understand("UBT rate", store, packs, as_of=TODAY, language="en")
    assert term.meaning_text == "unincorporated business tax rate"
    known = understand("EI waiting period", store, packs, as_of=TODAY, language="en")
    assert known.meaning_text == "EI waiting period"  # people's own words, as known questions have them
    told = understand("When is my UBT due this year?", store, packs, as_of=TODAY, language="en")
    assert "UBT" in told.meaning_text


@pytest.mark.parametrize(
    ("text", "unknown", "fetch"),
    [
        ("XYZA s. 30", True, ""),  # any pack may read it: none knows where it is from
        ("RCMP, XYZA s. 30", True, 'pykala fetch ca "XYZA"'),
        ("XYZL 30 §, Verohallinto", True, 'pykala fetch fi "XYZL"'),
        ("section 231 of the Railway Act", False, 'pykala fetch ca "Railway Act"'),
    ],
)
def test_what_is_fetched_is_of_the_place_that_is_meant(
    store: EmbeddedStore, text: str, unknown: bool, fetch: str
) -> None:
    lacking = understand(text, store, installed(), as_of=TODAY).not_held
    assert lacking is not None
    assert (lacking.unknown, lacking.fetch) == (unknown, fetch)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("joint controllers", "en"),  # its letters look French, and only English law has both words
        ("voucher", "en"),
        ("solar abatement", "en"),  # "-ement" is an ending of French
        ("bons pour achats", "fr"),
        ("abattement solaire", "fr"),
        ("responsables conjoints", "fr"),
        ("surtaxe", "fr"),  # no law has the word
    ],
)
def test_a_bare_term_that_looks_foreign_is_of_the_language_whose_law_has_its_words(
    tmp_path: Path, text: str, language: str
) -> None:
    work = WorkId("ca:act:Z-2")
    english = ["Joint controllers share a duty.", "A voucher may be sold.", "A solar abatement is granted."]
    french = [
        "Les responsables conjoints sont tenus.",
        "Des bons pour achats.",
        "L'abattement solaire est dû.",
    ]
    with EmbeddedStore.open(tmp_path, writable=True) as made:
        texts = {"en": english, "fr": french}
        held = [
            document(work, code, [section(work, str(at), one) for at, one in enumerate(said)], f"Act {code}")
            for code, said in texts.items()
        ]
        made.put(bundle(work, held))
        question = understand(text, made, installed(), as_of=TODAY, jurisdiction="ca")
    assert question.language == language
