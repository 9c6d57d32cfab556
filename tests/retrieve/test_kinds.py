"""The kind of answer that a question asks for, and whether words of the law hold it.

The table holds a hundred questions a language; every third was kept apart while the rules were written.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pykala.retrieve.holding import holds
from pykala.retrieve.kinds import Kind, _parted, kinds_asked, wanted, without_conditions
from pykala.retrieve.wording import figures_wanted
from pykala.text.languages.known import bring, forget
from pykala.text.languages.language import read_language

TABLES = Path(__file__).parent / "kinds_asked"
LANGUAGES = ("en", "fi", "sv", "fr")
LEAST = 0.95


def table(language: str) -> list[tuple[str, str]]:
    lines = (TABLES / f"{language}.tsv").read_text(encoding="utf-8").splitlines()
    return [(kind, question) for kind, _, question in (line.partition("\t") for line in lines)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_all_kinds(language: str) -> None:
    rows = table(language)
    assert len(rows) >= 100
    assert {kind for kind, _ in rows} == {kind.value for kind in Kind}


@pytest.mark.parametrize("language", LANGUAGES)
def test_kinds_are_recognised(language: str) -> None:
    rows = table(language)
    wrong = [(kind, question) for kind, question in rows if kinds_asked(question, language)[:1] != (kind,)]
    assert len(wrong) <= (1 - LEAST) * len(rows), wrong


@pytest.mark.parametrize(
    ("text", "language", "kinds"),
    [
        # People tell their story first, and ask last; what they add behind the question asks nothing.
        ("My rate was 5 %. Can I be fired?", "en", (Kind.CONDITION,)),
        ("How many days do I have to be here? Had my card for 3 years.", "en", (Kind.PERIOD,)),
        # Two things may be asked for at once, each by words of its own.
        ("What does it cost, and how long do I have to complain?", "en", (Kind.PERIOD, Kind.AMOUNT)),
        ("Kuka voi päättää siitä, ja miten pitkäksi aikaa?", "fi", (Kind.PERIOD, Kind.AUTHORITY)),
        ("how many weeks", "en", (Kind.PERIOD,)),
        ("", "en", ()),
        ("How long?", "de", ()),
    ],
)
def test_what_decides(text: str, language: str, kinds: tuple[Kind, ...]) -> None:
    assert set(kinds_asked(text, language)) == set(kinds)


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("en", "when can a municipal office holder be suspended from duty", Kind.CONDITION),
        ("en", "When may an employer lay off an employee?", Kind.CONDITION),
        ("en", "When can I expect my refund?", Kind.DATE),
        ("en", "When can I retire?", Kind.DATE),
        ("en", "By when can I file a complaint?", Kind.DATE),
        ("fi", "Milloin työntekijän saa lomauttaa?", Kind.CONDITION),
        ("fi", "Milloin vuokrasopimus voidaan purkaa?", Kind.CONDITION),
        ("fi", "Milloin saan veronpalautuksen?", Kind.DATE),
        ("fi", "Milloin vero on maksettava?", Kind.DATE),
        ("sv", "När får hyresvärden säga upp avtalet?", Kind.CONDITION),
        ("sv", "När får jag min skatteåterbäring?", Kind.DATE),
        ("fr", "Quand peut-on licencier un salarié?", Kind.CONDITION),
        ("fr", "Quand un locataire peut-il résilier le bail?", Kind.CONDITION),
        ("fr", "Depuis quand peut-on divorcer?", Kind.DATE),
    ],
)
def test_when_somebody_may_asks_for_a_condition_and_when_somebody_must_for_a_day(
    language: str, text: str, kind: Kind
) -> None:
    assert kinds_asked(text, language) == (kind,)


@pytest.mark.parametrize(
    ("language", "text", "figure"),
    [
        ("en", "When may an employer lay off an employee?", False),
        ("en", "When must an employer pay overtime?", True),
        ("en", "When may a fee be charged, and what is the limit?", True),
        ("fi", "Milloin vuokrasopimus voidaan purkaa?", False),
        ("fi", "Milloin vero on maksettava?", True),
        ("sv", "När får hyresvärden säga upp avtalet?", False),
        ("sv", "När ska skatten betalas?", True),
        ("fr", "Quand peut-on licencier un salarié?", False),
        ("fr", "Quand faut-il payer l'impôt?", True),
    ],
)
def test_when_somebody_may_wants_no_figure(language: str, text: str, figure: bool) -> None:
    assert figures_wanted(without_conditions(text, language), language).wanted is figure


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("koeajan pituus", Kind.PERIOD),
        ("Mikä on vanhempainvapaan pituus?", Kind.PERIOD),
        ("isyysrahapäivien määrä", Kind.PERIOD),
        ("päivärahan määrä", Kind.AMOUNT),
        ("ajoneuvon pituus", None),
    ],
)
def test_a_length_of_time_is_a_period(text: str, kind: Kind | None) -> None:
    assert kinds_asked(text, "fi")[:1] == ((kind,) if kind else ())


@pytest.mark.parametrize(
    ("text", "language", "kinds"),
    [
        ("How long do we have to answer – may we charge a fee?", "en", (Kind.CONDITION,)),
        ("Mikä on perintöveron alaraja – milloin perintövero on maksettava?", "fi", (Kind.DATE,)),
        ("Hur lång är uppsägningstiden – får hyresvärden höja hyran?", "sv", (Kind.CONDITION,)),
        ("Quel est le délai pour répondre – peut-on exiger des frais?", "fr", (Kind.CONDITION,)),
        # Only what the earlier question asks is left where the new words ask for nothing.
        ("How long is the notice – for the landlord?", "en", (Kind.PERIOD,)),
        ("Kuinka pitkä on irtisanomisaika – Entä jos vuokralainen irtisanoo?", "fi", (Kind.PERIOD,)),
        # What is supposed is not asked for, unless a question follows it.
        ("How long is the notice – What if the price were $450,000?", "en", (Kind.PERIOD,)),
        ("Kuinka pitkä on irtisanomisaika – entä jos hinta oli 5 000 euroa?", "fi", (Kind.PERIOD,)),
        ("May I build – what if they say no, how long do I have?", "en", (Kind.PERIOD,)),
        ("How long? – in 2013", "de", ()),
    ],
)
def test_the_new_words_of_a_follow_up_decide(text: str, language: str, kinds: tuple[Kind, ...]) -> None:
    assert wanted(text, language).kinds == kinds


def test_units_are_those_of_the_words_that_ask() -> None:
    story = "I worked there eleven months. Can I complain of my dismissal"
    assert wanted(f"{story} – by when must it be filed?", "en").stated == frozenset()
    assert wanted(f"{story} – if I was ill?", "en").stated == {"months"}
    asked = wanted("How many weeks of notice do I get – how many days of leave are there?", "en")
    assert asked.units == {"days"}


def test_units_of_what_is_stated() -> None:
    found = wanted("I worked there eight months. Can they fire me?", "en")
    assert (found.kinds, found.stated) == ((Kind.CONDITION,), frozenset({"months"}))


@pytest.mark.parametrize(
    ("kind", "yes", "no"),
    [
        (Kind.PERIOD, "A complaint must be made within ninety days.", "A person may make a complaint."),
        (Kind.PERIOD, "Ilmoitus on tehtävä viipymättä.", "Ilmoitus on tehtävä kirjallisesti."),
        (Kind.DATE, "not later than the first day of June", "a statement shall be filed"),
        (Kind.DATE, "senast den 31 januari", "inom den tid som myndigheten bestämmer"),
        (Kind.AMOUNT, "une somme de 50 $", "une somme raisonnable"),
        (Kind.RATE, "Vero on 30 prosenttia.", "Vero on 30 euroa."),
        (Kind.RATE, "Lakiosa on puolet perintöosasta.", "Lakiosa kuuluu rintaperilliselle."),
        (Kind.AUTHORITY, "Valtuusto päättää asiasta.", "Asia on ratkaistava pian."),
        (Kind.AUTHORITY, "may appeal to the Immigration Appeal Division", "has the right to a refund"),
        (Kind.DEFINITION, "bank means a bank listed in Schedule I", "a bank shall keep records"),
        (Kind.LIST, "The invoice shall contain:", "The invoice shall be dated."),
    ],
)
def test_words_that_hold_a_kind(kind: Kind, yes: str, no: str) -> None:
    assert holds(kind, yes) > holds(kind, no)


def test_one_opening_asks_for_one_kind() -> None:
    assert kinds_asked("Mihin mennessä valitus on tehtävä?", "fi") == (Kind.DATE,)
    assert kinds_asked("Missä ajassa laskusta on huomautettava?", "fi") == (Kind.PERIOD,)
    assert Kind.PLACE not in kinds_asked("Missä asiakirjassa tulos esitetään?", "fi")
    assert kinds_asked("Missä kunnassa vero maksetaan?", "fi")[0] is Kind.PLACE


@pytest.mark.parametrize(
    ("text", "language", "place"),
    [
        ("Missä on mainittava perusteet?", "fi", False),
        ("Missä säädetään vaaleista?", "fi", False),
        ("Missä vero maksetaan?", "fi", True),
        ("Where are the grounds set out?", "en", False),
        ("Where is the tax paid?", "en", True),
        ("Var regleras detta?", "sv", False),
        ("Var betalas skatten?", "sv", True),
        ("Où cette exception est-elle prévue ?", "fr", False),
        ("Où la demande est-elle présentée ?", "fr", True),
    ],
)
def test_where_something_is_said_asks_for_no_place(text: str, language: str, place: bool) -> None:
    assert (Kind.PLACE in kinds_asked(text, language)) is place


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        # As it is spoken.
        ("Saaks vuokraisäntä tulla kämppään?", "fi", Kind.CONDITION),
        ("Onks mun pakko maksaa?", "fi", Kind.CONDITION),
        ("Paljonks siitä joutuu maksamaan?", "fi", Kind.AMOUNT),
        ("Kauanks sitä pitää odottaa?", "fi", Kind.PERIOD),
        ("kuin kauan valituksen käsittely kestää", "fi", Kind.PERIOD),
        # A share of votes.
        ("Millä enemmistöllä sääntöjä muutetaan?", "fi", Kind.RATE),
        ("What majority is needed to dissolve the association?", "en", Kind.RATE),
        ("Vilken majoritet krävs för att ändra stadgarna?", "sv", Kind.RATE),
        ("Quelle majorité faut-il pour modifier les statuts?", "fr", Kind.RATE),
        # A time before or after something, by words other than "how long".
        ("Kuinka aikaisin kutsu on lähetettävä?", "fi", Kind.PERIOD),
        ("Kuinka monessa päivässä laskusta on huomautettava?", "fi", Kind.PERIOD),
        # "Mihin mennessä" asks for a day alone, and "missä laissa" for no place.
        ("Mihin mennessä valitus on tehtävä?", "fi", Kind.DATE),
        # In which state something is the case.
        ("Milloin sopimus on mitätön?", "fi", Kind.CONDITION),
        ("Milloin tuomari on jäävi?", "fi", Kind.CONDITION),
        ("Milloin yhdistys on rekisteröitävä?", "fi", Kind.DATE),
        ("Millaisia tietoja ilmoituksessa on annettava?", "fi", Kind.LIST),
    ],
)
def test_other_ways_to_ask_for_a_kind(text: str, language: str, kind: Kind) -> None:
    assert kinds_asked(text, language)[0] is kind


@pytest.mark.parametrize(
    ("kind", "text", "least"),
    [
        (Kind.PERIOD, "Hakemus on tehtävä vuoden kuluessa päätöksestä.", 1.0),
        (Kind.PERIOD, "Kutsu on lähetettävä viimeistään viikkoa ennen kokousta.", 1.0),
        (Kind.PERIOD, "Ilmoitus pidetään nähtävänä 14 vuorokautta.", 1.0),
        (Kind.PERIOD, "Tilintarkastaja valitaan enintään kuuden tilikauden ajaksi.", 1.0),
        (Kind.DATE, "Kertomus on annettava maaliskuun loppuun mennessä.", 1.0),
        (Kind.DATE, "Puheenjohtaja valitaan tammikuussa.", 1.0),
        (Kind.DATE, "Saatu maksu on kirjattava viipymättä.", 0.5),
        (Kind.DATE, "The notice is given within a reasonable time.", 0.5),
        (Kind.RATE, "Päätökseen vaaditaan neljä viidesosaa äänistä.", 0.8),
        (Kind.RATE, "Beslutet kräver tre femtedelar av rösterna.", 0.8),
        (Kind.RATE, "Il faut un dixième des voix.", 0.8),
    ],
)
def test_time_and_shares_without_a_number_in_figures(kind: Kind, text: str, least: float) -> None:
    assert holds(kind, text) >= least


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.PERIOD, "Vuoden aikana annetut päätökset luetteloidaan."),
        (Kind.PERIOD, "Päättyneen tilikauden tilinpäätös vahvistetaan."),
        (Kind.DATE, "Kuulutus julkaistaan verkossa."),
    ],
)
def test_time_that_is_not_counted_holds_none(kind: Kind, text: str) -> None:
    assert holds(kind, text) == 0.0


def test_a_language_that_lacks_a_rule_recognises_nothing_by_it() -> None:
    bring(read_language('code = "tlh"\nname = "Klingon"\n[kinds]\nopens_asking = ["nuq"]'))
    try:
        assert kinds_asked("nuq Dochvam", "tlh") == ()
        assert kinds_asked("Qapla", "tlh") == ()
    finally:
        forget("tlh")


def test_a_time_that_is_stated_is_not_the_amount_asked_for() -> None:
    found = wanted("I stayed three hours longer. How much am I paid for these hours?", "en")
    assert (found.kinds, "hours" in found.units, found.stated) == ((Kind.AMOUNT,), False, {"hours"})
    assert "hours" in wanted("How many hours may I work a week?", "en").units


@pytest.mark.parametrize(
    ("second", "found"),
    [
        (r" de jours", [(Kind.AMOUNT, (0, 7)), (Kind.PERIOD, (7, 16))]),  # side by side
        (r"n de jours", [(Kind.AMOUNT, (0, 7))]),
    ],
)
def test_words_that_are_a_sign_of_one_kind_are_not_one_of_another(
    second: str, found: list[tuple[Kind, tuple[int, int]]]
) -> None:
    tier = ((Kind.AMOUNT, re.compile("combien")), (Kind.PERIOD, re.compile(second)))
    assert list(_parted(tier, "combien de jours")) == found
