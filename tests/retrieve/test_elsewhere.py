from __future__ import annotations

import pytest

from pykala.retrieve.elsewhere import law_elsewhere, place_elsewhere, places_abroad


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("fi", "Miten verotetaan Ruotsissa asuvan henkilön eläke?"),
        ("fi", "Miten verotetaan Saksassa pysyvästi asuvien eläke?"),
        ("fi", "Mistä Virossa työskentelevä maksaa veroa?"),
        ("fi", "Asun Ruotsissa, mistä eläkkeestäni maksan veroa?"),
        ("fi", "Miten vähennetään Espanjassa sijaitsevan asunnon kulut?"),
        ("en", "How is the pension of a person living in Germany taxed?"),
        ("en", "Is a pensioner resident in Sweden taxed?"),
        ("en", "Is a resident of the United States taxed?"),
        ("en", "Is an employee working permanently in France insured?"),
        ("en", "Must a company based in Estonia register?"),
        ("en", "Must a company registered in the Netherlands pay?"),
        ("en", "I live in Norway: is my pension taxed?"),
        ("en", "How is somebody taxed who works in Denmark?"),
        ("en", "Must a company incorporated in Delaware file a return?"),
        ("sv", "Hur beskattas pensionen för en person som är bosatt i Sverige?"),
        ("sv", "Hur beskattas en pensionär som bor i Sverige?"),
        ("sv", "Hur beskattas den som arbetar i Norge?"),
        ("fr", "Comment est imposée une personne résidant en Allemagne ?"),
        ("fr", "Comment est imposée une personne domiciliée en Suisse ?"),
        ("fr", "Un retraité habitant en Espagne paie-t-il l’impôt ?"),
        ("fr", "Un salarié travaillant habituellement aux États-Unis est-il imposé ?"),
    ],
)
def test_where_somebody_lives_or_works_is_not_whose_law_is_asked_for(language: str, text: str) -> None:
    assert place_elsewhere(text, language) == ""


@pytest.mark.parametrize(
    ("language", "text", "place"),
    [
        ("en", "What tax does a person living in Finland pay in Germany?", "Germany"),
        ("en", "What are the rules on working in Germany?", "Germany"),
        ("en", "What is the tax rate in Germany for a person living in Sweden?", "Germany"),
        ("en", "How is a company that is based in Estonia taxed in Sweden?", "Sweden"),
        ("en", "What is the sales tax in New Jersey?", "New Jersey"),
        ("en", "overtime rules in West Virginia", "West Virginia"),
        ("fi", "Mikä on arvonlisävero Saksassa?", "Saksassa"),
        ("fi", "Miten Ruotsissa asuva maksaa veroa Norjassa?", "Norjassa"),
        ("fi", "Saako Saksassa työskennellä ilman lupaa?", "Saksassa"),
        ("sv", "Hur beskattas en person bosatt i Norge i Sverige?", "Sverige"),
        ("fr", "Quel est l’impôt en Allemagne ?", "Allemagne"),
        ("fr", "Quel impôt paie en Suisse une personne résidant en Espagne ?", "Suisse"),
    ],
)
def test_the_place_whose_law_is_asked_for(language: str, text: str, place: str) -> None:
    assert place_elsewhere(text, language) == place


def test_every_place_abroad_is_named_also_where_somebody_only_is() -> None:
    asked = "Jag bor i Norge och ärvde ett hus i Sverige. Vad skattar jag?"
    assert places_abroad(asked, "sv") == ("Norge", "Sverige")
    assert places_abroad("Vad skattar jag för ett hus?", "sv") == ()
    assert places_abroad("What do I pay in Germany?", "xx") == ()


@pytest.mark.parametrize(
    ("language", "text", "place"),
    [
        ("en", "Is a prenup valid under German law?", "German law"),
        ("en", "what does swedish tax law say about cars", "swedish tax law"),
        ("en", "What does the UK Consumer Rights Act give me?", "UK Consumer Rights Act"),
        ("en", "How much does Norway charge for my cabin?", "Norway"),
        ("en", "What tax does Sweden levy on it?", "Sweden"),
        ("fi", "Mitä Ruotsin perintölaki sanoo leskestä?", "Ruotsin perintölaki"),
        ("fi", "Saako Viron lain mukaan irtisanoa heti?", "Viron lain mukaan"),
        ("fi", "Paljonko Saksa perii lahjaveroa?", "Saksa"),
        ("sv", "Vad säger den svenska arvslagen?", "svenska arvslagen"),
        ("sv", "Hur mycket tar Norge i skatt?", "Norge"),
        ("fr", "Que prévoit le droit français ?", "droit français"),
        ("fr", "Combien l’Allemagne prélève-t-elle ? Que dit la loi allemande ?", "loi allemande"),
        ("fr", "Quel impôt la Suisse prélève sur ma rente ?", "Suisse"),
        # Its own rates and ages.
        ("en", "What is the Swedish VAT rate?", "Swedish VAT rate"),
        ("en", "What is Germany's corporate tax rate?", "Germany's corporate tax rate"),
        ("en", "what is the UK minimum wage", "UK minimum wage"),
        ("fi", "Mikä on Ruotsin arvonlisäverokanta?", "Ruotsin arvonlisäverokanta"),
        ("fi", "Paljonko on Saksan yleinen arvonlisävero?", "Saksan yleinen arvonlisävero"),
        ("sv", "Vad är Norges momssats?", "Norges momssats"),
        ("sv", "Hur hög är den tyska momsen?", "tyska momsen"),
        ("fr", "Quel est le taux de TVA allemand ?", "taux de TVA allemand"),
    ],
)
def test_the_country_whose_own_law_is_named(language: str, text: str, place: str) -> None:
    assert law_elsewhere(text, language) == place


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Does the German company act as my agent?"),
        ("en", "How is a French pension taxed?"),
        ("en", "What is the tax rate on Swedish dividends?"),
        ("en", "What is the German pension tax rate here?"),
        ("fi", "Mikä on Ruotsin eläkkeen veroprosentti?"),
        ("fi", "Mikä on Suomen ja Ruotsin verosopimuksen lähdevero?"),
        ("sv", "Vad är skattesatsen för norska dividender?"),
        ("fr", "Quel est le taux de l'impôt sur une rente allemande ?"),
        ("en", "I am Swedish. Which law decides what I inherit?"),
        ("fi", "Miten Ruotsin lain mukaan perustetun yhtiön osinko verotetaan?"),
        ("fi", "Onko Saksan eläke veronalaista tuloa lain mukaan?"),
        ("fi", "Asuin Virossa. Mitä laki sanoo muuttopäivästä?"),
        ("sv", "Vad säger språklagen om den svenska texten?"),
        ("sv", "Gäller den svenska språklagen i kommunen?"),
        ("fr", "La version française de la loi prévaut-elle ?"),
        ("en", "The loan contract says US law applies. Do I lose my rights?"),
        ("en", "Our contract is under English law. Who must show the judge what it says?"),
        ("en", "Does Norway have to pay its share?"),
        ("fi", "Mieheni perintöön sovelletaan Saksan lakia. Saanko jäädä kotiimme?"),
        ("fi", "Voiko Saksa verottaa niitä rahoja?"),
        ("sv", "Måste vårt norska bolag registrera sig?"),
        ("sv", "Får vi sälja varor i vårt svenska bolag?"),
        ("fr", "Ma société de droit belge peut-elle s’établir ici ?"),
        ("en", "Is tax due if the employer was established under Swedish law?"),
        ("en", "Is a marriage entered into under Swedish law recognised?"),
        ("en", "How is a pension paid under Swedish legislation taxed?"),
        ("en", "Is overtime paid in US law firms?"),
        ("en", "How do English law degrees count?"),
        ("fi", "Onko Viron lain mukaan solmittu avioliitto pätevä?"),
        ("fi", "Miten Ruotsin lain mukaan maksettua eläkettä verotetaan?"),
        ("fi", "Mitä jos riita ratkaistaan Englannin lain mukaan?"),
        ("sv", "Vad gäller i svenska förlag?"),
        ("sv", "Beskattas bidrag i svenska andelslag?"),
        ("sv", "Är ett äktenskap ingånget enligt norsk lag giltigt?"),
        ("fr", "Une société constituée en vertu du droit français paie-t-elle l’impôt ?"),
        ("fr", "Un mariage célébré selon la loi allemande est-il valable ?"),
        ("xx", "What does Swedish law say?"),
    ],
)
def test_what_only_speaks_of_a_country_asks_for_no_law_of_it(language: str, text: str) -> None:
    assert law_elsewhere(text, language) == ""
