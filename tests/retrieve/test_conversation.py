"""Whether a question goes on from the one before it, and what it then is by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.law.identifiers import ProvisionId
from pykala.library import Library
from pykala.library.sample import sample_library
from pykala.packs.pack import installed
from pykala.retrieve.conversation import JOINT, LONGEST, Standalone, Turn, follows, standalone
from pykala.stores.values import Named

TODAY = date(2026, 11, 15)

#: Questions that lean on the one before them.
FOLLOWING = {
    "en": [
        "and in 2013?",
        "what about regulations?",
        "What about minors?",
        "how about companies?",
        "and if I am under 18?",
        "what if I refuse?",
        "But what if he never answers?",
        "and for a second offence?",
        "does it apply to tenants?",
        "how long do they have?",
        "is that also true for part-timers?",
        "who decides?",
        "how much is the fine?",
        "what's the deadline?",
        "and how do I appeal?",
        "same for self-employed people?",
        "they never replied, what then?",
        "does she have to pay too?",
        "is there an exception?",
        "under the old law?",
        "as of 1 March 2020?",
        "why?",
        "in that case, who pays?",
        "and the landlord?",
        "What does it cost?",
        "can I still appeal it?",
        "when was that changed?",
    ],
    "fi": [
        "entä vuonna 2013?",
        "entä jos olen alaikäinen?",
        "No entä yritykset?",
        "entäs jos kieltäydyn?",
        "ja jos sopimus on määräaikainen?",
        "mutta jos hän ei vastaa?",
        "koskeeko se myös vuokralaisia?",
        "kuka päättää?",
        "kuinka kauan?",
        "mikä on määräaika?",
        "paljonko sakko on?",
        "miten valitan siitä?",
        "onko poikkeuksia?",
        "entä Kanadassa?",
        "siinä tapauksessa kuka maksaa?",
        "päteekö sama osa-aikaisiin?",
        "voiko sen perua?",
        "mistä se lasketaan?",
        "milloin se muuttui?",
        "miksi?",
        "ja vuokranantaja?",
        "entä asetukset?",
        "koskeeko tämä minua?",
        "montako päivää?",
        "saako hän myös korvauksen?",
        "mites viime vuonna?",
    ],
    "sv": [
        "och år 2013?",
        "och om jag är minderårig?",
        "men om han vägrar?",
        "hur är det med företag?",
        "hur blir det för deltidsanställda?",
        "och om det är en söndag?",
        "gäller det hyresgäster?",
        "vem beslutar?",
        "hur länge?",
        "vad är fristen?",
        "hur stora är böterna?",
        "och i Kanada?",
        "i så fall, vem betalar?",
        "finns det undantag?",
        "när ändrades det?",
        "får hon också ersättning?",
        "varför?",
        "och hyresvärden?",
        "samma sak för studerande?",
        "men när måste jag betala?",
        "kan han överklaga då?",
        "vad kostar det?",
        "hur många dagar?",
        "och förordningarna?",
        "måste de svara?",
    ],
    "fr": [
        "et en 2013 ?",
        "et si je suis mineur ?",
        "Qu'en est-il des règlements ?",
        "qu'en est-il des entreprises ?",
        "mais si elle refuse ?",
        "et pour les locataires ?",
        "qui décide ?",
        "combien de temps ?",
        "quel est le délai ?",
        "quelle est l'amende ?",
        "et en Finlande ?",
        "dans ce cas, qui paie ?",
        "y a-t-il des exceptions ?",
        "et mon fils de 12 ans ?",
        "pourquoi ?",
        "et le propriétaire ?",
        "même chose pour les étudiants ?",
        "combien ça coûte ?",
        "ça s'applique à lui aussi ?",
        "combien de jours ?",
        "et après ?",
        "et si c'était un dimanche ?",
        "mais quand dois-je payer ?",
        "est-ce pareil pour les sociétés ?",
        "et la deuxième fois ?",
    ],
}
#: Questions that need no other, whatever was asked before them.
ALONE = {
    "en": [
        "What is the tax rate on capital income in Finland?",
        "How long is the notice period when a tenant moves out?",
        "Who won the Stanley Cup in 2019?",
        "Is it legal to record a phone call without consent?",
        "Is there a tax on owning a bicycle?",
        "My landlord keeps my deposit. How do I get it back?",
        "What is money laundering?",
        "Can I refuse overtime on a public holiday?",
        "My brother died last spring and left a house. What tax does his estate pay on it?",
        "How many paid sick days does an airline worker get?",
        "finland normal vat percentage",
        "What happens if an employer pays wages late every month?",
        "And what is the corporate income tax rate on small firms in Canada?",
        "section 7 of the Employment Insurance Act",
        "A neighbour's dog bit my child. Does the owner have to pay for it?",
    ],
    "fi": [
        "Mikä on pääomatulon veroprosentti?",
        "Kuinka pitkä on vuokralaisen irtisanomisaika?",
        "Saako työnantaja vähentää palkasta rikotun koneen hinnan?",
        "Mitä tarkoittaa rahanpesu?",
        "Pitääkö perukirja toimittaa verottajalle?",
        "Vuokranantaja ei palauta takuuta. Miten saan sen takaisin?",
        "alv prosentti konsulttilaskuun",
        "Voiko koeajan purkaa ilman syytä?",
        "Montako lomapäivää kertyy osa-aikaiselle?",
        "Mitä tapahtuu, jos työnantaja maksaa palkan myöhässä joka kuukausi?",
        "Ostin auton ja siinä oli vika. Kuka vastaa korjauksesta?",
        "TVL 124 §",
    ],
    "sv": [
        "Hur hög är skatten på kapitalinkomst?",
        "Hur lång uppsägningstid har en hyresgäst?",
        "Är det tillåtet att spela in ett telefonsamtal?",
        "Vad är penningtvätt?",
        "Får arbetsgivaren dra av priset för en trasig maskin från lönen?",
        "Hyresvärden betalar inte tillbaka garantin. Hur får jag pengarna?",
        "Vilka månader måste man ha vinterdäck?",
        "Hur många semesterdagar får en deltidsanställd?",
        "Vad händer om arbetsgivaren betalar lönen för sent varje månad?",
        "Får jag svara i mobilen medan jag kör bil?",
    ],
    "fr": [
        "Quel est le taux de la TPS au Canada ?",
        "Est-il permis d'enregistrer un appel sans consentement ?",
        "Y a-t-il une taxe sur les vélos ?",
        "Qu'est-ce que le blanchiment d'argent ?",
        "Puis-je refuser des heures supplémentaires un jour férié ?",
        "Mon propriétaire garde mon dépôt. Comment récupérer mon argent ?",
        "Ma banque peut-elle fermer mon compte sans préavis ?",
        "Combien de semaines dure le congé parental ?",
        "L'employeur doit-il payer les pauses des employés ?",
        "Si je jette le questionnaire du recensement, quelle amende est prévue ?",
    ],
}


@pytest.mark.parametrize(
    ("language", "text"), [(language, one) for language, texts in FOLLOWING.items() for one in texts]
)
def test_what_leans_on_the_question_before(language: str, text: str) -> None:
    assert follows(text, language, today=TODAY)


@pytest.mark.parametrize(
    ("language", "text"), [(language, one) for language, texts in ALONE.items() for one in texts]
)
def test_what_needs_no_other_question(sample: Library, language: str, text: str) -> None:
    before = Turn("How many hours do I need to qualify for employment insurance?", "en")
    assert standalone(text, before, sample.store, sample.packs, today=TODAY) == Standalone(text)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    with Library.open(sample_library(tmp_path_factory.mktemp("cache"), installed())) as library:
        yield library


RATE = "What is the tax rate on capital income in Finland?"
#: The question before, what goes on from it, and the standalone form.
THREADS = [
    (Turn(RATE), "and in 2013?", "What is the tax rate on capital income in Finland – in 2013?"),
    (
        Turn("What is the tax rate on capital income in Finland – in 2013?"),
        "and in 2015?",
        "What is the tax rate on capital income in Finland – in 2015?",
    ),
    (
        Turn("In 2020, what was the ceiling for small firms in Finland?"),
        "and nowadays?",
        "what was the ceiling for small firms in Finland – nowadays?",
    ),
    (Turn(RATE), "What about Canada?", "What is the tax rate on capital income – What about Canada?"),
    (
        Turn("Paljonko on pääomatulon vero Suomessa?"),
        "entä Kanadassa?",
        "Paljonko on pääomatulon vero – entä Kanadassa?",
    ),
    (
        Turn("I rent a flat in Brooklyn. How much notice must I give?"),
        "and in Helsinki?",
        "I rent a flat . How much notice must I give – in Helsinki?",
    ),
    # A matter of its own keeps the act that was named, and leaves the other matter.
    (
        Turn("What must a privacy notice say under the GDPR?"),
        "and how large is the administrative fine for a controller?",
        "how large is the administrative fine for a controller? (GDPR)",
    ),
    (
        Turn("What must a privacy notice say under the GDPR?"),
        "and does it also cover employees?",
        "What must a privacy notice say under the GDPR – does it also cover employees?",
    ),
    (
        Turn("What must a privacy notice say?"),
        "and how large is the fine for it?",
        "What must a privacy notice say – how large is the fine for it?",
    ),
    (Turn("mitä TVL 124 § sanoo?"), "entä 125 §?", "entä TVL 125 §?"),
    (Turn("11-503"), "and 11-506?", "11-506"),  # the number of New York says the act
    (Turn("Combien de semaines dure le congé ?"), "et si c'est un fils ?", None),
]


@pytest.mark.parametrize(("before", "text", "expected"), THREADS)
def test_the_standalone_form(sample: Library, before: Turn, text: str, expected: str | None) -> None:
    found = standalone(text, before, sample.store, sample.packs, today=TODAY)
    assert found.follows
    assert found.question == expected or expected is None


def test_what_was_fixed_before_stays_unless_the_new_words_replace_it(sample: Library) -> None:
    before = Turn("How is capital income taxed?", "en", date(2019, 1, 1), "fi")

    def kept(text: str) -> tuple[date | None, str | None]:
        found = standalone(text, before, sample.store, sample.packs, today=TODAY)
        return found.as_of, found.jurisdiction

    assert kept("and if I am a minor?") == (date(2019, 1, 1), "fi")
    assert kept("and in 2013?") == (None, "fi")
    assert kept("and nowadays?") == (None, "fi")
    assert kept("what about Canada?") == (date(2019, 1, 1), None)


@pytest.mark.parametrize("text", ["entä AVL 85 §?", "entä TVL 125 §?"])
def test_a_section_with_its_act_stays_as_it_is(sample: Library, text: str) -> None:
    found = standalone(text, Turn("mitä TVL 124 § sanoo?"), sample.store, sample.packs, today=TODAY)
    assert (found.question, found.follows) == (text, False)


def test_a_section_without_an_act_is_one_of_the_act_that_answered(sample: Library) -> None:
    answered = ProvisionId.parse("ca:act:E-5.6/sec_7")
    before = Turn("How many hours do I need to qualify?", "en", provision=answered)
    found = standalone("what does section 8 say?", before, sample.store, sample.packs, today=TODAY)
    assert "Employment Insurance Act" in found.question
    assert "8" in found.question


@given(
    st.text(max_size=300),
    st.text(min_size=1, max_size=LONGEST),
    st.sampled_from(["en", "fi", "sv", "fr", "de"]),
)
def test_any_words_go_on_from_any_others(text: str, earlier: str, language: str) -> None:
    class Nothing:
        def resolve(self, _: str) -> tuple[()]:
            return ()

        places = resolve

        def named(self, aliases: Sequence[str]) -> dict[str, Named]:
            return {alias: Named() for alias in aliases}

    found = standalone(text, Turn(earlier, language), Nothing(), {}, today=TODAY)  # type: ignore[arg-type]
    assert len(found.question) <= LONGEST + len(JOINT) + len(text)
    assert found.follows or found.question == " ".join(text.split())
