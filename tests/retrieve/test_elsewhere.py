from __future__ import annotations

import pytest

from pykala.retrieve.elsewhere import place_elsewhere, places_abroad


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
