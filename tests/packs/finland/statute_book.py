"""Acts in the Statute Book's own XML, written here, and the reading of a folder of such files."""

from __future__ import annotations

from pathlib import Path

from pykala.fetch.mirror import open_mirror
from pykala.law.provisions import Provision
from pykala.packs.finland import pack
from pykala.packs.pack import Reading, Snapshot, SourceItem

NAMES = " ".join(
    f'xmlns:{prefix}="http://www.vn.fi/skeemat/{name}/2010/04/27"'
    for prefix, name in {
        "vah": "vahvistettavalaki", "saa": "saadoskooste", "saa1": "saadoselementit", "sis": "sisaltokooste",
        "met1": "metatietoelementit", "asi": "asiakirjakooste", "asi1": "asiakirjaelementit",
    }.items()
)  # fmt: skip
CLAUSES = {
    "fi": "Eduskunnan päätöksen mukaisesti muutetaan koemaksusta annetun lain (77/2001) {place} seuraavasti:",
    "sv": "I enlighet med riksdagens beslut ändras i lagen om provavgift (77/2001) {place} som följer:",
}
ENTRIES = {
    "fi": "Tämä laki tulee voimaan 1 päivänä tammikuuta {year}.",
    "sv": "Denna lag träder i kraft den 1 januari {year}.",
}
TITLES = {
    "fi": ("Laki", "koemaksusta annetun lain muuttamisesta"),
    "sv": ("Lag", "om ändring av lagen om provavgift"),
}


def printed(
    number: int, year: int, sections: str, *, place: str = "1 §", language: str = "fi", base: bool = False
) -> tuple[str, bytes]:
    """An act as the Statute Book prints it, with the path that it has in the archive."""
    sort, name = ("Laki", "koemaksusta") if base and language == "fi" else TITLES[language]
    if base and language == "sv":
        sort, name = "Lag", "om provavgift"
    clause = "Eduskunnan päätöksen mukaisesti säädetään:" if base else CLAUSES[language].format(place=place)
    entry = ENTRIES[language].format(year=year + 1)
    body = (
        f'<vah:VahvistettavaLaki {NAMES} met1:kieliKoodi="{language}"><asi:IdentifiointiOsa>'
        f"<asi:EduskuntaTunniste><asi1:AsiakirjaNroTeksti>{number}</asi1:AsiakirjaNroTeksti>"
        f"<asi1:ValtiopaivavuosiTeksti>{year}</asi1:ValtiopaivavuosiTeksti></asi:EduskuntaTunniste>"
        f'</asi:IdentifiointiOsa><saa:SaadosOsa><saa:Saados saa1:saadostyyppiNimi="{sort}"><saa:SaadosNimeke>'
        f"<saa:SaadostyyppiKooste>{sort}</saa:SaadostyyppiKooste><saa:SaadosNimekeKooste>{name}"
        f"</saa:SaadosNimekeKooste></saa:SaadosNimeke><saa:Johtolause><saa:SaadosKappaleKooste>{clause}"
        f"</saa:SaadosKappaleKooste></saa:Johtolause><saa:Pykalisto>{sections}"
        f'<saa:Pykala saa1:pykalaLuokitusKoodi="VoimaantuloSaannos"><saa:MomenttiKooste>{entry}'
        "</saa:MomenttiKooste></saa:Pykala></saa:Pykalisto></saa:Saados></saa:SaadosOsa>"
        "<asi:AllekirjoitusOsa><asi:PaivaysKooste>"
        f"Helsingissä 7 päivänä toukokuuta {year}</asi:PaivaysKooste>"
        "</asi:AllekirjoitusOsa></vah:VahvistettavaLaki>"
    )
    return f"asd/{language}/{year}/asd{year}{number:04d}.xml", body.encode()


def section(number: str, words: str) -> str:
    return (
        f"<saa:Pykala><saa:PykalaTunnusKooste>{number} §</saa:PykalaTunnusKooste>"
        f"<saa:MomenttiKooste>{words}</saa:MomenttiKooste></saa:Pykala>"
    )


def write(folder: Path, files: dict[str, bytes]) -> None:
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)


def survey(folder: Path) -> dict[str, SourceItem]:
    with open_mirror(folder) as mirror:
        return {item.name: item for item in pack.survey(mirror)}


def read(folder: Path, name: str) -> Reading:
    item = survey(folder)[name]
    with open_mirror(folder) as mirror:
        files = [mirror.read(path) for path in item.paths]
    return pack.read(item, [Snapshot(file.path, file.data, file.sha256) for file in files])


def momentti(reading: Reading, path: str, language: str = "fi") -> Provision:
    (document,) = (one for one in reading.documents if one.language == language)
    return next(one for one in document.root.walk() if "/".join(map(str, one.id.path)) == path)
