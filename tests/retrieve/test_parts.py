"""Which questions are several, and which only look so."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pykala.retrieve.kinds import JOINT
from pykala.retrieve.parts import MOST, parts

TODAY = date(2026, 11, 15)

#: Questions that ask several things, with the headings of their parts.
SEVERAL = {
    "en": [
        ("How much notice do I give, and from which day is it counted?",
         ["How much notice do I give?", "From which day is it counted?"]),
        ("Can I send them back, and how long have I got?", ["Can I send them back?", "How long have I got?"]),
        ("Who pays the tax and when is it due?", ["Who pays the tax?", "When is it due?"]),
        ("What rate of transfer tax applies and who pays it?",
         ["What rate of transfer tax applies?", "Who pays it?"]),
        ("Is a permit required? How much does it cost?", ["Is a permit required?", "How much does it cost?"]),
        ("What does it cost, and if they refuse, how do I complain?",
         ["What does it cost?", "If they refuse, how do I complain?"]),
        ("What is a small supplier and how is the threshold counted?",
         ["What is a small supplier?", "How is the threshold counted?"]),
        ("does the maker have to fix it and can they charge me",
         ["Does the maker have to fix it?", "Can they charge me?"]),
        ("Who can be fined, and up to how much?", ["Who can be fined?", "Up to how much?"]),
        ("What is the rate of VAT on books and the deadline for the return?",
         ["What is the rate of VAT on books?", "What is the deadline for the return?"]),
        ("My boss fired me. Was that legal, and how long do I have to complain?",
         ["Was that legal?", "How long do I have to complain?"]),
        ("How long is the notice period? And for the landlord?",
         ["How long is the notice period?", "For the landlord?"]),
        ("Must I register; who keeps the register?", ["Must I register?", "Who keeps the register?"]),
        ("When must I file, where do I send it and what happens if I am late?",
         None),
    ],
    "fi": [
        ("Paljonko vero on, ja milloin se maksetaan?", ["Paljonko vero on?", "Milloin se maksetaan?"]),
        ("Saako laskun alvin takaisin, ja kelpaako kulu verotuksessa?",
         ["Saako laskun alvin takaisin?", "Kelpaako kulu verotuksessa?"]),
        ("Kuka voi hakea tukea sekä miten sitä haetaan?",
         ["Kuka voi hakea tukea?", "Miten sitä haetaan?"]),
        ("Pitääkö lupa hakea? Mistä se haetaan?", ["Pitääkö lupa hakea?", "Mistä se haetaan?"]),
        ("Mihin mennessä perukirja on laadittava ja kuka voi antaa lisäaikaa?",
         ["Mihin mennessä perukirja on laadittava?", "Kuka voi antaa lisäaikaa?"]),
        ("Voinko perua kaupan, ja jos voin, kuinka monessa päivässä?",
         ["Voinko perua kaupan?", "Jos voin, kuinka monessa päivässä?"]),
        ("Kuka päättää haltuunotosta, ja miten pitkäksi aikaa?",
         ["Kuka päättää haltuunotosta?", "Miten pitkäksi aikaa?"]),
        ("Mikä on kirjojen verokannan prosentti ja veroilmoituksen määräaika?",
         ["Mikä on kirjojen verokannan prosentti?", "Mikä on veroilmoituksen määräaika?"]),
        ("Sain potkut. Oliko se laillista ja missä ajassa pitää valittaa?",
         ["Oliko se laillista?", "Missä ajassa pitää valittaa?"]),
        ("Onko naapurilla oikeus kaataa puu ja kuka korvaa vahingon?",
         ["Onko naapurilla oikeus kaataa puu?", "Kuka korvaa vahingon?"]),
    ],
    "sv": [
        ("Hur länge gäller beslutet och vem kan överklaga det?",
         ["Hur länge gäller beslutet?", "Vem kan överklaga det?"]),
        ("vilka månader måste jag ha vinterdäck och hur slitna får de vara",
         ["Vilka månader måste jag ha vinterdäck?", "Hur slitna får de vara?"]),
        ("Får jag häva köpet, och hur lång tid har jag på mig?",
         ["Får jag häva köpet?", "Hur lång tid har jag på mig?"]),
        ("Måste jag ha tillstånd? Var söker jag det?", ["Måste jag ha tillstånd?", "Var söker jag det?"]),
        ("Vem ska betala skatten samt när ska den betalas?",
         ["Vem ska betala skatten?", "När ska den betalas?"]),
        ("Kan hyresvärden säga upp mig och måste han ge skäl?",
         ["Kan hyresvärden säga upp mig?", "Måste han ge skäl?"]),
        ("Hur mycket kostar det, och om jag vägrar, vad är straffet?",
         ["Hur mycket kostar det?", "Om jag vägrar, vad är straffet?"]),
        ("Vem kan bötfällas, och hur mycket?", ["Vem kan bötfällas?", "Hur mycket?"]),
        ("Jag blev uppsagd. Är det lagligt och hur länge kan jag klaga?",
         ["Är det lagligt?", "Hur länge kan jag klaga?"]),
        ("När är sista dagen och vart skickar jag blanketten?", None),
    ],
    "fr": [
        ("Combien dois-je payer, et quand faut-il le faire ?",
         ["Combien dois-je payer?", "Quand faut-il le faire ?"]),
        ("Puis-je les renvoyer et combien de temps ai-je ?",
         ["Puis-je les renvoyer?", "Combien de temps ai-je ?"]),
        ("Qui paie la taxe ainsi que quand est-elle due ?",
         ["Qui paie la taxe?", "Quand est-elle due ?"]),
        ("Faut-il un permis ? Combien coûte-t-il ?", ["Faut-il un permis ?", "Combien coûte-t-il ?"]),
        ("Qui peut demander l'aide et comment la demande-t-on ?",
         ["Qui peut demander l'aide?", "Comment la demande-t-on ?"]),
        ("Qui peut être puni, et de combien ?", ["Qui peut être puni?", "De combien ?"]),
        ("Est-ce que je peux refuser, et est-ce que je perds mon salaire ?",
         ["Est-ce que je peux refuser?", "Est-ce que je perds mon salaire ?"]),
        ("J'ai été congédié. Est-ce légal et combien de temps ai-je pour me plaindre ?",
         ["Est-ce légal?", "Combien de temps ai-je pour me plaindre ?"]),
        ("Quel est le taux de la TPS et le délai pour la déclaration ?",
         ["Quel est le taux de la TPS?", "Quel est le délai pour la déclaration?"]),
        ("Combien ça coûte, et s'ils refusent, à qui puis-je me plaindre ?",
         ["Combien ça coûte?", "S'ils refusent, à qui puis-je me plaindre ?"]),
    ],
}  # fmt: skip
#: Questions that ask one thing, whatever they join.
ONE = {
    "en": [
        "What papers and how many copies do I need?",
        "What are the rights and duties of tenants?",
        "Do I have to say what I earn and what I own?",
        "Can a tenant sublet and keep the deposit?",
        "How much tax do my wife and I pay?",
        "What is the difference between the buyer and the seller?",
        "At what age and after how many years can I get the full pension?",
        "Is it legal to buy and sell old coins?",
        "How are interest and dividends taxed?",
        "May I quit and still get unemployment money?",
        "Who is liable when a dog bites a child and the owner is away?",
        "What must a landlord do who rents out a flat and who lives abroad?",
        "Do I still get paid? How much?",
        "I sold my house and moved abroad. Do I pay tax?",
        "What happens if I am late and do not pay?",
        "Which rules apply to food and drink?",
        "What is the rate and the deadline for VAT?",
    ],
    "fi": [
        "Mitkä ovat vuokralaisen oikeudet ja velvollisuudet?",
        "Mitkä ovat vuokralaisen oikeudet sekä velvollisuudet?",
        "Pitääkö minun ilmoittaa, paljonko ansaitsen ja missä asun?",
        "Miten korot ja osingot verotetaan?",
        "Saanko rahaa kotona makaamisesta ja paljonko?",
        "Voinko irtisanoutua ja saada silti päivärahaa?",
        "Myin talon ja muutin ulkomaille. Maksanko veroa?",
        "Kuka vastaa, kun koira puree lasta ja omistaja on poissa?",
        "Mitä eroa on ostajalla ja myyjällä?",
        "Kuinka pitkä on viikko ja kesäloma?",
        "Saako joko isä tai äiti ja lapsi tukea?",
        "Onko koko talo ja tontti verotettava?",
        "Mitkä säännöt koskevat ruokaa ja juomaa?",
        "Kuinka kauan firman kuitteja ja laskuja pitää säästää?",
        "Mitä tapahtuu, jos olen myöhässä ja en maksa?",
    ],
    "sv": [
        "Vilka rättigheter och skyldigheter har en hyresgäst?",
        "Vilka rättigheter samt skyldigheter har en hyresgäst?",
        "Måste jag tala om vad jag tjänar och vad jag äger?",
        "Hur beskattas räntor och utdelningar?",
        "Kan jag säga upp mig och ändå få dagpenning?",
        "Jag sålde huset och flyttade. Betalar jag skatt?",
        "Vem ansvarar när en hund biter och ägaren är borta?",
        "Vad är skillnaden mellan köparen och säljaren?",
        "Får jag lön då? Hur mycket?",
        "Vilka regler gäller mat och dryck?",
        "Hur länge ska kvitton och räkningar sparas?",
        "Vad händer om jag är sen och inte betalar?",
        "Får jag köpa och sälja gamla mynt?",
        "Hur mycket skatt betalar min fru och jag?",
        "Är hus och tomt skattepliktiga?",
    ],
    "fr": [
        "Quels sont les droits et obligations du locataire ?",
        "Quels sont les droits ainsi que les obligations du locataire ?",
        "Dois-je déclarer combien je gagne et combien je dépense ?",
        "Comment les intérêts et les dividendes sont-ils imposés ?",
        "Puis-je démissionner et toucher quand même le chômage ?",
        "J'ai vendu ma maison et déménagé. Est-ce que je paie un impôt ?",
        "Qui est responsable quand un chien mord et que le maître est absent ?",
        "Quelle est la différence entre l'acheteur et le vendeur ?",
        "Ai-je droit à un salaire ? Combien ?",
        "Quelles règles visent les aliments et les boissons ?",
        "Combien de temps faut-il garder les reçus et les factures ?",
        "Que se passe-t-il si je suis en retard et ne paie pas ?",
        "Est-il permis d'acheter et de vendre des pièces ?",
        "Combien d'impôt ma femme et moi payons-nous ?",
        "Puis-je faire venir ma femme et mes enfants ?",
    ],
}


@pytest.mark.parametrize(
    ("language", "text", "headings"),
    [(language, *one) for language, cases in SEVERAL.items() for one in cases],
)
def test_questions_that_ask_several_things(language: str, text: str, headings: list[str] | None) -> None:
    found = parts(text, language, today=TODAY)
    assert len(found) > 1
    assert headings is None or [one.heading for one in found] == headings


@pytest.mark.parametrize(
    ("language", "text"), [(language, one) for language, texts in ONE.items() for one in texts]
)
def test_questions_that_ask_one_thing(language: str, text: str) -> None:
    assert parts(text, language, today=TODAY) == ()


def test_a_part_has_the_story_and_the_date_of_the_whole() -> None:
    told = "I rent a flat in Tampere. How much notice do I give, and from which day is it counted?"
    first, second = parts(told, "en", today=TODAY)
    assert first.question == "I rent a flat in Tampere. How much notice do I give?"
    assert second.question == (
        "I rent a flat in Tampere. How much notice do I give – from which day is it counted?"
    )
    _, dated = parts(
        "In 2019, what was the VAT rate, and what did married couples with three children pay?",
        "en",
        today=TODAY,
    )
    assert dated.question.startswith("In 2019")


@pytest.mark.parametrize(
    ("language", "text", "question", "otherwise"),
    [
        # With a subject of its own a part is asked alone first, however short it is.
        ("fi", "Mikä on perintöveron alaraja ja milloin perintövero on maksettava?",
         "Milloin perintövero on maksettava?",
         "Mikä on perintöveron alaraja – milloin perintövero on maksettava?"),
        ("sv", "Hur lång är uppsägningstiden för hyresgästen och får hyresvärden höja hyran?",
         "Får hyresvärden höja hyran?",
         "Hur lång är uppsägningstiden för hyresgästen – får hyresvärden höja hyran?"),
        ("en", "How large may the deposit be and when must the tenant move out?",
         "When must the tenant move out?", "How large may the deposit be – when must the tenant move out?"),
        # One word may be a subject or an attribute of the first part's: completed first.
        ("fi", "Kuinka pitkä on koeaika ja mikä on irtisanomisaika?",
         "Kuinka pitkä on koeaika – mikä on irtisanomisaika?", "Mikä on irtisanomisaika?"),
        ("fr", "Quel est le délai pour répondre et peut-on exiger des frais?",
         "Quel est le délai pour répondre – peut-on exiger des frais?", "Peut-on exiger des frais?"),
        # A part that points back has only one way.
        ("en", "Who pays the tax and when is it due?", "Who pays the tax – when is it due?", ""),
        ("sv", "Vem ska betala skatten samt när ska den betalas?",
         "Vem ska betala skatten – när ska den betalas?", ""),
        # So has one that tells enough.
        ("en", "How long is maternity leave, and how many weeks of parental leave can one employee take?",
         "How many weeks of parental leave can one employee take?", ""),
    ],
)  # fmt: skip
def test_how_a_later_part_is_asked(language: str, text: str, question: str, otherwise: str) -> None:
    _, second = parts(text, language, today=TODAY)
    assert (second.question, second.otherwise) == (question, otherwise)


def test_both_ways_to_ask_a_part_have_the_date_of_the_whole() -> None:
    _, second = parts(
        "In 2019, how large was the deposit and when did the tenant move out?", "en", today=TODAY
    )
    assert second.otherwise
    assert "2019" in second.question
    assert "2019" in second.otherwise


def test_what_goes_on_from_several_questions_is_asked_of_each() -> None:
    whole = f"What is the VAT rate, and when must I register{JOINT}in 2013?"
    assert [one.question for one in parts(whole, "en", today=TODAY)] == [
        "What is the VAT rate – in 2013?",
        "What is the VAT rate – when must I register – in 2013?",
    ]


@given(st.text(max_size=400), st.sampled_from(["en", "fi", "sv", "fr", "de"]))
def test_any_words_have_no_part_or_a_few(text: str, language: str) -> None:
    found = parts(text, language, today=TODAY)
    assert len(found) == 0 or 2 <= len(found) <= MOST
    assert all(one.heading and one.question for one in found)
