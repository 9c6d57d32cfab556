"""What the articles of tax treaties are called: the OECD model's titles in four languages."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

#: Model article → the titles it goes by, `|` between alternatives, in en, fr, fi, sv.
TITLES: dict[str, tuple[str, str, str, str]] = {
    "persons": (
        "Personal scope|Persons covered|Personal Scope of the Convention",
        "Personnes visées|Personnes concernées",
        "Sopimuksen piiriin kuuluvat henkilöt|Henkilöt, joihin sopimusta sovelletaan|"
        "Sopimuksen soveltaminen henkilöihin|Sopimuksen henkilöllinen ulottuvuus",
        "Personer på vilka avtalet tillämpas",
    ),
    "taxes": (
        "Taxes covered",
        "Impôts visés",
        "Sopimuksen piiriin kuuluvat verot|Sopimuksessa tarkoitetut verot|"
        "Verot, joihin sopimusta sovelletaan",
        "Skatter som omfattas av avtalet|Skatter på vilka avtalet tillämpas",
    ),
    "definitions": (
        "General definitions",
        "Définitions générales",
        "Yleiset määritelmät",
        "Allmänna definitioner",
    ),
    "resident": (
        "Resident|Residence|Fiscal domicile",
        "Résident|Domicile fiscal",
        "Kotipaikka|Verotuksellinen kotipaikka|Verovelvollisen kotipaikka|Sopimusvaltiossa asuva henkilö",
        "Hemvist|Skatterättsligt hemvist",
    ),
    "establishment": (
        "Permanent establishment",
        "Établissement stable",
        "Kiinteä toimipaikka",
        "Fast driftställe",
    ),
    "immovable": (
        "Income from immovable property|Income from real property|Immovable property",
        "Revenus immobiliers",
        "Kiinteästä omaisuudesta saatu tulo|Kiinteästä omaisuudesta saatava tulo|Kiinteistötulo",
        "Inkomst av fast egendom",
    ),
    "business": ("Business profits", "Bénéfices des entreprises", "Liiketulo", "Inkomst av rörelse"),
    "shipping": (
        "Shipping and air transport|International transport|International shipping and air transport|"
        "International traffic|International Operation of Ships and Aircraft",
        "Navigation maritime et aérienne|Transport international|Trafic international",
        "Merenkulku ja ilmakuljetus|Meri- ja ilmakuljetus|Kansainvälinen liikenne|"
        "Merenkulku ja lentoliikenne",
        "Sjöfart och luftfart",
    ),
    "associated": (
        "Associated enterprises|Related persons",
        "Entreprises associées|Personnes liées",
        "Etuyhteydessä keskenään olevat yritykset|Keskenään etuyhteydessä olevat yritykset|"
        "Etuyhteysyritykset",
        "Företag med intressegemenskap",
    ),
    "dividends": ("Dividends", "Dividendes", "Osinko|Osingot", "Utdelning"),
    "interest": ("Interest", "Intérêts", "Korko|Korot", "Ränta"),
    "royalties": ("Royalties", "Redevances", "Rojalti|Rojaltit", "Royalty"),
    "gains": (
        "Capital gains|Gains|Gains from the alienation of property",
        "Gains en capital|Gains|Gains provenant de l'aliénation de biens",
        "Myyntivoitto|Luovutusvoitto|Omaisuuden luovutuksesta saatu voitto|Luovutusvoitot|Myyntivoitot",
        "Realisationsvinst",
    ),
    "independent": (
        "Independent personal services|Professional services",
        "Professions indépendantes|Professions libérales",
        "Itsenäinen ammatinharjoittaminen|Vapaa ammatti|Itsenäinen ammatti",
        "Självständig yrkesutövning",
    ),
    "employment": (
        "Dependent personal services|Income from employment|Employment",
        "Professions dépendantes|Revenus d'emploi|Revenu d'emploi",
        "Yksityinen palvelus|Työsuhde|Epäitsenäinen työ|Työtulo|Palkkatulo|Työsuhteesta saatu tulo",
        "Enskild tjänst",
    ),
    "directors": (
        "Directors' fees|Directors' fees and remuneration of top-level managerial officials|Directors’ fees",
        "Tantièmes",
        "Johtajanpalkkio|Johtajanpalkkiot|Hallituksen jäsenen palkkio|Johtokunnan jäsenen palkkio",
        "Styrelsearvode",
    ),
    "artistes": (
        "Artistes and athletes|Entertainers and sportspersons|Artistes and sportsmen|"
        "Entertainers and athletes|"
        "Artistes and sportspersons|Entertainers and sportsmen",
        "Artistes et sportifs",
        "Taiteilijat ja urheilijat|Viihdetaiteilijat ja urheilijat|Esiintyvät taiteilijat ja urheilijat",
        "Artister och idrottsmän|Artister och sportutövare",
    ),
    "pensions": (
        "Pensions and annuities|Pensions|Pensions, annuities and social security payments",
        "Pensions et rentes|Pensions",
        "Eläke|Eläke, elinkorko ja sosiaaliturvaetuus|Eläke ja elinkorko|Eläkkeet|"
        "Eläke ja samanluonteinen hyvitys|Eläke, elinkorko ja samanluonteinen hyvitys|Eläkkeet ja elinkorot",
        "Pension|Pension och livränta",
    ),
    "government": (
        "Government service|Government functions",
        "Fonctions publiques",
        "Julkinen palvelus",
        "Offentlig tjänst",
    ),
    "students": (
        "Students|Students and apprentices|Students, apprentices and business trainees",
        "Étudiants|Étudiants et stagiaires",
        "Opiskelijat|Opiskelijat ja harjoittelijat|Opiskelijat, harjoittelijat ja liikealalla harjoittelijat",
        "Studerande",
    ),
    "other": ("Other income", "Autres revenus", "Muu tulo", "Annan inkomst"),
    "capital": (
        "Capital|Taxation of capital",
        "Fortune|Imposition de la fortune",
        "Omaisuus|Varallisuus|Omaisuuden verottaminen",
        "Förmögenhet",
    ),
    "elimination": (
        "Elimination of double taxation|Avoidance of double taxation|"
        "Methods for elimination of double taxation|"
        "Relief from double taxation",
        "Élimination de la double imposition|Dispositions préventives de la double imposition|"
        "Élimination des doubles impositions|Méthodes pour éliminer la double imposition",
        "Kaksinkertaisen verotuksen poistaminen|Menetelmä kaksinkertaisen verotuksen poistamiseksi|"
        "Kaksinkertaisen verotuksen poistamismenetelmät|Kaksinkertaisen verotuksen estäminen",
        "Undanröjande av dubbelbeskattning",
    ),
    "discrimination": (
        "Non-discrimination",
        "Non-discrimination",
        "Syrjintäkielto",
        "Förbud mot diskriminering",
    ),
    "agreement": (
        "Mutual agreement procedure",
        "Procédure amiable",
        "Keskinäinen sopimusmenettely",
        "Förfarande vid ömsesidig överenskommelse",
    ),
    "information": (
        "Exchange of information",
        "Échange de renseignements",
        "Tietojen vaihtaminen|Tietojenvaihto",
        "Utbyte av upplysningar",
    ),
    "diplomats": (
        "Members of diplomatic missions and consular posts|Diplomatic agents and consular officers|"
        "Diplomatic and consular officials",
        "Membres des missions diplomatiques et postes consulaires|"
        "Agents diplomatiques et fonctionnaires consulaires|"
        "Fonctionnaires diplomatiques et consulaires",
        "Diplomaattisten edustustojen ja konsuliedustustojen jäsenet|"
        "Diplomaattiset edustajat ja konsulivirkamiehet|"
        "Diplomaattisten edustustojen ja konsuliedustojen jäsenet|Diplomaattiset ja konsulivirkamiehet",
        "Medlemmar av diplomatisk beskickning och konsulat",
    ),
    "force": ("Entry into force", "Entrée en vigueur", "Voimaantulo", "Ikraftträdande"),
    "termination": ("Termination", "Dénonciation|Cessation", "Päättyminen|Irtisanominen", "Upphörande"),
}
_LANGUAGES = ("en", "fr", "fi", "sv")
_NUMBERED = re.compile(
    r"^\s*(?:\d+\s*\.?\s*)?(?:article|artikla|artikel)?\s*(?:\d+|[ivxl]+)?\s*[.:–-]?\s*(?:artikla)?\s*", re.I
)


def article_of(title: str, language: str) -> str | None:
    """The model article that a title names, None for a title of another sort."""
    titles = _titles(language)
    return titles.get(_key(title)) or titles.get(_key(_NUMBERED.sub("", title, count=1)))


@cache
def _titles(language: str) -> dict[str, str]:
    at = _LANGUAGES.index(language) if language in _LANGUAGES else 0
    return {_key(name): model for model, names in TITLES.items() for name in names[at].split("|")}


def _key(title: str) -> str:
    plain = unicodedata.normalize("NFD", title.replace("’", "'").casefold())
    return re.sub(r"[^a-z' ]", "", "".join(c for c in plain if not unicodedata.combining(c))).strip()
